"""Read and write timeouts of connections: the guard against slow clients (slowloris).

uvicorn has no timeout for a request head that never ends, nor for a client that never takes its
response: a few hundred such connections would use up all that the service may have. Requests are
parsed by httptools where it is installed, by h11 where it is not; h11 limits the size of a head
itself, for httptools it is done here.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from service.asgi import PATIENCE
from service.problems import MEDIA, HttpRefusal, document, told, voice_in

FLUSH = 120.0
"""Write timeout: seconds a client has to take the rest of a response before it is aborted."""
HEAD = 16 * 1024
"""Limit in bytes for the head of a request, and for the trailers after its body."""


@cache
def malformed() -> bytes:
    """The response to what is no request, in English: nothing in it says which language to use."""
    voice = voice_in("en")
    kind, problem = told(HttpRefusal("unreadable", "malformed", kilobytes=HEAD // 1024), voice)
    content = json.dumps(document(kind, problem, voice)).encode()
    head = (
        "HTTP/1.1 400 Bad Request",
        f"Content-Type: {MEDIA}",
        "Content-Language: en",
        "Cache-Control: no-store",
        f"Content-Length: {len(content)}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + content


class RequestCycle(Protocol):
    """What is read of uvicorn's request/response cycle, which is not public."""

    more_body: bool
    response_started: bool
    response_complete: bool
    keep_alive: bool


class Neighbour(Protocol):
    """A connection that is counted with others of its address."""

    @property
    def is_idle(self) -> bool: ...

    def drop(self) -> None: ...


class Neighbours:
    """Connection limit per address.

    A new connection over the limit replaces the one that has been idle for longest, so that
    half-sent requests lock nobody out. If none is idle, the new one is dropped.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._by_address: dict[str, dict[Neighbour, None]] = {}

    def add(self, address: str, newcomer: Neighbour) -> None:
        there = self._by_address.setdefault(address, {})
        there[newcomer] = None
        if len(there) > self.most:
            idle = (each for each in there if each is not newcomer and each.is_idle)
            leaving = next(idle, newcomer)
            del there[leaving]
            leaving.drop()

    def remove(self, address: str, gone: Neighbour) -> None:
        there = self._by_address.get(address, {})
        there.pop(gone, None)
        if not there:
            self._by_address.pop(address, None)

    def count(self, address: str) -> int:
        return len(self._by_address.get(address, ()))


class JoinedWrites:
    """A transport that sends two writes of the same moment in one piece.

    uvicorn writes the head of a response and its body one after the other: each would be a system
    call, and wake the client.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, content: bytes) -> None:
        if self._held:
            content, self._held = self._held + content, b""
            self._transport.write(content)
        else:
            self._held = content
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._held:
            self._transport.write(self._held)
            self._held = b""

    def close(self) -> None:
        self._flush()
        self._transport.close()


class ClientTimeouts(asyncio.Protocol):
    """A connection that is aborted when the client is too slow.

    Read timeout: ``PATIENCE`` seconds for a whole request head, from the start of the connection
    or the end of the request before. Write timeout: ``FLUSH``.
    """

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    cycle: RequestCycle | None
    neighbours: Neighbours | None = None
    """The connections by address, where they are counted."""
    _late: asyncio.TimerHandle | None = None
    _address: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        joined: Any = JoinedWrites(cast(asyncio.Transport, transport), self.loop)
        super().connection_made(joined)
        self._wait()
        peer = transport.get_extra_info("peername")
        if self.neighbours is not None and isinstance(peer, tuple):
            self._address = str(peer[0])
            self.neighbours.add(self._address, self)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being processed: none has come, or not all of one."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def drop(self) -> None:
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._heard()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        if self.neighbours is not None and self._address is not None:
            self.neighbours.remove(self._address, self)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """A malformed request is told as every other problem is, and its connection closed."""
        self.transport.write(malformed())
        self.transport.close()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()  # type: ignore[misc]
        self.loop.call_later(FLUSH, self.transport.abort)

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.transport.abort)

    def _heard(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class ReadByH11(ClientTimeouts, H11Protocol):  # type: ignore[misc]
    """Requests parsed in Python: nothing needs to be compiled for it."""


if find_spec("httptools") is None:
    Listening: type[asyncio.Protocol] = ReadByH11
else:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class ReadByHttptools(ClientTimeouts, HttpToolsProtocol):  # type: ignore[misc]
        """Requests parsed by compiled code, which has no limits of its own: they are added here."""

        _in_head = False
        _beside_body = 0
        _silent = 0
        """Bytes since the parser last reported anything: chunk extensions that never end."""

        def data_received(self, data: bytes) -> None:
            for start in range(0, len(data), HEAD):
                if not self.transport.is_closing():
                    self._hear(data[start : start + HEAD])

        def _hear(self, data: bytes) -> None:
            self._silent += len(data)
            super().data_received(data)
            if self._silent > HEAD and not self.transport.is_closing():
                self.send_400_response("Too much beside the body of a request.")

        def on_message_begin(self) -> None:
            self._in_head, self._beside_body = True, 0
            super().on_message_begin()

        def on_url(self, url: bytes) -> None:
            self._count(len(url))
            super().on_url(url)

        def on_header(self, name: bytes, value: bytes) -> None:
            """Trailers are counted and dropped: they must not pass for headers (smuggling)."""
            self._count(len(name) + len(value))
            if self._in_head:
                super().on_header(name, value)

        def on_headers_complete(self) -> None:
            self._in_head, self._silent = False, 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._silent = 0
            super().on_body(body)

        def send_400_response(self, msg: str) -> None:
            """A malformed request, pipelined behind another, must not spoil the other's response.

            The response under way is finished, and the connection closed after it.
            """
            cycle = self.cycle
            if cycle is None or cycle.response_complete:
                super().send_400_response(msg)
            elif not cycle.more_body:
                cycle.keep_alive = False
            elif self.pipeline or cycle.response_started:
                self.transport.close()
            else:
                super().send_400_response(msg)

        def _count(self, size: int) -> None:
            self._silent = 0
            self._beside_body += size
            if self._beside_body > HEAD:
                raise ValueError("more than the head of a request may have")

    Listening = ReadByHttptools
