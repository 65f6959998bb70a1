"""Whether the entries of a stream are what was once stored, in the order it was stored."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from referee.store.base import FORMAT, GENESIS, Stored
from referee.store.canon import NotCanonical, canonical

ENVELOPE = frozenset(
    ("at", "by", "data", "f", "key", "kind", "prev", "role", "schema", "seq", "stream")
)


class Break(NamedTuple):
    """The first entry that cannot be trusted, and why (``store.<key>``)."""

    stream: str
    seq: int
    key: str


def find_break(stream: str, entries: Iterable[Stored]) -> Break | None:
    """Walk a whole stream from its first entry; ``None`` if every link holds."""
    prev = GENESIS
    for seq, entry in enumerate(entries):
        if (key := _wrong_with(entry, stream, seq, prev)) is not None:
            return Break(stream, seq, key)
        prev = entry.head
    return None


def _wrong_with(entry: Stored, stream: str, seq: int, prev: str) -> str | None:
    try:
        body = json.loads(entry.body)
        if not isinstance(body, dict) or set(body) != ENVELOPE or body["f"] != FORMAT:
            return "not_an_entry"
        if canonical(body) != entry.body:
            return "not_canonical"
    except NotCanonical:
        return "not_canonical"
    except (ValueError, RecursionError):
        return "not_an_entry"
    inside = (body["stream"], body["seq"], f"{body['kind']}@{body['schema']}")
    if inside != (entry.stream, entry.seq, entry.topic) or inside[:2] != (stream, seq):
        return "misplaced"
    if body["prev"] != prev:
        return "broken_chain"
    return None
