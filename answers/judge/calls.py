"""Worklist of judges: open disputes, held games and calls from tournament tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.judge.disputes import DisputeRow, GoingRow, also_called, dispute_row, going_rows
from answers.left_out import left_out
from answers.permissions import JUDGES
from answers.verdict_text import cause_told, short, told_line
from engines.kernel.registry import load_engine
from engines.kernel.values.structs import evolve
from referee.archive.read_models import HOLD, CallRow, open_calls
from referee.judging.disputes import Going, going, same_deed
from referee.record.entries import Held
from referee.record.game import Game
from referee.record.history import line_said
from referee.table.unreadable import readable

if TYPE_CHECKING:
    from referee.tournament.desk import RecordedEvent
    from referee.tournament.state import Call, Tournament


class TableCall(Data):
    """Somebody at a table of an event wants a judge."""

    tournament: str
    round: int
    table: int
    number: int
    """The event that called, by which it is answered."""
    player: str
    """The name of whoever called."""
    text: str
    costs_time: bool = False
    """A clock runs there, and what the call has cost is not given back yet."""


class CallPlace(Data):
    """Where in an event a table stands."""

    tournament: str
    name: str
    """The name of the event."""
    round: int
    table: int


class CallAnswer(Data):
    """A dispute that nobody has settled, a game that is held, or a table of an event that calls."""

    game: str
    """Empty for what was called at a table, whether or not a record is kept there."""
    engine: str
    name: str
    """What is played."""
    title: str
    """The game's, or that of the event."""
    seats: dict[str, str]
    since: str
    line: str
    """The first action in question; empty for a game that is held without one."""
    dispute: DisputeRow | None
    also: list[DisputeRow] = []
    """What else was said about the same deed: one ruling settles all of it."""
    held: bool
    call: TableCall | None = None
    colours: dict[str, str] = {}
    """The colour of each seat's pieces, where they have one."""
    place: CallPlace | None = None
    """None: a table outside an event."""
    going: list[GoingRow] = []
    """The judges who are on the way, the first one first."""
    zone: list[str] = []
    """In whose zone the table is, by name; nobody: it is everybody's."""
    own_zone: bool = False


class CallsAnswer(Data):
    calls: list[CallAnswer]
    now: str
    """When this was asked: what ``since`` is counted from."""


@operation("dispute-calls", "GET /calls", grant=JUDGES, scope="token")
def calls(caller: Caller) -> Answered[CallsAnswer]:
    """Open disputes, held games and calls of the tables of events, the oldest first.

    Where judges have zones: first those of the own zone, then those of nobody's, then all others.
    """
    unread: list[CallRow] = []
    waiting = readable(open_calls(caller.store_context.store), partial(_of_record, caller), unread)
    found = sorted(
        (call for calls in waiting for call in calls),
        key=lambda call: 0 if call.own_zone else 2 if call.zone else 1,
    )
    now = caller.bench.now()

    def render(voice: Voice) -> list[str]:
        return columns(_listed(voice, call, now) for call in found) or [voice.say("calls.none")]

    warnings = left_out(caller, [row.stream for row in unread])
    return Answered(lambda: CallsAnswer(calls=found, now=now), render, warnings=warnings)


def _of_record(caller: Caller, row: CallRow) -> list[CallAnswer]:
    """A candidate of the read model, checked in its record, which is authoritative."""
    found = _of_game if row.stream.startswith("game-") else _of_hall
    return [*found(caller, row)]


def _of_game(caller: Caller, row: CallRow) -> Iterator[CallAnswer]:
    game = caller.game(row.stream)
    if not caller.speaks_for(game.id, game.opened.tournament):
        return
    dispute = game.disputes.get(row.id)
    if row.id == HOLD and isinstance(game.held, Held) and game.closed is None:
        yield _call(caller, game, row, None)
    elif dispute is not None and [dispute] == same_deed(game, dispute)[:1]:  # one deed, one call
        yield _call(caller, game, row, dispute_row(game, dispute))


def _of_hall(caller: Caller, row: CallRow) -> Iterator[CallAnswer]:
    """What was called at a table of an event that goes on."""
    if not caller.speaks_for(row.stream):
        return
    loaded = caller.store_context.desk.load(row.stream)
    now = loaded.now
    for call in now.calls:
        if str(call.event) == row.id and call.answered is None and not now.closed:
            yield _table_call(caller, row, now, call, _going_to(loaded.told, call.event))


