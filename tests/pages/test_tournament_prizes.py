"""Sections, prizes and fees in a browser: told at the desk, read by everybody but the fees."""

from __future__ import annotations

from typing import Any

import pytest

from answers.context import Caller
from answers.play.actions import log
from answers.tournament import judging, lifecycle, players, prizes, zones
from referee.tournament.interchange.json_csv import PlayerRow
from tests.answers.conftest import SETUP
from tests.pages.club import DESK, PHONE, Club, ready, violations, waits
from tests.pages.event import HOSTILE, Event, fits, new_event, shot, tab, tap, told

TABS = ("desk", "players", "standings", "judging", "finals", "papers", "screens", "rules")

pytestmark = pytest.mark.xdist_group("pages hall")


@pytest.fixture
def event(club: Club) -> Event:
    made = new_event(club, check_in=False)
    made.open_to_everybody()
    return made


def test_the_desk_declares_and_everybody_reads(devices: Any, event: Event) -> None:
    page = ready(devices("organiser", event.id, **DESK).open(event.page("/players")))
    label = "<b>U14</b> & co"
    page.fill("#names", f"Ana; North; 1500; U14, women\nBo;;;u14\nCleo\n{HOSTILE};;;{label}")
    page.click("#register button")
    told(page)
    assert event.now.sections == (label, "U14", "women")

    page.click(f"[data-do=more][data-player={event.player('Cleo')}]")
    page.click("dialog [data-of=edit]")
    page.fill("dialog [name=sections]", "women,  new ")
    page.click("dialog button.main")
    told(page)
    assert event.now.players[event.player("Cleo")].sections == ("women", "new")

    tap(page, "prizes-set")
    page.fill("dialog textarea", f"1: 100 €\n1 u14: a game\n1 {label}: {HOSTILE}")
    page.click("dialog button.main")
    told(page)
    shown = [(prize.place, prize.section) for prize in event.now.prizes.prizes]
    assert shown == [(1, ""), (1, "U14"), (1, label)]
    tap(page, "prizes-set")
    assert page.input_value("dialog textarea").splitlines()[1] == "1 U14: a game"
    page.keyboard.press("Escape")

    tab(page, "players")
    assert page.locator("[data-do=fee]").count() == 0, "nobody has to pay, as far as it is known"
    page.click(f"[data-do=more][data-player={event.player('Bo')}]")
    page.click("dialog [data-of=fee]")
    paid = f"[data-do=fee][data-player={event.player('Ana')}]"
    page.focus(paid)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{paid}[aria-pressed=true]")
    assert "2 of 4" in page.locator("#players").inner_text()
    page.click(paid)
    page.wait_for_selector(f"{paid}[aria-pressed=false]")
    page.click(paid)
    page.wait_for_selector(f"{paid}[aria-pressed=true]")
    assert event.now.players[event.player("Ana")].paid
    shot(page, "desk")

    looking = devices("spectator", event.id, **PHONE)
    seen = ready(looking.open(event.page("/standings")))
    listed = seen.locator("#prizes")
    assert "100 €" in listed.inner_text()
    assert HOSTILE in listed.inner_text()
    assert listed.locator(".how").count() == 0
    assert fits(seen)
    shot(seen, "before")

    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A", "B")
    event.close_round()
    seen = ready(looking.open(event.page("/standings")))
    seen.click("#standings nav >> text=women")
    seen.wait_for_selector("#standings [aria-current=page] >> text=women")
    ready(seen)
    names = seen.locator("#standings tbody th").all_inner_texts()
    assert sorted(names) == ["Ana", "Cleo"]
    assert seen.locator("#standings tbody td:first-child").first.inner_text() == "1."
    assert fits(seen)
    shot(seen, "section")
    wide = {"viewport": {"width": 1920, "height": 1080}, "reduced_motion": "reduce"}
    wall = ready(devices("spectator", event.id, **wide).open(event.page("/wall")))
    views = wall.locator("[data-view=standings]")
    labels = [view.get_attribute("data-section") for view in views.all()]
    assert labels == ["", label, "U14", "new", "women"], "everybody, then each that has members"
    tab(page, "broadcast").click("#wall-now >> text=women")
    waits(wall, "() => document.body.dataset.leaves === '1'")
    assert sorted(wall.locator(".ranked li:visible bdi").all_inner_texts()) == ["Ana", "Cleo"]
    page.wait_for_selector("#wall-now [aria-pressed=true] >> text=women")
    assert page.locator("#wall-now [data-wall][aria-pressed=true]").count() == 1
    shot(wall, "wall")
    phone = ready(looking.open(event.page(f"/players/{event.player('Cleo')}")))
    places = phone.locator("#why li bdi").all_inner_texts()
    assert [place.partition(":")[0] for place in places] == ["women", "new"]
    assert places[1] == "new: rank 1 of 1"
    shot(phone, "phone")
    shown = ready(looking.open(event.page("/broadcast?section=new")))
    assert shown.locator("#standings tbody th").all_inner_texts() == ["Cleo"]
    seen = ready(looking.open(event.page("/standings?section=women")))

    lifecycle.close(event.desk, event.id, anyway=True)
    seen.wait_for_selector("#prizes .how")
    assert "Ana" in listed.locator(".how").first.inner_text()
    shot(seen, "after")
    assert '"paid"' not in seen.content()
    assert "fee paid" not in seen.locator("main").inner_text().lower()
    for role in ("judge", "scribe"):
        other = ready(devices(role, event.id, **DESK).open(event.page("/players")))
        assert other.locator("[data-do=fee]").count() == 0
        assert "2 of 4" not in other.content()


