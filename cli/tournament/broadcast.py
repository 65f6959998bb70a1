"""The broadcast: boards, schedule, commentary; and what the big screens show."""

from datetime import UTC, datetime
from typing import Annotated, cast, get_args

import typer

from answers.tournament import broadcast
from cli.session import Key
from cli.tournament.context import RoundOption, one_of, run
from referee.errors import Misused
from referee.tournament.events import ScheduleItem, WallView


def show(round: RoundOption = None) -> int:
    return run(broadcast.broadcast, number=round)


def feature(
    table: Annotated[list[int] | None, typer.Argument(min=1)] = None,
    round: RoundOption = None,
    key: Key = None,
) -> int:
    return run(broadcast.feature, table or [], number=round, key=key)


def schedule(item: Annotated[list[str], typer.Argument()], key: Key = None) -> int:
    return run(broadcast.schedule, [_item(each) for each in item], key=key)


def _item(text: str) -> ScheduleItem:
    """``2026-11-21T09:30=Round 1``; a time without a zone is UTC."""
    at, _, what = text.partition("=")
    told = moment_of(at)
    if told is None or not what.strip():
        raise Misused("bad_schedule", text=text)
    return ScheduleItem(at=told, text=what.strip())


def moment_of(text: str) -> str | None:
    """A typed time as events write it; None if it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def comment(
    text: Annotated[str, typer.Argument()],
    table: Annotated[int | None, typer.Option("--table", min=1)] = None,
    round: RoundOption = None,
    key: Key = None,
) -> int:
    return run(broadcast.comment, text, table=table, number=round, key=key)


def announce(text: Annotated[str, typer.Argument()] = "", key: Key = None) -> int:
    return run(broadcast.announce, text, key=key)


def wall(
    view: Annotated[str, typer.Argument()] = "all",
    paused: Annotated[bool, typer.Option("--pause")] = False,
    leaf: Annotated[int, typer.Option("--leaf", min=1)] = 1,
    section: Annotated[str | None, typer.Option("--section")] = None,
    key: Key = None,
) -> int:
    told = one_of("wall", view, ["all", *get_args(WallView)[1:]])
    shows = "" if told == "all" else told
    return run(
        broadcast.turn_wall,
        cast(WallView, shows),
        paused=paused,
        leaf=leaf - 1,
        section=section,
        key=key,
    )
