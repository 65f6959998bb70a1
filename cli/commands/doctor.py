"""``referee doctor``: what could endanger this installation or its store."""

import typer

from answers.admin import maintenance
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def doctor() -> int:
    here = session()
    here.prepare_folder()
    return here.answer(maintenance.doctor, maintenance.doctor(here.own_store, here.voice))
