"""A scribe at a table of Benevolent, set up and ready."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.i18n import set_language
from cli.session import Session
from cli.shell import Shell
from referee.table.openings import open_game

SETUP = (
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    " / hoard convert_1",
)


@pytest.fixture
def scribe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("NO_COLOR", "1")
    set_language("en")
    here = Session(store_url=f"sqlite://{tmp_path}/games.db", creates=True)
    heard = open_game(here.caller.bench, "benevolent", "table A=blue B=red first A")
    shell = Shell(here, heard.game.id)
    for line in SETUP:
        assert shell.handle(line).lines[0].startswith("✔")
    return shell
