"""Holding a game and going on with it; its clock; finishing a record and opening it again."""

from __future__ import annotations

from referee.errors import Conflicting, Misused
from referee.record.entries import ClockSet, Closed, Held, Reopened, Resumed, closing
from referee.record.fold import must_be_open
from referee.record.game import Game
from referee.table.author import SCRIBE, Author
from referee.table.bench import Answer, Bench, once
from referee.table.play import check_decided


@once(Held)
def hold(
    bench: Bench,
    game: Game,
    *,
    reason: str = "",
    author: Author = SCRIBE,
    key: str | None = None,
) -> Answer:
    """Nothing is logged until somebody resumes. A judge may take over what others hold."""
    held = Held(reason=reason)
    if bench.attempt(game, [held], author).game.held is game.held is not None:
        raise Conflicting("held_already", role=game.holder)
    return bench.tell(game, [held], author, key)


@once(Resumed)
def resume(
    bench: Bench,
    game: Game,
    *,
    reason: str = "",
    author: Author = SCRIBE,
    key: str | None = None,
) -> Answer:
    if game.held is None:
        raise Conflicting("not_held")
    return bench.tell(game, [Resumed(reason=reason)], author, key)


@once(ClockSet)
def set_clock(
    bench: Bench, game: Game, clock: ClockSet, *, author: Author = SCRIBE, key: str | None = None
) -> Answer:
    """From now on; what was used before is forgotten, unless time is only given."""
    check_clock(game, clock)
    return bench.tell(game, [clock], author, key)


def check_clock(game: Game, clock: ClockSet) -> None:
    """A time for everybody, or more of it for somebody: one of them, and what it is said of."""
    if (clock.seconds is None) != bool(clock.given) or (clock.seat and not clock.given):
        raise Misused("clock_says_nothing")
    if game.clock is None and not clock.seconds:
        raise Conflicting("plays_without_clock")


@once(Closed)
def close(
    bench: Bench,
    game: Game,
    *,
    reason: str = "",
    author: Author = SCRIBE,
    key: str | None = None,
) -> Answer:
    """Finish the record, with the result of the game if it is over."""
    must_be_open(game)
    check_decided(game)
    result = game.engine.result(game.state)
    if result is None and not reason:
        raise Conflicting("not_over", seats=game.state.agenda.seats)
    return bench.tell(game, [closing(result, reason)], author, key)


@once(Reopened)
def reopen(
    bench: Bench, game: Game, *, reason: str, author: Author = SCRIBE, key: str | None = None
) -> Answer:
    return bench.tell(game, [Reopened(reason=reason)], author, key)
