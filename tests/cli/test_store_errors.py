"""Whatever is wrong with a store, a script is told by the exit code which kind of trouble it is."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from referee.store import Store, StoreError
from referee.store.memory import NothingYet
from tests.cli.transcripts import run
from tests.store.test_damage import HARMS, OLDER
from tests.store.writers import SIGNED, draft


@pytest.fixture
def stores(newcomer: Path) -> Path:
    """A good store, one that was written for something else, one that is none at all."""
    run("referee --store games.db -q new pebbles A B first A -p A=Ana")
    run('referee --store games.db -q log "A take 2" "B take 1"')
    sqlite3.connect(newcomer / "recipes.db").execute("CREATE TABLE recipes (name TEXT)")
    (newcomer / "letter.db").write_text("Dear Ana, " * 500, "utf-8")
    return newcomer


@pytest.mark.parametrize("harm", [harm for harm in HARMS if harm not in ("removed", "emptied")])
def test_damaged_names_cost_the_names_and_not_the_play(stores: Path, harm: str) -> None:
    """Whatever happens to the file of the names: the table goes on, and a backup has the rest."""
    names, chance = stores / "games.people.db", random.Random(harm)
    (stores / OLDER).mkdir()
    shutil.copy(names, stores / OLDER)
    run("referee --store games.db -q people rename Ana Zoe")
    for number in range(4):
        before = names.read_bytes()
        HARMS[harm](names, chance)
        for line in ("games", "state", "log 'A take 2'", "undo", f"backup copy-{number}.db"):
            said, code = run(f"referee --store games.db {line}")
            assert code == 0, said
        if harm in ("noise", "older"):
            assert "the names are not in this backup" in said
            assert not (stores / f"copy-{number}.people.db").exists()
            told = run("referee --store games.db games")[0]
            assert "pseudonyms" in told
            assert not {"Ana", "Zoe"} & set(re.split(r"\W+", told))
            assert run("referee --store games.db --as Bo:judge note add 0 hm")[1] == 6
        names.write_bytes(before)
    assert "A=Zoe" in run("referee --store games.db games")[0]


@pytest.mark.parametrize("store", ["", "--store new.db", "--store nowhere/new.db"])
def test_a_position_is_judged_without_a_store(newcomer: Path, store: str) -> None:
    (newcomer / "table.toml").write_text(
        'game = "pebbles"\ntable = "table A B first A"\n[position]\nheap = 3\n'
        'taken = { A = 5, B = 4 }\nnext = "B"\nlast = 1\n',
        "utf-8",
    )
    said, code = run(f"referee {store} check --position table.toml take 3")
    assert code == 0, said
    assert not (newcomer / "new.db").exists()


@pytest.mark.parametrize(
    ("line", "code", "key"),
    [
        ('--store games.db people rename Ana ""', 2, "name_empty"),
        (f"--store games.db people rename Ana {'x' * 300}", 2, "name_too_long"),
        ("--store games.db people rename Ana 'A\x07'", 2, "name_character"),
        ("--store gopher://club games", 2, "bad_url"),
        ("--store other.db restore nowhere.db", 4, "missing_store"),
        ("--store typo.db games", 4, "missing_store"),
        ("--store typo.db log 'A take 1'", 4, "missing_store"),
        ("--store typo.db backup copy.db", 4, "missing_store"),
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


def test_nothing_is_made_by_those_who_only_look(newcomer: Path) -> None:
    assert run("referee --store typo.db games")[1] == 4
    out, exit = run("referee games --json")
    assert (exit, json.loads(out)["data"]["games"]) == (0, [])
    out, exit = run("referee ruling list --json")
    assert exit == 0
    assert not list(newcomer.rglob("*.db*"))


def test_nothing_is_written_where_there_is_no_store() -> None:
    store = Store(NothingYet(Path("games.db")), "memory:")
    with pytest.raises(StoreError, match="missing_store"):
        store.append("game-1", [draft(0, "k")], expected=-1, **SIGNED)


@pytest.mark.parametrize(
    "line",
    [
        "new pebbles A B first A",
        "tournament new Cup --of pebbles --rounds 2",
        "import record.jsonl",
        "tournament import log.pods.json --of pebbles",
        "ruling import rulings.toml",
        "access give scribe",
        "access code scribe",
    ],
)
def test_whoever_brings_something_makes_the_store(newcomer: Path, line: str) -> None:
    run("referee --store elsewhere.db -q new pebbles A B first A")
    run("referee --store elsewhere.db export record -o record.jsonl")
    run("referee --store elsewhere.db -q log 'A take 4' --stands")
    run("referee --store elsewhere.db dispute open 1 -m so")
    run("referee --store elsewhere.db --as judge ruling issue d1 --remedy stands -m so")
    run("referee --store elsewhere.db ruling export -o rulings.toml --source club")
    run("referee --store elsewhere.db tournament new Cup --of pebbles --rounds 2")
    run("referee --store elsewhere.db tournament players add Ana Bo")
    run("referee --store elsewhere.db tournament players checkin --all")
    run("referee --store elsewhere.db tournament export pods -o log.pods.json")
    for url in ("", "--store mine.db"):
        out, exit = run(f"referee {url} {line}")
        assert exit == 0, out
    assert {file.name for file in newcomer.rglob("*.db")} >= {"mine.db", "games.db"}


def test_nothing_ails_a_program_that_was_installed_a_moment_ago(newcomer: Path) -> None:
    out, exit = run("referee doctor --json")
    failed = [row for row in json.loads(out)["data"]["checks"] if row["level"] == "fail"]
    assert (exit, failed) == (0, [])
    assert list(newcomer.rglob("*.db")) == [], "whoever only looks makes no store"


def test_a_store_that_lost_entries_is_named_until_they_are_given_up(stores: Path) -> None:
    run("referee --store games.db backup old.db")
    run("referee --store games.db -q note add 1 one")
    remove_all_but_the_witness(stores)
    (stores / "old.db").rename(stores / "games.db")
    for line in ("games", "note add 1 two", "verify", "backup copy.db"):
        out, exit = run(f"referee --store games.db {line} --json")
        assert (exit, json.loads(out)["error"]["code"]) == (6, "entries_lost")
    for line in ("doctor", "store check"):
        out, exit = run(f"referee --store games.db {line} --json")
        failed = [row["check"] for row in json.loads(out)["data"]["checks"] if row["fix"]]
        assert (exit, "witness" in failed) == (6, True)
    assert run("referee --store games.db store check --accept-loss")[1] == 0
    assert run("referee --store games.db note add 1 two")[1] == 0


def remove_all_but_the_witness(folder: Path) -> None:
    for file in folder.glob("games.db*"):
        if not file.name.endswith("witness"):
            file.unlink()


def test_restoring_says_what_is_not_in_the_backup(stores: Path) -> None:
    run("referee --store games.db backup old.db")
    run("referee --store games.db -q note add 1 one")
    remove_all_but_the_witness(stores)
    (stores / "games.people.db").unlink()
    out, exit = run("referee --store games.db restore old.db --json")
    answer = json.loads(out)
    assert (exit, answer["data"]["missing"], len(answer["warnings"])) == (0, 1, 1)
    assert run("referee --store games.db games")[1] == 0


def test_a_store_is_brought_elsewhere_and_brought_up_to_date(stores: Path) -> None:
    out, exit = run("referee --store games.db store copy second.db --json")
    data = json.loads(out)["data"]
    assert (exit, data["entries"], data["new"], data["names"]) == (0, 3, 3, 1)
    run("referee --store games.db -q note add 1 one")
    data = json.loads(run("referee --store games.db store copy second.db --json")[0])["data"]
    assert (data["entries"], data["new"]) == (4, 1)
    run("referee --store second.db -q -g game- note add 1 elsewhere")
    run("referee --store games.db -q note add 1 here")
    out, exit = run("referee --store games.db store copy second.db --json")
    assert (exit, json.loads(out)["error"]["code"]) == (5, "diverged")


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
