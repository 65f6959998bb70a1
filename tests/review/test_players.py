"""A player's page: games, results, partners and opponents; found in any spelling."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.context import Caller, StoreContext
from answers.known_games import is_called
from answers.play.info import games
from answers.review.players import _met, _played, player
from referee.errors import Misused, NotFound
from referee.table.author import JUDGE
from tests.exports.tables import quiet_bench
from tests.review.test_statistics import finished


@pytest.fixture(scope="module")
def caller() -> Caller:
    bench = quiet_bench()
    store_context = StoreContext(bench.store, bench)
    zoe, bo, lef = map(store_context.people.add, ("Zoé Martin", "Bo", "François Lefèvre"))
    store_context.people.add("Boris")
    finished(bench, "broom_service", {"A": zoe, "B": bo})
    finished(bench, "benevolent", {"A": zoe, "B": lef})
    finished(bench, "bethel_woods", {"A": zoe, "B": bo})
    return Caller(store_context, JUDGE)


def test_a_player_has_results_partners_and_opponents(caller: Caller) -> None:
    told = player(caller, "Zoé Martin").data
    assert {one.engine: (one.games, one.won) for one in told.played}["benevolent"] == (1, 1)
    assert {one.engine: (one.games, one.won) for one in told.played}["broom_service"] == (1, 0)
    met = {one.name: (one.together, one.against, one.ahead) for one in told.met}
    assert met == {"Bo": (1, 1, 0), "François Lefèvre": (0, 1, 1)}
    assert len(told.games) == 3
    assert list(player(caller, "Boris").data.games) == []


@pytest.mark.parametrize(("name", "winner"), [("broom_service", "B"), ("benevolent", "A")])
@pytest.mark.parametrize("sitting", [("ann", "ann"), ("ann", "ben"), ("ben", "ann")])
def test_who_plays_several_seats_has_won_with_any_of_them(
    name: str, winner: str, sitting: tuple[str, str]
) -> None:
    bench = quiet_bench()
    store_context = StoreContext(bench.store, bench)
    people = {each: store_context.people.add(each) for each in sorted({*sitting})}
    seats = dict(zip("AB", sitting, strict=True))
    finished(bench, name, {seat: people[each] for seat, each in seats.items()})
    for each in people:
        told = player(Caller(store_context, JUDGE), each).data
        won = seats[winner] == each
        assert [(one.games, one.won) for one in told.played] == [(1, won)]
        assert [(one.against, one.ahead) for one in told.met] == [(1, won)] * (len(people) - 1)


PEOPLE = ("ann", "ben", "cat")
SITTING = st.dictionaries(st.sampled_from("ABCD"), st.sampled_from(PEOPLE), min_size=1)


@st.composite
def ended(draw: st.DrawFn) -> dict[str, Any]:
    """A row of the archive: who sat where, and how it ended; whom nobody places comes last."""
    sitting = draw(SITTING)
    won = draw(st.sampled_from((True, False, None)))
    placed = draw(st.lists(st.sampled_from(sorted(sitting)), unique=True, min_size=1))
    cut = draw(st.integers(0, len(placed)))
    places = [group for group in (placed[:cut], placed[cut:]) if group]
    engine = draw(st.sampled_from(("one", "two")))
    return {"engine": engine, "people": sitting, "result": {"won": won, "places": places}}


@given(st.lists(ended(), max_size=5))
def test_each_game_counts_once_for_each_who_sat_there_however_many_seats_they_had(
    rows: list[dict[str, Any]],
) -> None:
    def reached(row: dict[str, Any], person: str) -> int:
        won, places = row["result"]["won"], row["result"]["places"]
        if won is not None:
            return 0 if won else 1
        groups = [{row["people"][seat] for seat in group} for group in places]
        return next((at for at, group in enumerate(groups) if person in group), len(groups))

    caller = cast("Caller", SimpleNamespace(name=str.upper))
    for who in PEOPLE:
        mine = [row for row in rows if who in row["people"].values()]
        assert [(one.engine, one.games, one.won) for one in _played(who, mine)] == [
            (engine, len(games), sum(reached(row, who) == 0 for row in games))
            for engine in ("one", "two")
            if (games := [row for row in mine if row["engine"] == engine])
        ]
        expected = []
        for other in sorted({*PEOPLE} - {who}):
            both = [row for row in mine if other in row["people"].values()]
            apart = [row for row in both if row["result"]["won"] is None]
            ahead = [row for row in apart if reached(row, who) < reached(row, other)]
            if both:
                expected.append((other.upper(), len(both) - len(apart), len(apart), len(ahead)))
        expected.sort(key=lambda row: -(row[1] + row[2]))
        found = [
            (one.name, one.together, one.against, one.ahead) for one in _met(caller, who, mine)
        ]
        assert found == expected


@pytest.mark.parametrize(
    "typed", ["zoe", "ZOÉ", "zoé martin", "martin", "Mart", "martin zoe", "  zoe  "]
)
def test_somebody_is_found_in_any_spelling(caller: Caller, typed: str) -> None:
    assert games(caller, player=typed).data.total == 3
    assert player(caller, typed).data.name == "Zoé Martin"


@pytest.mark.parametrize("typed", ["artin", "zoo", "zoe lefevre", "anne"])
def test_a_name_is_not_found_where_somebody_else_is_meant(caller: Caller, typed: str) -> None:
    assert games(caller, player=typed).data.total == 0
    with pytest.raises(NotFound):
        player(caller, typed)


def test_a_spelling_that_means_several_is_asked_about(caller: Caller) -> None:
    with pytest.raises(Misused, match="several_people"):
        player(caller, "b")
    assert player(caller, "Bo").data.name == "Bo"


def test_every_name_is_found_by_itself_and_by_its_beginning() -> None:
    for name in ("Zoé", "Ana", "O’Neill", "Łukasz", "Nguyễn Văn A", "Straße", "李小龙"):
        assert is_called(name, [name])
        assert is_called(name[:2], [name])
        assert is_called(name.upper(), [name])


def test_the_list_says_who_won_and_takes_dates(caller: Caller) -> None:
    told = "\n".join(games(caller).lines(caller.voice))
    assert "won by Bo 77" in told
    assert "won by Zoé Martin" in told
    assert "by the table" in told
    assert games(caller, since="2027").data.total == 0
    assert games(caller, until="2025").data.total == 0
    assert games(caller, since="2026-01-01", until="2026").data.total == 3
