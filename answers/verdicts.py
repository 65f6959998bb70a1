"""Verdicts as data: the answer types that all operations with verdicts share."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from answers.answer import Data
from answers.verdict_text import doubts
from engines.kernel import Action, Moves, Rearrangement, Verdict, to_plain
from referee.record.entries import action_data
from referee.table.play import Heard

Outcome = Literal["legal", "illegal", "undecided"]
Facts = Annotated[dict[str, Any], BeforeValidator(lambda facts: to_plain(dict(facts)))]
NOTHING_MOVED = Moves()
NOTHING_TO_MOVE = Rearrangement()


class PointAnswer(Data):
    clause: str
    """The clause that applies."""
    facts: Facts
    """What it was judged on, by name."""


class FindingAnswer(Data):
    status: Literal["broken", "cleared"]
    """Whether a breach is proven, or a claim cleared."""
    clause: str
    """The clause in question."""
    entries: list[int]
    """The actions that it is about, by number; at least one of them broke the clause."""
    facts: Facts
    """What it was judged on, by name."""
    since: int | None = None
    """Of a count that differs: where it was last right, if it ever was."""


class ActionAnswer(Data):
    """An action as records keep it; what it has besides its verb, the game's own schema says."""

    model_config = ConfigDict(extra="allow")

    verb: str
    """Which action of the game it is."""


class WarningAnswer(Data):
    """Something odd that breaks no clause."""

    warning: str
    """Its key."""
    facts: Facts
    """What it is about, by name."""


class MovedAnswer(Data):
    """So many of a thing went from a seat or place to another; none: from, or to, nowhere."""

    source: str | None
    """Where it lay."""
    target: str | None
    """Where it lies."""
    thing: str
    """What it is."""
    amount: int
    """How many."""


class ScoredAnswer(Data):
    seat: str
    """Who scored."""
    points: int
    """How many points by this action."""
    total: int
    """How many points in all."""


class RecountAnswer(Data):
    """Points of a seat, or the cards at a place, that are to be as many as ``now``."""

    holder: str
    what: Literal["points", "cards"]
    was: int
    now: int


class PileAnswer(Data):
    """The order in which things are to lie at a place; the last one on top."""

    place: str
    things: list[str]


class RearrangedAnswer(Data):
    """What must be moved on the table: the difference between how it lay and how it is to lie."""

    moved: list[MovedAnswer] = []
    counted: list[RecountAnswer] = []
    arranged: list[PileAnswer] = []
    told: list[str] = []
    """The same in sentences."""


def table_answer(rearranged: Rearrangement, told: list[str]) -> RearrangedAnswer:
    fields: dict[str, Any] = rearranged._asdict()
    return RearrangedAnswer(**fields, told=told)


class VerdictAnswer(Data):
    verdict: Outcome
    """What the rules say of it."""
    clause: str | None
    """The clause that decides."""
    breaches: list[PointAnswer]
    """The clauses that it breaks."""
    claims: list[PointAnswer]
    """The clauses that cannot be checked yet."""
    effects: list[PointAnswer]
    """What happens by itself."""
    findings: list[FindingAnswer]
    """What it proves about earlier actions."""
    warnings: list[WarningAnswer]
    """What is odd and breaks nothing."""
    doubted: list[PointAnswer] = []
    """Of a declared table: why it can hardly have come about."""
    moved: list[MovedAnswer]
    """What changed hands."""
    scored: list[ScoredAnswer]
    """Points that were scored."""


class DoubtAnswer(Data):
    """A datum of the box that the verdict rests on and that nobody at the table has vouched for."""

    datum: str
    """Its path in the box."""
    provenance: str
    """How it is known."""


class HeardAnswer(VerdictAnswer):
    """One action as it was heard at a table."""

    game: str
    """The game it was said in."""
    number: int | None
    """Its number, for ever, if it is recorded."""
    notation: str | None
    """The line as the record keeps it."""
    action: ActionAnswer | None
    """The same as data."""
    accepted: bool
    """Whether it counts."""
    stands: bool
    """Whether it was recorded though it is illegal."""
    may_stand: bool
    """Refused, but it can be recorded as it happened."""
    disputes: list[str]
    """The disputes that it opened, by their ids."""
    attention: bool
    """A judge should look at it: a dispute was opened, or a breach proven."""
    doubts: list[DoubtAnswer]
    """Data of the box that it rests on and nobody has vouched for."""
    to_act: list[str]
    """The seats that owe something next."""
    head: str
    """The hash of the last entry."""


def action_answer(action: Action) -> ActionAnswer:
    return ActionAnswer(**action_data(action))


def verdict_fields(verdict: Verdict, moves: Moves = NOTHING_MOVED) -> dict[str, Any]:
    """What a ``VerdictAnswer``, or one that says more, has to say of a verdict."""
    return {
        "verdict": verdict.outcome,
        "clause": verdict.clause,
        "breaches": verdict.breaches,
        "claims": verdict.claims,
        "effects": verdict.effects,
        "findings": verdict.findings,
        "doubted": verdict.doubted,
        "moved": moves.moved,
        "scored": moves.scored,
        "warnings": [
            {"warning": warning.key, "facts": warning.facts} for warning in verdict.warnings
        ],
    }


def heard_fields(heard: Heard) -> dict[str, Any]:
    """The same of a ``HeardAnswer``."""
    game, verdict = heard.game, heard.verdict
    return {
        **verdict_fields(verdict, heard.moves),
        "game": game.id,
        "number": heard.number,
        "notation": game.engine.text(heard.action) if heard.action is not None else None,
        "action": action_answer(heard.action) if heard.action is not None else None,
        "accepted": heard.accepted,
        "stands": heard.stands,
        "may_stand": heard.may_stand,
        "disputes": list(heard.disputes),
        "attention": bool(heard.disputes) or any(f.status == "broken" for f in verdict.findings),
        "doubts": [
            {"datum": datum, "provenance": provenance}
            for datum, provenance in doubts(
                game.engine, game.setting, game.state, verdict, heard.action
            )
        ],
        "to_act": list(game.state.agenda.seats),
        "head": game.head,
    }
