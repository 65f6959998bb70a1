"""Whether there is a terminal with keys and a cursor."""

from __future__ import annotations

import os
import sys


def is_plain() -> bool:
    """No terminal, a dumb one, or asked for: the same words without keys."""
    if os.environ.get("REFEREE_PLAIN") or os.environ.get("TERM", "dumb") == "dumb":
        return True
    return not (sys.stdin.isatty() and sys.stdout.isatty())
