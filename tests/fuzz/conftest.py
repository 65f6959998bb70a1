"""The club that all doors lead into."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.club import club
from tests.fuzz.program import Program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with club(tmp_path_factory.mktemp("club")) as program:
        yield program
