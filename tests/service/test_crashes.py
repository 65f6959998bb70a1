"""A service that is killed loses nothing it has acknowledged, and does nothing twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.service.killing import killed_under_load

KILLS = 2 * int(os.environ.get("REFEREE_CHAOS", "1"))


@pytest.mark.deep
def test_nothing_acknowledged_is_lost_or_doubled_and_readers_resume(tmp_path: Path) -> None:
    assert killed_under_load(f"sqlite://{tmp_path}/games.db", KILLS) > KILLS
