"""Whoever changes, removes or rewrites behind the program's back is found out in every database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from referee.store import Store, StoreError, open_store
from referee.store.canonical_json import canonical
from referee.store.hash_chain import find_break
from referee.store.maintenance.backup import accept_loss
from referee.store.maintenance.health import doctor
from referee.store.maintenance.init import init
from referee.store.sqlite.files import sqlite_path
from referee.store.urls import is_postgres, open_unwitnessed_log
from tests.store.server import PostgresServer
from tests.store.writers import SIGNED, batch, draft
from tests.waiting import PATIENCE


class Meddler:
    """Somebody who may do everything with the database, and takes the triggers off first."""

    def __init__(self, url: str) -> None:
        self._is_server = is_postgres(url)
        if self._is_server:
            import psycopg

            from referee.store.postgres.server import postgres_server

            server = postgres_server(url)
            self._connection: Any = psycopg.connect(**server.parameters, autocommit=True)
            self._connection.execute(f"SET search_path = {server.schema}")
            self("ALTER TABLE entries DISABLE TRIGGER entries_never_change")
            return
        self._connection = sqlite3.connect(sqlite_path(url), isolation_level=None)
        for trigger in ("entries_no_update", "entries_no_delete"):
            self(f"DROP TRIGGER IF EXISTS {trigger}")

    def __call__(self, sql: str, *values: Any) -> list[Any]:
        if self._is_server:
            sql = sql.replace("?", "%s").replace("rowid", "notification_id")
        cursor = self._connection.execute(sql, values)
        return cursor.fetchall() if cursor.description else []

    def body(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            self("SELECT state FROM entries WHERE rowid = ?", number)[0][0]
        )
        return found

    def rewrite(self, number: int, **changes: Any) -> bytes:
        body = canonical(self.body(number) | changes)
        self("UPDATE entries SET state = ? WHERE rowid = ?", body, number)
        return body

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def meddler(shared_url: str) -> Iterator[Meddler]:
    """Two games of three entries: #1 to #3 and #4 to #6."""
    with closing(open_store(shared_url)) as store:
        for stream in ("game-1", "game-2"):
            for number in range(3):
                store.append(stream, [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    with closing(Meddler(shared_url)) as meddler:
        yield meddler


def rehash(meddler: Meddler) -> None:
    """The chain of the older game made anew, with another author."""
    head = "0" * 64
    for number in (1, 2, 3):
        head = sha256(meddler.rewrite(number, by="pzzzzzzzzzz", prev=head)).hexdigest()


def rehash_with_trails(meddler: Meddler) -> None:
    """The same, and everything else in the database that depends on it."""
    rehash(meddler)
    log_hash = bytes(32)
    for number in range(1, 7):
        body = bytes(meddler("SELECT state FROM entries WHERE rowid = ?", number)[0][0])
        log_hash = sha256(log_hash + sha256(body).digest()).digest()
        meddler("UPDATE entries SET trail = ? WHERE rowid = ?", log_hash, number)


EDITS = {
    "time of the last entry": lambda m: m.rewrite(6, at="2024-01-01T00:00:00.000Z"),
    "author of the last entry of an older game": lambda m: m.rewrite(3, by="pzzzzzzzzzz"),
    "last entry of an older game": lambda m: m("DELETE FROM entries WHERE rowid = 3"),
    "an entry in the middle": lambda m: m("DELETE FROM entries WHERE rowid = 2"),
    "an older game": lambda m: m("DELETE FROM entries WHERE originator_id = 'game-1'"),
    "the newest game": lambda m: m("DELETE FROM entries WHERE originator_id = 'game-2'"),
    "the newest entry": lambda m: m("DELETE FROM entries WHERE rowid = 6"),
    "all entries": lambda m: m("DELETE FROM entries"),
    "a chain": rehash,
    "a chain and all trails": rehash_with_trails,
    "a key": lambda m: m("UPDATE entries SET key = 'other' WHERE rowid = 3"),
    "a trail": lambda m: m("UPDATE entries SET trail = ? WHERE rowid = 3", bytes(32)),
    "an unreadable body": lambda m: m("UPDATE entries SET state = ? WHERE rowid = 2", b"{"),
}


def failures(url: str) -> dict[str, str]:
    return {
        check.name: check.message
        for check in doctor(url)
        if check.level == "fail" and check.name != "guard"
    }


def test_nothing_is_found_where_nobody_has_meddled(shared_url: str, meddler: Meddler) -> None:
    assert failures(shared_url) == {}


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_is_named(shared_url: str, meddler: Meddler, edit: str) -> None:
    EDITS[edit](meddler)
    assert failures(shared_url)


def test_a_row_added_by_hand_is_named(shared_url: str, meddler: Meddler) -> None:
    """In a file it may be of an older program, which keeps no trail."""
    with closing(open_store("memory:")) as elsewhere, closing(open_store(shared_url)) as store:
        elsewhere.adopt(store.read("game-2"))
        (added,) = elsewhere.append("game-2", [draft(3, "k3")], expected=2, **SIGNED)
    columns = "rowid, originator_id, originator_version, topic, state, key"
    values = (7, added.stream, added.seq, added.topic, added.body, "k3")
    meddler(f"INSERT INTO entries ({columns}) VALUES (?, ?, ?, ?, ?, ?)", *values)
    assert bool(failures(shared_url)) == is_postgres(shared_url)


@pytest.mark.parametrize(
    "edit", ["time of the last entry", "author of the last entry of an older game"]
)
def test_whoever_reads_a_record_hears_of_its_last_entry(
    shared_url: str, meddler: Meddler, edit: str
) -> None:
    EDITS[edit](meddler)
    stream = "game-2" if edit == "time of the last entry" else "game-1"
    with (
        closing(Store(open_unwitnessed_log(shared_url), shared_url)) as store,
        pytest.raises(StoreError, match="altered"),
    ):
        store.read(stream)


def test_what_is_given_up_leaves_as_many_entries_as_there_are(
    shared_url: str, meddler: Meddler
) -> None:
    """Not as many as the newest number says."""
    meddler("DELETE FROM entries WHERE originator_id = 'game-1'")
    assert accept_loss(shared_url) == len(meddler("SELECT 1 FROM entries"))


@pytest.mark.parametrize("edit", ["the newest entry", "the newest game", "all entries"])
def test_nobody_writes_over_what_is_gone(shared_url: str, meddler: Meddler, edit: str) -> None:
    EDITS[edit](meddler)
    with pytest.raises(StoreError, match="entries_lost"):
        open_store(shared_url)
    left = accept_loss(shared_url)
    assert left == len(meddler("SELECT 1 FROM entries"))
    with closing(open_store(shared_url)) as store:
        store.append("game-3", batch("n", 2), expected=-1, **SIGNED)
        assert store.position() == left + 2


# PostgreSQL alone: a database that changes under running programs, and programs that are not ours


def test_a_running_node_refuses_when_the_database_has_gone_back(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = filled(postgres_url)
    changes = node.changes(3)
    with closing(Meddler(postgres_url)) as meddler:
        meddler("DELETE FROM entries WHERE rowid > 1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of another computer"))
    with closing(open_store(postgres_url)) as other:  # which has no witness, and goes on
        other.append("game-1", [draft(1, "x")], expected=0, **SIGNED)
    with pytest.raises(StoreError, match="entries_lost"):
        node.append("game-2", [draft(0, "y")], expected=-1, **SIGNED)
    for question in (node.position, node.follow, lambda: node.read("game-1")):
        with pytest.raises(StoreError, match="entries_lost"):
            question()
    with pytest.raises(StoreError, match="entries_lost"):
        changes.wait(PATIENCE)
    changes.close()
    node.close()


def test_a_node_that_only_listens_notices_too(postgres_url: str) -> None:
    node = filled(postgres_url)
    changes = node.changes(3)
    assert changes.wait(0) == ()
    with closing(Meddler(postgres_url)) as meddler:
        meddler("DELETE FROM entries WHERE rowid = 3")
    with pytest.raises(StoreError, match="entries_lost"):
        changes.wait(PATIENCE)
    changes.close()
    node.close()


def test_another_history_of_the_same_length_is_refused(postgres_url: str) -> None:
    node = filled(postgres_url)
    with closing(Meddler(postgres_url)) as meddler:
        meddler("DELETE FROM entries")
        for number, stream in enumerate(("game-7", "game-8", "game-9", "game-10"), 1):
            body = b"another"
            meddler(
                "INSERT INTO entries VALUES (?, ?, 0, 'opened@1', ?, 'k', ?)",
                number, stream, body, bytes([number]) * 32,
            )  # fmt: skip
    with pytest.raises(StoreError, match="other_entries"):
        node.append("game-2", [draft(0, "y")], expected=-1, **SIGNED)
    node.close()


def filled(url: str) -> Store:
    store = open_store(url)
    for number in range(3):
        store.append("game-1", [draft(number, f"k{number}")], expected=number - 1, **SIGNED)
    return store


def test_the_witness_is_kept_where_the_url_says(postgres_url: str, tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.witness"
    url = f"{postgres_url}&witness={file}"
    filled(url).close()
    assert file.stat().st_size == 4096
    with closing(Meddler(postgres_url)) as meddler:
        meddler("DELETE FROM entries WHERE rowid = 3")
    assert failures(url)["witness"] == "store.entries_lost"
    with pytest.raises(StoreError, match="bad_url"):
        open_store(f"{postgres_url}&witness=here")


def entry(**changes: Any) -> bytes:
    body = {
        "at": "2025-01-01T12:00:00.000Z", "by": "pabcdefghij", "data": {}, "f": 1, "key": "k",
        "kind": "opened", "prev": "0" * 64, "role": "scribe", "schema": 1, "seq": 0,
        "stream": "game-zzz",
    }  # fmt: skip
    return canonical({name: value for name, value in (body | changes).items() if value is not None})


ILL_FORMED = {
    "no entry": b"{}",
    "no JSON": b"{",
    "no text": b"\xff",
    "a list": b"[]",
    "nothing": b"",
    "another stream": entry(stream="game-1"),
    "another place": entry(seq=1),
    "another key": entry(key="x"),
    "another kind": entry(kind="logged"),
    "a chain from nowhere": entry(prev="1" * 64),
    "a field too few": entry(role=None),
    "a field too many": entry(extra=1),
    "data that are none": entry(data=[]),
    "a time that is a number": entry(at=1),
    "another format": entry(f=2),
    "schema 0": entry(schema=0),
    "blanks": entry().replace(b",", b", "),
    "another order": b'{"by":"p",' + entry().replace(b'"by":"pabcdefghij",', b"")[1:],
    "too much": entry(data={"text": "x" * (1 << 20)}),
}


@pytest.mark.parametrize("function", ["append", "extend"])
@pytest.mark.parametrize("kind", ILL_FORMED)
def test_a_writer_can_append_what_continues_a_record_and_nothing_else(
    postgres: PostgresServer, postgres_url: str, kind: str, function: str
) -> None:
    import psycopg

    from referee.store.postgres.server import postgres_server

    init(postgres_url, writers=["scribe"])
    server = postgres_server(postgres.url(postgres_server(postgres_url).schema, user="scribe"))
    more = ", NULL, NULL, NULL" if function == "extend" else ""
    call = (
        f"SELECT {server.schema}.{function}('game-zzz', 0, ARRAY[%s], ARRAY[%b::bytea], ARRAY['k']"
        f"{more})"
    )
    with psycopg.connect(**server.parameters, autocommit=True) as writer:
        topic = "opened@0" if kind == "schema 0" else "opened@1"
        with pytest.raises(psycopg.DataError):
            writer.execute(call.encode(), (topic, ILL_FORMED[kind]))
        writer.execute(call.encode(), ("opened@1", entry()))
    with closing(open_store(postgres_url)) as store:
        assert find_break("game-zzz", store.read("game-zzz")) is None
        assert store.position() == 1


BEFORE = """
    DROP FUNCTION extend, is_entry;
    CREATE OR REPLACE FUNCTION append(
        stream text, first bigint, topics text[], bodies bytea[], keys text[],
        number bigint DEFAULT NULL
    ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
        last bigint;
    BEGIN
        SELECT coalesce(max(notification_id), 0) INTO last FROM SCHEMA.entries;
        INSERT INTO SCHEMA.entries
            SELECT last + place, stream, first + place - 1, topic, body, key
            FROM unnest(topics, bodies, keys) WITH ORDINALITY AS new (topic, body, key, place);
        RETURN last + cardinality(keys);
    END $$;
    ALTER TABLE entries DROP COLUMN trail;
"""
"""What a schema was before entries had a trail."""


def test_a_store_of_an_earlier_version_is_brought_up_by_init(
    postgres: PostgresServer, postgres_url: str
) -> None:
    from referee.store.postgres.server import postgres_server

    init(postgres_url, writers=["scribe"])
    schema = postgres_server(postgres_url).schema
    with closing(open_store("memory:")) as elsewhere, closing(Meddler(postgres_url)) as meddler:
        entries = elsewhere.append("game-1", batch("old", 4), expected=-1, **SIGNED)
        for statement in BEFORE.replace("SCHEMA", schema).split(";\n    ALTER"):
            meddler(statement if "DROP FUNCTION" in statement else f"ALTER{statement}")
        call = "SELECT append('game-1', ?, ARRAY[?], ARRAY[?::bytea], ARRAY[?])"
        for old in entries[:3]:
            meddler(call, old.seq, old.topic, old.body, json.loads(old.body)["key"])
        with pytest.raises(StoreError, match="missing_schema"):
            open_store(postgres_url)
        assert not init(postgres_url).created
        # a node of that version goes on, and so does its writer at the new one
        fourth = entries[3]
        meddler(call, 3, fourth.topic, fourth.body, json.loads(fourth.body)["key"])
        url = postgres.url(schema, user="scribe")
        with closing(open_store(url)) as store:
            assert store.read("game-1") == entries
            store.append("game-1", [draft(4, "new")], expected=3, **SIGNED)
        rows = meddler("SELECT trail IS NULL FROM entries ORDER BY rowid")
        assert [old for (old,) in rows] == [True, True, True, False, False]
        assert failures(postgres_url) == {}
        meddler.rewrite(2, by="pzzzzzzzzzz")
    assert failures(postgres_url)
