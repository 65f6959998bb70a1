"""Penalties are chosen from a published guide; points count where the rules of the event say so."""

from __future__ import annotations

from functools import partial

import pytest
from pydantic import ValidationError

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.judge.rulings import cancel_penalty, penalise, penalty_guide, rule
from answers.tournament import lifecycle, players, results, rounds
from answers.tournament.i18n import fluent
from answers.tournament.judging import next_penalty
from answers.tournament.results import TournamentTableAnswer
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.messages.errors import first_mistake
from referee.errors import NotFound
from referee.judging.rulings import Decision
from referee.table.author import Author
from referee.tournament.default_plans import FORMATS, usual_plan
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.plan import PenaltyLevel, Plan
from tests.opening import new_table

GUIDE = [{"name": "warning"}, {"name": "Second warning", "halves": 1}]
ORGANISER, JUDGE = Author("porg", "organiser"), Author("pjo", "judge")


@pytest.fixture
def desk() -> Caller:
    return Caller(open_store_context("memory:"), ORGANISER)


def as_judge(desk: Caller) -> Caller:
    return Caller(desk.store_context, JUDGE)


def table_of(desk: Caller, penalties: list[dict[str, object]]) -> tuple[str, str]:
    """A tournament with one table, and its game."""
    plan = usual_plan("pebbles", "swiss", 1, penalties=penalties, check_in=False)
    id = lifecycle.create(desk, "Cup", plan).data.tournament
    players.register(desk, id, [PlayerRow(name="Ana"), PlayerRow(name="Bo")])
    rounds.pair(desk, id, seed=7)
    rounds.start(desk, id)
    opened = results.open_table(desk, id, 1).data
    assert isinstance(opened, TournamentTableAnswer)
    return id, opened.game


def points_off(desk: Caller, id: str) -> dict[str, int]:
    now = desk.store_context.desk.load(id).now
    return {
        penalty.player: penalty.halves
        for penalty in now.penalties
        if penalty.cancelled is None and penalty.halves
    }


def sits(desk: Caller, game: str, seat: str) -> str:
    return desk.store_context.bench.game(game).seats[seat]


@pytest.mark.parametrize("level", ["Second warning", "second  warning", "SECOND WARNING"])
def test_a_level_with_points_counts_in_the_standings(desk: Caller, level: str) -> None:
    id, game = table_of(desk, GUIDE)
    level = " ".join(level.split())
    told = rule(as_judge(desk), game, Decision("late", remedy="penalty", seat="B", level=level))
    assert points_off(desk, id) == {sits(desk, game, "B"): 1}
    assert any("−0.5" in line for line in told.lines(Voice("en")))


def test_a_level_without_points_costs_none(desk: Caller) -> None:
    id, game = table_of(desk, GUIDE)
    penalise(as_judge(desk), game, "A", "warning", "loud")
    assert points_off(desk, id) == {}
    (warned,) = desk.store_context.desk.load(id).now.penalties
    assert (warned.level, warned.halves, warned.round) == ("warning", 0, 1)


@pytest.mark.parametrize("level", ["points", "loss of 3 points", "a drink", "0", " "])
@pytest.mark.parametrize("guide", [GUIDE, []])
def test_what_is_no_level_at_a_table_is_refused_by_name(
    desk: Caller, guide: list[dict[str, object]], level: str
) -> None:
    """At a table of an event, with a guide of its own or without one, and at one of none."""
    judge, (id, game) = as_judge(desk), table_of(desk, guide)
    for table in (game, new_table(desk, "pebbles", "A B first A")):
        levels = {each.level for each in penalty_guide(judge, table).data.levels}
        decision = Decision("late", remedy="penalty", seat="A", level=level)
        for refused in (
            partial(penalise, judge, table, "A", level, "loud"),
            partial(rule, judge, table, decision),
            partial(rule, judge, table, decision, dry_run=True),
        ):
            with pytest.raises(NotFound) as caught:
                refused()
            assert caught.value.key == "no_such_level"
            assert caught.value.facts["level"] == level
            told = {str(each).partition(" (")[0] for each in caught.value.facts["levels"]}
            assert told == levels
        assert not desk.store_context.bench.game(table).penalties
    assert points_off(desk, id) == {}


def test_points_come_back_with_an_appeal_and_with_a_cancellation(desk: Caller) -> None:
    id, game = table_of(desk, GUIDE)
    judge = as_judge(desk)
    rule(judge, game, Decision("late", remedy="penalty", seat="A", level="second warning"))
    appeal = rule(judge, game, Decision("the train was late", remedy="none", overturns="r1"))
    assert points_off(desk, id) == {}
    assert any("+0.5" in line for line in appeal.lines(Voice("en")))
    penalise(judge, game, "A", "second warning")
    assert points_off(desk, id) == {sits(desk, game, "A"): 1}
    cancel_penalty(judge, game, "x2", "not she")
    assert points_off(desk, id) == {}


def test_what_a_failure_interrupted_is_completed_and_nothing_counts_twice(desk: Caller) -> None:
    id, game = table_of(desk, GUIDE)
    judge, store_context = as_judge(desk), desk.store_context
    penalise(judge, game, "A", "second warning", key="once")
    penalise(judge, game, "A", "second warning", key="once")
    carry = store_context.desk.carry_penalties
    assert carry(store_context.bench.game(game), author=ORGANISER) == []
    assert points_off(desk, id) == {sits(desk, game, "A"): 1}


SINCE = ("nothing", "swapped", "merged", "unpaired", "paired anew", "unregistered")


