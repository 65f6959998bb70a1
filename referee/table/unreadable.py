"""Records that cannot be read: named and left out, so that one never takes the others down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from engines.kernel import Flaw, ParseError
from referee.store.envelopes import StoreError

S = TypeVar("S")
T = TypeVar("T")

OF_ONE_RECORD = frozenset(
    ("not_an_entry", "not_canonical", "misplaced", "broken_chain", "altered", "newer_entries")
)
"""What a store says of one record, and not of itself."""


def is_unreadable(error: BaseException) -> bool:
    """Whether an error concerns one record alone: damaged, forged, newer, of a missing game."""
    if isinstance(error, StoreError):
        return error.key in OF_ONE_RECORD
    return isinstance(error, Flaw | ParseError)


def readable(
    records: Iterable[S], load: Callable[[S], T], left_out: list[S] | None = None
) -> Iterator[T]:
    """What is loaded of each record that can be read; the others are added to ``left_out``."""
    for record in records:
        try:
            loaded = load(record)
        except (StoreError, Flaw, ParseError) as error:
            if not is_unreadable(error):
                raise
            if left_out is not None:
                left_out.append(record)
            continue
        yield loaded
