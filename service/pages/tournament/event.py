"""The pages of an event for everybody: its rounds and standings, one table, one player."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Literal

from answers.tournament.bracket import own_path
from answers.tournament.registration import RegistrationAnswer, own_line
from answers.tournament.round_view import RoundAnswer, TableAnswer
from answers.tournament.standings import TournamentWhyAnswer
from answers.tournament.teams import TournamentTeamsAnswer
from referee.tournament.errors import NotPossible
from service.pages.home import page_of
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import ENTRY, hall, round_of, tabs
from service.pages.tournament.desk import desk
from service.pages.tournament.register import path as register_path
from service.pages.tournament.rules import rules_form

REPORTS = "tournament-report"
EMBLEM = "tournament-picture"
"""The emblem is changed by those who run the event."""


@page("events", "/tournaments")
def events(page_context: PageContext) -> Shown:
    return Shown(
        "tournament_events",
        page_context.voice.say("hall.events"),
        events=page_context.ask("tournament-list").data.tournaments[::-1],
        form=rules_form(page_context) if page_context.may("tournament-new") else None,
    )


@page("event", "/tournaments/{tournament}")
def event(page_context: PageContext) -> Shown:
    """The round; for those who enter results it is the desk."""
    if page_context.may(ENTRY):
        return desk(page_context)
    number = page_context.number("round")
    shown = tabs(page_context, hall(page_context, number), "round")
    return Shown(
        "tournament_event",
        shown.info.name,
        **vars(shown),
        known={},
        me=page_context.principal.person if _plays(page_context) else "",
        register_at=_register(page_context),
    )


def _register(page_context: PageContext) -> str:
    """Where whoever looks registers themselves, if that is open to them."""
    answer: RegistrationAnswer = page_context.ask("tournament-registration").data
    if not answer.code or answer.state not in ("open", "full") or _plays(page_context):
        return ""
    return register_path(answer.tournament, answer.code)


@page("event-table", "/tournaments/{tournament}/r{round}/t{table}")
def table(page_context: PageContext) -> Shown:
    """Where the code of a slip leads."""
    number = page_context.number("round") or 0
    shown = hall(page_context, number)
    info, round, me = shown.info, shown.round, page_context.principal.person
    if round is None:
        raise NotPossible("no_such_round", round=number)
    asked = page_context.path["table"]
    table = next((each for each in round.tables if str(each.table) == asked), None)
    if table is None:
        raise NotPossible("no_such_table", round=round.round, table=asked[:10])
    title = page_context.voice.say("tournament.table", table=table.table)
    return Shown(
        "tournament_table",
        f"{title} · {info.name}",
        **vars(shown),
        table=table,
        place=page_of(page_context, table.record) if table.record else "",
        may_enter=round.state == "started" and not info.closed and page_context.may(ENTRY),
        mine=_plays(page_context) and any(each.player == me for each in table.seats),
        me=me,
    )


def _plays(page_context: PageContext) -> bool:
    """Whether whoever looks takes part in this event."""
    return page_context.principal.kind == "player" and page_context.may(REPORTS)


@page("event-player", "/tournaments/{tournament}/players/{player}")
def player(page_context: PageContext) -> Shown:
    people = {row.player: row for row in page_context.ask("tournament-players").data.players}
    asked, me = page_context.path["player"], page_context.principal.person
    if asked not in people and (waits := _waiting(page_context, asked)) is not None:
        return waits
    never_came = asked in people and people[asked].status == "registered"
    why: TournamentWhyAnswer | None = (
        None if never_came else page_context.ask("tournament-why").data
    )
    found = people[why.player if why is not None else asked]
    shown = hall(page_context, player=found.player)
    rounds, closed = shown.info.rounds, shown.info.closed
    earlier = (round_of(page_context, number, found.player) for number in range(rounds - 1, 0, -1))
    met = [
        (each, _table_of(each, found.player))
        for each in (shown.round, *earlier)
        if each is not None
    ]
    mine = _plays(page_context) and found.player == me
    return Shown(
        "tournament_player",
        found.name,
        **vars(shown),
        player=found.player,
        called=found.name,
        status=found.status,
        why=why,
        everybody={each: row.name for each, row in people.items()},
        met=met,
        path=own_path(
            page_context.voice,
            page_context.ask("tournament-bracket").data,
            found.player,
            {each: row.name for each, row in people.items()},
        ),
        seat_page=_seat_page(page_context, met[0][1] if met else None),
        mine=mine,
        me=me,
        arrival=_arrival(page_context, shown, found.status, mine=mine),
        may_picture=page_context.may("people-picture")
        and (found.player == me or page_context.may(EMBLEM)),
        registered=_registered(page_context) if mine and not rounds else "",
        may_leave=mine and not rounds and not closed and found.status != "dropped",
        **_team(page_context, shown, found.player, mine=mine),
    )


def _registered(page_context: PageContext) -> str:
    """What they are told of their registration, before round one."""
    own = page_context.ask("tournament-registration").data.mine
    return own_line(page_context.voice, own) if own is not None else ""


def _waiting(page_context: PageContext, asked: str) -> Shown | None:
    """The page of somebody on the waiting list, for themselves and for the desk."""
    answer: RegistrationAnswer = page_context.ask("tournament-registration").data
    names = {row.player: row.name for row in answer.waiting_list}
    me = page_context.principal.person
    mine = _plays(page_context) and asked == me
    if mine and answer.mine is not None and answer.mine.place is not None:
        names[asked] = page_context.ask("access-who").data.name
    if asked not in names:
        return None
    return Shown(
        "tournament_player",
        names[asked],
        **vars(hall(page_context)),
        player=asked,
        called=names[asked],
        status="waiting",
        why=None,
        met=[],
        path=[],
        mine=mine,
        me=me,
        arrival="",
        may_picture=False,
        registered=_registered(page_context) if mine else page_context.voice.say("term.waiting"),
        may_leave=mine,
        team=None,
    )


def _team(
    page_context: PageContext, shown: SimpleNamespace, player: str, *, mine: bool
) -> dict[str, Any]:
    """The people of a team, and the round for which whoever looks may say who plays; 0: none."""
    if not shown.results.boards:
        return {"team": None}
    answer: TournamentTeamsAnswer = page_context.ask("tournament-teams", team=player).data
    on = shown.round
    awaited = not shown.info.closed and (
        on is None or on.round < answer.round or on.state == "paired"
    )
    allowed = page_context.may(ENTRY) or (mine and answer.changeable)
    allowed = awaited and allowed and page_context.may("tournament-line-up")
    return {
        "team": answer.teams[0],
        "line_ups": answer if awaited else None,
        "lines_up_for": answer.round if allowed else 0,
    }


def _arrival(
    page_context: PageContext, shown: SimpleNamespace, status: str, *, mine: bool
) -> Literal["", "check-in", "late"]:
    """How whoever looks may say that this player has come: the desk, or the player."""
    if status != "registered" or shown.info.closed or not (mine or page_context.may(ENTRY)):
        return ""
    how: Literal["check-in", "late"] = "late" if shown.info.rounds else "check-in"
    return how if page_context.may(f"tournament-{how}") else ""


def _table_of(round: RoundAnswer, player: str) -> TableAnswer | None:
    """Where a player sits in a round; None for who did not sit anywhere."""
    tables = (each for each in round.tables if any(s.player == player for s in each.seats))
    return next(tables, None)


def _seat_page(page_context: PageContext, table: TableAnswer | None) -> str:
    """A phone that was let in at a seat of the table that is played now goes there."""
    if table is None or not table.record:
        return ""
    principal = page_context.access_control.seated(page_context.principal, table.record)
    return page_of(page_context, table.record) if principal.scope == table.record else ""
