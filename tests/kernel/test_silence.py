"""What nobody ends aloud: the next action ends it, or names what is still owed."""

from __future__ import annotations

import sys
from typing import Any, ClassVar, Literal

import pytest

from engines.kernel import (
    Action,
    Agenda,
    Duty,
    Engine,
    Faces,
    Group,
    Hearing,
    Judgement,
    ParseError,
    Rulebook,
    State,
    evolve,
    next_seat,
)
from engines.kernel.picture.svg import Picture
from engines.kernel.rules.clauses import Reading, Text
from tests.kernel.toy import Box, Table


class Knit(Action):
    verb: Literal["knit"] = "knit"
    rows: int = 1
    forms: ClassVar = ("[{rows}]",)


class Stop(Action):
    verb: Literal["stop"] = "stop"


class Bell(Action):
    verb: Literal["bell"] = "bell"
    observes: ClassVar[bool] = True
    enumerable: ClassVar = False


class Wool(State, frozen=True):
    seats: tuple[str, ...]
    rows: dict[str, int]
    bells: int = 0


rules = Rulebook({"begin": (Knit,), "more": (Knit,), "stop": (Stop,), "bell": (Bell,)})
rules.ends_unsaid(Stop, "TOY-COUNT-1", reading="stop", value="silence")


@rules.opens
def sit_down(opening: Table, rule: Hearing[Box]) -> Wool:
    return begin(Wool(opening.players, dict.fromkeys(opening.players, 0)), opening.players[0])


def begin(state: Wool, seat: str) -> Wool:
    return evolve(state, agenda=Agenda().push(Duty("begin", seat)))


@rules.hears(Knit)
def knit(state: Wool, action: Knit, rule: Hearing[Box]) -> Wool:
    """More rows may follow until it is stopped; nobody stops at one."""
    rule("TOY-BID-1", action.rows > 0, rows=action.rows)
    mine = {**state.rows, action.seat: state.rows[action.seat] + action.rows}
    goes_on = Group(Duty("more", action.seat, None, optional=True), Duty("stop", action.seat))
    return evolve(state, rows=mine, agenda=Agenda().push(goes_on))


@rules.hears(Stop)
def stop(state: Wool, action: Stop, rule: Hearing[Box]) -> Wool:
    rule("TOY-BID-2", state.rows[action.seat] != 1, seat=action.seat)
    if action.seat == state.seats[-1]:
        return evolve(state, agenda=Agenda().push(Duty("bell")))
    return begin(state, next_seat(state.seats, action.seat))


@rules.hears(Bell)
def ring(state: Wool, action: Bell, rule: Hearing[Box]) -> Wool:
    return begin(evolve(state, bells=state.bells + 1), state.seats[0])


@rules.not_now
def not_now(state: Wool, action: Action, rule: Hearing[Box]) -> None:
    rule("TOY-TURN-1", False)


@rules.offers(Knit)
def rows(state: Wool, seat: str, table: object) -> Any:
    yield Knit(by=seat)


ENGINE: Engine[Wool, Box] = Engine(
    id="wool",
    package="tests.kernel.toy",
    version="1",
    edition="only",
    seats=(2, 3),
    kit=Box,
    opening=Table,
    actions=(Knit, Stop, Bell),
    rules=rules,
    chapters=(sys.modules[__name__],),
    result=lambda state: None,
    faces=Faces(
        lambda state, setting, lang: [],
        lambda state, setting, lang, last: Picture(1, 1, ""),
    ),
)
SAID = Text(en="?", fr="?")
ENGINE.__dict__["readings"] = {
    "stop": Reading(
        id="stop",
        ambiguity="TOY-AMB-1",
        question=SAID,
        why=SAID,
        values={"silence": SAID, "spoken": SAID},
    )
}
ENGINE.__dict__["reading_values"] = {"stop": ("silence", "spoken")}


