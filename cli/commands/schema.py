"""``referee schema``: the JSON Schema of an answer, a file or a game's actions."""

from typing import Annotated

import typer

from answers.admin import schemas
from cli.i18n import write
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def schema(name: Annotated[str | None, typer.Argument()] = None) -> int:
    if name is None:
        return session().answer(schemas.names, schemas.names())
    write([schemas.schema(name)])
    return 0
