"""Rulings: a judge decides a dispute; the remedy is carried out by the record's own entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from engines.kernel import ParseError
from engines.kernel.dialogue.clause_text import ReadingInWords
from engines.kernel.values.structs import evolve
from referee.errors import Conflicting, Misused, NotFound, RefereeError
from referee.judging.appeals import appealed, penalties_cancelled, put_back, readings_before
from referee.judging.dispute_subject import matter, offender, openly
from referee.judging.disputes import same_deed
from referee.record import entries as kinds
from referee.record.fold import must_be_open, supposed
from referee.record.game import Game
from referee.record.line import Change
from referee.secrecy.redaction import PUBLIC, seen
from referee.table.author import By
from referee.table.bench import Answer, Bench, once
from referee.table.corrections import correction, taking_back, tell_with_calls

LINE_REMEDIES = ("taken_back", "corrected")
"""Remedies that change what counts."""


class Decision(Struct, frozen=True):
    """What a judge decides. ``lines`` are what really happened, for ``corrected``."""

    reason: str
    remedy: kinds.Remedy = "none"
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


@once(kinds.Ruled)
def issue(bench: Bench, game: Game, decision: Decision, *, by: By, dry_run: bool = False) -> Answer:
    """Record a ruling together with everything its remedy does; dry, all that as it would be."""
    entries = ruling_entries(game, decision)
    if dry_run:
        return bench.attempt(game, entries, by)
    if decision.lines:
        return tell_with_calls(bench, game, entries, by)
    return bench.tell(game, entries, by)


def ruling_entries(game: Game, decision: Decision) -> list[kinds.EntryData]:
    """The ruling and its remedy as entries."""
    decision = _read_as_before(game, _as_appeal(game, decision))
    if decision.remedy in LINE_REMEDIES or decision.readings:
        must_be_open(game)
    ruling = kinds.Ruled(
        id=f"r{len(game.rulings) + 1}",
        dispute=decision.dispute,
        numbers=_numbers(game, decision),
        clauses=tuple(dict.fromkeys(decision.clauses)),
        remedy=decision.remedy,
        reason=decision.reason,
        authority=decision.authority,
        precedents=decision.precedents,
        overturns=decision.overturns,
        puts_back=decision.overturns is not None,
        readings=dict(decision.readings),
        scope=decision.scope,
    )
    check_ruling(game, ruling)
    undoing = put_back(game, ruling)
    before = supposed(game, undoing).game if undoing else game
    numbers = _as_they_were(ruling, undoing, game)
    clauses = ruling.clauses or _disputed_clauses(game, ruling, numbers)
    ruling = ruling.model_copy(update={"clauses": clauses, "numbers": numbers})
    return [
        ruling,
        *undoing,
        *_line_remedy(before, decision, ruling),
        *penalties_cancelled(game, ruling),
        *_sanction(before, decision, ruling),
        *readings_fixed(before, ruling),
    ]


def _as_appeal(game: Game, decision: Decision) -> Decision:
    """Whoever decides an appeal overturns the ruling that it is against, without naming it."""
    dispute = game.disputes.get(decision.dispute or "")
    if decision.overturns is not None:
        return evolve(decision, overturns=game.ruling_in_force(decision.overturns).id)
    if dispute is None or dispute.appeals is None:
        return decision
    return evolve(decision, overturns=appealed(game, dispute))


def _read_as_before(game: Game, decision: Decision) -> Decision:
    """On appeal the rulebook is read as before, unless the appeal itself says how."""
    if decision.overturns is None or game.closed is not None:
        return decision
    overturned = game.ruling_in_force(decision.overturns)
    before = readings_before(game, overturned)
    if not before:
        return decision
    scope = "tournament" if overturned.scope == "tournament" else decision.scope
    return evolve(decision, readings={**before, **decision.readings}, scope=scope)


def _as_they_were(
    ruling: kinds.Ruled, undoing: Sequence[kinds.Reinstated], game: Game
) -> tuple[int, ...]:
    """What an appeal is about: instead of what a remedy put in, what that replaced."""
    numbers: dict[int, None] = {}
    for number in ruling.numbers:
        replaced = [one for one in undoing if number in one.out]
        was = game.rulings[replaced[0].ruling].numbers if replaced else (number,)
        numbers.update(dict.fromkeys(was))
    return tuple(numbers)


def check_ruling(game: Game, ruling: kinds.Ruled) -> None:
    """Refuses a ruling about what is not there, or on what it may not decide."""
    for number in ruling.numbers:
        game.must_know(number)
    for clause in ruling.clauses:
        game.must_cite(clause)
    if ruling.overturns is not None:
        game.ruling_in_force(ruling.overturns)
    if ruling.scope == "tournament" and not game.opened.tournament:
        raise Conflicting("no_tournament", game=game.id)
    for name, value in ruling.readings.items():
        game.engine.check_reading(name, value)
        if ruling.scope == "game":
            must_be_changeable(game, name)


def _disputed_clauses(game: Game, ruling: kinds.Ruled, numbers: tuple[int, ...]) -> tuple[str, ...]:
    """What a ruling is about unless it says so: the clauses disputed, or those in question.

    A ruling is read by everybody: it names by itself what all may know to be in question. It
    names the clause of every call that it settles, or it would leave the others open.
    """
    if ruling.dispute is not None:
        dispute = game.dispute_named(ruling.dispute)
        others = [other.id for other in same_deed(game, dispute)]
        if ruling.overturns is not None:
            others += [one for one, by in game.joined.items() if by == ruling.overturns]
        public = seen(game, PUBLIC).disputes
        asked = [public[each].clause for each in dict.fromkeys((dispute.id, *others))]
        if clauses := tuple(dict.fromkeys(clause for clause in asked if clause is not None)):
            return clauses[:16]
    found = [clause for number in numbers for clause in openly(matter(game, number)).clauses]
    return tuple(dict.fromkeys(found))[:16]


def _numbers(game: Game, decision: Decision) -> tuple[int, ...]:
    if decision.dispute is None:
        return decision.numbers
    appealed = decision.overturns is not None
    find = game.dispute_named if appealed else game.open_dispute
    disputed = find(decision.dispute)
    return decision.numbers or disputed.numbers


def _line_remedy(game: Game, decision: Decision, ruling: kinds.Ruled) -> list[kinds.EntryData]:
    if decision.remedy == "taken_back":
        return [taken_back(game, ruling)]
    if decision.remedy == "corrected":
        at, reason = first_remedied(game, ruling), reason_of(ruling)
        return [correction(game, at, decision.lines, stands=decision.stands, reason=reason)]
    return []


def _sanction(game: Game, decision: Decision, ruling: kinds.Ruled) -> list[kinds.EntryData]:
    if decision.remedy != "penalty":
        return []
    seat = decision.seat or offender(game, ruling.numbers)
    if seat is None or not decision.level:
        raise Misused("penalty_needs_seat")
    return [penalty(game, seat, decision.level, decision.reason, ruling.id)]


def taken_back(game: Game, ruling: kinds.Ruled) -> kinds.TakenBack:
    """What a ruling takes back: the first action it is about, and everything after it."""
    first = first_remedied(game, ruling)
    if first == 0:
        raise Conflicting("opening_stays")
    numbers = [0, *game.numbers()]
    return taking_back(game, 0, numbers[numbers.index(first) - 1], reason_of(ruling))


def reason_of(ruling: kinds.Ruled) -> str:
    """Why an entry was made that carries out a ruling."""
    return f"{ruling.id}: {ruling.reason}"[:2000]


def first_remedied(game: Game, ruling: kinds.Ruled) -> int:
    """The first action that counts among those a ruling is about."""
    counting = [number for number in (0, *game.numbers()) if number in ruling.numbers]
    if not counting:
        raise NotFound("nothing_to_remedy", ruling=ruling.id)
    return counting[0]


def readings_fixed(game: Game, ruling: kinds.Ruled) -> list[kinds.ReadingFixed]:
    """What is read otherwise from here on; a game keeps what is pinned when it opens."""
    return [
        kinds.ReadingFixed(reading=name, value=value, reason=reason_of(ruling))
        for name, value in ruling.readings.items()
        if _changeable(game, name)
    ]


def must_be_changeable(game: Game, reading: str) -> None:
    if not _changeable(game, reading):
        question = ReadingInWords(game.engine.readings[reading].question)
        raise Conflicting("reading_pinned", reading=reading, question=question)


def _changeable(game: Game, reading: str) -> bool:
    return game.engine.readings[reading].changeable == "any"


def penalty(
    game: Game, seat: str, level: str, reason: str, ruling: str | None = None
) -> kinds.Penalised:
    """The entry of the next penalty."""
    game.must_seat(seat)
    return kinds.Penalised(
        id=f"x{len(game.penalties) + 1}", seat=seat, level=level, reason=reason, ruling=ruling
    )


@once(kinds.Penalised)
def penalise(bench: Bench, game: Game, seat: str, level: str, reason: str, *, by: By) -> Answer:
    return bench.tell(game, [penalty(game, seat, level, reason)], by)


@once(kinds.PenaltyCancelled)
def cancel_penalty(bench: Bench, game: Game, penalty_id: str, reason: str, *, by: By) -> Answer:
    entry = kinds.PenaltyCancelled(id=game.penalty_in_force(penalty_id).id, reason=reason)
    return bench.tell(game, [entry], by)


@once(kinds.ReadingFixed)
def fix_reading(
    bench: Bench, game: Game, reading: str, value: str, *, by: By, reason: str = ""
) -> Answer:
    """Read the rulebook so, from here on."""
    must_be_open(game)
    game.engine.check_reading(reading, value)
    must_be_changeable(game, reading)
    data = kinds.ReadingFixed(reading=reading, value=value, reason=reason)
    return bench.tell(game, [data], by)


class RemedyPreview(Struct, frozen=True):
    """What one remedy would do to everything behind the disputed action."""

    remedy: kinds.Remedy
    after: Game | None = None
    change: Change | None = None
    gone: tuple[int, ...] = ()
    """The actions that would no longer count, neither now nor later."""
    back: tuple[int, ...] = ()
    """Actions that would count again, because the ruling that took them out is overturned."""
    cancelled: tuple[str, ...] = ()
    """Penalties that would end with the ruling that gave them."""
    readings: Mapping[str, str] = field(default_factory=dict)
    """How the rulebook would be read from here on, where that changes."""
    problem: RefereeError | ParseError | None = None
    """Why it cannot be done, if it cannot."""


def previews(
    game: Game, dispute: kinds.Disputed, lines: Sequence[str] = (), *, stands: bool = False
) -> list[RemedyPreview]:
    """Every remedy a judge could choose, tried on the game; ``stands``: the lines happened."""
    remedies: list[kinds.Remedy] = ["none", "stands", "taken_back", "penalty"]
    if lines:
        remedies.insert(3, "corrected")
    return [_preview(game, dispute, remedy, lines, stands=stands) for remedy in remedies]


def _preview(
    game: Game, dispute: kinds.Disputed, remedy: kinds.Remedy, lines: Sequence[str], *, stands: bool
) -> RemedyPreview:
    decision = Decision(
        reason="preview",
        remedy=remedy,
        dispute=dispute.id,
        lines=tuple(lines),
        stands=stands,
        seat=game.setting.seats[0],
        level="preview",
        overturns=appealed(game, dispute),
    )
    try:
        entries = ruling_entries(game, decision)
        after, change = supposed(game, entries)
    except (RefereeError, ParseError) as problem:
        return RemedyPreview(remedy, problem=problem)
    was, left = game.numbers(), after.numbers()
    gone = tuple(number for number in was if number not in left)
    known = {*was, *range(game.last_number + 1, after.last_number + 1)}
    back = tuple(number for number in left if number not in known)
    return RemedyPreview(
        remedy, after, change, gone, back, cancelled_in(entries), readings_in(entries)
    )


def cancelled_in(entries: Sequence[kinds.EntryData]) -> tuple[str, ...]:
    """The penalties that end with a ruling."""
    return tuple(data.id for data in entries if isinstance(data, kinds.PenaltyCancelled))


def readings_in(entries: Sequence[kinds.EntryData]) -> dict[str, str]:
    """What is read otherwise by a ruling."""
    fixed = (data for data in entries if isinstance(data, kinds.ReadingFixed))
    return {data.reading: data.value for data in fixed}
