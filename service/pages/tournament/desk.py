"""The tabs of an event: the desk, and what else is told or read of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from answers.admin.webhooks import OFFERED, WebhookRow, state_text
from answers.rulebooks.games import game_name
from answers.tournament.broadcast import TournamentBroadcastAnswer
from answers.tournament.hall_map import TournamentHallAnswer
from answers.tournament.lifecycle import TournamentInfoAnswer
from answers.tournament.players import DETAILS, TournamentPlayerAnswer, TournamentPlayersAnswer
from answers.tournament.prizes import TournamentPrizesAnswer, prize_lines, shown_prizes
from answers.tournament.registration import RegistrationAnswer
from answers.tournament.round_view import RoundAnswer, TableAnswer
from answers.tournament.rounds import TournamentRoundAnswer
from answers.tournament.standings import StandingsRow
from answers.tournament.teams import TournamentTeamsAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import (
    ENTRY,
    Tab,
    bracket,
    hall,
    in_the_alphabet,
    standings,
    tabs,
)
from service.pages.tournament.register import path as register_path
from service.problems import HttpRefusal

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
    "tournament-hall-set",
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
    "tournament-seed",
    "tournament-byes",
    "tournament-qualify",
    "tournament-team-set",
    "tournament-line-up",
    "tournament-line-ups-due",
    "webhook-add",
)
LAST_ENTRIES = 6
OF_TEAMS = ("team-set", "line-up", "line-ups-due")
"""What is told of teams alone."""


def _may(page_context: PageContext, shown: SimpleNamespace) -> dict[str, bool]:
    """What whoever looks may tell of the event."""
    may = {name.removeprefix("tournament-"): page_context.may(name) for name in TOLD_HERE}
    return may | {name: may[name] and shown.results.boards > 0 for name in OF_TEAMS}


def _event(page_context: PageContext, tab: Tab) -> SimpleNamespace:
    """An event with its people, what whoever looks may tell of it, and what its scripts know."""
    number = page_context.number("round")
    shown = tabs(page_context, hall(page_context, number), tab)
    listed: TournamentPlayersAnswer = page_context.ask("tournament-players").data
    shown.may, shown.listed = _may(page_context, shown), listed
    shown.sections = sorted({label for row in listed.players for label in row.sections})
    shown.people = {row.player: row for row in listed.players}
    round: TournamentRoundAnswer | None = shown.round
    shown.known = {
        "people": [row.model_dump() for row in listed.players] if shown.runs else [],
        "details": DETAILS,
        "may": shown.may,
        "planned": shown.info.plan["rounds"],
        "hears_calls": page_context.may("events"),
        "games": {game: game_name(page_context.voice, game) for game in shown.info.readings},
        "tables": [table.table for table in round.tables] if round is not None else [],
        "no_shows": _no_shows(round, shown.people),
    }
    return shown


def _refuse_others(page_context: PageContext, operation: str, *roles: str) -> None:
    if not page_context.may(operation):
        raise HttpRefusal("role", "role_may_not", role=page_context.role, roles=[*roles])


@page("event-desk", "/tournaments/{tournament}/desk")
def desk(page_context: PageContext) -> Shown:
    """The round, for who types results for an hour."""
    _refuse_others(page_context, ENTRY, "organiser", "judge", "scribe")
    shown = _event(page_context, "round")
    line_ups = _line_ups(page_context, shown)
    shown.known["line_ups"] = {"round": line_ups.round, "until": line_ups.due} if line_ups else None
    return Shown(
        "tournament_desk",
        page_context.voice.say("hall.desk_of", name=shown.info.name),
        **vars(shown),
        unplaced=_unplaced(shown.round, shown.info, shown.listed.players),
        pairs_on=_pairs_on(shown.played, shown.info, shown.still_in),
        entered=_last_entered(shown.round),
        line_ups=line_ups,
        hooks_off=[row.address for row in _hooks(page_context) if row.disabled],
    )


@page("event-map", "/tournaments/{tournament}/map")
def hall_map(page_context: PageContext) -> Shown:
    """Where the tables stand, and which of them wait."""
    shown = _event(page_context, "round")
    laid: TournamentHallAnswer = page_context.ask("tournament-hall").data
    shown.known["hall"] = laid.lines
    return Shown("tournament_map", shown.info.name, **vars(shown), laid=laid)


@page("event-players", "/tournaments/{tournament}/players")
def everybody(page_context: PageContext) -> Shown:
    shown = _event(page_context, "players")
    at: RegistrationAnswer = page_context.ask("tournament-registration").data
    shown.known["registration"] = {"capacity": at.capacity, "closes": at.closes, "asks": at.asks}
    teams = page_context.ask("tournament-teams").data.teams if shown.results.boards else []
    only, order = page_context.query.get("only", ""), page_context.query.get("order", "")
    listed: list[TournamentPlayerAnswer] = shown.listed.players
    offered = _filters(listed, fees=bool(shown.listed.paid))
    return Shown(
        "tournament_players",
        shown.info.name,
        **vars(shown),
        offered=offered,
        only=only,
        order=order,
        rows=sorted(
            (row for row in listed if only not in offered or _is_of(row, only)),
            key=_ORDERS.get(order, _ORDERS["number"]),
        ),
        registration=at,
        register_at=register_path(shown.info.tournament, at.code) if at.code else "",
        apart=page_context.ask("tournament-apart").data.apart if shown.may["apart"] else [],
        rosters={team.team: len(team.members) for team in teams},
    )


_ORDERS: dict[str, Callable[[TournamentPlayerAnswer], tuple[Any, ...]]] = {
    "number": lambda row: (row.number,),
    "name": lambda row: (in_the_alphabet(row.listed), row.number),
    "club": lambda row: (not row.club, in_the_alphabet(row.club), in_the_alphabet(row.listed)),
    "rating": lambda row: (-row.rating, in_the_alphabet(row.listed)),
    "seed": lambda row: (row.seed is None, row.seed or 0, -row.rating, row.number),
}
"""In which order players can be listed."""


def _filters(listed: list[TournamentPlayerAnswer], *, fees: bool) -> dict[str, tuple[str, str]]:
    """What a list of players can be narrowed to: by its word in the address, a kind and a name."""
    kinds = ["registered", "present", "dropped", *(["unpaid"] if fees else [])]
    sections = sorted({label for row in listed for label in row.sections}, key=in_the_alphabet)
    clubs = sorted({row.club for row in listed if row.club}, key=in_the_alphabet)
    return {
        **{kind: (kind, "") for kind in kinds},
        **{f"section:{label}": ("section", label) for label in sections},
        **{f"club:{club}": ("club", club) for club in clubs},
    }


def _is_of(row: TournamentPlayerAnswer, only: str) -> bool:
    kind, _, name = only.partition(":")
    if kind == "unpaid":
        return not row.paid and row.status != "dropped"
    if kind in ("club", "section"):
        return name in (row.sections if kind == "section" else [row.club])
    return row.status == kind


@page("event-standings", "/tournaments/{tournament}/standings")
def ranking(page_context: PageContext) -> Shown:
    """Who is ahead, and what can be won."""
    shown = _event(page_context, "standings")
    prizes: TournamentPrizesAnswer = page_context.ask("tournament-prizes").data
    lines = "\n".join(prize_lines(prizes))
    shown.known["prizes"] = {"lines": lines, "several": prizes.several}
    in_teams = shown.results.boards and shown.info.rounds
    return Shown(
        "tournament_standings",
        shown.info.name,
        **vars(shown),
        standings=standings(page_context, page_context.query.get("section") or None),
        prizes=prizes if shown.runs else shown_prizes(prizes),
        at_boards=page_context.ask("tournament-boards").data if in_teams else None,
    )


@page("event-judging", "/tournaments/{tournament}/judging")
def judging(page_context: PageContext) -> Shown:
    _refuse_others(page_context, "tournament-disputes", "organiser", "judge")
    shown = _event(page_context, "judging")
    shown.known["hall"] = page_context.ask("tournament-hall").data.lines
    return Shown(
        "tournament_judging",
        shown.info.name,
        **vars(shown),
        laid=page_context.ask("tournament-hall").data,
        penalties=page_context.ask("tournament-penalties").data.penalties,
        zones=page_context.ask("tournament-zones").data if shown.may["zones"] else None,
    )


@page("event-finals", "/tournaments/{tournament}/finals")
def finals(page_context: PageContext) -> Shown:
    shown = _event(page_context, "finals")
    on = shown.info.finals.players if shown.info.finals else []
    others = _substitutes(page_context, shown.info, shown.people) if shown.runs else []
    shown.known["finalists"] = on
    shown.known["substitutes"] = [[row.player, f"{row.rank}. {row.name}"] for row in others]
    return Shown(
        "tournament_finals",
        shown.info.name,
        **vars(shown),
        bracket=bracket(page_context),
        finalists=on,
    )


@page("event-papers", "/tournaments/{tournament}/papers")
def papers(page_context: PageContext) -> Shown:
    shown = _event(page_context, "papers")
    prizes = page_context.ask("tournament-prizes").data
    return Shown("tournament_papers", shown.info.name, **vars(shown), prizes=prizes)


@page("event-screens", "/tournaments/{tournament}/screens")
def screens(page_context: PageContext) -> Shown:
    """What the big screens show, what everybody is told, and what is broadcast."""
    _refuse_others(page_context, "tournament-comment", "organiser", "judge")
    shown = _event(page_context, "broadcast")
    on_air: TournamentBroadcastAnswer = page_context.ask("tournament-broadcast").data
    shown.known["wall"] = on_air.wall.model_dump()
    return Shown(
        "tournament_screens",
        shown.info.name,
        **vars(shown),
        broadcast=on_air,
        hooks=[(row, state_text(page_context.voice, row)) for row in _hooks(page_context)],
        happenings=OFFERED,
    )


def _hooks(page_context: PageContext) -> list[WebhookRow]:
    """The addresses that are told of this event; of nobody who may not register one."""
    if not page_context.may("webhook-list"):
        return []
    found: list[WebhookRow] = page_context.ask("webhook-list").data.webhooks
    return [row for row in found if row.scope in ("", page_context.path["tournament"])]


def _line_ups(page_context: PageContext, shown: SimpleNamespace) -> TournamentTeamsAnswer | None:
    """What the teams have told for the round that has not started; None where none is awaited."""
    if not shown.results.boards or shown.info.closed:
        return None
    told: TournamentTeamsAnswer = page_context.ask("tournament-teams").data
    started = shown.round is not None and shown.round.round == told.round
    return None if started and shown.round.state != "paired" else told


def _last_entered(round: TournamentRoundAnswer | None) -> list[TableAnswer]:
    """The tables whose results came last."""
    tables = round.tables if round is not None else []
    told = [table for table in tables if table.outcome is not None and table.event is not None]
    return sorted(told, key=lambda table: table.event or 0, reverse=True)[:LAST_ENTRIES]


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


def _pairs_on(played: list[RoundAnswer], info: TournamentInfoAnswer, still_in: list[str]) -> bool:
    """Whether another round may follow: a knock-out ends with its final, a plan with its rounds."""
    if info.finals is None and info.plan["format"]["kind"] not in _ELIMINATIONS:
        return info.rounds < int(info.plan["rounds"])
    if info.finals is not None and info.finals.style == "top_table":
        return not played
    if not played or played[-1].third_place is not None:
        return not played
    return len(played[-1].tables) > 1 or bool(played[-1].free) or len(still_in) > 1


_ELIMINATIONS = ("knockout", "double_elimination")
