"""A few power cuts in every run of the tests; ``make powercut`` makes many."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tools.measure.powercut.disk import SECTOR, Change, Disk, Event, Fate, File, Kind
from tools.measure.powercut.simulation import (
    Blind,
    Recording,
    Unavailable,
    check_sight,
    cut_power,
    record,
)
from tools.measure.powercut.workload import ACKNOWLEDGED

CUTS = 12
GAMES = ("benevolent", "bloody_grove")


def recorded(*, deaf: str | None = None) -> Recording:
    try:
        return record(7, GAMES, deaf=deaf)
    except Unavailable as reason:
        pytest.skip(str(reason))


def test_power_cuts_lose_nothing_that_was_acknowledged() -> None:
    outcome = cut_power(recorded(), CUTS)
    assert (outcome.cuts, outcome.examples) == (CUTS, [])


def test_disk_that_ignores_syncs_loses_what_was_acknowledged() -> None:
    assert cut_power(recorded(deaf="-wal"), CUTS).lost > 0


def event(kind: Kind, name: str, inode: int = 1, offset: int = 0, data: bytes = b"") -> Event:
    return Event(kind, name, inode, offset, data)


def made(*events: Event) -> Disk:
    disk = Disk()
    for one in events:
        disk.happen(one)
    return disk


WRITTEN = (event(Kind.OPEN, "a"), event(Kind.WRITE, "a", data=b"first"))
SYNCED = (*WRITTEN, event(Kind.SYNC, "a"), event(Kind.SYNC_FOLDER, ""))


def test_what_is_synced_is_there_whatever_happens_to_the_rest() -> None:
    disk = made(*SYNCED)
    assert all(disk.after_cut(fate, random.Random(1)) == {"a": b"first"} for fate in Fate)


def test_what_is_not_synced_may_be_gone() -> None:
    disk = made(*WRITTEN)
    assert disk.after_cut(Fate.DROPPED, random.Random(1)) == {}
    assert disk.after_cut(Fate.KEPT, random.Random(1)) == {"a": b"first"}


def test_removed_file_comes_back_if_its_folder_is_not_synced() -> None:
    removed = (*SYNCED, event(Kind.UNLINK, "a"))
    assert made(*removed).after_cut(Fate.DROPPED, random.Random(1)) == {"a": b"first"}
    assert (
        made(*removed, event(Kind.SYNC_FOLDER, "")).after_cut(Fate.DROPPED, random.Random(1)) == {}
    )


def test_new_file_with_the_number_of_a_removed_one_is_another_file() -> None:
    again = made(*SYNCED, event(Kind.UNLINK, "a"), event(Kind.OPEN, "b"))
    assert again.after_cut(Fate.KEPT, random.Random(1)) == {"b": b""}


def test_renamed_file_replaces_another() -> None:
    other = (event(Kind.OPEN, "b", 2), event(Kind.WRITE, "b", 2, data=b"second"))
    disk = made(*SYNCED, *other, event(Kind.RENAME, "b", data=b"a"))
    assert disk.after_cut(Fate.KEPT, random.Random(1)) == {"a": b"second"}


ANSWER = event(Kind.WRITE, ACKNOWLEDGED, 9, data=b'["game-1", 0, "00"]\n')
ANSWERED = (*SYNCED, event(Kind.OPEN, ACKNOWLEDGED, 9), ANSWER)
FOUND = {"a": b"first", ACKNOWLEDGED: ANSWER.data}


def test_recording_of_everything_is_trusted() -> None:
    check_sight(Recording(ANSWERED, 1), FOUND)


@pytest.mark.parametrize(
    ("events", "found"),
    [
        pytest.param(ANSWERED, {**FOUND, "a": b"first and more"}, id="a write was not seen"),
        pytest.param(ANSWERED, {**FOUND, "b": b""}, id="a file was not seen"),
        pytest.param((*ANSWERED, event(Kind.MAP, "a")), FOUND, id="a file is mapped"),
        pytest.param(SYNCED, {"a": b"first"}, id="nothing was acknowledged"),
    ],
)
def test_recording_that_misses_something_is_not_trusted(
    events: tuple[Event, ...], found: dict[str, bytes]
) -> None:
    with pytest.raises(Blind):
        check_sight(Recording(events, 1), found)


def test_writes_are_torn_between_sectors_only() -> None:
    new = b"x" * (3 * SECTOR)
    file = File(bytearray(len(new)), [Change(SECTOR // 2, new[: 2 * SECTOR])])
    pieces = {file.after_cut(Fate.TORN, random.Random(seed)) for seed in range(60)}
    edges = (0, SECTOR // 2, SECTOR, 2 * SECTOR, 2 * SECTOR + SECTOR // 2, 3 * SECTOR)
    for content in pieces:
        parts = [content[start:end] for start, end in pairwise(edges)]
        assert all(len(set(part)) == 1 for part in parts)
    assert len(pieces) > 4
