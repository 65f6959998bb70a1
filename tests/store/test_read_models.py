"""Read models: exactly once, never half, rebuilt at will."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest

from referee.store import Draft, Store, Stored, StoreError, open_store
from referee.store.derived.projections import (
    BATCH,
    Projections,
    enable_search,
    read_model,
    view_path,
)
from referee.store.sqlite.files import sqlite_url
from tests.store.projectors import counts, die_while_projecting, games, project_all
from tests.store.writers import SIGNED, draft
from tests.waiting import PATIENCE, ended


@pytest.fixture
def path(file_url: str) -> Path:
    path = view_path(file_url)
    assert path is not None
    return path


def fill(store: Store, stream: str, count: int, after: int = -1) -> None:
    drafts = [draft(number, str(number)) for number in range(after + 1, after + 1 + count)]
    store.append(stream, drafts, expected=after, **SIGNED)


def table(view: Projections, name: str) -> list[dict[str, Any]]:
    return view.rows(f"SELECT * FROM {name} ORDER BY 1")


def test_games_are_listed_with_length_and_time(store: Store) -> None:
    view = Projections(view_path(store.url), [games])
    fill(store, "game-1", 3)
    fill(store, "game-2", 1)
    assert view.catch_up(store) == 4
    assert table(view, "games") == [
        {"stream": "game-1", "entries": 3, "updated": SIGNED["at"]},
        {"stream": "game-2", "entries": 1, "updated": SIGNED["at"]},
    ]
    later = {**SIGNED, "at": "2025-01-02T08:00:00.000Z"}
    store.append("game-2", [draft(1, "1")], expected=0, **later)
    assert view.catch_up(store) == 1
    assert table(view, "games")[1] == {"stream": "game-2", "entries": 2, "updated": later["at"]}
    assert view.catch_up(store) == 0
    view.close()


def test_what_a_newer_program_wrote_is_left_out_until_the_tables_are_made_by_it(
    file_store: Store, path: Path
) -> None:
    fill(file_store, "game-1", 1)
    newer = Draft("logged", 2, {"shape": "another"}, "newer")
    file_store.append("game-1", [newer], expected=0, **SIGNED)
    for known, seen in ((1, 1), (2, 2), (1, 1)):
        view = Projections(path, [counts], {"logged": known})
        assert view.catch_up(file_store) == 2
        assert table(view, "counts") == [{"stream": "game-1", "seen": seen}]
        view.close()


def test_view_lies_beside_the_store(file_store: Store, path: Path) -> None:
    Projections(path, [games]).close()
    assert path.name == "games.view.db"
    assert path.exists()


def test_view_of_a_server_lies_in_the_cache_of_the_user(cache_folder: Path) -> None:
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    mine = view_path("postgresql://ann:s3cret@h1,h2/db?schema=club")
    assert mine is not None
    assert mine.parent == cache_folder / "referee"
    assert view_path("postgresql://bob@h1,h2/db?schema=club") == mine
    assert view_path("postgresql://ann:s3cret@h1,h2/db?schema=other") != mine


def test_each_entry_counts_once_over_many_batches_and_openings(
    file_store: Store, path: Path
) -> None:
    total = 2 * BATCH + 7
    for _ in range(3):
        fill(file_store, "game-1", total // 3, after=len(file_store.read("game-1")) - 1)
        view = Projections(path, [counts])
        view.catch_up(file_store)
        view.close()
    view = Projections(path, [counts])
    assert table(view, "counts") == [{"stream": "game-1", "seen": total // 3 * 3}]
    view.close()


def test_making_lists_says_how_far_it_is(file_store: Store, path: Path) -> None:
    fill(file_store, "game-1", BATCH + 7)
    view = Projections(path, [counts])
    told: list[tuple[int, int]] = []
    assert view.catch_up(file_store, lambda *done: told.append(done)) == BATCH + 7
    assert told == [(BATCH, BATCH + 7), (BATCH + 7, BATCH + 7)]
    fill(file_store, "game-1", 2, after=BATCH + 6)
    view.catch_up(file_store, lambda *done: told.append(done))
    assert told[2:] == [(2, 2)]
    view.close()


def test_deleted_view_is_rebuilt_equal(file_store: Store, path: Path) -> None:
    fill(file_store, "game-1", 30)
    fill(file_store, "game-2", 10)
    view = Projections(path, [games, counts])
    view.catch_up(file_store)
    fill(file_store, "game-1", 5, after=29)
    view.catch_up(file_store)
    before = [table(view, name) for name in ("games", "counts")]
    view.close()
    path.unlink()
    view = Projections(path, [games, counts])
    view.catch_up(file_store)
    assert [table(view, name) for name in ("games", "counts")] == before
    view.rebuild()
    assert table(view, "games") == []
    view.catch_up(file_store)
    assert [table(view, name) for name in ("games", "counts")] == before
    view.close()


def test_another_version_of_a_read_model_is_rebuilt(file_store: Store, path: Path) -> None:
    fill(file_store, "game-1", 3)
    old = Projections(path, [games])
    old.catch_up(file_store)

    def create(db: Any) -> None:
        db.execute("CREATE TABLE games (stream TEXT, topic TEXT)")

    @read_model(version=2, create=create)
    def games_with_topic(db: Any, stored: Stored, body: dict[str, Any]) -> None:
        db.execute("INSERT INTO games VALUES (?, ?)", (stored.stream, stored.topic))

    new = Projections(path, [games_with_topic])
    assert new.catch_up(file_store) == 3
    assert table(new, "games") == [{"stream": "game-1", "topic": "logged@1"}] * 3
    assert old.catch_up(file_store) == 3
    assert [row["entries"] for row in table(old, "games")] == [3]
    old.close()
    new.close()


def test_view_of_another_store_is_left_as_it_is(file_store: Store, path: Path) -> None:
    """What it knows may be all that is left of entries that are gone."""
    other = open_store("memory:")
    fill(other, "game-9", 12)
    fill(file_store, "game-1", 3)
    view = Projections(path, [games])
    view.catch_up(other)
    with pytest.raises(StoreError, match="lists_know_more"):
        view.catch_up(file_store)
    assert [row["stream"] for row in table(view, "games")] == ["game-9"]
    view.close()


def test_view_of_a_store_with_as_many_other_entries_is_left_as_it_is(path: Path) -> None:
    one, other = open_store("memory:"), open_store("memory:")
    fill(one, "game-7", 5)
    fill(other, "game-1", 2)
    fill(other, "game-2", 3)
    view = Projections(path, [games])
    view.catch_up(one)
    with pytest.raises(StoreError, match="lists_know_more"):
        view.catch_up(other)
    view.close()


@pytest.mark.parametrize(
    "content", [b"precious notes" * 100, b"SQLite format 3\0" * 300], ids=["text", "noise"]
)
def test_file_that_is_not_ours_is_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match="not_ours"):
        Projections(path, [games])
    assert path.read_bytes() == content


def test_store_with_the_name_of_a_view_is_left_as_it_is(file_url: str, tmp_path: Path) -> None:
    with closing(open_store(sqlite_url(tmp_path / "games.view.db"))) as other:
        fill(other, "game-1", 3)
    with pytest.raises(StoreError, match="not_ours"):
        Projections(view_path(file_url), [games])
    with closing(open_store(sqlite_url(tmp_path / "games.view.db"))) as other:
        assert len(other.read("game-1")) == 3


def test_damaged_view_is_replaced(file_store: Store, path: Path) -> None:
    fill(file_store, "game-1", 3)
    view = Projections(path, [games])
    view.catch_up(file_store)
    view.close()
    path.write_bytes(path.read_bytes()[:100] + bytes(4000))
    view = Projections(path, [games])
    assert view.catch_up(file_store) == 3
    view.close()


def test_view_of_an_older_version_bears_no_mark(file_store: Store, path: Path) -> None:
    fill(file_store, "game-1", 3)
    view = Projections(path, [games])
    view.catch_up(file_store)
    view.db.execute("PRAGMA application_id = 0")
    view.close()
    view = Projections(path, [games])
    assert view.catch_up(file_store) == 0
    view.close()


def test_failed_batch_leaves_no_row(store: Store) -> None:
    fill(store, "game-1", 10)
    failing = True

    @read_model(version=1, create=counts.create)
    def fragile(db: Any, stored: Stored, body: dict[str, Any]) -> None:
        counts(db, stored, body)
        db.table("counts").insert({"stream": f"extra-{stored.seq}", "seen": 0})
        if failing and stored.seq == 7:
            raise RuntimeError("in the middle")

    view = Projections(view_path(store.url), [fragile])
    with pytest.raises(RuntimeError):
        view.catch_up(store)
    assert table(view, "counts") == []
    failing = False
    assert view.catch_up(store) == 10
    assert table(view, "counts")[-1] == {"stream": "game-1", "seen": 10}
    view.close()


def test_process_that_dies_in_a_batch_leaves_the_view_consistent(
    file_store: Store, path: Path, processes: ForkServerContext
) -> None:
    for number in range(3):
        fill(file_store, f"game-{number}", BATCH)
    for fatal in (BATCH // 2, BATCH + 3, 2 * BATCH + 100):
        process = processes.Process(
            target=die_while_projecting, args=(file_store.url, str(path), fatal)
        )
        process.start()
        ended(process)
        assert process.exitcode == -9
        view = Projections(path, [counts])
        seen = sum(row["seen"] for row in table(view, "counts"))
        (tracked,) = view.rows("SELECT position FROM tracking")
        assert seen == tracked["position"] < fatal
        view.close()
    view = Projections(path, [counts])
    view.catch_up(file_store)
    assert [row["seen"] for row in table(view, "counts")] == [BATCH] * 3
    view.close()


def test_projectors_in_several_processes_share_a_view(
    file_store: Store, path: Path, processes: ForkServerContext
) -> None:
    start = processes.Barrier(4)
    projectors = [
        processes.Process(target=project_all, args=(file_store.url, str(path), start, 600))
        for _ in range(3)
    ]
    for projector in projectors:
        projector.start()
    start.wait(PATIENCE)
    for number in range(60):
        fill(file_store, f"game-{number}", 10)
    ended(*projectors)
    assert [projector.exitcode for projector in projectors] == [0] * 3
    view = Projections(path, [counts])
    assert view.catch_up(file_store) == 0
    assert [row["seen"] for row in table(view, "counts")] == [10] * 60
    view.close()


def create_notes(db: Any) -> None:
    db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
    enable_search(db, "notes", ["text"])


@read_model(version=1, create=create_notes)
def notes(db: Any, stored: Stored, body: dict[str, Any]) -> None:
    db.execute("INSERT INTO notes (text) VALUES (?)", (body["data"]["note"],))


@pytest.fixture
def searchable(store: Store) -> Projections:
    for number, text in enumerate(("La forêt brûle", "Un pas en trop", "La règle de la forêt")):
        request = [draft(number, str(number), note=text)]
        store.append("game-1", request, expected=number - 1, **SIGNED)
    view = Projections(view_path(store.url), [notes])
    view.catch_up(store)
    return view


@pytest.mark.parametrize(
    ("words", "found"),
    [("foret", 2), ("FORÊT regle", 1), ("pas", 1), ("absent", 0), ("", 0), ("   ", 0)],
)
def test_search_ignores_case_and_accents(searchable: Projections, words: str, found: int) -> None:
    assert len(searchable.search("notes", words)) == found


@pytest.mark.parametrize(
    "words",
    ['"', "'; DROP TABLE notes; --", "forêt AND (", "NEAR(", "*", "text:", "^", "a\0b", "- -"],
)
def test_hostile_searches_are_just_words(searchable: Projections, words: str) -> None:
    searchable.search("notes", words)
    assert len(table(searchable, "notes")) == 3


def test_searchable_tables_are_rebuilt(searchable: Projections, store: Store) -> None:
    searchable.rebuild()
    assert searchable.search("notes", "foret") == []
    searchable.catch_up(store)
    assert len(searchable.search("notes", "foret")) == 2


def test_view_does_not_wait_for_the_disk(file_store: Store, path: Path) -> None:
    """It can be rebuilt, so it is the one file that need not be synced."""
    view = Projections(path, [games])
    assert view.rows("PRAGMA synchronous") == [{"synchronous": 1}]
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)
    view.close()
