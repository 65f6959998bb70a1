"""Reads an ASGI request into what the dispatcher needs, with limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl

from service.http_messages import HttpRequest
from service.problems import HttpRefusal

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PATIENCE = 20.0
"""Read timeout: seconds in which a client must have sent its whole request."""

NOBODY_READS = 499
"""The status of an answer to a client who has gone."""


def without_body(scope: Scope) -> HttpRequest:
    """The request without its body, for routes that only need its head."""
    return _received(scope, b"")


async def received(scope: Scope, receive: Receive, limit: int) -> HttpRequest:
    """The request with its body; reading stops when it is too large or too slow."""
    try:
        async with asyncio.timeout(PATIENCE):
            content = await _body(receive, limit)
    except TimeoutError:
        raise _too_slow() from None
    return _received(scope, content)


async def _body(receive: Receive, limit: int) -> bytes:
    content = bytearray()
    going_on = True
    while going_on:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _too_slow()
        content += message.get("body", b"")
        if len(content) > limit:
            raise HttpRefusal("too_large", "too_large", {"Connection": "close"}, limit=limit)
        going_on = message.get("more_body", False)
    return bytes(content)


async def disconnected(receive: Receive) -> None:
    """Returns when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _too_slow() -> HttpRefusal:
    return HttpRefusal("too_slow", "too_slow", {"Connection": "close"})


def _received(scope: Scope, content: bytes) -> HttpRequest:
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1"), value.decode("latin-1"))
    client, query = scope.get("client"), scope["query_string"].decode("latin-1")
    return HttpRequest(
        method=scope["method"],
        path=scope.get("path_params", {}),
        query=parse_qsl(query, keep_blank_values=True) if query else (),
        headers=headers,
        cookies=_cookies(headers["cookie"]) if "cookie" in headers else {},
        content=content,
        address=client[0] if client else "unknown",
        secure=scope["scheme"] == "https",
    )


def _cookies(text: str) -> dict[str, str]:
    named = (part.partition("=") for part in text.split(";"))
    return {name.strip(): value.strip().strip('"') for name, _, value in named if name.strip()}
