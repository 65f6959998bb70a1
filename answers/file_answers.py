"""Answers that are files, and the answer to whatever is written into one."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from answers.answer import Answered, Data

MEDIA = {
    ".schema.json": "application/schema+json",
    ".atom": "application/atom+xml",
    ".csv": "text/csv; charset=utf-8",
    ".db": "application/vnd.sqlite3",
    ".gif": "image/gif",
    ".html": "text/html; charset=utf-8",
    ".jpg": "image/jpeg",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".md": "text/markdown; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".trf": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".zip": "application/zip",
}
"""Media types by the ending of a name; the first that fits."""


class File(NamedTuple):
    """A file, and what it is called by default."""

    name: str
    content: bytes

    @property
    def media(self) -> str:
        found = (media for ending, media in MEDIA.items() if self.name.endswith(ending))
        return next(found, "application/octet-stream")


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
