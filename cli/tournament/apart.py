"""``tournament apart``: who must not sit at one table; taken back with a reason, never deleted."""

from typing import Annotated

import typer

from answers.tournament import apart
from cli.session import Key
from cli.tournament.context import Reason, run

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="add")
def keep_apart(
    name: Annotated[list[str], typer.Argument()],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(apart.keep_apart, name, reason, key=key)


@app.command(name="cancel")
def meet_again(
    number: Annotated[int, typer.Argument(min=0)],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(apart.meet_again, number, reason, key=key)


@app.command(name="list")
def list_apart() -> int:
    return run(apart.apart)
