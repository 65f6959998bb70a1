"""What a service reads before anybody asks for it."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller, StoreContext, open_store_context
from answers.play.actions import log
from answers.play.lifecycle import finish, reopen
from referee.store import open_store
from referee.table import bench as benches
from referee.table import snapshotting
from referee.table.bench import Bench
from referee.table.notes import Annotation, annotate
from service.auth import AccessControl, Principal
from service.cache_warmup import CacheWarmup, being_played
from tests.answers.conftest import SETUP
from tests.opening import new_table
from tests.service.conftest import Club
from tests.waiting import ended


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite://{tmp_path}/games.db"


@pytest.fixture
def store_context(url: str) -> StoreContext:
    return open_store_context(url)


def opened(store_context: StoreContext) -> str:
    caller = Caller(store_context)
    found = new_table(caller, "benevolent", "A=blue B=red first A")
    log(caller, found, SETUP)
    return found


def never_folded(*_: Any) -> Any:
    raise AssertionError("a record is read")


def test_tables_that_are_being_played_come_in_the_order_they_were_written_to(
    store_context: StoreContext,
) -> None:
    caller = Caller(store_context)
    first, over, noted, again, last = (opened(store_context) for _ in range(5))
    for game in (over, noted, again):
        finish(caller, game, reason="tea", yes=True)
    annotate(store_context.bench, noted, 0, Annotation("well played"))
    reopen(caller, again, "one more turn")
    assert [*being_played(store_context.store)] == [again, last, first]


def test_whoever_comes_first_after_a_start_need_not_wait_for_the_record(
    url: str,
    store_context: StoreContext,
    make_club: Callable[..., Club],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = opened(store_context)
    store_context.store.close()
    club = make_club(open_store_context(url))
    CacheWarmup(club.store_context.bench, lambda: False).run()
    monkeypatch.setattr(benches, "fold", never_folded)
    said = {"lines": ["A step c2"]}
    assert club.post(f"/games/{game}/actions", "scribe", said).status_code == 200


def test_what_was_read_is_not_gone_through_for_what_nobody_needs(
    url: str, store_context: StoreContext
) -> None:
    opened(store_context)
    gc.unfreeze()
    CacheWarmup(Bench(open_store(url)), lambda: False).run()
    apart = gc.get_freeze_count()
    gc.unfreeze()
    assert apart > 0


def test_it_begins_with_the_service_that_is_told_to(
    url: str,
    store_context: StoreContext,
    make_club: Callable[..., Club],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened(store_context)
    begun: list[CacheWarmup] = []
    monkeypatch.setattr(CacheWarmup, "start", lambda self: begun.append(self))
    make_club(open_store_context(url))
    assert not begun
    make_club(open_store_context(url), warm=True)
    assert len(begun) == 1


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/api/metrics", "/statistics"])
def test_a_request_is_under_way_until_its_response_begins(
    path: str, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages as well as the API: the warm-up waits for all of them."""
    metrics, found = club.client.app.state.metrics, []  # type: ignore[attr-defined]
    authenticate = AccessControl.authenticate

    def noted(self: AccessControl, *asked: Any) -> Principal:
        found.append(metrics.under_way)
        return authenticate(self, *asked)

    monkeypatch.setattr(AccessControl, "authenticate", noted)
    headers = {"Authorization": f"Bearer {club.token('organiser')}"}
    assert club.client.get(path, headers=headers).status_code == 200
    assert (found, metrics.under_way) == ([1], 0)


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [("/nowhere", "testserver", 404), ("/", "elsewhere", 400), ("/api/ready", "testserver", 500)],
)
def test_a_request_that_fails_is_not_under_way_for_ever(
    path: str, host: str, status: int, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("no response at all")

    if status == 500:
        monkeypatch.setattr("service.app.JSONResponse", broken)
    assert club.client.get(path, headers={"Host": host}).status_code == status
    assert club.client.app.state.metrics.under_way == 0  # type: ignore[attr-defined]


def test_as_long_as_requests_are_under_way_no_more_than_a_step_is_read(
    url: str, store_context: StoreContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [opened(store_context) for _ in range(3)]
    monkeypatch.setattr(benches, "A_FEW", 1)
    bench = Bench(open_store(url))
    looks = 0

    def is_busy() -> bool:
        nonlocal looks
        looks += 1
        if looks == 5:
            cache_warmup.stop()
        return True

    cache_warmup = CacheWarmup(bench, is_busy)
    ended(cache_warmup.start())
    assert looks == 5
    assert [game for game in games if bench._cache.get(game)] == []


def test_only_so_much_is_read_as_makes_nothing_else_give_way(
    url: str, store_context: StoreContext
) -> None:
    games = [opened(store_context) for _ in range(4)]
    size = len(store_context.bench.game(games[0]).entries)
    bench = Bench(open_store(url), at_hand=4 * size)
    CacheWarmup(bench, lambda: False).run()
    assert not bench.has_room
    assert len(bench._cache) == 2


def test_a_record_that_cannot_be_read_keeps_no_other_waiting(
    url: str, store_context: StoreContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    readable, broken = opened(store_context), opened(store_context)
    bench, read = Bench(open_store(url)), Bench.taking_up

    def taking_up(self: Bench, game: str) -> Any:
        return never_folded() if game == broken else read(self, game)

    monkeypatch.setattr(Bench, "taking_up", taking_up)
    CacheWarmup(bench, lambda: False).run()
    assert bench._cache.get(readable) is not None


def test_a_game_taken_up_step_by_step_is_the_game_that_is_folded_at_once(
    url: str, store_context: StoreContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(store_context)
    monkeypatch.setattr(benches, "A_FEW", 2)
    bench = Bench(open_store(url))
    assert len([*bench.taking_up(game)]) > 2
    taken, folded = bench._cache.get(game), store_context.bench.game(game)
    assert taken is not None
    assert (taken.state, [*taken.entries]) == (folded.state, [*folded.entries])
    assert [*bench.taking_up(game)] == []


def test_a_long_record_is_taken_up_from_its_snapshot_in_one_step(
    url: str, store_context: StoreContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(store_context)
    monkeypatch.setattr(benches, "A_FEW", 2)
    for module in (benches, snapshotting):
        monkeypatch.setattr(module, "LONG", 4)
    assert len([*Bench(open_store(url), snapshots=True).taking_up(game)]) == 1
    monkeypatch.setattr(snapshotting, "fold", never_folded)
    bench = Bench(open_store(url), snapshots=True)
    assert len([*bench.taking_up(game)]) == 1
    taken = bench._cache.get(game)
    assert taken is not None
    assert taken.state == store_context.bench.game(game).state
