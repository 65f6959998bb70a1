"""Making a store in PostgreSQL: its schema, tables, function, guards and rights."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import LiteralString

from psycopg.sql import SQL, Identifier, Literal

from referee.store.envelopes import FORMAT as ENTRY_FORMAT
from referee.store.envelopes import GENESIS, StoreError
from referee.store.event_store import LARGEST_BODY
from referee.store.hash_chain import ENVELOPE
from referee.store.postgres.connection import Connection, connect, translating_errors
from referee.store.postgres.recorder import FORMAT, format_of, has_log_hash
from referee.store.postgres.server import Server
from referee.store.sidecars import access, attachments, boxes, people, webhooks

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
        _create_log(connection, server)
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
    for statement in STATEMENTS:
        connection.execute(server.sql(statement, format=Literal(FORMAT)))


def _create_log(connection: Connection, server: Server) -> None:
    """The chain over the whole log, and what appends to it; in place of an earlier version's."""
    if not has_log_hash(connection, server):
        connection.execute(server.sql("ALTER TABLE {table} ADD COLUMN trail bytea"))
    facts = {
        "lock": Literal(LOCK),
        "channel": Literal(server.channel),
        "genesis": Literal(GENESIS),
        "limit": Literal(LARGEST_BODY),
        "names": Literal(list(ENVELOPE)),
        "envelope": Literal(_ENVELOPE_SQL),
        "entry_format": Literal(str(ENTRY_FORMAT)),
    }
    for statement in LOG:
        connection.execute(server.sql(statement, **facts))
    for role in _writers(connection, server):
        connection.execute(
            server.sql("GRANT EXECUTE ON FUNCTION {schema}.extend TO {role}", role=role)
        )


def _writers(connection: Connection, server: Server) -> list[Identifier]:
    """Whoever may append."""
    rows = connection.execute(_WRITERS, (server.schema,)).fetchall()
    return [Identifier(row["rolname"]) for row in rows]


def _create_beside(connection: Connection, server: Server) -> None:
    """Create the sidecar tables; a store of an earlier version gets those it lacks."""
    connection.execute(server.sql("SET LOCAL search_path TO {schema}"))
    beside = (
        *access.SCHEMA, *boxes.SCHEMA, *attachments.SCHEMA, *people.BESIDE, *webhooks.SCHEMA
    )  # fmt: skip
    for statement in (*beside, _CHANGES):
        connection.execute(statement.replace(" BLOB ", " bytea ").encode())
    for role in _writers(connection, server):
        _grant(connection, server, role)


def _let_write(connection: Connection, server: Server, writer: str) -> None:
    role = Identifier(writer)
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (writer,)).fetchone()
    if known is None:
        connection.execute(SQL("CREATE ROLE {} LOGIN").format(role))
    _grant(connection, server, role)


def _grant(connection: Connection, server: Server, role: Identifier) -> None:
    """The rights of a writer; whoever had those of an earlier version gets what is new."""
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
        trail bytea,
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

_ENVELOPE_SQL = "{" + ",".join(f'"{name}":%s' for name in ENVELOPE) + "}"
"""What ``format`` makes an entry from: its fields in their order, and nothing between them."""

