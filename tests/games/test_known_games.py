"""Games that come out as they came out before: every position, verdict and reason on the way.

Whole games of every table, games in which much stands that is illegal, endings, and what is said
of random lines. Of each only a digest is kept (``known_games.toml``): it tells that a game has
become another one, wherever nobody thought of asking. ``python -m tests.fingerprint GAME`` before
and after shows where; if it was meant, ``REFEREE_REWRITE=1`` writes the digests anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Engine, Judgement, Opening, ParseError, Setting, to_plain
from engines.kernel.registry import load_engine
from tests.facts.refusals import heard_in_cases, refused_in
from tests.games.test_positions import slipped
from tests.games.test_what_stands import wild_game
from tests.playing import (
    Game,
    Strays,
    hastened,
    pick,
    playable_games,
    random_game,
    tables_of,
)
from tests.test_cases import files_of, read

FILE = Path(__file__).with_name("known_games.toml")
SEEDS, WILD, REFUSALS, SLIPS = 1, 8, 150, 8
LINES, ACTIONS, STRAYS = 6, 2, 2
"""How much of a case is told, how long play goes on behind it, and what else is tried there."""
LATE = 1000
"""The number of an action that follows whatever there was."""


def known() -> dict[str, dict[str, str]]:
    return tomllib.loads(FILE.read_text("utf-8"))


def games_of(game: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """Every table and how it comes out, once it is asked."""
    for setup in tables_of(game).SETUPS:
        yield setup, lambda setup=setup: _digest(_whole_games(game, setup))  # type: ignore[misc]
    for seed in range(WILD):
        yield f"wild {seed}", lambda seed=seed: _digest(_wild(game, seed))  # type: ignore[misc]
    for path in files_of(game):
        yield path.stem, lambda path=path: _digest(_cases(game, path))  # type: ignore[misc]


def _whole_games(game: str, setup: str) -> Iterator[Any]:
    engine = load_engine(game)
    for seed in range(SEEDS):
        played = random_game(engine, setup, seed)
        for judgement in played.judgements:
            yield _said(engine, played.setting, judgement)
        yield engine.plain(played.state)
        for refusal in refused_in(played, f"known {setup} {seed}", REFUSALS):
            yield str(refusal)
        yield from _slips(played, random.Random(f"known {setup} {seed}"))
        if not played.state.over and hasattr(tables_of(game), "hasten"):
            late = hastened(played, random.Random(f"known {setup} {seed}"))
            for judgement in late.judgements:
                yield _said(engine, late.setting, judgement)


def _slips(played: Game, rng: random.Random) -> Iterator[Any]:
    """Positions declared with a mistake: how they are refused, or what is then on the table."""
    engine, setting = played.engine, played.setting
    if engine.position is None:
        return
    moments = [judgement.state for judgement in played.judgements if not judgement.state.over]
    for _ in range(SLIPS):
        data, other = (
            engine.positions.data_of(setting, state) for state in rng.choices(moments, k=2)
        )
        yield _declared(played, slipped(data, other, rng))
    for wrong in _wrong_somewhere(engine.positions.data_of(setting, rng.choice(moments))):
        yield _declared(played, wrong)


def _declared(played: Game, data: dict[str, Any]) -> Any:
    engine, setting = played.engine, played.setting
    assert engine.position is not None
    fresh = engine.open(setting, played.opening).state
    try:
        position = engine.text.load({**data, "verb": engine.position.verb_of()})
    except ParseError as error:
        return _unreadable(error)
    return _tried(engine, setting, fresh, position)


def _wrong_somewhere(data: Any) -> Iterator[Any]:
    """Every kind of name misspelt and every kind of number one too high, one at a time."""
    if isinstance(data, dict):
        for key in [*data][:: max(1, len(data) // 12)]:
            rest = {name: value for name, value in data.items() if name != key}
            yield {**rest, f"{key}x": data[key]}
            for wrong in _wrong_somewhere(data[key]):
                yield {**data, key: wrong}
    elif isinstance(data, list) and data:
        for wrong in _wrong_somewhere(data[0]):
            yield [wrong, *data[1:]]
    elif isinstance(data, str):
        yield f"{data}x"
    elif type(data) is int:
        yield data + 1


def _goes_on(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, rng: random.Random
) -> Iterator[Any]:
    """What can be done, and what it does."""
    for number in range(ACTIONS):
        options = engine.options(setting, state)
        yield [engine.text(option) for option in options]
        if options:
            heard = engine.judge(setting, state, pick(options, rng), LATE + number)
            yield _said(engine, setting, heard)
            state = heard.state


def _cases(game: str, path: Path) -> Iterator[Any]:
    """What the cases do not ask: they come to what is rare, and each asks about one thing.

    What they refuse is tried as if it had happened, and play goes on where they end.
    """
    engine, rng = load_engine(game), random.Random(path.stem)
    cases = [*heard_in_cases(engine, read(path))]
    actions = [judgement.action for case in cases for _, _, judgement in case]
    parts = [action for action in actions if not _is_whole(engine, action)]
    strays = Strays(engine, parts)
    for case in cases:
        for setting, before, judgement in case[-LINES:]:
            yield _said(engine, setting, judgement)
            if before is not None and not judgement.accepted:
                yield _tried(engine, setting, before, judgement.action)
        if case and judgement.state is not None:
            yield engine.plain(judgement.state)
            for _ in range(STRAYS if parts else 0):
                yield _tried(engine, setting, judgement.state, strays.draw(rng))
            yield from _goes_on(engine, setting, judgement.state, rng)


def _is_whole(engine: Engine[Any, Any], action: Any) -> bool:
    """Whether it says all of a table."""
    return type(action) is engine.position or isinstance(action, Opening)


def _tried(engine: Engine[Any, Any], setting: Setting[Any], state: Any, action: Any) -> Any:
    try:
        return _said(engine, setting, engine.judge(setting, state, action, LATE, lenient=True))
    except ParseError as error:
        return _unreadable(error)


def _unreadable(error: ParseError) -> Any:
    return error.key, {k: v for k, v in error.facts.items() if isinstance(v, str | int | tuple)}


def _wild(game: str, seed: int) -> Iterator[Any]:
    for played, judgement in wild_game(game, seed):
        yield _said(played.engine, played.setting, judgement)
        if judgement.verdict.outcome == "illegal":
            yield played.engine.plain(judgement.state)


def _said(engine: Engine[Any, Any], setting: Setting[Any], judgement: Judgement[Any]) -> Any:
    verdict = to_plain(judgement.verdict)
    if not judgement.accepted:
        return verdict
    state = judgement.state
    position = engine.position_of(state, setting).model_dump(mode="json")
    owed, off = state.agenda.to_plain(), dict(engine.balance(state, setting))
    result = to_plain(engine.result(state)) if state.over else None
    return engine.text(judgement.action), verdict, position, owed, off, result


def _digest(told: Iterable[Any]) -> str:
    sum_of_all = hashlib.sha256()
    for each in told:
        sum_of_all.update(json.dumps(each, sort_keys=True, default=str).encode())
    return sum_of_all.hexdigest()[:12]


@pytest.mark.parametrize("game", playable_games())
def test_a_game_comes_out_as_it_came_out_before(game: str) -> None:
    now = {name: come_out() for name, come_out in games_of(game)}
    if os.environ.get("REFEREE_REWRITE"):
        _write({**known(), game: now})
    assert now == known()[game]


def test_no_game_is_known_that_nobody_plays() -> None:
    assert set(known()) == set(playable_games())


def _write(games: dict[str, dict[str, str]]) -> None:
    parts = (
        "\n".join([f"[{game}]", *(f'"{name}" = "{digest}"' for name, digest in rows.items())])
        for game, rows in sorted(games.items())
    )
    FILE.write_text("\n\n".join(parts) + "\n", "utf-8")
