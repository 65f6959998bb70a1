"""What moves is told from the table before and after, in every game."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Holding, Holdings, State
from engines.kernel.messages.catalogue import Catalogue
from engines.kernel.messages.package_data import KERNEL_WORDS
from engines.kernel.rules.holdings import Moved, Moves, moves, seat_of
from referee.record.game import moves_between
from referee.record.positions import PositionFile, judge_from_position
from referee.table.openings import open_game
from referee.table.play import heard_by, log
from replays.gallery import sample, samples
from tests.record.conftest import make_bench

WORDS = Catalogue(
    {
        "thing.leaf": {"en_one": "{count} leaf", "en": "{count} leaves"},
        "holder.pile": {"en": "pile {place}"},
    },
    KERNEL_WORDS,
)
COUNTS = st.dictionaries(
    st.sampled_from(["A", "A.hand", "A.deck", "A.deck.top", "B", "B.hand", "pile"]),
    st.integers(0, 5),
)


class Table(State, frozen=True):
    held: dict[str, int | None]
    points: dict[str, int]


def between(before: dict[str, int | None], after: dict[str, int | None], **points: int) -> Moves:
    holdings = Holdings(
        lambda state, _: [Holding(who, "leaf", amount) for who, amount in state.held.items()],
        lambda state: state.points,
    )
    nothing = dict.fromkeys(points, 0)
    return moves(holdings, Table(before, nothing), Table(after, points), None)


def test_what_one_loses_and_another_gets_went_from_one_to_the_other() -> None:
    found = between({"A": 3, "pile.2": 1}, {"A": 1, "pile.2": 3})
    assert found.told(WORDS, "en") == ["A → pile 2: 2 leaves"]


def test_what_comes_from_nowhere_is_got_and_what_goes_there_is_lost() -> None:
    assert between({"A": 0}, {"A": 1}).told(WORDS, "en") == ["A gets 1 leaf"]
    assert between({"A": 2}, {"A": 0}).told(WORDS, "en") == ["A loses 2 leaves"]


def test_movements_are_told_stage_by_stage_and_not_as_a_net_sum() -> None:
    holdings = Holdings(
        lambda state, _: [Holding(who, "leaf", amount) for who, amount in state.held.items()]
    )
    before, meanwhile, after = (
        Table(held, {})
        for held in (
            {"pile.1": 1, "pile.2": 5},
            {"A": 1, "pile.2": 5},
            {"A": 1, "pile.1": 5},
        )
    )
    assert moves(holdings, before, after, None, [meanwhile]).told(WORDS, "en") == [
        "pile 1 → A: 1 leaf",
        "pile 2 → pile 1: 5 leaves",
    ]


def test_a_game_may_say_in_its_own_words_what_appears_and_what_vanishes() -> None:
    words = Catalogue(
        {
            "gained.tile": {"en": "{target}: {things} turned up"},
            "lost.tile": {"en": "{source}: {things} turned down"},
            "term.tile.cap": {"en": "the Cap"},
        },
        WORDS,
    )
    turned = Moves((Moved(None, "pile.2", "tile.cap", 1), Moved("pile.3", None, "tile.cap", 1)), ())
    assert turned.told(words, "en") == ["pile 2: the Cap turned up", "pile 3: the Cap turned down"]


def test_points_are_told_with_their_sign_and_the_total() -> None:
    told = between({}, {}, A=7, B=-1, C=0).told(WORDS, "fr")
    assert told == ["A +7 points (7)", "B −1 point (−1)"]


def test_what_a_view_conceals_is_not_told_of_its_holder() -> None:
    assert between({"A": 3, "B": None}, {"A": 1, "B": None}).told(WORDS, "en") == [
        "A loses 2 leaves"
    ]
    assert between({"A": 3, "B": None}, {"A": 1, "B": 5}).told(WORDS, "en") == ["A loses 2 leaves"]


@given(COUNTS, COUNTS)
def test_moves_lead_from_one_table_to_the_other(
    before: dict[str, int], after: dict[str, int]
) -> None:
    table, wanted = Counter[str](), Counter[str]()
    for held, there in ((before, table), (after, wanted)):
        for holder, amount in held.items():
            there[seat_of(holder) or holder] += amount
    for each in between({**before}, {**after}).moved:
        assert each.amount > 0
        giver, taker = (seat_of(end) or end or "" for end in (each.source, each.target))
        assert giver != taker
        table[giver] -= each.amount
        table[taker] += each.amount
    table.pop("", None)
    assert {who: n for who, n in table.items() if n} == +wanted


@pytest.mark.parametrize("game", samples())
def test_whatever_moves_in_a_sample_game_has_words_in_both_languages(game: str) -> None:
    record = sample(game)
    words = record.engine.words
    things, holders = set(), set()
    for step in list(record.steps)[1:]:
        moved = moves_between(record, record.before(step.number or 0), step).moved
        things |= {each.thing for each in moved}
        holders |= {who for each in moved for who in (each.source, each.target) if who}
    assert things
    unnamed = [
        thing
        for thing in things
        if not {f"thing.{thing}", f"thing.{thing.partition('.')[0]}", f"term.{thing}"}
        & known(words)
        and not thing[1:].isdigit()
    ]
    assert unnamed == []
    kinds = {
        who.rpartition(".")[2] if seat_of(who) else who.partition(".")[0]
        for who in holders - {*record.setting.seats}
    }
    assert [kind for kind in kinds if f"holder.{kind}" not in words] == []


def known(words: Catalogue) -> set[str]:
    return {*words, *KERNEL_WORDS}


POSITION = {
    "active": "A",
    "phase": "action",
    "arrival": "c3",
    "players": {
        "A": {"leaves": 5, "gifts": {"clover": 1}, "card": 3, "forest": ["c3"], "dream": 2},
        "B": {"leaves": 3, "gifts": {"clover": 2}, "card": 3, "forest": ["a2"], "dream": 1},
        "C": {"leaves": 3, "gifts": {"clover": 2}, "card": 3, "forest": ["a1"], "dream": 1},
    },
}


def test_a_robbery_names_who_lost_what() -> None:
    table, forest = "table A=blue B=red C=yellow first A", "forest S1A S2B"
    file = PositionFile(game="benevolent", table=table, setup=(forest,), position=POSITION)
    heard = judge_from_position(file, ["pick from C"])
    (moved,) = heard.moves
    assert Moved("C", "A", "clover", 1) in moved.moved
    assert "C → A: 1 clover" in moved.told(heard.engine.words, "en")
    assert "C → A : 1 trèfle" in moved.told(heard.engine.words, "fr")


def test_a_view_tells_nothing_of_leaves_that_are_concealed() -> None:
    bench = make_bench()
    opened = open_game(
        bench, "benevolent", "table A=blue B=red first A", readings={"open_holdings": "no"}
    )
    tiles = "swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    for line in ("forest S1A S2A", f"pyramid {tiles} / hoard convert_1", "A step c1"):
        log(bench, opened.game.id, line)
    heard = log(bench, opened.game.id, "A pick")
    seen = {
        view: {moved.thing for moved in heard_by(heard, view).moves.moved}
        for view in ("judge", "seat:A", "seat:B", "public")
    }
    assert "leaf" in seen["judge"] & seen["seat:A"]
    assert seen["seat:B"] == seen["public"] == {"feather"}
