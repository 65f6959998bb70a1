"""The published JSON Schemas: of answers, of files, of a game's actions."""

from __future__ import annotations

import json
from importlib import resources
from importlib.resources.abc import Traversable

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.permissions import EVERYBODY
from engines.kernel.registry import engine_ids, load_engine
from referee.errors import NotFound

SUFFIX = ".schema.json"


class SchemaAnswer(Data):
    schemas: list[str]


@operation("schema", "GET /schemas", grant=EVERYBODY, scope="public")
def names() -> Answered[SchemaAnswer]:
    found = sorted(_files())
    return Answered(lambda: SchemaAnswer(schemas=found), lambda voice: found)


@operation(
    "schema-show",
    "GET /schemas/{schema}",
    grant=EVERYBODY,
    scope="public",
    rename={"name": "schema"},
    file="{schema}.schema.json",
)
def schema(name: str) -> str:
    """A schema by its name, or by that of an operation or of a game."""
    files = _files()
    for asked in (name, f"answer.{name}", f"{name}.action"):
        if asked in files:
            return files[asked].read_text("utf-8").rstrip()
    if name in engine_ids():
        return json.dumps(
            load_engine(name).text.adapter.json_schema(), ensure_ascii=False, indent=2
        )
    raise NotFound("no_such_schema", schema=name)


def _files() -> dict[str, Traversable]:
    return {
        file.name.removesuffix(SUFFIX): file
        for file in resources.files("schemas").iterdir()
        if file.name.endswith(SUFFIX)
    }
