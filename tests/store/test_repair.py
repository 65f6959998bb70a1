"""Repair: everything that holds comes along, everything that can be read is kept."""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from answers.admin import stores
from answers.i18n import Voice
from referee.store import StoreError, open_store
from referee.store.hash_chain import find_break
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


def test_each_of_two_forged_entries_is_set_aside_wherever_they_stand(filled: str) -> None:
    with closing(Meddler(filled)) as meddler:
        bodies = [bytes(row[0]) for row in meddler("SELECT state FROM entries ORDER BY rowid")]
        for pair in itertools.combinations(range(1, len(bodies) + 1), 2):
            first: dict[str, int] = {}
            for number in pair:
                entry = json.loads(meddler.rewrite(number, by="pforger"))
                first.setdefault(entry["stream"], entry["seq"])
            found = repair(filled)
            assert {at.stream: at.seq for at in found.broken} == first
            assert found.entries == sum(first.get(game, 4) for game in GAMES)
            for number in pair:
                meddler("UPDATE entries SET state = ? WHERE rowid = ?", bodies[number - 1], number)


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
