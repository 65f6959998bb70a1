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
    points: Annotated[str, typer.Argument()],
    reason: Reason = ...,  # type: ignore[assignment]
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    key: Key = None,
) -> int:
    halves = read_halves(points)
    return run(judging.penalise, name, halves, reason, clause=clause, key=key)


@app.command(name="cancel")
def cancel_penalty(
    number: Annotated[int, typer.Argument(min=0)],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(judging.cancel_penalty, number, reason, key=key)


@app.command(name="list")
def list_penalties() -> int:
    return run(judging.penalties)
