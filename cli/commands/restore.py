"""``referee restore``: a store from a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.session import session
from cli.speech import say

app = typer.Typer(rich_markup_mode=None)


@app.command()
def restore(source: Annotated[Path, typer.Argument()]) -> int:
    from referee.store.backup import restore as restore_store

    here = session()
    restore_store(source.absolute(), here.store_url)
    games = len(here.bench.store.streams("game-"))
    data = {"store": here.store_url, "games": games}
    return here.answer_plain("restore", data, [say("restore.done", file=str(source), count=games)])
