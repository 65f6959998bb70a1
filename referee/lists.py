"""Read models of the records: what lists and searches need."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from referee.store.base import Store, Stored
from referee.store.view import View, read_model, view_path

if TYPE_CHECKING:
    from sqlite_utils import Database


def _create_games(db: Database) -> None:
    db.table("games").create(
        {
            "game": str,
            "engine": str,
            "title": str,
            "people": str,
            "entries": int,
            "actions": int,
            "opened": str,
            "updated": str,
            "closed": int,
            "result": str,
        },
        pk="game",
        strict=True,
    )


@read_model(version=1, create=_create_games)
def games(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row a game."""
    if not stored.stream.startswith("game-"):
        return
    kind, data = body["kind"], body["data"]
    if kind == "opened":
        db.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, 1, 0, ?, ?, 0, '')",
            (
                stored.stream,
                data["game"],
                data.get("title", ""),
                json.dumps(data.get("seats", {})),
                body["at"],
                body["at"],
            ),
        )
        return
    db.execute(
        "UPDATE games SET entries = ?, updated = ? WHERE game = ?",
        (stored.seq + 1, body["at"], stored.stream),
    )
    if kind in ("logged", "adjusted"):
        db.execute("UPDATE games SET actions = ? WHERE game = ?", (data["number"], stored.stream))
    elif kind == "corrected":
        if data.get("seats") is not None:
            people = json.dumps(data["seats"])
            db.execute("UPDATE games SET people = ? WHERE game = ?", (people, stored.stream))
        for said in data.get("insert", ()):
            db.execute(
                "UPDATE games SET actions = max(actions, ?) WHERE game = ?",
                (said["number"], stored.stream),
            )
    elif kind in ("closed", "reopened"):
        result = json.dumps(data) if kind == "closed" else ""
        db.execute(
            "UPDATE games SET closed = ?, result = ? WHERE game = ?",
            (int(kind == "closed"), result, stored.stream),
        )


def open_view(store: Store) -> View:
    """The read models of a store, caught up."""
    view = View(view_path(store.url), [games])
    view.catch_up(store)
    return view


def list_games(store: Store) -> list[dict[str, Any]]:
    """All games, the most recently touched first."""
    view = open_view(store)
    try:
        rows = view.rows("SELECT * FROM games ORDER BY updated DESC, game")
    finally:
        view.close()
    for row in rows:
        row["people"] = json.loads(row["people"])
        row["result"] = json.loads(row["result"]) if row["result"] else None
        row["closed"] = bool(row["closed"])
    return rows
