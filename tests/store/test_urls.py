"""How a store is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.store.envelopes import StoreError
from referee.store.sqlite.files import sqlite_path


@pytest.mark.parametrize("slashes", ["///", "////", "/////"])
def test_more_slashes_than_needed_name_the_same_file(slashes: str) -> None:
    assert sqlite_path(f"sqlite:{slashes}club/games.db") == Path("/club/games.db")


@pytest.mark.parametrize("url", ["sqlite://games.db", "sqlite:///games.db?mode=ro", "file:///a.db"])
def test_what_names_no_file_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="bad_url"):
        sqlite_path(url)
