"""``referee restore``: a store from a backup."""

from pathlib import Path
from typing import Annotated

import typer

from answers.admin import maintenance
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def restore(
    source: Annotated[Path, typer.Argument()],
    over: Annotated[bool, typer.Option("--over")] = False,
    with_names: Annotated[bool, typer.Option("--with-names")] = False,
) -> int:
    here = session()
    answered = maintenance.restore(here.own_store, source, over=over, names=with_names)
    return here.answer(maintenance.restore, answered)
