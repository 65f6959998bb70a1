"""Tokens, codes and rules, in the database that holds the records."""

from __future__ import annotations

from collections.abc import Callable

from referee.store.postgres.recorder import Server
from referee.store.postgres.tables import PostgresTables
from referee.store.sidecars.access import Access, moment


class PostgresAccess(PostgresTables, Access):
    """The same tokens at every node."""

    TABLE = "tokens"

    def __init__(self, server: Server, clock: Callable[[], str] = moment) -> None:
        self._clock = clock
        super().__init__(server)
