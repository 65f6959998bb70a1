"""One key, one request, whatever the command; and the version that is answered is its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from answers.context import open_store_context
from referee.store.sidecars.access import TOKEN_SECRET, Access
from tests.service.conftest import Club

REQUESTS: dict[str, tuple[str, Any]] = {
    "log": ("actions", {"lines": ["A step c2"]}),
    "log more": ("actions", {"lines": ["A step c2", "A swap feather"]}),
    "log other": ("actions", {"lines": ["A step b1"]}),
    "undo": ("undo", {}),
    "note": ("notes", {"on": "1", "text": "hm"}),
    "dispute": ("disputes", {"number": 1, "text": "hm"}),
    "hold": ("hold", {}),
}
PAIRS = [*permutations(REQUESTS, 2)]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_key_stands_for_one_request_whatever_the_command(
    first: str, second: str, club: Club, game: str
) -> None:
    headers = {"Idempotency-Key": "k1"}

    def ask(name: str) -> Any:
        path, said = REQUESTS[name]
        return club.post(f"/games/{game}/{path}", "scribe", said, headers=headers)

    done = ask(first)
    assert done.status_code == 200, done.text
    entries = club.store_context.bench.game(game).version
    reply = ask(second)
    assert (reply.status_code, reply.json()["code"]) == (409, "key_reused"), reply.text
    assert ask(first).json()["version"] == done.json()["version"]
    assert club.store_context.bench.game(game).version == entries


def test_a_token_that_is_asked_for_again_is_the_same(club: Club, game: str) -> None:
    """Whoever heard no answer asks again, and no second token is good without anybody's knowing."""

    def ask(key: str | None, by: str = "organiser", **said: Any) -> Any:
        headers = {} if key is None else {"Idempotency-Key": key}
        told = {"role": "spectator", "scope": game, "name": "Zoé", **said}
        return club.post("/access/tokens", by, told, headers=headers)

    first = ask("k1").json()["data"]
    again = ask("k1").json()["data"]
    assert again == first
    passes = club.store_context.access.passes()
    assert [each.id for each in passes].count(first["id"]) == 1
    others = [ask("k2"), ask(None), ask(None), ask("k1", by="judge")]
    assert len({first["token"], *(reply.json()["data"]["token"] for reply in others)}) == 5
    reply = ask("k1", role="judge")
    assert (reply.status_code, reply.json()["code"]) == (409, "key_of_token")
    assert club.store_context.access.revoke(first["id"])
    assert ask("k1").status_code == 409
    with closing(Access(None)) as copied:
        club.store_context.access.copy_to(copied)
        assert copied.salt() == club.store_context.access.salt()
        assert copied._secret(TOKEN_SECRET) != club.store_context.access._secret(TOKEN_SECRET)


@pytest.mark.parametrize("name", ["log more", "undo", "note", "dispute", "hold"])
def test_the_version_that_is_answered_is_the_requests_own(
    name: str, club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others who write meanwhile do not count."""
    path, said = REQUESTS[name]
    headers = {"Idempotency-Key": "k1"}
    reached = type(club.client.app.state.service)._reached  # type: ignore[attr-defined]

    def slowly(*args: Any) -> Any:
        club.store_context.bench.game(game)
        monkeypatch.undo()
        noted = club.post(f"/games/{game}/notes", "judge", {"on": "1", "text": "meanwhile"})
        assert noted.status_code == 200
        return reached(*args)

    monkeypatch.setattr("service.dispatch.Dispatcher._reached", slowly)
    reply = club.post(f"/games/{game}/{path}", "scribe", said, headers=headers)
    assert reply.status_code == 200, reply.text
    latest = club.store_context.bench.game(game).version
    assert reply.json()["version"] == latest - 1
    again = club.post(f"/games/{game}/{path}", "scribe", said, headers=headers)
    assert again.json()["version"] == latest - 1


def test_a_head_does_not_let_anybody_try_out_what_an_entry_says(
    make_club: Callable[..., Club], tmp_path: Path
) -> None:
    """An entry has something in it that only the service knows, however it is asked."""
    first = make_club(open_store_context(f"sqlite://{tmp_path}/games.db"))
    said = {"game": "pebbles", "table": "A B first A"}
    headers = {"Idempotency-Key": "tablet-1"}
    game = first.post("/games", "scribe", said, headers=headers).json()["data"]["game"]
    path, said = f"/games/{game}/actions", {"lines": ["take 1"]}
    headers = {"Idempotency-Key": "tablet-17"}
    assert first.post(path, "scribe", said, headers=headers).json()["version"] == 1
    for entry in first.store_context.bench.game(game).entries:
        rest = entry.key.removeprefix("tablet-17-").removeprefix("tablet-1-").removesuffix("-1-0")
        assert re.fullmatch("[0-9a-f]{24}", rest), entry.key
        for role in ("seat:B", "spectator", "scribe", "judge"):
            for asked in ("entries", "head", "moves", "verification", ""):
                assert rest not in first.get(f"/games/{game}/{asked}".rstrip("/"), role).text
    reused = first.post(f"/games/{game}/undo", "scribe", headers=headers)
    assert (reused.status_code, reused.json()["facts"]["key"]) == (409, "tablet-17")
    assert rest not in reused.text
    again = make_club(open_store_context(f"sqlite://{tmp_path}/games.db"))
    assert again.post(path, "scribe", said, headers=headers).json()["version"] == 1
    assert again.store_context.bench.game(game).version == 1


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_reads_its_record_once_however_much_it_writes(
    name: str, club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = club.store_context.store._recorder
    select, asked = recorder.select_events, []

    def counted(stream: str, **which: Any) -> Any:
        asked.append(stream)
        return select(stream, **which)

    monkeypatch.setattr(recorder, "select_events", counted)
    path, said = REQUESTS[name]
    assert club.post(f"/games/{game}/{path}", "organiser", said).status_code == 200
    assert asked == [game]
