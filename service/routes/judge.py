"""The judge's bench: disputes, rulings, penalties, other readings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from answers.answer import Answered
from answers.judge import calls, disputes, precedents, rulings
from answers.judge import what_if as what_if_answers
from answers.judge.calls import CallsAnswer
from answers.judge.disputes import DisputeAnswer, DisputeListAnswer, DisputeShowAnswer
from answers.judge.precedents import BookTakenAnswer, RulingAnswer, RulingListAnswer
from answers.judge.rulings import PenaltyAnswer, PenaltyListAnswer, RulingIssueAnswer
from answers.judge.what_if import WhatIfAnswer
from answers.play.corrections import InsertionRefusedAnswer
from engines.kernel.registry import load_engine
from referee.archive.precedents import Book
from referee.judging.rulings import Decision
from referee.judging.what_if import Other
from referee.record.entries import Remedy
from referee.untrusted.safe_toml import write_toml
from service.routes.play import GoodReason, Line, Number, Reason, Words
from service.routing import Ask, File, Params, route

Lines = Annotated[list[Line], Field(max_length=100)]
Clause = Annotated[str | None, Field(max_length=40)]
Id = Annotated[str, Field(max_length=120)]


class Dispute(Params):
    number: Number
    text: Words = ""
    seat: Annotated[str | None, Field(max_length=1)] = None
    clause: Clause = None
    holds: bool = False


class Disputes(Params):
    open_only: bool = False


class Trying(Params):
    correct: Lines = []
    """A correction that is tried as a remedy too."""


class Trial(Trying):
    remedy: Remedy | None = None
    """The table after this remedy, instead of before the disputed action."""


class Ruling(Params):
    reason: Annotated[str, Field(min_length=1, max_length=2000)]
    remedy: Remedy = "none"
    dispute: Id | None = None
    numbers: Annotated[list[Number], Field(max_length=100)] = []
    clauses: Annotated[list[Id], Field(max_length=16)] = []
    lines: Lines = []
    stands: bool = False
    seat: Annotated[str | None, Field(max_length=1)] = None
    level: Annotated[str, Field(max_length=60)] = ""
    authority: Annotated[str, Field(max_length=120)] = ""
    cite: Annotated[list[Id], Field(max_length=32)] = []
    overturns: Id | None = None
    readings: dict[str, str] = {}
    scope: Literal["game", "tournament"] = "game"
    dry_run: bool = False


class Rulings(Params):
    game: str | None = None
    clause: Clause = None
    search: Annotated[str, Field(max_length=200)] = ""


class Source(Params):
    source: Annotated[str, Field(min_length=1, max_length=120)]
    names: bool = False


class Penalty(Params):
    seat: Annotated[str, Field(max_length=1)]
    level: Annotated[str, Field(min_length=1, max_length=60)]
    reason: Words = ""


class Otherwise(Params):
    readings: dict[str, str] = {}
    house_rules: list[str] | None = None
    kit: dict[str, Any] = {}

    def other(self) -> Other:
        return Other(
            readings=self.readings, house_rules=self.house_rules, kit=self.kit, engine=None
        )


class AllOtherwise(Otherwise):
    engine: str
    """Every game of this kind."""


@route("dispute-list")
def list_disputes(ask: Ask, wanted: Disputes) -> Answered[DisputeListAnswer]:
    return disputes.disputes(ask.caller, ask.game, open_only=wanted.open_only)


@route("dispute-calls")
def list_calls(ask: Ask) -> Answered[CallsAnswer]:
    return calls.calls(ask.caller)


@route("dispute-open")
def open_dispute(ask: Ask, said: Dispute) -> Answered[DisputeAnswer]:
    return disputes.dispute(
        ask.caller,
        ask.game,
        said.number,
        text=said.text,
        seat=said.seat,
        clause=said.clause,
        holds=said.holds,
        key=ask.key,
    )


@route("dispute-show")
def show_dispute(ask: Ask, wanted: Trying) -> Answered[DisputeShowAnswer]:
    return disputes.brief(ask.caller, ask.game, ask.path["dispute"], correct=wanted.correct)


@route("dispute-picture")
def dispute_picture(ask: Ask, wanted: Trial) -> File:
    drawn = disputes.brief_picture(
        ask.caller, ask.game, ask.path["dispute"], remedy=wanted.remedy, correct=wanted.correct
    )
    return File(f"{ask.game}-{ask.path['dispute']}.svg", drawn.encode(), "image/svg+xml")


@route("dispute-close")
def withdraw_dispute(ask: Ask, said: Reason) -> Answered[DisputeAnswer]:
    return disputes.withdraw_dispute(
        ask.caller, ask.game, ask.path["dispute"], reason=said.reason, key=ask.key
    )


@route("ruling-issue")
def rule(ask: Ask, said: Ruling) -> Answered[RulingIssueAnswer | InsertionRefusedAnswer]:
    decision = Decision(
        reason=said.reason,
        remedy="corrected" if said.lines and said.remedy == "none" else said.remedy,
        dispute=said.dispute,
        numbers=tuple(said.numbers),
        clauses=tuple(name.upper() for name in said.clauses),
        lines=tuple(said.lines),
        stands=said.stands,
        seat=said.seat.upper() if said.seat else None,
        level=said.level,
        authority=said.authority,
        overturns=said.overturns,
        readings=said.readings,
        scope=said.scope,
    )
    return rulings.rule(
        ask.caller, ask.game, decision, cite=said.cite, dry_run=said.dry_run, key=ask.key
    )


@route("ruling-case")
def ruling_case(ask: Ask) -> File:
    ruling = ask.path["ruling"]
    found = rulings.case(ask.caller, ask.game, ruling)
    return File(f"{ask.game}-{ruling}.toml", found.encode(), "application/toml")


@route("ruling-list")
def list_rulings(ask: Ask, wanted: Rulings) -> Answered[RulingListAnswer]:
    return precedents.rulings(
        ask.caller, game=wanted.game, clause=wanted.clause, search=wanted.search
    )


@route("ruling-show")
def show_ruling(ask: Ask) -> Answered[RulingAnswer]:
    return precedents.ruling(ask.caller, ask.path["ruling"], ask.game)


@route("ruling-export")
def export_rulings(ask: Ask, wanted: Source) -> File:
    found = precedents.book(ask.caller, wanted.source, names=wanted.names)
    text = write_toml(found.model_dump(mode="json"))
    return File("rulings.toml", text.encode(), "application/toml")


@route("ruling-import")
def import_rulings(ask: Ask, said: Book) -> Answered[BookTakenAnswer]:
    return precedents.take_over_book(ask.caller, said)


@route("penalty-list")
def list_penalties(ask: Ask) -> Answered[PenaltyListAnswer]:
    return rulings.penalties(ask.caller, ask.game)


@route("penalty-add")
def penalise(ask: Ask, said: Penalty) -> Answered[PenaltyAnswer]:
    return rulings.penalise(
        ask.caller, ask.game, said.seat.upper(), said.level, said.reason, key=ask.key
    )


@route("penalty-cancel")
def cancel_penalty(ask: Ask, said: GoodReason) -> Answered[PenaltyAnswer]:
    return rulings.cancel_penalty(
        ask.caller, ask.game, ask.path["penalty"], said.reason, key=ask.key
    )


@route("what-if", rehearses=True)
def what_if(ask: Ask, said: Otherwise) -> Answered[WhatIfAnswer]:
    return what_if_answers.what_if(ask.caller, ask.game, said.other())


@route("what-if-all", answer="what-if", rehearses=True)
def what_if_all(ask: Ask, said: AllOtherwise) -> Answered[WhatIfAnswer]:
    return what_if_answers.what_if_all(ask.caller, load_engine(said.engine).id, said.other())
