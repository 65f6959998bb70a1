"""Long work says on a terminal how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable

from cli.speech import say

SHORT = 500
"""So many steps are over before anybody has read how many."""


def progress_line(total: int) -> Callable[[int], None] | None:
    if not sys.stderr.isatty() or total < SHORT:
        return None

    def show(done: int) -> None:
        if done % 200 == 0 or done == total:
            end = "\n" if done == total else ""
            sys.stderr.write(f"\r{say('progress', done=done, total=total)}{end}")
            sys.stderr.flush()

    return show
