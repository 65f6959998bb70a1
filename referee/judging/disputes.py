"""Disputes: call a judge about an action, or withdraw the call."""

from __future__ import annotations

from referee.record.entries import DisputeClosed, Disputed
from referee.record.game import Game
from referee.table.author import SCRIBE, Author
from referee.table.bench import Answer, Bench, once


@once(Disputed)
def dispute(
    bench: Bench,
    game: Game,
    number: int,
    *,
    text: str = "",
    seat: str | None = None,
    clause: str | None = None,
    holds: bool = False,
    author: Author = SCRIBE,
    key: str | None = None,
) -> Answer:
    """Call for a judge about an action."""
    seat = seat or author.seat
    game.must_know(number)
    if seat is not None:
        game.must_seat(seat)
    if clause is not None:
        game.must_cite(clause)
    data = Disputed(
        id=f"d{len(game.disputes) + 1}",
        numbers=(number,),
        seat=seat,
        clause=clause,
        text=text,
        holds=holds,
    )
    return bench.tell(game, [data], author, key)


@once(DisputeClosed)
def withdraw(
    bench: Bench,
    game: Game,
    dispute_id: str,
    *,
    reason: str = "",
    author: Author = SCRIBE,
    key: str | None = None,
) -> Answer:
    """Whoever raised a dispute may withdraw it; a judge may always."""
    found = game.open_dispute(dispute_id)
    return bench.tell(game, [DisputeClosed(id=found.id, reason=reason)], author, key)
