"""``referee open``: make a game the current one."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import session
from cli.speech import say
from cli.telling import short, to_act

app = typer.Typer(rich_markup_mode=None)


@app.command(name="open")
def open_game(record: Annotated[str, typer.Argument()]) -> int:
    here = session()
    found = here.bench.game(here.bench.find(record))
    here.make_current(found.id)
    lines = [say("open.current", game=short(found.id), name=found.engine.id), "  " + to_act(found)]
    return here.answer("open", {"game": found.id, "engine": found.engine.id}, lines)
