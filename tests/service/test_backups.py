"""Copies that are tried, and a store of an older version that is copied before it changes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from answers.admin import maintenance
from referee.store import open_store
from referee.store.maintenance.backup import is_older
from tests.cli.conftest import newcomer as newcomer
from tests.cli.transcripts import run

FROZEN = Path(__file__).parents[1] / "frozen" / "0.1.0"
OPENING = "referee new benevolent A=blue B=red first A -p A=Ana"


def test_a_copy_is_made_again_and_again_and_each_is_restored_for_a_trial(newcomer: Path) -> None:
    assert run(OPENING)[1] == 0
    told, code = run("referee backup copies --every 0.02 --times 3 --most 2")
    assert code == 0
    assert len(re.findall("restored for a trial, 1 entries|trial, 1", told)) == 3
    copies = [file for file in (newcomer / "copies").iterdir() if ".people" not in file.name]
    assert len(copies) == 2
    (newcomer / "copies" / "mine.db").write_text("not a copy of ours")
    run("referee backup copies --every 0.02 --times 1 --most 1")
    assert (newcomer / "copies" / "mine.db").exists()


def test_a_copy_that_does_not_come_back_whole_is_refused(
    newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(OPENING)[1] == 0
    monkeypatch.setattr(maintenance, "check_by_restoring", lambda copy: 0)
    told, code = run("referee backup copies --every 1 --times 1")
    assert code == 6
    assert "is not reliable" in told


def test_a_store_of_an_older_version_is_copied_before_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    url = f"sqlite://{path}"
    assert maintenance.before_upgrade(url) is None
    shutil.copy(FROZEN / "club.db", path)
    assert is_older(url)
    copied = maintenance.before_upgrade(url)
    assert copied is not None
    assert is_older(f"sqlite://{copied.data.file}")
    again = maintenance.before_upgrade(url)
    assert again is not None
    assert again.data.file != copied.data.file


@pytest.mark.parametrize("served", [True, False])
def test_whoever_writes_to_it_first_copies_it_once(newcomer: Path, served: bool) -> None:
    """The service before it starts, a command with its first entry."""
    path = newcomer / "club.db"
    shutil.copy(FROZEN / "club.db", path)
    if served:
        maintenance.before_upgrade(f"sqlite://{path}")
    told, code = run("referee --store club.db new benevolent A=blue B=red first A")
    assert code == 0
    assert "club.before-1.db" in told
    told, code = run("referee --store club.db note add 0 later")
    assert code == 0
    assert "before" not in told
    assert [file.name for file in newcomer.glob("club.before*.db")] == ["club.before-1.db"]
    assert is_older(f"sqlite://{newcomer}/club.before-1.db")
    assert not is_older(f"sqlite://{path}")


def test_a_store_of_this_version_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/games.db"
    open_store(url).close()
    assert maintenance.before_upgrade(url) is None
    assert maintenance.before_upgrade("memory:") is None
