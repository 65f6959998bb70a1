"""Holding a game and going on with it; finishing a record and opening it again."""

from __future__ import annotations

from referee.errors import Conflicting
from referee.record.entries import Closed, Held, Reopened, Resumed, closing
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
