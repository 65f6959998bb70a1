"""Requests of shapes that a proxy and a server could read differently, and words about visitors
that anybody could say: what is not clear is refused, and the connection with it."""

from __future__ import annotations

import json

import pytest

from service.client_timeouts import HEAD
from service.problems import MEDIA
from service.server import ListenAddress
from tests.service.conftest import Club
from tests.service.wire import answer_to
from tests.waiting import awaited

pytestmark = pytest.mark.usefixtures("reader")

ASKED = b"GET /api/health HTTP/1.1\r\nHost: testserver\r\n"
SAID = b"POST /api/v1/join HTTP/1.1\r\nHost: testserver\r\n"
HIDDEN = b"GET /api/ready HTTP/1.1\r\nHost: testserver\r\n\r\n"
"""What would be taken for another visitor's request if a body ended sooner than it was said to."""
TOO_LONG = 2 * HEAD


@pytest.mark.parametrize(
    "request_",
    [
        SAID + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        SAID + b"Content-Length: 0\r\nContent-Length: 9\r\n\r\n" + HIDDEN,
        SAID + b"Content-Length: 0, 9\r\n\r\n" + HIDDEN,
        SAID + b"Content-Length: -1\r\n\r\n" + HIDDEN,
        SAID + b"Content-Length : 0\r\n\r\n" + HIDDEN,
        SAID + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        SAID + b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        SAID + b"Transfer-Encoding: identity\r\n\r\n" + HIDDEN,
        SAID + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + HIDDEN,
        ASKED + b"Host: evil.example\r\n\r\n" + HIDDEN,
        ASKED + b" folded: no\x00\r\n\r\n" + HIDDEN,
        b"GET /api/health HTTP/1.1\r\n\r\n" + HIDDEN,
    ],
    ids=lambda request_: request_[:90].decode("latin-1"),
)
def test_a_request_that_can_be_read_in_two_ways_is_refused_and_nothing_behind_it_is_heard(
    request_: bytes, club: Club
) -> None:
    answer = awaited(answer_to(club.client.app, request_))
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 501 "))
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(
    "request_",
    [
        ASKED + b"X-Long: " + b"x" * TOO_LONG,
        ASKED + b"X-Many: " + b"\r\nX-Many: ".join([b"x" * 1000] * (TOO_LONG // 1000)),
        b"GET /" + b"x" * TOO_LONG,
        SAID + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"x" * TOO_LONG,
        SAID + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-Long: " + b"x" * TOO_LONG,
    ],
    ids=["a header", "many headers", "an address", "a word about a chunk", "what stands behind"],
)
def test_a_request_without_end_is_refused_before_it_fills_the_memory(
    request_: bytes, club: Club
) -> None:
    answer = awaited(answer_to(club.client.app, request_))
    assert answer.startswith(b"HTTP/1.1 400 ")
    head, _, content = answer.partition(b"\r\n\r\n")
    assert f"content-type: {MEDIA}".encode() in head.lower()
    assert json.loads(content)["status"] == 400


def test_what_stands_behind_a_body_is_no_part_of_the_head(club: Club, game: str) -> None:
    head = f"POST /api/v1/games/{game}/undo HTTP/1.1\r\nHost: testserver\r\nConnection: close\r\n"
    body = "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    behind = f"Authorization: Bearer {club.token('scribe')}\r\n\r\n"
    answer = awaited(answer_to(club.client.app, (head + body + behind).encode()))
    assert answer.startswith(b"HTTP/1.1 401 ")


def test_what_cannot_be_read_behind_a_request_is_no_answer_to_it(club: Club) -> None:
    answer = awaited(answer_to(club.client.app, HIDDEN + b"\x00\x01\x02 what?\r\n\r\n"))
    assert answer.startswith(b"HTTP/1.1 200")


def test_what_is_asked_at_once_is_answered_in_order(club: Club) -> None:
    last = ASKED + b"Connection: close\r\n\r\n"
    answer = awaited(answer_to(club.client.app, HIDDEN + last))
    assert answer.count(b"HTTP/1.1 200") == 2
    assert answer.index(b'"entries"') < answer.rindex(b"HTTP/1.1")


def test_an_old_client_is_answered_and_let_go(club: Club) -> None:
    answer = awaited(
        answer_to(club.client.app, b"GET /api/health HTTP/1.0\r\nHost: testserver\r\n\r\n")
    )
    assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("proxy", "is_believed"), [(None, False), ("10.0.0.0/8", False), ("127.0.0.1", True)]
)
def test_what_is_said_about_a_visitor_is_believed_of_the_proxy_alone(
    proxy: str | None, is_believed: bool, club: Club
) -> None:
    said = ASKED + b"X-Forwarded-Proto: https\r\nX-Forwarded-Host: evil.example\r\n"
    asked = said + b"Connection: close\r\n\r\n"
    answer = awaited(answer_to(club.client.app, asked, place=ListenAddress(proxy=proxy)))
    assert (b"strict-transport-security" in answer) == is_believed
    assert b"evil" not in answer
