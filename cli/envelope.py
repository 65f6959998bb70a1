"""The envelope of ``--json``: around the data of an answer, or around an error."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from answers.operations import answer_schema, answers

OWN = {
    "help": "cli.commands.help:helped",
    "export": "answers.review.import_export:exported",
    "written": "answers.file_answers:written",
}
"""Answers that only a command line gives."""
ANSWERS = {**answers(), **OWN}


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
