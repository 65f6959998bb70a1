"""The committed schemas are those of the models, and say yes and no to the right things."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from schemas.build import FOLDER, file_of, schemas, written

CASES = sorted((Path(__file__).parent / "cases").glob("*/*.toml"))


@pytest.mark.parametrize("name", sorted(schemas()))
def test_the_committed_schema_is_the_one_of_the_model(name: str) -> None:
    schema = schemas()[name]
    Draft202012Validator.check_schema(schema)
    assert file_of(name).read_text("utf-8") == written(schema), "run python -m schemas.build"


def test_every_committed_schema_has_a_model() -> None:
    known = {file_of(name).name for name in schemas()}
    assert {file.name for file in FOLDER.glob("*.schema.json")} <= known


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_case_file_fits_the_schema(path: Path) -> None:
    Draft202012Validator(schemas()["case"]).validate(tomllib.loads(path.read_text("utf-8")))


@pytest.mark.parametrize(
    "wrong",
    [
        {"case": [{"name": "no game", "lines": ""}]},
        {"game": "pebbles", "case": [{"name": "", "lines": "take 1"}]},
        {"game": "pebbles", "case": [{"name": "no lines"}]},
        {"game": "pebbles", "case": [{"name": "a slip", "lines": "", "reading": {}}]},
    ],
)
def test_what_is_no_case_file_does_not_fit(wrong: dict[str, object]) -> None:
    assert not Draft202012Validator(schemas()["case"]).is_valid(wrong)
