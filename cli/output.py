"""Texts that go into a file, or to whoever reads the standard output."""

from __future__ import annotations

from pathlib import Path

from answers.written import written
from cli.session import Session
from cli.speech import write


def put(here: Session, text: str, file: Path | None, game: str | None = None) -> int:
    """A text into the file that was asked for; without one it is the output itself."""
    if file is None:
        write([text.rstrip("\n")])
        return 0
    file.write_text(text, encoding="utf-8")
    return here.answer("written", written(str(file), text.encode(), game))
