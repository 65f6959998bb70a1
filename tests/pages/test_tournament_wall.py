"""The wall of a tournament: read from afar, live, and turning its own pages."""

from __future__ import annotations

from typing import Any

import pytest

from answers.tournament import players, standings
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.plan import DoubleElimination, Knockout
from tests.pages.club import DESK, PHONE, Club, ready, violations, waits
from tests.pages.event import HOSTILE, Event, new_event

pytestmark = pytest.mark.xdist_group("pages hall")
WALL = {"viewport": {"width": 1920, "height": 1080}}
STILL = {**WALL, "reduced_motion": "reduce"}
LETTERS_AT_TEN_METRES = 50
"""Pixels of a screen 1,920 wide: on a picture two metres wide, capitals of more than 3.5 cm."""


@pytest.fixture
def event(club: Club) -> Event:
    made = new_event(club, ["Ana", "Bo", "Cleo", HOSTILE])
    made.pair()
    return made


def shown(page: Any) -> Any:
    return ready(page, "body[data-ready][data-leaf]")


def leaf(page: Any) -> int:
    return int(page.get_attribute("body", "data-leaf"))


def test_results_time_and_standings_come_by_themselves(devices: Any, event: Event) -> None:
    page = shown(devices("judge", **STILL).open(event.page("/wall")))
    assert page.locator("[data-view=tables] li").count() == 2
    event.start()
    page.wait_for_selector(".wall-playing >> text=2 tables still playing")
    event.time(30)
    waits(page, "() => /^(30:00|29:\\d\\d)$/.test(document.getElementById('time')?.textContent)")
    event.result(1, "A", "B")
    page.wait_for_selector(".wall-playing >> text=1 table still playing")
    page.wait_for_selector("[data-view=tables] li.done >> text= won")
    event.result(2, "A=B")
    page.wait_for_selector(".wall-playing >> text=All tables have finished")
    event.close_round()
    page.wait_for_selector(
        "[data-view=standings] >> text=Standings after one round", state="attached"
    )


def test_a_name_is_a_name_whatever_is_written_in_it(devices: Any, event: Event) -> None:
    page = shown(devices("judge", **STILL).open(event.page("/wall")))
    assert HOSTILE in page.locator("[data-view=tables]").inner_text()
    assert page.locator("main img").count() == 0


@pytest.mark.deep
def test_it_turns_by_keys_and_stands_still_where_motion_is_not_wanted(
    devices: Any, event: Event
) -> None:
    page = shown(devices("judge", **STILL).open(event.page("/wall")))
    assert page.get_attribute("#pause", "aria-pressed") == "true"
    page.keyboard.press("ArrowRight")
    assert (leaf(page), page.locator("[data-view=names]").is_visible()) == (2, True)
    page.keyboard.press("ArrowLeft")
    assert leaf(page) == 1
    page.keyboard.press(" ")
    assert page.get_attribute("#pause", "aria-pressed") == "false"


@pytest.mark.deep
def test_it_turns_by_itself_until_it_is_paused(devices: Any, event: Event) -> None:
    device = devices("judge", **WALL)
    device.page.clock.install()
    page = shown(device.open(event.page("/wall")))
    page.clock.fast_forward(12_100)
    assert leaf(page) == 2
    page.click("#pause")
    page.clock.fast_forward(60_000)
    assert leaf(page) == 2


@pytest.mark.deep
def test_many_players_are_spread_over_leaves_that_show_everybody(club: Club, devices: Any) -> None:
    names = [f"Player {number:02} Longname-Someone" for number in range(60)]
    event = new_event(club, names)
    event.pair()
    page = shown(devices("judge", **STILL).open(event.page("/wall")))
    seen: set[str] = set()
    for _ in range(int(page.get_attribute("body", "data-leaves"))):
        rows = page.locator("[data-view=names]:not([hidden]) li:not([hidden])")
        edge = page.locator(".wall-foot").bounding_box()["y"]
        for row in rows.all():
            box = row.bounding_box()
            assert box["y"] + box["height"] <= edge + 1
        seen |= set(rows.locator(".who").all_inner_texts())
        page.keyboard.press("ArrowRight")
    assert seen == set(names)


@pytest.mark.deep
def test_letters_are_large_enough_for_ten_metres(devices: Any, event: Event) -> None:
    page = shown(devices("judge", **STILL).open(event.page("/wall")))
    size = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.wall-list')).fontSize)"
    )
    assert size >= LETTERS_AT_TEN_METRES
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_wall_is_open_to_those_the_event_is_open_to(devices: Any, event: Event) -> None:
    stranger = devices()
    stranger.expected = ("401",)
    assert stranger.open(event.page("/wall")).locator("body.page-problem").count() == 1
    event.open_to_everybody()
    assert shown(devices(**WALL).open(event.page("/wall"))).locator("[data-view]").count() == 2


@pytest.mark.deep
def test_a_wall_before_the_first_pairing_says_so(club: Club, devices: Any) -> None:
    event = new_event(club, ["Ana", "Bo"])
    page = devices("judge", locale="fr", **DESK).open(event.page("/wall"))
    assert "Aucun appariement pour l’instant." in page.locator("main").inner_text()


