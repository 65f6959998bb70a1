"""``referee backup``: a consistent copy of the store, while it is in use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from answers.house import keeping
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def backup(target: Annotated[Path, typer.Argument()]) -> int:
    here = session()
    return here.answer("backup", keeping.backup(here.own_store, target))