LOG: tuple[LiteralString, ...] = (
    # An entry is stored as the next of its record or not at all, whoever calls. Of ``data`` no more
    # is asked than that it is an object: the games know what it means.
    """
    CREATE OR REPLACE FUNCTION {schema}.is_entry(
        stream text, seq bigint, topic text, body bytea, key text, prev text
    ) RETURNS boolean LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        written text := convert_from(body, 'UTF8');
        entry json := written::json;
        name text;
    BEGIN
        IF octet_length(body) > {limit} OR json_typeof(entry) <> 'object'
            OR ARRAY(SELECT json_object_keys(entry)) <> {names}::text[]
        THEN
            RETURN false;
        END IF;
        FOREACH name IN ARRAY ARRAY['at', 'by', 'key', 'kind', 'prev', 'role', 'stream'] LOOP
            IF json_typeof(entry -> name) <> 'string' THEN
                RETURN false;
            END IF;
        END LOOP;
        RETURN json_typeof(entry -> 'data') = 'object'
            AND written = format({envelope}, VARIADIC
                ARRAY(SELECT value::text FROM json_each(entry) WITH ORDINALITY ORDER BY ordinality))
            AND entry ->> 'f' = {entry_format} AND entry ->> 'seq' = seq::text
            AND entry ->> 'stream' = stream AND entry ->> 'key' = key AND entry ->> 'prev' = prev
            AND (entry ->> 'kind') || '@' || (entry ->> 'schema') = topic
            AND entry ->> 'schema' ~ '^[1-9][0-9]*$';
    END $$
    """,
    # The numbers are given under the lock, which is held until the commit: no gaps, and no
    # entry appears behind one that a reader has seen. A sequence would promise neither.
    # ``last`` is null if the entries are not the next ones, and -1 if the log does not have what
    # the caller knows of it: whoever wrote then would write over what is gone.
    """
    CREATE OR REPLACE FUNCTION {schema}.extend(
        stream text, first bigint, topics text[], bodies bytea[], keys text[],
        number bigint, known bigint, known_trail bytea, OUT last bigint, OUT trail bytea
    ) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        next bigint;
        prev text;
        covered bigint;
        older bytea;
    BEGIN
        PERFORM pg_advisory_xact_lock({lock}, hashtext({channel}));
        IF known > 0 AND NOT EXISTS (
            SELECT FROM {table} AS e WHERE e.notification_id = known
            AND coalesce(e.trail = known_trail, true))
        THEN
            last := -1;
            RETURN;
        END IF;
        SELECT e.originator_version + 1, encode(sha256(e.state), 'hex') INTO next, prev
            FROM {table} AS e WHERE e.originator_id = stream
            ORDER BY e.originator_version DESC LIMIT 1;
        SELECT e.notification_id, e.trail INTO last, trail
            FROM {table} AS e ORDER BY e.notification_id DESC LIMIT 1;
        last := coalesce(last, 0);
        IF first <> coalesce(next, 0) OR number <> last + 1 THEN
            last := NULL;
            RETURN;
        END IF;
        prev := coalesce(prev, {genesis});
        IF trail IS NULL THEN  -- nothing yet, or entries of a version that kept none
            SELECT e.notification_id, e.trail INTO covered, trail
                FROM {table} AS e WHERE e.trail IS NOT NULL
                ORDER BY e.notification_id DESC LIMIT 1;
            trail := coalesce(trail, decode({genesis}, 'hex'));
            FOR older IN SELECT e.state FROM {table} AS e
                WHERE e.notification_id > coalesce(covered, 0) ORDER BY e.notification_id
            LOOP
                trail := sha256(trail || sha256(older));
            END LOOP;
        END IF;
        FOR place IN 1 .. cardinality(keys) LOOP
            IF {schema}.is_entry(
                stream, first + place - 1, topics[place], bodies[place], keys[place], prev
            ) IS NOT TRUE THEN
                RAISE data_exception USING MESSAGE =
                    format('%s: entry %s does not continue it', stream, first + place - 1);
            END IF;
            prev := encode(sha256(bodies[place]), 'hex');
            trail := sha256(trail || sha256(bodies[place]));
            last := last + 1;
            INSERT INTO {table} (
                notification_id, originator_id, originator_version, topic, state, key, trail
            ) VALUES (
                last, stream, first + place - 1, topics[place], bodies[place], keys[place], trail
            );
        END LOOP;
        PERFORM pg_notify({channel}, last::text);
    END $$
    """,
    "REVOKE ALL ON FUNCTION {schema}.is_entry, {schema}.extend FROM PUBLIC",
    # What nodes of an earlier version call.
    """
    CREATE OR REPLACE FUNCTION {schema}.append(
        stream text, first bigint, topics text[], bodies bytea[], keys text[],
        number bigint DEFAULT NULL
    ) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT last FROM {schema}.extend($1, $2, $3, $4, $5, $6, NULL, NULL)
    $$
    """,
    "REVOKE ALL ON FUNCTION {schema}.append FROM PUBLIC",
)

_WRITERS = """
    SELECT rolname FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace,
        aclexplode(proacl) AS granted JOIN pg_roles ON pg_roles.oid = granted.grantee
    WHERE nspname = %s AND proname = 'append'
"""

_CHANGES = (
    "CREATE TABLE IF NOT EXISTS changes "
    "(name TEXT PRIMARY KEY, count BIGINT NOT NULL, mark BYTEA NOT NULL)"
)

RIGHTS: tuple[LiteralString, ...] = (
    "GRANT SELECT, INSERT, UPDATE ON {schema}.changes TO {role}",
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT ON {schema}.store, {table} TO {role}",
    "GRANT EXECUTE ON FUNCTION {schema}.append, {schema}.extend TO {role}",
    "GRANT SELECT, INSERT, UPDATE ON {schema}.people TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.tokens, {schema}.codes, {schema}.rules, "
    "{schema}.admissions, {schema}.boxes, {schema}.box_photos, {schema}.box_boards, "
    "{schema}.box_wording, "
    "{schema}.attachments, {schema}.photographs, {schema}.faces, {schema}.person_details, "
    "{schema}.webhooks, {schema}.owed, {schema}.standings_told, {schema}.sender TO {role}",
)
