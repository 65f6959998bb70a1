"""A service asked byte by byte over a real connection, as no well-behaved client would."""

from __future__ import annotations

import asyncio

from uvicorn.server import ServerState

from service.middleware import App
from service.server import ListenAddress, configured
from service.settings import Limits
from tests.waiting import PATIENCE


async def answer_to(
    app: App,
    beginning: bytes,
    then: bytes = b"",
    *,
    until: bytes = b"}",
    place: ListenAddress | None = None,
) -> bytes:
    """What is sent to somebody who begins so and never goes on, until the connection is closed;
    ``then`` is said once the first answer is there, ``until`` its end."""
    config = configured(app, place or ListenAddress(), Limits())
    config.load()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: config.http_protocol_class(config, ServerState(), {}),  # type: ignore[call-arg]
        "127.0.0.1",
        0,
        ssl=config.ssl,
    )
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(beginning)
        first = await asyncio.wait_for(reader.readuntil(until), PATIENCE) if then else b""
        writer.write(then)
        return first + await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()
        server.close()
