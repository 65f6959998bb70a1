"""``referee why``: explain a verdict, of a line or of a logged action."""

from __future__ import annotations

from typing import Annotated

import typer

from answers.play import looking
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def why(
    words: Annotated[list[str], typer.Argument()],
    at: Annotated[int | None, typer.Option("--at")] = None,
) -> int:
    here = session()
    return here.answer("why", here.caller.ask(looking.why, here.game_id(), words, at=at))
