"""The organiser's desk: an event run from one page, and what is priced before it is done."""

from __future__ import annotations

from typing import Any

import pytest

from answers.context import Caller
from answers.judge.disputes import dispute
from answers.play.actions import log
from answers.tournament import apart, player_reports, players, results, standings
from answers.tournament.result_slips import Slip
from referee.store.sidecars.people import PersonDetails
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from referee.tournament.events import LotDrawn
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.plan import DoubleElimination, TimeRule
from referee.tournament.ranking.standings import standings as ranked_players
from tests.answers.conftest import SETUP
from tests.pages.club import DESK, PHONE, Club, ready, violations, waits
from tests.pages.event import HOSTILE, TAB_OF, Event, fits, new_event, tab, tap

pytestmark = pytest.mark.xdist_group("pages hall")


@pytest.fixture
def event(club: Club) -> Event:
    made = new_event(club, ["Ana", "Bo", "Cleo", HOSTILE])
    made.pair()
    return made


def at_the_desk(
    devices: Any, event: Event, role: str = "organiser", expected: str = "", **kind: Any
) -> Any:
    device = devices(role, event.id, **{**DESK, **kind})
    device.expected = (expected,) if expected else ()
    return ready(device.open(event.page("/desk")))


def press(page: Any, what: str) -> None:
    """Press a button, and wait for the word of the desk."""
    tab(page, TAB_OF.get(what, "round"))
    page.evaluate("document.getElementById('told').hidden = true")
    page.click(f"main [data-do={what}]")
    page.wait_for_selector("#told.good:not([hidden])")


def test_a_swap_shows_its_price_before_it_is_made(devices: Any, event: Event) -> None:
    page = at_the_desk(devices, event)
    before = event.now.current_round.draw
    swap = page.locator(".repair [data-do=swap]")
    assert swap.is_disabled()
    one, two = before.tables[0].seats[0], before.tables[1].seats[0]
    for player in (one, two):
        page.click(f".pick[data-player={player}]")
    swap.click()
    assert "as asked" in page.locator("dialog .why").inner_text()
    assert event.now.current_round.draw == before
    page.fill("dialog [name=reason]", "they are sisters")
    page.click("dialog button.main")
    page.wait_for_selector("#told.good")
    assert event.now.current_round.draw.tables[0].seats[0] == two


@pytest.mark.deep
def test_somebody_dragged_onto_another_is_priced_too(devices: Any, event: Event) -> None:
    page = at_the_desk(devices, event)
    before = event.now.current_round.draw
    one, two = before.tables[0].seats[1], before.tables[1].seats[1]
    page.drag_and_drop(f".pick[data-player={one}]", f".pick[data-player={two}]")
    page.wait_for_selector("dialog[open] .why")
    page.click("dialog [data-do=cancel]")
    assert event.now.current_round.draw == before


@pytest.mark.deep
def test_a_pairing_is_explained_and_taken_back(devices: Any, event: Event) -> None:
    page = at_the_desk(devices, event)
    page.click("[data-do=explain]")
    assert "repeated meetings" in page.locator("dialog .why").inner_text()
    page.click("dialog [data-do=cancel]")
    page.click("[data-do=unpair]")
    page.fill("dialog [name=reason]", "somebody is missing")
    page.click("dialog button.main")
    page.wait_for_selector("[data-do=pair]")
    assert not event.now.rounds


@pytest.mark.deep
def test_players_are_seated_together_while_a_round_is_played(devices: Any, event: Event) -> None:
    event.start()
    page = at_the_desk(devices, event)
    assert not page.locator(".pick").first.is_visible()
    page.click("[data-do=repair]")
    draw = event.now.current_round.draw
    together = {draw.tables[0].seats[0], draw.tables[1].seats[0]}
    for player in together:
        page.click(f".pick[data-player={player}]")
    page.click(".repair [data-do=seat]")
    page.fill("dialog [name=reason]", "they travel together")
    page.click("dialog button.main")
    page.wait_for_selector("#told.good")
    assert together in [set(table.seats) for table in event.now.current_round.draw.tables]


def test_the_clock_is_started_paused_prolonged_and_stopped(club: Club, devices: Any) -> None:
    timed = TimeRule(minutes=40, on_time="judge")
    event = new_event(club, ["Ana", "Bo"], time=timed)
    event.pair()
    page = at_the_desk(devices, event)
    press(page, "start-clock")
    page.wait_for_selector("#time")
    press(page, "clock-pause")
    press(page, "clock-more")
    assert event.now.current_round.clock is not None
    assert event.now.current_round.clock.minutes == 45
    page.click("main [data-do=clock-stop]")
    assert not event.now.current_round.clock.stopped
    page.click("dialog button.main")
    page.wait_for_selector("[data-do=clock-start]")
    assert event.now.current_round.clock.stopped
    press(page, "clock-start")
    assert not event.now.current_round.clock.stopped


