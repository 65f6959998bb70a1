"""Lists that are read page by page: everything once, however many there are, and no empty page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from referee.judging.rulings import Decision, issue
from referee.table.author import JUDGE
from referee.table.bench import Bench
from referee.table.openings import open_game
from tests.service.conftest import Club

PAGE = 3
MOST = 2 * PAGE + 1


class Listed(NamedTuple):
    """A list on a page: where, its rows, and one row more."""

    path: str
    rows: Callable[[Any], list[str]]
    one_more: Callable[[Bench], object]


def a_game(bench: Bench) -> None:
    open_game(bench, "benevolent", "table A=blue B=red first A")


def a_ruling(bench: Bench) -> None:
    games = bench.store.streams("game-") or (
        open_game(bench, "benevolent", "table A=blue B=red first A").game.id,
    )
    issue(bench, games[0], Decision("so be it", "stands", numbers=(0,)), author=JUDGE)


LISTS = {
    "home": Listed(
        "/home.json",
        lambda page: [row["game"] for row in page["tables"]],
        a_game,
    ),
    "archive": Listed(
        "/archive.json",
        lambda page: [row["game"] for row in page["games"]],
        a_game,
    ),
    "rulings": Listed(
        "/rulings.json",
        lambda page: [row["reference"] for row in page["rulings"]],
        a_ruling,
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_read_from_page_to_page_and_back(
    name: str, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = LISTS[name]
    for module in ("home", "archive"):
        monkeypatch.setattr(f"service.pages.{module}.A_PAGE", PAGE)
    bearer = {"Authorization": f"Bearer {club.token('organiser')}"}

    def page(start: int | None) -> Any:
        reply = club.client.get(listed.path, params={"start": start or 0}, headers=bearer)
        assert reply.status_code == 200
        return reply.json()

    for total in range(MOST + 1):
        if total:
            listed.one_more(club.store_context.bench)
        shown = [page(0)]
        while (start := shown[-1]["pages"]["next_start"]) is not None:
            shown.append(page(start))
        rows = [listed.rows(each) for each in shown]
        assert [len(each) for each in rows] == (
            [PAGE] * (total // PAGE) + [total % PAGE] * (total % PAGE > 0 or total == 0)
        )
        assert len({row for each in rows for row in each}) == total
        back = [shown[-1]]
        while (start := back[-1]["pages"]["previous_start"]) is not None:
            back.append(page(start))
        assert [listed.rows(each) for each in back] == rows[::-1]
