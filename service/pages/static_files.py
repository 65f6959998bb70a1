"""Static files of the pages: scripts, the stylesheet, fonts. They change with a release."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from answers.review.scores import STEPPING_FILES

MEDIA = {
    "css": "text/css; charset=utf-8",
    "png": "image/png",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
FONTS = ("AtkinsonHyperlegibleNext-Regular.woff2", "AtkinsonHyperlegibleNext-Bold.woff2")


class Static(NamedTuple):
    content: bytes
    media: str
    tag: str


def static(name: str) -> Static | None:
    """A static file by name; None if there is no such file."""
    return _all_files().get(name)


@cache
def _all_files() -> dict[str, Static]:
    """All files, loaded at once: a cache by requested name would grow with every made-up name."""
    fonts, exports = files("replays") / "fonts", files("replays") / "exports"
    shared = (*(fonts / name for name in FONTS), *(exports / name for name in STEPPING_FILES))
    found = [*(files("service") / "static").iterdir(), *shared]
    return {
        each.name: _read(each.read_bytes(), media)
        for each in found
        if (media := MEDIA.get(each.name.rpartition(".")[2])) is not None
    }


def _read(content: bytes, media: str) -> Static:
    return Static(content, media, f'"{sha256(content).hexdigest()[:20]}"')
