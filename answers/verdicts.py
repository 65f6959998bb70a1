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
    facts: Facts


class FindingAnswer(Data):
    status: Literal["broken", "cleared"]
    clause: str
    entries: list[int]
    facts: Facts
    since: int | None = None
    """Of a count that differs: where it was last right, if it ever was."""


class ActionAnswer(Data):
    """An action as records keep it; what it has besides its verb, the game's own schema says."""

    model_config = ConfigDict(extra="allow")

    verb: str


class WarningAnswer(Data):
    """Something odd that breaks no clause."""

    warning: str
    facts: Facts


class MovedAnswer(Data):
    """So many of a thing went from a seat or place to another; none: from, or to, nowhere."""

    source: str | None
    target: str | None
    thing: str
    amount: int


class ScoredAnswer(Data):
    seat: str
    points: int
    total: int


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
    clause: str | None
    breaches: list[PointAnswer]
    claims: list[PointAnswer]
    effects: list[PointAnswer]
    findings: list[FindingAnswer]
    warnings: list[WarningAnswer]
    doubted: list[PointAnswer] = []
    """Of a declared table: why it can hardly have come about."""
    moved: list[MovedAnswer]
    """What changed hands."""
    scored: list[ScoredAnswer]


class DoubtAnswer(Data):
    """A datum of the box that the verdict rests on and that nobody at the table has vouched for."""

    datum: str
    provenance: str


class HeardAnswer(VerdictAnswer):
    """One action as it was heard at a table."""

    game: str
    number: int | None
    notation: str | None
    action: ActionAnswer | None
    accepted: bool
    stands: bool
    may_stand: bool
    """Refused, but it can be recorded as it happened."""
    disputes: list[str]
    attention: bool
    """A judge should look at it: a dispute was opened, or a breach proven."""
    doubts: list[DoubtAnswer]
    to_act: list[str]
    head: str


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
