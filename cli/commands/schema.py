"""``referee schema``: the JSON Schema of an answer, a file or a game's actions."""

from typing import Annotated

import typer

from answers.house import schemas
from cli.session import session
from cli.speech import write

app = typer.Typer(rich_markup_mode=None)


@app.command()
def schema(name: Annotated[str | None, typer.Argument()] = None) -> int:
    if name is None:
        return session().answer("schema", schemas.names())
    write([schemas.schema(name)])
    return 0
