"""``tournament penalty``: points taken away; cancelled with a reason, never deleted."""

from typing import Annotated

import typer

from answers.tournament import judging
from cli.session import Key
from cli.tournament.context import Reason, run
from cli.tournament.plan import read_halves

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="add")
def add_penalty(
    name: Annotated[str, typer.Argument()],
    points: Annotated[str | None, typer.Argument()] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    level: Annotated[str, typer.Option("--level")] = "",
    infringement: Annotated[str, typer.Option("--for")] = "",
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    key: Key = None,
) -> int:
    halves = read_halves(points) if points is not None else None
    return run(
        judging.penalise,
        name,
        halves,
        reason,
        clause=clause,
        infringement=infringement,
        level=level,
        key=key,
    )


@app.command(name="next")
def next_penalty(
    name: Annotated[str, typer.Argument()],
    infringement: Annotated[str, typer.Option("--for")] = "",
    clause: Annotated[str | None, typer.Option("--clause")] = None,
) -> int:
    return run(judging.next_penalty, name, infringement=infringement, clause=clause)


@app.command(name="cancel")
def cancel_penalty(
    number: Annotated[int, typer.Argument(min=0)],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(judging.cancel_penalty, number, reason, key=key)


@app.command(name="list")
def list_penalties(name: Annotated[str | None, typer.Argument()] = None) -> int:
    return run(judging.penalties, name=name)
