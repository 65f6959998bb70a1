"""The rules: clauses by the rulebook's headings, how each may be read and how it was ruled on."""

from __future__ import annotations

import re

from answers.answer import Data
from answers.judge.precedents import RulingAnswer
from answers.requests.judge import Rulings
from answers.requests.review import Stats
from answers.requests.rulebooks import Clauses
from answers.review.stats import ClauseCount, StatsAnswer
from answers.rulebooks.games import clause_examples, game_name
from answers.rulebooks.rules import (
    AuditRow,
    ClauseAnswer,
    EngineInfoAnswer,
    EngineRow,
    ReadingAnswer,
)
from answers.verdicts import Outcome
from referee.errors import NotFound
from service.pages.page_context import Guest
from service.pages.rendering import Shown, page

_FACT = re.compile(r"\{[a-z_]+\}")


class RulesPage(Data):
    games: list[EngineRow]


class Section(Data):
    """What stands under one heading of the rulebook."""

    heading: str
    clauses: list[ClauseAnswer]


class RulebookPage(Data):
    game: str
    name: str
    about: EngineInfoAnswer
    clauses: int
    sections: list[Section]
    readings: list[ReadingAnswer]
    audits: list[AuditRow]
    search: str
    """The words that all clauses on the page have; empty where all clauses are there."""


class Played(Data):
    """An example of a clause: what is said, and what the referee says of it."""

    place: str
    said: list[str]
    verdict: Outcome


class ClausePage(Data):
    game: str
    name: str
    clause: ClauseAnswer
    told: list[str]
    """How a breach is told, with a gap for every fact."""
    readings: list[ReadingAnswer]
    rulings: list[RulingAnswer] | None
    """None for who may not read the book."""
    examples: list[Played]
    counted: ClauseCount | None
    """How it fared in the archive, for who asks and may."""
    before: str
    after: str
    """Its neighbours in the rulebook."""


@page("rules", "/rules")
def rules(guest: Guest) -> Shown:
    games = guest.ask("engine-list").data.engines
    return Shown("rules", guest.voice.say("rulebook.all"), RulesPage(games=games))


@page("rulebook", "/rules/{engine}")
def rulebook(guest: Guest) -> Shown:
    search = guest.query.get("search", "").strip()[:200]
    every = guest.ask("rules").data.clauses
    found = _with_words(guest, search) if search else every
    shown = RulebookPage(
        game=guest.path["engine"],
        name=_name(guest),
        about=guest.ask("engine-info").data,
        clauses=len(every),
        sections=_by_headings(found),
        readings=[] if search else guest.ask("readings").data.readings,
        audits=[] if search else guest.ask("audits").data.audits,
        search=search,
    )
    return Shown("rulebook", shown.name, shown)


@page("clause", "/rules/{engine}/{clause}")
def clause(guest: Guest) -> Shown:
    wanted = guest.path["clause"].upper()
    found = guest.ask("rules", Clauses(clause=wanted)).data.clauses[0]
    order = [each.id for each in guest.ask("rules").data.clauses]
    at = order.index(found.id)
    shown = ClausePage(
        game=guest.path["engine"],
        name=_name(guest),
        clause=found,
        told=[_FACT.sub("…", sentence[guest.voice.lang]) for sentence in found.because],
        readings=[each for each in guest.ask("readings").data.readings if found.id in each.clauses],
        rulings=_rulings(guest, found.id),
        examples=_examples(guest, found.id),
        counted=_counted(guest, found.id) if guest.query.get("counted") else None,
        before=order[at - 1] if at else "",
        after=order[at + 1] if at + 1 < len(order) else "",
    )
    return Shown("clause", f"{found.id} · {shown.name}", shown)


def _with_words(guest: Guest, search: str) -> list[ClauseAnswer]:
    try:
        found: list[ClauseAnswer] = guest.ask("rules", Clauses(search=search)).data.clauses
    except NotFound:
        return []
    return found


def _by_headings(clauses: list[ClauseAnswer]) -> list[Section]:
    """Headings in the order in which they first come; none twice."""
    sections: dict[str, list[ClauseAnswer]] = {}
    for each in clauses:
        sections.setdefault(each.section, []).append(each)
    return [Section(heading=heading, clauses=under) for heading, under in sections.items()]


def _name(guest: Guest) -> str:
    return game_name(guest.voice, guest.path["engine"])


def _examples(guest: Guest, clause: str) -> list[Played]:
    engine = guest.path["engine"]
    return [
        Played(
            place=f"/situations/{engine}?example={clause}.{each.number}",
            said=each.said,
            verdict=each.verdict,
        )
        for each in clause_examples(guest.voice, engine, clause)
    ]


def _counted(guest: Guest, clause: str) -> ClauseCount | None:
    if not guest.may("stats"):
        return None
    found: StatsAnswer = guest.ask("stats", Stats(engine=guest.path["engine"])).data
    return next((row for row in found.clauses if row.clause == clause), None)


def _rulings(guest: Guest, clause: str) -> list[RulingAnswer] | None:
    if not guest.may("ruling-list"):
        return None
    found: list[RulingAnswer] = guest.ask("ruling-list", Rulings(clause=clause)).data.rulings
    return found
