"""Server-Sent Events (SSE): live streams, resumed by ``Last-Event-ID`` without gap or repeat."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from answers.context import Caller
from engines.kernel.messages.errors import MessageError
from referee.record.entries import PLAYER, seat_of
from referee.store.envelopes import StoreError
from referee.store.witness import Checkpoint
from service.asgi import NOBODY_READS, disconnected, without_body
from service.auth import Principal
from service.dispatch import Dispatcher
from service.event_hub import EventHub, Feed
from service.http_messages import HttpRequest, HttpResponse
from service.negotiation import language_of, voice_for
from service.openapi import BASE, LAST_EVENT, LIVE
from service.problems import HttpRefusal, voice_in
from service.thread_pool import ThreadPool

STUCK = 20.0
"""Write timeout: seconds after which a reader that takes nothing is disconnected."""
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}
BROADCAST = "tournament-broadcast-events"
log = logging.getLogger("referee.service")
Opened = tuple[tuple[str, ...], Feed, int]
Opening = Callable[[Caller, HttpRequest], Opened]


def stream_routes(service: Dispatcher, hub: EventHub, threads: ThreadPool) -> list[Route]:
    opening: dict[str, Opening] = {
        "game-events": lambda caller, asked: hub.of_game(caller, asked.path["game"]),
        "tournament-events": lambda caller, asked: hub.of_tournament(
            caller, asked.path["tournament"]
        ),
        BROADCAST: lambda caller, asked: hub.of_broadcast(caller, asked.path["tournament"]),
        "events": lambda caller, asked: hub.of_store(caller),
    }
    return [
        _get_only(BASE + path, _endpoint(service, hub, threads, operation, opening[operation]))
        for operation, path in LIVE.items()
    ]


def _get_only(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    """Starlette adds HEAD to every GET: a stream that answers HEAD would never end."""
    route = Route(path, endpoint)
    route.methods = {"GET"}
    return route


def _endpoint(
    service: Dispatcher, hub: EventHub, threads: ThreadPool, operation: str, opening: Opening
) -> Callable[[Request], Awaitable[Response]]:
    version = AccessVersion(service.access_control.store_context.access.version)

    async def stream(request: Request) -> Response:
        received = without_body(request.scope)
        voice = voice_in(language_of(received))
        try:
            known = await version.now()
            gone = partial(disconnected, request.receive)
            found = await threads.run_for(
                gone, partial(_opened, service, operation, opening, received)
            )
            if found is None:
                return Response(status_code=NOBODY_READS)
            principal, caller, (key, made, last) = found
            seen_as = (*as_whom(caller), *key)
            after = _last_seen(received)
            reading = ExitStack()
            reading.enter_context(hub.reading(principal, received.address))
        except Exception as error:
            return _plain(service.refusal(error, voice))
        feed = reading.enter_context(hub.subscribe(key, lambda: made))
        game = received.path.get("game")
        reading.enter_context(hub.present(game or "", seat_of(caller.author.role)))
        # An id behind the end is of another time of this store: what comes now is new to them.
        begin = last if after is None else min(after, last)
        watched = received.path["tournament"] if operation == BROADCAST else None
        events = hub.follow(feed, begin, game, watched)
        again = partial(_seen_as_now, service, operation, opening, received)
        # a player of an event changes seats at a table without a change of tokens or rules
        unchanged = known if game is None or principal.role != PLAYER else None
        admitted = still_admitted(version, again, seen_as, unchanged)
        return EventStream(events, begin, reading, admitted, principal.expires)

    return stream


def _opened(
    service: Dispatcher, operation: str, opening: Opening, received: HttpRequest
) -> tuple[Principal, Caller, Opened]:
    """Authenticate once, so that opening a stream takes one token of the rate limit."""
    principal = service.principal(received, writes=False)
    caller = service.access_control.caller(principal, operation, received.path, voice_for(received))
    return principal, caller, _in_the_same_words(opening(caller, received), received)


def _in_the_same_words(opened: Opened, received: HttpRequest) -> Opened:
    """A feed is told in one voice: also as the client has said how it shows sentences."""
    key, made, last = opened
    return (*key, received.headers.get("referee-voice", "")), made, last


def _seen_as_now(
    service: Dispatcher, operation: str, opening: Opening, received: HttpRequest
) -> tuple[str, ...]:
    """As whom the reader would open the stream by now, and which feed."""
    caller = service.admit_again(received, operation)
    key, _, _ = _in_the_same_words(opening(caller, received), received)
    return (*as_whom(caller), *key)


def as_whom(caller: Caller) -> tuple[str, ...]:
    """The principal that a stream is rendered for."""
    return caller.author.role, caller.scope, caller.author.person


def still_admitted(
    version: AccessVersion,
    seen_as_now: Callable[[], tuple[str, ...]],
    seen_as: tuple[str, ...],
    unchanged: Checkpoint | None,
) -> Callable[[bytes], Awaitable[bool]]:
    """Authorise the reader again before anything is told, as tokens are revoked meanwhile.

    If they are seen as somebody else by now, or would be told in another feed, the stream ends.
    As long as tokens and rules are ``unchanged``, so is the answer; ``None``: something else
    decides too. While the store does not answer, nothing is told: a sign of life does not end the
    stream then, an event does, and the reader comes back for it.
    """

    async def admitted(content: bytes) -> bool:
        nonlocal unchanged
        try:
            now = await version.now()
            if unchanged is not None and now == unchanged:
                return True
            if await asyncio.to_thread(seen_as_now) != seen_as:
                return False
            unchanged = now if unchanged is not None else None
            return True
        except StoreError:
            return not content or content.startswith(b":")
        except MessageError:
            return False
        except Exception:
            log.exception("whether a reader is still let in")
            return False

    return admitted


def _last_seen(received: HttpRequest) -> int | None:
    text = received.headers.get("last-event-id") or dict(received.query).get("after")
    if text is None:
        return None
    if not re.fullmatch(LAST_EVENT, text):
        raise HttpRefusal("misused", "bad_last_event")
    return max(int(text), -1)


def _plain(reply: HttpResponse) -> Response:
    return Response(reply.content, reply.status, dict(reply.headers), reply.media)


class AccessVersion:
    """The version of tokens and access rules, looked up once for all who ask at the same time."""

    def __init__(self, look: Callable[[], Checkpoint]) -> None:
        self._look = look
        self._one_at_a_time = asyncio.Lock()
        self._next: asyncio.Task[Checkpoint] | None = None

    async def now(self) -> Checkpoint:
        """A version that was not looked up before it was asked for."""
        if self._next is None:
            self._next = asyncio.create_task(self._looked_up())
        return await asyncio.shield(self._next)

    async def _looked_up(self) -> Checkpoint:
        async with self._one_at_a_time:
            self._next = None  # who asks from here on waits for the next
            return await asyncio.to_thread(self._look)


class EventStream(Response):
    """A response that ends when its reader disconnects, is stuck, or may no longer look."""

    def __init__(
        self,
        events: AsyncIterator[bytes],
        begin: int,
        reading: ExitStack,
        admitted: Callable[[bytes], Awaitable[bool]],
        expires: str | None = None,
    ) -> None:
        super().__init__(status_code=200, headers=HEADERS)
        self._events, self._begin = events, begin
        self._reading, self._admitted = reading, admitted
        self._expires = expires

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tasks = [asyncio.create_task(disconnected(receive)), asyncio.create_task(self._write(send))]
        if self._expires is not None:
            tasks.append(asyncio.create_task(_expired(self._expires)))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._reading.close()

    async def _write(self, send: Send) -> None:
        headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._send(send, f"retry: 500\nid: {self._begin}\n\n".encode())
        async for content in self._events:
            if not await self._admitted(content):
                break
            if content:
                await self._send(send, content)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    @staticmethod
    async def _send(send: Send, content: bytes) -> None:
        message = {"type": "http.response.body", "body": content, "more_body": True}
        async with asyncio.timeout(STUCK):
            await send(message)


async def _expired(at: str) -> None:
    """Returns when the token expires."""
    left = (datetime.fromisoformat(at) - datetime.now(UTC)).total_seconds()
    await asyncio.sleep(max(left, 0.0))
