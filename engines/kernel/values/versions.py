"""Version numbers of engines, compared number by number."""

from __future__ import annotations

import re
from typing import Literal

VERSION = r"^[0-9]{1,6}(\.[0-9]{1,6}){0,5}$"

Age = Literal["older", "same", "newer", "unknown"]


def age(version: str, than: str) -> Age:
    """Whether a version is older than another, the same or newer; unknown if not numeric."""
    if version == than:
        return "same"
    ours, theirs = _numbers(than), _numbers(version)
    if ours is None or theirs is None:
        return "unknown"
    if theirs == ours:
        return "same"
    return "older" if theirs < ours else "newer"


def _numbers(version: str) -> tuple[int, ...] | None:
    """``1.2.0`` and ``1.2`` are the same."""
    if re.match(VERSION, version) is None:
        return None
    numbers = [int(part) for part in version.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
