"""A newcomer's folder: nothing in it, no records, no colours, English."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    as_newcomer(tmp_path, monkeypatch)
    return tmp_path


def as_newcomer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORE", "GAME", "LANG", "AS"):
        monkeypatch.delenv(f"REFEREE_{name}", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.chdir(folder)
