"""Whatever is wrong with a store, a script is told by the exit code which kind of trouble it is."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.transcripts import run


@pytest.fixture
def stores(newcomer: Path) -> Path:
    """A good store, one that was written for something else, one that is none at all."""
    run("referee --store games.db -q new pebbles A B first A -p A=Ana")
    run('referee --store games.db -q log "A take 2" "B take 1"')
    sqlite3.connect(newcomer / "recipes.db").execute("CREATE TABLE recipes (name TEXT)")
    (newcomer / "letter.db").write_text("Dear Ana, " * 500, "utf-8")
    return newcomer


@pytest.mark.parametrize(
    ("line", "code", "key"),
    [
        ('--store games.db people rename Ana ""', 2, "name_empty"),
        (f"--store games.db people rename Ana {'x' * 300}", 2, "name_too_long"),
        ("--store games.db people rename Ana 'A\x07'", 2, "name_character"),
        ("--store gopher://club games", 2, "bad_url"),
        ("--store other.db restore nowhere.db", 4, "missing_store"),
        ("--store letter.db games", 6, "not_a_database"),
        ("--store recipes.db games", 5, "not_a_store"),
        ("--store no/such/games.db new pebbles A B first A", 5, "missing_folder"),
        ("--store games.db backup recipes.db", 5, "already_exists"),
        ("--store games.db restore games.db", 5, "already_exists"),
    ],
)
def test_the_exit_code_tells_the_trouble(stores: Path, line: str, code: int, key: str) -> None:
    out, exit = run(f"referee {line} --json")
    assert (exit, json.loads(out)["error"]["code"]) == (code, key)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ("state = CAST('{}' AS BLOB)", "not_an_entry"),
        ("state = CAST(state || ' ' AS BLOB)", "not_canonical"),
        ("topic = 'undone@1'", "misplaced"),
        ("state = CAST(replace(state, 'scribe', 'judge') AS BLOB)", "broken_chain"),
    ],
)
def test_a_store_that_was_altered_is_invalid_data(stores: Path, change: str, key: str) -> None:
    meddler = sqlite3.connect(stores / "games.db", isolation_level=None)
    meddler.execute("DROP TRIGGER entries_no_update")
    meddler.execute(f"UPDATE entries SET {change} WHERE originator_version = 1")
    meddler.close()
    out, exit = run("referee --store games.db backup copy.db --json")
    assert (exit, json.loads(out)["error"]["code"]) == (6, key)
