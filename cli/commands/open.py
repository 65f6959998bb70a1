"""``referee open``: make a game the current one."""

from typing import Annotated

import typer

from answers.play import opening
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command(name="open")
def open_game(record: Annotated[str, typer.Argument()]) -> int:
    here = session()
    found = here.caller.find(record)
    answered = here.caller.ask(opening.take_up, found)
    here.make_current(found)
    return here.answer(opening.take_up, answered)
