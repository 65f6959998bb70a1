"""``referee branch``: play on from a moment of a game."""

from typing import Annotated

import typer

from answers.play import branches
from cli.session import Key, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def branch(
    number: Annotated[int, typer.Argument(min=0)],
    title: Annotated[str, typer.Option("--title")] = "",
    key: Key = None,
) -> int:
    here = session()
    answered = here.caller.ask(branches.branch, here.game_id(), number, title=title, key=key)
    here.make_current(answered.data.game)
    return here.answer(branches.branch, answered)
