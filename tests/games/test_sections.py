"""Where a clause says that it stands in the rulebook there is such a heading."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engines.kernel.registry import load_engine

HEADINGS = tomllib.loads(Path(__file__).with_name("headings.toml").read_text("utf-8"))
OURS = "Arbitrage"
"""What the referee adds stands in no rulebook, and says so."""


@pytest.mark.parametrize("game", sorted(HEADINGS))
def test_every_section_is_a_heading_of_the_rulebook(game: str) -> None:
    named = {clause.section for clause in load_engine(game).clauses.values()}
    assert named - {OURS} == set(HEADINGS[game])
