"""The budget of taps on the sample games; ``make bench`` counts those of random ones too."""

from __future__ import annotations

import pytest

from replays.gallery import samples
from tests.pages.tapping import NODE
from tools.measure.bench.bench_taps import measure


@pytest.mark.skipif(NODE is None, reason="counting taps needs Node.js 20 or newer")
@pytest.mark.parametrize("game", samples())
def test_an_action_takes_few_taps(game: str) -> None:
    found = measure(game, random=0)
    assert found.actions > 20
    assert found.kept(game), found
    assert found.word_by_word == 0
