"""Who asks for a command, in which role, with which idempotency key."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engines.kernel.messages.catalogue import NOBODY
from referee.errors import NotAllowed
from referee.record.entries import IN_PUBLIC, TABLE_DEVICE, judges, seat_of


class Author(Struct, frozen=True):
    """A pseudonym, and the role in which it acts."""

    person: str = "anonymous"
    role: str = "scribe"

    @property
    def judges(self) -> bool:
        return judges(self.role)

    @property
    def seat(self) -> str | None:
        """The seat of the role, if it is one."""
        return seat_of(self.role)

    @property
    def viewer(self) -> str | None:
        """As whom the author sees a game: a seat, the public (``""``), or None for everything."""
        return "" if self.role in IN_PUBLIC else self.seat

    @property
    def in_the_open(self) -> bool:
        """Whether they write on the table itself, where everybody sees what is done."""
        return self.role == TABLE_DEVICE

    @property
    def recorded(self) -> str:
        """The role in the record: the device on the table writes as its scribe."""
        return "scribe" if self.in_the_open else self.role

    def must_speak_for(self, seat: str, seats: Mapping[str, str] = NOBODY) -> None:
        """A seat may only act for itself; other roles may act for any seat."""
        if self.seat not in (None, seat):
            raise NotAllowed("own_seat_only", role=self.role, seat=seat).at_table(seats)


SCRIBE = Author()
JUDGE = Author(role="judge")


class By(Struct, frozen=True):
    """By whom a command is given: its author, the idempotency key and the time of its entries.

    One value, so that whatever hands a command on hands on all of it. Without a key the entries get
    a new one, without a time the present.
    """

    author: Author = SCRIBE
    key: str | None = None
    at: str | None = None


BY_SCRIBE = By()
