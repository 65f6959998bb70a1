"""The schedule of a broadcast, and what the big screens show."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, cast, get_args

from pydantic import Field

from answers.tournament import broadcast
from cli.tournament.context import TOURNAMENT, one_of
from referee.errors import Misused
from referee.tournament.events import ScheduleItem, WallView

_OF_A_DAY = re.compile(r"(?:(\d{4}-\d{2}-\d{2})[ T]+)?(\d{1,2}:\d{2})(=|\s)(.+)")


def schedule(item: Sequence[str]) -> int:
    return TOURNAMENT.run(broadcast.schedule, read_items(item))


def read_items(items: Sequence[str]) -> list[ScheduleItem]:
    """``2026-11-21 09:30 Round 1`` and ``12:30 Lunch`` as the form of the desk reads them: on this
    computer’s clock, without a date on the day of the item before, or today. A time before a ``=``
    is UTC, if it names no zone."""
    found = []
    day = datetime.now().date()
    for text in items:
        at, _, what = text.partition("=")
        try:
            moment = datetime.fromisoformat(at)
        except ValueError:
            moment, what = _on_a_day(day, text)
        else:
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if not what.strip():
            raise Misused("bad_schedule", text=text)
        day = moment.date()
        found.append(ScheduleItem(at=written(moment), text=what.strip()))
    return found


def _on_a_day(day: date, text: str) -> tuple[datetime, str]:
    match = _OF_A_DAY.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError
        moment = datetime.fromisoformat(f"{match[1] or day}T{match[2]:0>5}")
    except ValueError:
        raise Misused("bad_schedule", text=text) from None
    return (moment.replace(tzinfo=UTC) if match[3] == "=" else moment.astimezone()), match[4]


def read_time(text: str) -> str:
    """``10:00`` on this computer’s clock (late in the evening: tomorrow), or a whole moment."""
    try:
        today = datetime.combine(datetime.now().date(), time.fromisoformat(text))
        past = today < datetime.now() - timedelta(hours=12)
        moment = moment_of((today + timedelta(days=past)).astimezone().isoformat())
    except ValueError:
        moment = moment_of(text)
    if moment is None:
        raise Misused("bad_time_of_day", text=text)
    return moment


def moment_of(text: str) -> str | None:
    """A typed time as events write it; None if it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return written(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def wall(
    view: str = "all",
    *,
    paused: bool = False,
    leaf: Annotated[int, Field(ge=1)] = 1,
    section: str | None = None,
) -> int:
    one_of("wall", view, ["all", *get_args(WallView)[1:]])
    return TOURNAMENT.run(
        broadcast.turn_wall,
        cast(WallView, "" if view == "all" else view),
        paused=paused,
        leaf=leaf - 1,
        section=section,
    )
