"""What a terminal can do, and lines that fit its width."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence


def is_plain() -> bool:
    """No terminal, a dumb one, or asked for: the same words without keys."""
    if os.environ.get("REFEREE_PLAIN") or os.environ.get("TERM", "dumb") == "dumb":
        return True
    return not (sys.stdin.isatty() and sys.stdout.isatty())


def joined_within(
    parts: Sequence[str], width: int, between: str = "  ", margin: str = " " * 6
) -> Iterator[str]:
    """Parts in as many lines as they need, none of them broken; further lines have a margin."""
    line = parts[0]
    for part in parts[1:]:
        if len(line) + len(between) + len(part) > width:
            yield line
            line = margin + part
        else:
            line += between + part
    yield line
