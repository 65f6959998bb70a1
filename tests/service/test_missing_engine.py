"""A game that is no longer installed: its tables are listed, and everything else goes on."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path

import pytest

from answers.context import Caller, open_store_context
from answers.review import collections
from engines.kernel import registry
from referee.judging.rulings import Decision, issue
from referee.table.author import JUDGE, By
from service.pages.rendering import PAGES
from tests.opening import new_table
from tests.service.conftest import Club


def without_pebbles(**chosen: str) -> EntryPoints:
    return EntryPoints(each for each in entry_points(**chosen) if each.name != "pebbles")


@pytest.fixture
def orphan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table with a ruling and a chapter, whose game has been taken away since."""
    store_context = open_store_context(f"sqlite://{tmp_path}/games.db")
    scribe = Caller(store_context)
    opened = new_table(scribe, "pebbles", "A B first A", players={"A": "Ana"})
    issue(store_context.bench, opened, Decision("so be it", "stands", numbers=(0,)), by=By(JUDGE))
    made = collections.new(scribe, "Ends").data.collection
    collections.put(scribe, made, game=opened)
    store_context.close()
    monkeypatch.setattr(registry, "entry_points", without_pebbles)
    monkeypatch.setattr(registry, "_loaded", registry._loaded.__wrapped__)
    return opened


def test_every_list_is_shown_all_the_same(orphan: str, make_club: Callable[..., Club]) -> None:
    club = make_club()
    bearer = {"Authorization": f"Bearer {club.token('organiser')}"}
    paths = sorted(page.path for page in PAGES.values() if "{" not in page.path)
    assert len(paths) > 10
    refused = {
        path: reply.status_code
        for path in paths
        if (reply := club.client.get(path, headers=bearer)).status_code != 200
    }
    assert refused == {}


def test_a_page_of_its_own_says_what_is_missing(
    orphan: str, make_club: Callable[..., Club]
) -> None:
    club = make_club()
    bearer = {"Authorization": f"Bearer {club.token('organiser')}"}
    of_a_game = [page.path for page in PAGES.values() if page.path.startswith("/games/{game}")]
    for path in (each for each in of_a_game if each.count("{") == 1):
        reply = club.client.get(path.format(game=orphan), headers=bearer)
        assert reply.status_code < 500, path
        assert reply.status_code in (200, 403) or "pebbles" in reply.text, path
