"""Pages in a real browser, from a real server on this computer with a real store.

Needs Debian's chromium and the extra ``e2e``; skipped where they are missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages.club import Club, Device, open_club


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser on a crowded computer misses a moment: what fails is tried once more, and told."""
    here = str(Path(__file__).parent)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with open_club(tmp_path) as opened:
        yield opened


@pytest.fixture
def devices(browser: Any, club: Club) -> Iterator[Any]:
    """Makes devices: ``devices("seat:A", game)``; whatever they complain of fails the test."""
    made: list[Device] = []

    def device(role: str | None = None, scope: str = "", **kind: Any) -> Device:
        made.append(Device(browser, club, role, scope, **kind))
        return made[-1]

    yield device
    for each in made:
        each.close()
