"""A player's page: games, results, partners and opponents; found in any spelling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.known_games import is_called
from answers.play.info import games, result_told
from answers.review.players import player
from engines.kernel import Seat
from referee.archive.intake import keep_apart
from referee.errors import Misused, NotFound
from referee.record.entries import Closed
from referee.table.author import JUDGE, SCRIBE, By
from referee.table.lifecycle import reopen
from referee.table.openings import open_game
from referee.table.play import Heard
from tests.exports.tables import quiet_bench
from tests.record.random_tables import tried
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
TABLES = {
    "benevolent": "table A=blue B=red C=yellow first A",
    "broom_service": "table A=red B=blue C=green first A side front",
}


ALL_SIT = {"A": "ann", "B": "ben", "C": "cat"}
ENDINGS = (
    Closed(won=True),
    Closed(won=False),
    Closed(reason="late"),
    Closed(places=(("A", "B"), ("C",))),
    Closed(places=(("A",), ("B",))),
)


@dataclass(frozen=True)
class Played:
    """Who sat where, how the table said that it ended, and what became of the record."""

    engine: str
    sitting: dict[Seat, str]
    since: str
    ended: Closed

    @property
    def listed(self) -> bool:
        return self.since not in ("kept apart", "removed")

    @property
    def decided(self) -> bool:
        has_result = self.ended.won is not None or len(self.ended.places) > 0
        return has_result and self.since == "closed"

    def told(self, voice: Voice) -> str:
        if not self.decided:
            return ""
        if self.ended.won is not None:
            return voice.say("games.won_together" if self.ended.won else "games.lost_together")
        return voice.say(
            "games.won_by", names=[self.sitting.get(seat, seat) for seat in self.ended.places[0]]
        )

    def reached(self, person: str) -> int:
        """How many groups came before anybody of theirs; whom nobody places comes last."""
        if self.ended.won is not None:
            return 0 if self.ended.won else 1
        groups = [{self.sitting.get(seat) for seat in group} for group in self.ended.places]
        return next((at for at, group in enumerate(groups) if person in group), len(groups))


@st.composite
def played(draw: st.DrawFn) -> Played:
    """Places with ties, some of them or none; won or lost together; or nothing of it."""
    placed = draw(st.lists(st.sampled_from("ABC"), unique=True))
    cut = draw(st.integers(0, len(placed)))
    places = tuple(tuple(group) for group in (placed[:cut], placed[cut:]) if group)
    won = draw(st.sampled_from((None, None, True, False)))
    since = ("closed", "closed", "closed", "open", "reopened", "kept apart", "removed")
    return Played(
        engine=draw(st.sampled_from(sorted(TABLES))),
        sitting=draw(st.dictionaries(st.sampled_from("ABC"), st.sampled_from(PEOPLE))),
        since=draw(st.sampled_from(since)),
        ended=Closed(places=places, won=won),
    )


def held(games: Sequence[Played]) -> tuple[Caller, dict[str, Played], frozenset[str]]:
    """A store with these games, by id, and those of them that are removed."""
    bench = quiet_bench()
    store_context = StoreContext(bench.store, bench)
    people = {name: store_context.people.add(name) for name in PEOPLE}
    ids: dict[str, Played] = {}
    for each in games:
        seats = {seat: people[name] for seat, name in each.sitting.items()}
        heard = open_game(bench, each.engine, TABLES[each.engine], seats=seats)
        assert isinstance(heard, Heard)
        game = heard.game
        ids[game.id] = each
        if each.since != "open":
            bench.tell(game, [each.ended], By(SCRIBE))
        if each.since == "reopened":
            reopen(bench, game.id, reason="so", by=By(SCRIBE))
        if each.since == "kept apart":
            keep_apart(bench.store, game.id, author=JUDGE)
    removed = frozenset(id for id, each in ids.items() if each.since == "removed")
    return Caller(store_context, JUDGE), ids, removed


@tried(12)
@given(st.lists(played(), max_size=6))
@example([Played("benevolent", ALL_SIT, "closed", each) for each in ENDINGS])
def test_each_game_with_a_result_counts_once_for_each_who_sat_there(rows: list[Played]) -> None:
    """However it ended, however many seats they had, whatever became of the record."""
    caller, ids, removed = held(rows)
    with mock.patch("referee.archive.read_models.gone_games", return_value=removed):
        told = {who: player(caller, who).data for who in PEOPLE}
    for who, answer in told.items():
        mine = {id: one for id, one in ids.items() if one.listed and who in one.sitting.values()}
        assert {row.game for row in answer.games} == mine.keys()
        for row in answer.games:
            assert result_told(caller.voice, row) == mine[row.game].told(caller.voice)
        decided = [one for one in mine.values() if one.decided]
        assert [(one.engine, one.games, one.won) for one in answer.played] == [
            (engine, len(of_it), sum(one.reached(who) == 0 for one in of_it))
            for engine in sorted(TABLES)
            if (of_it := [one for one in decided if one.engine == engine])
        ]
        expected = []
        for other in sorted({*PEOPLE} - {who}):
            both = [one for one in decided if other in one.sitting.values()]
            apart = [one for one in both if one.ended.won is None]
            ahead = [one for one in apart if one.reached(who) < one.reached(other)]
            if both:
                expected.append((other, len(both) - len(apart), len(apart), len(ahead)))
        expected.sort(key=lambda row: -(row[1] + row[2]))
        met = [(one.name, one.together, one.against, one.ahead) for one in answer.met]
        assert met == expected


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
