"""Answer of an operation whose result was written to a file."""

from __future__ import annotations

from hashlib import sha256

from answers.answer import Answered, Data


class WrittenAnswer(Data):
    file: str
    bytes: int
    sha256: str
    game: str | None
    """The game it is about, where it is about one."""


def written(file: str, content: bytes, game: str | None = None) -> Answered[WrittenAnswer]:
    return Answered(
        lambda: WrittenAnswer(
            file=file, bytes=len(content), sha256=sha256(content).hexdigest(), game=game
        ),
        lambda voice: [voice.say("written", file=file)],
    )
