"""Positions as somebody might declare them: of every game, mangled, then described and played on.

``corpus/positions/GAME--WHAT.json`` is a position file, written as JSON.
"""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Flaw, ParseError
from referee.errors import RefereeError
from referee.record.positions import FromPosition, judge_from_position, position_file, read_position
from replays.gallery import sample, samples
from tests.fuzz.mangling import JUNK, mangled
from tests.fuzz.program import CORPUS, SEED, bounded, rounds
from tests.playing import bent

pytestmark = pytest.mark.xdist_group("fuzzed positions")
MOST_ACTIONS = 6
DECLARABLE = [game for game in samples() if sample(game).engine.position_of is not None]


@cache
def position_at(game: str, step: int) -> dict[str, Any]:
    played = sample(game)
    return {"setup": [], "kit": {}, **position_file(played, played.steps[step].number)}


def declared(game: str, chance: random.Random) -> dict[str, Any]:
    """A position of a real game, a little or very different; mostly as the table stands."""
    steps = range(1, len(sample(game).steps))
    file = dict(position_at(game, chance.choice(steps)), stands=chance.random() < 0.8)
    for _ in range(chance.randint(1, 4)):
        if chance.random() < 0.6:
            file["position"] = bent(file["position"], chance)
        else:
            file = mangled(file, chance, (*JUNK, *_parts(game, chance)))
        if not isinstance(file.get("position"), dict):
            break
    return file


def _parts(game: str, chance: random.Random) -> list[Any]:
    """Things that belong to this game, though elsewhere."""
    other = position_at(game, chance.randrange(1, len(sample(game).steps)))["position"]
    return [other, *other.values()]


def look_at(file: dict[str, Any], chance: random.Random) -> None:
    """Judged, described and drawn; then whatever the program says could be done next."""
    try:
        found = judge_from_position(read_position(json.loads(json.dumps(file))), [])
    except (RefereeError, ParseError, Flaw):
        return
    if found.refused is not None:
        return
    for _ in range(MOST_ACTIONS):
        options = show(found)
        if not options:
            return
        action = chance.choice(options)
        judged = found.engine.judge(found.setting, found.state, action, 1)
        assert judged.accepted, f"{found.engine.text(action)!r} was an option"
        found.state = judged.state


def show(found: FromPosition) -> list[Any]:
    engine, setting, state = found.engine, found.setting, found.state
    for lang in ("en", "fr"):
        engine.describe(state, setting, lang)
        engine.picture(state, setting, lang, None).svg("a", "b")
    assert engine.position_of is not None
    engine.position_of(state, setting)
    return list(engine.options(setting, state))


@pytest.mark.parametrize("game", DECLARABLE)
def test_positions_are_taken_or_refused_with_a_reason(game: str) -> None:
    chance = random.Random(f"{SEED} {game}")
    for _ in rounds(15):
        file = declared(game, chance)
        try:
            with bounded(game):
                look_at(file, chance)
        except Exception as fault:
            raise AssertionError(f"{game}: {json.dumps(file)}") from fault


@pytest.mark.parametrize(
    "path", sorted((CORPUS / "positions").iterdir()), ids=lambda path: path.stem
)
def test_known_positions_do_no_harm(path: Path) -> None:
    with bounded(path.stem):
        look_at(json.loads(path.read_text("utf-8")), random.Random(path.stem))
