"""The organiser's desk: everything that is told of an event, told from one page."""

from __future__ import annotations

from collections.abc import Mapping

from answers.tournament.lifecycle import TournamentInfoAnswer
from answers.tournament.players import DETAILS, TournamentPlayerAnswer, TournamentPlayersAnswer
from answers.tournament.registration import RegistrationAnswer
from answers.tournament.round_view import RoundAnswer
from answers.tournament.rounds import TournamentRoundAnswer
from answers.tournament.standings import StandingsRow
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import hall, number_of, standings
from service.pages.tournament.register import path as register_path
from service.problems import HttpRefusal

ENTRY = "tournament-result"
"""The desk is for those who may enter results."""
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


@page("event-desk", "/tournaments/{tournament}/desk")
def desk(page_context: PageContext) -> Shown:
    may = {name.removeprefix("tournament-"): page_context.may(name) for name in TOLD_HERE}
    if not page_context.may(ENTRY):
        raise HttpRefusal(
            "role", "role_may_not", role=page_context.role, roles=["organiser", "judge", "scribe"]
        )
    shown = hall(page_context, number_of(page_context.query.get("round", "")))
    info, in_teams = shown.info, shown.results.boards > 0
    may |= {name: may[name] and in_teams for name in OF_TEAMS}
    listed: TournamentPlayersAnswer = page_context.ask("tournament-players").data
    people = {row.player: row for row in listed.players}
    registration: RegistrationAnswer = page_context.ask("tournament-registration").data
    played: list[RoundAnswer] = page_context.ask("tournament-bracket").data.rounds
    teams = page_context.ask("tournament-teams").data.teams if in_teams else []
    return Shown(
        "tournament_desk",
        page_context.voice.say("hall.desk_of", name=info.name),
        **vars(shown),
        players=listed.players,
        paid=listed.paid,
        people=people,
        details=DETAILS,
        may=may,
        concerns=page_context.ask("tournament-disputes").data.concerns if may["disputes"] else [],
        penalties=page_context.ask("tournament-penalties").data.penalties,
        apart=page_context.ask("tournament-apart").data.apart if may["apart"] else [],
        prizes=page_context.ask("tournament-prizes").data,
        sections=sorted({label for row in listed.players for label in row.sections}),
        zones=page_context.ask("tournament-zones").data if may["zones"] else None,
        finals=info.finals.players if info.finals else [],
        substitutes=_substitutes(page_context, info, people),
        unplaced=_unplaced(shown.round, info, listed.players),
        no_shows=_no_shows(shown.round, people),
        pairs_on=_pairs_on(played, info),
        has_bracket=bool(played),
        broadcast=page_context.ask("tournament-broadcast").data,
        registration=registration,
        register_at=register_path(info.tournament, registration.code) if registration.code else "",
        rosters={team.team: len(team.members) for team in teams},
    )


def _substitutes(
    page_context: PageContext,
    info: TournamentInfoAnswer,
    people: Mapping[str, TournamentPlayerAnswer],
) -> list[StandingsRow]:
    """Who may come into the finals, the next of the standings first."""
    if info.finals is None:
        return []
    return [
        row
        for row in standings(page_context).rows
        if row.player not in info.finals.players and people[row.player].status == "present"
    ]


def _unplaced(
    round: TournamentRoundAnswer | None,
    info: TournamentInfoAnswer,
    players: list[TournamentPlayerAnswer],
) -> list[TournamentPlayerAnswer]:
    """Who is here and has no place in the round: latecomers, and who has come back.

    In finals nobody but the finalists has a place.
    """
    if round is None or info.finals is not None:
        return []
    placed = {seat.player for table in round.tables for seat in table.seats}
    placed |= {*round.byes, *round.free}
    return [
        player for player in players if player.status == "present" and player.player not in placed
    ]


def _no_shows(
    round: TournamentRoundAnswer | None, people: Mapping[str, TournamentPlayerAnswer]
) -> list[str]:
    """Who did not come to their table and has not left the tournament."""
    absent = (
        table.by_seat[letter].player
        for table in (round.tables if round is not None else ())
        for letter in (table.outcome["absent"] if table.outcome is not None else ())
    )
    return [player for player in absent if people[player].status == "present"]


def _pairs_on(played: list[RoundAnswer], info: TournamentInfoAnswer) -> bool:
    """Whether another round may follow: a knock-out ends with its final, a plan with its rounds."""
    lives = info.plan["format"].get("lives", 1)
    if info.finals is None and info.plan["format"]["kind"] != "knockout":
        return info.rounds < int(info.plan["rounds"])
    if info.finals is not None and info.finals.style == "top_table":
        return not played
    if not played or played[-1].third_place is not None:
        return not played
    return len(played[-1].tables) > 1 or bool(played[-1].free) or lives > 1
