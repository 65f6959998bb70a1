"""``referee reached``: games of the archive that reached this position."""

from typing import Annotated

import typer

from answers.review import reached as archive
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def reached(at: Annotated[int | None, typer.Option("--at", min=0)] = None) -> int:
    here = session()
    return here.run(archive.reached, here.game_id(), at=at)
