"""The shell as a person sees it, in a terminal."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cli.shell import Shell
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A terminal of 100 columns and 24 lines, of a tmux of its own.

    Every server of tmux has its socket: others that start or end one at the same time are not in
    its way, and it ends with its only session.
    """

    def __init__(self, command: str) -> None:
        self._folder = TemporaryDirectory(prefix="tmux-")
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "24", command)

    def type(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def see(self, wanted: str) -> str:
        """The screen, once it shows this."""
        end = time.monotonic() + PATIENCE
        while wanted not in (screen := self._tmux("capture-pane", "-p")):
            assert time.monotonic() < end, f"{wanted!r} is not on the screen:\n{screen}"
            time.sleep(0.1)
        return screen

    def close(self) -> None:
        self._tmux("kill-server", check=False)
        self._folder.cleanup()

    def _tmux(self, *words: str, check: bool = True) -> str:
        command = ["tmux", "-S", f"{self._folder.name}/socket", *words]
        return subprocess.run(
            command, check=check, capture_output=True, text=True, timeout=PATIENCE
        ).stdout


@pytest.fixture
def terminal(scribe: Shell, tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Starts a command of the program on the scribe's table."""
    opened: list[Terminal] = []

    def start(words: str = "play") -> Terminal:
        program = Path(sys.executable).parent / "referee"
        environment = f"XDG_DATA_HOME={tmp_path / 'data'} LC_ALL=C.UTF-8 TERM=screen-256color"
        store = scribe.here.store_url
        command = f"{environment} {program} --store {store} -g {scribe.game_id} {words}"
        opened.append(Terminal(command))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_a_scribe_sees_verdicts_while_typing(terminal: Callable[..., Terminal]) -> None:
    shell = terminal()
    shell.see("A #3 ›")
    shell.type("step c1")
    shell.see("✔ legal")
    shell.type("Enter")
    shell.see("✔ legal   #3 A step c1")
    shell.see("A #4 ›")
    shell.type("swap clover")
    shell.see("BEN-ACT-2")
    shell.type("Enter")
    shell.see("What does yours show?")  # the printed hexes of the box are assumed
    shell.type("Escape")
    shell.see("Record it anyway, marked illegal?")
    shell.type("n", "Enter")
    shell.see("A #4 › n\nA #4 ›")
    shell.type("C-z")
    shell.see("undone: #3")


def test_after_a_crash_the_shell_is_where_the_table_is(terminal: Callable[..., Terminal]) -> None:
    first = terminal()
    first.see("A #3 ›")
    first.type("step c1", "Enter")
    first.see("#3 A step c1")
    first.close()
    again = terminal()
    again.see("A #4 ›")
