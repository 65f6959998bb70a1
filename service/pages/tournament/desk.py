"""The organiser's desk: everything that is told of an event, told from one page."""

from __future__ import annotations

from collections.abc import Mapping

from answers.answer import Data
from answers.tournament.apart import ApartRow
from answers.tournament.broadcast import TournamentBroadcastAnswer
from answers.tournament.i18n import points
from answers.tournament.judging import ConcernAnswer, TournamentPenaltiesAnswer
from answers.tournament.lifecycle import TournamentInfoAnswer
from answers.tournament.players import PlayerAnswer, TournamentPlayersAnswer
from answers.tournament.registration import RegistrationAnswer
from answers.tournament.round_view import RoundAnswer
from answers.tournament.teams import TournamentTeamsAnswer
from answers.tournament.zones import TournamentZonesAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import (
    Hall,
    HallPrizes,
    HallRound,
    StandingRow,
    game_name,
    hall,
    number_of,
    prizes,
    standings,
)
from service.pages.tournament.register import path as register_path
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
    "tournament-apart",
    "tournament-keep-apart",
    "tournament-zones",
    "tournament-zones-set",
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
    "tournament-picture",
    "tournament-check",
    "tournament-export",
    "tournament-feature",
    "tournament-schedule",
    "tournament-comment",
    "tournament-wall",
    "tournament-announce",
    "tournament-rules",
    "tournament-reveal",
    "tournament-registration-set",
    "tournament-move-up",
    "tournament-prizes-set",
    "tournament-fee",
    "tournament-team-set",
    "tournament-line-up",
)
OF_TEAMS = ("team-set", "line-up")
"""What is told of teams alone."""


class PenaltyRow(Data):
    number: int
    name: str
    points: str
    reason: str
    cancelled: str | None
    level: str
    round: int
    infringement: str


class DeskPage(Hall):
    players: list[PlayerAnswer]
    present: int
    may: dict[str, bool]
    concerns: list[ConcernAnswer]
    """What waits for a judge; nothing for who may not know."""
    hears_calls: bool
    """Calls of all tables are for them: those of this event come live."""
    slips: str
    """Where the codes of slips lead."""
    penalties: list[PenaltyRow]
    apart: list[ApartRow]
    """Who must not meet: for organisers alone."""
    prizes: HallPrizes
    sections: list[str]
    paid: int | None
    """How many have paid the fee: for organisers alone."""
    zones: TournamentZonesAnswer | None
    """Whose tables are whose: for judges and organisers."""
    finals: list[PlayerAnswer]
    """Who plays on; nobody before the finals."""
    substitutes: list[StandingRow]
    """Who may come into the finals, the next of the standings first."""
    games: dict[str, str]
    """What is played, by name: for whoever rules how it is read."""
    unplaced: list[PlayerAnswer]
    """Who is here and has no place in the round: latecomers, and who has come back."""
    no_shows: list[PlayerAnswer]
    """Who did not come to their table and has not left the tournament."""
    dealt: bool
    """Every table draws the same: the organiser has the deals."""
    pairs_on: bool
    """There is another round to pair."""
    has_bracket: bool
    """A knock-out or finals have begun."""
    broadcast: TournamentBroadcastAnswer
    """What everybody is shown: who may watch and how late, boards, schedule, the big screens."""
    registration: RegistrationAnswer
    register_at: str
    """Where people register themselves; for organisers alone."""
    rosters: dict[str, int]
    """Where teams play: how many members each has."""


