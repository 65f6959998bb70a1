"""What a field means, for the OpenAPI document: its docstring, as it stands in the source, or what
a field of its name means everywhere (``fields.toml``).

Read when the document is asked for, so that no command pays for it at its start.
"""

from __future__ import annotations

import ast
import inspect
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema


class DescribedSchema(GenerateJsonSchema):
    """JSON Schemas whose fields say what they mean."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        made = super().model_schema(schema)
        model = schema["cls"]
        if "properties" in made:
            told = fields_told(model)
            made["properties"] = described(made["properties"], model.__name__, told)
        return made


def markdown(docstring: str) -> str:
    """A docstring as readers of OpenAPI show it."""
    return docstring.replace("``", "`")


def fields_told(model: type[BaseModel]) -> dict[str, str]:
    """The docstrings of a model's fields, by the names that they have over HTTP."""
    told: dict[str, str] = {}
    for kind in reversed(model.__mro__):
        if issubclass(kind, BaseModel) and kind is not BaseModel:
            told |= _docstrings(kind.__module__).get(kind.__qualname__, {})
    aliases = {name: each.alias or name for name, each in model.model_fields.items()}
    return {aliases.get(name, name): text for name, text in told.items()}


def described(
    fields: Mapping[str, Any], model: str = "", told: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The schemas of fields, each with what it means."""
    said = told or {}
    return {
        name: {"description": markdown(said.get(name) or _meaning(name, schema, model)), **schema}
        for name, schema in fields.items()
    }


def _meaning(name: str, schema: Mapping[str, Any], model: str) -> str:
    """What a field of this name and type means, where its class does not say it."""
    known = _meanings()
    for section in (known["of"].get(model, {}), known.get(_type(schema), {}), known["usual"]):
        if name in section:
            return str(section[name])
    return ""


def _type(schema: Mapping[str, Any]) -> str:
    """The JSON type of a schema; the first, where there are several."""
    for each in schema.get("anyOf", schema.get("oneOf", ())):
        if (found := _type(each)) != "null":
            return found
    if "enum" in schema or "const" in schema:
        return "string"
    return str(schema.get("type", "object" if "$ref" in schema else "string"))


@cache
def _meanings() -> dict[str, Any]:
    return tomllib.loads((files("service") / "fields.toml").read_text("utf-8"))


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """By class, the text under each of its fields."""
    source = inspect.getsourcefile(import_module(module))
    if source is None:
        return {}
    with open(source, encoding="utf-8") as file:
        return dict(_classes(ast.parse(file.read()), ""))


def _classes(node: Any, within: str) -> Iterator[tuple[str, dict[str, str]]]:
    for each in node.body:
        if isinstance(each, ast.ClassDef):
            yield f"{within}{each.name}", dict(_fields(each))
            yield from _classes(each, f"{within}{each.name}.")


def _fields(kind: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, under in zip(kind.body, kind.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(under, ast.Expr)
            and isinstance(under.value, ast.Constant)
            and isinstance(under.value.value, str)
        ):
            yield field.target.id, inspect.cleandoc(under.value.value)
