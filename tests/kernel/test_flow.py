"""A game with a flow: what is due is said anew after every action."""

from __future__ import annotations

import sys
from typing import Any, Literal

import pytest

from engines.kernel import (
    GO_ON,
    Action,
    Agenda,
    Duty,
    Engine,
    Faces,
    Hearing,
    Rulebook,
    State,
    evolve,
)
from engines.kernel.picture.svg import Picture
from tests.kernel.toy import Box, Table
from tests.playing import replayed


class Knock(Action):
    verb: Literal["knock"] = "knock"


class Door(State, frozen=True):
    seats: tuple[str, ...]
    knocks: int = 0
    echoes: int = 0


rules = Rulebook({"knock": (Knock,)})


@rules.opens
def open_door(opening: Table, rule: Hearing[Box]) -> Door:
    return Door(opening.players, agenda=GO_ON)


@rules.hears(Knock)
def knock(state: Door, action: Knock, rule: Hearing[Box]) -> Door:
    return evolve(state, knocks=state.knocks + 1)


@rules.flows
def go_on(state: Door, rule: Hearing[Box]) -> Door:
    """Every knock echoes once, except the fourth, which never stops."""
    if state.echoes < state.knocks or state.knocks == 4:
        return evolve(state, echoes=state.echoes + 1)
    if state.knocks == 3:
        return evolve(state, agenda=Agenda())
    return evolve(state, agenda=Agenda().push(Duty("knock", state.seats[state.knocks % 2])))


@rules.not_now
def not_now(state: Door, action: Action, rule: Hearing[Box]) -> None:
    rule("TOY-TURN-1", False)


ENGINE: Engine[Door, Box] = Engine(
    id="door",
    package="tests.kernel.toy",
    version="1",
    edition="only",
    seats=(2, 2),
    kit=Box,
    opening=Table,
    actions=(Knock,),
    rules=rules,
    chapters=(sys.modules[__name__],),
    result=lambda state: None,
    faces=Faces(
        lambda state, setting, lang: [],
        lambda state, setting, lang, last: Picture(1, 1, ""),
    ),
)


def played(*seats: str) -> list[Any]:
    opening: Any = ENGINE.read("table A B")
    setting = ENGINE.setting(opening)
    return list(replayed(ENGINE, setting, opening, [Knock(by=seat) for seat in seats]))


def test_the_flow_says_whose_turn_it_is() -> None:
    states = [judgement.state for judgement in played("A", "B")]
    assert [state.agenda.seats for state in states] == [("A",), ("B",), ("A",)]


def test_the_flow_goes_on_as_often_as_it_leaves_go_on_behind() -> None:
    assert [judgement.state.echoes for judgement in played("A", "B")] == [0, 1, 2]


def test_what_nobody_owes_is_refused() -> None:
    *_, last = played("A", "A")
    assert not last.accepted
    assert last.verdict.clause == "TOY-TURN-1"


def test_a_flow_that_leaves_nothing_due_ends_the_game() -> None:
    *_, last = played("A", "B", "A")
    assert last.state.over


def test_a_flow_that_never_ends_is_an_error_not_a_hang() -> None:
    opening: Any = ENGINE.read("table A B")
    setting = ENGINE.setting(opening)
    state = evolve(ENGINE.open(setting, opening).state, knocks=3)
    with pytest.raises(RuntimeError, match="do not end"):
        ENGINE.judge(setting, state, Knock(by="A"))
