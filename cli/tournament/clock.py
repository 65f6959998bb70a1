"""``tournament clock``: the time of a round, set going, interrupted, prolonged, called off."""

from typing import Annotated

import typer

from answers.tournament import clock
from cli.session import Key
from cli.tournament.context import RoundOption, run

Remark = Annotated[str, typer.Option("-m", "--reason")]

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="start")
def start_clock(
    minutes: Annotated[int | None, typer.Argument(min=1, max=10_000)] = None,
    round: RoundOption = None,
    key: Key = None,
) -> int:
    """The first time for the published minutes, or for others; after a pause it runs on."""
    return run(clock.start, minutes, round=round, key=key)


@app.command(name="pause")
def pause_clock(reason: Remark = "", round: RoundOption = None, key: Key = None) -> int:
    return run(clock.pause, reason=reason, round=round, key=key)


@app.command(name="extend")
def extend_clock(
    minutes: Annotated[int, typer.Argument(min=1, max=10_000)],
    table: Annotated[int | None, typer.Option("--table", min=1)] = None,
    less: Annotated[bool, typer.Option("--less")] = False,
    reason: Remark = "",
    round: RoundOption = None,
    key: Key = None,
) -> int:
    more = -minutes if less else minutes
    return run(clock.extend, more, table=table, reason=reason, round=round, key=key)


@app.command(name="stop")
def stop_clock(reason: Remark = "", round: RoundOption = None, key: Key = None) -> int:
    return run(clock.stop, reason=reason, round=round, key=key)


@app.command(name="show")
def show_clock(round: RoundOption = None) -> int:
    return run(clock.show, round=round)
