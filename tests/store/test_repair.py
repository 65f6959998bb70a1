"""Repair: everything that holds comes along, everything that can be read is kept."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from answers.admin import stores
from answers.i18n import Voice
from referee.store import StoreError, open_store
from referee.store.hash_chain import find_break
from referee.store.maintenance import repair as repair_module
from referee.store.maintenance.health import doctor
from referee.store.maintenance.repair import repair
from referee.store.sidecars.access import AccessPolicy
from referee.store.sqlite.files import companions, sqlite_path, sqlite_url
from referee.store.urls import open_access, open_people
from tests.store.test_meddling import EDITS, Meddler
from tests.store.writers import SIGNED, draft

GAMES = ("game-1", "game-2", "game-3")


@pytest.fixture
def filled(shared_url: str) -> str:
    """Three games of four entries, told in turn."""
    with closing(open_store(shared_url)) as store:
        for number in range(4):
            for game in GAMES:
                store.append(game, [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    return shared_url


def test_a_sound_store_is_kept_as_it_is(filled: str, tmp_path: Path) -> None:
    new = tmp_path / "mended.db"
    found = repair(filled, new)
    assert (found.entries, found.records, found.broken, found.unreadable) == (12, 3, {}, 0)
    with closing(open_store(filled)) as old, closing(open_store(sqlite_url(new))) as mended:
        assert mended.follow() == old.follow()
    assert [file.name for file in tmp_path.glob("mended*")] == ["mended.db"]


@pytest.mark.parametrize("edit", EDITS)
def test_nothing_that_can_be_read_is_lost(filled: str, tmp_path: Path, edit: str) -> None:
    with closing(Meddler(filled)) as meddler:
        EDITS[edit](meddler)
        there = [bytes(row[0]) for row in meddler("SELECT state FROM entries ORDER BY rowid")]
    first_look = repair(filled)
    assert not list(tmp_path.glob("mended*"))
    new = tmp_path / "mended.db"
    found = repair(filled, new)
    assert found[:4] == first_look[:4]
    with closing(open_store(sqlite_url(new))) as mended:
        kept = [entry.body for _, entry in mended.follow()]
        for stream in mended.streams():
            assert find_break(stream, mended.read(stream)) is None
    aside = []
    if found.leftover is not None:
        lines = found.leftover.read_text("utf-8").splitlines()
        aside = [json.loads(line)["body"].encode() for line in lines]
    assert sorted(kept + aside) == sorted(there)
    assert not [c for c in doctor(sqlite_url(new)) if c.level == "fail"]
    assert len(kept) == found.entries


DAMAGES: dict[str, Callable[[Meddler, int], object]] = {
    "forged": lambda m, number: m.rewrite(number, by="pforger"),
    "gone": lambda m, number: m("DELETE FROM entries WHERE rowid = ?", number),
    "of an older program": lambda m, number: m(
        "UPDATE entries SET trail = NULL WHERE rowid = ?", number
    ),
    "another trail": lambda m, number: m(
        "UPDATE entries SET trail = ? WHERE rowid = ?", bytes(32), number
    ),
}


class Row(NamedTuple):
    number: int
    stream: str
    seq: int
    body: bytes
    trail: bytes | None


def first_untrusted(rows: list[Row]) -> dict[str, int]:
    """Where records break: at a row that follows neither its own record nor the row before it.

    What was gone before it, or kept no trail, is no reason to doubt it.
    """
    at = {row.number: row for row in rows}
    found: dict[str, int] = {}
    for stream in GAMES:
        head, due = "0" * 64, 0
        for row in (row for row in rows if row.stream == stream):
            trail = at[row.number - 1].trail if row.number - 1 in at else None
            trail = bytes(32) if row.number == 1 else trail
            link = sha256((trail or b"") + sha256(row.body).digest()).digest()
            follows = (row.seq, json.loads(row.body)["prev"]) == (due, head)
            if not follows or (trail and row.trail and row.trail != link):
                found[stream] = row.seq
                break
            head, due = sha256(row.body).hexdigest(), due + 1
    return found


def rows_of(meddler: Meddler) -> list[Row]:
    sql = "SELECT rowid, originator_id, originator_version, state, trail FROM entries ORDER BY 1"
    return [
        Row(number, stream, seq, bytes(body), trail and bytes(trail))
        for number, stream, seq, body, trail in meddler(sql)
    ]


@pytest.mark.parametrize("at_once", [1, 3, 100])
def test_a_record_goes_on_as_far_as_it_holds_whatever_becomes_of_others(
    filled: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several rows damaged in several ways, or read a few at once: each where it stands."""
    monkeypatch.setattr(repair_module, "BATCH", at_once)
    chance, broken = random.Random(at_once), Counter[int]()
    with closing(Meddler(filled)) as meddler:
        whole = meddler("SELECT * FROM entries ORDER BY rowid")
        for _ in range(40):
            for number in chance.sample(range(1, len(whole)), chance.randint(1, 3)):
                DAMAGES[chance.choice([*DAMAGES])](meddler, number)
            rows = rows_of(meddler)
            expected = first_untrusted(rows)
            found = repair(filled)
            assert {at.stream: at.seq for at in found.broken} == expected
            trusted = [row for row in rows if row.seq < expected.get(row.stream, len(whole))]
            assert found.entries == len(trusted)
            assert found.records == len({row.stream for row in trusted})
            assert found.unreadable == len(whole) - len(rows)
            assert sum(found.broken.values()) == len(rows) - len(trusted)
            broken[len(expected)] += 1
            meddler("DELETE FROM entries")
            for row in whole:
                meddler(f"INSERT INTO entries VALUES ({', '.join('?' * len(row))})", *row)
    assert {*broken} == {0, 1, 2, 3}


