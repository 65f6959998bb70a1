"""Reads single key presses from a terminal; typed-ahead keys are kept."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

ReadKey = Callable[[], str]
ESCAPE = "\x1b"
BACKSPACE = "\x7f"

_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O.)?|.", re.DOTALL)
_AT_ONCE = 1024


@contextmanager
def keyboard() -> Iterator[ReadKey]:
    """Terminal in cbreak mode while the context lasts; interrupt and end of input are Escape."""
    try:
        import termios
        import tty
    except ImportError:
        yield _getchar
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield _Keys(terminal).read
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


class _Keys:
    """Buffer of key presses read from a terminal."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._pending: list[str] = []

    def read(self) -> str:
        while not self._pending:
            try:
                came = os.read(self._terminal, _AT_ONCE)
            except KeyboardInterrupt:
                return ESCAPE
            if not came:
                return ESCAPE
            self._pending = split_keys(came.decode("utf-8", "replace"))
        return self._pending.pop(0)


def split_keys(came: str) -> list[str]:
    """Split what was read at once into keys: an escape sequence (arrow key) is one key."""
    keys = (found.group() for found in _KEY.finditer(came))
    return [BACKSPACE if key == "\b" else key for key in keys]


def _getchar() -> str:
    try:
        return str(typer.getchar())
    except (KeyboardInterrupt, EOFError):
        return ESCAPE
