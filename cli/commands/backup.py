"""``referee backup``: a consistent copy of the store, while it is in use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.session import session
from cli.speech import say

app = typer.Typer(rich_markup_mode=None)


@app.command()
def backup(target: Annotated[Path, typer.Argument()]) -> int:
    from referee.store.backup import backup as make_backup

    here = session()
    make_backup(here.store_url, target.absolute())
    size = target.stat().st_size
    data = {"file": str(target), "bytes": size}
    return here.answer_plain("backup", data, [say("backup.done", file=str(target), bytes=size)])
