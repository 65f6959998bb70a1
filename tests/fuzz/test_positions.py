"""Positions as somebody might declare them: of every game, mangled, then described and played on.

``corpus/positions/GAME--WHAT.json`` is a position file, written as JSON.
"""

from __future__ import annotations

import json
import random
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Flaw, ParseError
from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.registry import load_engine
from referee.errors import RefereeError
from referee.record.positions import FromPosition, judge_from_position, position_file, read_position
from replays.gallery import sample, samples
from tests.fuzz.limits import Limits, with_value
from tests.fuzz.mangling import JUNK, mangled
from tests.fuzz.program import CORPUS, SEED, TooMuchWork, bounded, counted, rounds
from tests.playing import bent, random_game, tables_of

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
    """Everything that a page or an export asks of a table; what can be done there."""
    engine, setting, state = found.engine, found.setting, found.state
    for lang in LANGUAGES:
        counted(lambda lang=lang: engine.describe(state, setting, lang))
        counted(lambda lang=lang: engine.picture(state, setting, lang, None).svg("a", "b"))
    counted(lambda: engine.spaces(state, setting, None))
    counted(lambda: (engine.score(state), engine.result(state), engine.things(state, setting)))
    for viewer in ("A", "spectator"):
        ask(found, engine.hide(state, viewer, setting))
    with suppress(ParseError):
        same = engine.positions.data_of(setting, state)
        counted(lambda: engine.positions.contradictions(setting, state, same))
    return ask(found, state)


def ask(found: FromPosition, state: Any) -> list[Any]:
    """What could come next, in all the ways in which that is asked."""
    setting, options = found.setting, found.engine.options
    for question in (options.due, options.trays, options.templates, options.after_silence):
        counted(lambda question=question: question(setting, state))
    for prefix in ("", "A ", "audit ", "audit A "):
        counted(lambda prefix=prefix: options.choices(setting, state, prefix))
    return counted(lambda: options(setting, state))


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


@cache
def tables(game: str) -> tuple[Limits, list[dict[str, Any]]]:
    """Tables of all kinds, at all moments of random games."""
    engine, files = load_engine(game), []
    assert engine.position is not None
    for setup in tables_of(game).SETUPS:
        played = random_game(engine, setup, 1)
        opening = engine.text(played.opening)
        for judged in played.judgements[:: max(1, len(played.judgements) // 8)]:
            position = engine.positions.data_of(played.setting, judged.state)
            files.append({"game": game, "table": opening, "position": position, "stands": True})
    schema = engine.position.model_json_schema()
    return Limits(schema, [file["position"] for file in files]), files


@pytest.mark.parametrize("game", DECLARABLE)
def test_positions_at_their_limits_are_answered_with_bounded_work(game: str) -> None:
    chance = random.Random(f"{SEED} limits {game}")
    limits, files = tables(game)
    for _ in rounds(15):
        file = chance.choice(files)
        changes = [*limits.cases(file["position"])]
        for path, value in chance.sample(changes, chance.choice((1, 1, 2, 4))):
            with suppress(IndexError, TypeError):
                file = {**file, "position": with_value(file["position"], path, value)}
        try:
            with bounded(game):
                look_at(file, chance)
        except (Exception, TooMuchWork) as fault:
            raise AssertionError(f"{game}: {json.dumps(file)}") from fault


@pytest.mark.parametrize(
    "path", sorted((CORPUS / "positions").iterdir()), ids=lambda path: path.stem
)
def test_known_positions_do_no_harm(path: Path) -> None:
    with bounded(path.stem):
        look_at(json.loads(path.read_text("utf-8")), random.Random(path.stem))
