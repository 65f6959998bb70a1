"""Who speaks at a table."""

from __future__ import annotations

from msgspec import Struct

from referee.errors import NotAllowed
from referee.record.entries import ONLOOKERS, judges, seat_of


class Author(Struct, frozen=True):
    """A pseudonym, and in which role it speaks."""

    person: str = "anonymous"
    role: str = "scribe"

    @property
    def judges(self) -> bool:
        return judges(self.role)

    @property
    def seat(self) -> str | None:
        """The seat that speaks, if it is one."""
        return seat_of(self.role)

    @property
    def viewer(self) -> str | None:
        """As whom this author looks: as a seat, as the public (``""``); None sees everything."""
        return "" if self.role in ONLOOKERS else self.seat

    def must_speak_for(self, seat: str) -> None:
        """A seat speaks for itself alone; those who are no seat, for all of them."""
        if self.seat not in (None, seat):
            raise NotAllowed("own_seat_only", role=self.role, seat=seat)


SCRIBE = Author()
JUDGE = Author(role="judge")
