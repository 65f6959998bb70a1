"""The pages of an event for everybody: its rounds and standings, one table, one player."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from answers.answer import Data
from answers.i18n import Voice
from answers.tournament.bracket import BracketRound
from answers.tournament.broadcast import ScheduleRow
from answers.tournament.i18n import figure
from answers.tournament.registration import RegistrationAnswer, own_line
from answers.tournament.standings import (
    PartAnswer,
    TermAnswer,
    TournamentWhyAnswer,
    section_place,
)
from answers.tournament.teams import TeamAnswer, TournamentTeamsAnswer
from referee.tournament.errors import NotPossible
from service.pages.home import page_of
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import (
    Hall,
    HallBoards,
    HallPrizes,
    HallRound,
    HallStandings,
    HallTable,
    boards,
    bracket,
    hall,
    number_of,
    prizes,
    round_of,
    rules,
    standings,
)
from service.pages.tournament.register import path as register_path
from service.pages.tournament.rules import RulesForm, rules_form

ENTERS = "tournament-result"
"""Whoever may do this stands at the desk."""
REPORTS = "tournament-report"
EMBLEM = "tournament-picture"
"""Whoever may do this runs the event."""


class EventRow(Data):
    tournament: str
    name: str
    players: int
    closed: bool


class EventsPage(Data):
    events: list[EventRow]
    form: RulesForm | None
    """None for who may make no event."""


class EventPage(Hall):
    standings: HallStandings
    prizes: HallPrizes
    bracket: list[BracketRound]
    rules: list[str]
    """What decides the event, in sentences."""
    schedule: list[ScheduleRow]
    at_boards: HallBoards | None
    """How people did at the boards of teams."""
    may_desk: bool
    me: str
    """The player who looks, if it is one."""
    register_at: str
    """Where whoever looks registers themselves, if that is open to them."""


class TournamentTablePage(Hall):
    table: HallTable
    place: str
    """The page of its record, where one is kept."""
    may_enter: bool
    mine: bool
    """Whoever looks sits there: they report and confirm, and call a judge."""
    me: str
    """The player who looks."""


class Met(Data):
    """A round of a player."""

    round: int
    state: str
    table: HallTable | None
    """None for who did not sit at any."""
    seat: str
    bye: bool


class Counted(Data):
    """One number of a sum, and what it comes from."""

    amount: str
    told: str
    counted: bool


class Summed(Data):
    column: str
    name: str
    value: str
    terms: list[Counted]


class PlayerPage(Hall):
    player: str
    called: str
    rank: int | None
    """None for who has never been there: they are not ranked."""
    status: str
    rounds_played: list[Met]
    """The last first."""
    final: int | None
    sections: list[str]
    """The place in each of their sections, in words."""
    parts: list[Summed]
    seat_page: str
    """Where this visitor plays, if it is at the table of this player."""
    mine: bool
    """It is the page of whoever looks."""
    me: str
    arrival: Literal["", "check-in", "late"]
    """How whoever looks may say that this player has come: the desk, or the player."""
    code: str
    """The picture that leads here, for the camera of the desk."""
    may_picture: bool
    """Whoever looks may choose the picture of this player."""
    registered: str
    """What they are told of their registration, before round one."""
    may_leave: bool
    """Whoever looks may still take themselves off the list."""
    team: TeamAnswer | None
    """Its people, where it is a team."""
    lines_up_for: int
    """The round for which whoever looks may say who plays; 0: they may not."""


@page("events", "/tournaments")
def events(page_context: PageContext) -> Shown:
    rows = page_context.ask("tournament-list").data.tournaments
    shown = EventsPage(
        events=[
            EventRow(
                tournament=row.tournament, name=row.name, players=row.players, closed=row.closed
            )
            for row in reversed(rows)
        ],
        form=rules_form(page_context) if page_context.may("tournament-new") else None,
    )
    return Shown("tournament_events", page_context.voice.say("hall.events"), shown)


@page("event", "/tournaments/{tournament}")
def event(page_context: PageContext) -> Shown:
    shown = hall(page_context, number_of(page_context.query.get("round", "")))
    it = EventPage(
        **dict(shown),
        standings=standings(page_context, page_context.query.get("section") or None),
        prizes=prizes(page_context),
        bracket=bracket(page_context),
        rules=rules(page_context),
        schedule=page_context.ask("tournament-info").data.schedule,
        at_boards=boards(page_context) if shown.team_boards and shown.rounds else None,
        may_desk=page_context.may(ENTERS),
        me=page_context.principal.person if _plays(page_context) else "",
        register_at=_register(page_context),
    )
    return Shown("tournament_event", shown.name, it)


def _register(page_context: PageContext) -> str:
    found: RegistrationAnswer = page_context.ask("tournament-registration").data
    if not found.code or found.state not in ("open", "full") or _plays(page_context):
        return ""
    return register_path(found.tournament, found.code)


@page("event-table", "/tournaments/{tournament}/r{round}/t{table}")
def table(page_context: PageContext) -> Shown:
    """Where the code of a slip leads."""
    number = int(page_context.path["round"]) if page_context.path["round"].isdecimal() else 0
    shown = hall(page_context, number)
    if shown.round is None:
        raise NotPossible("no_such_round", round=number)
    found = _at(shown.round, page_context.path["table"])
    it = TournamentTablePage(
        **dict(shown),
        table=found,
        place=page_of(page_context, found.game) if found.game else "",
        may_enter=shown.round.state == "started" and not shown.closed and page_context.may(ENTERS),
        mine=_plays(page_context) and found.seat_of(page_context.principal.person) != "",
        me=page_context.principal.person,
    )
    title = page_context.voice.say("tournament.table", table=found.table)
    return Shown("tournament_table", f"{title} · {shown.name}", it)


def _plays(page_context: PageContext) -> bool:
    """Whether whoever looks takes part in this event."""
    return page_context.principal.kind == "player" and page_context.may(REPORTS)


def _at(round: HallRound, number: str) -> HallTable:
    for each in round.tables:
        if str(each.table) == number:
            return each
    raise NotPossible("no_such_table", round=round.number, table=number[:10])


@page("event-player", "/tournaments/{tournament}/players/{player}")
def player(page_context: PageContext) -> Shown:
    people = {row.player: row for row in page_context.ask("tournament-players").data.players}
    names = {each: row.name for each, row in people.items()}
    asked = page_context.path["player"]
    if asked not in people and (waits := _waiting(page_context, asked)) is not None:
        return waits
    never_came = asked in people and people[asked].status == "registered"
    why: TournamentWhyAnswer | None = (
        None if never_came else page_context.ask("tournament-why").data
    )
    found = people[why.player if why is not None else asked]
    shown = hall(page_context, player=found.player)
    info = page_context.ask("tournament-info").data
    earlier = (
        round_of(page_context, info, number, found.player)
        for number in range(shown.rounds - 1, 0, -1)
    )
    met = [_met(each, found.player) for each in (shown.round, *earlier) if each is not None]
    mine = _plays(page_context) and found.player == page_context.principal.person
    it = PlayerPage(
        **dict(shown),
        player=found.player,
        called=found.name,
        rank=why.rank if why is not None else None,
        status=found.status,
        rounds_played=met,
        final=why.final if why is not None else None,
        sections=[section_place(page_context.voice, each) for each in why.sections]
        if why is not None
        else [],
        parts=[_summed(page_context.voice, part, names) for part in why.parts]
        if why is not None
        else [],
        seat_page=_seat_page(page_context, met),
        mine=mine,
        me=page_context.principal.person,
        arrival=_arrival(page_context, mine, shown, found.status),
        code=f"/tournaments/{shown.tournament}/players/{found.player}/qr.svg",
        may_picture=page_context.may("people-picture")
        and (found.player == page_context.principal.person or page_context.may(EMBLEM)),
        registered=_registered(page_context) if mine and not shown.rounds else "",
        may_leave=mine and not shown.rounds and not shown.closed and found.status != "dropped",
        **_team(page_context, shown, found.player, mine=mine),
    )
    return Shown("tournament_player", found.name, it)


def _registered(page_context: PageContext) -> str:
    own = page_context.ask("tournament-registration").data.mine
    return own_line(page_context.voice, own) if own is not None else ""


def _waiting(page_context: PageContext, asked: str) -> Shown | None:
    """The page of somebody on the waiting list, for themselves and for the desk."""
    found: RegistrationAnswer = page_context.ask("tournament-registration").data
    names = {row.player: row.name for row in found.waiting_list}
    mine = _plays(page_context) and asked == page_context.principal.person
    if mine and found.mine is not None and found.mine.place is not None:
        names[asked] = page_context.ask("access-who").data.name
    if asked not in names:
        return None
    shown = hall(page_context)
    it = PlayerPage(
        **dict(shown),
        player=asked,
        called=names[asked],
        rank=None,
        status="waiting",
        rounds_played=[],
        final=None,
        sections=[],
        parts=[],
        seat_page="",
        mine=mine,
        me=page_context.principal.person,
        arrival="",
        code="",
        may_picture=False,
        registered=_registered(page_context) if mine else page_context.voice.say("term.waiting"),
        may_leave=mine,
        team=None,
        lines_up_for=0,
    )
    return Shown("tournament_player", names[asked], it)


def _team(page_context: PageContext, shown: Hall, player: str, *, mine: bool) -> dict[str, Any]:
    if not shown.team_boards:
        return {"team": None, "lines_up_for": 0}
    wanted = {"team": player}
    found: TournamentTeamsAnswer = page_context.ask("tournament-teams", **wanted).data
    allowed = (mine or page_context.may(ENTERS)) and page_context.may("tournament-line-up")
    return {
        "team": found.teams[0],
        "lines_up_for": found.round if allowed and found.changeable else 0,
    }


def _arrival(
    page_context: PageContext, mine: bool, shown: Hall, status: str
) -> Literal["", "check-in", "late"]:
    if status != "registered" or shown.closed or not (mine or page_context.may(ENTERS)):
        return ""
    how: Literal["check-in", "late"] = "late" if shown.rounds else "check-in"
    return how if page_context.may(f"tournament-{how}") else ""


def _met(round: HallRound, player: str) -> Met:
    for table in round.tables:
        for each in table.seats:
            if each.player == player:
                seat = each.seat
                return Met(round=round.number, state=round.state, table=table, seat=seat, bye=False)
    bye = any(each.player == player for each in round.byes)
    return Met(round=round.number, state=round.state, table=None, seat="", bye=bye)


def _seat_page(page_context: PageContext, met: list[Met]) -> str:
    """A phone that was let in at a seat of the table that is played now goes there."""
    for each in met[:1]:
        if each.table is not None and each.table.game:
            principal = page_context.access_control.seated(page_context.principal, each.table.game)
            if principal.scope == each.table.game:
                return page_of(page_context, each.table.game)
    return ""


def _summed(voice: Voice, part: PartAnswer, names: dict[str, str]) -> Summed:
    return Summed(
        column=part.column,
        name=voice.say(f"column.{part.column}"),
        value=figure(voice, Fraction(*part.value), 4),
        terms=[_counted(voice, term, names) for term in part.terms],
    )


def _counted(voice: Voice, term: TermAnswer, names: dict[str, str]) -> Counted:
    known = f"term.{term.kind}"
    parts = [
        voice.say("tournament.round", round=term.round) if term.round is not None else "",
        voice.say(known) if known in voice.words else term.kind,
        ", ".join(names[other] for other in term.others),
    ]
    return Counted(
        amount=figure(voice, Fraction(*term.amount), 4),
        told=" · ".join(text for text in parts if text),
        counted=term.counted,
    )
