"""A long name is written smaller, then in two lines, before it is cut; never too small to read."""

from __future__ import annotations

import re

import pytest

from engines.kernel.picture.svg import SMALLEST
from engines.kernel.registry import load_engine
from replays.gallery import sample
from tests.cli.test_french import GAMES

LONG, SHORT = "Marguerite-Antoinette", "Bo"
ENDLESS = "Marguerite" * 4
_PANEL = re.compile(rf"([A-F] ?)?({SHORT}|Marg[^ ]*)")
_TEXT = re.compile(r'<text[^>]*font-size="([0-9.]+)"[^>]*>(.*?)</text>')
_TAG = re.compile(r"<[^>]*>")


def sizes(game: str, name: str) -> list[float]:
    """The sizes at which a name is written on the panels; a sentence has its own measure."""
    step = sample(game).steps[-1]
    engine = load_engine(game)
    names = dict.fromkeys(step.setting.seats, name)
    drawn = engine.picture(step.state, step.setting, "en", None, names=names)
    found = _TEXT.findall(str(drawn.body))
    return [float(size) for size, text in found if _PANEL.fullmatch(_TAG.sub("", text))]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", [LONG, ENDLESS], ids=["long", "endless"])
def test_a_long_name_is_never_too_small_to_be_read(name: str, game: str) -> None:
    usual, small = sizes(game, SHORT), sizes(game, name)
    assert len(usual) == len(small) > 0
    for one, other in zip(usual, small, strict=True):
        assert other >= round(SMALLEST * one, 2)
