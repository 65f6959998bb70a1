"""``referee info``: how a game was set up, and where it stands."""

import typer

from answers.play import info as told
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def info() -> int:
    here = session()
    return here.run(told.info, here.game_id())
