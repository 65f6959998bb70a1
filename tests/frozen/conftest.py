"""The command line in a newcomer's folder."""

from __future__ import annotations

from tests.cli.conftest import newcomer

__all__ = ["newcomer"]

collect_ignore_glob = ["*/games/*"]
"""The tests of those games are run by ``test_games_0_2_0.py``, as their authors would."""
