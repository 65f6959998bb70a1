"""``referee head``: a code for the score sheet that pins the record so far."""

import typer

from answers.proof import signatures
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def head() -> int:
    here = session()
    return here.run(signatures.head, here.game_id())
