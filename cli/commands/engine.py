"""``referee engine``: the games this installation can referee."""

from typing import Annotated

import typer

from answers.rulebooks import rules
from cli.session import session

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="list")
def list_engines() -> int:
    here = session()
    return here.answer(rules.engines, rules.engines(here.voice.lang))


@app.command()
def info(game: Annotated[str, typer.Argument()]) -> int:
    here = session()
    return here.answer(rules.engine, rules.engine(game, here.voice.lang))
