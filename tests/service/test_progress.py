"""Exports that take a while: how far they are is told, and they end when nobody waits for them."""

from __future__ import annotations

import asyncio
import json
from threading import Event
from time import sleep
from typing import Any
from zipfile import ZipFile

import pytest

from answers.file_answers import File
from answers.operations import routes
from service.progress import PREFERENCE, ClientGone, Progress
from tests.service.conftest import API, Club
from tests.waiting import PATIENCE, awaited

ASKED = {"Prefer": PREFERENCE}
WITH_PROGRESS = [route for route in routes() if "on_step" in route.parameters]


def slow(steps: int, ended: Event | None = None) -> Any:
    """An export that takes a while, and notes when it was told to end."""

    def made(bench: Any, game: Any, format: str, options: Any) -> bytes:
        try:
            for step in range(1, steps + 1):
                sleep(0.01)
                options.progress(step, steps)
        except ClientGone:
            if ended is not None:
                ended.set()
            raise
        return b"\n{the file}\n"

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


def test_what_is_made_at_once_comes_as_any_other_answer(club: Club, game: str) -> None:
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

    def drawn(bench: Any, one: Any, format: str, options: Any) -> bytes:
        begun.set()
        sleep(0.2)  # long enough to see that nobody waits
        return slow(20_000, ended)(bench, one, format, options)

    monkeypatch.setattr("answers.review.import_export.export_bytes", drawn)
    if route.name == "export-chosen":  # of many games each is a step
        progress = Progress()
        monkeypatch.setattr("service.app.Progress", lambda: progress)
        monkeypatch.setattr("answers.review.bulk_export.export", slow_game(begun, progress))
        monkeypatch.setattr("answers.review.bulk_export.ZipFile", told_when_left(ended))
    path = API + route.path.format(game=game, format="md")
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
            await asyncio.to_thread(begun.wait, PATIENCE)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await club.client.app(scope, receive, send)

    awaited(asked())
    assert ended.wait(PATIENCE)
    assert not any(b"the file" in message.get("body", b"") for message in sent)


def slow_game(begun: Event, progress: Progress) -> Any:
    def made(*asked: Any) -> Any:
        begun.set()
        progress.is_unwanted.wait(PATIENCE)
        return File("game.md", b"")

    return made


def told_when_left(ended: Event) -> Any:
    class Left(ZipFile):
        def __exit__(self, kind: Any, *more: Any) -> None:
            super().__exit__(kind, *more)
            if kind is ClientGone:
                ended.set()

    return Left


def test_progress_is_told_until_nobody_wants_it() -> None:
    progress = Progress()
    progress(1, 3)
    assert progress.step == (1, 3)
    progress.is_unwanted.set()
    with pytest.raises(ClientGone):
        progress(2, 3)
