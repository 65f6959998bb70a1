"""When a program has ended, its file alone is the store; a copy that may be short says so."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from answers.context import open_store_context
from cli.commands.demo import SETUP, TABLE
from referee.store import StoreError, open_store
from referee.store.maintenance.backup import accept_loss, backup, restore
from referee.store.maintenance.health import doctor
from referee.store.sqlite.files import sqlite_path, sqlite_url
from referee.table.openings import open_game
from tests.service.running import PROGRAM, Running, start
from tests.store.writers import SIGNED, draft
from tests.waiting import PATIENCE

OPEN_FILES = Path("/proc/self/fd")
posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def copied(url: str, folder: Path) -> str:
    """The file alone, as somebody puts it on a stick."""
    folder.mkdir(exist_ok=True)
    return sqlite_url(Path(shutil.copy(sqlite_path(url), folder)))


def entries(url: str) -> object:
    with closing(open_store(url, create=False)) as store:
        return store.follow(limit=100_000)


def referee(url: str, *words: str) -> None:
    done = subprocess.run(
        [*PROGRAM, "--store", url, "--no-input", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_after_every_command_the_file_alone_is_the_store(
    file_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for number, words in enumerate(
        (
            ("new", "benevolent", TABLE),
            ("log", *SETUP, "A step c1; pick"),
            ("undo",),
            ("note", "add", "1", "why not"),
            ("hold", "-m", "tea"),
        )
    ):
        referee(file_url, *words)
        alone = copied(file_url, tmp_path / f"usb-{number}")
        assert entries(alone) == entries(file_url), words


@posix
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGHUP])
def test_after_a_service_the_file_alone_is_the_store(
    file_url: str, tmp_path: Path, ending: signal.Signals
) -> None:
    with inherited(signal.SIGHUP, signal.SIG_DFL):  # whoever runs this with nohup ignores it
        service = start(file_url)
    written_over_http(service)
    ends_whole(service, ending, file_url, tmp_path)


@posix
def test_a_service_that_is_to_outlive_its_window_does(file_url: str, tmp_path: Path) -> None:
    with inherited(signal.SIGHUP, signal.SIG_IGN):
        service = start(file_url)
    service.process.send_signal(signal.SIGHUP)
    written_over_http(service)
    ends_whole(service, signal.SIGTERM, file_url, tmp_path)


def ends_whole(service: Running, ending: signal.Signals, url: str, folder: Path) -> None:
    """A copy made while it runs says that it may be short; one made afterwards is the store."""
    while_it_runs = copied(url, folder / "early")
    service.process.send_signal(ending)
    assert service.process.wait(PATIENCE) == 0
    alone = copied(url, folder / "usb")
    assert entries(alone) == entries(url)
    assert refusal(while_it_runs) == "short_copy"


@contextmanager
def inherited(which: signal.Signals, handler: signal.Handlers) -> Iterator[None]:
    """What becomes of a signal in the programs that are started meanwhile."""
    before = signal.signal(which, handler)
    try:
        yield
    finally:
        signal.signal(which, before)


def written_over_http(service: Running) -> None:
    opened = {"game": "benevolent", "table": TABLE}
    game = service.ask("POST", "/games", opened)[1]["data"]["game"]
    for line in SETUP[:3]:
        status, _ = service.ask("POST", f"/games/{game}/actions", {"lines": [line]})
        assert status == 200


def refusal(url: str) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(url).close()
    return caught.value.key


def test_a_copy_without_its_log_says_that_it_may_be_short(file_url: str, tmp_path: Path) -> None:
    store = open_store(file_url)
    for number in range(5):
        store.append("game-1", [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    alone = copied(file_url, tmp_path / "usb")
    assert refusal(alone) == "short_copy"
    assert "store.short_copy" in [check.message for check in doctor(alone)]
    with pytest.raises(StoreError, match="short_copy"):
        restore(sqlite_path(alone), sqlite_url(tmp_path / "restored.db"))
    backup(file_url, tmp_path / "copy.db")  # which is whole
    assert len(entries(sqlite_url(tmp_path / "copy.db"))) == 5  # type: ignore[arg-type]
    store.close()
    assert accept_loss(alone) < 5
    open_store(alone).close()


def test_whoever_did_not_end_well_is_forgotten_once_nothing_is_missing(
    file_url: str, tmp_path: Path
) -> None:
    killed = open_store(file_url)
    for number in range(5):
        killed.append("game-1", [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    log = sqlite_path(file_url).with_name("games.db-wal")
    for file in (sqlite_path(file_url), log, log.with_name("games.db-witness")):
        (tmp_path / "crashed").mkdir(exist_ok=True)
        shutil.copy(file, tmp_path / "crashed")
    killed.close()
    url = sqlite_url(tmp_path / "crashed" / "games.db")
    assert len(entries(url)) == 5  # type: ignore[arg-type]
    with closing(open_store(url)) as store:
        for number in (5, 6):
            store.append("game-1", [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    assert len(entries(copied(url, tmp_path / "usb"))) == 7  # type: ignore[arg-type]


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="asks Linux which files are open")
def test_a_store_that_is_forgotten_leaves_no_file_open(file_url: str) -> None:
    """A service that lives for months opens and drops many: whatever is dropped is closed."""
    context = open_store_context(file_url)
    open_game(context.bench, "benevolent", f"table {TABLE}")
    context.people.add("Ana")
    assert context.boxes.names("benevolent") == []
    folder = sqlite_path(file_url).parent
    assert {"games.db", "games.db-witness"} <= open_in(folder)
    del context
    gc.collect()
    assert open_in(folder) == set()


def open_in(folder: Path) -> set[str]:
    targets = (os.readlink(each) for each in OPEN_FILES.iterdir() if each.is_symlink())
    return {Path(each).name for each in targets if each.startswith(f"{folder}/")}
