"""The stream and its fold: every state can be shown, nothing impossible is taken in."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields
from pydantic import ValidationError

import referee.tournament as tournament_package
from engines.kernel import evolve
from referee.record.entries import UnreadableEntry
from referee.store.canonical_json import canonical, check_model
from referee.tournament.errors import WORDS, NotPossible
from referee.tournament.events import (
    KINDS,
    CheckedIn,
    Created,
    Dropped,
    Event,
    Outcome,
    PlayersMerged,
    Qualified,
    Registered,
    Revised,
    RoundPaired,
    Table,
    TournamentClosed,
    read_event,
)
from referee.tournament.fold import _STEPS, apply, fold, states
from referee.tournament.plan import DuelScoring, Knockout, League, Plan, RoundRobin, SeatRange
from referee.tournament.ranking.standings import standings
from referee.tournament.state import Player
from tests.tournament.hosting import Hall, duels, tables_of_four

# The events


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.KIND)
def test_stored_data_have_a_canonical_form(kind: type[Event]) -> None:
    check_model(kind)


def test_an_event_survives_the_store() -> None:
    hall = Hall(tables_of_four(readings={"broom_service": {"hands": "open"}}), 9)
    hall.play()
    for event in hall.events:
        data = event.model_dump(mode="json")
        canonical(data)
        assert read_event(event.KIND, event.SCHEMA, data) == event


@pytest.mark.parametrize(
    ("kind", "schema", "data"),
    [
        ("round_burned", 1, {}),
        ("round_started", 2, {"round": 1}),
        ("round_started", 1, {"round": 0}),
        ("round_started", 1, {"round": 1, "extra": 1}),
        ("player_registered", 1, {"player": "Ada Lovelace"}),
        ("player_registered", 1, {"player": "pa", "club": "evil\u202eclub"}),
    ],
)
def test_what_cannot_be_read_is_refused(kind: str, schema: int, data: dict[str, Any]) -> None:
    with pytest.raises(UnreadableEntry):
        read_event(kind, schema, data)


@pytest.mark.parametrize(
    "told",
    [
        {"places": (1, 3)},
        {"places": (2, 2)},
        {"places": (1, 1, 2)},
        {"places": (1, 2), "scores": (5,)},
        {"places": (1, 2), "absent": ("C",)},
        {"places": (1, 2), "absent": ("A",)},
    ],
)
def test_impossible_outcomes_are_refused(told: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Outcome(**told)


def test_an_outcome_is_taken_from_the_end_of_a_game() -> None:
    outcome = Outcome.of_game((("C",), ("A", "D"), ("B",)), {"A": 20, "B": 7, "C": 31, "D": 20})
    assert outcome == Outcome(places=(2, 4, 1, 2), scores=(20, 7, 31, 20))
    assert Outcome.of_game((("B",), ("A",)), {}) == Outcome(places=(2, 1))


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"tie_breaks": ("PTS", "PTS")}, "tie_break_twice"),
        ({"tie_breaks": ("PTS", "LADDER")}, "tie_break_for_teams"),
        ({"format": RoundRobin(), "tie_breaks": ("PTS", "BH")}, "tie_break_in_robin"),
        ({"seats": SeatRange(least=2, most=3, preferred=2)}, "format_for_two"),
        ({"format": League(counted=9)}, "counted_rounds"),
        ({"format": Knockout(advance=2)}, "somebody_leaves"),
        ({"seats": SeatRange(least=1, most=1, preferred=1)}, "format_for_two"),
    ],
)
def test_plans_that_contradict_themselves_are_refused(more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        duels(**more)


def test_duel_tie_breaks_are_not_for_tables_of_four() -> None:
    with pytest.raises(ValidationError, match="tie_break_for_duels"):
        tables_of_four(tie_breaks=("PTS", "BH"))


# The fold


def test_every_past_state_can_be_shown() -> None:
    hall = Hall(duels(), 6)
    hall.play()
    hall.play()
    shown = list(states(hall.events))
    assert shown == [fold(hall.events[: n + 1]) for n in range(len(hall.events))]
    assert [state.last for state in shown] == list(range(len(hall.events)))
    assert shown[-1] == hall.now
    assert fold(hall.events[9:], shown[8]) == hall.now


def test_every_kind_has_a_step() -> None:
    assert set(_STEPS) == set(KINDS.values()) - {Created}


OTHERWISE: dict[str, Any] = {
    "club": "North",
    "rating": 1900,
    "seed": 3,
    "fixed_table": 7,
    "came": True,
    "sections": ("U14",),
    "paid": True,
    "qualified": Qualified(tournament="a", place=1, carried=4),
}
"""A registration that says everything; below, another word for what has more than yes and no."""
AND_ANOTHER = {
    "club": "South",
    "rating": 1200,
    "seed": 1,
    "fixed_table": 2,
    "sections": ("women",),
    "qualified": Qualified(tournament="b", place=2),
}
OF_ONE_ENTRY = {"id", "number"}
OF_BOTH = {
    "status": ("registered", "dropped", "dropped"),
    "away": ({1: "half_bye"}, {2: "full_bye"}, {1: "half_bye", 2: "full_bye"}),
}


def merged(first: dict[str, Any], second: dict[str, Any], *, completes: bool = True) -> Player:
    """What becomes of two registrations that say this."""
    hall = Hall(duels(check_in=True), 0)
    hall.tell(Registered(player="pa"), Registered(player="pb"))
    both = zip(hall.now.players.values(), (first, second), strict=True)
    now = evolve(hall.now, players={each.id: evolve(each, **said) for each, said in both})
    event = PlayersMerged(player="pa", merged="pb", reason="one person", completes=completes)
    return apply(now, event).players["pa"]


def test_every_field_of_a_registration_is_kept_when_it_is_merged() -> None:
    """Whoever adds a field says here what becomes of it."""
    known = {each.name for each in fields(Player)}
    assert known == OTHERWISE.keys() | OF_BOTH.keys() | OF_ONE_ENTRY


@pytest.mark.parametrize("field", OTHERWISE)
def test_what_one_of_two_registrations_lacks_the_other_has(field: str) -> None:
    alone = {field: OTHERWISE[field]}
    assert getattr(merged({}, alone), field) == OTHERWISE[field]
    assert getattr(merged(alone, {}), field) == OTHERWISE[field]
    kept = merged({}, OTHERWISE)
    assert {name: getattr(kept, name) for name in OTHERWISE} == OTHERWISE
    if field in AND_ANOTHER:
        assert getattr(merged({field: AND_ANOTHER[field]}, OTHERWISE), field) == AND_ANOTHER[field]


@pytest.mark.parametrize("field", OF_BOTH)
def test_where_two_registrations_add_up_it_is_the_same_from_either_side(field: str) -> None:
    one, other, both = ({field: told} for told in OF_BOTH[field])
    for first, second in ((one, other), (other, one)):
        assert getattr(merged(first, second), field) == both[field]


def test_a_merge_of_an_earlier_version_stays_what_it_was() -> None:
    """Rounds were paired from it: computed again they must come out the same."""
    data = {"player": "pa", "merged": "pb", "reason": "one person"}
    event = read_event("players_merged", 1, data)
    assert event.model_dump(mode="json") == data
    before = merged({}, OTHERWISE, completes=False)
    kept = {name for name, value in OTHERWISE.items() if getattr(before, name) == value}
    assert kept == {"came", "sections", "paid"}


def test_nothing_comes_before_creation() -> None:
    with pytest.raises(NotPossible, match="not_created"):
        fold([])
    with pytest.raises(NotPossible, match="not_created"):
        apply(None, TournamentClosed())
    with pytest.raises(NotPossible, match="created_already"):
        Hall(duels(), 2).tell(Created(name="Again", plan=duels()))


def _paired(hall: Hall, *tables: tuple[str, ...]) -> RoundPaired:
    return RoundPaired(
        round=hall.next_round,
        algorithm="by-hand",
        version=1,
        seed=0,
        input_hash="0" * 64,
        tables=tuple(Table(number=at, seats=seats) for at, seats in enumerate(tables, 1)),
    )


def test_the_plan_is_fixed_by_the_first_pairing() -> None:
    hall = Hall(duels(rounds=5), 4)
    other = duels(rounds=3, scoring=DuelScoring(win=6, draw=2))
    hall.tell(Revised(plan=other, reason="club rule"))
    hall.play()
    with pytest.raises(NotPossible, match="plan_is_fixed"):
        hall.tell(Revised(plan=duels(), reason="back again"))
    hall.tell(Revised(plan=other.model_copy(update={"rounds": 2}), reason="a storm is coming"))
    hall.play()
    with pytest.raises(NotPossible, match="rounds_are_paired"):
        hall.tell(Revised(plan=other.model_copy(update={"rounds": 1}), reason="too short"))
    assert hall.now.plan.rounds == 2


def test_who_never_came_is_not_ranked() -> None:
    hall = Hall(duels(), 4)
    hall.tell(Registered(player="pghost"), Dropped(player="pghost"))
    hall.play()
    assert "pghost" not in [row.player for row in standings(hall.now).rows]


# Words


def test_a_refusal_can_be_said() -> None:
    hall = Hall(duels(), 2)
    with pytest.raises(NotPossible) as refused:
        hall.tell(CheckedIn(player="pz"))
    key, facts = f"error.{refused.value.key}", refused.value.facts
    assert WORDS.say(key, "en", **facts) == "there is no player pz"
    assert WORDS.say(key, "fr", **facts) == "il n’y a pas de joueur pz"


def test_the_plan_travels_as_json() -> None:
    plan = tables_of_four()
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


def _keys_named_in_source() -> set[str]:
    """Every message key that the package refuses or complains with."""
    keys = set()
    for file in Path(tournament_package.__file__).parent.rglob("*.py"):
        if file.name == "proof.py":
            continue  # it complains as ``verify`` does, in its words
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            prefix = {"NotPossible": "error", "_require": "error", "PairingProblem": "problem"}.get(
                node.func.id
            )
            if prefix is not None:
                named = [a.value for a in node.args if isinstance(a, ast.Constant)]
                keys |= {f"{prefix}.{key}" for key in named if isinstance(key, str)}
    return keys


def test_every_refusal_and_every_problem_has_words_and_no_words_are_left_over() -> None:
    used = _keys_named_in_source() | {"problem.changed_by_hand", "problem.not_the_best"}
    written = {key for key in WORDS if key.startswith(("error.", "problem."))}
    assert used == written
