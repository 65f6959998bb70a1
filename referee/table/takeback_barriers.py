"""Barriers for take-backs: what a table may not take back without a judge.

A preset names the barriers: a draw or reveal that became known, another seat's decision. A refusal
names the barrier, and nothing of what lies behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.errors import NotAllowed
from referee.record.entries import Barrier, Unsealed
from referee.record.game import Game
from referee.record.line import Item
from referee.table.author import Author


def check_take_back(game: Game, first: int, author: Author) -> None:
    """Refuse if a barrier keeps this author from changing the line from ``first`` on."""
    barriers = game.opened.take_backs_need_judge
    if author.judges or not barriers:
        return
    touched = _from(game, first)
    found = next((b for b in barriers if _stands(b, game, touched, author)), None)
    if found is not None:
        raise NotAllowed("take_back_needs_judge", barrier=found, role=author.role)


def _from(game: Game, first: int) -> list[Item]:
    """The actions of the line from this one on; all of them, for the opening."""
    touched = []
    for item in game.backwards():
        if item.number is not None:
            touched.append(item)
        if item.number == first:
            return touched[::-1]
    return touched[::-1] if first == 0 else []


def _stands(barrier: Barrier, game: Game, touched: Sequence[Item], author: Author) -> bool:
    if not touched:
        return False
    if barrier == "observation":
        return _observed(touched) or _opened_since(game, touched[0].seq)
    return _others_decided(touched, author)


def _observed(touched: Iterable[Item]) -> bool:
    return any(item.action is not None and item.action.observes for item in touched)


def _opened_since(game: Game, seq: int) -> bool:
    """Whether a sealed value was opened since: that is a reveal, too."""
    return any(isinstance(entry.data, Unsealed) for entry in game.entries[seq + 1 :])


def _others_decided(touched: Sequence[Item], author: Author) -> bool:
    """Whether another seat's decision is among them.

    A seat may take back its own decisions, the scribe those of the seat that decided first.
    """
    seats = [
        item.action.by
        for item in touched
        if item.action is not None and item.action.by is not None and not item.action.observes
    ]
    own = author.seat or next(iter(seats), None)
    return any(seat != own for seat in seats)
