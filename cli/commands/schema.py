"""``referee schema``: the JSON Schema of an answer, a file or a game's actions."""

from __future__ import annotations

import json
from importlib import resources
from typing import Annotated

import typer

from cli.session import session
from cli.speech import write
from engines.kernel.registry import engine_ids, load_engine
from referee.errors import NotFound

app = typer.Typer(rich_markup_mode=None)


@app.command()
def schema(name: Annotated[str | None, typer.Argument()] = None) -> int:
    here = session()
    files = {
        file.name.removesuffix(".schema.json"): file
        for file in resources.files("schemas").iterdir()
        if file.name.endswith(".schema.json")
    }
    if name is None:
        names = sorted({*files, *(f"actions-{game}" for game in engine_ids())})
        return here.answer("schema", {"schemas": names}, names)
    if name in files:
        write([files[name].read_text("utf-8").rstrip()])
        return 0
    game = name.removeprefix("actions-")
    if game in engine_ids():
        found = load_engine(game).adapter.json_schema()
        write([json.dumps(found, ensure_ascii=False, indent=2)])
        return 0
    raise NotFound("no_such_schema", schema=name, schemas=sorted(files))
