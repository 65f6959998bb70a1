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
    """The names of the published JSON Schemas."""
    found = sorted(_files())
    return Answered(lambda: SchemaAnswer(schemas=found), lambda voice: found)


@operation(
    "schema-show",
    "GET /schemas/{schema}",
    grant=EVERYBODY,
    scope="public",
    file="{schema}.schema.json",
)
def schema(schema: str) -> str:
    """A schema by its name, or by that of an operation or of a game."""
    files = _files()
    for name in (schema, f"answer.{schema}", f"{schema}.action"):
        if name in files:
            return files[name].read_text("utf-8").rstrip()
    if schema in engine_ids():
        adapter = load_engine(schema).text.adapter
        return json.dumps(adapter.json_schema(), ensure_ascii=False, indent=2)
    raise NotFound("no_such_schema", schema=schema)


def _files() -> dict[str, Traversable]:
    return {
        file.name.removesuffix(SUFFIX): file
        for file in resources.files("schemas").iterdir()
        if file.name.endswith(SUFFIX)
    }
