"""Progress of a slow answer while it is made, and its end when nobody waits for it any more.

With ``Prefer: progress`` an answer that takes a while comes as a stream: lines ``done total``, then
one line of JSON with ``status`` and ``headers``, then the content.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from service.asgi import Receive, Send, disconnected
from service.http_messages import HttpRequest, HttpResponse
from service.negotiation import LONGEST_HEADER

PREFERENCE = "progress"
EVERY = 0.4
"""Seconds between two lines. What is made within that time comes as any other answer."""
HEADERS = {
    "content-type": "application/vnd.referee.progress",
    "cache-control": "no-store",
    "preference-applied": PREFERENCE,
    "x-accel-buffering": "no",
}


class Progress:
    """How far the work is. The thread that does it calls this after each step."""

    def __init__(self) -> None:
        self.step = (0, 0)

    def __call__(self, done: int, total: int) -> None:
        self.step = (done, total)


def wants_progress(request: HttpRequest) -> bool:
    preferred = request.headers.get("prefer", "")[:LONGEST_HEADER].lower().split(",")
    return any(each.partition(";")[0].strip() == PREFERENCE for each in preferred)


async def watched(
    work: Coroutine[Any, Any, HttpResponse | None],
    progress: Progress,
    receive: Receive,
    send: Send,
    *,
    tells: bool,
) -> HttpResponse | None:
    """The response; none if the client has gone, or has got it behind the lines of progress."""
    doing = asyncio.create_task(work)
    leaving = asyncio.create_task(disconnected(receive))
    is_begun = False
    try:
        while not doing.done():
            await asyncio.wait(
                (doing, leaving),
                timeout=EVERY if tells else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if doing.done():
                break
            if leaving.done():
                return None
            if not is_begun:
                await _begin(send)
                is_begun = True
            done, total = progress.step
            await _send(send, f"{done} {total}\n".encode())
        reply = doing.result()
        if reply is None or not is_begun:
            return reply
        told = {"Content-Type": reply.media, **reply.headers}
        head = json.dumps({"status": reply.status, "headers": told})
        await _send(send, f"{head}\n".encode() + reply.content, more=False)
        return None
    finally:
        leaving.cancel()
        doing.cancel()


async def _begin(send: Send) -> None:
    headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _send(send: Send, content: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": content, "more_body": more})
