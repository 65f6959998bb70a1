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
        names = sorted(files)
        return here.answer_plain("schema", {"schemas": names}, names)
    for asked in (name, f"answer.{name}", f"{name}.action"):
        if asked in files:
            write([files[asked].read_text("utf-8").rstrip()])
            return 0
    if name in engine_ids():
        found = load_engine(name).adapter.json_schema()
        write([json.dumps(found, ensure_ascii=False, indent=2)])
        return 0
    raise NotFound("no_such_schema", schema=name)
