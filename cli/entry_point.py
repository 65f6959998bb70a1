"""Entry point of the ``referee`` program: an interrupt (Ctrl-C) ends it without a traceback.

Importing the program takes most of a short command's time, and there is nothing to tidy up
then: until it is loaded the operating system's own handling of SIGINT applies.
"""

from __future__ import annotations

import signal
import sys


def run() -> None:
    """Load the program, run one command and end the process with its exit code."""
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cli.main import run as run_program

    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run_program()
    except KeyboardInterrupt:
        sys.exit(130)
