"""Progress counters on the standard error, shown on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable

from cli.i18n import say

SHORT = 500
"""So many steps are over before anybody has read how many."""


def progress_of(*, each: bool = False) -> Callable[[int, int], None]:
    """A progress callback for work that passes its own total; ``each`` step of it may be long."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def show(done: int, total: int) -> None:
        if each or (total >= 50 and (done == 1 or done % 20 == 0 or done == total)):
            _show(done, total)

    return show


def progress_line(total: int) -> Callable[[int], None] | None:
    if not sys.stderr.isatty() or total < SHORT:
        return None

    def show(done: int) -> None:
        if done % 200 == 0 or done == total:
            _show(done, total)

    return show


def _show(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    sys.stderr.write(f"\r{say('progress', done=done, total=total)}{end}")
    sys.stderr.flush()
