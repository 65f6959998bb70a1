"""The rules: clauses by the rulebook's headings, how each may be read and how it was ruled on."""

from __future__ import annotations

import re

from answers.answer import Data
from answers.judge.precedents import RulingAnswer
from answers.review.stats import ClauseCount, StatsAnswer
from answers.rulebooks.games import assumed_data, clause_examples, game_name
from answers.rulebooks.rules import (
    AuditRow,
    ClauseAnswer,
    EngineInfoAnswer,
    EngineRow,
    ReadingAnswer,
)
from answers.verdicts import Outcome
from referee.errors import NotFound
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

_FACT = re.compile(r"\{[a-z_]+\}")


class RulesPage(Data):
    games: list[EngineRow]


class RulesDiffPage(Data):
    game: str
    name: str


class RulebookSection(Data):
    """What stands under one heading of the rulebook."""

    heading: str
    clauses: list[ClauseAnswer]


class RulebookPage(Data):
    game: str
    name: str
    about: EngineInfoAnswer
    clauses: int
    sections: list[RulebookSection]
    readings: list[ReadingAnswer]
    audits: list[AuditRow]
    assumed: int
    """So many data of the usual box are assumed."""
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
def rules(page_context: PageContext) -> Shown:
    games = page_context.ask("engine-list").data.engines
    return Shown("rules", page_context.voice.say("rulebook.all"), RulesPage(games=games))


@page("rulebook", "/rules/{engine}")
def rulebook(page_context: PageContext) -> Shown:
    search = page_context.query.get("search", "").strip()[:200]
    every = page_context.ask("rules").data.clauses
    found = _with_words(page_context, search) if search else every
    shown = RulebookPage(
        game=page_context.path["engine"],
        name=_name(page_context),
        about=page_context.ask("engine-info").data,
        clauses=len(every),
        sections=_by_headings(found),
        readings=[] if search else page_context.ask("readings").data.readings,
        audits=[] if search else page_context.ask("audits").data.audits,
        assumed=assumed_data(page_context.path["engine"]),
        search=search,
    )
    return Shown("rulebook", shown.name, shown)


@page("rules-diff", "/rules/{engine}/changes")
def changes(page_context: PageContext) -> Shown:
    """What has changed since an earlier version; the file is chosen on the page."""
    game = page_context.ask("engine-info").data.engine
    name = game_name(page_context.voice, game)
    return Shown("rules_diff", name, RulesDiffPage(game=game, name=name))


@page("clause", "/rules/{engine}/{clause}")
def clause(page_context: PageContext) -> Shown:
    wanted = page_context.path["clause"].upper()
    found = page_context.ask("rules", clause=wanted).data.clauses[0]
    order = [each.id for each in page_context.ask("rules").data.clauses]
    at = order.index(found.id)
    shown = ClausePage(
        game=page_context.path["engine"],
        name=_name(page_context),
        clause=found,
        told=[_FACT.sub("…", sentence[page_context.voice.lang]) for sentence in found.because],
        readings=[
            each for each in page_context.ask("readings").data.readings if found.id in each.clauses
        ],
        rulings=_rulings(page_context, found.id),
        examples=_examples(page_context, found.id),
        counted=_counted(page_context, found.id) if page_context.query.get("counted") else None,
        before=order[at - 1] if at else "",
        after=order[at + 1] if at + 1 < len(order) else "",
    )
    return Shown("clause", f"{found.id} · {shown.name}", shown)


def _with_words(page_context: PageContext, search: str) -> list[ClauseAnswer]:
    try:
        found: list[ClauseAnswer] = page_context.ask("rules", search=search).data.clauses
    except NotFound:
        return []
    return found


def _by_headings(clauses: list[ClauseAnswer]) -> list[RulebookSection]:
    """Headings in the order in which they first come; none twice."""
    sections: dict[str, list[ClauseAnswer]] = {}
    for each in clauses:
        sections.setdefault(each.section, []).append(each)
    return [RulebookSection(heading=heading, clauses=under) for heading, under in sections.items()]


def _name(page_context: PageContext) -> str:
    return game_name(page_context.voice, page_context.path["engine"])


def _examples(page_context: PageContext, clause: str) -> list[Played]:
    engine = page_context.path["engine"]
    return [
        Played(
            place=f"/situations/{engine}?example={clause}.{each.number}",
            said=each.said,
            verdict=each.verdict,
        )
        for each in clause_examples(page_context.voice, engine, clause)
    ]


def _counted(page_context: PageContext, clause: str) -> ClauseCount | None:
    if not page_context.may("stats"):
        return None
    found: StatsAnswer = page_context.ask("stats", engine=page_context.path["engine"]).data
    return next((row for row in found.clauses if row.clause == clause), None)


def _rulings(page_context: PageContext, clause: str) -> list[RulingAnswer] | None:
    if not page_context.may("ruling-list"):
        return None
    found: list[RulingAnswer] = page_context.ask("ruling-list", clause=clause).data.rulings
    return found
