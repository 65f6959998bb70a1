"""Sealed values (commitments): what a seat noted in secret, opened and compared with the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from engines.kernel.rules.actions import Action
from engines.kernel.rules.hearing import Finding

S = TypeVar("S")


class Moment(NamedTuple, Generic[S]):
    """An action that counts, and the state after it."""

    number: int | None
    action: Action | None
    state: S


class OpenedSeal(NamedTuple, Generic[S]):
    """The opened words of a seat, and the line of actions before and after the sealing."""

    seat: str
    words: tuple[str, ...]
    before: tuple[Moment[S], ...]
    """Up to the sealing; the opening of the game at least."""
    since: tuple[Moment[S], ...]


SealCheck = Callable[[OpenedSeal[Any], Any], list[Finding]]
"""``check(opened, setting)``: what the value proves or clears. Raises ``ParseError`` if the
words cannot be what they are said to be."""
