"""Games are found by what is true of them, at every door alike, and downloaded together."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from answers.context import Caller, StoreContext
from answers.game_filter import GameFilter
from answers.play.info import games
from answers.review.bulk_export import export_chosen
from referee.archive.read_models import is_clause
from referee.errors import Misused, NotAllowed, NotFound
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, fix_reading, issue
from referee.table.author import JUDGE, Author, By
from tests.exports.tables import quiet_bench, recorded
from tests.review.test_statistics import finished


@pytest.fixture(scope="module")
def caller() -> Caller:
    """Three games that ended, one with a ruling, one with an open dispute."""
    bench = quiet_bench()
    store_context = StoreContext(bench.store, bench)
    zoe, bo = map(store_context.people.add, ("Zoé Martin", "Bo"))
    finished(bench, "broom_service", {"A": zoe, "B": bo})
    finished(bench, "benevolent", {"A": zoe, "B": bo})
    finished(bench, "bethel_woods", {"A": zoe, "B": bo})
    ruled = recorded(bench, "benevolent", limit=9)
    dispute(bench, ruled.id, 5, clause="BEN-MOVE-2", seat="A", text="no")
    issue(bench, ruled.id, Decision("so", dispute="d1", clauses=("BEN-MOVE-3",)), by=By(JUDGE))
    fix_reading(bench, ruled.id, "grey_count", "flat", by=By(JUDGE))
    still = recorded(bench, "pebbles", limit=3)
    dispute(bench, still.id, 1, seat="A", text="hm")
    return Caller(store_context, JUDGE)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"players": 2, "closed": True}, 3),
        ({"players": 7}, 0),
        ({"result": "decided"}, 2),
        ({"result": "table_won"}, 1),
        ({"result": "tied"}, 0),
        ({"result": "none"}, 2),
        ({"won_by": "zoe"}, 2),
        ({"won_by": "bo"}, 2),
        ({"won_by": "bo", "result": "decided"}, 1),
        ({"dispute": "any"}, 2),
        ({"dispute": "open"}, 1),
        ({"dispute": "none"}, 3),
        ({"clause": "BEN-MOVE-2", "dispute": "any"}, 1),
        ({"clause": "ben-move-3", "dispute": "any"}, 1),
        ({"clause": "BEN-MOVE", "dispute": "any"}, 1),
        ({"clause": "BEN-MO"}, 0),
        ({"reading": "grey_count=flat"}, 1),
        ({"box": "benevolent-default"}, 2),
        ({"box": "nonsense"}, 0),
        ({"since": "2027"}, 0),
        ({"until": "2026-01"}, 5),
        ({"engine": "benevolent", "closed": False}, 1),
        ({"search": "martin broom"}, 1),
    ],
)
def test_each_filter_finds_the_games_of_which_it_is_true(
    caller: Caller, asked: dict[str, Any], found: int
) -> None:
    told = games(caller, **asked).data
    assert told.total == len(told.games) == found


def test_filters_of_what_may_be_secret_need_who_sees_everything(caller: Caller) -> None:
    seat = Caller(caller.store_context, Author("pa", "seat:A"))
    with pytest.raises(NotAllowed, match="needs_judge_view"):
        games(seat, clause="BEN-MOVE-2")
    assert games(seat, dispute="any").data.total == 2
    with pytest.raises(Misused, match="reading_form"):
        games(caller, reading="flat")


def test_a_section_is_no_beginning_of_a_word() -> None:
    assert is_clause("BEN-MOVE-2", "BEN-MOVE-2")
    assert is_clause("BEN-MOVE-2", "ben-move-")
    assert is_clause("BEN-MOVE-2", "BEN")
    assert not is_clause("BEN-MOVE-21", "BEN-MOVE-2")
    assert not is_clause("BEN-MOVE-2", "BEN-MO")


def test_what_is_found_is_downloaded_together_with_names_if_wished(caller: Caller) -> None:
    chosen = GameFilter(closed=True, engine="benevolent")
    for names in (False, True):
        file = export_chosen(caller, "md", chosen, names=names)
        with ZipFile(BytesIO(file.content)) as archive:
            (name,) = archive.namelist()
            assert ("Zoé Martin" in archive.read(name).decode()) == names
    assert (
        export_chosen(caller, "md", chosen).content == export_chosen(caller, "md", chosen).content
    )
    every = export_chosen(caller, "bgstats", GameFilter())
    with ZipFile(BytesIO(every.content)) as archive:
        assert len(archive.namelist()) == 3  # those that have a result
    with pytest.raises(NotFound, match="no_games_chosen"):
        export_chosen(caller, "md", GameFilter(engine="roundforest"))
    with pytest.raises(Misused, match="one_game_formats"):
        export_chosen(caller, "sqlite", GameFilter())
    with pytest.raises(NotFound, match="no_such_format"):
        export_chosen(caller, "nonsense", GameFilter())
