"""Lists whose columns are declared once: a screen, a paper and a CSV file name those they have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from answers.i18n import Voice
from answers.tournament.i18n import figure
from engines.kernel.messages.catalogue import Phrase
from referee.tournament.ranking.points import decimal
from referee.untrusted.safe_csv import safe_csv

R = TypeVar("R")

Value = str | int | Fraction | Phrase | None
"""What a cell holds; each medium writes it in its own way."""


class Column(NamedTuple, Generic[R]):
    cell: Callable[[R], Value]
    head: str | None = None
    """The message above it, or a text that is none; left out: ``tournament.head_`` and its key."""


def fields(*names: str) -> dict[str, Column[Any]]:
    """Columns that hold a field of the row each, under its own name."""
    return {name: Column(attrgetter(name)) for name in names}


class Laid(NamedTuple):
    """A list as it is laid out: what stands above its columns, and its cells."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Listing(Generic[R]):
    """The columns of a list by their keys, and which of them a medium has, in its order.

    A key with ``?`` behind it: the column is left out where nobody has anything in it. In a CSV
    file a column is called by its key.
    """

    def __init__(
        self,
        columns: Mapping[str, Column[R]],
        *,
        screen: Sequence[str] = (),
        paper: Sequence[str] = (),
        csv: Sequence[str] = (),
    ) -> None:
        self._columns, self._screen, self._paper, self._csv = columns, screen, paper, csv

    def on_screen(self, voice: Voice, rows: Iterable[R]) -> Laid:
        """For a terminal or a page; where there is nothing, a dash."""
        return self._laid(voice, self._screen, list(rows), "–")

    def on_paper(self, voice: Voice, rows: Iterable[R]) -> Laid:
        return self._laid(voice, self._paper, list(rows), "")

    def as_csv(self, rows: Iterable[R], *, raw: bool = False) -> str:
        """Safe against formulas unless it is ``raw``; numbers as programs read them."""
        cells = [self._columns[key].cell for key in self._csv]
        return safe_csv(
            [self._csv, *([_plain(cell(row)) for cell in cells] for row in rows)], raw=raw
        )

    def _laid(self, voice: Voice, keys: Iterable[str], rows: Sequence[R], nothing: str) -> Laid:
        columns = [
            (_head(voice, name, column.head), values)
            for key in keys
            for name in (key.removesuffix("?"),)
            for column in (self._columns[name],)
            for values in ([column.cell(row) for row in rows],)
            if name == key or any(value not in (None, "") for value in values)
        ]
        cells = ([written(voice, value, nothing) for value in values] for _, values in columns)
        return Laid(tuple(head for head, _ in columns), tuple(zip(*cells, strict=True)))


def _head(voice: Voice, key: str, head: str | None) -> str:
    message = f"tournament.head_{key}" if head is None else head
    return voice.say(message) if message in voice.words else message


def written(voice: Voice, value: Value, nothing: str = "–") -> str:
    """A value as people of that language write it."""
    if isinstance(value, Fraction):
        return figure(voice, value)
    if isinstance(value, Phrase):
        return voice.spoken(value)
    return nothing if value in (None, "") else str(value)


def _plain(value: Value) -> str:
    return decimal(value, 4) if isinstance(value, Fraction) else "" if value is None else str(value)
