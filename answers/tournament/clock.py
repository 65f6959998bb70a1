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
from referee.record.entries import Remark
from referee.tournament.clock import RoundClock
from referee.tournament.events import ClockExtended, ClockPaused, ClockStopped, Event
from referee.tournament.state import Round
from referee.tournament.values import Minutes, RoundNumber, TableNumber, read_moment


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
    tables: list[TableTimeAnswer]
    """Those that have another time than the others."""


class TournamentClockAnswer(Data):
    tournament: str
    round: int
    clock: ClockAnswer | None


@records("tournament-clock-start", "POST /clock/start", Tells("clock_started"))
def start(
    context: DeskCall, minutes: Minutes | None = None, *, round: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    """The first time for the published minutes, or for others; after a pause it runs on."""
    number = context.round(round).number
    return _record(context, context.desk.clock_start(context.id, number, minutes), number)


@records("tournament-clock-pause", "POST /clock/pause", Tells("clock_paused"))
def pause(
    context: DeskCall, *, reason: Remark = "", round: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    number = context.round(round).number
    event = ClockPaused(round=number, at=context.desk.moment(), reason=reason)
    return _record(context, event, number)


@records("tournament-clock-extend", "POST /clock/extension", Tells("clock_extended"))
def extend(
    context: DeskCall,
    minutes: MoreMinutes,
    *,
    table: TableNumber | None = None,
    reason: Remark = "",
    round: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """More minutes, or fewer if they are less than nothing; of a round or of one table."""
    number = context.round(round).number
    event = ClockExtended(round=number, minutes=minutes, table=table, reason=reason)
    return _record(context, event, number)


@records("tournament-clock-stop", "POST /clock/stop", Tells("clock_stopped"))
def stop(
    context: DeskCall, *, reason: Remark = "", round: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    number = context.round(round).number
    event = ClockStopped(round=number, at=context.desk.moment(), reason=reason)
    return _record(context, event, number)


@reads("tournament-clock", "GET /clock", EVERYBODY)
def show(context: DeskCall, *, round: RoundNumber | None = None) -> Answered[TournamentClockAnswer]:
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

    return ClockAnswer(
        state="stopped" if clock.stopped else "running" if clock.since is not None else "paused",
        minutes=clock.minutes,
        **of(None),
        tables=[
            TableTimeAnswer(table=table, minutes=clock.allowed(table), **of(table))
            for table in other_times(clock)
        ],
    )
