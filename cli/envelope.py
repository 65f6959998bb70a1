"""The envelope of ``--json``: around the data of an answer, or around an error."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from answers.operations import OPERATIONS, answer_schema, answers
from answers.operations.declaration import reference

OWN = {
    "help": "cli.commands.help:helped",
    "export": "answers.review.import_export:exported",
    "written": "answers.file_answers:written",
}
"""Answers that only a command line gives."""
ANSWERS = {**answers(), **OWN}


@cache
def _schemas() -> dict[str, str]:
    """The names of answers by the functions that give them."""
    own = {function: name for name, function in OWN.items()}
    return {each.run: each.schema for each in OPERATIONS.values()} | own


def schema_of(function: Callable[..., Any]) -> str:
    """The published schema of what a function answers: ``log`` is ``referee/log@1``."""
    return _schemas()[reference(function)]


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
    return _enveloped(fields, "data", answer_schema(ANSWERS[name]))


def _enveloped(fields: dict[str, Any], name: str, body: dict[str, Any]) -> dict[str, Any]:
    defs = body.pop("$defs", {})
    return {
        "type": "object",
        "required": [*fields, name],
        "properties": {**fields, name: body},
        "additionalProperties": False,
        "$defs": defs,
    }
