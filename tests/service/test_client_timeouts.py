"""Whoever keeps the service waiting is let go; what they began is not taken for the whole."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from service.client_timeouts import JoinedWrites
from tests.service.conftest import Club
from tests.service.wire import answer_to
from tests.waiting import awaited

pytestmark = pytest.mark.usefixtures("reader")


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("service.client_timeouts", "service.asgi"):
        monkeypatch.setattr(f"{module}.PATIENCE", 0.2)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    "beginning", [b"", b"GET /api/hea", b"GET /api/health HTTP/1.1\r\nHost: t"]
)
def test_a_connection_that_says_nothing_is_closed(beginning: bytes, club: Club) -> None:
    assert awaited(answer_to(club.client.app, beginning)) == b""


@pytest.mark.usefixtures("hurried")
def test_a_second_request_may_not_be_slow_either(club: Club) -> None:
    first = b"GET /api/health HTTP/1.1\r\nHost: testserver\r\n\r\n"
    answer = awaited(answer_to(club.client.app, first, b"GET /api"))
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.usefixtures("hurried")
def test_a_body_that_does_not_come_is_408(club: Club, game: str) -> None:
    head = (
        f"POST /api/v1/games/{game}/actions HTTP/1.1\r\nHost: testserver\r\n"
        f"Authorization: Bearer {club.token('scribe')}\r\nContent-Length: 40\r\n\r\n"
    )
    before = club.store_context.bench.game(game).version
    answer = awaited(answer_to(club.client.app, head.encode() + b'{"lines": ["A '))
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"too_slow" in answer
    assert club.store_context.bench.game(game).version == before


def test_who_waits_to_be_asked_for_the_body_is_asked(club: Club) -> None:
    """The line that asks for it is written alone: nothing follows until the body has come."""
    head = (
        b"POST /api/v1/join HTTP/1.1\r\nHost: testserver\r\nExpect: 100-continue\r\n"
        b"Connection: close\r\nContent-Length: 21\r\n\r\n"
    )
    answer = awaited(answer_to(club.client.app, head, b'{"code": "AAAA-AAAA"}', until=b"\r\n\r\n"))
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403")


class Wire:
    """A transport that keeps what was sent, piece by piece."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_closed = False

    def write(self, content: bytes) -> None:
        self.sent.append(content)

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ([b"head", b"body"], [b"headbody"]),
        ([b"head", b""], [b"head"]),
        ([b"one", None, b"two"], [b"one", b"two"]),
        ([b"head", b"body", b"next", None, b"last"], [b"headbody", b"next", b"last"]),
    ],
)
@pytest.mark.parametrize("closes", [True, False])
def test_what_is_written_in_one_moment_is_sent_in_one_piece(
    written: list[bytes | None], sent: list[bytes], closes: bool
) -> None:
    async def send() -> None:
        wire: Any = Wire()
        joined = JoinedWrites(wire, asyncio.get_running_loop())
        for content in written:
            if content is None:
                await asyncio.sleep(0)
            else:
                joined.write(content)
        if closes:
            joined.close()
        else:
            await asyncio.sleep(0)
        assert wire.sent == sent
        assert wire.is_closed is closes

    awaited(send())
