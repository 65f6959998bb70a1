"""Damage to every file of a store, alone and together: all of it is there, or something is said.

``REFEREE_CHAOS`` sets how often.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from referee.store import StoreError, open_store
from referee.store.derived.projections import Projections, view_path
from referee.store.maintenance.health import doctor
from referee.store.sidecars.boxes import Seen
from referee.store.sqlite import errors
from referee.store.sqlite.files import sqlite_path, sqlite_url
from referee.store.urls import open_access, open_boxes, open_people
from tests.store.projectors import games
from tests.store.test_witness import write_and_die
from tests.store.writers import SIGNED, draft

TRIES = int(os.environ.get("REFEREE_CHAOS", "3"))
ACKNOWLEDGED = 20

Harm = Callable[[Path, random.Random], None]


def _changed(file: Path, change: Callable[[bytearray], None]) -> None:
    content = bytearray(file.read_bytes())
    if content:
        change(content)
    file.write_bytes(content)


def flip(file: Path, chance: random.Random) -> None:
    def change(content: bytearray) -> None:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)

    _changed(file, change)


def zero(file: Path, chance: random.Random) -> None:
    def change(content: bytearray) -> None:
        start = chance.randrange(len(content)) // 512 * 512
        content[start : start + 512] = bytes(len(content[start : start + 512]))

    _changed(file, change)


def cut(file: Path, chance: random.Random) -> None:
    os.truncate(file, chance.randrange(file.stat().st_size + 1))


def noise(file: Path, chance: random.Random) -> None:
    file.write_bytes(chance.randbytes(file.stat().st_size))


OLDER = "older"
"""Where the files are as they once were."""


def older(file: Path, chance: random.Random) -> None:
    before = file.parent / OLDER / file.name
    if before.exists():
        shutil.copy(before, file)
    else:
        file.unlink()


HARMS: dict[str, Harm] = {
    "older": older,
    "removed": lambda file, chance: file.unlink(),
    "emptied": lambda file, chance: os.truncate(file, 0),
    "flipped": flip,
    "zeroed": zero,
    "cut": cut,
    "noise": noise,
}


@pytest.fixture(params=["ended well", "killed"])
def whole(
    request: pytest.FixtureRequest, file_url: str, tmp_path: Path, processes: ForkServerContext
) -> Path:
    """A store with everything beside it."""
    with closing(open_store(file_url)) as store:
        store.append("game-0", [draft(0, "k")], expected=-1, **SIGNED)
    with (
        closing(open_people(file_url)) as people,
        closing(open_access(file_url)) as access,
        closing(open_boxes(file_url)) as boxes,
    ):
        gone, (given, _) = people.add("Ann"), access.give("judge", "", "pann")
        boxes.tell("toy", "club", [Seen("hats", 2, "")])
        copied(tmp_path, tmp_path / OLDER)
        people.erase(gone)
        access.revoke(given.id)
        people.add("Zoé")
        access.give("judge", "", "pzoe")
        boxes.tell("toy", "club", [Seen("hats", 3, "")])
    writer = processes.Process(target=write_and_die, args=(file_url, ACKNOWLEDGED))
    writer.start()
    writer.join()
    if request.param == "ended well":
        with (
            closing(open_store(file_url)) as store,
            closing(Projections(view_path(file_url), [games])) as view,
        ):
            view.catch_up(store)
    return sqlite_path(file_url).parent


def is_whole_or_named(url: str) -> bool:
    """Either a command or the doctor speaks, or everything acknowledged can be read."""
    try:
        with closing(open_store(url, create=False)) as store:
            found = store.read("game-1")
            is_whole = [entry.seq for entry in found] == list(range(ACKNOWLEDGED))
            with closing(Projections(view_path(url), [games])) as view:
                view.catch_up(store)
        with (
            closing(open_people(url)) as people,
            closing(open_access(url)) as access,
            closing(open_boxes(url)) as boxes,
        ):
            is_whole &= [name for _, name in people.everybody()] == ["Zoé"]
            is_whole &= [token.person for token in access.passes()] == ["pzoe"]
            is_whole &= boxes.seen("toy", "club") == [Seen("hats", 3, "")]
    except StoreError:
        return True
    return is_whole or bool(complaints(url))


def complaints(url: str) -> list[str]:
    return [check.message for check in doctor(url) if check.level == "fail"]


ALONE = (".db", ".db-wal", ".db-witness", ".people.db", ".access.db", ".boxes.db", ".view.db")
FORGETTABLE = ("games.people.db", "games.access.db", "games.boxes.db")
"""Without them a store is one in which nobody was ever named or let in: that is how to forget."""


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("ending", ALONE)
def test_damage_to_one_file(whole: Path, tmp_path: Path, ending: str, harm: str) -> None:
    chance = random.Random(f"{ending} {harm}")
    name = f"games{ending}"
    if not (whole / name).exists():
        return
    for number in range(TRIES if harm in ("flipped", "zeroed", "cut") else 1):
        copy = copied(whole, tmp_path / f"try-{number}")
        HARMS[harm](copy / name, chance)
        if harm in ("removed", "emptied") and name in FORGETTABLE:
            continue
        if name == "games.db-wal" and harm == "removed":
            (copy / "games.db-shm").unlink(missing_ok=True)
        assert is_whole_or_named(sqlite_url(copy / "games.db"))


def test_damage_to_several_files(whole: Path, tmp_path: Path) -> None:
    """The witness and the log together are what no witness is left for, nor for older copies of
    all of them."""
    chance = random.Random(7)
    files = [file.name for file in whole.glob("games*") if file.name not in FORGETTABLE]
    for number in range(TRIES * 8):
        copy = copied(whole, tmp_path / f"try-{number}")
        names = chance.sample(files, min(len(files), chance.randint(2, 3)))
        if {"games.db-witness", "games.db-wal"} <= set(names):
            continue
        for name in names:
            HARMS[chance.choice([each for each in HARMS if each != OLDER])](copy / name, chance)
        assert is_whole_or_named(sqlite_url(copy / "games.db")), names


def copied(folder: Path, target: Path) -> Path:
    target.mkdir()
    for file in folder.glob("games*"):
        shutil.copy(file, target)
    if (folder / OLDER).exists():
        shutil.copytree(folder / OLDER, target / OLDER)
    return target


def test_an_index_that_leads_nowhere_is_damage(file_url: str) -> None:
    with closing(open_store(file_url)) as store:
        store.append("game-1", [draft(0, "k")], expected=-1, **SIGNED)
        recorder = store._recorder
        (event,) = recorder.select_events("game-1")
        gone = type(event)("game-2", 0, event.topic, event.state)
        with pytest.raises(StoreError, match="damaged"):
            recorder._check_covered(gone)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["people", "access"])
def test_the_doctor_looks_at_names_and_tokens(file_url: str, name: str) -> None:
    with closing(open_people(file_url)), closing(open_access(file_url)):
        open_store(file_url).close()
    assert complaints(file_url) == []
    sqlite_path(file_url).with_name(f"games.{name}.db").write_bytes(
        random.Random(1).randbytes(9999)
    )
    (found,) = [check for check in doctor(file_url) if check.level == "fail"]
    what = {"people": "names", "access": "tokens"}[name]
    assert (found.name, found.fix) == (what, f"doctor.fix.{what}")


@pytest.mark.skipif(os.name != "posix", reason="fcntl")
@pytest.mark.parametrize("refusal", [errno.ENOLCK, errno.EOPNOTSUPP])
@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR])
def test_a_disk_that_cannot_lock_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int, code: int
) -> None:
    import fcntl

    def refused(*_: object) -> None:
        raise OSError(refusal, os.strerror(refusal))

    def told() -> str:
        error = sqlite3.OperationalError("as SQLite calls it")
        error.sqlite_errorcode = code
        with pytest.raises(StoreError) as caught, errors.translating_errors(tmp_path / "games.db"):
            raise error
        return caught.value.key

    assert told() in ("locked", "disk_error")
    monkeypatch.setattr(fcntl, "lockf", refused)
    assert told() == "no_locks"


def test_a_clock_that_is_behind_the_newest_entry_is_told(file_url: str) -> None:
    with closing(open_store(file_url)) as store:
        signed = SIGNED | {"at": "2999-01-01T00:00:00.000Z"}
        store.append("game-1", [draft(0, "k")], expected=-1, **signed)
    clock = {check.name: check for check in doctor(file_url)}["clock"]
    assert (clock.level, clock.message) == ("warn", "doctor.clock_behind")


@pytest.mark.parametrize("harm", ["removed", "emptied", "zeros", "noise"])
@pytest.mark.parametrize("log", ["there", "gone"])
def test_a_store_whose_program_was_killed_says_what_its_witness_can_no_longer_tell(
    file_url: str, processes: ForkServerContext, harm: str, log: str
) -> None:
    """With its log it stays whole, however often it is opened; without, what is gone is named."""
    writer = processes.Process(target=write_and_die, args=(file_url, ACKNOWLEDGED))
    writer.start()
    writer.join()
    store = sqlite_path(file_url)
    witness = store.with_name(f"{store.name}-witness")
    if harm == "zeros":
        witness.write_bytes(bytes(witness.stat().st_size))
    else:
        HARMS[harm](witness, random.Random(1))
    if log == "gone":
        for ending in ("-wal", "-shm"):
            store.with_name(f"{store.name}{ending}").unlink()
        with pytest.raises(StoreError, match="short_copy"):
            open_store(file_url, create=False)
        return
    if harm != "removed":
        found = {check.name: check for check in doctor(file_url)}["witness"]
        assert (found.level, found.message) == ("warn", "doctor.witness_unreadable")
    for _ in range(3):
        with closing(open_store(file_url, create=False)) as opened:
            assert len(opened.read("game-1")) == ACKNOWLEDGED
    assert complaints(file_url) == []
