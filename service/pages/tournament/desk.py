"""The organiser's desk: everything that is told of an event, told from one page."""

from __future__ import annotations

from collections.abc import Mapping

from answers.answer import Data
from answers.tournament.i18n import points
from answers.tournament.judging import ConcernAnswer, TournamentPenaltiesAnswer
from answers.tournament.lifecycle import TournamentInfoAnswer
from answers.tournament.players import PlayerAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import Hall, game_name, hall, number_of
from service.problems import HttpRefusal

ENTRY = "tournament-result"
"""Whoever may do this stands at the desk."""
TOLD_HERE = (
    "tournament-register",
    "tournament-late",
    "tournament-check-in",
    "tournament-drop",
    "tournament-return",
    "tournament-pair",
    "tournament-unpair",
    "tournament-swap",
    "tournament-seat",
    "tournament-start",
    "tournament-unstart",
    "tournament-round-close",
    "tournament-round-reopen",
    ENTRY,
    "tournament-table",
    "tournament-clock-start",
    "tournament-finals",
    "tournament-disputes",
    "tournament-close",
    "tournament-reopen",
    "tournament-edit",
    "tournament-merge",
    "tournament-unregister",
    "tournament-bye",
    "tournament-invite",
    "tournament-penalise",
    "tournament-penalty-cancel",
    "tournament-reading",
    "tournament-lot",
    "tournament-move",
    "tournament-result-list",
    "tournament-round-check-in",
    "tournament-clock-extend",
    "tournament-call-answer",
    "tournament-finals-cancel",
    "tournament-finalist",
    "tournament-revise",
    "tournament-check",
    "tournament-export",
)


class PenaltyRow(Data):
    number: int
    name: str
    points: str
    reason: str
    cancelled: str | None


class DeskPage(Hall):
    players: list[PlayerAnswer]
    present: int
    may: dict[str, bool]
    concerns: list[ConcernAnswer]
    """What waits for a judge; nothing for who may not know."""
    hears_calls: bool
    """Calls of all tables are for them: those of this event come live."""
    timed: bool
    """The rules publish a time for a round."""
    slips: str
    """Where the codes of slips lead."""
    penalties: list[PenaltyRow]
    finals: list[PlayerAnswer]
    """Who plays on; nobody before the finals."""
    games: dict[str, str]
    """What is played, by name: for whoever rules how it is read."""


@page("event-desk", "/tournaments/{tournament}/desk")
def desk(page_context: PageContext) -> Shown:
    may = {name.removeprefix("tournament-"): page_context.may(name) for name in TOLD_HERE}
    if not page_context.may(ENTRY):
        raise HttpRefusal(
            "role", "role_may_not", role=page_context.role, roles=["organiser", "judge", "scribe"]
        )
    shown = hall(page_context, number_of(page_context.query.get("round", "")))
    players = page_context.ask("tournament-players").data.players
    people = {each.player: each for each in players}
    info: TournamentInfoAnswer = page_context.ask("tournament-info").data
    it = DeskPage(
        **dict(shown),
        players=players,
        present=sum(each.status == "present" for each in players),
        may=may,
        concerns=page_context.ask("tournament-disputes").data.concerns if may["disputes"] else [],
        hears_calls=page_context.may("events"),
        timed=info.plan["time"] is not None,
        slips=f"{page_context.address}/tournaments",
        penalties=_penalties(page_context, people),
        finals=[people[player] for player in info.finals.players] if info.finals else [],
        games={game: game_name(page_context, game) for game in info.readings},
    )
    return Shown("tournament_desk", page_context.voice.say("hall.desk_of", name=shown.name), it)


def _penalties(page_context: PageContext, people: Mapping[str, PlayerAnswer]) -> list[PenaltyRow]:
    found: TournamentPenaltiesAnswer = page_context.ask("tournament-penalties").data
    return [
        PenaltyRow(
            number=each.event,
            name=people[each.player].name,
            points=points(page_context.voice, each.halves),
            reason=each.reason,
            cancelled=each.cancelled,
        )
        for each in found.penalties
    ]
