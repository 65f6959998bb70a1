"""Whoever keeps the service waiting is let go; what they began is not taken for the whole."""

from __future__ import annotations

import pytest

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