@page("event-desk", "/tournaments/{tournament}/desk")
def desk(page_context: PageContext) -> Shown:
    may = {name.removeprefix("tournament-"): page_context.may(name) for name in TOLD_HERE}
    if not page_context.may(ENTRY):
        raise HttpRefusal(
            "role", "role_may_not", role=page_context.role, roles=["organiser", "judge", "scribe"]
        )
    shown = hall(page_context, number_of(page_context.query.get("round", "")))
    may |= {name: may[name] and shown.team_boards > 0 for name in OF_TEAMS}
    listed: TournamentPlayersAnswer = page_context.ask("tournament-players").data
    players = listed.players
    people = {each.player: each for each in players}
    info: TournamentInfoAnswer = page_context.ask("tournament-info").data
    registration: RegistrationAnswer = page_context.ask("tournament-registration").data
    it = DeskPage(
        **dict(shown),
        players=players,
        present=sum(each.status == "present" for each in players),
        may=may,
        concerns=page_context.ask("tournament-disputes").data.concerns if may["disputes"] else [],
        hears_calls=page_context.may("events"),
        slips=f"{page_context.address}/tournaments",
        penalties=_penalties(page_context, people),
        apart=page_context.ask("tournament-apart").data.apart if may["apart"] else [],
        prizes=prizes(page_context, desk=True),
        sections=sorted({label for each in players for label in each.sections}),
        paid=listed.paid,
        zones=page_context.ask("tournament-zones").data if may["zones"] else None,
        finals=[people[player] for player in info.finals.players] if info.finals else [],
        substitutes=_substitutes(page_context, info, people),
        games={game: game_name(page_context, game) for game in info.readings},
        unplaced=_unplaced(shown.round, info, players),
        no_shows=[people[player] for player in _absent(shown.round, people)],
        dealt=info.plan["format"]["kind"] == "duplicate",
        pairs_on=_pairs_on(page_context, info),
        has_bracket=bool(page_context.ask("tournament-bracket").data.rounds),
        broadcast=page_context.ask("tournament-broadcast").data,
        registration=registration,
        register_at=register_path(shown.tournament, registration.code) if registration.code else "",
        rosters=_rosters(page_context) if shown.team_boards else {},
    )
    return Shown("tournament_desk", page_context.voice.say("hall.desk_of", name=shown.name), it)


def _rosters(page_context: PageContext) -> dict[str, int]:
    found: TournamentTeamsAnswer = page_context.ask("tournament-teams").data
    return {each.team: len(each.members) for each in found.teams}


def _penalties(page_context: PageContext, people: Mapping[str, PlayerAnswer]) -> list[PenaltyRow]:
    found: TournamentPenaltiesAnswer = page_context.ask("tournament-penalties").data
    return [
        PenaltyRow(
            number=each.event,
            name=people[each.player].name,
            points=points(page_context.voice, each.halves),
            reason=each.reason,
            cancelled=each.cancelled,
            level=each.level,
            round=each.round,
            infringement=each.infringement if each.infringement not in each.reason else "",
        )
        for each in found.penalties
    ]


def _substitutes(
    page_context: PageContext, info: TournamentInfoAnswer, people: Mapping[str, PlayerAnswer]
) -> list[StandingRow]:
    if info.finals is None:
        return []
    return [
        row
        for row in standings(page_context).rows
        if row.player not in info.finals.players and people[row.player].status == "present"
    ]


def _unplaced(
    round: HallRound | None, info: TournamentInfoAnswer, players: list[PlayerAnswer]
) -> list[PlayerAnswer]:
    """In finals nobody but the finalists has a place."""
    if round is None or info.finals is not None:
        return []
    placed = {each.player for table in round.tables for each in table.seats}
    placed |= {each.player for each in (*round.byes, *round.free)}
    return [each for each in players if each.status == "present" and each.player not in placed]


def _absent(round: HallRound | None, people: Mapping[str, PlayerAnswer]) -> list[str]:
    listed = [player for table in round.tables for player in table.absent] if round else []
    return [player for player in listed if people[player].status == "present"]


def _pairs_on(page_context: PageContext, info: TournamentInfoAnswer) -> bool:
    """Whether another round may follow: a knock-out ends with its final, a plan with its rounds."""
    played: list[RoundAnswer] = page_context.ask("tournament-bracket").data.rounds
    lives = info.plan["format"].get("lives", 1)
    if info.finals is None and info.plan["format"]["kind"] != "knockout":
        return info.rounds < int(info.plan["rounds"])
    if info.finals is not None and info.finals.style == "top_table":
        return not played
    if not played or played[-1].third_place is not None:
        return not played
    return len(played[-1].tables) > 1 or bool(played[-1].free) or lives > 1
