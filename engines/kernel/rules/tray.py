"""Trays: what lies ready at the table to be laid, so that it is tapped instead of spelt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

MANY = 999
"""So often a thing is there where nobody has counted it."""


class Tray(NamedTuple):
    """The things of one kind of action, and where they go. ``size`` of them make one line:
    its verb, the place, the things, and how the last one is turned."""

    things: Mapping[str, int]
    """How often each is there."""
    places: Sequence[str] = ()
    """Those still open, the next one first; none where the things have no place of their own."""
    turns: Sequence[str] = ()
    """The ways in which a thing may lie, the usual one first."""
    size: int = 1
    apart: Mapping[str, Sequence[str]] = MappingProxyType({})
    """The things that cannot be laid together with a thing: its other side."""
    only: Mapping[str, Sequence[str]] = MappingProxyType({})
    """The things that fit a place, where not all do."""