def _going_to(told: Iterable[RecordedEvent], number: int) -> list[Going]:
    from referee.tournament.events import CallTaken

    found: dict[str, Going] = {}
    for one in told:
        if isinstance(one.event, CallTaken) and one.event.call == number:
            if one.event.off:
                found.pop(one.by, None)
            else:
                found.setdefault(one.by, Going(one.by, one.at))
    return list(found.values())


def _table_call(
    caller: Caller, row: CallRow, now: Tournament, call: Call, judges: list[Going]
) -> CallAnswer:
    from referee.tournament.events import seat_letter

    engine = load_engine(now.plan.game_of(call.round))
    held = next((round for round in now.rounds if round.number == call.round), None)
    tables = held.draw.tables if held is not None else ()
    seats = next((table.seats for table in tables if table.number == call.table), ())
    timed = held is not None and held.clock is not None and not held.closed
    return CallAnswer(
        game="",
        engine=engine.id,
        name=engine.words.say("game", caller.voice.lang),
        title=now.name,
        seats={seat_letter(seat): caller.name(who) for seat, who in enumerate(seats)},
        since=row.at,
        line="",
        dispute=None,
        held=False,
        call=TableCall.made_of(
            call,
            tournament=row.stream,
            number=call.event,
            player=caller.name(call.player),
            costs_time=timed and not call.given_back,
        ),
        place=CallPlace.made_of(call, tournament=row.stream, name=now.name),
        going=going_rows(caller, judges),
        **_zone(caller, now, call.table),
    )


def _zone(caller: Caller, now: Tournament, table: int) -> dict[str, Any]:
    from referee.tournament.zones import judges_of

    judges = judges_of(now.zones, table)
    return {
        "zone": [caller.name(judge) for judge in judges],
        "own_zone": caller.author.person in judges,
    }


def _place(caller: Caller, game: Game) -> dict[str, Any]:
    """Where the table of a game stands, and in whose zone."""
    if not game.opened.tournament:
        return {}
    from referee.tournament.table_games import read_ref

    stream, number, table = read_ref(game.opened.tournament)
    now = caller.store_context.desk.load(stream).now
    place = CallPlace(tournament=stream, name=now.name, round=number, table=table)
    return {"place": place, **_zone(caller, now, table)}


def _call(caller: Caller, game: Game, row: CallRow, dispute: DisputeRow | None) -> CallAnswer:
    return CallAnswer(
        game=game.id,
        engine=game.engine.id,
        name=game.engine.words.say("game", caller.voice.lang),
        title=game.opened.title,
        seats={seat: caller.name(person) for seat, person in game.seats.items()},
        since=row.at,
        line=line_said(game, dispute.numbers[0]) if dispute is not None and dispute.numbers else "",
        dispute=dispute,
        also=also_called(game, game.disputes[dispute.id]) if dispute is not None else [],
        held=game.held is not None,
        colours=dict(game.colours),
        going=going_rows(caller, going(game, dispute.id if dispute is not None else None)),
        **_place(caller, game),
    )


def waited(since: str, now: str) -> int:
    """How many whole minutes somebody has been waiting."""
    passed = datetime.fromisoformat(now) - datetime.fromisoformat(since)
    return max(0, int(passed.total_seconds() // 60))


def _listed(voice: Voice, call: CallAnswer, now: str) -> tuple[str, ...]:
    since = voice.say("calls.minutes", count=waited(call.since, now))
    where = voice.say("calls.table", **dict(call.place)) if call.place is not None else "–"
    zones = [voice.say("calls.own_zone")] if call.own_zone else []
    if not zones and call.zone:
        zones = [voice.say("calls.zone", names=call.zone)]
    where = ", ".join([where, *zones])
    taken = voice.say("calls.going", names=[one.name for one in call.going]) if call.going else "–"
    if (at := call.call) is not None:
        wants = voice.say("calls.wants", name=at.player)
        record = (at.tournament, call.title, f"c{at.number}", "–")
        return (since, where, taken, *record, wants, at.text)
    dispute = call.dispute
    what = voice.say("calls.held")
    if dispute is not None:
        by = call.seats.get(dispute.seat, dispute.seat) if dispute.seat else None
        what = cause_told(voice, dispute.cause, by)
    return (
        since,
        where,
        taken,
        short(call.game),
        call.title or call.name,
        dispute.id if dispute is not None else "–",
        told_line(evolve(voice, names=call.seats), load_engine(call.engine), call.line) or "–",
        what,
        " · ".join(each.text for each in (dispute, *call.also) if each is not None and each.text),
    )
