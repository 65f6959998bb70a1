"""What a club has found in its boxes, in the database that holds the records."""

from __future__ import annotations

from referee.store.boxes import Boxes
from referee.store.postgres_tables import PostgresTables


class PostgresBoxes(PostgresTables, Boxes):
    """The same boxes at every node."""

    TABLE = "boxes"
