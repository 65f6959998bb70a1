"""Hold and resume, set the clock, close and reopen a record."""

from __future__ import annotations

from referee.errors import Conflicting, Misused
from referee.record.entries import ClockSet, Closed, Held, Reopened, Resumed, closing
from referee.record.fold import must_be_open
from referee.record.game import Game
from referee.table.author import BY_SCRIBE, By
from referee.table.bench import Answer, Bench, once
from referee.table.play import check_decided


@once(Held)
def hold(bench: Bench, game: Game, *, reason: str = "", by: By = BY_SCRIBE) -> Answer:
    """Block logging until somebody resumes. A judge may take over the hold of others."""
    held = Held(reason=reason)
    if bench.attempt(game, [held], by).game.held is game.held is not None:
        raise Conflicting("held_already", role=game.holder)
    return bench.tell(game, [held], by)


@once(Resumed)
def resume(bench: Bench, game: Game, *, reason: str = "", by: By = BY_SCRIBE) -> Answer:
    if game.held is None:
        raise Conflicting("not_held")
    return bench.tell(game, [Resumed(reason=reason)], by)


@once(ClockSet)
def set_clock(bench: Bench, game: Game, clock: ClockSet, *, by: By = BY_SCRIBE) -> Answer:
    """Set the clock from now on; the time used so far is forgotten, unless time is only added."""
    check_clock(game, clock)
    return bench.tell(game, [clock], by)


def check_clock(game: Game, clock: ClockSet) -> None:
    """Validate clock settings: either a time for everybody, or some more time."""
    if (clock.seconds is None) != bool(clock.given) or (clock.seat and not clock.given):
        raise Misused("clock_says_nothing")
    if clock.increment and (clock.per == "round" or not clock.seconds):
        raise Misused("increment_of_a_seat")
    if game.clock is None and not clock.seconds:
        raise Conflicting("plays_without_clock")


@once(Closed)
def close(bench: Bench, game: Game, *, reason: str = "", by: By = BY_SCRIBE) -> Answer:
    """Close the record, with the result if the game is over."""
    must_be_open(game)
    check_decided(game)
    result = game.engine.result(game.state)
    if result is None and not reason:
        raise Conflicting("not_over", seats=game.state.agenda.seats)
    return bench.tell(game, [closing(result, reason)], by)


@once(Reopened)
def reopen(bench: Bench, game: Game, *, reason: str, by: By = BY_SCRIBE) -> Answer:
    return bench.tell(game, [Reopened(reason=reason)], by)
