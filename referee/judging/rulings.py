"""Rulings: a judge decides a dispute; the remedy is carried out by the record's own entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engines.kernel import BadForm
from referee.errors import Conflicting, Misused, NotFound, RefereeError
from referee.judging.disputed import matter
from referee.record.entries import (
    DisputeClosed,
    Disputed,
    EntryData,
    Penalised,
    PenaltyCancelled,
    ReadingFixed,
    Remedy,
    Ruled,
)
from referee.record.fold import Change, Game
from referee.table.bench import Answer, Author, Bench, once
from referee.table.corrections import correction, taking_back

LINE_REMEDIES = ("taken_back", "corrected")
"""Remedies that change what counts."""


@dataclass(frozen=True)
class Decision:
    """What a judge decides. ``lines`` are what really happened, for ``corrected``."""

    reason: str
    remedy: Remedy = "none"
    dispute: str | None = None
    numbers: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    stands: bool = False
    """The lines happened so, even if they are illegal."""
    seat: str | None = None
    level: str = ""
    authority: str = ""
    precedents: tuple[str, ...] = ()
    overturns: str | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    scope: Literal["game", "tournament"] = "game"


@once(Ruled)
def issue(
    bench: Bench,
    game: Game,
    decision: Decision,
    *,
    author: Author,
    key: str | None = None,
    dry_run: bool = False,
) -> Answer:
    """Record a ruling together with everything its remedy does; dry, the game as it would be."""
    author.must_judge()
    if game.closed is not None and (decision.remedy in LINE_REMEDIES or decision.readings):
        raise Conflicting("closed")
    entries = ruling_entries(game, decision)
    if dry_run:
        after, change = bench.preview(game, entries)
        return Answer(after, change=change)
    raised = bench.raised_by(game, entries, author) if decision.lines else ()
    return bench.record(game, [*entries, *raised], author, key)


def ruling_entries(game: Game, decision: Decision) -> list[EntryData]:
    """The ruling and its remedy as entries."""
    numbers = _numbers(game, decision)
    for clause in decision.clauses:
        if clause not in game.engine.clauses:
            raise NotFound("no_such_clause", clause=clause)
    if decision.overturns is not None and (
        decision.overturns not in game.rulings or decision.overturns in game.overturned
    ):
        raise NotFound("no_such_ruling", ruling=decision.overturns)
    if decision.scope == "tournament" and not game.opened.tournament:
        raise Conflicting("no_tournament", game=game.id)
    for name, value in decision.readings.items():
        game.engine.check_reading(name, value)
        if decision.scope == "game" and not _changeable(game, name):
            raise Conflicting("reading_pinned", reading=name)
    ruling = Ruled(
        id=f"r{len(game.rulings) + 1}",
        dispute=decision.dispute,
        numbers=numbers,
        clauses=decision.clauses or _disputed_clauses(game, decision.dispute, numbers),
        remedy=decision.remedy,
        reason=decision.reason,
        authority=decision.authority,
        precedents=decision.precedents,
        overturns=decision.overturns,
        readings=dict(decision.readings),
        scope=decision.scope,
    )
    return [ruling, *_remedy(game, decision, ruling), *_readings(game, decision, ruling)]


def _disputed_clauses(game: Game, dispute: str | None, numbers: tuple[int, ...]) -> tuple[str, ...]:
    """What a ruling is about unless it says so: the clause disputed, or those in question."""
    if dispute is not None and (clause := game.disputes[dispute].clause) is not None:
        return (clause,)
    found = [clause for number in numbers for clause in matter(game, number).clauses]
    return tuple(dict.fromkeys(found))[:16]


def _numbers(game: Game, decision: Decision) -> tuple[int, ...]:
    if decision.dispute is None:
        for number in decision.numbers:
            if number > game.last_number:
                raise NotFound("no_such_action", number=number)
        return decision.numbers
    if decision.dispute not in game.disputes:
        raise NotFound("no_such_dispute", dispute=decision.dispute)
    if decision.dispute in game.settled and decision.overturns is None:
        raise Conflicting("dispute_settled", dispute=decision.dispute)
    return decision.numbers or game.disputes[decision.dispute].numbers


def _remedy(game: Game, decision: Decision, ruling: Ruled) -> list[EntryData]:
    reason = f"{ruling.id}: {decision.reason}"[:2000]
    if decision.remedy == "taken_back":
        first = _first(game, ruling)
        if first == 0:
            raise Conflicting("opening_stays")
        numbers = [0, *game.numbers()]
        before = numbers[numbers.index(first) - 1]
        return [taking_back(game, 0, before, reason)]
    if decision.remedy == "corrected":
        at = _first(game, ruling)
        return [correction(game, at, decision.lines, stands=decision.stands, reason=reason)]
    if decision.remedy == "penalty":
        if decision.seat is None or not decision.level:
            raise Misused("penalty_needs_seat")
        return [penalty(game, decision.seat, decision.level, decision.reason, ruling.id)]
    return []


def _first(game: Game, ruling: Ruled) -> int:
    counting = [number for number in (0, *game.numbers()) if number in ruling.numbers]
    if not counting:
        raise NotFound("nothing_to_remedy", ruling=ruling.id)
    return counting[0]


def _readings(game: Game, decision: Decision, ruling: Ruled) -> list[EntryData]:
    """What is read otherwise from here on; a game keeps what is pinned when it opens."""
    return [
        ReadingFixed(reading=name, value=value, reason=f"{ruling.id}: {decision.reason}"[:2000])
        for name, value in decision.readings.items()
        if _changeable(game, name)
    ]


def _changeable(game: Game, reading: str) -> bool:
    return game.engine.readings[reading].changeable == "any"


def penalty(game: Game, seat: str, level: str, reason: str, ruling: str | None = None) -> Penalised:
    """The entry of the next penalty."""
    if seat not in game.setting.seats:
        raise NotFound("no_such_seat", seat=seat)
    return Penalised(
        id=f"x{len(game.penalties) + 1}", seat=seat, level=level, reason=reason, ruling=ruling
    )


@once(Penalised)
def penalise(
    bench: Bench,
    game: Game,
    seat: str,
    level: str,
    reason: str,
    *,
    author: Author,
    key: str | None = None,
) -> Answer:
    author.must_judge()
    return bench.record(game, [penalty(game, seat, level, reason)], author, key)


@once(PenaltyCancelled)
def cancel_penalty(
    bench: Bench,
    game: Game,
    penalty_id: str,
    reason: str,
    *,
    author: Author,
    key: str | None = None,
) -> Answer:
    author.must_judge()
    if penalty_id not in game.penalties or penalty_id in game.cancelled:
        raise NotFound("no_such_penalty", penalty=penalty_id)
    entry = PenaltyCancelled(id=penalty_id, reason=reason)
    return bench.record(game, [entry], author, key)


@once(DisputeClosed)
def withdraw(
    bench: Bench,
    game: Game,
    dispute_id: str,
    *,
    reason: str = "",
    author: Author,
    key: str | None = None,
) -> Answer:
    """Whoever raised a dispute may withdraw it; a judge may always."""
    dispute = game.disputes.get(dispute_id)
    if dispute is None:
        raise NotFound("no_such_dispute", dispute=dispute_id)
    if dispute_id in game.settled:
        raise Conflicting("dispute_settled", dispute=dispute_id)
    if not _raised(dispute, author):
        author.must_judge()
    return bench.record(game, [DisputeClosed(id=dispute_id, reason=reason)], author, key)


def _raised(dispute: Disputed, author: Author) -> bool:
    if dispute.cause != "seat":
        return False
    return author.role == "scribe" or author.role == f"seat:{dispute.seat}"


@dataclass(frozen=True)
class RemedyPreview:
    """What one remedy would do to everything behind the disputed action."""

    remedy: Remedy
    after: Game | None = None
    change: Change | None = None
    gone: tuple[int, ...] = ()
    """The actions that would no longer count, neither now nor later."""
    problem: RefereeError | BadForm | None = None
    """Why it cannot be done, if it cannot."""


def previews(
    bench: Bench, game: Game, dispute: Disputed, lines: Sequence[str] = ()
) -> list[RemedyPreview]:
    """Every remedy a judge could choose, tried on a copy of the record."""
    remedies: list[Remedy] = ["stands", "taken_back", "penalty"]
    if lines:
        remedies.insert(2, "corrected")
    return [_preview(bench, game, dispute, remedy, lines) for remedy in remedies]


def _preview(
    bench: Bench, game: Game, dispute: Disputed, remedy: Remedy, lines: Sequence[str]
) -> RemedyPreview:
    appealed = game.settled.get(dispute.id)
    decision = Decision(
        reason="preview",
        remedy=remedy,
        dispute=dispute.id,
        lines=tuple(lines),
        seat=game.setting.seats[0],
        level="preview",
        overturns=appealed if appealed in game.rulings else None,
    )
    try:
        if remedy in LINE_REMEDIES and game.closed is not None:
            raise Conflicting("closed")
        after, change = bench.preview(game, ruling_entries(game, decision))
    except (RefereeError, BadForm) as problem:
        return RemedyPreview(remedy, problem=problem)
    left = set(after.numbers())
    return RemedyPreview(remedy, after, change, tuple(n for n in game.numbers() if n not in left))
