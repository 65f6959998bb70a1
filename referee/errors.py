"""What can go wrong besides illegal actions, with the exit code each one means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from engines.kernel.words import Phrase

if TYPE_CHECKING:
    from engines.kernel import Words


class RefereeError(Exception):
    """``key`` names a message of the catalogues (``error.<key>``), ``facts`` fill it in."""

    exit_code: ClassVar[int] = 1
    words: ClassVar[Words | None] = None
    """The catalogue that has the message, if it is not the program's own."""

    def __init__(self, key: str, /, **facts: Any) -> None:
        super().__init__(key, facts)
        self.key = key
        self.facts = facts

    def __str__(self) -> str:
        return f"{self.key} {self.facts}"

    @property
    def phrase(self) -> Phrase:
        return Phrase(f"error.{self.key}", self.facts, self.words)


class Misused(RefereeError):
    """A command that was not given what it needs."""

    exit_code = 2


class NotFound(RefereeError):
    """No such game, action, clause, kit or seat."""

    exit_code = 4


class Conflicting(RefereeError):
    """The record is not where the caller thinks it is."""

    exit_code = 5


class Unfit(RefereeError):
    """Data that is invalid or has been altered."""

    exit_code = 6


class Illegal(Unfit):
    """An action that is illegal where it was to be inserted."""

    exit_code = 3


class HeldUp(RefereeError):
    """Play is held until a judge resumes it."""

    exit_code = 7


class NotAllowed(RefereeError):
    """The author's role may not do this."""

    exit_code = 8
