"""What a club has found in its boxes, in the database that holds the records."""

from __future__ import annotations

from referee.store.postgres.tables import PostgresTables
from referee.store.sidecars.boxes import Boxes


class PostgresBoxes(PostgresTables, Boxes):
    """The same boxes at every node."""

    TABLE = "boxes"
