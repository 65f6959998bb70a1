"""The schedule of a broadcast, and what the big screens show."""

from datetime import UTC, datetime, time, timedelta
from typing import Annotated, cast, get_args

from pydantic import Field

from answers.tournament import broadcast
from cli.tournament.context import TOURNAMENT, one_of
from referee.errors import Misused
from referee.tournament.events import ScheduleItem, WallView


def read_item(text: str) -> ScheduleItem:
    """``2026-11-21T09:30=Round 1``; a time without a zone is UTC."""
    at, _, what = text.partition("=")
    moment = moment_of(at)
    if moment is None or not what.strip():
        raise Misused("bad_schedule", text=text)
    return ScheduleItem(at=moment, text=what.strip())


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
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
