"""Conditional requests (RFC 9110): ETag and If-None-Match (304), and If-Match as a precondition.

If-Match is optimistic concurrency: whoever writes may name the last entry that they have seen,
and is refused where others were quicker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256

from pydantic import BaseModel

from answers.context import Caller
from answers.declaration import Operation
from service.http_messages import HttpResponse
from service.problems import HttpRefusal

_VERSION = re.compile(r'(?:W/)?"?([0-9]{1,9})(?:\.[^"]{0,200})?"?')


def version_seen(if_match: str | None) -> int | None:
    """The version in If-Match, the last entry the writer has seen; None without If-Match."""
    if if_match is None or if_match.strip() == "*":
        return None
    found = _VERSION.fullmatch(if_match.strip())
    if found is None:
        raise HttpRefusal("misused", "bad_version")
    return int(found.group(1))


def version_tag(
    operation: Operation,
    caller: Caller,
    path: Mapping[str, str],
    said: BaseModel | None,
    last: int | None,
) -> str | None:
    """``"41.seat:B.fr.0af3…"``: the last entry, as whom it is seen, in which language and names.

    It is known before the answer is made. What may change without a new entry has none.
    """
    if "game" not in path or operation.etag == "content":
        return None
    game = caller.whole(path["game"])
    view = caller.view(game, getattr(said, "view", None))
    return f'"{last}.{view}.{caller.voice.lang}{_names(caller, game.seats.values())}"'


def _names(caller: Caller, people: Iterable[str]) -> str:
    """A digest of the names at a table: sentences call people by them, and they can change."""
    names = "\n".join(map(caller.name, people))
    return f".{sha256(names.encode()).hexdigest()[:8]}" if names else ""


def content_tag(last: int | None, content: bytes) -> str:
    return f'"{last or 0}.{sha256(content).hexdigest()[:16]}"'


def matches(asked: str | None, tag: str) -> bool:
    """Whether If-None-Match names this ETag."""
    if asked is None:
        return False
    return asked.strip() == "*" or tag in [
        each.strip().removeprefix("W/") for each in asked.split(",")
    ]


def not_modified(tag: str) -> HttpResponse:
    return HttpResponse(304, b"", "", {"ETag": tag, **caching()})


def caching() -> dict[str, str]:
    """Cache headers: an answer is for one person, and is revalidated each time."""
    return {
        "Cache-Control": "private, no-cache",
        "Vary": "Accept-Language, Authorization, Cookie, Referee-As, Referee-Voice",
    }