@pytest.mark.deep
def test_finals_are_shown_before_they_begin(devices: Any, event: Event) -> None:
    event.start()
    for _ in range(2):
        event.result(1, "A", "B")
        event.result(2, "A=B")
        event.close_round()
        if event.now.rounds[-1].number == 1:
            event.pair()
            event.start()
    page = at_the_desk(devices, event)
    tab(page, "finals").fill("#places", "2")
    page.select_option("#style", "knockout")
    page.click("#finals button")
    page.wait_for_selector("dialog[open] .why")
    assert event.now.finals is None
    page.click("dialog button.main")
    page.wait_for_selector("#told:not([hidden])")


def test_what_waits_for_a_judge_comes_to_the_desk(devices: Any, event: Event) -> None:
    event.start()
    page = ready(devices("organiser", **DESK).open(event.page("/desk")))
    page.locator("[data-do=open-table]").first.click()
    page.wait_for_url("**/games/game-*")
    game = page.url.rsplit("/", 1)[-1]
    page.goto(event.club.url + event.page("/desk"))
    ready(page)
    assert log(event.desk, game, SETUP).outcome == "done"
    dispute(
        Caller(event.club.store_context, Author("pb", "seat:B")), game, 3, text="that was too far"
    )
    page.click("#waiting >> text=Round 1, table 1: waiting for a judge")
    page.wait_for_url(f"**/games/{game}/disputes/d1")


def test_what_another_desk_tells_appears(devices: Any, event: Event) -> None:
    page = tab(at_the_desk(devices, event), "players")
    players.drop(event.desk, event.id, "Bo")
    page.wait_for_selector("#players >> text=Reinstate")
    page.click("[data-do=return]")
    page.wait_for_selector("#players >> text=4 players, 4 checked in")


def test_a_refusal_is_said_in_words(devices: Any, event: Event) -> None:
    device = devices("organiser", event.id, locale="fr", **DESK)
    device.expected = ("409",)
    event.start()
    page = ready(device.open(event.page("/desk")))
    page.click("[data-do=round-close]")
    page.wait_for_selector("#told.bad")
    assert not event.now.current_round.closed


def test_a_scribe_enters_results_and_does_nothing_else(devices: Any, event: Event) -> None:
    event.start()
    page = at_the_desk(devices, event, "scribe")
    told = page.eval_on_selector_all("main [data-do]", "all => all.map(each => each.dataset.do)")
    assert set(told) <= {"slip", "open-table", "round-check-in", "result-list"}
    told = tab(page, "players").eval_on_selector_all(
        "main [data-do]", "all => all.map(each => each.dataset.do)"
    )
    assert set(told) <= {"check-in", "invite", "more"}
    page.locator("[data-do=more]").first.click()
    assert page.locator("dialog [data-of]").all_inner_texts() == ["Player code"]
    page.click("dialog [data-do=cancel]")
    tab(page, "round").click(".result-taps[data-table='1'] [data-place=A]")
    page.wait_for_selector("li.done")


@pytest.mark.parametrize("role", [None, "spectator"])
def test_the_desk_is_not_for_everybody(devices: Any, event: Event, role: str | None) -> None:
    event.open_to_everybody()
    device = devices(role, event.id if role else "")
    device.expected = ("401", "403")
    assert device.open(event.page("/desk")).locator("body.page-problem").count() == 1


@pytest.mark.deep
def test_slips_of_the_desk_lead_to_their_tables(devices: Any, event: Event) -> None:
    device = devices("organiser", event.id, **DESK)
    page = tab(ready(device.open(event.page("/desk"))), "papers")
    link = page.get_attribute("#papers a:has-text('Slips')", "href")
    paper = device.context.request.get(f"{event.club.url}{link}").text()
    assert f"{event.club.url}/tournaments/{event.id}/r1/t2" in paper