def test_pages_that_are_gone_cost_what_stood_on_them(file_url: str, tmp_path: Path) -> None:
    with closing(open_store(file_url)) as store:
        for game in range(40):
            drafts = [draft(number, f"k{number}", more="x" * 300) for number in range(20)]
            store.append(f"game-{game:02}", drafts, expected=-1, **SIGNED)
        bodies = {entry.body for _, entry in store.follow(limit=1000)}
    path, chance = sqlite_path(file_url), random.Random(4)
    content = bytearray(path.read_bytes())
    for page in chance.sample(range(4, len(content) // 4096), 6):
        content[page * 4096 : page * 4096 + 4096] = bytes(4096)
    path.write_bytes(content)
    assert not any(file.exists() for file in companions(path))
    found = repair(file_url, tmp_path / "mended.db")
    assert 0 < found.entries < 800
    assert found.unreadable + found.entries + sum(found.broken.values()) == 800
    with closing(open_store(sqlite_url(tmp_path / "mended.db"))) as mended:
        assert {entry.body for _, entry in mended.follow(limit=1000)} < bodies
    assert path.read_bytes() == content


def test_names_and_rules_come_along(file_url: str, tmp_path: Path) -> None:
    with closing(open_store(file_url)) as store:
        store.append("game-1", [draft(0, "k")], expected=-1, **SIGNED)
    with closing(open_people(file_url)) as people:
        zoe = people.add("Zoé")
    with closing(open_access(file_url)) as access:
        access.set_rules("game-1", AccessPolicy("everybody", 20))
        access.give("judge", "", zoe)
    repair(file_url, tmp_path / "mended.db")
    url = sqlite_url(tmp_path / "mended.db")
    with closing(open_people(url)) as people, closing(open_access(url)) as access:
        assert people.name(zoe) == "Zoé"
        assert access.rules("game-1") == AccessPolicy("everybody", 20)
        assert access.passes() == []


def test_nothing_is_overwritten(file_url: str, tmp_path: Path) -> None:
    open_store(file_url).close()
    for name in ("mended.db", "mended.db.set-aside.jsonl"):
        (tmp_path / name).write_text("precious")
        with pytest.raises(StoreError, match="already_exists"):
            repair(file_url, tmp_path / "mended.db")
        assert (tmp_path / name).read_text() == "precious"
        (tmp_path / name).unlink()
    with pytest.raises(StoreError, match="memory_only"):
        repair("memory:")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_it_is_told_what_would_be_done(file_url: str, tmp_path: Path, lang: str) -> None:
    with closing(open_store(file_url)) as store:
        for number in range(3):
            store.append("game-1", [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    with closing(sqlite3.connect(sqlite_path(file_url), isolation_level=None)) as meddler:
        meddler.execute("DROP TRIGGER entries_no_update")
        meddler.execute("UPDATE entries SET state = X'7B' WHERE rowid = 2")
    voice = Voice(lang)  # type: ignore[arg-type]
    first = stores.repair(file_url)
    assert (first.outcome, first.data.file) == ("invalid", None)
    done = stores.repair(file_url, tmp_path / "mended.db")
    assert (done.outcome, done.data.entries) == ("done", 1)
    assert [row.model_dump() for row in done.data.broken] == [
        {"record": "game-1", "entry": 1, "problem": "not_an_entry", "set_aside": 2}
    ]
    for answered in (first, done):
        told = "\n".join(answered.lines(voice))
        assert "game-1" in told
        assert "{" not in told