@pytest.mark.deep
@pytest.mark.parametrize(("size", "lang", "scheme"), [(PHONE, "fr", "dark"), (DESK, "en", "light")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    club: Club, devices: Any, axe: str, size: Any, lang: str, scheme: str
) -> None:
    """With sections, prizes, fees, zones and penalties, wherever they are shown."""
    event = new_event(club, check_in=False, rounds=1, presets={})
    event.open_to_everybody()
    names = ("Ana", "Bo", "Cleo", "Eve")
    rows = [PlayerRow(name=name, sections=("U14", "women")) for name in names]
    players.register(event.desk, event.id, rows)
    players.mark_fee(event.desk, event.id, ["Bo"])
    prizes.declare(event.desk, event.id, prizes.read_prizes(["1: 100 €", "1 U14: a game"]))
    zones.set_zones(event.desk, event.id, [("Jo", 1, 2)])
    event.pair()
    event.start()
    game = event.open_table(1)
    assert log(Caller(club.store_context), game, SETUP).outcome == "done"
    log(Caller(club.store_context), game, ["step c3"], stands=True)
    judging.penalise(event.desk, event.id, "Ana", None, "late", level="warning")
    player = event.now.current_round.table(1).seats[0]
    look = {**size, "bypass_csp": True, "locale": lang, "color_scheme": scheme}
    found = {}
    for role, path in (
        *(("organiser", event.page(f"/{each}")) for each in TABS),
        ("spectator", event.page("/standings?section=U14")),
        ("spectator", event.page("/broadcast?section=U14")),
        ("spectator", event.page("/wall?show=standings&section=U14")),
        ("player", event.page(f"/players/{player}")),
        ("judge", f"/games/{game}/disputes/d1"),
    ):
        scope = "" if role == "judge" else event.id
        person = player if role == "player" else None
        page = ready(devices(role, scope, person=person, **look).open(path))
        if role == "judge":
            page.click("label.remedy:has([value=penalty])")
            page.click("#rule")
            page.wait_for_selector("#before [data-take]")
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
        found[path] = ["too wide"] * (not fits(page)) + violations(page, axe)
    assert found == {path: [] for path in found}
