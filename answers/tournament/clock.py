"""The time of a round, set going, interrupted, prolonged, called off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Literal

from answers.answer import Answered, Data
from answers.i18n import Voice
from answers.limits import MoreMinutes
from answers.permissions import EVERYBODY, Tells
from answers.tournament.context import DeskCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered
from answers.verdict_text import as_time
from referee.errors import Misused
from referee.record.entries import Remark
from referee.tournament.clock import RoundClock
from referee.tournament.errors import NotPossible
from referee.tournament.events import ClockExtended, ClockPaused, ClockStopped, Event
from referee.tournament.state import Round
from referee.tournament.values import (
    EventNumber,
    Minutes,
    Moment,
    RoundNumber,
    TableNumber,
    read_moment,
)


class TimeAnswer(Data):
    minutes: int
    left: int
    """Seconds; less than nothing once time is up."""
    ends: str | None
    up: bool


class TableTimeAnswer(TimeAnswer):
    table: int


class ClockAnswer(TimeAnswer):
    state: Literal["running", "paused", "stopped"]
    starts: str | None
    """When it will start by itself; nothing once it runs."""
    starts_in: int
    """Seconds until then."""
    tables: list[TableTimeAnswer]
    """Those that have another time than the others."""


class TournamentClockAnswer(Data):
    tournament: str
    round: int
    clock: ClockAnswer | None


@records("tournament-clock-start", "POST /clock/start", Tells("clock_started"))
def start(
    context: DeskCall,
    minutes: Minutes | None = None,
    *,
    at: Moment | None = None,
    round: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """The first time for the published minutes, or for others; after a pause it runs on.

    ``at``: it starts by itself at this time, today or tomorrow; a time that is past is when it
    should have been started.
    """
    number = context.round(round).number
    if at is not None:
        ahead = read_moment(at) - read_moment(context.desk.moment())
        if abs(ahead) > timedelta(days=1):
            raise Misused("clock_far_away", at=at)
    return _record(context, context.desk.clock_start(context.id, number, minutes, at), number)


@records("tournament-clock-pause", "POST /clock/pause", Tells("clock_paused"))
def pause(
    context: DeskCall, *, reason: Remark = "", round: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    """Stop the clock of the round for a while; starting it goes on where it stood."""
    number = context.round(round).number
    event = ClockPaused(round=number, at=context.desk.moment(), reason=reason)
    return _record(context, event, number)


@records("tournament-clock-extend", "POST /clock/extension", Tells("clock_extended"))
def extend(
    context: DeskCall,
    minutes: MoreMinutes | None = None,
    *,
    table: TableNumber | None = None,
    call: EventNumber | None = None,
    reason: Remark = "",
    round: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """More minutes, or fewer if they are less than nothing; of a round or of one table.

    With the ``call`` of a table: for that table, and as many as it has waited, once.
    """
    if call is not None:
        event = _for_the_call(context, call, minutes, reason)
    elif minutes is None:
        raise Misused("how_many_minutes")
    else:
        number = context.round(round).number
        event = ClockExtended(round=number, minutes=minutes, table=table, reason=reason)
    return _record(context, event, event.round)


def _for_the_call(
    context: DeskCall, number: int, minutes: int | None, reason: str
) -> ClockExtended:
    called = next((call for call in context.now.calls if call.event == number), None)
    if called is None:
        raise NotPossible("no_such_call", number=number)
    return ClockExtended(
        round=called.round, table=called.table, call=number, reason=reason,
        minutes=minutes_lost(context, number) if minutes is None else minutes,
    )  # fmt: skip


def minutes_lost(context: DeskCall, call: int) -> int:
    """The time since a table called, in whole minutes, the last one counted whole."""
    called = next(told for told in context.hosted.told if told.number == call)
    passed = read_moment(context.desk.moment()) - read_moment(called.at)
    return max(1, -(-passed // timedelta(minutes=1)))


@records("tournament-clock-stop", "POST /clock/stop", Tells("clock_stopped"))
def stop(
    context: DeskCall, *, reason: Remark = "", round: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    """End the clock of the round."""
    number = context.round(round).number
    event = ClockStopped(round=number, at=context.desk.moment(), reason=reason)
    return _record(context, event, number)


@reads("tournament-clock", "GET /clock", EVERYBODY)
def show(context: DeskCall, *, round: RoundNumber | None = None) -> Answered[TournamentClockAnswer]:
    """The clock of the round, and what each table was given on top."""
    shown = context.round(round)
    return answered(
        lambda: TournamentClockAnswer(
            tournament=context.id, round=shown.number, clock=clock_answer(context, shown)
        ),
        lambda voice: (
            [*clock_lines(voice, context, shown)]
            or [voice.say("tournament.no_clock", round=shown.number)]
        ),
        warnings=context.warnings,
    )


def _record(context: DeskCall, event: Event, number: int) -> Answered[ToldAnswer]:
    context.tell(event)
    return context.recorded_answer(
        lambda voice: clock_lines(voice, context, context.now.round(number))
    )


# what the clock says


def clock_lines(voice: Voice, context: DeskCall, round: Round) -> Iterator[str]:
    """The time of an open round, and of the tables that have another one."""
    if round.clock is None or round.closed:
        return
    now = read_moment(context.desk.moment())
    clock = round.clock
    title = voice.say("tournament.clock", round=round.number)
    yield voice.labelled(title, _time_line(voice, context, clock, now))
    for table in other_times(clock):
        where = voice.say("tournament.table", table=table)
        yield "  " + voice.labelled(where, _time_line(voice, context, clock, now, table))


def other_times(clock: RoundClock) -> list[int]:
    return [table for table, extra in sorted(clock.extra.items()) if extra]


def _time_line(
    voice: Voice, context: DeskCall, clock: RoundClock, now: datetime, table: int | None = None
) -> str:
    left = clock.left(now, table)
    if clock.stopped:
        return voice.say("tournament.clock_stopped", left=as_time(left))
    if left < timedelta():
        rule = context.now.plan.time
        then = voice.say(f"tournament.on_time_{rule.on_time if rule else 'judge'}")
        return voice.say("tournament.clock_is_up", over=as_time(-left), then=then)
    if (ends := clock.ends(table)) is None:
        return voice.say("tournament.clock_paused", left=as_time(left))
    if clock.since is not None and clock.since > now:
        return voice.say(
            "tournament.clock_to_start", left=as_time(left), at=time_of_day(clock.since)
        )
    return voice.say("tournament.clock_runs", left=as_time(left), ends=time_of_day(ends))


def time_of_day(moment: datetime) -> str:
    """As the clock on the wall shows it."""
    return f"{moment.astimezone():%H:%M}"


def clock_answer(context: DeskCall, round: Round) -> ClockAnswer | None:
    clock = round.clock
    if clock is None:
        return None
    now = read_moment(context.desk.moment())

    def of(table: int | None) -> dict[str, Any]:
        ends = clock.ends(table)
        return {
            "left": int(clock.left(now, table).total_seconds()),
            "ends": ends.isoformat() if ends is not None else None,
            "up": clock.left(now, table) < timedelta(),
        }

    ahead = max(0, int((clock.since - now).total_seconds())) if clock.since is not None else 0
    return ClockAnswer(
        state="stopped" if clock.stopped else "running" if clock.since is not None else "paused",
        starts=clock.since.astimezone().isoformat() if clock.since is not None and ahead else None,
        starts_in=ahead,
        minutes=clock.minutes,
        **of(None),
        tables=[
            TableTimeAnswer(table=table, minutes=clock.allowed(table), **of(table))
            for table in other_times(clock)
        ],
    )
