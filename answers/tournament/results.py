"""Opens the games of a round, and records their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import Players, ResultLines
from answers.permissions import Tells, Writes
from answers.refusals import OpeningRefusedAnswer, opening_refused
from answers.rulebooks.boxes import club_kit
from answers.tournament.context import DeskCall, ToldAnswer, at_the_desk, recording, records
from answers.tournament.i18n import answered, fluent
from answers.tournament.result_slips import PAPER, Slip, outcome_of, read_line, read_lines
from answers.tournament.round_view import named_result, outcome_text, seated
from answers.verdict_text import short as short_game
from answers.verdict_text import to_act
from engines.kernel import KitSheet
from engines.kernel.messages.catalogue import Phrase
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, Misused
from referee.record.entries import Remark
from referee.table.bench import IdempotencyKeyReused
from referee.table.openings import OpeningRefused
from referee.tournament.events import MOST_BOARDS, ByHand, ResultCorrected, ResultEntered
from referee.tournament.state import Tournament
from referee.tournament.values import RoundNumber, TableNumber

GamesAt = Mapping[tuple[int, int], Sequence[str]]
"""The latest records of the tables of an event, by round and table."""


class TournamentTableAnswer(Data):
    tournament: str
    round: int
    table: int
    board: int | None
    """The board of a team match."""
    game: str
    new: bool
    seats: dict[str, str]
    readings: dict[str, str]


@operation(
    "tournament-table",
    "POST /tournaments/{tournament}/tables/{table}",
    grant=Writes("opened"),
    rename={"number": "table", "line": "table"},
)
def open_table(
    caller: Caller,
    tournament: str,
    number: int,
    line: Remark = "",
    *,
    round: RoundNumber | None = None,
    players: Players | None = None,
    again: bool = False,
    board: Annotated[int | None, Field(ge=1, le=MOST_BOARDS)] = None,
) -> Answered[TournamentTableAnswer | OpeningRefusedAnswer]:
    """The record of a table, or of a board of a team match: a new one, or the one that goes on."""
    with at_the_desk(caller, tournament) as context:
        if known := context.recorded_before():
            raise IdempotencyKeyReused("key_reused", key=caller.key, entry=known[0].number)
        at = context.round(round).number
        heard, new = context.desk.open_table(
            context.id,
            at,
            number,
            line,
            players=players,
            again=again,
            board=board,
            kit=_published_box(context, at),
            by=caller.by,
        )
        if isinstance(heard, OpeningRefused):
            return opening_refused(context.now.plan.game_of(at), heard)
        game = heard.game

        def render(voice: Voice) -> Iterator[str]:
            message = "tournament.table_opened" if new else "tournament.table_goes_on"
            told = voice.say(message, table=number, round=at, game=short_game(game.id))
            where = voice.say("tournament.board", board=board) if board is not None else ""
            yield f"{told} · {where}" if where else told
            names = (f"{seat} {context.name(person)}" for seat, person in game.seats.items())
            yield f"  {' · '.join(names)}"
            yield f"  {to_act(voice, game)}"

        return answered(
            lambda: TournamentTableAnswer(
                tournament=context.id,
                round=at,
                table=number,
                board=board,
                game=game.id,
                new=new,
                seats=dict(game.seats),
                readings=dict(game.setting.readings),
            ),
            render,
        )


def _published_box(context: DeskCall, number: int) -> KitSheet | None:
    """The club's box that the rules of the event name; else one that is shipped is meant."""
    plan = context.now.plan
    game = plan.game_of(number)
    name = plan.presets.get(game, {}).get("kit")
    return None if name is None else club_kit(context.caller, load_engine(game), name)


