"""The budget of taps on the sample games; ``python -m tests.bench taps`` counts random ones too."""

from __future__ import annotations

import pytest

from replays.gallery import samples
from tests.bench.bench_taps import MEAN, SHARE, measure
from tests.pages.tapping import NODE


@pytest.mark.skipif(NODE is None, reason="counting taps needs Node.js 20 or newer")
@pytest.mark.parametrize("game", samples())
def test_an_action_takes_few_taps(game: str) -> None:
    mean, share, listed, _ = measure(game, random=0)
    assert listed > 20
    assert mean <= MEAN
    assert share >= SHARE