@pytest.mark.deep
@pytest.mark.parametrize(("size", "lang", "scheme"), [(DESK, "en", "light"), (PHONE, "fr", "dark")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    devices: Any, event: Event, axe: str, size: Any, lang: str, scheme: str
) -> None:
    look = {"bypass_csp": True, "locale": lang, "color_scheme": scheme, **size}
    page = at_the_desk(devices, event, **look)
    found = violations(page, axe)
    event.start()
    page.wait_for_selector(".result-taps")
    too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert ["too wide"] * too_wide + found + violations(page, axe) == []


class Forms:
    """The forms of a desk, each filled in and answered."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def fill(self, told: str = "good", **fields: str) -> None:
        for name, value in fields.items():
            field = self.page.locator(f"dialog [name={name}]")
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.evaluate("document.getElementById('told').hidden = true")
        self.page.click("dialog button.main")
        self.page.wait_for_selector(f"#told.{told}:not([hidden])")

    def of(self, player: str, what: str, **fields: str) -> None:
        tab(self.page, "players").click(f"[data-do=more][data-player={player}]")
        self.page.click(f"dialog [data-of={what}]")
        self.fill(**fields)

    def more(self, what: str) -> None:
        tap(self.page, what)

    def finals(self, places: int, *, lot: bool = False) -> str:
        """What is shown before they begin."""
        tab(self.page, "finals").fill("#places", str(places))
        self.page.select_option("#style", "knockout")
        self.page.set_checked("#by-lot", lot)
        self.page.click("#finals button")
        return str(self.page.locator("dialog .why").inner_text())


@pytest.mark.deep
def test_the_smaller_things_of_a_desk_are_one_form_each(club: Club, devices: Any) -> None:
    event = new_event(club, ["Ana", "Bo", "Cleo", "Dan", "Bob"])
    ana, bo, bob = (event.player(name) for name in ("Ana", "Bo", "Bob"))
    page = at_the_desk(devices, event)
    forms = Forms(page)

    forms.of(ana, "edit", club="North", rating="1500", seed="1")
    forms.of(ana, "edit", club="", seed="0", last_name="Ana", federation="fra", licence="123")
    forms.of(bo, "merge", other=bob, reason="registered twice")
    forms.of(bo, "bye", round="1", counts="half_bye")
    forms.of(ana, "penalise", points="0.5", reason="late")
    tap(page, "penalty-cancel")
    page.click("dialog button.main")
    assert page.locator("dialog[open]").count() == 1  # nothing is cancelled without a reason
    forms.fill(reason="the bus was late")
    known = event.now.players[ana]
    assert (known.club, known.rating, known.seed) == ("", 1500, None)
    kept = club.store_context.people.details([ana])[ana]
    assert kept == PersonDetails(last_name="Ana", federation="FRA", licence="123")
    assert bob not in event.now.players
    assert event.now.players[bo].away == {1: "half_bye"}
    assert [(p.halves, p.cancelled) for p in event.now.penalties] == [(1, "the bus was late")]
    press(page, "pair")
    forms.more("move")
    forms.fill(moves="1:7")
    assert [table.number for table in event.now.current_round.draw.tables] == [7]
    press(page, "start")
    forms.more("result-list")
    forms.fill(lines="7 A B")
    forms.more("check")
    page.wait_for_selector("dialog .why >> text=one round recomputed")
    page.click("dialog [data-do=cancel]")
    press(page, "round-close")
    forms.more("lot")
    for player in (ana, bo):
        page.check(f"dialog input[value={player}]")
    forms.fill(reason="level")
    drawn = [told.event for told in event.hosted.told if isinstance(told.event, LotDrawn)]
    assert [lot.seed is None for lot in drawn] == [False]
    forms.more("reading")
    forms.fill(reason="as the rulebook says")
    assert len(event.now.rulings) == 1


@pytest.mark.deep
def test_who_comes_late_and_who_plays_on_is_one_form_each(club: Club, devices: Any) -> None:
    timed = TimeRule(minutes=40, on_time="judge")
    event = new_event(club, ["Ana", "Bo", "Cleo", "Dan", "Eva"], time=timed)
    event.register(["Gil", "Hal"], here=False)
    here = [event.player(name) for name in ("Ana", "Bo", "Cleo", "Dan")]
    eva, gil, hal = (event.player(name) for name in ("Eva", "Gil", "Hal"))
    device = devices("organiser", event.id, **DESK)
    device.expected = ("409",)
    page = ready(device.open(event.page("/desk")))
    forms = Forms(page)

    forms.of(hal, "unregister")
    assert hal not in event.now.players
    forms.more("round-check-in")
    for player in here:
        page.check(f"dialog input[value={player}]")
    forms.fill()
    forms.more("round-check-in")
    assert page.locator("dialog input:disabled:checked").count() == len(here)
    page.click("dialog [data-do=cancel]")
    assert event.now.checked_in == {1: frozenset(here)}
    event.pair()
    press(page, "start-clock")
    forms.more("clock-extend")
    forms.fill(minutes_more="5", table="1")
    page.wait_for_selector("li.open >> text=45 minutes in all")
    page.click(".result-taps[data-table='1'] [data-do=slip]")
    forms.fill("bad", slip="A=B A=3 B=9")
    page.click("#told [data-anyway]")
    page.wait_for_selector("li.done")
    event.result(2, "A=B")
    event.close_round()

    tab(page, "players").click(f"[data-do=late][data-player={gil}]")
    forms.fill(missed="half_bye")
    assert event.now.players[gil].away[1] == "half_bye"
    page.fill("#names", "Ina; North; 1500")
    page.click("#register button")
    page.wait_for_selector("#players li:has-text('Ina'):has-text('present')")
    ina = event.now.players[event.player("Ina")]
    assert (ina.club, ina.rating, ina.away) == ("North", 1500, {1: "zero_bye"})
    listed = "Nom;Prénom\r\nŁoś;Zoé\r\n".encode("utf-16-le")
    file = {"name": "club.csv", "mimeType": "text/csv", "buffer": listed}
    page.set_input_files("#player-file", [file])
    page.wait_for_selector("#players li:has-text('Zoé Łoś')")

    assert "finals now end them" in forms.finals(2)
    page.click("dialog button.main")
    assert page.locator("dialog[open]").count() == 1  # rounds are to come: not without a reason
    page.click("dialog [data-do=cancel]")
    forms.more("revise")
    forms.fill(rounds="1", reason="the hall closes early")
    assert "tied at the cut" in forms.finals(2)
    forms.fill("bad")
    assert event.now.finals is None
    assert "tied at the cut" in forms.finals(2, lot=True)
    forms.fill()
    drawn = [told.event for told in event.hosted.told if isinstance(told.event, LotDrawn)]
    assert drawn
    assert all(lot.seed is not None for lot in drawn)
    assert event.now.finals is not None
    first = event.now.finals.players[0]
    tap(page, "finalist")
    forms.fill(name=first, substitute=eva, reason="the last train")
    assert event.now.finals.players[0] == eva
    tap(page, "finals-cancel")
    forms.fill(reason="the hall is locked")
    assert event.now.finals is None
    press(page, "close")
    tap(page, "reopen")
    forms.fill(reason="a slip was found")
    assert not event.now.closed


@pytest.mark.deep
def test_what_somebody_has_begun_stays_while_others_go_on(club: Club, devices: Any) -> None:
    names = [f"Player {number}" for number in range(1, 9)]
    plan = {**dict(usual_plan("broom_service", "pods", 2)), "tie_breaks": ("PTS", "FIRSTS", "LOT")}
    event = new_event(club, names, **plan)
    event.pair()
    event.start()
    page = at_the_desk(devices, event)
    taps = page.locator(".result-taps[data-table='1']")
    taps.locator("[data-place=C]").click()
    taps.locator("[data-place=A]").click()
    page.focus("[data-do=check]")
    event.result(2, "D", "B", "A", "C")
    page.wait_for_selector("li.done")
    assert page.locator("[data-do=check]").is_visible()
    assert page.evaluate("document.activeElement.dataset.do") == "check"
    for seat in "BD":
        taps.locator(f"[data-place={seat}]").click()
    page.wait_for_selector("#told.good:not([hidden])")
    entered = event.now.current_round.result(1)
    assert entered is not None
    assert entered.outcome.places == (2, 3, 1, 4)


def test_points_that_are_being_typed_stay_at_their_table(club: Club, devices: Any) -> None:
    names = [f"Player {number}" for number in range(1, 9)]
    event = new_event(club, names, **dict(usual_plan("broom_service", "pods", 2)))
    event.pair()
    event.start()
    page = at_the_desk(devices, event)
    page.fill(".result-taps[data-table='1'] [name=A]", "31")
    page.fill(".result-taps[data-table='2'] [name=A]", "17")
    event.result(1, "A=40", "B=30", "C=20", "D=10")
    page.wait_for_selector("li.done")
    typed = page.eval_on_selector_all(".result-taps input", "all => all.map(each => each.value)")
    assert typed == ["17", "", "", ""]


def in_view(page: Any, selector: str) -> bool:
    box = page.locator(selector).bounding_box()
    return bool(box) and box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


@pytest.mark.parametrize("kind", [DESK, PHONE])
def test_a_result_that_nobody_answers_is_told_in_view_and_sent_later(
    club: Club, devices: Any, kind: dict[str, Any]
) -> None:
    event = new_event(club, [f"Player {number}" for number in range(40)])
    event.pair()
    event.start()
    page = at_the_desk(devices, event, expected="502", **kind)
    away = "**/api/v1/tournaments/**/result"
    page.route(away, lambda route: route.fulfill(status=502, body="nobody"))
    last = page.locator(".desk-tables li[data-number='20']")
    last.scroll_into_view_if_needed()
    last.locator("[data-place=B]").click()
    page.wait_for_selector("li.unsent")
    assert in_view(page, "#told")
    assert in_view(page, "li.unsent")
    page.reload()
    ready(page)
    page.wait_for_selector("li.unsent")
    page.unroute(away)
    page.wait_for_selector("li[data-number='20'].done")
    assert event.now.current_round.result(20).outcome.places == (2, 1)  # type: ignore[union-attr]


def test_a_whole_round_is_entered_by_keys(club: Club, devices: Any) -> None:
    event = new_event(club, [f"Player {number}" for number in range(8)])
    event.pair()
    event.start()
    page = at_the_desk(devices, event)
    page.keyboard.press("/")
    page.keyboard.type("2")
    assert [
        row.get_attribute("data-number") for row in page.locator(".desk-tables > li:visible").all()
    ] == ["2"]
    page.keyboard.press("Enter")
    for table, key in ((2, "a"), (3, "b"), (4, "="), (1, "a")):
        page.keyboard.press(key)
        page.wait_for_selector(f"li[data-number='{table}'].done")
    found = {table: event.now.current_round.result(table) for table in range(1, 5)}
    places = {table: each.outcome.places for table, each in found.items() if each}
    assert places == {1: (1, 2), 2: (1, 2), 3: (2, 1), 4: (1, 1)}


def test_a_desk_that_corrects_what_another_has_corrected_is_told(
    devices: Any, event: Event
) -> None:
    event.start()
    event.result(1, "A", "B")
    page = at_the_desk(devices, event, expected="409")
    page.click("li[data-number='1'] [data-do=slip]")
    assert "won" in page.locator("dialog").inner_text()
    results.correct_result(event.desk, event.id, 1, Slip(["A=B"]), "the judge says so")
    page.fill("dialog [name=slip]", "B A")
    page.fill("dialog [name=reason]", "misread")
    page.click("dialog button.main")
    page.wait_for_selector("#told.bad:not([hidden])")
    assert event.now.current_round.result(1).outcome.places == (1, 1)  # type: ignore[union-attr]


def test_a_latecomer_is_seated_with_who_has_the_bye(club: Club, devices: Any) -> None:
    event = new_event(club, ["Ana", "Bo", "Cleo"])
    event.pair()
    event.start()
    players.come_late(event.desk, event.id, "Yvon", new=True)
    page = at_the_desk(devices, event)
    page.click("[data-do=repair]")
    (alone,) = event.now.current_round.draw.byes
    late = event.player("Yvon")
    for player in (alone, late):
        page.click(f".pick[data-player={player}]")
    assert page.locator(".repair [data-do=swap]").is_disabled()
    page.click(".repair [data-do=seat]")
    page.click("dialog button.main")
    page.wait_for_selector("#told.good")
    assert {alone, late} in [set(table.seats) for table in event.now.current_round.draw.tables]


def test_who_did_not_come_is_asked_about_before_the_next_round(devices: Any, event: Event) -> None:
    event.start()
    results.enter_result(event.desk, event.id, 1, Slip(["A"], absent=["B"]), "")
    event.result(2, "A", "B")
    event.close_round()
    missing = event.now.current_round.table(1).seats[1]
    page = at_the_desk(devices, event)
    page.click("[data-do=pair]")
    page.check(f"dialog [value={missing}]")
    page.click("dialog button.main")
    page.wait_for_selector("#round.paired")
    assert event.now.players[missing].status == "dropped"
    assert missing not in event.now.current_round.draw.players


def test_the_next_of_the_standings_is_the_first_substitute(club: Club, devices: Any) -> None:
    event = new_event(club, [f"Player {number}" for number in range(8)])
    for _ in range(2):
        event.pair()
        event.start()
        for table in event.now.current_round.draw.tables:
            event.result(table.number, "A", "B")
        event.close_round()
    standings.finals(event.desk, event.id, 4, style="knockout", lot=1)
    finals = event.now.finals
    assert finals is not None
    page = at_the_desk(devices, event)
    tap(page, "finalist")
    offered = page.locator("dialog [name=substitute] option").all_inner_texts()
    outside = [row for row in ranked_players(event.now).rows if row.player not in finals.players]
    names = {p.player: p.name for p in players.players(event.desk, event.id).data.players}
    assert offered == [f"{row.rank}. {names[row.player]}" for row in outside]
    playing = page.locator("dialog [name=name] option").all_inner_texts()
    assert playing == [f"{at}. {names[each]}" for at, each in enumerate(finals.players, 1)]
    seed = finals.players.index(page.input_value("dialog [name=name]")) + 1
    page.fill("dialog [name=reason]", "ill")
    page.click("dialog button.main")
    page.wait_for_selector("#told.good")
    assert f"has seed {seed}," in page.locator("#told").inner_text()


def test_a_double_elimination_is_run_from_the_desk(club: Club, devices: Any) -> None:
    """Seeds by number before it begins; then rounds, until somebody has won."""
    event = new_event(club, ["Ana", "Bo", "Cleo", "Dan"], format=DoubleElimination())
    dan = event.player("Dan")
    page = at_the_desk(devices, event)
    tap(page, "seed")
    Forms(page).fill(name=dan, to="1")
    seeded = "() => [...document.querySelectorAll('.bracket bdi')].map((each) => each.innerText)"
    waits(page, f"() => ({seeded})().join(' ') === 'Dan Cleo Ana Bo'")
    for number in range(1, 7):
        press(page, "pair")
        press(page, "start")
        for table in event.now.round(number).draw.tables:
            event.result(table.number, *("BA" if table.seats[1] == dan else "AB"))
        event.close_round()
        page = at_the_desk(devices, event)
        if not page.locator("main [data-do=pair]").count():
            break
    assert number == 4
    assert ranked_players(event.now).rows[0].player == dan


def test_the_best_get_byes_of_the_first_rounds_by_list(club: Club, devices: Any) -> None:
    event = new_event(club, ["Ana", "Bo", "Cleo", "Dan"])
    page = at_the_desk(devices, event)
    tap(page, "byes")
    for name in ("Ana", "Bo"):
        page.check(f"dialog input[value={event.player(name)}]")
    Forms(page).fill(first_rounds="1")
    away = {name: event.now.players[event.player(name)].away for name in ("Ana", "Bo", "Dan")}
    assert away == {"Ana": {1: "full_bye"}, "Bo": {1: "full_bye"}, "Dan": {}}


def test_a_list_of_players_is_narrowed_and_ordered(club: Club, devices: Any) -> None:
    """By what is still open of them, by section and club; and in the order that is asked for."""
    event = new_event(club, [f"Player {number:02}" for number in range(13)])
    late = [f"Émile {number}" for number in range(2)]
    rows = [
        PlayerRow(name=name, club="Nörd & Süd", rating=at, sections=("U14",))
        for at, name in enumerate(late)
    ]
    players.register(event.desk, event.id, rows)
    players.mark_fee(event.desk, event.id, [f"Player {number:02}" for number in range(12)])
    page = tab(at_the_desk(devices, event), "players")

    def shown(only: str, order: str) -> list[str]:
        page.select_option("[name=only]", label=only)
        page.select_option("[name=order]", label=order)
        with page.expect_navigation():
            page.click(".filters button")
        assert page.locator("[name=only] option:checked").inner_text() == only
        names: list[str] = page.locator("#players .who bdi:first-child").all_inner_texts()
        return [name for name in names if name[0] in "PÉ"]

    assert shown("Not checked in", "Ratings") == late[::-1]
    assert shown("Fee open", "Names") == [*late, "Player 12"]
    assert shown("Club Nörd & Süd", "Registration") == late
    assert shown("Section U14", "Seeds") == late[::-1]
    assert shown("Withdrawn", "Clubs") == []
    assert shown("All players", "Clubs")[:3] == [*late, "Player 00"]


def test_nothing_is_paired_after_the_last_round(club: Club, devices: Any) -> None:
    event = new_event(club, ["Ana", "Bo", "Cleo", "Dan"])
    for _ in range(2):
        event.pair()
        event.start()
        for table in event.now.current_round.draw.tables:
            event.result(table.number, "A", "B")
        event.close_round()
    page = at_the_desk(devices, event)
    assert not page.locator("[data-do=pair]").count()


def test_what_is_paired_anyway_is_the_draw_that_was_told(club: Club, devices: Any) -> None:
    """Ana must not meet anybody: whom she would meet is named, and is whom she then meets."""
    event = new_event(club, ["Ana", "Bo", "Cleo", "Dan", "Eve", "Flo"])
    ana = event.player("Ana")
    for player in event.now.players:
        if player != ana:
            apart.keep_apart(event.desk, event.id, [ana, player], reason="family")
    page = at_the_desk(devices, event, expected="409")
    with page.expect_response(lambda reply: reply.request.method == "POST") as refused:
        page.click("main [data-do=pair]")
    told = refused.value.json()
    page.wait_for_selector("#told.bad [data-anyway]")
    (pair,) = told["facts"]["pairs"]
    assert pair in page.locator("#told").inner_text()
    assert not event.now.rounds
    page.click("[data-anyway]")
    page.wait_for_selector("#told.good")
    round = event.now.current_round
    assert round.paired.seed == told["facts"]["seed"]
    met = [event.desk.name(player) for player in round.draw.table_of[ana].seats]
    assert set(met) == set(pair.split(" – "))


def test_an_organiser_sets_zones_and_a_call_says_whose_it_is(
    devices: Any, event: Event, axe: str
) -> None:
    page = at_the_desk(devices, event, **PHONE)
    forms = Forms(page)
    tap(page, "zones")
    forms.fill("bad", zones="Jo one to two")
    assert event.now.zones == ()
    tap(page, "zones")
    forms.fill(zones="Jo 1-20\nKim Lee = 1")
    page.locator("#zones").get_by_text("in several zones: 1 (Jo, Kim Lee)").wait_for()
    assert [(each.first, each.last) for each in event.now.zones] == [(1, 20), (1, 1)]
    press(page, "start")
    first = event.now.current_round.table(1).seats[0]
    player_reports.call_judge(event.desk, event.id, 1, player=first)
    page.locator("#waiting").get_by_text("zone of Jo, Kim Lee").wait_for()
    assert tab(page, "judging").locator("#tabs .count").inner_text().split()[0] == "1"
    assert not violations(page, axe)
    judges = ready(devices("judge", event.id, **PHONE).open("/judge"))
    judges.locator("#calls").get_by_text("zone of Jo, Kim Lee").wait_for()
    tap(page, "hall-set")
    forms.fill(rows="Front: 9, 1\nBack: 2")
    assert [row.tables for row in event.now.hall] == [(9, 1), (2,)]
    lit = page.locator(".hall-map td b")
    lit.first.wait_for()
    assert [each.inner_text().split() for each in lit.all()] == [["9"], ["1", "!"], ["2", "●"]]
    wall = devices("spectator", event.id, **DESK, reduced_motion="reduce")
    shown = ready(wall.open(event.page("/wall?show=map")))
    assert shown.locator("td.disputed b").inner_text().split() == ["1", "!"]
    event.result(2, "A", "B")
    shown.locator("td.done", has_text="2").wait_for()
    page.locator("td.done", has_text="2").wait_for()
    assert not violations(page, axe)
    page.goto(f"{event.club.url}{event.page('/map')}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".hall-map").get_by_role("link", name="waiting for a judge").click()
    page.wait_for_url("**/r1/t1")


def test_a_repeated_infringement_is_told_and_its_step_taken_by_a_press(
    devices: Any, event: Event, axe: str
) -> None:
    page = at_the_desk(devices, event, "judge", **PHONE)
    forms = Forms(page)
    ana = event.player("Ana")

    def penalise(**fields: str) -> Any:
        tab(page, "players").click(f"[data-do=more][data-player={ana}]")
        page.click("dialog [data-of=penalise]")
        page.wait_for_selector("dialog [data-take]")
        for name, value in fields.items():
            page.fill(f"dialog [name={name}]", value)
        page.locator("dialog [name=reason]").blur()
        return page.locator("dialog .why")

    penalise(infringement="late", reason="five minutes")
    page.click("dialog [data-take]")
    forms.fill()
    told = penalise(infringement="Late", reason="ten minutes")
    told.get_by_text("in round 1: warning").wait_for()
    assert page.locator("dialog [name=level]").input_value() == ""  # proposed, not chosen
    page.click("dialog [data-take]")
    assert not violations(page, axe)
    forms.fill()
    assert [each.level for each in event.now.penalties] == ["warning", "serious"]
    assert {each.infringement for each in event.now.penalties} == {"late", "Late"}


@pytest.mark.parametrize("width", [1280, 820, 390])
def test_a_row_of_the_desk_shows_all_of_itself(club: Club, devices: Any, width: int) -> None:
    """Nothing is cut off, names stand below each other, a reported winner is marked."""
    event = new_event(club, ["Ana Martin", "Bo Dubois", "Cleo Moreau", "Dan Li", "Eva", "Finn Ng"])
    event.pair()
    event.start()
    event.report(1, "A", "B")
    event.result(2, "A", "B")
    for language in ("en", "fr"):
        screen = {"viewport": {"width": width, "height": 900}, "locale": language}
        page = ready(devices("organiser", **screen).open(event.page("/desk")))
        told = page.locator(".desk-tables :is(button, .how, bdi, a)")
        cut = "all => all.filter((each) => each.getBoundingClientRect().right > innerWidth"
        cut += " || each.scrollWidth > each.clientWidth + 1 && each.clientWidth)"
        assert told.evaluate_all(f"{cut}.map((each) => each.textContent)") == []
        assert page.locator(".claimed").all_inner_texts() == [
            page.locator("li[data-number='1'] [data-place=A]").inner_text()
        ]
        firsts = page.locator(".desk-tables li.open [data-place=B]").all()
        assert len({box["x"] for each in firsts if (box := each.bounding_box())}) == 1


def lines_of_the_bar(page: Any) -> float:
    return float(
        page.locator("#told > span").evaluate(
            "each => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)"
        )
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_the_bar_says_three_lines_and_lists_come_before_forms(
    club: Club, devices: Any, width: int
) -> None:
    """However large the hall: what is long stands on the page, and the way on stays in view."""
    event = new_event(club, [f"Player {number} who came from far" for number in range(12)])
    phone = width < 1000
    kind = {"viewport": {"width": width, "height": 844}, "has_touch": phone, "is_mobile": phone}
    page = at_the_desk(devices, event, expected="409", **kind)
    for what, state in (("pair", "paired"), ("start", "started")):
        press(page, what)
        assert lines_of_the_bar(page) < 3.1
        first = page.locator(f"#round.{state} .desk-tables > li").first
        first.wait_for()
        assert first.bounding_box()["y"] < 844 * 2 / 3
    forms = Forms(page)
    tap(page, "result-list")
    forms.fill(lines="\n".join(f"{table} A B" for table in range(1, 6)))
    assert page.locator("#told > span").inner_text() == "5 results recorded, round 1."
    event.result(6, "A", "B")
    press(page, "round-close")
    apart.keep_apart(event.desk, event.id, [*event.now.players], reason="they know each other")
    page.click("main [data-do=pair]")
    page.wait_for_selector("#told.bad [data-anyway]")
    assert len(page.locator("#told > span").inner_text()) > 300
    assert lines_of_the_bar(page) < 3.1
    assert in_view(page, "#told [data-anyway]")
    tab(page, "players")
    listed, form = (page.locator(each).bounding_box() for each in ("#players", "#register"))
    assert form["y"] > listed["y"] if phone else form["x"] > listed["x"]
    assert in_view(page, "[data-do=invite]")
    assert page.locator("a[href='#register']").is_visible() == phone
    assert fits(page)


@pytest.mark.deep
def test_no_tab_of_a_big_event_is_higher_than_three_screens(club: Club, devices: Any) -> None:
    """256 players: lists are read part by part, and the last table is found by its number."""
    event = new_event(club)
    players.register(
        event.desk,
        event.id,
        [
            PlayerRow(name=f"Player {number} of many", club=f"Club of Valley {number}", rating=1500)
            for number in range(256)
        ],
    )
    players.check_in(event.desk, event.id, everybody=True)
    event.pair()
    event.start()
    event.report(3, "A", "B")
    lines = "\n".join(f"{table} A B" for table in range(4, 100))
    results.enter_list(event.desk, event.id, lines)
    screen = {"viewport": {"width": 1280, "height": 900}, "locale": "fr"}
    page = ready(devices("organiser", event.id, **screen).open(event.page("/desk")))
    heights = {}
    for name in page.locator("#tabs a").evaluate_all("all => all.map((each) => each.dataset.tab)"):
        heights[name] = tab(page, name).evaluate("document.documentElement.scrollHeight")
    assert {name: height for name, height in heights.items() if height > 2700} == {}
    listed, form = (
        tab(page, "players").locator(each).bounding_box() for each in ("#players", "#register")
    )
    assert listed["x"] + listed["width"] <= form["x"]  # beside the list
    assert max(listed["y"], form["y"]) < 300
    tab(page, "round")
    page.keyboard.press("/")
    page.keyboard.type("128")
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    page.wait_for_selector("li[data-number='128'].done", state="attached")
    assert page.locator("#entered li >> text=table 128").first.is_visible()