@records("tournament-results", "POST /results", Tells("result_entered"))
def take_results(
    context: DeskCall, table: TableNumber | None = None, *, round: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    """The result of a table from its record; without a table, of all closed records."""
    at = context.round(round).number
    desk = context.desk
    if table is None:
        taken = desk.collect(
            context.id,
            at,
            by=context.by,
            unproven=lambda error: context.warnings.append(error.phrase),
        )
    else:
        desk.take_result(context.id, at, table, by=context.by)
        taken = [table]
    return context.recorded_answer(lambda voice: _results(voice, context, at, taken))


@records(
    "tournament-result",
    "POST /tables/{table}/result",
    Tells("result_entered"),
    params="answers.requests.tournament:ResultRequest",
    rename={"slip": "*"},
)
def enter_result(
    context: DeskCall, table: int, slip: Slip, reason: str, *, round: int | None = None
) -> Answered[ToldAnswer]:
    """A result from a slip of paper, and why it is not taken from a record."""
    at = context.round(round).number
    recorded = context.desk.latest_games(context.id)
    entered = _by_hand(context, at, table, slip, reason, recorded)
    return _enter(context, at, {table: entered}, recorded)


@operation(
    "tournament-result-list",
    "POST /tournaments/{tournament}/results/list",
    grant=Tells("result_entered"),
    rename={"text": "lines"},
)
@recording
def enter_list(
    context: DeskCall,
    text: ResultLines,
    reason: Remark = "",
    *,
    anyway: bool = False,
    rest: bool = False,
    round: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """The same from a text, a table a line: all of them or none; with ``rest`` those that are
    right, and the others are named."""
    at = context.round(round).number
    recorded = context.desk.latest_games(context.id)
    entered: dict[int, ResultEntered] = {}
    problems: dict[int, Phrase] = {}
    for number, line in read_lines(text):
        try:
            table, slip = read_line(line, anyway=anyway)
            if table in entered:
                raise Misused("table_named_twice", table=table)
            entered[table] = _by_hand(context, at, table, slip, reason, recorded)
        except MessageError as error:
            problems[number] = error.phrase
    if problems and not (rest and entered):
        first = min(problems)
        raise Misused(
            "line_of_results", line=first, problem=problems[first], lines=sorted(problems)
        )
    if not entered:
        raise Misused("no_lines")
    for number, problem in problems.items():
        context.warn("tournament.line_left_out", line=number, problem=problem)
    return _enter(context, at, entered, recorded)


def _by_hand(
    context: DeskCall, number: int, table: int, slip: Slip, reason: str, recorded: GamesAt
) -> ResultEntered:
    """What a slip tells. Where the table has a record, it must be said why that is not asked."""
    if not reason and (number, table) in recorded:
        raise Misused("result_needs_reason")
    outcome = outcome_of(context, number, table, slip)
    source = ByHand(reason=reason or PAPER)
    return ResultEntered(round=number, table=table, outcome=outcome, source=source)


def _enter(
    context: DeskCall, at: int, events: dict[int, ResultEntered], recorded: GamesAt
) -> Answered[ToldAnswer]:
    context.tell(*events.values())
    for table, event in events.items():
        if (at, table) in recorded:
            _warn_of_open_record(context, at, table)
        _warn_of_who_left(context, at, event)

    def lines(voice: Voice) -> Iterator[str]:
        if len(events) > 1:
            yield voice.say("tournament.results_entered", count=len(events), round=at)
        yield from _results(voice, context, at, list(events))

    return context.recorded_answer(lines)


def _warn_of_who_left(context: DeskCall, number: int, event: ResultEntered) -> None:
    """Somebody who left is placed as if they had played."""
    now = context.now
    seats = now.round(number).table(event.table).seats
    for seat in event.outcome.here:
        if now.players[seats[seat]].status == "dropped":
            name = context.name(seats[seat])
            context.warn("tournament.left_and_played", name=name, table=event.table, round=number)


def _warn_of_open_record(context: DeskCall, number: int, table: int) -> None:
    """A slip of paper goes before a record that somebody may still be writing."""
    for record in context.desk.latest_at(context.id, number, table):
        if record.closed is None:
            game = short_game(record.id)
            context.warn("tournament.record_is_open", table=table, game=game)


@records(
    "tournament-correct",
    "POST /tables/{table}/correction",
    Tells("result_corrected"),
    params="answers.requests.tournament:TournamentCorrectRequest",
    rename={"slip": "*"},
)
def correct_result(
    context: DeskCall,
    table: int,
    slip: Slip,
    reason: str,
    *,
    corrects: int | None = None,
    round: int | None = None,
) -> Answered[ToldAnswer]:
    """``corrects``: the event of the result that is meant; one that is there by now stays."""
    at = context.round(round).number
    outcome = outcome_of(context, at, table, slip)

    def same_as_seen(now: Tournament) -> None:
        found = now.round(at).result(table)
        if corrects is not None and found is not None and found.event != corrects:
            names = context.names_of(now.round(at).table(table).seats)
            told = outcome_text(fluent(context.caller.voice), now.plan, found.outcome, names)
            raise Conflicting("result_changed", table=table, result=told)

    context.tell(
        ResultCorrected(round=at, table=table, outcome=outcome, reason=reason), check=same_as_seen
    )
    return context.recorded_answer(lambda voice: _results(voice, context, at, [table]))


def _results(voice: Voice, context: DeskCall, number: int, tables: Sequence[int]) -> Iterator[str]:
    round = context.now.round(number)
    for table in tables:
        told = named_result(voice, context, round, table)
        seats = round.table(table).seats
        if any(name not in told for name in context.names_of(seats)):
            told = f"{told}   ({' · '.join(seated(context, seats))})"
        where = voice.say("tournament.table_of_round", table=table, round=number)
        yield voice.labelled(where, told)
    if round.waiting:
        waiting = ", ".join(str(table) for table in round.waiting)
        count = len(round.waiting)
        yield voice.say("tournament.waiting", tables=waiting, round=number, count=count)
    elif not round.closed:
        yield voice.say("tournament.all_in", round=number)
