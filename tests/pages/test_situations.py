"""Try it here: anybody sets a table, says a line, reads the verdict and sends the link."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from answers.context import Caller
from answers.judge import disputes
from replays.gallery import samples
from tests.deep import first
from tests.pages.club import DESK, PHONE, Club, ready, violations, waits
from tests.pages.player import data_of
from tests.pages.scenes import sample_lines
from tests.service.conftest import embedded

pytestmark = pytest.mark.xdist_group("pages situations")
POSITION = Path(__file__).parents[1] / "frozen/0.1.0/positions/benevolent.toml"
HOSTILE = '<img src=x onerror="document.title=1">'


def opened(device: Any, query: str = "", engine: str = "benevolent") -> Any:
    page = device.open(f"/try/{engine}{query}")
    page.wait_for_selector("body[data-ready]")
    return page


def asked(**query: str) -> str:
    return "?" + urlencode(query)


@pytest.mark.parametrize("engine", first(1, samples()))
def test_every_game_begins_at_its_set_up_or_at_a_moment_of_its_sample(
    devices: Any, engine: str
) -> None:
    device = devices()
    page = opened(device, engine=engine)
    links = page.eval_on_selector_all(".starts a", "all => all.map(a => a.getAttribute('href'))")
    assert len(links) > 1
    page.locator(".starts a").last.click()
    page.wait_for_selector("#board svg")
    for link in links:
        place = f"{device.club.url}/try/{engine}{link}"
        shown = device.context.request.get(place).text()
        assert '<div id="unread" data-live></div>' in shown
        assert "<svg" in shown.partition('id="board"')[2].partition("</section>")[0]
        assert embedded(shown)["lines"] or embedded(shown)["templates"]


def test_it_begins_at_a_moment_of_a_game_and_old_links_lead_here(club: Club, devices: Any) -> None:
    opening, lines = sample_lines("benevolent")
    game = club.table("benevolent", opening, lines[:12], A="Ana", B="Bo")
    device = devices("judge", **PHONE)
    page = ready(device.open(f"/games/{game}/study?at=9"))
    page.click("#asking > summary")
    page.click("#asking a[href^='/try/']")
    ready(page)
    assert page.locator("#unread .notice").count() == 0
    assert lines[9] in data_of(page)["lines"]
    page.goto(f"{club.url}/situations/benevolent?from=setup")
    assert page.url.endswith("/try/benevolent?from=setup")
    stranger = devices().open(f"/try/benevolent?game={game}&at=9")
    assert stranger.locator("#unread .notice.bad").count() == 1


def test_a_line_is_tapped_judged_and_the_link_shows_the_same_to_others(devices: Any) -> None:
    page = opened(devices(**PHONE), asked(position=POSITION.read_text("utf-8")))
    line = data_of(page)["lines"][0]
    page.click(f"#taps button[data-line={json.dumps(line)}]")
    page.wait_for_selector("#trying li.good")
    link = page.locator("#link").input_value()
    other = devices(locale="fr-FR", **DESK)
    seen = other.open(link.removeprefix(other.club.url))
    assert seen.locator("#trying li.good").count() == 1
    assert data_of(seen)["tried"] == [line]


@pytest.mark.deep
def test_what_breaks_a_rule_is_told_with_its_clause(devices: Any) -> None:
    page = opened(devices(), asked(position=POSITION.read_text("utf-8")))
    page.click("#composer > summary")
    page.fill("#typed", "A step c3")
    page.press("#typed", "Enter")
    page.wait_for_selector("#trying li.bad")
    clause = page.locator("#trying li.bad a").first
    assert clause.get_attribute("href").startswith("/rules/benevolent/BEN-")


def test_what_is_no_piece_is_changed_in_a_form(devices: Any) -> None:
    page = opened(devices(), asked(position=POSITION.read_text("utf-8")))
    page.click("#fields >> xpath=.. >> summary")
    page.fill("[name='set.position.turn']", "5")
    page.click("#fields button.main")
    page.wait_for_selector("body[data-ready]")
    assert "turn = 5" in data_of(page)["position"]
    page.click("#fields >> xpath=.. >> summary")
    page.fill("[name='set.position.turn']", HOSTILE)
    page.click("#fields button.main")
    page.wait_for_selector("#unread .notice.bad")
    assert page.evaluate("document.title") != "1"


@pytest.mark.parametrize("engine", first(2, samples()))
def test_the_form_asks_whose_turn_how_far_and_how_many_in_the_readers_words(
    devices: Any, engine: str
) -> None:
    """Never for what a game keeps in words of its own, or for where it stands in the data."""
    page = opened(devices(locale="fr-FR"), engine=engine)
    page.click("#fields >> xpath=.. >> summary")
    fields = page.locator("#fields .field")
    assert fields.count()
    for field in fields.all():
        path = field.locator("[name]").get_attribute("name") or ""
        assert re.fullmatch(r"set\.position\.(\w+|\w+\.[A-Z]\.\w+)", path), path
        chosen = field.locator("option").all_inner_texts()
        assert chosen in ([], ["Oui", "Non"], ["A", "B"]), path
        if not chosen:
            assert field.locator("input").input_value().lstrip("-").isdecimal(), path


@pytest.mark.deep
def test_a_file_is_opened_from_the_device_without_being_stored(devices: Any) -> None:
    device = devices(**DESK)
    page = opened(device, "?from=setup")
    page.click("text=Position file")
    page.set_input_files("#upload input", POSITION)
    page.wait_for_url("**position=*")
    assert 'arrival = "c2"' in data_of(page)["position"]
    assert not list(device.club.store_context.store.streams("game-"))


@pytest.mark.parametrize(
    ("text", "said"),
    first(
        2,
        [
            ("game = [", "position.toml"),
            (HOSTILE, "position.toml"),
            ('game = "roundforest"\ntable = "table"', "another game"),
            ('game = "benevolent"\ntable = "pick"', "table …"),
            ("x" * 8001, "8000"),
            (
                'game = "benevolent"\ntable = "table A=blue B=red first A"\nhouse = 1.5',
                "position.toml",
            ),
        ],
    ),
)
def test_what_is_no_position_is_answered_on_the_page(devices: Any, text: str, said: str) -> None:
    page = devices(java_script_enabled=False).open(f"/try/benevolent{asked(position=text)}")
    assert said in page.locator("#unread .notice.bad").inner_text()


@pytest.mark.deep
def test_everything_works_without_scripts(devices: Any) -> None:
    page = devices(java_script_enabled=False).open("/rules/benevolent")
    page.click("text=Try it here")
    page.click("text=set-up")
    page.click("#composer > summary")
    page.fill("#typed", "forest S1A S2A")
    page.click("#composer button.main")
    assert page.locator("#trying li.good").count() == 1


@pytest.mark.deep
@pytest.mark.parametrize(("kind", "lang"), [(DESK, "en"), (PHONE, "fr")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    devices: Any, axe: str, kind: dict[str, Any], lang: str
) -> None:
    scheme = "dark" if lang == "fr" else "light"
    device = devices(bypass_csp=True, locale=lang, color_scheme=scheme, **kind)
    for query in ("", "?from=setup&try=A+pick", asked(position=HOSTILE)):
        page = opened(device, query)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert page.get_attribute("html", "lang") == lang
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), query
        assert violations(page, axe) == [], query


def placed(page: Any, word: str) -> tuple[float, float]:
    """Where a finger meets a space of the board."""
    page.evaluate("document.querySelector('#board svg').scrollIntoView({ block: 'center' })")
    found = """(name) => {
      const point = document.querySelector(`#board [data-space="${name}"]`);
      const at = new DOMPoint(point.cx.baseVal.value, point.cy.baseVal.value);
      const { x, y } = at.matrixTransform(point.ownerSVGElement.getScreenCTM());
      return [x, y];
    }"""
    x, y = page.evaluate(found, word)
    return x, y


def test_a_place_is_tapped_and_the_pieces_that_can_lie_there_are_offered(
    club: Club, devices: Any
) -> None:
    opening, lines = sample_lines("benevolent")
    game = club.table("benevolent", opening, lines[:12], A="Ana", B="Bo")
    page = opened(devices("judge", **PHONE), asked(game=game, at="9"))
    before = data_of(page)["position"]
    page.click("#place")
    page.touchscreen.tap(*placed(page, "c2"))
    page.click("#put a:has-text('a step of Bo') >> nth=0")
    waits(
        page,
        "(was) => JSON.parse(document.getElementById('data').textContent).position !== was",
        arg=before,
    )
    page.wait_for_selector("#here h3 + p:has-text('2 steps of Bo')")
    assert not re.search(r"players|forest|position", page.locator("#put").inner_text())
    moved = data_of(page)["position"]
    link = page.locator("#link").input_value()
    other = devices()
    assert data_of(other.open(link.removeprefix(other.club.url)))["position"] == moved


def test_pieces_are_chosen_and_put_without_scripts(devices: Any) -> None:
    page = devices(java_script_enabled=False).open("/try/broom_service")
    page.select_option("#here select", "P4")
    page.click("#here button")
    page.click("#put a:has-text('pawn') >> nth=0")
    assert "pawn" in page.locator("#here h3 + p").inner_text()
    query = asked(piece="pawn_of.A.1", source="place.P4", target="moon")
    assert page.goto(f"{page.url.partition('?')[0]}{query}").ok
    assert page.locator("#unread .notice.bad").count() == 1


def test_what_was_tried_at_a_disputed_table_becomes_the_ruling(club: Club, devices: Any) -> None:
    opening, lines = sample_lines("benevolent")
    game = club.table("benevolent", opening, lines[:12], A="Ana", B="Bo")
    number = club.store_context.bench.game(game).numbers()[-1]
    made = disputes.dispute(Caller(club.store_context), game, number).data.id
    page = ready(devices("judge", **PHONE).open(f"/games/{game}/disputes/{made}"))
    page.click("a[href='#more']")
    page.click("#more a[href^='/try/']")
    ready(page)
    line = next(each for each in data_of(page)["lines"] if each != lines[11])
    page.goto(page.url + "&" + urlencode({"try": line}))
    page.click("#trying a.main")
    ready(page)
    assert page.url.partition("?")[0].endswith(f"/games/{game}/disputes/{made}")
    assert page.locator("[name=remedy]:checked").get_attribute("value") == "corrected"
    stranger = devices().open(f"/try/benevolent?game={game}&dispute={made}&try=pick")
    assert stranger.locator("#trying a.main").count() == 0


@pytest.mark.deep
def test_every_rule_that_was_asked_unfolds_under_a_verdict(devices: Any) -> None:
    page = opened(devices(), asked(position=POSITION.read_text("utf-8"), **{"try": "A step c3"}))
    page.click("#trying .asked summary")
    asked_about = page.locator("#trying .asked .why a")
    assert asked_about.count() > 1
    assert asked_about.first.get_attribute("href").startswith("/rules/benevolent/BEN-")


@pytest.mark.deep
def test_a_game_without_a_sample_begins_with_a_picture_of_its_set_up(devices: Any) -> None:
    page = opened(devices(), engine="pebbles")
    assert page.locator("#board svg").count() == 1
    assert page.locator("#unread .notice").count() == 0
    assert "A take 1" in data_of(page)["lines"]


@pytest.mark.parametrize(
    "change",
    first(
        1,
        [
            "set.position.nothing",
            "set.position.turn.x.y",
        ],
    ),
)
def test_a_change_of_what_is_not_there_is_answered_on_the_page(devices: Any, change: str) -> None:
    query = asked(position=POSITION.read_text("utf-8"), **{change: HOSTILE})
    page = devices(java_script_enabled=False).open(f"/try/benevolent{query}")
    assert page.locator("#unread .notice.bad").count() == 1
