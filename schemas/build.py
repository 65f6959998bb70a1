"""Writes the JSON Schemas of everything that enters or leaves the program.

They are generated from the models: ``python -m schemas.build`` after a model has changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from referee.cases import CaseFile

FOLDER = Path(__file__).parent

MODELS: dict[str, Any] = {
    "case": CaseFile,
}
"""What each schema describes: any type that pydantic can validate."""


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by its name."""
    return {
        name: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:referee:schema:{name}",
            **TypeAdapter(model).json_schema(),
        }
        for name, model in MODELS.items()
    }


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.schema.json"


def written(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    for name, schema in schemas().items():
        file_of(name).write_text(written(schema), "utf-8")


if __name__ == "__main__":
    main()
