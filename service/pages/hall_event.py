"""The pages of an event for everybody: its rounds and standings, one table, one player."""

from __future__ import annotations

from fractions import Fraction

from answers.answer import Data
from answers.tournament.ranking import PartAnswer, TermAnswer, TournamentWhyAnswer
from answers.tournament.voice import figure
from answers.voice import Voice
from referee.tournament.errors import NotPossible
from service.pages.guest import Guest
from service.pages.hall import (
    Hall,
    HallRound,
    HallStandings,
    HallTable,
    hall,
    number_of,
    round_of,
    standings,
)
from service.pages.home import page_of
from service.pages.rendering import Shown, page

ENTERS, STANDS_AT_THE_DESK = "tournament-result", "tournament-check-in"


class EventRow(Data):
    tournament: str
    name: str
    players: int
    closed: bool


class EventsPage(Data):
    events: list[EventRow]
    games: dict[str, str]
    """Those an event can be made of, by name; empty for who may make none."""


class EventPage(Hall):
    standings: HallStandings
    may_desk: bool


class TablePage(Hall):
    table: HallTable
    place: str
    """The page of its record, where one is kept."""
    may_enter: bool


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
    rank: int
    status: str
    rounds_played: list[Met]
    """The last first."""
    final: int | None
    parts: list[Summed]
    seat_page: str
    """Where this visitor plays, if it is at the table of this player."""


@page("events", "/tournaments")
def events(guest: Guest) -> Shown:
    rows = guest.ask("tournament-list").data.tournaments
    shown = EventsPage(
        events=[
            EventRow(
                tournament=row.tournament, name=row.name, players=row.players, closed=row.closed
            )
            for row in reversed(rows)
        ],
        games=_games(guest) if guest.may("tournament-new") else {},
    )
    return Shown("hall_events", guest.voice.say("hall.events"), shown)


def _games(guest: Guest) -> dict[str, str]:
    return {row.engine: row.name for row in guest.ask("engine-list").data.engines}


@page("event", "/tournaments/{tournament}")
def event(guest: Guest) -> Shown:
    shown = hall(guest, number_of(guest.query.get("round", "")))
    it = EventPage(
        **dict(shown), standings=standings(guest), may_desk=guest.may(STANDS_AT_THE_DESK)
    )
    return Shown("hall_event", shown.name, it)


@page("event-table", "/tournaments/{tournament}/r{round}/t{table}")
def table(guest: Guest) -> Shown:
    """Where the code of a slip leads."""
    number = int(guest.path["round"]) if guest.path["round"].isdecimal() else 0
    shown = hall(guest, number)
    if shown.round is None:
        raise NotPossible("no_such_round", round=number)
    found = _at(shown.round, guest.path["table"])
    it = TablePage(
        **dict(shown),
        table=found,
        place=page_of(guest, found.game) if found.game else "",
        may_enter=shown.round.state == "started" and not shown.closed and guest.may(ENTERS),
    )
    title = guest.voice.say("tournament.table", table=found.table)
    return Shown("hall_table", f"{title} · {shown.name}", it)


def _at(round: HallRound, number: str) -> HallTable:
    for each in round.tables:
        if str(each.table) == number:
            return each
    raise NotPossible("no_such_table", round=round.number, table=number[:10])


@page("event-player", "/tournaments/{tournament}/players/{player}")
def player(guest: Guest) -> Shown:
    shown = hall(guest)
    why: TournamentWhyAnswer = guest.ask("tournament-why").data
    people = {row.player: row for row in guest.ask("tournament-players").data.players}
    names = {each: row.name for each, row in people.items()}
    info = guest.ask("tournament-info").data
    met = [_met(round_of(guest, info, number), why.player) for number in range(shown.rounds, 0, -1)]
    it = PlayerPage(
        **dict(shown),
        player=why.player,
        called=why.name,
        rank=why.rank,
        status=people[why.player].status,
        rounds_played=met,
        final=why.final,
        parts=[_summed(guest.voice, part, names) for part in why.parts],
        seat_page=_seat_page(guest, met),
    )
    return Shown("hall_player", why.name, it)


def _met(round: HallRound, player: str) -> Met:
    for table in round.tables:
        for each in table.seats:
            if each.player == player:
                seat = each.seat
                return Met(round=round.number, state=round.state, table=table, seat=seat, bye=False)
    bye = any(each.player == player for each in round.byes)
    return Met(round=round.number, state=round.state, table=None, seat="", bye=bye)


def _seat_page(guest: Guest, met: list[Met]) -> str:
    """A phone that was let in at a seat of the table that is played now goes there."""
    for each in met[:1]:
        if each.table is not None and each.table.game == guest.visitor.scope != "":
            return page_of(guest, each.table.game)
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
