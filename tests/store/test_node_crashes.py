"""Two nodes of a service on one store, in a file and in a database, killed while tables write.

``REFEREE_CHAOS`` sets how often.
"""

from __future__ import annotations

import os

import pytest

from tests.service.killing import killed_under_load

pytestmark = pytest.mark.xdist_group("node crashes")
KILLS = int(os.environ.get("REFEREE_CHAOS", "4"))


@pytest.mark.deep
def test_two_nodes_killed_at_random_lose_and_double_nothing(shared_url: str) -> None:
    """One of them, or both at once; whoever listens goes on at the other one."""
    assert killed_under_load(shared_url, KILLS, nodes=2) > KILLS
