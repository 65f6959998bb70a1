"""``tournament clock``: the time of a round, set going, interrupted, prolonged, called off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from cli.session import Key
from cli.speech import say
from cli.tournament.counter import Counter, at_the_desk, labelled
from referee.tournament.clock import Clock
from referee.tournament.events import (
    ClockExtended,
    ClockPaused,
    ClockStarted,
    ClockStopped,
    Event,
    read_moment,
)
from referee.tournament.state import Round

Remark = Annotated[str, typer.Option("-m", "--reason")]
RoundOption = Annotated[int | None, typer.Option("--round", min=1)]
Minutes = Annotated[int, typer.Argument(min=1, max=10_000)]

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="start")
def start_clock(
    minutes: Annotated[int | None, typer.Argument(min=1, max=10_000)] = None,
    round: RoundOption = None,
    key: Key = None,
) -> int:
    """The first time for the published minutes, or for others; after a pause it runs on."""
    with at_the_desk(key, ClockStarted) as counter:
        number = counter.round(round).number
        return _answer_clock(counter, counter.desk.clock_start(counter.id, number, minutes), number)


@app.command(name="pause")
def pause_clock(reason: Remark = "", round: RoundOption = None, key: Key = None) -> int:
    with at_the_desk(key, ClockPaused) as counter:
        number = counter.round(round).number
        event = ClockPaused(round=number, at=counter.desk.moment(), reason=reason)
        return _answer_clock(counter, event, number)


@app.command(name="extend")
def extend_clock(
    minutes: Minutes,
    table: Annotated[int | None, typer.Option("--table", min=1)] = None,
    less: Annotated[bool, typer.Option("--less")] = False,
    reason: Remark = "",
    round: RoundOption = None,
    key: Key = None,
) -> int:
    with at_the_desk(key, ClockExtended) as counter:
        number = counter.round(round).number
        more = -minutes if less else minutes
        event = ClockExtended(round=number, minutes=more, table=table, reason=reason)
        return _answer_clock(counter, event, number)


@app.command(name="stop")
def stop_clock(reason: Remark = "", round: RoundOption = None, key: Key = None) -> int:
    with at_the_desk(key, ClockStopped) as counter:
        number = counter.round(round).number
        event = ClockStopped(round=number, at=counter.desk.moment(), reason=reason)
        return _answer_clock(counter, event, number)


@app.command(name="show")
def show_clock(round: RoundOption = None) -> int:
    with at_the_desk() as counter:
        shown = counter.round(round)
        data = {
            "tournament": counter.id,
            "round": shown.number,
            "clock": clock_data(counter, shown),
        }
        lines = list(clock_lines(counter, shown)) or [say("tournament.no_clock")]
        return counter.here.answer_plain("tournament-clock", data, lines)


def _answer_clock(counter: Counter, event: Event, number: int) -> int:
    counter.tell(event)
    lines = clock_lines(counter, counter.now.round(number))
    return counter.told(lines)


# what the clock says


def clock_lines(counter: Counter, round: Round) -> Iterator[str]:
    """The time of an open round, and of the tables that have another one."""
    if round.clock is None or round.closed:
        return
    now = read_moment(counter.desk.moment())
    yield labelled(say("tournament.clock"), _told(counter, round.clock, now))
    for table in other_times(round.clock):
        yield "  " + labelled(
            say("tournament.table", table=table), _told(counter, round.clock, now, table)
        )


def other_times(clock: Clock) -> list[int]:
    return [table for table, extra in sorted(clock.extra.items()) if extra]


def _told(counter: Counter, clock: Clock, now: datetime, table: int | None = None) -> str:
    left = clock.left(now, table)
    if clock.stopped:
        return say("tournament.clock_stopped", left=as_time(left))
    if left < timedelta():
        rule = counter.now.plan.time
        then = say(f"tournament.on_time_{rule.on_time if rule else 'judge'}")
        return say("tournament.clock_is_up", over=as_time(-left), then=then)
    if (ends := clock.ends(table)) is None:
        return say("tournament.clock_paused", left=as_time(left))
    return say("tournament.clock_runs", left=as_time(left), ends=time_of_day(ends))


def as_time(left: timedelta) -> str:
    """``42:07``; hours only where there are some."""
    minutes, seconds = divmod(max(0, round(left.total_seconds())), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def time_of_day(moment: datetime) -> str:
    """As the clock on the wall shows it."""
    return f"{moment.astimezone():%H:%M}"


def clock_data(counter: Counter, round: Round) -> dict[str, Any] | None:
    clock = round.clock
    if clock is None:
        return None
    now = read_moment(counter.desk.moment())

    def of(table: int | None) -> dict[str, Any]:
        ends = clock.ends(table)
        return {
            "left": int(clock.left(now, table).total_seconds()),
            "ends": ends.isoformat() if ends is not None else None,
            "up": clock.left(now, table) < timedelta(),
        }

    state = "stopped" if clock.stopped else "running" if clock.since is not None else "paused"
    return {
        "state": state,
        "minutes": clock.minutes,
        **of(None),
        "tables": [
            {"table": table, "minutes": clock.allowed(table), **of(table)}
            for table in other_times(clock)
        ],
    }
