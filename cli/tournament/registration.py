"""``tournament registration``: players who register themselves, and the waiting list."""

from typing import Annotated, cast, get_args

import typer

from answers.tournament import registration
from cli.session import Key
from cli.tournament.broadcast import moment_of
from cli.tournament.context import asked, one_of, run
from referee.errors import Misused
from referee.tournament.events import MOST_PLAYERS, AskedOf

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def show() -> int:
    return run(registration.registration)


@app.command(name="open")
def open_registration(
    capacity: Annotated[int | None, typer.Option("--capacity", min=2, max=MOST_PLAYERS)] = None,
    until: Annotated[str | None, typer.Option("--until")] = None,
    ask: Annotated[list[str] | None, typer.Option("--ask")] = None,
    key: Key = None,
) -> int:
    closes = moment_of(until) if until else None
    if until and closes is None:
        raise Misused("bad_moment", text=until)
    told = [one_of("--ask", word, get_args(AskedOf)) for word in ask or ()]
    asks = cast("list[AskedOf]", told)
    return run(
        registration.set_registration,
        open=True, capacity=capacity, closes=closes, asks=asks, key=key,
    )  # fmt: skip


@app.command()
def close(key: Key = None) -> int:
    """What was set stays, for when it is opened again."""
    known = asked(registration.registration).data
    return run(
        registration.set_registration,
        open=False, capacity=known.capacity, closes=known.closes, asks=known.asks, key=key,
    )  # fmt: skip


@app.command(name="move-up")
def move_up(name: Annotated[str, typer.Argument()], key: Key = None) -> int:
    return run(registration.move_up, name, key=key)
