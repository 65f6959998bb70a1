"""Tables, benches and key rings for proofs."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.proof.keys import KeyRing
from tests.cli.conftest import newcomer
from tests.record.conftest import bench, table

__all__ = ["bench", "newcomer", "table"]


@pytest.fixture
def ring(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "keys")
