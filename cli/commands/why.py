"""``referee why``: explain a verdict, of a line or of a logged action."""

from typing import Annotated

import typer

from answers.play import moves
from cli.positions import Position, table
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def why(
    words: Annotated[list[str], typer.Argument()],
    at: Annotated[int | None, typer.Option("--at")] = None,
    position: Position = None,
) -> int:
    here = session()
    caller, game, _ = table(here, position)
    return here.answer(moves.why, caller.ask(moves.why, game, words, at=at))
