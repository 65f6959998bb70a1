"""``referee backup``: a consistent copy of the store, while it is in use; once or repeatedly."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from answers.admin import maintenance
from cli.session import finite, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def backup(
    target: Annotated[Path, typer.Argument()],
    every: Annotated[
        float | None, typer.Option("--every", min=0, max=100_000, callback=finite)
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, max=10_000)] = maintenance.MOST_COPIES,
    times: Annotated[int | None, typer.Option("--times", min=1)] = None,
) -> int:
    here = session()
    if every is None:
        return here.answer(maintenance.backup, maintenance.backup(here.own_store, target))
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    left = times
    while True:
        made = maintenance.rehearsed_backup(here.own_store, target, datetime.now(UTC), most=most)
        code = here.answer(maintenance.rehearsed_backup, made)
        left = None if left is None else left - 1
        if left == 0:
            return code
        time.sleep(every * 60)
