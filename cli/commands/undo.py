"""``referee undo``: take back; nothing is deleted."""

from typing import Annotated

import typer

from answers.play import corrections
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def undo(
    count: Annotated[int, typer.Argument(min=1)] = 1,
    to: Annotated[int | None, typer.Option("--to", min=0)] = None,
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    return here.run(corrections.undo, here.game_id(), count, to=to, reason=reason, key=key)
