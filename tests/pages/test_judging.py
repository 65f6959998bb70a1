"""The judge's pages: calls as they come, and a ruling in three taps and a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from answers.context import Caller
from answers.judge import disputes
from answers.judge.rulings import rule
from answers.play.actions import log
from answers.play.corrections import undo
from answers.play.lifecycle import hold
from answers.tournament import player_reports
from referee.judging.rulings import Decision
from referee.table.author import Author
from referee.tournament.plan import PenaltyLevel
from tests.answers.conftest import SETUP
from tests.pages.club import DESK, PHONE, TABLET, Club, ready, violations
from tests.pages.event import new_event
from tests.pages.player import data_of, logged
from tests.pages.scenes import sample_lines

pytestmark = pytest.mark.xdist_group("pages judging")
SEAT = Author("pb", "seat:B")
HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.fixture
def game(club: Club) -> str:
    return club.table("benevolent", "A=blue B=red first A", SETUP, A="Ana", B="<b>Bo</b>")


def irregular(club: Club, game: str) -> None:
    """Somebody steps where nobody may, and it stands: the record calls for a judge itself."""
    assert log(Caller(club.store_context), game, ["step c3"], stands=True).outcome == "done"


def object_to(club: Club, game: str, number: int, text: str) -> None:
    disputes.dispute(Caller(club.store_context, SEAT), game, number, text=text)


def waiting(page: Any) -> list[str]:
    return page.eval_on_selector_all("#calls a", "all => all.map(a => a.getAttribute('href'))")


def test_calls_come_live_the_oldest_first(club: Club, devices: Any, game: str) -> None:
    page = devices("judge").open("/judge")
    page.wait_for_selector("body[data-ready]")
    assert waiting(page) == []
    irregular(club, game)
    page.wait_for_selector("#calls a")
    other = club.table("benevolent", "A=blue B=red first A", SETUP, A="Cy", B="Di")
    object_to(club, other, 1, "<script>alert(1)</script>")
    page.wait_for_selector("#calls li:nth-child(2) a")
    assert waiting(page) == [f"/games/{game}/disputes/d1", f"/games/{other}/disputes/d1"]
    assert page.title().startswith("(2) ")
    assert "<script>alert(1)</script>" in page.locator("#calls").inner_text()


@pytest.mark.deep
def test_a_stream_that_was_refused_for_a_while_is_asked_for_again(
    club: Club, devices: Any, game: str
) -> None:
    device = devices("judge")
    device.expected = ("503",)
    device.context.route("**/api/v1/events*", lambda route: route.fulfill(status=503))
    page = device.open("/judge")
    page.wait_for_selector("#state >> text=/./")
    device.context.unroute("**/api/v1/events*")
    irregular(club, game)
    page.wait_for_selector("#calls a")


@pytest.mark.deep
def test_a_game_that_is_held_waits_too(club: Club, devices: Any, game: str) -> None:
    hold(Caller(club.store_context), game, reason="a phone rang")
    page = devices("judge").open("/judge")
    assert waiting(page) == [f"/games/{game}/watch"]


def test_a_table_calls_a_judge_rules_from_a_phone_and_everybody_reads_it(
    club: Club, devices: Any, game: str
) -> None:
    judge = ready(devices("judge", **PHONE).open("/judge"))
    table = ready(devices("scribe", game, **TABLET).open(f"/games/{game}"))
    seat = ready(devices("seat:B", game, **PHONE).open(f"/games/{game}/seat"))
    spectator = ready(devices("spectator", game, **PHONE).open(f"/games/{game}/watch"))
    everybody = (table, seat, spectator)
    irregular(club, game)
    count = len(club.lines(game))
    disputes.withdraw_dispute(Caller(club.store_context, Author("pjudge", "judge")), game, "d1")
    logged(table, club.store_context.bench.game(game).version)

    table.tap("#tools [data-do=dispute]")
    table.fill("#dispute-text", HOSTILE)
    table.tap("dialog [data-do=send]")
    for page in everybody:
        page.wait_for_selector("#notices >> text=d2")

    judge.wait_for_selector("#calls a")
    assert HOSTILE in judge.locator("#calls").inner_text()
    judge.tap("#calls a")
    ready(judge)
    judge.tap("label.remedy:has([value=taken_back])")
    judge.fill("#reason", f"Too far. {HOSTILE}")
    judge.tap("#rule")
    judge.wait_for_selector(".notice.good")

    for page in everybody:
        page.wait_for_selector("#notices .decided")
        told = page.locator("#notices").inner_text()
        assert f"Too far. {HOSTILE}" in told
        assert "waits" not in told
    assert len(club.lines(game)) == count - 1
    log(Caller(club.store_context), game, [next(iter(data_of(table)["lines"]))])
    for page in everybody:
        page.wait_for_selector("#notices .decided", state="detached")


def test_a_penalty_of_the_event_s_guide_is_chosen_and_counts(club: Club, devices: Any) -> None:
    guide = (PenaltyLevel(name="warning"), PenaltyLevel(name="second warning", halves=1))
    event = new_event(club, ["Ana", "Bo"], penalties=guide, presets={})
    event.pair()
    event.start()
    game = event.open_table(1)
    assert log(Caller(club.store_context), game, SETUP).outcome == "done"
    irregular(club, game)
    page = ready(devices("judge", **PHONE).open(f"/games/{game}/disputes/d1"))
    page.tap("label.remedy:has([value=penalty])")
    assert "−0.5" in page.locator("label.remedy", has_text="second warning").inner_text()
    page.tap("label.remedy:has([value='second warning'])")
    seat = page.input_value("[name=seat]:checked")
    page.fill("#reason", "again")
    page.tap("#rule")
    page.wait_for_selector(".notice.good")
    (given,) = event.now.penalties
    assert (given.halves, given.reason) == (1, "second warning: again")

    object_to(club, game, 6, "too far")
    page.goto(f"{club.url}/games/{game}/disputes/d2")
    ready(page)
    assert not page.is_visible("#before")
    page.tap("label.remedy:has([value=penalty])")
    page.tap(f"label.remedy:has([name=seat][value={seat}])")
    page.wait_for_selector("#before >> text=other penalties")
    assert "round 1" in page.locator("#before").inner_text()
    page.fill("#reason", "Again")
    page.locator("#reason").blur()
    page.wait_for_selector("#before >> text=second warning")
    page.tap("#before [data-take]")
    assert page.is_checked("[name=level][value='second warning']")
    other = "A" if seat == "B" else "B"
    page.tap(f"label.remedy:has([name=seat][value={other}])")
    page.wait_for_selector("#before >> text=has no penalty for this so far")
    desk = devices("organiser").open(event.page("/judging"))
    assert "second warning: again" in desk.locator("#penalties").inner_text()
    rules = devices("organiser").open(event.page("/rules")).locator("#rules").inner_text()
    assert "second warning (−0.5)" in rules


def test_decisions_do_not_pile_up_above_the_board(club: Club, devices: Any, game: str) -> None:
    judge = Caller(club.store_context, Author("pjudge", "judge"))
    irregular(club, game)
    for count in range(1, 4):
        overturns = f"r{count - 1}" if count > 1 else None
        decided = Decision(f"reason {count}", remedy="stands", dispute="d1", overturns=overturns)
        rule(judge, game, decided)
    page = ready(devices("seat:B", game, **PHONE).open(f"/games/{game}/seat"))
    assert "reason 3" in page.locator("#decided").inner_text()
    assert not page.is_visible("#decided >> text=reason 2")
    page.tap("#decided summary")
    page.wait_for_selector("#decided >> text=reason 1")
    page.tap("#decided [data-do=read]")
    page.wait_for_selector("#decided", state="hidden")
    page.reload()
    ready(page)
    assert not page.is_visible("#decided")
    rule(judge, game, Decision("reason 4", remedy="stands", dispute="d1", overturns="r3"))
    page.wait_for_selector("#decided >> text=reason 4")


def test_a_ruling_is_three_taps_and_a_sentence(club: Club, devices: Any, game: str) -> None:
    irregular(club, game)
    page = devices("judge", **PHONE).open("/judge")
    page.click("#calls a")
    page.wait_for_selector("body[data-ready]")
    assert "BEN-" in page.locator(".why").first.inner_text()
    taken_back = page.locator("label.remedy", has=page.locator("[value=taken_back]"))
    assert "Undoes" in taken_back.inner_text()
    taken_back.click()
    page.fill("#reason", "Too far: the pawn goes back.")
    before = len(club.lines(game))
    page.click("#rule")
    page.wait_for_selector(".notice.good")
    assert len(club.lines(game)) == before - 1
    (ruling,) = club.store_context.bench.game(game).rulings.values()
    assert (ruling.remedy, ruling.reason) == ("taken_back", "Too far: the pawn goes back.")
    assert waiting(devices("judge").open("/judge")) == []


def test_a_penalty_is_three_taps_and_a_sentence(club: Club, devices: Any, game: str) -> None:
    irregular(club, game)
    page = devices("judge", **PHONE).open("/judge")
    page.click("#calls a")
    page.wait_for_selector("body[data-ready]")
    page.click("label.remedy:has([value=penalty])")
    page.fill("#reason", "Careless twice.")
    page.click("#rule")
    page.wait_for_selector(".notice.good")
    (penalty,) = club.store_context.bench.game(game).penalties.values()
    assert (penalty.seat, penalty.level) == ("A", "warning")


@pytest.mark.deep
def test_an_appeal_begins_where_calls_come_in(club: Club, devices: Any, game: str) -> None:
    irregular(club, game)
    judge = Caller(club.store_context, Author("pjudge", "judge"))
    rule(judge, game, Decision(f"harmless {HOSTILE}", remedy="stands", dispute="d1"))
    page = devices("judge", **PHONE).open("/judge")
    assert HOSTILE in page.locator("#decided").inner_text()
    page.click("#decided a")
    page.wait_for_selector("body[data-ready]")
    page.click("label.remedy:has([value=taken_back])")
    page.fill("#reason", "On appeal it goes back.")
    page.click("#rule")
    page.wait_for_selector("#ruling[data-overturns=r2]")
    assert club.store_context.bench.game(game).rulings["r2"].overturns == "r1"


@pytest.mark.deep
def test_a_reading_is_settled_for_the_whole_event_in_three_taps(club: Club, devices: Any) -> None:
    event = new_event(club, ["Ana", "Bo"])
    event.pair()
    event.start()
    table = event.open_table(1)
    log(Caller(club.store_context), table, sample_lines("benevolent")[1][:4])
    object_to(club, table, 4, "That is not what it says.")
    page = devices("judge", **PHONE).open("/judge")
    page.click("#calls a")
    page.wait_for_selector("body[data-ready]")
    page.locator("label.remedy:has([name=fixed])").last.click()
    page.fill("#reason", "So it is read at this event.")
    page.click("#rule-all")
    page.wait_for_selector(".notice.good")
    (ruling,) = club.store_context.bench.game(table).rulings.values()
    assert (ruling.scope, len(ruling.readings)) == ("tournament", 1)


def test_a_judge_of_an_event_has_its_calls_live_answers_them_and_finds_what_was_settled(
    club: Club, devices: Any, game: str
) -> None:
    irregular(club, game)  # at a table that is not theirs
    event = new_event(club, ["Ana", "Bo"])
    event.pair()
    event.start()
    table = event.open_table(1)
    judge = Author("pjudge", "judge")
    log(Caller(club.store_context), table, sample_lines("benevolent")[1][:4])
    object_to(club, table, 4, "That is not what it says.")
    rule(
        Caller(club.store_context, judge), table, Decision("It is.", remedy="stands", dispute="d1")
    )

    page = ready(devices("judge", event.id, **PHONE).open("/judge"))
    assert (waiting(page), page.locator("#decided a").count()) == ([], 1)
    object_to(club, table, 4, "It is not!")
    page.wait_for_selector("#calls li:nth-child(1) a")
    seats = event.now.current_round.table(1).seats
    for player in seats:
        player_reports.call_judge(
            Caller(club.store_context, Author(player, "player")), event.id, 1, HOSTILE
        )
    page.wait_for_selector("#calls li:nth-child(3) a")
    there = event.page("/r1/t1")
    assert waiting(page) == [f"/games/{table}/disputes/d2", there, there]
    assert HOSTILE in page.locator("#calls").inner_text()
    page.fill("#calls li:nth-child(3) input", "later")
    page.fill("#calls li:nth-child(2) input", "the younger one begins")
    page.tap("#calls li:nth-child(2) .answering button")
    page.wait_for_selector("#calls li:nth-child(3)", state="detached")
    assert page.input_value("#calls li:nth-child(2) input") == "later"
    assert [call.answered for call in event.now.calls] == ["the younger one begins", None]


@pytest.mark.deep
def test_a_correction_is_tried_before_it_is_ruled(club: Club, devices: Any, game: str) -> None:
    irregular(club, game)
    page = devices("judge", **DESK).open(f"/games/{game}/disputes/d1")
    assert page.locator("[value=corrected]").count() == 0
    page.fill("#correct", "step b1")
    page.click(".try button")
    page.wait_for_selector("[value=corrected]")
    corrected = page.locator("label.remedy", has=page.locator("[value=corrected]"))
    corrected.click()
    page.fill("#reason", "They agree that it was b1.")
    page.click("#rule")
    page.wait_for_selector(".notice.good")
    assert club.lines(game)[-1] == "A step b1"


def test_who_decides_on_an_old_page_is_asked_to_read_again(
    club: Club, devices: Any, game: str
) -> None:
    irregular(club, game)
    judge = devices("judge")
    judge.expected = ("409",)
    page = judge.open(f"/games/{game}/disputes/d1")
    page.wait_for_selector("body[data-ready]")
    object_to(club, game, 1, "and that")
    page.check("[value=stands]")
    page.fill("#reason", "It was harmless.")
    page.click("#rule")
    page.wait_for_selector("#answer:has-text('moved on')")
    assert not club.store_context.bench.game(game).rulings


@pytest.mark.parametrize("role", [None, "seat:A", "spectator", "scribe"])
def test_calls_are_for_judges(devices: Any, game: str, role: str | None) -> None:
    device = devices(role, game if role else "")
    device.expected = ("401", "403")
    assert device.open("/judge").locator("body.page-problem").count() == 1


@pytest.mark.deep
@pytest.mark.parametrize(("path", "size"), [("/judge", PHONE), ("/games/{game}/disputes/d1", DESK)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_people_with_other_senses(
    club: Club, devices: Any, game: str, axe: str, path: str, size: Any, scheme: str
) -> None:
    irregular(club, game)
    device = devices("judge", bypass_csp=True, color_scheme=scheme, **size)
    assert violations(device.open(path.format(game=game)), axe) == []


def test_two_judges_see_who_goes_where_and_since_when(club: Club, devices: Any, game: str) -> None:
    irregular(club, game)
    one = ready(devices("judge", **PHONE).open("/judge"))
    two = ready(devices("organiser", **PHONE).open("/judge"))
    seat = ready(devices("seat:B", game, **PHONE).open(f"/games/{game}/seat"))
    coming = seat.locator("#notices", has_text="A judge is on the way.")
    assert coming.count() == 0
    assert one.locator("#calls .waited").first.inner_text() == "0 min"
    one.tap(".attending button")
    two.wait_for_selector("#calls .taken")
    assert "Taken by" in two.locator("#calls").inner_text()
    coming.wait_for()
    one.wait_for_selector(".attending[data-off=yes]")
    one.tap(".attending button")
    two.wait_for_selector("#calls .taken", state="detached")
    coming.wait_for(state="detached")


def test_what_nobody_disputes_any_more_leaves_the_list_by_itself(
    club: Club, devices: Any, game: str
) -> None:
    irregular(club, game)
    page = ready(devices("judge", **PHONE).open("/judge"))
    page.wait_for_selector("#calls a")
    undo(Caller(club.store_context), game)
    page.wait_for_selector("#calls a", state="detached")
    assert waiting(page) == []
    page.goto(page.url.replace("/judge", f"/games/{game}/disputes/d1"))
    ready(page)
    assert "no longer counts" in page.locator(".notice:visible").first.inner_text()
    assert page.locator("#ruling").get_attribute("data-overturns") == ""


def test_what_an_appeal_previews_on_a_phone_is_what_the_players_then_see(
    club: Club, devices: Any, game: str
) -> None:
    irregular(club, game)
    before = club.lines(game)
    page = ready(devices("judge", **PHONE).open(f"/games/{game}/disputes/d1?correct=A+step+c2"))
    table = ready(devices("scribe", game, **TABLET).open(f"/games/{game}"))
    page.tap("label.remedy:has([value=corrected])")
    page.fill("#reason", "It was c2.")
    page.tap("#rule")
    page.wait_for_selector("#ruling[data-overturns=r1]")
    ready(page)
    assert club.lines(game) != before
    stands = page.locator("label.remedy", has=page.locator("[value=stands]"))
    number = club.store_context.bench.game(game).disputes["d1"].numbers[0]
    assert f"Counts again: #{number}" in stands.inner_text()
    stands.tap()
    page.fill("#reason", "c3 after all.")
    page.tap("#rule")
    page.wait_for_selector("#ruling[data-overturns=r2]")
    assert club.lines(game) == before
    table.wait_for_selector("#notices >> text=c3 after all.")
