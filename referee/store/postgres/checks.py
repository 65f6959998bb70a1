"""What could endanger a store in PostgreSQL: settings that lose entries, standbys, rights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from referee.store.checks import Check
from referee.store.envelopes import StoreError
from referee.store.postgres.connection import SAFE_COMMITS, Connection, connect, translating_errors
from referee.store.postgres.recorder import format_of
from referee.store.postgres.server import TABLE, Server, postgres_server

SETTINGS = (
    "fsync",
    "full_page_writes",
    "data_checksums",
    "synchronous_commit",
    "synchronous_standby_names",
)


def checks(url: str) -> Iterator[Check]:
    """The server first, then the store in it."""
    server = postgres_server(url)
    with closing(connect(server)) as connection, translating_errors(server):
        yield _version(connection)
        rows = connection.execute(
            "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", (list(SETTINGS),)
        ).fetchall()
        settings = {row["name"]: row["setting"] for row in rows}
        yield _switch("fsync", settings["fsync"], "doctor.fsync_on", "doctor.fsync_off")
        yield _switch(
            "pages", settings["full_page_writes"], "doctor.pages_whole", "doctor.pages_torn"
        )
        yield _checksums(settings["data_checksums"])
        yield _commits(settings["synchronous_commit"])
        yield _standby(connection, server, settings["synchronous_standby_names"])
        if format_of(connection, server) is not None:
            yield _guard(connection, server)


def _version(connection: Connection) -> Check:
    version = connection.info.parameter_status("server_version") or "?"
    return Check("server", "ok", "doctor.server_fine", facts={"version": version.split()[0]})


def _switch(name: str, setting: str, on: str, off: str) -> Check:
    if setting == "on":
        return Check(name, "ok", on)
    return Check(name, "fail", off, "doctor.fix.setting")


def _checksums(value: str) -> Check:
    if value == "on":
        return Check("checksums", "ok", "doctor.checksums_on")
    return Check("checksums", "warn", "doctor.checksums_off", "doctor.fix.checksums")


def _commits(value: str) -> Check:
    facts = {"value": value}
    if value in SAFE_COMMITS:
        return Check("commits", "ok", "doctor.commits_safe", facts=facts)
    return Check("commits", "warn", "doctor.commits_early", "doctor.fix.setting", facts)


def _standby(connection: Connection, server: Server, names: str) -> Check:
    found = _row(connection, _STANDBYS)
    if found["standby"]:
        facts = {"path": server.name}
        return Check("standby", "fail", "store.standby", "doctor.fix.primary", facts)
    if found["confirming"]:
        facts = {"count": found["confirming"]}
        return Check("standby", "ok", "doctor.standby_follows", facts=facts)
    if names:
        facts = {"names": names}
        return Check("standby", "fail", "doctor.standby_missing", "doctor.fix.standby", facts)
    if found["following"]:
        return Check("standby", "warn", "doctor.standby_late", "doctor.fix.confirm")
    return Check("standby", "ok", "doctor.standby_none")


# Who may not see the state of others sees them without one: taken as confirming where the
# server waits for somebody, since it would not answer otherwise.
_STANDBYS = """
    SELECT pg_is_in_recovery() AS standby, count(pid) AS following,
           count(pid) FILTER (WHERE sync_state IN ('sync', 'quorum')
               OR sync_state IS NULL AND current_setting('synchronous_standby_names') <> ''
           ) AS confirming
    FROM pg_stat_replication
"""


def _guard(connection: Connection, server: Server) -> Check:
    """Whether the database forbids changing entries, and to which roles."""
    found = _row(connection, _GUARD, (server.schema, TABLE))
    facts = {"user": found["self"]}
    if not found["guarded"]:
        return Check("guard", "fail", "doctor.guard_missing", "doctor.fix.guard")
    if found["owns"]:
        return Check("guard", "warn", "doctor.guard_owner", "doctor.fix.writer", facts)
    return Check("guard", "ok", "doctor.guard_apart", facts=facts)


_GUARD = """
    SELECT current_user AS self, pg_has_role(relowner, 'USAGE') AS owns,
           EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgenabled = 'A'
                   AND tgname = 'entries_never_change') AS guarded
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = %s AND relname = %s
"""


def _row(connection: Connection, query: Any, values: tuple[str, ...] = ()) -> dict[str, Any]:
    row = connection.execute(query, values).fetchone()
    if row is None:
        raise StoreError("not_a_store", path="postgresql")
    return row
