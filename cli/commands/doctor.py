"""``referee doctor``: what could endanger this installation or its store."""

import typer

from answers.house import keeping
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def doctor() -> int:
    here = session()
    here.prepare_folder()
    return here.answer("doctor", keeping.doctor(here.own_store, here.voice))
