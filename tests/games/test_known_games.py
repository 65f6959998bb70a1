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

from engines.kernel import Engine, Judgement, Setting, to_plain
from engines.kernel.registry import load_engine
from tests.facts.refusals import refused_in
from tests.games.test_what_stands import wild_game
from tests.playing import hastened, playable_games, random_game, tables_of

FILE = Path(__file__).with_name("known_games.toml")
SEEDS, WILD, REFUSALS = 1, 8, 150


def known() -> dict[str, dict[str, str]]:
    return tomllib.loads(FILE.read_text("utf-8"))


def games_of(game: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """Every table and how it comes out, once it is asked."""
    for setup in tables_of(game).SETUPS:
        yield setup, lambda setup=setup: _digest(_whole_games(game, setup))  # type: ignore[misc]
    for seed in range(WILD):
        yield f"wild {seed}", lambda seed=seed: _digest(_wild(game, seed))  # type: ignore[misc]


def _whole_games(game: str, setup: str) -> Iterator[Any]:
    engine = load_engine(game)
    for seed in range(SEEDS):
        played = random_game(engine, setup, seed)
        for judgement in played.judgements:
            yield _said(engine, played.setting, judgement)
        for refusal in refused_in(played, f"known {setup} {seed}", REFUSALS):
            yield str(refusal)
        if not played.state.over and hasattr(tables_of(game), "hasten"):
            late = hastened(played, random.Random(f"known {setup} {seed}"))
            for judgement in late.judgements:
                yield _said(engine, late.setting, judgement)


def _wild(game: str, seed: int) -> Iterator[Any]:
    for played, judgement in wild_game(game, seed):
        yield _said(played.engine, played.setting, judgement)


def _said(engine: Engine[Any, Any], setting: Setting[Any], judgement: Judgement[Any]) -> Any:
    verdict = to_plain(judgement.verdict)
    if not judgement.accepted:
        return verdict
    position = engine.position_of(judgement.state, setting)
    to_act = sorted(judgement.state.agenda.seats)
    return engine.text(judgement.action), verdict, position.model_dump(mode="json"), to_act


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
