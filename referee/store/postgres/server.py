"""What a PostgreSQL URL names: how to connect, which schema, and a name without the password."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import parse_qsl, urlencode

import psycopg
from msgspec import Struct
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Composable, Composed, Identifier

from referee.store.canonical_json import digest
from referee.store.envelopes import StoreError

DEFAULT_SCHEMA = "referee"
TABLE = "entries"

DEFAULTS = {
    "application_name": "referee",
    "client_encoding": "utf8",
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""What a connection is made with unless the URL says otherwise: a cut is noticed in seconds, and
so is a server that takes what it is sent and says nothing (``tcp_user_timeout``)."""

_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,39}")
_PASSWORD = re.compile(r"(//[^/@]*?):[^/]*@|(?<=[?&])password=[^&]*")


class Server(Struct, frozen=True):
    """What a URL names: how to connect, which schema, and how to call it without secrets."""

    parameters: Mapping[str, Any]
    schema: str
    name: str
    witness_asked: Path | None = None
    """Where to keep the witness, if the URL says so."""

    @property
    def witness(self) -> Path:
        """The file outside the database that remembers what was acknowledged."""
        return self.witness_asked or self.local_file("witness")

    def local_file(self, ending: str) -> Path:
        """A file of this computer about the store; of each store and user its own."""
        return cache_folder() / f"{digest(self.name.encode())[:16]}.{ending}"

    @property
    def channel(self) -> str:
        """The NOTIFY channel that announces new entries."""
        return f"{self.schema}.{TABLE}"

    def sql(self, text: LiteralString, **names: Composable) -> Composed:
        """A statement about the tables of this schema."""
        schema = Identifier(self.schema)
        table = Identifier(self.schema, TABLE)
        return SQL(text).format(schema=schema, table=table, **names)


def postgres_server(url: str) -> Server:
    """Read ``postgresql://user@host1,host2/database?schema=club``; libpq knows the rest."""
    address, _, query = url.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    schema = options.pop("schema", DEFAULT_SCHEMA)
    witness = options.pop("witness", None)
    try:
        given = conninfo_to_dict(f"{address}?{urlencode(options)}" if options else address)
    except psycopg.Error:
        raise StoreError("bad_url", url=_without_password(url)) from None
    is_named = _SCHEMA.fullmatch(schema) and given.get("dbname")
    if not is_named or (witness is not None and not Path(witness).is_absolute()):
        raise StoreError("bad_url", url=_without_password(url))
    hosts = _hosts(given)
    if "," in hosts:
        given.setdefault("target_session_attrs", "read-write")
    name = f"postgresql://{hosts}/{given['dbname']}?schema={schema}"
    return Server({**DEFAULTS, **given}, schema, name, Path(witness) if witness else None)


def cache_folder() -> Path:
    """Where a user's programs keep what they can make again."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "referee"


def _hosts(given: Mapping[str, Any]) -> str:
    """The hosts with their ports, as a URL writes them."""
    hosts = str(given.get("host") or given.get("hostaddr") or "").split(",")
    ports = str(given.get("port") or "").split(",")
    if len(ports) < len(hosts):
        ports = ports[:1] * len(hosts)
    pairs = zip(hosts, ports, strict=False)
    return ",".join(f"{host}:{port}" if port else host for host, port in pairs)


def _without_password(url: str) -> str:
    return _PASSWORD.sub(r"\1@", url)
