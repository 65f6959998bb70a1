"""The program with its guard: what comes in is taken, or refused with a reason."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest

from cli.exit_codes import EXIT_CODES
from cli.main import main
from cli.session import close_session
from engines.kernel.messages.unsafe_text import harmful_in
from referee.store import Store, open_store
from referee.store.sqlite.files import sqlite_url

T = TypeVar("T")
CORPUS = Path(__file__).with_name("corpus")
CHAOS = int(os.environ.get("REFEREE_CHAOS", "0"))
SEED = os.environ.get("REFEREE_SEED", "1")
LONGEST = 20.0
"""Seconds of computing after which something hangs, however slow the machine."""
MOST_MEMORY = 512 * 1024
"""Kilobytes by which one input may make the program grow."""

FAULT = 1
ILLEGAL = 3
REFUSED = frozenset(EXIT_CODES) - {0, FAULT, ILLEGAL}


def rounds(usual: int) -> range:
    """How many inputs to try: ``REFEREE_CHAOS=200`` tries twenty times as many."""
    return range(usual * max(10, CHAOS) // 10)


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.err + self.out


class Program:
    """The program in a folder with a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = sqlite_url(folder / "games.db")
        self.game = ""
        """The game that the files of the club are about."""

    @classmethod
    @contextmanager
    def at_home(cls, folder: Path) -> Iterator[Program]:
        """Nobody else's records, keys or settings are within reach."""
        with pytest.MonkeyPatch.context() as patch:
            for name in [name for name in os.environ if name.startswith("REFEREE_")]:
                patch.delenv(name)
            patch.setenv("XDG_DATA_HOME", str(folder / "data"))
            patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
            patch.setenv("HOME", str(folder))
            patch.setenv("LC_ALL", "C.UTF-8")
            patch.setenv("NO_COLOR", "1")
            patch.chdir(folder)
            program = cls(folder)
            yield program
            program.store.close()

    def must(self, *words: str) -> str:
        answer = self.call(words)
        assert answer.code == 0, f"{words}: {answer.said}"
        return answer.out

    def call(self, words: Sequence[str], typed: bytes = b"") -> Answer:
        out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
        before, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(typed), "utf-8", "surrogateescape")
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = main(["--store", self.url, *words])
        finally:
            sys.stdin = before
            close_session()
        return Answer(code, _text(out), _text(err))

    @cached_property
    def store(self) -> Store:
        """The program's own store, seen by somebody else."""
        return open_store(self.url)

    def entries(self) -> int:
        return self.store.position()

    def try_out(self, words: Sequence[str], typed: bytes = b"", *, several: bool = False) -> Answer:
        """Call it with something from outside; of ``several`` things the first may be taken."""
        before = self.entries()
        with bounded(f"{list(words)} {typed[:2000]!r}"):
            answer = self.call(words, typed)
        told = f"{list(words)} {typed[:2000]!r}\nexit {answer.code}: {answer.said[:2000]}"
        assert answer.code in EXIT_CODES, told
        assert answer.code != FAULT, told
        assert answer.code == 0 or answer.said.strip(), f"refused without a reason: {told}"
        harmful = harmful_in(answer.said, allowed="\t\r\n")
        assert harmful is None, f"{harmful} would reach the terminal: {told}"
        if answer.code in REFUSED and not several:
            assert self.entries() == before, f"refused, and yet the store has changed: {told}"
        return answer


def _text(stream: TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


@contextmanager
def bounded(what: str) -> Iterator[None]:
    """An end to what takes too long, and a word about what takes too much."""
    before = _memory()
    with _alarm():
        yield
    assert _memory() - before < MOST_MEMORY, f"too much memory: {what}"


def _memory() -> int:
    """The most memory that this process has ever had, in kilobytes."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


MOST_CALLS = 1_000_000
"""More functions than the answer to one question calls."""


def counted(question: Callable[[], T]) -> T:
    """The answer to a question, with an end to work without bound however fast the machine is."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"
        if calls > MOST_CALLS:
            raise TooMuchWork

    sys.setprofile(count)
    try:
        return question()
    finally:
        sys.setprofile(None)


class TooMuchWork(BaseException):
    """Nobody who catches what may go wrong catches this."""


class TooSlow(Exception):
    """It would have gone on and on."""


@contextmanager
def _alarm() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> Any:
        raise TooSlow(f"more than {LONGEST} seconds")

    previous = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
