"""Checks the hash chain of a stream: every entry names the hash of the one before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

from referee.store.canonical_json import is_canonical
from referee.store.envelopes import FORMAT, GENESIS, Stored

ENVELOPE: dict[str, type] = {
    "at": str,
    "by": str,
    "data": dict,
    "f": int,
    "key": str,
    "kind": str,
    "prev": str,
    "role": str,
    "schema": int,
    "seq": int,
    "stream": str,
}
"""What every entry says about itself, in the order of its canonical form."""
_NAMES, _TYPES = list(ENVELOPE), list(ENVELOPE.values())


class Break(NamedTuple):
    """The first entry that cannot be trusted, and why (``store.<key>``)."""

    stream: str
    seq: int
    key: str


def find_break(
    stream: str, entries: Iterable[Stored], before: Stored | None = None
) -> Break | None:
    """Walk a stream from its first entry, or behind ``before``; ``None`` if every link holds."""
    seq, prev = (0, GENESIS) if before is None else (before.seq + 1, before.head)
    for entry in entries:
        if (key := _wrong_with(entry, stream, seq, prev)) is not None:
            return Break(stream, seq, key)
        seq, prev = seq + 1, entry.head
    return None


def find_unnamed(entries: Sequence[Stored]) -> Stored | None:
    """The first entry whose hash is not named by its successor.

    Nothing is parsed, so that every load of a record can afford it.
    """
    for before, entry in pairwise(entries):
        if f'"prev":"{before.head}"'.encode() not in entry.body:
            return before
    return None


def _wrong_with(entry: Stored, stream: str, seq: int, prev: str) -> str | None:
    try:
        body = json.loads(entry.body)
        if not is_envelope(body):
            return "not_an_entry"
        if not is_canonical(body, entry.body):
            return "not_canonical"
    except (ValueError, RecursionError):
        return "not_an_entry"
    inside = (body["stream"], body["seq"], topic_of(body))
    if inside != (entry.stream, entry.seq, entry.topic) or inside[:2] != (stream, seq):
        return "misplaced"
    if body["prev"] != prev:
        return "broken_chain"
    return None


def topic_of(body: Mapping[str, Any]) -> str:
    """What an entry is filed under."""
    return f"{body['kind']}@{body['schema']}"


def is_envelope(body: object) -> TypeGuard[dict[str, Any]]:
    """Whether this says of itself what every entry does, and nothing else."""
    if not isinstance(body, dict):
        return False
    if list(body) == _NAMES:
        types = list(map(type, body.values()))
    elif body.keys() == ENVELOPE.keys():
        types = [type(body[name]) for name in _NAMES]
    else:
        return False
    return types == _TYPES and body["f"] == FORMAT
