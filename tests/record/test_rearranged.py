"""What is told to be moved after a correction makes of the table as it lay the one it is to be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from answers.changes import changed_game
from answers.context import Caller, StoreContext
from answers.verdicts import RearrangedAnswer, table_answer
from engines.kernel import Rearrangement, seat_of
from referee.record.game import Game, rearranged
from referee.record.line import NO_CHANGE
from referee.table.corrections import undo
from replays.gallery import samples
from tests.record.random_tables import GAMES, RandomTable, with_toy
from tests.record.test_put_back import Played

STEPS = 30
CHANGES = (
    "plays_on", "plays", "strays", "takes_back", "restores", "corrects", "corrects",
    "says_again", "keeps", "disputes", "rules", "appeals",
)  # fmt: skip


def benevolent(state: Any) -> Any:
    players = {
        seat: (
            one.leaves, one.gifts, one.card, sorted(one.forest), one.dream, sorted(one.secrets),
            one.hoard,
        )
        for seat, one in state.players.items()
    }  # fmt: skip
    used = Counter(face for face in state.box if face != "unknown")
    return (
        players,
        state.river,
        state.reserve,
        state.pyramid,
        used,
        state.forest and state.forest.laid,
    )


def bethel_woods(state: Any) -> Any:
    machines = {
        number: (Counter(one.workers), one.tokens, Counter(one.spies), one.up and one.tile)
        for number, one in state.machines.items()
    }
    hands = {seat: Counter(turn.hand) for seat, turn in state.begun.items() if turn.hand}
    people = {seat: (one.character, one.knowledge) for seat, one in state.players.items()}
    column = Counter(state.column.unseen) + Counter(state.column.returned)
    orders = (state.column.on_top, state.discard_pile, state.column.returned)
    sections = {number: Counter(workers) for number, workers in state.sections.items()}
    turned = Counter(state.turn.hand), hands, people, column, orders, sections
    return machines, turned, state.supply.tokens, state.supply.count


def bloody_grove(state: Any) -> Any:
    players = {
        seat: (one.columns, one.pile, one.turned, one.hidden.hand, one.hidden.deck)
        for seat, one in state.players.items()
    }
    shown = {animal: deck.shown for animal, deck in state.elites.items()}
    groves = [(grove.animal, grove.control) for grove in state.groves]
    loose = state.open.beside, Counter(state.box), Counter(state.venerables.shown)
    return players, shown, groves, loose, Counter(state.tokens.reserve)


def broom_service(state: Any) -> Any:
    players = {
        seat: (
            one.vp, one.resources, one.pawns, one.hand.held,
            Counter(card.role for card in one.hand.laid), one.hoard.bolts,
            Counter(one.hoard.amulets), Counter(held.tile for held in one.hoard.tiles),
        )
        for seat, one in state.players.items()
    }  # fmt: skip
    board, now = state.board, state.round
    return players, board.clouds, board.occupied, board.tiles, now.event, Counter(now.cursed)


def roundforest(state: Any) -> Any:
    players = {
        seat: (
            one.pos, Counter(one.pack), one.copper, one.silver, one.apples, one.compasses,
            Counter(one.debts),
        )
        for seat, one in state.players.items()
    }  # fmt: skip
    tiles = {cell: (tile.symbols, tile.facing) for cell, tile in state.forest.tiles.items()}
    fairy = {row: Counter(things) for row, things in state.fairy.items()}
    bags = state.bags.black, state.bags.aside, state.bags.blue, Counter(state.bags.beside)
    cards = Counter(state.cards.deck), Counter(state.cards.face_up), Counter(state.cards.waiting)
    held = {(draw.seat, thing): 1 for draw in state.drawn for thing in draw.objects}
    return players, tiles, state.forest.contents, state.forest.gaps, fairy, bags, cards, held


LIES: dict[str, Callable[[Any], Any]] = {
    "benevolent": benevolent,
    "bethel_woods": bethel_woods,
    "bloody_grove": bloody_grove,
    "broom_service": broom_service,
    "pebbles": lambda state: (state.heap, state.taken),
    "roundforest": roundforest,
}
"""What of a state can be seen to lie on a table, written down apart from what the games tell."""


def lying(game: Game) -> tuple[Counter[tuple[str, str]], dict[Any, int], dict[str, list[str]]]:
    """Things by place, counts and piles, as a game declares them."""
    holdings, state, setting = game.engine.holdings, game.state, game.setting
    things: Counter[tuple[str, str]] = Counter()
    for holder, thing, amount in (holdings.lying or holdings.held)(state, setting):
        things[holder, thing] += amount or 0
    counts: dict[Any, int] = {
        (holder, "points"): count for holder, count in holdings.points(state).items()
    }
    counts |= {(holder, "cards"): count for holder, count in holdings.sizes(state).items()}
    piles = {place: [*pile] for place, pile in holdings.piles(state, setting).items()}
    return +things, counts, piles


def carried_out(game: Game, told: RearrangedAnswer) -> Any:
    """The table after hands have done what they are told, and nothing else."""
    things, counts, piles = lying(game)
    for each in told.moved:
        if each.source is not None:
            assert things[each.source, each.thing] >= each.amount
            things[each.source, each.thing] -= each.amount
            for _ in range(min(each.amount, piles.get(each.source, []).count(each.thing))):
                piles[each.source].remove(each.thing)
        if each.target is not None:
            things[each.target, each.thing] += each.amount
            if each.target in piles:
                piles[each.target] += [each.thing] * each.amount
    for count in told.counted:
        assert counts[count.holder, count.what] == count.was
        counts[count.holder, count.what] = count.now
    piles |= {pile.place: pile.things for pile in told.arranged}
    return +things, counts, piles


def only_known_otherwise(
    things: Counter[tuple[str, str]], wanted: Counter[tuple[str, str]]
) -> set[tuple[str, str]]:
    """What no hand moved: it is only known better or worse where it lies, at the same seat."""
    left = {key: wanted[key] - things[key] for key in things | wanted if wanted[key] != things[key]}
    for place, thing in left:
        assert seat_of(place), left
        assert any(
            other == thing and left[where, other] * left[place, thing] < 0
            for where, other in left
            if f"{where}.".startswith(f"{place}.") or f"{place}.".startswith(f"{where}.")
        ), left
    for whole in {(seat_of(place), thing) for place, thing in left}:
        assert not sum(n for (place, thing), n in left.items() if (seat_of(place), thing) == whole)
    return {*left}


def without(learnt: set[tuple[str, str]], piles: dict[str, list[str]]) -> dict[str, list[str]]:
    laid = {at: [each for each in pile if (at, each) not in learnt] for at, pile in piles.items()}
    return {place: pile for place, pile in laid.items() if pile}


def openly(block: Rearrangement) -> Rearrangement:
    """A block without what a seat moves among its own hidden cards."""
    moved = (
        each
        for each in block.moved
        if (giver := seat_of(each.source)) is None or giver != seat_of(each.target)
    )
    arranged = (pile for pile in block.arranged if not seat_of(pile.place))
    return block._replace(moved=tuple(moved), arranged=tuple(arranged))


@pytest.mark.parametrize("name", samples())
def test_what_leaves_the_table_or_comes_to_it_is_told_in_words_of_its_own(name: str) -> None:
    """From the middle of a game to its first line and back: nobody just loses or gets a thing."""
    played = Played(name)
    later = played.game
    undo(played.bench, played.id, len(later.numbers()) - 2)
    for there, then in ((later, played.game), (played.game, later)):
        for each in rearranged(there, then).moved:
            kind, way = each.thing.partition(".")[0], "gained" if each.target else "lost"
            place = (each.target or "").partition(".")[0]
            both_ends = each.source is not None and each.target is not None
            own = (f"{way}.{kind}", f"{way}.{kind}.{place}")
            assert both_ends or any(key in later.engine.words for key in own), each


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_to_be_moved_makes_one_table_of_the_other(name: str, seed: int) -> None:
    """While actions are pending nobody moves anything: then the table lies as it lay before."""
    rng = random.Random(f"rearranged {name} {seed}")
    with with_toy():
        table = RandomTable(name, 30)
        caller = Caller(StoreContext(table.bench.store, table.bench))
        lies = table.game
        for _ in range(STEPS):
            last = table.game
            table.tell((rng.choice(CHANGES), rng.randrange(99), rng.randrange(99)))
            before, after = last, table.game
            if after.waiting:
                assert not changed_game(caller, last, after, NO_CHANGE).table
                block = rearranged(before, after)
            else:
                before, lies = lies, after
                block = changed_game(caller, last, after, NO_CHANGE).table
            told = table_answer(block, block.told(after.engine.words, "en"))
            things, counts, piles = carried_out(before, told)
            wanted = lying(after)
            learnt = only_known_otherwise(things, wanted[0])
            assert counts == wanted[1]
            assert without(learnt, piles) == without(learnt, wanted[2])
            if name in LIES:
                same = LIES[name](before.state) == LIES[name](after.state)
                assert same is not bool(openly(block)), block
            assert len(told.told) >= bool(block)
