"""Context of a tournament command: which tournament, in whose name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Concatenate, ParamSpec, TypeVar

import typer

from answers.answer import Answered, D
from answers.context import Caller
from answers.file_answers import written
from cli.output import atomic_write, refuse_existing
from cli.session import Session, session
from engines.kernel import Verbatim
from referee.errors import Misused, NotFound
from referee.tournament.event_streams import ORGANISER

if TYPE_CHECKING:
    from answers.file_answers import File

P = ParamSpec("P")
R = TypeVar("R")
POINTER = "#tournament"
"""The current tournament is kept beside the current game."""

Reason = Annotated[str, typer.Option("-m", "--reason")]
RoundOption = Annotated[int | None, typer.Option("--round", min=1)]
Output = Annotated[str | None, typer.Option("-o", "--output")]
Force = Annotated[bool, typer.Option("--force")]

_asked: ContextVar[str | None] = ContextVar("tournament", default=None)


def choose(tournament: str | None) -> None:
    """Set the tournament of this command (``-t``); ``None`` is the current one."""
    _asked.set(tournament)


def chosen() -> str | None:
    """The tournament that was asked for, if it is not the current one."""
    return _asked.get()


def organiser(here: Session) -> Caller:
    """The caller with the organiser as default author."""
    return here.speaking_as(ORGANISER)


def at(here: Session) -> tuple[Caller, str]:
    """Caller and tournament id: the first arguments of every tournament operation."""
    tournament = _asked.get() or here.current(POINTER)
    if tournament is None:
        raise NotFound("no_current_tournament")
    return organiser(here), tournament


def asked(
    operation: Callable[Concatenate[Caller, str, P], R], /, *said: P.args, **options: P.kwargs
) -> R:
    """The answer of an operation on this tournament."""
    caller, tournament = at(session())
    return caller.ask(operation, tournament, *said, **options)


def run(
    operation: Callable[Concatenate[Caller, str, P], Answered[D]],
    /,
    *said: P.args,
    **options: P.kwargs,
) -> int:
    """Run an operation on this tournament, print its answer and return the exit code."""
    return session().answer(operation, asked(operation, *said, **options))


def one_of(option: str, word: str, words: Iterable[str]) -> str:
    """A word of an option that has a choice of them."""
    listed = tuple(words)
    if word not in listed:
        raise Misused("what_counts", option=option, word=word, words=[*map(Verbatim, listed)])
    return word


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
