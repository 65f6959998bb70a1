"""Lists come out the same whoever works them out, and whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, zip_longest
from multiprocessing.context import ForkServerContext
from typing import Any

import pytest
from pydantic_core import from_json

from referee.archive import process_pool
from referee.archive.process_pool import map_store
from referee.archive.read_models import (
    MODELS,
    SCHEMAS,
    foretold,
    keeping_views,
    list_games,
    open_view,
    search_moves,
)
from referee.proof.commitments import Keep
from referee.store import Draft, Store, open_store
from referee.store.derived import projections
from referee.store.derived.projections import EntryRange, ProjectedBatch, view_path
from referee.store.envelopes import Stored, StoreError
from tests.proofs.forger import valid_record
from tests.store.projectors import die_while_making_lists
from tests.store.writers import SIGNED
from tests.waiting import ended

Told = tuple[str, Draft]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Told]:
    """Entries of several streams in turns: games of two kinds, an event, a book, newer programs."""
    keep = Keep(tmp_path_factory.mktemp("kept"))
    streams = [
        [(name, _again(row)) for row in bench.store.read(table)]
        for name, (bench, table) in {
            "game-pebbles": valid_record("pebbles", 6, keep),
            "game-forest": valid_record("benevolent", 30, keep),
        }.items()
    ]
    streams += [[(name, draft) for draft in drafts] for name, drafts in _others().items()]
    return [one for one in chain.from_iterable(zip_longest(*streams)) if one is not None]


def _again(row: Stored) -> Draft:
    body = from_json(row.body)
    return Draft(body["kind"], body["schema"], body["data"], body["key"])


def _others() -> dict[str, list[Draft]]:
    opening = {"number": 0, "verdict": {"outcome": "legal"}}
    again = [{**opening, "action": {"verb": "table", "first": seat}} for seat in "AB"]
    taken = {"number": 1, "action": {"verb": "take"}, "verdict": {"outcome": "legal"}}
    ruling = {"reference": "x/r1", "game": "pebbles", "date": "2025", "remedy": "none"}
    told: dict[str, list[tuple[str, int, dict[str, Any]]]] = {
        "game-reopened": [
            ("opened", 1, {"game": "pebbles"}),
            *(("corrected", 1, {"at": 0, "remove": [0], "insert": [one]}) for one in again),
            ("ruled", 1, {"id": "r1", "numbers": [0], "reason": "so"}),
            ("ruled", 1, {"id": "r2", "numbers": [0], "reason": "not so", "overturns": "r1"}),
        ],
        "game-elsewhere": [("opened", 1, {"game": "not_installed"}), ("logged", 1, taken)],
        "game-newer": [
            ("opened", 99, {"shape": "another"}),
            ("logged", 1, taken),
            ("ruled", 1, {"id": "r1", "numbers": [1], "reason": "who knows"}),
        ],
        "game-newly": [("opened", 1, {"game": "pebbles"}), ("logged", 99, {"shape": "another"})],
        "tournament-cup": [
            ("judge_called", 1, {"table": 1}),
            ("judge_called", 1, {"table": 2}),
            ("call_answered", 1, {"call": 0}),
        ],
        "book-club": [
            ("precedent", 1, {"source": "club", "ruling": {**ruling, "reason": reason}})
            for reason in ("first", "again")
        ],
    }
    return {
        stream: [Draft(*one, f"{stream}/{number}") for number, one in enumerate(entries)]
        for stream, entries in told.items()
    }


def fill(store: Store, told: Sequence[Told]) -> None:
    last: dict[str, int] = {}
    for stream, draft in told:
        store.append(stream, [draft], expected=last.get(stream, -1), **SIGNED)
        last[stream] = last.get(stream, -1) + 1


def rows(store: Store) -> list[str]:
    """Everything that the lists hold, to the last number of a row."""
    opened = open_view(store)
    try:
        return list(opened.db.conn.iterdump())
    finally:
        opened.close()


def forget(store: Store) -> None:
    path = view_path(store.url)
    assert path is not None
    projections.forget_lists(path)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few entries count as many."""
    monkeypatch.setattr(projections, "MANY", 1)
    monkeypatch.setattr(process_pool, "FEW", 2)
    monkeypatch.setattr(process_pool, "SHARE", 2)


