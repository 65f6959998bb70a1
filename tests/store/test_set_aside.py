"""One entry that cannot be read is named and left out; everything else goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller, StoreContext
from answers.judge import calls, precedents, what_if
from answers.play import actions, info, opening
from answers.proof.verification import verify_all
from answers.review import import_export, move_search, notes, stats
from answers.tournament import lifecycle
from cli.commands.demo import SETUP, TABLE
from engines.kernel.registry import load_engine
from referee.archive import read_models
from referee.judging.what_if import Other
from referee.proof.keys import KeyRing
from referee.store import Draft, StoreError, open_store
from referee.store.derived import projections
from referee.store.sqlite.files import sqlite_path
from referee.table.author import Author
from referee.table.bench import Bench
from referee.table.play import log
from tests.store.writers import SIGNED

ROTTEN = {
    "no JSON": b"{",
    "nothing": b"",
    "no entry": b"{}",
    "no object": b"[]",
    "no text": b"\xff\xfe",
    "deep": b"[" * 200_000,
}
"""What stands where an entry was."""
ODD: tuple[Draft, ...] = (
    Draft("opened", 1, {}, "k"),
    Draft("opened", 2, {"game": []}, "k"),
    Draft("opened", 2, {"game": "benevolent", "seats": 7, "title": {}}, "k"),
    Draft("taken_back", 1, {"numbers": 3}, "k"),
    Draft("ruled", 1, {"numbers": "x", "reason": []}, "k"),
    Draft("noted", 1, {"id": {}}, "k"),
    Draft("created", 1, {"name": 1}, "k"),
)
"""Entries of the right form that say nothing their kind should."""


def caller_of(url: str) -> Caller:
    return Caller(StoreContext(open_store(url)), Author("anonymous", "judge"))


@pytest.fixture
def club(file_url: str) -> str:
    """Three games, all alike."""
    with closing(open_store(file_url)) as store:
        caller = Caller(StoreContext(store))
        for _ in range(3):
            opened = opening.open_table(caller, "benevolent", TABLE).data
            actions.log(caller, opened.game, [*SETUP, "A step c1; pick"])
    return file_url


def games_of(url: str) -> list[str]:
    with closing(open_store(url)) as store:
        return list(store.streams("game-"))


def rot(url: str, stream: str, seq: int, body: bytes) -> None:
    with closing(sqlite3.connect(sqlite_path(url), isolation_level=None)) as meddler:
        meddler.execute("DROP TRIGGER IF EXISTS entries_no_update")
        meddler.execute(
            "UPDATE entries SET state = ? WHERE originator_id = ? AND originator_version = ?",
            (body, stream, seq),
        )


def questions(caller: Caller) -> dict[str, Any]:
    """Whatever is asked about all records at once."""
    return {
        "games": lambda: info.games(caller),
        "stats": lambda: stats.statistics(caller),
        "notes": lambda: notes.search(caller, "x"),
        "moves": lambda: move_search.search(caller, "step"),
        "rulings": lambda: precedents.rulings(caller),
        "calls": lambda: calls.calls(caller),
        "tournaments": lambda: lifecycle.tournaments(caller),
    }


@pytest.mark.parametrize("rotten", ROTTEN)
@pytest.mark.parametrize("seq", [0, 1])
def test_every_question_about_all_records_goes_on(club: str, rotten: str, seq: int) -> None:
    bad, *good = games_of(club)
    rot(club, bad, seq, ROTTEN[rotten])
    caller = caller_of(club)
    for name, question in questions(caller).items():
        answered = question()
        assert answered.data is not None
        told = [caller.voice.spoken(warning) for warning in answered.warnings]
        assert any(bad in line for line in told), name
        assert not any(game in line for line in told for game in good), name
    assert {row.game for row in info.games(caller).data.games} >= set(good)
    assert stats.statistics(caller).data.games == len(good)
    with pytest.raises(StoreError) as caught:
        caller.game(bad)
    assert caught.value.facts["stream"] == bad


MOVED = {
    "removed": "DELETE FROM entries WHERE originator_id = ?",
    "renamed": "UPDATE entries SET originator_id = 'game-zzz' WHERE originator_id = ?",
    "without its first entry": "DELETE FROM entries WHERE originator_id = ? "
    "AND originator_version = 0",
    "without its opening": "UPDATE entries SET topic = 'noted@1', state = CAST(replace(CAST(state "
    'AS TEXT), \'"kind":"opened"\', \'"kind":"noted"\') AS BLOB) WHERE originator_id = ? '
    "AND originator_version = 0",
    "without its last entry": "DELETE FROM entries WHERE rowid = (SELECT MAX(rowid) FROM entries "
    "WHERE originator_id = ?)",
}
"""What somebody does to a record with a program of their own."""


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("way", MOVED)
def test_a_record_that_was_removed_or_renamed_hides_no_other(
    club: str, way: str, listed: bool, tmp_path: Path
) -> None:
    with closing(open_store(club)) as store:
        bad, *good = [entry.stream for _, entry in store.follow() if not entry.seq]
        if listed:
            for question in questions(Caller(StoreContext(store))).values():
                question()
    with closing(sqlite3.connect(sqlite_path(club), isolation_level=None)) as meddler:
        for trigger in ("entries_no_update", "entries_no_delete"):
            meddler.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        meddler.execute(MOVED[way], (bad,))
    caller = caller_of(club)
    named = "game-zzz" if way == "renamed" and not listed else bad
    for name, question in questions(caller).items():
        told = [caller.voice.spoken(warning) for warning in question().warnings]
        assert not any(game in line for line in told for game in good), name
        if (listed and way in ("removed", "renamed")) or (name, way) in (
            ("games", "renamed"),
            ("games", "without its first entry"),
            ("games", "without its opening"),
        ):
            assert any(named in line for line in told), name
    assert {row.game for row in info.games(caller).data.games} - {bad, named} == set(good)
    found = {move.game for move in move_search.search(caller, "step").data.moves}
    assert found - {bad, named} == set(good)
    assert way not in ("removed", "renamed") or bad not in found
    proven = verify_all(caller, KeyRing(tmp_path))
    assert {row.game for row in proven.data.records if row.ok} >= set(good)
    assert proven.outcome == "invalid"
    assert proven.warnings


@pytest.mark.parametrize("odd", ODD, ids=lambda draft: f"{draft.kind} {draft.data}")
@pytest.mark.parametrize("stream", ["game-zzz", "tournament-zzz", "book-zzz"])
def test_entries_that_say_nothing_take_nothing_down(club: str, odd: Draft, stream: str) -> None:
    good = games_of(club)
    with closing(open_store(club)) as store:
        store.append(stream, [odd], expected=-1, **SIGNED)
    caller = caller_of(club)
    for question in questions(caller).values():
        assert question().data is not None
    assert {row.game for row in info.games(caller).data.games} >= set(good)


def test_an_archive_and_a_what_if_leave_it_out(club: str, tmp_path: Path) -> None:
    bad, *good = games_of(club)
    rot(club, bad, 1, b"{")
    caller = caller_of(club)
    file = tmp_path / "archive.db"
    wanted = import_export.ExportOptions()
    assert import_export.export_into(file, caller, good[0], "sqlite", wanted) == [bad]
    with closing(sqlite3.connect(file)) as archive:
        assert archive.execute("SELECT count(*) FROM games").fetchone() == (len(good),)
    asked = what_if.what_if_all(caller, "benevolent", Other(engine=load_engine("benevolent")))
    assert {row.game for row in asked.data.games} == set(good)
    assert asked.warnings


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_is_mended_comes_back(club: str, order: tuple[int, int]) -> None:
    """Whichever of several it is, and whatever is still wrong with the others."""
    with closing(open_store(club)) as store:
        stored = [entry.stream for _, entry in store.follow() if not entry.seq]
        whole = {stored[at]: store.read(stored[at])[1].body for at in order}
    bad = {*whole}
    for each in bad:
        rot(club, each, 1, b"{")
    assert info.games(caller_of(club)).warnings
    for mended, body in whole.items():
        rot(club, mended, 1, body)
        bad.remove(mended)
        caller = caller_of(club)
        answered = info.games(caller)
        told = " ".join(map(caller.voice.spoken, answered.warnings))
        assert {each for each in whole if each in told} == bad
        assert len(answered.data.games) == 3


def test_lists_made_by_several_processes_leave_out_the_same(
    club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "MANY", 1)
    bad = games_of(club)[1]
    rot(club, bad, 0, b"{")
    rot(club, bad, 2, b"[]")
    with closing(open_store(club)) as store:
        shared = read_models.open_view(store, processes=2)
        tables = ("games", "said", "set_aside", "tracking")
        rows = {name: shared.rows(f"SELECT * FROM {name}") for name in tables}
        shared.rebuild()
        shared.catch_up(store)
        assert {name: shared.rows(f"SELECT * FROM {name}") for name in tables} == rows
        assert shared.set_aside() == [bad, bad]
        shared.close()


@pytest.mark.parametrize("snapshots", [True, False])
def test_a_changed_entry_is_told_with_and_without_a_snapshot(
    club: str, snapshots: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot stands for entries that nobody reads then."""
    from referee.table import bench as module
    from referee.table import snapshotting

    for part in (module, snapshotting):
        monkeypatch.setattr(part, "LONG", 2)
    game = games_of(club)[0]
    with closing(open_store(club)) as store:
        Bench(store, snapshots=True).game(game)
        body = store.read(game)[1].body
    rot(club, game, 1, body.replace(b'"role":"scribe"', b'"role":"player"'))
    with closing(open_store(club)) as store:
        bench = Bench(store, snapshots=snapshots)
        for ask in (lambda: bench.game(game), lambda: log(bench, game, "B step b1")):
            with pytest.raises(StoreError) as caught:
                ask()
            assert (caught.value.key, caught.value.facts["seq"]) == ("altered", 1)
