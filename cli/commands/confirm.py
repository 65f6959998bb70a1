"""``referee confirm``: a seat agrees with what the record says."""

from typing import Annotated

import typer

from answers.play import confirmation
from cli.session import Key, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def confirm(
    entry: Annotated[int | None, typer.Argument(min=0)] = None,
    key: Key = None,
) -> int:
    here = session()
    return here.run(confirmation.confirm, here.game_id(), entry, key=key)
