"""Sprites: the drawings of a game, kept in an SVG file of its package, with gaps to be filled in.

``{name}`` in the file is a gap: (part of) the value of an attribute, or what stands inside an
element. An attribute that is one gap and nothing else is left out where its value is ``None``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from engines.kernel.messages.package_data import read_text
from engines.kernel.picture.svg import (
    ACCENT,
    GREY,
    INK,
    PAPER,
    SMALL,
    WHITE,
    Svg,
    attribute_value,
    count_element,
    joined,
    text_of,
)

FILE = "symbols.svg"
PALETTE = {"ink": INK, "paper": PAPER, "white": WHITE, "grey": GREY, "accent": ACCENT}
"""Gaps with the same value in the drawings of all games."""

_SYMBOL = re.compile(r'<symbol id="(\w+)">(.*?)</symbol>', re.DOTALL)
_USE = re.compile(r'<use href="#(\w+)"(.*?)/>')
_NAME = re.compile(r"\{(\w+)\}")
_GAP = re.compile(r'(?P<attribute> [\w:-]+=")\{(?P<whole>\w+)\}"|\{(?P<part>\w+)\}')
_BETWEEN = re.compile(r"(?<=[>}])\s*\n\s*(?=[<{])")
_BROKEN = re.compile(r"\s*\n\s*")
_PLAIN = frozenset((Svg, str, int, float, bool, type(None)))


class Gap(NamedTuple):
    """A gap in a drawing, with the markup before it."""

    before: str
    name: str
    attribute: str | None = None
    """What opens the attribute that it is the whole value of; empty for a part of a value."""


class Symbol(NamedTuple):
    """A drawing: its gaps, and the markup behind the last one."""

    gaps: tuple[Gap, ...]
    end: str


class Sprites:
    """The drawings of a package by their names in its file, which is read at the first one."""

    def __init__(self, package: str, colours: Mapping[str, str] = {}) -> None:
        """``colours`` are gaps that are the same in every drawing, beside those of the kernel."""
        self.package = package
        self._palette = {**PALETTE, **colours}
        # ``typed``: markup and a text that looks like it are equal, and must not be mistaken.
        self._kept = lru_cache(maxsize=8192, typed=True)(self._drawn)

    def __call__(
        self, symbol: str, x: float = 0.0, y: float = 0.0, size: float = 1.0, /, **values: Any
    ) -> Svg:
        """A drawing at its place and in its size, with the gaps filled in. A value that is neither
        text nor a number is a row of drawings."""
        count_element()
        large = 0
        for name, value in values.items():
            if type(value) not in _PLAIN and not isinstance(value, (str, int, float)):
                values[name] = value = joined(value)
            if type(value) is Svg:
                large += len(value)
        return (self._drawn if large > SMALL else self._kept)(symbol, x, y, size, **values)

    def _drawn(self, symbol: str, x: float, y: float, size: float, /, **values: object) -> Svg:
        gaps, end = self.symbols[symbol]
        pieces = []
        for before, name, attribute in gaps:
            value = values[name]
            pieces.append(before)
            if value is None:
                continue
            if attribute is None:
                pieces.append(text_of(value))
            elif attribute:
                pieces += (attribute, attribute_value(value), '"')
            else:
                pieces.append(attribute_value(value))
        body = "".join((*pieces, end))
        if (x, y, size) == (0, 0, 1):
            return Svg(body)
        scale = "" if size == 1 else f" scale({size:.4g})"
        return Svg(f'<g transform="translate({x:.2f} {y:.2f}){scale}">{body}</g>')

    @cached_property
    def symbols(self) -> Mapping[str, Symbol]:
        content = read_text(self.package, FILE) or ""
        coloured = _NAME.sub(lambda gap: self._palette.get(gap[1], gap[0]), content)
        bodies = {
            name: _BROKEN.sub(" ", _BETWEEN.sub("", body)).strip()
            for name, body in _SYMBOL.findall(coloured)
        }
        return {name: _symbol(_whole(body, bodies)) for name, body in bodies.items()}


def _whole(body: str, bodies: Mapping[str, str]) -> str:
    """A drawing with those that it uses."""
    return _USE.sub(lambda use: f"<g{use[2]}>{_whole(bodies[use[1]], bodies)}</g>", body)


def _symbol(body: str) -> Symbol:
    gaps = tuple(_gaps(body))
    return Symbol(gaps, body[max((gap.end() for gap in _GAP.finditer(body)), default=0) :])


def _gaps(body: str) -> Iterator[Gap]:
    start = 0
    for gap in _GAP.finditer(body):
        before, start = body[start : gap.start()], gap.end()
        if gap["whole"]:
            yield Gap(before, gap["whole"], gap["attribute"])
        else:
            in_tag = body.rfind("<", 0, gap.start()) > body.rfind(">", 0, gap.start())
            yield Gap(before, gap["part"], "" if in_tag else None)
