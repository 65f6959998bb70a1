"""``referee redo``: bring back what was taken back."""

from typing import Annotated

import typer

from answers.play import corrections
from cli.session import Key, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def redo(count: Annotated[int, typer.Argument(min=1)] = 1, key: Key = None) -> int:
    here = session()
    return here.run(corrections.redo, here.game_id(), count, key=key)
