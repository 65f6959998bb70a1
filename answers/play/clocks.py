"""The clock of a table: who has how much time left, and how much there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import ClockSeconds, Increment, MoreSeconds
from answers.permissions import EVERYBODY as ALL_ROLES
from answers.permissions import Writes
from answers.verdict_text import as_time, short
from engines.kernel import Seat
from referee.record.clocks import EVERYBODY, Clock
from referee.record.entries import ClockSet, Remark
from referee.record.game import Game
from referee.table import lifecycle


class TableClockAnswer(Data):
    per: Literal["seat", "round"]
    seconds: int
    """What everybody has, or each round."""
    at_zero: Literal["nothing", "judge"]
    increment: int
    """Seconds that a seat is given whenever its turn is over."""
    set_by: int
    """The entry that set it, or gave time to it last."""
    round: int | None
    left: dict[str, int]
    """Seconds that are left at the moment ``since``, by seat, or of ``all``; of those that run,
    time goes on from there."""
    running: list[str]
    since: str


class GameClockAnswer(Data):
    game: str
    clock: TableClockAnswer | None
    moment: str
    """What time it is at the table."""
    live: bool
    """It is that time now; whoever looks on later sees the clock at the last entry."""


@operation("clock", "GET /games/{game}/clock", grant=ALL_ROLES, etag="content")
def show_clock(caller: Caller, game_id: str) -> Answered[GameClockAnswer]:
    """Who has how much time left."""
    return _answered(caller, caller.game(game_id))


@operation(
    "clock-set",
    "POST /games/{game}/clock",
    grant=Writes("clock_set"),
    described=True,
    answer="clock",
)
def set_clock(
    caller: Caller,
    game_id: str,
    seconds: ClockSeconds | None = None,
    *,
    per: Literal["seat", "round"] = "seat",
    at_zero: Literal["nothing", "judge"] = "nothing",
    increment: Increment = 0,
    seat: Seat | None = None,
    given: MoreSeconds = 0,
    reason: Remark = "",
) -> Answered[GameClockAnswer]:
    """The time that everybody has, or how much more is given.

    So much for each seat or round from now on, zero to have no clock; or some more ``given`` to
    one seat, or to all.
    """
    if seat is not None:
        caller.game(game_id).must_seat(seat)
    rule = ClockSet(
        per=per,
        seconds=seconds,
        at_zero=at_zero,
        increment=increment,
        seat=seat,
        given=given,
        reason=reason,
    )
    told = lifecycle.set_clock(caller.bench, game_id, rule, by=caller.by)
    return _answered(caller, caller.shown(told.game))


def _answered(caller: Caller, game: Game) -> Answered[GameClockAnswer]:
    def render(voice: Voice) -> Iterator[str]:
        if game.clock is None:
            yield voice.say("clock.none", game=short(game.id))
        else:
            yield voice.labelled(voice.say("info.clock"), clock_told(voice, caller, game))

    def data() -> GameClockAnswer:
        return GameClockAnswer(
            game=game.id,
            clock=clock_answer(game),
            moment=_moment(caller, game),
            live=_is_live(caller, game),
        )

    return Answered(data, render)


def clock_answer(game: Game) -> TableClockAnswer | None:
    clock = game.clock
    if clock is None:
        return None
    return TableClockAnswer(
        per=clock.rule.per,
        seconds=clock.rule.seconds or 0,
        at_zero=clock.rule.at_zero,
        increment=clock.rule.increment,
        set_by=clock.seq,
        round=clock.round,
        left={whose: round(left.total_seconds()) for whose, left in clock.left.items()},
        running=list(clock.running),
        since=clock.since,
    )


def clock_told(voice: Voice, caller: Caller, game: Game) -> str:
    """What everybody has left now; empty where there is no clock."""
    clock = game.clock
    if clock is None:
        return ""
    left = clock.left_at(_moment(caller, game))
    shown = [
        voice.say(_key(clock, whose), seat=voice.called(whose, game.seats), left=as_time(time))
        for whose, time in left.items()
    ]
    return ", ".join(shown)


def _key(clock: Clock, whose: str) -> str:
    """Whose it is, and whether it runs."""
    who = "round" if whose == EVERYBODY else "seat"
    return f"clock.{who}_runs" if whose in clock.running else f"clock.{who}"


def _moment(caller: Caller, game: Game) -> str:
    return caller.bench.moment(game) if _is_live(caller, game) else game.entries[-1].at


def _is_live(caller: Caller, game: Game) -> bool:
    """Never for who waits, even if nothing is held back now: the clock would tell when something
    is."""
    return game.closed is not None or not caller.waits(game.id, game.opened.tournament)
