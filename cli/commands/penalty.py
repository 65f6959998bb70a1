"""``referee penalty``: penalties and sanctions; cancelled with a reason, never deleted."""

from typing import Annotated

import typer

from answers.judge import rulings
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def add(
    seat: Annotated[str, typer.Argument()],
    level: Annotated[str, typer.Argument()],
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    return here.run(rulings.penalise, here.game_id(), seat, level, reason, key=key)


@app.command()
def cancel(
    penalty: Annotated[str, typer.Argument()],
    reason: Reason,
    key: Key = None,
) -> int:
    here = session()
    return here.run(rulings.cancel_penalty, here.game_id(), penalty, reason, key=key)


@app.command()
def guide() -> int:
    here = session()
    return here.run(rulings.penalty_guide, here.game_id())


@app.command(name="list")
def list_penalties() -> int:
    here = session()
    return here.run(rulings.penalties, here.game_id())
