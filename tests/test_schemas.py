"""The committed schemas are those of the models, and say yes and no to the right things."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engines.kernel.registry import load_engine
from schemas.build import FOLDER, schemas, shipped_games, written
from tests.playing import random_game, tables_of

CASES = sorted((Path(__file__).parent / "cases").glob("*/*.toml"))


made = cache(schemas)


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(made()[name])


def test_the_committed_schemas_are_those_of_the_models() -> None:
    committed = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.schema.json")}
    current = {f"{name}.schema.json": written(schema) for name, schema in made().items()}
    assert sorted(committed) == sorted(current), "run make schemas"
    changed = [name for name in current if current[name] != committed[name]]
    assert changed == [], "run make schemas"


def test_they_are_schemas() -> None:
    for schema in made().values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("game", shipped_games())
def test_a_game_fits_its_schemas(game: str) -> None:
    engine = load_engine(game)
    for sheet in engine.kits.values():
        validator(f"{game}.kit").validate(engine.read_kit(sheet).model_dump(mode="json"))
    played = random_game(engine, next(iter(tables_of(game).SETUPS)), seed=0)
    for action in (played.opening, *played.actions):
        validator(f"{game}.action").validate(action.model_dump(mode="json"))
    for judgement in played.judgements[::10]:
        position = engine.position_of(judgement.state, played.setting)
        validator(f"{game}.position").validate(position.model_dump(mode="json"))


@pytest.mark.parametrize("game", shipped_games())
@pytest.mark.parametrize("wrong", [{}, {"verb": "castle"}, {"verb": "table", "by": "Z"}, []])
def test_what_is_no_action_does_not_fit(game: str, wrong: object) -> None:
    assert not validator(f"{game}.action").is_valid(wrong)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_case_file_fits_the_schema(path: Path) -> None:
    validator("case").validate(tomllib.loads(path.read_text("utf-8")))


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
    assert not validator("case").is_valid(wrong)
