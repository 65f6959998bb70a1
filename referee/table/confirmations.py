"""Confirmation: a seat agrees with the record so far; somebody, with what a camera proposed."""

from __future__ import annotations

from referee.errors import Conflicting, Misused, NotFound
from referee.record.entries import Confirmed, Seen, Signed
from referee.record.game import Game
from referee.record.history import seen_by_camera
from referee.table.author import By
from referee.table.bench import Answer, Bench, once


@once(Confirmed)
def confirm(bench: Bench, game: Game, *, by: By, seq: int | None = None) -> Answer:
    """Confirm everything up to entry ``seq``; by default up to the last substantial one."""
    if by.author.seat is None:
        raise Misused("confirm_as_seat", role=by.author.role)
    upto = last_to_confirm(game) if seq is None else seq
    if not 0 <= upto <= game.version:
        raise NotFound("no_such_entry", entry=upto)
    entry = Confirmed(seat=by.author.seat, seq=upto, head=game.entries[upto].head)
    return bench.tell(game, [entry], by)


@once(Seen)
def confirm_seen(bench: Bench, game: Game, number: int, *, by: By) -> Answer:
    """It was so: what was logged by sight has been confirmed by somebody."""
    if seen_by_camera(game).get(number) != "unconfirmed":
        raise Conflicting("not_to_confirm", number=number)
    return bench.tell(game, [Seen(numbers=(number,), confirmed=True)], by)


def last_to_confirm(game: Game) -> int:
    """The last entry that is no confirmation or signature; of a closed record, the closing one."""
    if game.closed is not None:
        return game.seq_of(game.closed)
    for entry in reversed(game.entries):
        if not isinstance(entry.data, Confirmed | Signed):
            return entry.seq
    return 0
