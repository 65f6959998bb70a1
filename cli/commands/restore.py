"""``referee restore``: a store from a backup."""

from pathlib import Path
from typing import Annotated

import typer

from answers.admin import maintenance
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def restore(source: Annotated[Path, typer.Argument()]) -> int:
    here = session()
    return here.answer("restore", maintenance.restore(here.own_store, source))
