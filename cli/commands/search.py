"""``referee search``: an action of any game, by its words."""

from typing import Annotated

import typer

from answers.review import move_search
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def search(words: Annotated[list[str], typer.Argument()]) -> int:
    here = session()
    return here.run(move_search.search, " ".join(words))
