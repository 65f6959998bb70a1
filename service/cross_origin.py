"""CORS (cross-origin resource sharing): which other websites may call the API from a browser.

None by default. A named origin reads what is public and speaks with a token; never with the cookie
of whoever looks at it, so that another site cannot act as its visitor.
"""

from __future__ import annotations

import re

from referee.errors import Misused
from service.asgi import Scope
from service.openapi import BASE

Headers = list[tuple[bytes, bytes]]

METHODS = "GET, POST, PUT, PATCH, DELETE"
ASKED = (
    "Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, "
    "If-None-Match, Last-Event-ID, Prefer, Referee-As, Referee-Voice"
)
"""Request headers that a page of another site may send."""
TOLD = "Content-Disposition, ETag, Location, Retry-After"
"""Response headers that it may read, besides those that every page may."""
KEPT = "600"
"""Seconds for which a browser need not ask again."""
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?")


def check_origins(origins: tuple[str, ...]) -> None:
    """An origin is scheme, host and port, as a browser says it: no path, and no star for all."""
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise Misused("bad_origin", origin=origin[:200])


def origin_of(scope: Scope, allowed: tuple[str, ...]) -> bytes | None:
    """The allowed origin that calls the API, if it is one."""
    if not allowed or not scope["path"].startswith(f"{BASE}/"):
        return None
    said = [value for name, value in scope["headers"] if name == b"origin"]
    return said[0] if len(said) == 1 and said[0].decode("latin-1") in allowed else None


def is_preflight(scope: Scope) -> bool:
    """Whether a browser asks beforehand, without sending what the page wants to say."""
    names = {name for name, _ in scope["headers"]}
    return scope["method"] == "OPTIONS" and b"access-control-request-method" in names


def answer_to_preflight() -> Headers:
    told = {"methods": METHODS, "headers": ASKED}
    found = [(f"access-control-allow-{name}".encode(), v.encode()) for name, v in told.items()]
    return [*found, (b"access-control-max-age", KEPT.encode())]


def headers_for(origin: bytes) -> Headers:
    return [
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", TOLD.encode()),
    ]
