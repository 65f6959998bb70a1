"""Records from elsewhere that are kept apart until an organiser takes them in.

They can be looked at and are marked in every list, but they count nowhere: not at a table of an
event, not in statistics, and their rulings are nobody's precedents. Each has a stream of its own
that says so; the mark is written before the record is, so that no record is ever without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.archive.read_models import INTAKE, KEPT_APART, TAKEN_IN, games_apart
from referee.record.entries import UnreadableEntry
from referee.store.envelopes import Conflict, Draft
from referee.store.event_store import Store
from referee.table.author import Author
from referee.table.bench import new_key, utc_now


def is_apart(store: Store, game_id: str) -> bool:
    return game_id in games_apart(store)


def keep_apart(store: Store, game_id: str, *, author: Author) -> None:
    """Mark a record as not accepted: it counts nowhere."""
    _say(store, game_id, KEPT_APART, author)


def take_in_apart(store: Store, game_id: str, *, author: Author) -> None:
    """Accept the record: it counts like any other from now on."""
    _say(store, game_id, TAKEN_IN, author)


def _say(store: Store, game_id: str, kind: str, author: Author) -> None:
    stream = f"{INTAKE}{game_id}"
    while True:
        told = store.read(stream)
        if (told[-1].topic == f"{kind}@1") if told else kind == TAKEN_IN:
            return
        draft = Draft(kind, 1, {"game": game_id}, new_key())
        try:
            store.append(
                stream,
                [draft],
                expected=len(told) - 1,
                at=utc_now(),
                by=author.person,
                role=author.role,
            )
        except Conflict:
            continue
        return


def follow(now: str | None, body: Mapping[str, Any]) -> str:
    """What is said of a record after one more stored entry, as verification replays it."""
    kind = body["kind"]
    expected = TAKEN_IN if now == KEPT_APART else KEPT_APART
    if kind != expected or body["data"] != {"game": body["stream"].removeprefix(INTAKE)}:
        raise UnreadableEntry("out_of_place", kind=kind[:40])
    return expected
