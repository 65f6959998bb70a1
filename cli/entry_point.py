"""The program as it is started: interrupted at any moment, it ends without a word."""

from __future__ import annotations

import os
import signal
import sys


def run() -> None:
    """Before a command has begun there is nothing to be tidied up: the system may end us."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if os.environ.get("REFEREE_WARM") == "1":
        from cli.warm import answered

        if (code := answered()) is not None:
            sys.exit(code)
    from cli.main import run as answer

    try:
        answer()
    except KeyboardInterrupt:
        sys.exit(130)
