"""Replication: one store continued with what another holds, byte for byte and number for number."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from msgspec import Struct

from referee.store.envelopes import StoreError
from referee.store.event_store import Store

BATCH = 500

Progress = Callable[[int, int], None]
"""Called with the number of entries done, and of all."""


class Copied(Struct, frozen=True):
    """What a copy has come to: all entries of the target, and how many of them were new."""

    entries: int
    new: int


def copy(source: Store, target: Store, progress: Progress | None = None) -> Copied:
    """Bring the target up to the source; what was interrupted goes on where it stopped.

    Every entry that both have is compared. A target that holds anything else is refused with
    ``diverged``, and a source whose chains are broken is not copied.
    """
    report = progress or (lambda done, total: None)
    total = source.position()
    known = _compare(source, target, report, total)
    done = known
    while batch := source.follow(done, BATCH):
        for number, (found, _) in enumerate(batch, done + 1):
            if found != number:
                raise StoreError("gap", number=number)
        target.continue_log(done + 1, [entry for _, entry in batch])
        done = batch[-1][0]
        report(done, max(done, total))
    return Copied(done, done - known)


def _compare(source: Store, target: Store, report: Progress, total: int) -> int:
    """How many entries the target has, if they are the first ones of the source."""
    done = 0
    while theirs := target.follow(done, BATCH):
        ours = source.follow(done, len(theirs))
        for number, (here, there) in enumerate(zip_longest(ours, theirs), done + 1):
            if here != there:
                raise StoreError("diverged", number=number)
        done = theirs[-1][0]
        report(done, max(done, total))
    return done
