"""The names behind pseudonyms, in the database that holds the records."""

from __future__ import annotations

from referee.store.postgres.tables import PostgresTables
from referee.store.sidecars.people import People


class PostgresPeople(PostgresTables, People):
    """The same names, shared by every computer. The server's backups keep what they held."""

    TABLE = "people"
    _AS_ADDED = "place"
