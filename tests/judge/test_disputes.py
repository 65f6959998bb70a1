"""What calls for a judge by itself, who may call, and what lies before the judge."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.judge.disputes import withdraw_dispute
from answers.problems import kind_of
from engines.kernel import LANGUAGES, Finding, Language, Point, Verdict, evolve
from engines.kernel.registry import load_engine
from referee.cases.case_file import read_cases
from referee.cases.runner import run_case
from referee.errors import Conflicting, HeldUp, NotAllowed, NotFound
from referee.judging.case_export import case_of_ruling
from referee.judging.dispute_subject import as_it_stood, matter
from referee.judging.disputes import dispute, same_deed, withdraw
from referee.judging.rulings import Decision, issue, previews
from referee.proof.verify import verify
from referee.record.entries import DisputeClosed, Disputed, EntryData, Remedy, Ruled
from referee.record.fold import fold
from referee.record.game import Game
from referee.table.adjustments import declare_kit
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.automatic_disputes import Judged, calls_for_a_judge
from referee.table.bench import Bench
from referee.table.corrections import correct, undo
from referee.table.lifecycle import close
from referee.table.openings import open_game
from referee.table.play import log
from referee.tournament.default_plans import usual_plan
from referee.tournament.desk import Desk
from referee.tournament.events import CheckedIn, Registered, RoundStarted
from referee.untrusted.safe_toml import write_toml
from tests.record.random_tables import STEPS, Step, table_of, tried, with_toy


@pytest.fixture
def table(bench: Bench) -> str:
    return open_game(bench, "pebbles", "table A B first A").game.id


def raised(game: Game) -> list[tuple[str, tuple[int, ...], str | None]]:
    return [(d.cause, d.numbers, d.clause) for d in game.disputes.values()]


def logged(bench: Bench, table: str, *lines: str) -> None:
    for line in lines:
        assert log(bench, table, line).accepted


# raised by themselves


def test_a_correction_that_brings_a_proof_to_light_opens_a_dispute(
    bench: Bench, table: str
) -> None:
    logged(bench, table, "take 3", "take 2", "audit heap 7")
    assert bench.game(table).disputes == {}
    answer = correct(bench, table, 2, ["take 1"])
    assert raised(answer.game) == [("finding", (1, 4, 3), "PEB-AUDIT-1")]
    assert isinstance(answer.entries[-1].data, Disputed)
    correct(bench, table, 2 + 2, ["take 1"])
    assert [numbers for _, numbers, _ in raised(bench.game(table))][1:] == [(1, 5, 3)]
    assert verify(table, bench.store.read(table)).problems == []


def test_a_fact_about_the_box_that_brings_a_proof_to_light_opens_a_dispute(
    bench: Bench, table: str
) -> None:
    logged(bench, table, "take 3", "audit heap 9")
    preview = declare_kit(bench, table, "heap", 13, "counted", dry_run=True)
    assert preview.game.disputes == {}
    game = declare_kit(bench, table, "heap", 13, "counted").game
    assert raised(game) == [("finding", (1, 2), "PEB-AUDIT-1")]


def test_a_proof_that_was_known_is_not_disputed_twice(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3", "audit heap 8", "take 1", "take 2")
    correct(bench, table, 4, ["take 3"])
    assert raised(bench.game(table)) == [("finding", (1, 2), "PEB-AUDIT-1")]


def test_what_is_corrected_to_an_illegal_action_is_disputed_unless_a_judge_says_so(
    bench: Bench, table: str
) -> None:
    logged(bench, table, "take 3", "take 2")
    correct(bench, table, 2, ["take 3"], stands=True)
    assert raised(bench.game(table)) == [("stands", (3,), "PEB-TAKE-2")]
    correct(bench, table, 3, ["take 3"], stands=True, by=By(JUDGE))
    assert len(bench.game(table).disputes) == 1


def test_a_ruling_that_brings_another_proof_to_light_opens_the_next_dispute(
    bench: Bench, table: str
) -> None:
    logged(bench, table, "take 3", "take 2", "audit heap 7")
    dispute(bench, table, 2, seat="A", text="it was one")
    decision = Decision("one it was", "corrected", "d1", lines=("take 1",))
    game = issue(bench, table, decision, by=By(JUDGE)).game
    assert [dispute.id for dispute in game.open_disputes()] == ["d2"]
    assert game.disputes["d2"].cause == "finding"


# who may call


def test_a_seat_disputes_for_itself_alone(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3")
    own = dispute(bench, table, 1, by=By(Author(role="seat:B"))).game
    assert own.disputes["d1"].seat == "B"
    with pytest.raises(NotAllowed) as refusal:
        dispute(bench, table, 1, seat="A", by=By(Author(role="seat:B")))
    assert kind_of(refusal.value) == "role"
    dispute(bench, table, 1, seat="A", by=By(SCRIBE))
    with pytest.raises(NotFound):
        dispute(bench, table, 1, by=By(Author(role="seat:C")))
    assert len(bench.game(table).disputes) == 2


def test_a_held_game_says_which_dispute_holds_it(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3")
    dispute(bench, table, 1, seat="B", holds=True)
    with pytest.raises(HeldUp) as refusal:
        log(bench, table, "take 2")
    assert (refusal.value.key, refusal.value.facts) == ("held_by_dispute", {"dispute": "d1"})


# what lies before the judge


def test_an_action_is_shown_as_it_stood_when_it_counted(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3", "take 2", "take 1")
    undo(bench, table, 2)
    logged(bench, table, "take 1")
    correct(bench, table, 1, ["take 2"])
    taken_back, corrected = matter(bench.game(table), 3), matter(bench.game(table), 1)
    assert (taken_back.line.status, taken_back.before.state.heap) == ("taken_back", 7)
    assert (corrected.line.status, corrected.before.state.heap) == ("corrected", 12)
    assert matter(bench.game(table), 4).before.state.heap == 10
    with pytest.raises(NotFound):
        matter(bench.game(table), 9)


IN_AND_OUT: list[Step] = [("takes_back", 0, 0), ("restores", 0, 0), ("takes_back", 0, 0)]


@pytest.mark.parametrize("name", ["pebbles", "toy"])
@tried(25)
@given(begun=st.integers(2, 6), steps=STEPS, again=st.integers(0, 6))
def test_whatever_became_of_an_action_it_is_shown_as_it_stood_when_it_counted_last(
    name: str, begun: int, steps: list[Step], again: int
) -> None:
    """Beside every moment of the record, one by one from its end."""
    with with_toy():
        table = table_of(name, begun, [*steps[:again], *IN_AND_OUT, *steps[again:]])
        game, rows = table.game, table.bench.store.read(table.id)
        moments = [fold(game.id, rows[:count]) for count in range(len(rows), 0, -1)]
        for number in range(game.last_number + 1):
            then = next((one for one in moments if one.counts(number)), moments[-1])
            assert as_it_stood(game, number).head == then.head


def test_what_was_taken_back_can_be_disputed_and_ruled_on(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3", "take 2")
    undo(bench, table)
    game = dispute(bench, table, 2, seat="B", text="that was no mistake").game
    found = {p.remedy: p for p in previews(game, game.disputes["d1"])}
    assert found["taken_back"].change is None
    assert isinstance(found["taken_back"].problem, NotFound)
    assert found["stands"].change is not None
    game = issue(bench, table, Decision("it was", "none", "d1"), by=By(JUDGE)).game
    assert game.settled == {"d1": "r1"}
    with pytest.raises(NotFound):
        dispute(bench, table, 3)


def test_previews_tell_what_would_be_gone(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3", "take 2", "take 1", "take 3")
    game = dispute(bench, table, 2, seat="A").game
    found = {p.remedy: p for p in previews(game, game.disputes["d1"], ["take 1"])}
    assert found["taken_back"].gone == (2, 3, 4)
    assert found["corrected"].gone == (2,)
    corrected = found["corrected"].change
    assert corrected is not None
    assert corrected.pending == (3, 4)
    assert found["stands"].gone == found["penalty"].gone == ()


def test_a_settled_dispute_previews_an_appeal_and_a_closed_record_its_reopening(
    bench: Bench, table: str
) -> None:
    logged(bench, table, "take 3", "take 2")
    dispute(bench, table, 2, seat="A")
    game = issue(bench, table, Decision("fine", "stands", "d1"), by=By(JUDGE)).game
    assert all(p.problem is None for p in previews(game, game.disputes["d1"]))
    game = close(bench, table, reason="supper").game
    found = {p.remedy: p for p in previews(game, game.disputes["d1"])}
    assert isinstance(found["taken_back"].problem, Conflicting)
    assert found["stands"].problem is None


# rulings


def test_a_ruling_that_names_no_clause_is_about_the_clause_in_question(
    bench: Bench, table: str
) -> None:
    logged(bench, table, "take 3", "audit heap 8")
    log(bench, table, "take 3", stands=True)
    proven = issue(bench, table, Decision("miscounted", "none", "d1"), by=By(JUDGE)).game
    assert proven.rulings["r1"].clauses == ("PEB-AUDIT-1",)
    assert proven.rulings["r1"].numbers == (1, 2)
    bare = issue(bench, table, Decision("as said", numbers=(3,)), by=By(JUDGE)).game
    assert bare.rulings["r2"].clauses == ("PEB-TAKE-2",)


def test_a_reading_ruled_for_a_tournament_reaches_every_table(bench: Bench) -> None:
    desk = Desk(bench)
    cup = desk.create("Spring Cup", usual_plan("pebbles", "swiss", 2)).id
    for player in ("pa", "pb", "pc", "pd"):
        desk.tell(cup, Registered(player=player))
        desk.tell(cup, CheckedIn(player=player))
    desk.pair(cup, seed=1)
    desk.tell(cup, RoundStarted(round=1))
    here, other = (desk.open_table(cup, 1, n, "table A B first A")[0].game.id for n in (1, 2))
    reading = {"last_pebble": "loses"}
    local = issue(bench, here, Decision("here", readings=reading), by=By(JUDGE)).game
    assert desk.carry_ruling(local, "r1", author=JUDGE) == []
    decision = Decision("everywhere", readings=reading, scope="tournament")
    ruled = issue(bench, here, decision, by=By(JUDGE)).game
    assert bench.game(other).setting.readings["last_pebble"] == "wins"
    assert desk.carry_ruling(ruled, "r2", author=JUDGE) == [other]
    assert bench.game(other).setting.readings["last_pebble"] == "loses"
    assert desk.load(cup).now.readings("pebbles") == reading


@pytest.mark.parametrize(
    ("game", "opening", "reading", "value"),
    [
        ("pebbles", "table A B first A", "last_pebble", "loses"),
        ("benevolent", "table A=blue B=red first A", "layout4_overlap", "2"),
    ],
    ids=["from here on", "when a game opens"],
)
def test_a_reading_overturned_for_a_tournament_is_overturned_everywhere(
    bench: Bench, game: str, opening: str, reading: str, value: str
) -> None:
    """Also one that games keep from their opening on: those that open later have it no more."""
    desk = Desk(bench)
    cup = desk.create("Spring Cup", usual_plan(game, "swiss", 2)).id
    for player in ("pa", "pb", "pc", "pd"):
        desk.tell(cup, Registered(player=player))
        desk.tell(cup, CheckedIn(player=player))
    desk.pair(cup, seed=1)
    desk.tell(cup, RoundStarted(round=1))
    here = desk.open_table(cup, 1, 1, opening)[0].game
    usual = here.setting.readings[reading]
    assert usual != value
    first = Decision("everywhere", readings={reading: value}, scope="tournament")
    ruled = issue(bench, here.id, first, by=By(JUDGE)).game
    desk.carry_ruling(ruled, "r1", author=JUDGE)
    assert desk.load(cup).now.readings(game) == {reading: value}
    overturned = issue(bench, here.id, Decision("no", overturns="r1"), by=By(JUDGE)).game
    desk.carry_ruling(overturned, "r2", author=JUDGE)
    assert desk.load(cup).now.readings(game) == {reading: usual}
    later = desk.open_table(cup, 1, 2, opening)[0].game
    assert later.setting.readings[reading] == usual
    assert bench.game(here.id).setting.readings[reading] == usual


def test_a_table_without_a_tournament_rules_for_itself(bench: Bench, table: str) -> None:
    decision = Decision("so", readings={"last_pebble": "loses"}, scope="tournament")
    with pytest.raises(Conflicting, match="no_tournament"):
        issue(bench, table, decision, by=By(JUDGE))


def test_the_opening_is_corrected_but_never_taken_back(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3", "take 2")
    dispute(bench, table, 0, seat="B", text="it was my turn")
    with pytest.raises(Conflicting, match="opening_stays"):
        issue(bench, table, Decision("again", "taken_back", "d1"), by=By(JUDGE))
    decision = Decision("B began", "corrected", "d1", lines=("table A B first B",))
    game = issue(bench, table, decision, by=By(JUDGE)).game
    assert game.steps[0].state.agenda.seats == ("B",)


def case_problems(game: Game, ruling: str) -> list[str]:
    file = read_cases(write_toml(case_of_ruling(game, ruling)))
    return run_case(load_engine(game.engine.id), file, file.case[0]).problems


def test_a_proof_becomes_a_case_with_its_story(bench: Bench, table: str) -> None:
    logged(bench, table, "take 3")
    log(bench, table, "take 3", stands=True)
    logged(bench, table, "take 1", "audit heap 8")
    game = issue(bench, table, Decision("miscounted", "none", "d2"), by=By(JUDGE)).game
    case = case_of_ruling(game, "r1")["case"][0]
    assert case["lines"].splitlines()[0] == "B take 3 -> stands PEB-TAKE-2"
    assert case["lines"].splitlines()[-1] == "audit heap 8 -> legal proves PEB-AUDIT-1"
    assert case_problems(game, "r1") == []


def test_a_ruling_about_no_action_becomes_no_case(bench: Bench, table: str) -> None:
    game = issue(bench, table, Decision("be nice"), by=By(JUDGE)).game
    with pytest.raises(NotFound):
        case_of_ruling(game, "r1")


def test_the_same_proof_calls_for_a_judge_once(bench: Bench, table: str) -> None:
    for line in ("take 2", "take 1", "audit heap 7", "audit heap 7"):
        log(bench, table, line)
    (dispute,) = bench.game(table).disputes.values()
    assert (dispute.cause, dispute.numbers) == ("finding", (1, 2, 3))
    assert log(bench, table, "audit heap 5").disputes == ("d2",)


def called(game: Game, *actions: Judged) -> list[tuple[str, tuple[int, ...], str | None]]:
    calls = calls_for_a_judge(game, actions, by_judge=False)
    return [(call.cause, call.numbers, call.clause) for call in calls]


def proof(*entries: int) -> Verdict:
    return Verdict("legal", findings=(Finding("broken", "PEB-TAKE-2", entries, {}),))


def test_an_action_that_stands_and_proves_a_breach_is_one_dispute(bench: Bench, table: str) -> None:
    verdict = evolve(proof(1, 4), outcome="illegal", breaches=(Point("PEB-TAKE-1", {}),))
    found = called(bench.game(table), Judged(4, True, verdict))
    assert found == [("finding", (1, 4), "PEB-TAKE-2")]


def test_further_proofs_of_one_cheat_are_no_further_disputes(bench: Bench, table: str) -> None:
    growing = (Judged(3, False, proof(1, 2)), Judged(5, False, proof(1, 2, 4)))
    assert called(bench.game(table), *growing) == [("finding", (1, 2, 3), "PEB-TAKE-2")]


def test_a_proof_against_fewer_says_more(bench: Bench, table: str) -> None:
    narrowing = (Judged(3, False, proof(1, 2)), Judged(5, False, proof(2)))
    assert [numbers for _, numbers, _ in called(bench.game(table), *narrowing)] == [
        (1, 2, 3),
        (2, 5),
    ]


@pytest.mark.parametrize("order", [*permutations(("d1", "d2", "d3"))])
@pytest.mark.parametrize("ruled", [frozenset[str](), frozenset({"d2"}), frozenset({"d1", "d3"})])
def test_a_game_stays_paused_until_every_dispute_that_paused_it_is_settled(
    bench: Bench, table: str, order: tuple[str, ...], ruled: frozenset[str]
) -> None:
    logged(bench, table, "take 1")
    for seat in "ABA":
        dispute(bench, table, 1, seat=seat, holds=True)
    waiting = [*order]
    for settled in order:
        waiting.remove(settled)
        if settled in ruled:
            game = issue(bench, table, Decision("so be it", "none", settled), by=By(JUDGE)).game
        else:
            game = withdraw(bench, table, settled, by=By(JUDGE)).game
        holding = game.held.id if isinstance(game.held, Disputed) else None
        assert holding == max(waiting, default=None)
    assert bench.game(table).held is None
    logged(bench, table, "take 2")


@pytest.mark.parametrize("remedy", ["none", "stands", "penalty"])
@pytest.mark.parametrize("ruled", ["d1", "d2", "d3", "d4"])
@pytest.mark.parametrize("clause", [None, "PEB-TAKE-1", "PEB-TAKE-2"])
def test_an_illegal_move_and_all_calls_about_it_are_one(
    bench: Bench, table: str, ruled: str, remedy: Remedy, clause: str | None
) -> None:
    """An appeal decides all anew, a penalty is its doer's, and other calls stay open."""
    log(bench, table, "take 4", stands=True)
    logged(bench, table, "take 1")
    dispute(bench, table, 1, seat="B", holds=True, clause=clause)
    dispute(bench, table, 1, seat="A", text="it was three")
    dispute(bench, table, 1)
    game = dispute(bench, table, 2, seat="A").game
    calls = [game.disputes[one] for one in ("d1", "d2", "d3", "d4")]
    assert same_deed(game, game.disputes[ruled]) == calls
    decision = Decision("so", remedy, ruled, level="warning")
    game = issue(bench, table, decision, by=By(JUDGE)).game
    assert [one.id for one in game.open_disputes()] == ["d5"]
    assert {*map(game.ended_by, calls)} == {"r1"}
    assert game.held is None
    for call in calls:
        with pytest.raises(Conflicting):
            withdraw(bench, table, call.id, by=By(JUDGE))
        with pytest.raises(Conflicting):
            issue(bench, table, Decision("again", "none", call.id), by=By(JUDGE))
    assert [one.seat for one in game.penalties.values()] == ["A"] * (remedy == "penalty")
    appeal = Decision("not so", "none", ruled, overturns="r1")
    game = issue(bench, table, appeal, by=By(JUDGE)).game
    assert {*map(game.ended_by, calls)} == {"r2"}


