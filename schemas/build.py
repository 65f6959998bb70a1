"""Writes the JSON Schemas of everything that enters or leaves the program.

They are generated from the models: ``python -m schemas.build`` after a model has changed.
"""

from __future__ import annotations

import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from cli.envelope import envelope_schema, published
from engines.kernel.registry import GROUP, load_engine
from referee.archive.precedents import Book
from referee.cases.case_file import CaseFile
from referee.proof.round_seals import RoundSeal
from referee.record.entries import KINDS
from referee.record.positions import PositionFile
from referee.table.presets import Preset
from referee.tournament.interchange.json_csv import tournament_schema
from referee.tournament.plan import Deal, Plan

FOLDER = Path(__file__).parent

MODELS: dict[str, Any] = {
    "case": CaseFile,
    "position-file": PositionFile,
    "preset": Preset,
    "book-of-rulings": Book,
    "round-seal": RoundSeal,
    "tournament-plan": Plan,
    "tournament-deal": Deal,
}
"""What each schema describes: any type that pydantic can validate."""


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by its name."""
    bodies = {name: TypeAdapter(model).json_schema() for name, model in MODELS.items()}
    bodies["tournament"] = tournament_schema()
    for game in shipped_games():
        bodies |= _game_schemas(game)
    for answer in (*published(), "error"):
        bodies[f"answer.{answer}"] = envelope_schema(answer)
    for kind, data in KINDS.items():
        bodies[f"entry.{kind}"] = data.model_json_schema()
    return {
        name: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:referee:schema:{name}",
            **body,
        }
        for name, body in bodies.items()
    }


def shipped_games() -> list[str]:
    """The games that come with the program; those of other packages keep their own schemas."""
    points = entry_points(group=GROUP)
    return sorted({point.name for point in points if point.value.startswith("engines.")})


def _game_schemas(game: str) -> dict[str, dict[str, Any]]:
    """Its actions and positions, and its kits without their marks of provenance."""
    engine = load_engine(game)
    bodies = {
        f"{game}.action": engine.text.adapter.json_schema(),
        f"{game}.kit": engine.kit_model.model_json_schema(),
    }
    if engine.position is not None:
        bodies[f"{game}.position"] = engine.position.model_json_schema()
    return bodies


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.schema.json"


def written(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    for name, schema in schemas().items():
        file_of(name).write_text(written(schema), "utf-8")


if __name__ == "__main__":
    main()
