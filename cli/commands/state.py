"""``referee state``: the position, in words, as a picture, as data."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from answers.play import views
from cli.output import put
from cli.positions import Position, table
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def state(
    at: Annotated[int | None, typer.Option("--at")] = None,
    toml: Annotated[bool, typer.Option("--toml")] = False,
    svg: Annotated[bool, typer.Option("--svg")] = False,
    shape: Annotated[Literal["tall", "wide"], typer.Option("--shape")] = "tall",
    names: Annotated[bool, typer.Option("--names")] = False,
    view: Annotated[str | None, typer.Option("--view")] = None,
    position: Position = None,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
) -> int:
    here = session()
    caller, game, _ = table(here, position)
    ask = caller.ask
    kind = "" if output is None else output.suffix
    if toml or (kind == ".toml" and not svg):
        return put(here, ask(views.position, game, at=at, view=view), output, game)
    if svg or kind == ".svg":
        drawn = ask(views.picture, game, at=at, view=view, shape=shape, names=names)
        return put(here, drawn, output, game)
    told = ask(views.state, game, at=at, view=view)
    if output is not None:
        return put(here, "\n".join(told.lines(here.voice)) + "\n", output, game)
    return here.answer(views.state, told)
