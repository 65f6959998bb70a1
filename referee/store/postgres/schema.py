"""Making a store in PostgreSQL: its schema, tables, function, guards and rights."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import LiteralString

from psycopg.sql import SQL, Identifier, Literal

from referee.store.envelopes import StoreError
from referee.store.postgres.connection import Connection, connect, translating_errors
from referee.store.postgres.recorder import FORMAT, format_of
from referee.store.postgres.server import Server
from referee.store.sidecars import access, boxes

LOCK = 0x52454631
"""Ours among the advisory locks of a database ("REF1")."""


def make(server: Server, writers: Sequence[str]) -> bool:
    """Create what is missing, one caller at a time; whether there was no store before."""
    with (
        closing(connect(server)) as connection,
        translating_errors(server),
        connection.transaction(),
    ):
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        known = format_of(connection, server)
        if known is not None and known > FORMAT:
            raise StoreError("newer_format", path=server.name, format=known)
        if known is None:
            _create(connection, server)
        _create_beside(connection, server)
        for writer in writers:
            _let_write(connection, server, writer)
    return known is None


def _create(connection: Connection, server: Server) -> None:
    encoding = connection.execute("SHOW server_encoding").fetchone()
    if encoding is None or encoding["server_encoding"] != "UTF8":
        raise StoreError("not_utf8", path=server.name)
    taken = connection.execute(
        "SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace "
        "WHERE nspname = %s AND relname IN ('entries', 'people', 'store')",
        (server.schema,),
    ).fetchone()
    if taken is not None:
        raise StoreError("not_a_store", path=server.name)
    facts = {"lock": LOCK, "format": FORMAT, "channel": server.channel}
    for statement in STATEMENTS:
        connection.execute(
            server.sql(statement, **{name: Literal(fact) for name, fact in facts.items()})
        )


def _create_beside(connection: Connection, server: Server) -> None:
    """What is kept beside the entries; a store of an earlier version gets what it has not."""
    connection.execute(server.sql("SET LOCAL search_path TO {schema}"))
    for statement in (*access.SCHEMA, *boxes.SCHEMA):
        connection.execute(statement.encode())


def _let_write(connection: Connection, server: Server, writer: str) -> None:
    role = Identifier(writer)
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (writer,)).fetchone()
    if known is None:
        connection.execute(SQL("CREATE ROLE {} LOGIN").format(role))
    for right in RIGHTS:
        connection.execute(server.sql(right, role=role))


STATEMENTS: tuple[LiteralString, ...] = (
    "CREATE SCHEMA IF NOT EXISTS {schema}",
    "CREATE TABLE {schema}.store (format integer NOT NULL)",
    """
    CREATE TABLE {table} (
        notification_id bigint PRIMARY KEY,
        originator_id text COLLATE "C" NOT NULL,
        originator_version bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        key text COLLATE "C" NOT NULL,
        UNIQUE (originator_id, originator_version),
        UNIQUE (originator_id, key)
    )
    """,
    """
    CREATE TABLE {schema}.people (
        id text COLLATE "C" PRIMARY KEY,
        name text COLLATE "C" NOT NULL,
        folded text COLLATE "C" NOT NULL,
        place bigint GENERATED ALWAYS AS IDENTITY
    )
    """,
    # The numbers are given under the lock, which is held until the commit: no gaps, and no
    # entry appears behind one that a reader has seen. A sequence would promise neither.
    """
    CREATE FUNCTION {schema}.append(
        stream text, first bigint, topics text[], bodies bytea[], keys text[],
        number bigint DEFAULT NULL
    ) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        next bigint;
        last bigint;
    BEGIN
        PERFORM pg_advisory_xact_lock({lock}, hashtext({channel}));
        SELECT coalesce((SELECT max(originator_version) + 1 FROM {table}
                         WHERE originator_id = stream), 0),
               coalesce((SELECT max(notification_id) FROM {table}), 0)
            INTO next, last;
        IF first <> next OR number <> last + 1 THEN
            RETURN NULL;
        END IF;
        INSERT INTO {table}
            SELECT last + place, stream, first + place - 1, topic, body, key
            FROM unnest(topics, bodies, keys) WITH ORDINALITY AS new (topic, body, key, place);
        last := last + cardinality(keys);
        PERFORM pg_notify({channel}, last::text);
        RETURN last;
    END $$
    """,
    "REVOKE ALL ON FUNCTION {schema}.append FROM PUBLIC",
    """
    CREATE FUNCTION {schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE restrict_violation USING MESSAGE = 'entries are never changed';
    END $$
    """,
    """
    CREATE TRIGGER entries_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse()
    """,
    # Also where triggers are otherwise off, as in a session that replays a replica.
    "ALTER TABLE {table} ENABLE ALWAYS TRIGGER entries_never_change",
    "INSERT INTO {schema}.store VALUES ({format})",
)

RIGHTS: tuple[LiteralString, ...] = (
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT ON {schema}.store, {table} TO {role}",
    "GRANT EXECUTE ON FUNCTION {schema}.append TO {role}",
    "GRANT SELECT, INSERT, UPDATE ON {schema}.people TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.tokens, {schema}.codes, {schema}.rules, "
    "{schema}.admissions, {schema}.boxes TO {role}",
)
