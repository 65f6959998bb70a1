"""Writing results to a file (atomically) or to the standard output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from answers.file_answers import written
from cli.i18n import write
from cli.session import Session
from referee.errors import Conflicting

if TYPE_CHECKING:
    from answers.answer import Answered, D, Telling


def atomic_write(file: Path, content: bytes) -> None:
    """Write a whole file or nothing: a draft in the same folder replaces the old file by rename."""
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    with draft_of(file) as draft:
        draft.write_bytes(content)


@contextmanager
def draft_of(file: Path) -> Iterator[Path]:
    """A temporary file that replaces ``file`` when the context ends without an error."""
    place = file.resolve()
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        yield draft
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def put(
    here: Session,
    made: str | bytes,
    file: Path | None,
    game: str | None = None,
    *,
    told: str = "",
) -> int:
    """Write a result to the file that was asked for; without one, text goes to standard output.

    ``told``: what there is to know about the file besides.
    """
    if file is None:
        assert isinstance(made, str)
        write([made.rstrip("\n")])
        return 0
    content = made.encode() if isinstance(made, str) else made
    atomic_write(file, content)
    answered = written(str(file), content, game)
    return here.answer(written, with_line(answered, f"  {told}") if told else answered)


def with_line(answered: Answered[D], line: str) -> Answered[D]:
    """An answer that says one thing more at its end."""
    lines = answered.told
    return answered.with_text(lambda voice: [*lines(voice), line])


def refuse_existing(file: Path, force: bool = False) -> None:
    if file.exists() and not force:
        raise Conflicting("file_exists", file=str(file))


def put_new(
    here: Session,
    file: Path,
    made: Callable[[], str],
    game: str | None = None,
    told: Telling | None = None,
    *,
    force: bool = False,
) -> int:
    """Write a text to a new file; it is made only once it is certain that none is overwritten."""
    refuse_existing(file, force)
    text = made()
    atomic_write(file, text.encode())
    answered = written(str(file), text.encode(), game)
    return here.answer(written, answered.with_text(told) if told else answered)
