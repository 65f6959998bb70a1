"""The judge's pages: calls as they come, and a ruling in three taps and a sentence."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from answers.context import Caller
from answers.judge import disputes
from answers.judge.rulings import rule
from answers.play.actions import log
from answers.play.corrections import undo
from answers.play.lifecycle import hold
from answers.tournament import player_reports
from engines.kernel.messages.errors import MessageError
from referee.judging.rulings import Decision
from referee.table.author import Author
from referee.tournament.plan import PenaltyLevel
from replays.gallery import samples
from tests.answers.conftest import SETUP
from tests.pages.club import DESK, PHONE, TABLET, Club, ready, violations
from tests.pages.event import new_event
from tests.pages.player import data_of, logged
from tests.pages.scenes import sample_lines
from tests.photos import jpeg

pytestmark = pytest.mark.xdist_group("pages judging")
SEAT = Author("pb", "seat:B")
SKETCHED = {**PHONE, "viewport": {"width": 390, "height": 844}}
HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.fixture
def game(club: Club) -> str:
    return club.table("benevolent", "A=blue B=red first A", SETUP, A="Ana", B="<b>Bo</b>")


def irregular(club: Club, game: str) -> None:
    """Somebody steps where nobody may, and it stands: the record calls for a judge itself."""
    assert log(Caller(club.store_context), game, ["step c3"], stands=True).outcome == "done"


def object_to(club: Club, game: str, number: int, text: str) -> None:
    disputes.dispute(Caller(club.store_context, SEAT), game, number, text=text)


def decide(page: Any, reason: str, remedy: str = "") -> None:
    """A remedy, and the ruling is asked about once: with its reason it is given."""
    if remedy:
        page.click(f"label.remedy:has([name=remedy][value={remedy}])")
    page.click("#rule")
    page.fill("#reason", reason)
    page.click("dialog [data-do=rule]")


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
    decide(judge, f"Too far. {HOSTILE}", "taken_back")
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
    decide(page, "again")
    page.wait_for_selector(".notice.good")
    (given,) = event.now.penalties
    assert (given.halves, given.reason) == (1, "second warning: again")

    object_to(club, game, 6, "too far")
    page.goto(f"{club.url}/games/{game}/disputes/d2")
    ready(page)
    page.tap("label.remedy:has([value=penalty])")
    page.tap(f"label.remedy:has([name=seat][value={seat}])")
    page.tap("#rule")
    page.wait_for_selector("#before >> text=other penalties")
    assert "round 1" in page.locator("#before").inner_text()
    page.fill("#reason", "Again")
    page.locator("#reason").blur()
    page.wait_for_selector("#before >> text=second warning")
    page.tap("#before [data-take]")
    assert page.is_checked("[name=level][value='second warning']")
    assert "second warning" in page.locator("#dialog-title").inner_text()
    page.tap("dialog [data-do=cancel]")
    other = "A" if seat == "B" else "B"
    page.tap(f"label.remedy:has([name=seat][value={other}])")
    page.tap("#rule")
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


def test_a_dispute_is_one_screen_of_a_phone_and_the_ruling_is_asked_about_once(
    club: Club, devices: Any, game: str
) -> None:
    irregular(club, game)
    object_to(club, game, 7, "That touches nothing.")
    page = devices("judge", **SKETCHED).open("/judge")
    assert waiting(page) == [f"/games/{game}/disputes/d1"], "one deed, one call"
    assert "That touches nothing." in page.locator("#calls").inner_text()
    page.click("#calls a")
    ready(page)
    card = page.locator(".clause-card").inner_text()
    assert "BEN-MOVE-3" in card
    assert "Mouvements" in card
    assert page.locator(".pics [data-moved]").count() == 1
    assert page.locator(".chip:visible").count() == 2
    rule = page.locator("#rule").bounding_box()
    assert rule["y"] + rule["height"] <= page.viewport_size["height"]
    assert not page.is_visible("#more .why")
    taken_back = page.locator("label.remedy", has=page.locator("[value=taken_back]"))
    assert "c3" in taken_back.inner_text()
    page.click("#rule")
    page.wait_for_selector("#answer:has-text('Choose a remedy')")
    before = len(club.lines(game))
    taken_back.click()
    page.click("#rule")
    assert "#7 Ana places a step on c3" in page.locator("#dialog-title").inner_text()
    page.click("dialog [data-do=rule]")
    assert len(club.lines(game)) == before, "a ruling has a reason"
    page.fill("#reason", "Too far: the pawn goes back.")
    page.click("dialog [data-do=rule]")
    page.wait_for_selector(".notice.good")
    assert len(club.lines(game)) == before - 1
    (ruling,) = club.store_context.bench.game(game).rulings.values()
    assert (ruling.remedy, ruling.reason) == ("taken_back", "Too far: the pawn goes back.")
    assert waiting(devices("judge").open("/judge")) == []


@pytest.mark.parametrize("engine", samples())
def test_a_dispute_is_one_screen_of_a_phone_in_every_game(
    club: Club, devices: Any, engine: str
) -> None:
    """Long names, long effects and many legal moves take no more room than there is."""
    opening, lines = sample_lines(engine)
    players = {"A": "Marie-Françoise de La Rochefoucauld", "B": "Jean-Christophe Vanderstraeten"}
    half = len(lines) // 2
    game = club.table(engine, opening, lines[:half], **players)
    scribe = Caller(club.store_context)
    for line in lines[half + 1 :]:
        with suppress(MessageError):
            log(scribe, game, [line], stands=True)
        if club.store_context.bench.game(game).disputes:
            break
    path = f"/games/{game}/disputes/d1"
    page = ready(devices("judge", locale="fr", **SKETCHED).open(path))
    rule = page.locator("#rule").bounding_box()
    assert rule["y"] + rule["height"] <= page.viewport_size["height"]
    assert page.locator(".large .remedy:visible").count() == 4
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for small in page.locator(".large .remedy:first-child small").all():
        assert small.is_visible()


def test_a_judge_photographs_the_place_in_dispute(club: Club, devices: Any, game: str) -> None:
    irregular(club, game)
    page = ready(devices("judge", **PHONE).open(f"/games/{game}/disputes/d1"))
    page.tap(".no-photo")
    shown = {"name": "c3.jpg", "mimeType": "image/jpeg", "buffer": jpeg(160, 120)}
    page.set_input_files("#photo-file", shown)
    page.fill("#photo-about", "c3")
    page.tap("[data-do=photo-send]")
    page.wait_for_selector(".evidence figcaption >> text=c3")
    decide(page, "As the picture shows.", "stands")
    page.wait_for_selector(".notice.good")


@pytest.mark.parametrize("somebody", [True, False])
def test_nobody_is_penalised_who_is_not_named(
    club: Club, devices: Any, game: str, somebody: bool
) -> None:
    """A move names whoever made it; a count of the table names nobody, and the judge must."""
    if somebody:
        irregular(club, game)
    else:
        object_to(club, game, 0, "the set-up is wrong")
    page = ready(devices("judge", **PHONE).open(f"/games/{game}/disputes/d1"))
    page.tap("label.remedy:has([value=penalty])")
    assert page.locator("[name=seat]:checked").count() == int(somebody)
    page.tap("#rule")
    if not somebody:
        page.wait_for_selector("#answer:has-text('who is penalised')")
        page.tap("label.remedy:has([name=seat][value=A])")
        page.tap("#rule")
    assert "Ana" in page.locator("#dialog-title").inner_text()
    page.fill("#reason", "Careless twice.")
    page.tap("dialog [data-do=rule]")
    page.wait_for_selector(".notice.good")
    (penalty,) = club.store_context.bench.game(game).penalties.values()
    assert (penalty.seat, penalty.level) == ("A", "warning")


def test_a_player_appeals_from_the_phone_and_the_ruling_stays_or_falls(
    club: Club, devices: Any, game: str
) -> None:
    irregular(club, game)
    judge = Caller(club.store_context, Author("pjudge", "judge"))
    moved = Decision("It was c2.", remedy="corrected", dispute="d1", lines=("A step c2",))
    rule(judge, game, moved)
    seat = ready(devices("seat:B", game, **PHONE).open(f"/games/{game}/seat"))
    assert "c2 instead of c3" in seat.locator("#decided").inner_text()
    for count, ending in ((2, "uphold"), (3, "stands")):
        seat.tap("#decided [data-do=appeal]")
        seat.fill("#dispute-text", "I saw c3.")
        seat.tap("dialog [data-do=send]")
        seat.wait_for_selector(f"#notices >> text=d{count}")
        page = ready(devices("judge", **PHONE).open(f"/games/{game}/disputes/d{count}"))
        assert "I saw c3." in page.locator(".said").inner_text()
        if ending == "uphold":
            page.tap(".appeal button")
        else:
            decide(page, "c3 after all.", ending)
        page.wait_for_selector(".notice.good")
        if ending == "uphold":
            seat.wait_for_selector("#decided [data-do=appeal]")
            assert club.lines(game)[-1] == "A step c2"
    assert club.lines(game)[-1] == "A step c3"
    assert club.store_context.bench.game(game).rulings["r2"].overturns == "r1"


@pytest.mark.deep
def test_an_appeal_begins_where_calls_come_in(club: Club, devices: Any, game: str) -> None:
    irregular(club, game)
    judge = Caller(club.store_context, Author("pjudge", "judge"))
    rule(judge, game, Decision(f"harmless {HOSTILE}", remedy="stands", dispute="d1"))
    page = devices("judge", **PHONE).open("/judge")
    assert HOSTILE in page.locator("#decided").inner_text()
    page.click("#decided a")
    page.wait_for_selector("body[data-ready]")
    decide(page, "On appeal it goes back.", "taken_back")
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
    page.click("a[href='#more']")
    page.locator("label.remedy:has([name=fixed])").last.click()
    page.click("label.remedy:has([name=everywhere])")
    decide(page, "So it is read at this event.")
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
    assert page.locator("[value=corrected]").is_disabled()
    page.click("a[href='#more']")
    page.fill("#correct", "step b1")
    page.click(".try button")
    page.wait_for_selector("[value=corrected]:checked")
    ready(page)
    decide(page, "They agree that it was b1.")
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
    decide(page, "It was harmless.", "stands")
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
    assert "nothing is left to decide" in page.locator(".notice:visible").first.inner_text()
    assert page.locator("#ruling").get_attribute("data-overturns") == ""


def test_what_an_appeal_previews_on_a_phone_is_what_the_players_then_see(
    club: Club, devices: Any, game: str
) -> None:
    irregular(club, game)
    before = club.lines(game)
    page = ready(devices("judge", **PHONE).open(f"/games/{game}/disputes/d1?correct=A+step+c2"))
    table = ready(devices("scribe", game, **TABLET).open(f"/games/{game}"))
    decide(page, "It was c2.")
    page.wait_for_selector("#ruling[data-overturns=r1]")
    ready(page)
    table.wait_for_selector("#notices >> text=c2 instead of c3")
    assert club.lines(game) != before
    stands = page.locator("label.remedy", has=page.locator("[value=stands]"))
    number = club.store_context.bench.game(game).disputes["d1"].numbers[0]
    assert f"Counts again: #{number}" in stands.inner_text()
    decide(page, "c3 after all.", "stands")
    page.wait_for_selector("#ruling[data-overturns=r2]")
    assert club.lines(game) == before
    table.wait_for_selector("#notices >> text=c3 after all.")
