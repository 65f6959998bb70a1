"""``referee options``: what may come next."""

from typing import Annotated

import typer

from answers.play import options as options_answers
from cli.positions import Position, table
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def options(
    prefix: Annotated[list[str] | None, typer.Argument()] = None,
    at: Annotated[int | None, typer.Option("--at")] = None,
    position: Position = None,
) -> int:
    here = session()
    caller, game, _ = table(here, position)
    return here.answer(
        options_answers.options,
        caller.ask(options_answers.options, game, prefix=" ".join(prefix or []), at=at),
    )
