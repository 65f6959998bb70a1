"""Lists that are read page by page: everything once, however many there are, and no empty page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from referee.judging.rulings import Decision, issue
from referee.table.author import JUDGE, By
from referee.table.bench import Bench
from referee.table.openings import open_game
from tests.service.conftest import Club

PAGE = 3
MOST = 2 * PAGE + 1


class Listed(NamedTuple):
    """A list on a page: where, its rows, and one row more."""

    path: str
    row: str
    """What stands once in every row, with what it is about."""
    one_more: Callable[[Bench], object]


def a_game(bench: Bench) -> None:
    open_game(bench, "benevolent", "table A=blue B=red first A")


def a_ruling(bench: Bench) -> None:
    games = bench.store.streams("game-") or (
        open_game(bench, "benevolent", "table A=blue B=red first A").game.id,
    )
    issue(bench, games[0], Decision("so be it", "stands", numbers=(0,)), by=By(JUDGE))


LISTS = {
    "play": Listed(
        "/play",
        r'href="/games/([^/"]+)"',
        a_game,
    ),
    "archive": Listed(
        "/archive",
        r'href="/games/([^/"]+)/study"',
        a_game,
    ),
    "rulings": Listed(
        "/rulings",
        r'href="/games/([^/"]+/rulings/[^/"]+)"',
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

    def page(start: str) -> str:
        reply = club.client.get(listed.path, params={"start": start}, headers=bearer)
        assert reply.status_code == 200
        return reply.text

    def leads(shown: str, way: str) -> str | None:
        """Where the page begins that the button leads to."""
        found = re.search(rf'rel="{way}" href="[^"]*\bstart=(\d+)', shown)
        return found[1] if found is not None else None

    for total in range(MOST + 1):
        if total:
            listed.one_more(club.store_context.bench)
        shown = [page("0")]
        while (start := leads(shown[-1], "next")) is not None:
            shown.append(page(start))
        rows = [re.findall(listed.row, each) for each in shown]
        assert [len(each) for each in rows] == (
            [PAGE] * (total // PAGE) + [total % PAGE] * (total % PAGE > 0 or total == 0)
        )
        assert len({row for each in rows for row in each}) == total
        back = [shown[-1]]
        while (start := leads(back[-1], "prev")) is not None:
            back.append(page(start))
        assert [re.findall(listed.row, each) for each in back] == rows[::-1]