@pytest.mark.parametrize("since", SINCE)
@pytest.mark.parametrize("seat", ["A", "B"])
def test_points_are_taken_from_who_sits_there_in_the_record(
    desk: Caller, since: str, seat: str
) -> None:
    """Whatever has become of the table by the time the judge decides."""
    plan = usual_plan("pebbles", "swiss", 3, penalties=GUIDE, check_in=False)
    id = lifecycle.create(desk, "Cup", plan).data.tournament
    names = ("Ana", "Bo", "Cy", "Dan")
    players.register(desk, id, [PlayerRow(name=name) for name in names])
    rounds.pair(desk, id, seed=7)
    rounds.start(desk, id)
    opened = results.open_table(desk, id, 2).data
    assert isinstance(opened, TournamentTableAnswer)
    them = sits(desk, opened.game, seat)
    meant = [them]
    others = desk.store_context.desk.load(id).now.rounds[0].draw.tables[0].seats
    if since == "swapped":
        rounds.swap_players(desk, id, them, others[0], reason="late")
    elif since == "merged":
        players.come_late(desk, id, "Eve", new=True)
        players.merge(desk, id, "Eve", them, "the same")
        meant = [*desk.store_context.people.find("Eve")]
    elif since != "nothing":
        rounds.unstart(desk, id, "again")
        rounds.unpair(desk, id, "again")
    if since == "paired anew":
        rounds.pair(desk, id, seed=8)
        rounds.swap_players(desk, id, them, others[0], reason="late")
    if since == "unregistered":
        players.unregister(desk, id, them)
        meant = []
    penalise(as_judge(desk), opened.game, seat, "Second warning", "loud")
    assert points_off(desk, id) == dict.fromkeys(meant, 1)
    assert len(desk.store_context.bench.game(opened.game).penalties) == 1


def test_a_dry_run_takes_no_points(desk: Caller) -> None:
    id, game = table_of(desk, GUIDE)
    decision = Decision("late", remedy="penalty", seat="A", level="second warning")
    rule(as_judge(desk), game, decision, dry_run=True)
    assert points_off(desk, id) == {}


def test_the_guide_of_a_table_is_that_of_its_event_else_the_usual_one(desk: Caller) -> None:
    id, game = table_of(desk, GUIDE)
    told = penalty_guide(desk, game).data
    assert told.tournament == id
    assert [(one.level, one.halves) for one in told.levels] == [
        ("warning", 0),
        ("Second warning", 1),
    ]
    _, other = table_of(desk, [])
    alone = new_table(desk, "pebbles", "A B first A")
    for table in (other, alone):
        usual = penalty_guide(desk, table)
        assert usual.data.tournament == ""
        assert not any(one.halves for one in usual.data.levels)
        assert usual.lines(Voice("fr"))[0] == "avertissement"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_judge_gives_at_a_table_is_known_when_it_comes_again(
    desk: Caller, lang: Language
) -> None:
    """By its clause or its words, in an event with or without a guide of its own."""
    judge = Caller(desk.store_context, JUDGE, Voice(lang))
    for guide in ([], GUIDE):
        id, game = table_of(desk, guide)
        levels = [each.level for each in penalty_guide(judge, game).data.levels]
        told = penalty_guide(judge, game).data
        assert told.event == id
        assert set(told.players) == {"A", "B"}
        player = told.players["B"]
        for step, level in enumerate(levels):
            for clause, words in (("peb-take-1", ""), (None, " Too FAR")):
                found = next_penalty(judge, id, player, infringement=words, clause=clause).data
                assert (found.proposed.level, len(found.before)) == (level, step)
            assert not next_penalty(judge, id, told.players["A"], clause="PEB-TAKE-1").data.before
            ruling = Decision(
                "too far", remedy="penalty", seat="B", level=level, clauses=("PEB-TAKE-1",)
            )
            rule(judge, game, ruling)
        assert not next_penalty(judge, id, player, infringement="too far").data.further
        assert set(points_off(desk, id).values()) == ({1} if guide else set())


def test_a_table_whose_pairing_is_gone_has_a_guide_and_no_players(desk: Caller) -> None:
    id, game = table_of(desk, GUIDE)
    rounds.unstart(desk, id, "anew")
    rounds.unpair(desk, id, "anew")
    told = penalty_guide(desk, game).data
    assert (told.tournament, told.event, told.players) == (id, "", {})


def test_everybody_reads_the_guide_among_the_rules(desk: Caller) -> None:
    id, _ = table_of(desk, GUIDE)
    rules = lifecycle.rules_in_force(fluent(Voice("en")), desk.store_context.desk.load(id).now)
    assert "Penalties: warning, Second warning (−0.5)" in rules


@pytest.mark.parametrize("format", FORMATS)
def test_a_plan_without_a_guide_is_stored_as_before(format: str) -> None:
    options = {"deals": [{"name": "d", "digest": "0" * 64}]} if format == "duplicate" else {}
    plan = usual_plan("pebbles", format, 1, options)
    assert "penalties" not in plan.model_dump(mode="json")
    guided = plan.model_copy(update={"penalties": (PenaltyLevel(name="warning"),)})
    assert Plan.model_validate(guided.model_dump(mode="json")) == guided


def test_a_level_is_named_once() -> None:
    with pytest.raises(ValidationError) as caught:
        usual_plan("pebbles", "swiss", 1, penalties=[{"name": "Late"}, {"name": "late"}])
    assert first_mistake(caught.value).problem.key == "flaw.penalty_twice"
