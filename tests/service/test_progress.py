"""Exports that take a while: how far they are is told, and they end when nobody waits for them."""

from __future__ import annotations

import asyncio
import json
from threading import Event
from time import sleep
from typing import Any

import pytest

from answers.operations import routes
from service.progress import PREFERENCE
from service.thread_pool import Ended
from tests.service.conftest import API, Club
from tests.waiting import PATIENCE, awaited

ASKED = {"Prefer": PREFERENCE}
WITH_PROGRESS = [route for route in routes() if "on_step" in route.parameters]


def slow(steps: int) -> Any:
    """An export that takes a while."""

    def made(bench: Any, game: Any, format: str, options: Any) -> bytes:
        for step in range(1, steps + 1):
            sleep(0.01)
            options.progress(step, steps)
        return b"\n{the file}\n"

    return made


def endless(begun: Event, ended: Event) -> Any:
    """Work that notes when it is ended; nothing of it says how far it is."""

    def made(*asked: Any, **how: Any) -> Any:
        try:
            begun.set()
            while True:
                sleep(0.01)
        except Ended:
            ended.set()
            raise

    return made


def test_a_slow_export_tells_how_far_it_is_and_then_is_the_file(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.progress.EVERY", 0.02)
    monkeypatch.setattr("answers.review.import_export.export_bytes", slow(40))
    plain = club.get(f"/games/{game}/exports/md", "judge")
    told = club.get(f"/games/{game}/exports/md", "judge", headers=ASKED)
    assert told.headers["preference-applied"] == PREFERENCE
    lines, _, rest = told.content.partition(b"{")
    steps = [tuple(map(int, line.split())) for line in lines.decode().splitlines()]
    assert len(steps) > 1
    assert steps == sorted(steps)
    assert {total for _, total in steps} <= {0, 40}
    head, _, content = (b"{" + rest).partition(b"\n")
    said = json.loads(head)
    assert (said["status"], content) == (plain.status_code, plain.content)
    for name in ("Content-Type", "Content-Disposition", "Cache-Control"):
        assert said["headers"][name] == plain.headers[name]


def test_what_is_made_at_once_comes_as_any_other_answer(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.progress.EVERY", PATIENCE)
    place = f"/games/{game}/exports/md"
    told = club.get(place, "judge", headers=ASKED)
    assert "preference-applied" not in told.headers
    assert told.content == club.get(place, "judge").content
    assert club.get("/games/none/exports/md", "judge", headers=ASKED).status_code == 404


def test_a_failure_on_the_way_is_told_behind_the_progress(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*asked: Any) -> bytes:
        slow(20)(*asked)
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("service.progress.EVERY", 0.02)
    monkeypatch.setattr("answers.review.import_export.export_bytes", fails)
    told = club.get(f"/games/{game}/exports/md", "judge", headers=ASKED)
    head, _, content = told.content[told.content.index(b"{") :].partition(b"\n")
    assert json.loads(head)["status"] == 500
    assert json.loads(content)["detail"]


@pytest.mark.parametrize("prefer", [b"progress", b""], ids=["watched", "a plain link"])
@pytest.mark.parametrize("route", WITH_PROGRESS, ids=lambda route: route.name)
def test_an_export_ends_when_its_client_has_gone(
    route: Any, prefer: bytes, club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = Event(), Event()
    monkeypatch.setattr("service.dispatch._carried_out", endless(begun, ended))
    path = API + route.path.format(game=game, format="md", collection="of-nobody")
    token = club.token("organiser")
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "http",
        "headers": [(b"host", b"testserver"), (b"authorization", f"Bearer {token}".encode()),
                    (b"prefer", prefer)],
        "client": ("127.0.0.1", 1), "server": ("testserver", 80),
    }  # fmt: skip
    sent: list[Any] = []

    async def asked() -> None:
        body = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Any:
            if (message := next(body, None)) is not None:
                return message
            while not begun.is_set():  # a refusal does not wait for it
                await asyncio.sleep(0.01)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await club.client.app(scope, receive, send)

    awaited(asked())
    assert begun.is_set(), sent
    assert ended.wait(PATIENCE)
    assert not any(b"the file" in message.get("body", b"") for message in sent)