@pytest.mark.deep
@pytest.mark.parametrize(("size", "lang"), [(STILL, "en"), (PHONE, "fr")])
def test_nothing_serious_for_people_with_other_senses(
    devices: Any, event: Event, axe: str, size: Any, lang: str
) -> None:
    event.start()
    event.time(30)
    page = devices("judge", bypass_csp=True, locale=lang, **size).open(event.page("/wall"))
    page.wait_for_selector("body[data-ready]")
    assert page.get_attribute("html", "lang") == lang
    assert violations(page, axe) == []


def test_128_players_see_their_own_row_within_a_minute(club: Club, devices: Any) -> None:
    event = new_event(club, [f"Firstname Lastname {number}" for number in range(128)])
    event.pair()
    event.start()
    for size in ({"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}):
        page = ready(devices("spectator", event.id, viewport=size).open(event.page("/wall")))
        leaves, pace = page.evaluate("[document.body.dataset.leaves, document.body.dataset.pace]")
        assert int(leaves) * int(pace) <= 60_000
        seen = set()
        for _ in range(int(leaves)):
            seen |= set(page.locator("[data-view=names] li:visible bdi").all_inner_texts())
            foot = page.locator(".wall-foot").bounding_box()
            assert foot["y"] + foot["height"] <= size["height"]
            for row in page.locator(".wall-list li:visible").all()[-1:]:
                box = row.bounding_box()
                assert box["y"] + box["height"] <= foot["y"] + 1
            page.keyboard.press("ArrowRight")
        assert len(seen) == 128


def test_a_screen_shows_the_bracket_with_the_round_by_name(club: Club, devices: Any) -> None:
    event = new_event(club, [f"Player {number}" for number in range(8)], rounds=1)
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A", "B")
    event.close_round()
    standings.finals(event.desk, event.id, 4, style="knockout", lot=1, third_place=True)
    event.pair()
    page = devices("spectator", event.id, **DESK).open(event.page("/wall?show=bracket"))
    assert page.locator(".bracket h3").all_inner_texts() == ["Semi-finals", "Final"]
    seeds = page.locator(".bracket .sits small").all_inner_texts()
    assert [{*seeds[:2]}, {*seeds[2:]}] == [{"1", "4"}, {"2", "3"}]
    assert page.locator(".bracket .to-come").all_inner_texts() == [
        "to come",
        "third place · to come",
    ]
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A", "B")
    event.close_round()
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A", "B")
    event.close_round()
    for rest in ("/wall?show=bracket", "/finals"):
        page = devices("spectator", event.id, **DESK).open(event.page(rest))
        shown = page.locator(".bracket").inner_text()
        assert "Semi-finals" in shown
        assert "Final" in shown
        first, last = page.locator(".bracket > li").all()
        winners = first.locator(".through bdi").all_inner_texts()
        final, third = last.locator("ol > li").all()
        assert set(final.locator(".sits bdi").all_inner_texts()) == set(winners)
        assert final.locator(".through").count() == 1
        assert "third place" in third.inner_text()
        losers = set(first.locator(".sits bdi").all_inner_texts()) - set(winners)
        assert set(third.locator(".sits bdi").all_inner_texts()) == losers


def test_a_name_stays_on_one_line_and_a_small_event_on_one_leaf(club: Club, devices: Any) -> None:
    names = [f"{'Maximiliane'[: 3 + number]} {'Oberhuberinger'[:number]}o" for number in range(12)]
    event = new_event(club, names)
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A", "B")
    for size in ({"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}):
        still = {"viewport": size, "reduced_motion": "reduce"}
        page = shown(devices("spectator", event.id, **still).open(event.page("/wall")))
        leaves = int(page.get_attribute("body", "data-leaves"))
        assert leaves <= 4, "tables, names and standings; one of them in two parts"
        for _ in range(leaves):
            called = page.locator(".wall-list bdi:visible")
            assert called.count() >= 2
            assert (
                called.evaluate_all("all => all.map(each => each.getClientRects().length)")
                == [1] * called.count()
            )
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.keyboard.press("ArrowRight")


PEEPING = """all => all.filter((each) => {
  const row = each.closest(".who").getBoundingClientRect(), own = each.getBoundingClientRect();
  return own.height && own.top < row.bottom - 1 && own.bottom > row.bottom + 1;
}).map((each) => each.closest("li").textContent)"""


def test_no_name_is_cut_where_anything_else_can_give_way(club: Club, devices: Any) -> None:
    """24 tables with long names: they stand whole, and the results beside them; a club stands
    whole beside its member or is not seen."""
    names = [f"{'Anne-Sophie-Maximiliane'[: 3 + at % 20]}a Rousseau{at}" for at in range(48)]
    event = new_event(club)
    rows = [PlayerRow(name=name, club="Long Valley Board Games") for name in names]
    players.register(event.desk, event.id, rows)
    players.check_in(event.desk, event.id, everybody=True)
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables[:9]:
        event.result(table.number, "A", "B")
    page = shown(devices("spectator", event.id, **STILL).open(event.page("/wall")))
    seen: list[str] = []
    for _ in range(int(page.get_attribute("body", "data-leaves"))):
        called = page.locator("[data-view]:not([hidden]) .wall-list li:not([hidden]) bdi")
        cut = "all => all.filter(each => each.scrollWidth > each.clientWidth + 1)"
        assert called.evaluate_all(f"{cut.strip()}.map(each => each.textContent)") == []
        assert page.locator("[data-view]:not([hidden]) .who small").evaluate_all(PEEPING) == []
        seen += page.locator("[data-view=tables] li:visible bdi").all_text_contents()
        page.keyboard.press("ArrowRight")
    assert sorted(seen) == sorted(names)
    rows = page.locator("[data-view=tables] li.done")
    assert rows.count() == 9
    assert rows.first.locator(".how [aria-hidden]").text_content() == "1–0"
    assert rows.first.locator(".won bdi").count() == 1


WHOLE = """all => all.map((each, at) => {
  const frame = each.closest(".scroll").getBoundingClientRect(), own = each.getBoundingClientRect();
  const head = each.closest(".bracket").querySelector("h3").getBoundingClientRect();
  const foot = document.querySelector(".wall-foot").getBoundingClientRect().top;
  const within = own.top >= head.bottom - 1 && own.bottom <= Math.min(frame.bottom, foot) + 1;
  return own.height && within && own.right <= innerWidth ? at : -1;
}).filter((at) => at >= 0)"""
"""Which matches of a bracket can be read from top to bottom on this leaf."""


@pytest.mark.parametrize("plan", [Knockout(), DoubleElimination()], ids=["knockout", "double"])
def test_every_match_of_a_bracket_stands_whole_on_a_leaf(
    club: Club, devices: Any, plan: Knockout | DoubleElimination
) -> None:
    """32 players, some with long names: the bracket goes on from leaf to leaf."""
    names = [f"{'Anne-Sophie-Maximiliane'[: 3 + at % 20]} Rousseau{at}" for at in range(32)]
    event = new_event(club, names, format=plan)
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables[:9]:
        event.result(table.number, "A", "B")
    for size in ({"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}):
        still = {"viewport": size, "reduced_motion": "reduce"}
        page = shown(devices("organiser", **still).open(event.page("/wall?show=bracket")))
        leaves = int(page.get_attribute("body", "data-leaves"))
        assert 1 < leaves <= 6
        whole: set[int] = set()
        matches = page.locator(".bracket ol > li")
        for _ in range(leaves):
            whole |= set(matches.evaluate_all(WHOLE))
            page.keyboard.press("ArrowRight")
        assert whole == set(range(matches.count()))


def test_a_final_is_called_so_on_desk_and_wall(club: Club, devices: Any) -> None:
    event = new_event(club, [f"Player {number}" for number in range(4)], rounds=1)
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A", "B")
    event.close_round()
    standings.finals(event.desk, event.id, 4, style="knockout", lot=1, third_place=True)
    for _ in range(2):
        event.pair()
        event.start()
        last = event.now.current_round
        if last.third_place is None:
            for table in last.draw.tables:
                event.result(table.number, "A", "B")
            event.close_round()
    page = shown(devices("spectator", event.id, **STILL).open(event.page("/wall?show=tables")))
    told = page.locator("[data-view=tables] .how").all_inner_texts()
    assert sorted(each.split(" ·")[0] for each in told) == ["final", "third place"]
    desk = ready(devices("organiser", **DESK).open(event.page("/desk")))
    rows = desk.locator(".desk-tables > li .how").all_inner_texts()
    assert sorted(each.split(" ·")[0].strip() for each in rows) == ["final", "third place"]


def test_a_double_elimination_can_be_read_before_its_first_round(club: Club, devices: Any) -> None:
    """On the wall, the pages and the phone: every match, who comes there, and where it leads."""
    event = new_event(club, [f"Player {number}" for number in range(8)], rounds=1)
    event.pair()
    event.start()
    for table in event.now.current_round.draw.tables:
        event.result(table.number, "A", "B")
    event.close_round()
    standings.finals(event.desk, event.id, 6, style="double_elimination", lot=1)
    for rest in ("/wall?show=bracket", "/finals"):
        page = devices("spectator", event.id, **DESK).open(event.page(rest))
        matches = page.locator(".bracket > li > ol > li > .quiet:first-child").all_text_contents()
        assert sorted(matches) == sorted(f"match {number}" for number in range(1, 12))
        comes = page.locator(".bracket .sits small").all_text_contents()
        assert sum("loser of match" in each for each in comes) == 6
        assert page.locator(".bracket bdi").count() == 6
    finalists = event.now.finals.players if event.now.finals else ()
    page = devices("spectator", event.id).open(event.page(f"/players/{finalists[0]}"))
    assert page.locator("#now .rules li").all_inner_texts() == [
        "Match 3, round 3: against winner of match 1",
        "A win leads to match 7, round 5, against winner of match 4",
        "A defeat leads to match 6, round 4, against loser of match 2",
    ]