@pytest.mark.parametrize("together", [1, 7, 1000])
def test_lists_that_are_foretold_are_those_that_are_made_entry_by_entry(
    store: Store, told: list[Told], together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "BATCH", together)
    monkeypatch.setattr(projections, "MANY", 1)
    fill(store, told)
    alone, foreseen = (projections.Projections(None, MODELS, SCHEMAS) for _ in range(2))
    steps: list[tuple[int, int]] = []
    assert alone.catch_up(store) == len(told)
    asked = partial(map_store, store, work=foretold)
    assert foreseen.catch_up(store, lambda *done: steps.append(done), asked) == len(told)
    assert list(foreseen.db.conn.iterdump()) == list(alone.db.conn.iterdump())
    assert steps[-1] == (len(told), len(told))
    assert {row["game"] for row in alone.rows("SELECT game FROM games")} == {
        "game-pebbles",
        "game-forest",
        "game-reopened",
        "game-elsewhere",
        "game-newly",
    }


@pytest.mark.usefixtures("shared")
def test_several_processes_make_the_same_lists(
    shared_url: str, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "BATCH", 7)
    store = open_store(shared_url)
    fill(store, told)
    games, alone = list_games(store), rows(store)
    forget(store)
    assert list_games(store, processes=2) == games
    assert rows(store) == alone
    assert search_moves(store, "take")
    store.close()


def test_who_is_overtaken_goes_on_from_there(
    file_store: Store, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "BATCH", 7)
    monkeypatch.setattr(projections, "MANY", 1)
    fill(file_store, told)
    alone = rows(file_store)
    forget(file_store)
    late = projections.Projections(view_path(file_store.url), MODELS, SCHEMAS)

    def overtaken(spans: Sequence[EntryRange]) -> Generator[ProjectedBatch, None, None]:
        yield foretold(file_store, spans[0])
        list_games(file_store)
        yield foretold(file_store, spans[1])
        raise AssertionError("it is of no use")

    assert late.catch_up(file_store, None, overtaken) == 7
    late.close()
    assert rows(file_store) == alone


def test_a_process_that_is_killed_while_lists_are_made_leaves_what_is_right(
    file_store: Store,
    told: list[Told],
    processes: ForkServerContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(projections, "BATCH", 7)
    fill(file_store, told)
    alone = rows(file_store)
    forget(file_store)
    process = processes.Process(target=die_while_making_lists, args=(file_store.url, 3))
    process.start()
    ended(process)
    assert process.exitcode == -9
    begun = projections.Projections(view_path(file_store.url), MODELS, SCHEMAS)
    (tracked,) = begun.rows("SELECT position FROM tracking")
    assert 0 < tracked["position"] < len(told)
    begun.close()
    assert list_games(file_store)
    assert rows(file_store) == alone


@pytest.mark.parametrize("meanwhile", ["nothing", "deleted", "damaged"])
def test_lists_that_are_kept_open_are_those_of_now(
    file_store: Store, told: list[Told], meanwhile: str
) -> None:
    """A service keeps them open; whatever becomes of the file, they are right again."""
    path = view_path(file_store.url)
    assert path is not None
    with keeping_views(file_store):
        fill(file_store, told[: len(told) // 2])
        assert list_games(file_store)
        if meanwhile == "deleted":
            path.unlink()
        elif meanwhile == "damaged":
            path.write_bytes(b"x" * path.stat().st_size)
        fill(file_store, told)
        kept = _until_mended(file_store)
    forget(file_store)
    assert kept == list_games(file_store)


def _until_mended(store: Store) -> list[dict[str, Any]]:
    """The first to ask after a damage may be told of it; the next finds it mended."""
    with suppress(StoreError):
        return list_games(store)
    return list_games(store)