class Circle:
    """Three seats with wool."""

    def __init__(
        self, *lines: str, stop: str = "silence", house_rules: tuple[str, ...] = ()
    ) -> None:
        opening: Any = ENGINE.read("table A B C")
        opening = opening.model_copy(update={"readings": {"stop": stop}})
        self.setting = ENGINE.setting(opening, house_rules=house_rules)
        self.state: Wool = ENGINE.open(self.setting, opening).state
        for line in lines:
            assert self.hear(line).accepted, line

    def hear(self, line: str, *, lenient: bool = False) -> Judgement[Wool]:
        heard = ENGINE.judge(self.setting, self.state, ENGINE.read(line), 1, lenient=lenient)
        self.state = heard.state
        return heard


def effects(heard: Judgement[Wool]) -> list[tuple[str, object]]:
    return [(point.clause, point.facts.get("seat")) for point in heard.verdict.effects]


def test_the_next_seat_ends_what_nobody_has_ended_and_is_told_so() -> None:
    circle = Circle("A knit 2")
    heard = circle.hear("B knit")
    assert heard.accepted
    assert effects(heard) == [("TOY-COUNT-1", "A")]
    assert heard.verdict.readings == ("stop",)
    assert circle.state.agenda.seats == ("B",)


def test_a_seat_goes_on_itself_as_long_as_it_may() -> None:
    circle = Circle("A knit 2", "A knit")
    assert circle.state.rows["A"] == 3
    assert effects(circle.hear("knit")) == []


def test_a_draw_that_follows_ends_it_too() -> None:
    circle = Circle("A knit 2", "B knit 2", "C knit 2")
    heard = circle.hear("bell")
    assert effects(heard) == [("TOY-COUNT-1", "C")]
    assert (heard.action.by, circle.state.bells) == (None, 1)


def test_what_is_owed_is_named_with_whoever_owes_it() -> None:
    circle = Circle("A knit 1")
    heard = circle.hear("B knit")
    assert not heard.accepted
    assert heard.verdict.breaches[0] == ("TOY-BID-2", {"seat": "A"})
    assert circle.state.rows == {"A": 1, "B": 0, "C": 0}


def test_as_it_happened_play_has_gone_on() -> None:
    circle = Circle("A knit 1")
    heard = circle.hear("B knit", lenient=True)
    assert [point.clause for point in heard.verdict.breaches] == ["TOY-BID-2"]
    assert circle.state.rows == {"A": 1, "B": 1, "C": 0}


def test_the_next_action_is_judged_by_its_own_rules() -> None:
    assert Circle("A knit 2").hear("B knit 0").verdict.clause == "TOY-BID-1"


def test_another_seat_than_the_next_ends_nothing() -> None:
    circle = Circle("A knit 2")
    assert circle.hear("C knit").verdict.clause == "TOY-TURN-1"
    assert circle.state.agenda.seats == ("A",)


def test_an_end_said_after_the_next_seat_went_on_is_refused() -> None:
    circle = Circle("A knit 2", "B knit 2")
    assert circle.hear("A stop").verdict.clause == "TOY-TURN-1"
    assert circle.state.agenda.seats == ("B",)


def test_where_the_end_is_spoken_others_wait() -> None:
    circle = Circle("A knit 2", stop="spoken")
    assert circle.hear("B knit").verdict.clause == "TOY-TURN-1"
    assert ENGINE.judge.unsaid(circle.setting, circle.state) == ()


def test_a_house_rule_may_set_silence_aside() -> None:
    circle = Circle("A knit 2", house_rules=("TOY-COUNT-1",))
    assert circle.hear("B knit").verdict.clause == "TOY-TURN-1"


def test_words_of_the_next_seat_are_offered_with_its_name() -> None:
    circle = Circle("A knit 2")
    words = {choice.word for choice in ENGINE.options.choices(circle.setting, circle.state)}
    assert {"knit", "stop", "B"} <= words
    after = {choice.word for choice in ENGINE.options.choices(circle.setting, circle.state, "B")}
    assert after == {"knit"}


def test_where_nobody_has_acted_a_seat_must_be_said_to_stand() -> None:
    circle = Circle()
    assert circle.hear("stop", lenient=True).action.by == "A"
    with pytest.raises(ParseError):
        circle.hear("Z knit")
