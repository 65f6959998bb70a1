"""What every page of a tournament shows: the round, who sits where, how it ended, the time."""

from __future__ import annotations

import unicodedata
from functools import partial
from types import SimpleNamespace
from typing import Literal

from answers.tournament.bracket import BracketRound, TournamentBracketAnswer, drawn_bracket
from answers.tournament.clock import ClockAnswer
from answers.tournament.lifecycle import TournamentInfoAnswer
from answers.tournament.match_slips import match_offered
from answers.tournament.result_slips import OutcomeText
from answers.tournament.rounds import TournamentRoundAnswer
from answers.tournament.standings import TournamentStandingsAnswer
from service.pages.page_context import PageContext


def hall(
    page_context: PageContext, number: int | None = None, player: str | None = None
) -> SimpleNamespace:
    """An event with one round of it; with the table of one player, or with all tables."""
    info: TournamentInfoAnswer = page_context.ask("tournament-info").data
    round = round_of(page_context, number, player) if info.rounds else None
    clock = round.clock if round is not None and not round.closed else None
    return SimpleNamespace(
        info=info,
        pictures=page_context.ask("tournament-faces").data,
        results=OutcomeText(page_context.voice, info.plan),
        round=round,
        clock=clock,
        times={each.table: each for each in clock.tables} if clock is not None else {},
        runs_down=partial(_runs_down, clock),
        match=match_offered(round.match) if round is not None else None,
        names=names_of(page_context) if round is not None and (round.byes or round.free) else {},
    )


def _runs_down(clock: ClockAnswer | None, table: int | None = None) -> dict[str, object] | None:
    """What ``runClock`` of a page counts from: the time of the round, or that of a table."""
    if clock is None:
        return None
    left = next((each.left for each in clock.tables if each.table == table), clock.left)
    return {"state": clock.state, "left": left, "wait": clock.starts_in}


Tab = Literal["round", "players", "standings", "judging", "finals", "papers", "broadcast", "rules"]
ENTRY = "tournament-result"
"""The desk is for those who may enter results."""


def tabs(page_context: PageContext, shown: SimpleNamespace, tab: Tab) -> SimpleNamespace:
    """The event with its tabs: what whoever looks may see or do nothing of is none of them."""
    info: TournamentInfoAnswer = shown.info
    may, place = page_context.may, f"/tournaments/{info.tournament}"
    shown.tab, shown.runs = tab, may(ENTRY)
    brackets: TournamentBracketAnswer = page_context.ask("tournament-bracket").data
    shown.played, shown.still_in = brackets.rounds, brackets.still_in
    shown.has_bracket = bool(brackets.rounds or brackets.matches)
    shown.concerns = (
        page_context.ask("tournament-disputes").data.concerns if may("tournament-disputes") else []
    )
    on_air = may("tournament-comment") or page_context.ask("tournament-broadcast").data.open
    there = {
        "round": f"{place}/desk" if shown.runs else place,
        "players": f"{place}/players",
        "standings": f"{place}/standings",
        "judging": f"{place}/judging" if may("tournament-disputes") else "",
        "finals": f"{place}/finals" if shown.has_bracket or may("tournament-finals") else "",
        "papers": f"{place}/papers",
        "broadcast": f"{place}/{'screens' if may('tournament-comment') else 'broadcast'}"
        if on_air
        else "",
        "rules": f"{place}/rules",
    }
    shown.tabs = {name: path for name, path in there.items() if path}
    return shown


def round_of(
    page_context: PageContext, number: int | None, player: str | None
) -> TournamentRoundAnswer:
    asked = page_context.ask("tournament-round", round=number, player=player)
    answer: TournamentRoundAnswer = asked.data
    return answer


def names_of(page_context: PageContext) -> dict[str, str]:
    return {row.player: row.name for row in page_context.ask("tournament-players").data.players}


def standings(page_context: PageContext, section: str | None = None) -> TournamentStandingsAnswer:
    asked = page_context.ask("tournament-standings", section=section)
    answer: TournamentStandingsAnswer = asked.data
    return answer


def in_the_alphabet(name: str) -> str:
    """In the order of a list of names, whatever accents they have."""
    return unicodedata.normalize("NFKD", name).casefold()


def bracket(page_context: PageContext) -> list[BracketRound]:
    """The rounds of a knock-out or of finals, the first one first."""
    answer: TournamentBracketAnswer = page_context.ask("tournament-bracket").data
    if not (answer.rounds or answer.matches):
        return []
    plan = page_context.ask("tournament-info").data.plan
    return drawn_bracket(page_context.voice, answer, plan, names_of(page_context))
