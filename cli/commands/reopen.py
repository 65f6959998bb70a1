"""``referee reopen``: go on with a closed record."""

import typer

from answers.play import lifecycle
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def reopen(reason: Reason, key: Key = None) -> int:
    here = session()
    return here.run(lifecycle.reopen, here.game_id(), reason, key=key)
