"""A long name is cut rather than shrunk: on a phone nobody reads four pixels."""

from __future__ import annotations

import re

import pytest

from engines.kernel.registry import load_engine
from replays.gallery import sample
from tests.cli.test_french import GAMES

LONG, SHORT = "Marguerite-Antoinette", "Bo"
_PANEL = re.compile(r"([A-F] )?(Bo|Marg[^ ]*)")
_SIZE = re.compile(r'<text[^>]*font-size="([0-9.]+)"[^>]*>([^<]*)<')


def sizes(game: str, name: str) -> list[float]:
    """The sizes at which a name is written on the panels; a sentence has its own measure."""
    step = sample(game).steps[-1]
    engine = load_engine(game)
    names = dict.fromkeys(step.setting.seats, name)
    drawn = engine.picture(step.state, step.setting, "en", None, names=names)
    found = _SIZE.findall(str(drawn.body))
    return [float(size) for size, text in found if _PANEL.fullmatch(text)]


@pytest.mark.parametrize("game", GAMES)
def test_a_long_name_is_written_almost_as_large_as_a_short_one(game: str) -> None:
    usual, small = sizes(game, SHORT), sizes(game, LONG)
    assert len(usual) == len(small) > 0
    for one, other in zip(usual, small, strict=True):
        assert other >= 0.8 * one
