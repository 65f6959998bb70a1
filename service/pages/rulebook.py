"""The rules: clauses by the rulebook's headings, how each may be read and how it was ruled on."""

from __future__ import annotations

import re

from answers.review.stats import ClauseCount, StatsAnswer
from answers.rulebooks.games import assumed_data, clause_examples, game_name
from answers.rulebooks.rules import ClauseAnswer
from answers.rulebooks.wording import WordingRow
from referee.errors import NotFound
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

_FACT = re.compile(r"\{[a-z_]+\}")


@page("rules", "/rules")
def rules(page_context: PageContext) -> Shown:
    games = page_context.ask("engine-list").data.engines
    return Shown("rules", page_context.voice.say("rulebook.all"), games=games)


@page("rulebook", "/rules/{engine}")
def rulebook(page_context: PageContext) -> Shown:
    search = page_context.query.get("search", "").strip()[:200]
    every = page_context.ask("rules").data.clauses
    found = _with_words(page_context, search) if search else every
    return Shown(
        "rulebook",
        _name(page_context),
        game=page_context.path["engine"],
        about=page_context.ask("engine-info").data,
        clauses=len(every),
        sections=_by_headings(found),
        readings=[] if search else page_context.ask("readings").data.readings,
        audits=[] if search else page_context.ask("audits").data.audits,
        assumed=assumed_data(page_context.path["engine"]),
        wording=own_words(page_context),
        search=search,
    )


@page("rules-diff", "/rules/{engine}/changes")
def changes(page_context: PageContext) -> Shown:
    """What has changed since an earlier version; the file is chosen on the page."""
    game = page_context.ask("engine-info").data.engine
    return Shown("rules_diff", game_name(page_context.voice, game), game=game)


@page("clause", "/rules/{engine}/{clause}")
def clause(page_context: PageContext) -> Shown:
    wanted = page_context.path["clause"].upper()
    found = page_context.ask("rules", clause=wanted).data.clauses[0]
    order = [each.id for each in page_context.ask("rules").data.clauses]
    at = order.index(found.id)
    engine = page_context.path["engine"]
    return Shown(
        "clause",
        f"{found.id} · {_name(page_context)}",
        game=engine,
        clause=found,
        told=[_FACT.sub("…", sentence[page_context.voice.lang]) for sentence in found.because],
        readings=[
            each for each in page_context.ask("readings").data.readings if found.id in each.clauses
        ],
        rulings=page_context.ask("ruling-list", clause=found.id).data.rulings
        if page_context.may("ruling-list")
        else None,
        examples=clause_examples(page_context.voice, engine, found.id),
        counted=_counted(page_context, found.id) if page_context.query.get("counted") else None,
        wording=own_words(page_context, clause=found.id),
        before=order[at - 1] if at else "",
        after=order[at + 1] if at + 1 < len(order) else "",
    )


def own_words(page_context: PageContext, **asked: str) -> dict[str, WordingRow]:
    """What the club's book itself says, by clause; nothing for who is no member."""
    if not page_context.may("kit-wording"):
        return {}
    return {row.clause: row for row in page_context.ask("kit-wording", **asked).data.wording}


def _with_words(page_context: PageContext, search: str) -> list[ClauseAnswer]:
    try:
        found: list[ClauseAnswer] = page_context.ask("rules", search=search).data.clauses
    except NotFound:
        return []
    return found


def _by_headings(clauses: list[ClauseAnswer]) -> dict[str, list[ClauseAnswer]]:
    """Headings in the order in which they first come; none twice."""
    sections: dict[str, list[ClauseAnswer]] = {}
    for each in clauses:
        sections.setdefault(each.section, []).append(each)
    return sections


def _name(page_context: PageContext) -> str:
    return game_name(page_context.voice, page_context.path["engine"])


def _counted(page_context: PageContext, clause: str) -> ClauseCount | None:
    """How a clause fared in the archive, for who may know."""
    if not page_context.may("stats"):
        return None
    found: StatsAnswer = page_context.ask("stats", engine=page_context.path["engine"]).data
    return next((row for row in found.clauses if row.clause == clause), None)
