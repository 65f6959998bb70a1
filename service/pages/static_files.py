"""The files that pages are made of: scripts, the stylesheet, fonts. They change with a release."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

MEDIA = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
FONTS = ("AtkinsonHyperlegible-Regular.woff2", "AtkinsonHyperlegible-Bold.woff2")


class Static(NamedTuple):
    content: bytes
    media: str
    tag: str


@cache
def static(name: str) -> Static | None:
    """A file by its name, as the browser asks for it; none, if there is no such file."""
    folder = files("replays") / "fonts" if name in FONTS else files("service") / "static"
    media = MEDIA.get(name.rpartition(".")[2])
    known = {each.name: each for each in folder.iterdir() if each.is_file()}
    if media is None or name not in known:
        return None
    content = known[name].read_bytes()
    return Static(content, media, f'"{sha256(content).hexdigest()[:20]}"')
