"""``referee diff``: what changed between two actions."""

from typing import Annotated

import typer

from answers.play import views
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def diff(
    start: Annotated[int, typer.Argument(min=0)],
    end: Annotated[int | None, typer.Argument(min=0)] = None,
    view: Annotated[str | None, typer.Option("--view")] = None,
) -> int:
    here = session()
    return here.run(views.diff, here.game_id(), start, end, view=view, fields=here.verbose)
