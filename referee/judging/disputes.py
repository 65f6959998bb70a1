"""Disputes: call a judge about an action, or withdraw the call."""

from __future__ import annotations

from typing import NamedTuple

from referee.errors import Conflicting, HeldUp
from referee.record.entries import (
    Attended,
    DisputeClosed,
    Disputed,
    EntryData,
    Held,
    Resumed,
    judges,
)
from referee.record.game import Game
from referee.table.author import BY_SCRIBE, By
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
    appeals: str | None = None,
    by: By = BY_SCRIBE,
) -> Answer:
    """Call for a judge about an action, or against a ruling on it."""
    seat = seat or by.author.seat
    game.must_know(number)
    ruling = None if appeals is None else game.ruling_in_force(appeals)
    if seat is not None:
        game.must_seat(seat)
    if clause is not None:
        game.must_cite(clause)
    data = Disputed(
        id=f"d{len(game.disputes) + 1}",
        numbers=(ruling.numbers if ruling else ()) or (number,),
        seat=seat,
        clause=clause,
        text=text,
        holds=holds and not _judge_holds(game),
        beside=game.held.id if holds and isinstance(game.held, Disputed) else None,
        appeals=ruling.id if ruling else None,
    )
    return bench.tell(game, [data], by)


def _judge_holds(game: Game) -> bool:
    """Then it stays so: who withdraws a dispute must not lift what a judge has paused."""
    return isinstance(game.held, Held) and judges(game.holder)


@once(DisputeClosed)
def withdraw(
    bench: Bench, game: Game, dispute_id: str, *, reason: str = "", by: By = BY_SCRIBE
) -> Answer:
    """Whoever raised a dispute may withdraw it; a judge may always."""
    found = game.open_dispute(dispute_id)
    return bench.tell(game, [DisputeClosed(id=found.id, reason=reason)], by)


@once(Attended)
def attend(
    bench: Bench, game: Game, dispute_id: str | None = None, *, off: bool = False, by: By
) -> Answer:
    """A judge goes to the table; ``off``: leaves it to others."""
    if dispute_id is not None:
        if game.ended_by(game.dispute_named(dispute_id)) is not None:
            raise Conflicting("dispute_settled", dispute=dispute_id)
    elif isinstance(game.held, Disputed):
        raise HeldUp("held_by_dispute", dispute=game.held.id)
    elif game.held is None:
        raise Conflicting("not_held")
    if off and by.author.person not in (one.person for one in going(game, dispute_id)):
        raise Conflicting("not_going")
    return bench.tell(game, [Attended(dispute=dispute_id, off=off)], by)


def _ends_hold(data: EntryData) -> bool:
    """Whether nobody is called to a pause any more: the game goes on, or waits for a dispute."""
    return isinstance(data, Resumed) or (isinstance(data, Disputed) and data.holds)


class Going(NamedTuple):
    """A judge who is on the way, or at the table."""

    person: str
    since: str


def going(game: Game, dispute_id: str | None = None) -> list[Going]:
    """Who goes to a dispute, or to a game that is held, the first one first."""
    found: dict[str, Going] = {}
    for entry in game.entries:
        data = entry.data
        if isinstance(data, Attended) and data.dispute == dispute_id:
            if data.off:
                found.pop(entry.by, None)
            else:
                found.setdefault(entry.by, Going(entry.by, entry.at))
        elif dispute_id is None and _ends_hold(data):
            found.clear()
    return list(found.values())


def same_deed(game: Game, dispute: Disputed) -> list[Disputed]:
    """The open calls that one ruling settles together, the first one first: what the referee has
    called a judge for, and what players say about it; or all appeals against one ruling. None, if
    it is settled."""
    calls = [
        other
        for other in game.open_disputes()
        if (other.numbers, other.appeals) == (dispute.numbers, dispute.appeals)
        and (other.clause == dispute.clause or _seen_in_line(game, other, dispute))
    ]
    alone = [other for other in calls if other.id == dispute.id]
    together = any(other.cause in ("stands", "finding") or other.appeals for other in calls)
    return calls if together and alone else alone


def _seen_in_line(game: Game, *calls: Disputed) -> bool:
    """Whether calls name what a line tells: under whichever clause, it is one deed. Two proofs by
    one line are two, and so is what nobody can write down, such as a hint by a word, or a clause
    that the game had when the call was made."""
    clauses = game.engine.clauses
    named = [call for call in calls if call.clause is not None]
    if len(named) < 2:
        return True
    cited = [clauses.get(call.clause) for call in named if call.clause]
    told = all(clause is not None and clause.kind != "unchecked" for clause in cited)
    return told and any(call.cause == "seat" for call in named)
