"""Players' own reports from their phones: results, and calls for a judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from answers.answer import Answered, Data
from answers.i18n import Voice, columns
from answers.limits import AnyName, Names
from answers.permissions import KEEPERS, Tells
from answers.tournament.context import DeskCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered
from answers.tournament.result_slips import Slip, outcome_of
from answers.tournament.round_view import named_result, outcome_text
from referee.errors import Misused, NotFound
from referee.record.entries import PLAYER, Remark
from referee.store.sidecars.access import shown_code
from referee.tournament.events import CallAnswered, CallTaken, JudgeCalled, Outcome, ResultReported
from referee.tournament.values import EventNumber, RoundNumber, TableNumber

HOURS = 72
"""So long a code lets a player in: an event with the evening before it."""


class InvitationRow(Data):
    player: str
    number: int
    name: str
    code: str
    """Typed or scanned, it lets one phone in, once."""
    expires: str | None


class TournamentInvitationsAnswer(Data):
    tournament: str
    invitations: list[InvitationRow]


@records(
    "tournament-report",
    "POST /tables/{table}/report",
    Tells("result_reported"),
    params="answers.requests.tournament:ReportRequest",
    rename={"slip": "*"},
)
def report(
    context: DeskCall,
    table: TableNumber,
    slip: Slip,
    *,
    player: str = "",
    round: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """What a player says of the own table; once all who sit there say so, it is the result."""
    at = context.round(round).number
    who = context.speaks_for(player)
    outcome = outcome_of(context, at, table, replace(slip, anyway=False))
    outcome = _in_order_of_others(context, at, table, outcome)
    event = ResultReported(round=at, table=table, player=who, outcome=outcome)
    return context.record(event, telling=lambda voice: _reported(voice, context, at, table))


def _in_order_of_others(context: DeskCall, number: int, table: int, outcome: Outcome) -> Outcome:
    """Who reports the same games as somebody else there agrees, in whatever order they tell them:
    ``2-1`` says nothing of it. At boards the order is what is told."""
    match = context.now.match_at(context.now.round(number), 2)
    if match is None or match.boards:
        return outcome
    for told in context.now.round(number).reports.get(table, {}).values():
        if sorted(told.outcome.games) == sorted(outcome.games):
            return outcome.model_copy(update={"games": told.outcome.games})
    return outcome


def _reported(voice: Voice, context: DeskCall, number: int, table: int) -> Iterator[str]:
    now = context.now
    round = now.round(number)
    where = voice.say("tournament.table_of_round", table=table, round=number)
    if round.result(table) is not None:
        yield voice.labelled(where, named_result(voice, context, round, table))
        yield voice.say("tournament.agreed")
        return
    reports = round.reports[table]
    names = context.names_of(round.table(table).seats)
    for player, told in reports.items():
        outcome = outcome_text(voice, now.plan, told.outcome, names)
        yield voice.labelled(where, voice.labelled(context.name(player), outcome))
    if table in round.differing:
        yield voice.say("tournament.reports_differ")
        return
    seats = round.table(table).seats
    missing = [context.name(player) for player in seats if player not in reports]
    yield voice.say("tournament.confirm_wanted", names=missing)


@records("tournament-call", "POST /tables/{table}/call", Tells("judge_called"))
def call_judge(
    context: DeskCall,
    table: TableNumber,
    text: Remark = "",
    *,
    player: AnyName = "",
    round: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """A table wants a judge, whether or not a record is kept there."""
    at = context.round(round).number
    who = context.speaks_for(player)
    return context.record(JudgeCalled(round=at, table=table, player=who, text=text))


@records("tournament-call-answer", "POST /calls/{number}/answer", Tells("call_answered"))
def answer_call(context: DeskCall, number: EventNumber, text: Remark = "") -> Answered[ToldAnswer]:
    """A judge has been there."""
    return context.record(CallAnswered(call=number, text=text))


@records("tournament-call-take", "POST /calls/{number}/attendance", Tells("call_taken"))
def take_call(context: DeskCall, number: EventNumber, *, off: bool = False) -> Answered[ToldAnswer]:
    """A judge is on the way; ``off``: leaves the call to others."""
    told = "call_left" if off else "call_taken"
    return context.record(
        CallTaken(call=number, off=off),
        telling=lambda voice: [voice.say(f"tournament.{told}", number=number)],
    )


@reads("tournament-invite", "POST /players/invitations", KEEPERS)
def invite(
    context: DeskCall, names: Names = (), *, everybody: bool = False
) -> Answered[TournamentInvitationsAnswer]:
    """A join code for the phone of each player; made anew, the earlier one is good no more.

    It stays good for that player: whoever has closed the tab or changed the phone comes back.
    """
    here = [p.id for p in context.now.players.values() if p.status != "dropped"]
    players = here if everybody else [context.player(name) for name in names]
    if not players:
        raise NotFound("nobody_to_invite") if everybody else Misused("which_players")
    access = context.caller.store_context.access
    whose = (PLAYER, context.id)
    unused = [code for code in access.codes() if (code.role, code.scope) == whose]
    access.revoke(*(code.id for code in unused if code.person in set(players)))
    made = access.make_codes(*whose, players, once=False, lifetime=timedelta(hours=HOURS))

    def data() -> TournamentInvitationsAnswer:
        rows = [
            InvitationRow(
                player=code.person,
                number=context.now.players[code.person].number,
                name=context.name(code.person),
                code=shown_code(letters),
                expires=code.expires,
            )
            for code, letters in made
        ]
        return TournamentInvitationsAnswer(tournament=context.id, invitations=rows)

    def render(voice: Voice) -> list[str]:
        rows = [(context.name(code.person), shown_code(letters)) for code, letters in made]
        return [voice.say("tournament.invited", count=len(rows)), *columns(rows)]

    return answered(data, render)
