"""What a PostgreSQL URL names: how to connect, which schema, and a name without the password."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, LiteralString
from urllib.parse import parse_qsl, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Composable, Composed, Identifier

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


@dataclass(frozen=True)
class Server:
    """What a URL names: how to connect, which schema, and how to call it without secrets."""

    parameters: Mapping[str, Any]
    schema: str
    name: str

    @property
    def channel(self) -> str:
        """Where the server tells that something was stored."""
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
    try:
        given = conninfo_to_dict(f"{address}?{urlencode(options)}" if options else address)
    except psycopg.Error:
        raise StoreError("bad_url", url=_without_password(url)) from None
    if not _SCHEMA.fullmatch(schema) or not given.get("dbname"):
        raise StoreError("bad_url", url=_without_password(url))
    hosts = _hosts(given)
    if "," in hosts:
        given.setdefault("target_session_attrs", "read-write")
    name = f"postgresql://{hosts}/{given['dbname']}?schema={schema}"
    return Server({**DEFAULTS, **given}, schema, name)


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
