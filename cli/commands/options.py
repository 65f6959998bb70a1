"""``referee options``: what may come next."""

from __future__ import annotations

from typing import Annotated

import typer

from answers.play import looking
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def options(
    prefix: Annotated[list[str] | None, typer.Argument()] = None,
    at: Annotated[int | None, typer.Option("--at")] = None,
) -> int:
    here = session()
    typed = " ".join(prefix or [])
    return here.answer(
        "options", here.caller.ask(looking.options, here.game_id(), prefix=typed, at=at)
    )
