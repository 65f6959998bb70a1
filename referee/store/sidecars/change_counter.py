"""Notices an older copy of names, tokens or boxes: revoked tokens in it would be valid again.

Every change is counted among the tables it changes, with a random mark, and the newest count is
noted in the witness of the store. Tables that have counted fewer are an older copy.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from contextlib import suppress
from time import monotonic
from typing import Any

from referee.store.envelopes import StoreError
from referee.store.witness import START, Checkpoint, Witness

PEOPLE_PAGE, ACCESS_PAGE, BOXES_PAGE, ATTACHMENTS_PAGE, WEBHOOKS_PAGE = 1, 2, 3, 4, 5
"""Their places in the witness of a store."""
LOOK_EVERY = 0.5
"""Seconds after which whoever reads looks again."""


def new_mark() -> bytes:
    return secrets.token_bytes(len(START))


class ChangeCounter(ABC):
    """Tables whose changes are counted. Without a witness nothing is compared but with what this
    program has seen itself."""

    def __init__(self, witness: Witness | None, name: Any) -> None:
        self._witness = witness
        self._name = name
        self._newest = Checkpoint(0, START)
        self._looked = monotonic()

    @abstractmethod
    def counted(self) -> Checkpoint:
        """How many changes the tables have counted, and the mark of the last."""

    @abstractmethod
    def version(self) -> Checkpoint:
        """The same, asked from any thread: another one has come with every change."""

    def witnessed(self) -> Checkpoint | None:
        return self._witness.latest() if self._witness is not None else None

    def is_due(self) -> bool:
        return monotonic() - self._looked > LOOK_EVERY

    def check_newest(self) -> None:
        """Refuse an older or another copy; the witness is read first, others may be writing."""
        noted = self.witnessed()
        known = max(noted or self._newest, self._newest)
        here = self.counted()
        if here.number < known.number or (here.number == known.number and here != known):
            facts = {"known": known.number, "found": here.number}
            raise StoreError("older_copy", path=self._name, **facts)
        self._looked, self._newest = monotonic(), here
        if here.number > (noted.number if noted is not None else 0):
            self.note(here)

    def note(self, here: Checkpoint) -> None:
        """The store makes the file, with its first entry. What cannot be noted now is noted later:
        a witness that is behind does no harm."""
        self._newest = here
        if self._witness is not None and self._witness.path.exists():
            with suppress(OSError):
                self._witness.note(here)

    def close(self) -> None:
        if self._witness is not None:
            with suppress(OSError):
                self._witness.close()