def test_all_appeals_against_one_ruling_are_decided_together(bench: Bench, table: str) -> None:
    logged(bench, table, "take 1")
    dispute(bench, table, 1, seat="B")
    issue(bench, table, Decision("so", "stands", "d1"), by=By(JUDGE))
    for seat in "AB":
        dispute(bench, table, 1, seat=seat, appeals="r1")
    game = dispute(bench, table, 1, seat="A", text="something else").game
    assert [one.id for one in same_deed(game, game.disputes["d3"])] == ["d2", "d3"]
    game = issue(bench, table, Decision("not so", "none", "d3"), by=By(JUDGE)).game
    assert [one.id for one in game.open_disputes()] == ["d4"]
    assert game.ended_by(game.disputes["d2"]) == "r2"
    with pytest.raises(Conflicting):
        withdraw(bench, table, "d2", by=By(JUDGE))


def test_records_in_which_a_decided_call_was_closed_by_itself_are_read(
    bench: Bench, table: str
) -> None:
    log(bench, table, "take 4", stands=True)
    for seat in "BA":
        dispute(bench, table, 1, seat=seat)
    issue(bench, table, Decision("so", "stands", "d2"), by=By(JUDGE))
    ruled = Ruled(id="r2", dispute="d3", numbers=(1,), remedy="none", reason="so too")
    told: list[EntryData] = [DisputeClosed(id="d1"), ruled]
    game = bench.tell(bench.game(table), told, By(JUDGE)).game
    ends = [game.ended_by(one) for one in game.disputes.values()]
    assert ends == ["withdrawn", "r1", "r2"]
    assert verify(table, bench.store.read(table)).problems == []


def test_a_call_about_a_clause_that_the_game_has_no_more_stays_in_the_list(
    bench: Bench, table: str
) -> None:
    logged(bench, table, "take 1")
    dispute(bench, table, 1, seat="A", clause="PEB-TAKE-1")
    gone = Disputed(id="d2", numbers=(1,), cause="seat", seat="B", clause="PEB-GONE-1")
    game = bench.tell(bench.game(table), [gone], By(JUDGE)).game
    assert [same_deed(game, one) for one in game.disputes.values()] == [
        [one] for one in game.disputes.values()
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_withdraws_one_of_two_is_told_which_still_pauses_the_game(lang: Language) -> None:
    judge = Caller(open_store_context("memory:"), JUDGE)
    table = open_game(judge.bench, "pebbles", "table A B first A").game.id
    for seat in "AB":
        dispute(judge.bench, table, 0, seat=seat, holds=True)
    first, second = (withdraw_dispute(judge, table, one).lines(Voice(lang)) for one in ("d2", "d1"))
    assert len(first) == 2
    assert "d1" in first[1]
    assert len(second) == 1
