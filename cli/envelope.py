"""The envelope of ``--json``: around the data of an answer, or around an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from answers.declaration import answer_type, declared, named

OWN = {
    "help": "cli.commands.help:helped",
    "export": "answers.review.import_export:exported",
    "written": "answers.file_answers:written",
}
"""Answers that only a command line gives."""


def published() -> dict[str, Callable[..., Any]]:
    """Every answer that has a published schema, and a function that gives it."""
    from answers.operations import answers

    return {**answers(), **{name: named(function) for name, function in OWN.items()}}


def schema_of(function: Callable[..., Any]) -> str:
    """The published schema of what a function answers: ``log`` is ``referee/log@1``."""
    for each in declared(function):
        return each.schema
    asked = f"{function.__module__}:{function.__name__}"
    return next(name for name, own in OWN.items() if own == asked)


class ErrorAnswer(TypedDict):
    code: str
    exit: int
    message: str
    facts: dict[str, Any]


def envelope_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a whole answer."""
    if name == "error":
        return _enveloped(
            {"ok": {"const": False}, "schema": {"const": "referee/error@1"}},
            "error",
            TypeAdapter(ErrorAnswer).json_schema(),
        )
    fields = {
        "ok": {"type": "boolean"},
        "schema": {"const": f"referee/{name}@1"},
        "warnings": {"type": "array", "items": {"type": "string"}},
    }
    return _enveloped(
        fields,
        "data",
        TypeAdapter(answer_type(published()[name])).json_schema(mode="serialization"),
    )


def _enveloped(fields: dict[str, Any], name: str, body: dict[str, Any]) -> dict[str, Any]:
    defs = body.pop("$defs", {})
    return {
        "type": "object",
        "required": [*fields, name],
        "properties": {**fields, name: body},
        "additionalProperties": False,
        "$defs": defs,
    }
