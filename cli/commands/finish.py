"""``referee finish``: close a record."""

from __future__ import annotations

import typer

from answers.play import ending
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def finish(reason: Reason = "", key: Key = None) -> int:
    here = session()
    return here.answer(
        "finish", here.caller.ask(ending.finish, here.game_id(), reason=reason, key=key)
    )
