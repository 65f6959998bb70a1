"""Which tournament or season a command is about; and what its commands have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from answers.answer import Answered, D
from answers.context import Caller
from answers.file_answers import written
from cli.output import atomic_write, refuse_existing
from cli.session import Session, session
from engines.kernel import Verbatim
from referee.errors import Misused, NotFound

if TYPE_CHECKING:
    from answers.file_answers import File

P = ParamSpec("P")
R = TypeVar("R")
W = TypeVar("W", bound=str)


class CurrentEvent:
    """A tournament or a season: the one that an option names, else the current one.

    The current one is kept beside the current game.
    """

    def __init__(self, kind: str, missing: str) -> None:
        self.kind = kind
        self.missing = missing
        self._asked: ContextVar[str | None] = ContextVar(kind, default=None)

    def choose(self, asked: str | None) -> None:
        """Set what this command is about; ``None`` is the current one."""
        self._asked.set(asked)

    @property
    def asked(self) -> str | None:
        return self._asked.get()

    def current(self, here: Session) -> str | None:
        return here.current(f"#{self.kind}")

    def make_current(self, here: Session, event: str) -> None:
        here.make_current(event, f"#{self.kind}")

    def id(self, here: Session) -> str:
        event = self.asked or self.current(here)
        if event is None:
            raise NotFound(self.missing)
        return event

    def ask(
        self,
        operation: Callable[Concatenate[Caller, str, P], R],
        /,
        *said: P.args,
        **options: P.kwargs,
    ) -> R:
        """What an operation on it answers; the organiser asks, unless ``--as`` says who."""
        here = session()
        return here.organiser.ask(operation, self.id(here), *said, **options)

    def run(
        self,
        operation: Callable[Concatenate[Caller, str, P], Answered[D]],
        /,
        *said: P.args,
        **options: P.kwargs,
    ) -> int:
        """Run an operation on it, print its answer and return the exit code."""
        return session().answer(operation, self.ask(operation, *said, **options))


TOURNAMENT = CurrentEvent("tournament", missing="no_current_tournament")
SEASON = CurrentEvent("season", missing="no_current_season")


def choose_tournament(tournament: str | None = None) -> None:
    TOURNAMENT.choose(tournament)


def choose_season(season: str | None = None) -> None:
    SEASON.choose(season)


def one_of(option: str, word: str, words: Iterable[W]) -> W:
    """A word of an option that has a choice of them."""
    listed = tuple(words)
    if word not in listed:
        raise Misused("what_counts", option=option, word=word, words=[*map(Verbatim, listed)])
    return listed[listed.index(word)]


def put_document(document: File, output: str | None, force: bool) -> int:
    """Write a document to a file; without ``-o`` to standard output, if that is not a terminal."""
    here = session()
    if output == "-" or (output is None and not sys.stdout.isatty() and not here.json):
        sys.stdout.buffer.write(document.content)
        sys.stdout.buffer.flush()
        return 0
    file = Path(output or document.name)
    refuse_existing(file, force)
    atomic_write(file, document.content)
    return here.answer(written, written(str(file), document.content))
