"""What an interruption does while a command runs."""

from __future__ import annotations

import signal


def mind_interrupts() -> None:
    """From now on a command runs, which may have something to tidy up."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
