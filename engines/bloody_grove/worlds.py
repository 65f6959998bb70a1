"""What the hidden cards of one player can be.

An *arrangement* is a hand and a deck, top to bottom. A ``World`` is a whole family of
arrangements: rows of cards, and for every row how many of its cards lie in the hand and in
each block of the deck; which ones, and in which order within a block, nobody can know.
A hand put under the deck is one block, however large, and is only told apart where a draw
ends inside it. So a few worlds stand for thousands of arrangements, exactly.

Unseen base Spirits are interchangeable to a referee: each of them is the card ``ANY``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

ANY = "any"
HAND = 0
"""Columns of a world: the hand, then the blocks of the deck from the top."""
BOTTOM = -1


class Row(NamedTuple):
    cards: tuple[str, ...]
    """Sorted."""
    spread: tuple[int, ...]
    """How many of the cards lie in each column."""


World = tuple[Row, ...]
Worlds = tuple[World, ...]


def unknown(cards: Iterable[str], hand: int, deck: int) -> Worlds:
    """Nothing but the cards and the sizes is known."""
    return _tidy([[Row(tuple(sorted(cards)), (hand, deck))]])


def known(hand: Iterable[str], deck: Iterable[str]) -> Worlds:
    """Every card is in its known place."""
    deck = tuple(deck)
    rows = [Row(tuple(sorted(hand)), (len(tuple(hand)), *(0 for _ in deck)))]
    for depth, card in enumerate(deck, start=1):
        rows.append(Row((card,), tuple(int(column == depth) for column in range(len(deck) + 1))))
    return _tidy([rows])


def made(worlds: Iterable[Iterable[tuple[Iterable[str], Iterable[int]]]]) -> Worlds:
    """Worlds from plain data: cards and spread of every row."""
    return _tidy([[Row(tuple(sorted(cards)), tuple(s)) for cards, s in world] for world in worlds])


def draw(worlds: Worlds, count: int) -> Worlds:
    """So many cards from the top of the deck into the hand."""
    return _tidy(drawn for world in worlds for drawn in _moved_from_top(world, count))


def add_to_hand(worlds: Worlds, card: str) -> Worlds:
    return _tidy([*world, Row((card,), _one(len(_sizes(world)), HAND))] for world in worlds)


def add_on_top(worlds: Worlds, card: str) -> Worlds:
    return _tidy(
        [*_with_block(world, 1), Row((card,), _one(len(_sizes(world)) + 1, 1))] for world in worlds
    )


def add_under(worlds: Worlds, card: str) -> Worlds:
    return _tidy(
        [
            *_with_block(world, len(_sizes(world))),
            Row((card,), _one(len(_sizes(world)) + 1, BOTTOM)),
        ]
        for world in worlds
    )


def stow(worlds: Worlds, count: int) -> Worlds:
    """So many cards of the hand under the deck, in an order nobody else knows."""
    return _tidy(
        stowed
        for world in worlds
        for stowed in _moved(_with_block(world, len(_sizes(world))), HAND, BOTTOM, count)
    )


def take(worlds: Worlds, column: int, card: str) -> Worlds:
    """The card leaves the hand or the bottom of the deck; no world, if it cannot be there."""
    return _tidy(left for world in worlds for left in _without(world, column, card))


def draw_these(worlds: Worlds, cards: Iterable[str]) -> Worlds:
    """A draw whose cards are known: only the worlds in which they lie on top."""
    cards = tuple(sorted(cards))
    return _tidy(
        [
            _hand_back(row)
            for row in (*left, Row(cards, (len(cards), *(0 for _ in left[0].spread[1:]))))
        ]
        for world in worlds
        if world
        for drawn in _moved_from_top(tuple(map(_hand_aside, world)), len(cards))
        for left in _without_all(tuple(drawn), HAND, cards)
    )


def stow_these(worlds: Worlds, cards: Iterable[str]) -> Worlds:
    """These cards of the hand under the deck, the last one to the very bottom."""
    for card in cards:
        worlds = add_under(take(worlds, HAND, card), card)
    return worlds


def cards_in(worlds: Worlds, column: int) -> set[str]:
    """Every card that may lie in the hand, or at the bottom of the deck."""
    return {card for world in worlds for row in world if _lies(row, column) for card in row.cards}


def sizes(worlds: Worlds) -> tuple[int, int]:
    """How many cards the hand and the deck have: the same in every world."""
    hand, *deck = _sizes(worlds[0]) if worlds else (0,)
    return hand, sum(deck)


def owned(worlds: Worlds) -> tuple[str, ...]:
    """All hidden cards of the player: the same in every world."""
    return tuple(sorted(card for row in worlds[0] for card in row.cards)) if worlds else ()


def certain(worlds: Worlds) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Hand and deck, where there is only one arrangement."""
    if len(worlds) != 1:
        return None
    columns: list[tuple[str, ...]] = [() for _ in _sizes(worlds[0])]
    for row in worlds[0]:
        places = [column for column, count in enumerate(row.spread) if count]
        if len(places) > 1 or (places != [HAND] and len(set(row.cards)) > 1):
            return None
        columns[places[0]] = row.cards
    hand, *deck = columns
    return hand, tuple(card for block in deck for card in block)


def known_ends(worlds: Worlds) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The Elites known to lie on top and at the bottom of the deck, from the top down."""
    if len(worlds) != 1 or not worlds[0]:
        return (), ()
    blocks = [_certain_card(worlds[0], column) for column in range(1, len(worlds[0][0].spread))]
    top = tuple(takewhile(bool, blocks))
    under = tuple(takewhile(bool, reversed(blocks[len(top) :])))
    return top, under[::-1]


def _certain_card(world: World, column: int) -> str:
    """The Elite that is this block of the deck, if it is one; otherwise nothing."""
    here = [row for row in world if row.spread[column]]
    if len(here) == 1 and len(here[0].cards) == 1 and here[0].cards != (ANY,):
        return here[0].cards[0]
    return ""


# one world


def _sizes(world: Iterable[Row]) -> tuple[int, ...]:
    """How many cards lie in each column."""
    return tuple(map(sum, zip(*(row.spread for row in world), strict=True))) or (0,)


def _one(columns: int, column: int) -> tuple[int, ...]:
    return tuple(int(index == column % columns) for index in range(columns))


def _with_block(world: Iterable[Row], column: int) -> list[Row]:
    return [Row(r.cards, (*r.spread[:column], 0, *r.spread[column:])) for r in world]


def _lies(row: Row, column: int) -> bool:
    """Whether some of the row's cards lie in the column; an empty deck has no bottom."""
    return row.spread[column] > 0 and (column != BOTTOM or len(row.spread) > 1)


def _without(world: World, column: int, card: str) -> Iterator[World]:
    for index, row in enumerate(world):
        if _lies(row, column) and card in row.cards:
            spot = row.cards.index(card)
            spread = list(row.spread)
            spread[column] -= 1
            less = Row(row.cards[:spot] + row.cards[spot + 1 :], tuple(spread))
            yield (*world[:index], less, *world[index + 1 :])


def _without_all(world: World, column: int, cards: tuple[str, ...]) -> Iterator[World]:
    if not cards:
        yield world
        return
    for left in _without(world, column, cards[0]):
        yield from _without_all(left, column, cards[1:])


def _hand_aside(row: Row) -> Row:
    """The hand as a last column, so that drawn cards can be told from it."""
    hand, *deck = row.spread
    return Row(row.cards, (0, *deck, hand))


def _hand_back(row: Row) -> Row:
    drawn, *deck, hand = row.spread
    return Row(row.cards, (drawn + hand, *deck))


def _moved_from_top(world: World, count: int) -> Iterator[Iterable[Row]]:
    rows: Iterable[Row] = world
    for column, size in enumerate(_sizes(world)[1:], start=1):
        if size > count:
            yield from _moved(list(rows), column, HAND, count)
            return
        rows = [_whole(row, column) for row in rows]
        count -= size
    yield rows


def _whole(row: Row, column: int) -> Row:
    """The row with all its cards of a block in the hand."""
    spread = list(row.spread)
    spread[HAND] += spread[column]
    spread[column] = 0
    return Row(row.cards, tuple(spread))


def _moved(rows: list[Row], source: int, to: int, count: int) -> Iterator[list[Row]]:
    """Every way to take so many cards from one column to another, row by row."""
    if not rows:
        if count == 0:
            yield []
        return
    first, rest = rows[0], rows[1:]
    after = sum(row.spread[source] for row in rest)
    for here in range(max(0, count - after), min(first.spread[source], count) + 1):
        spread = list(first.spread)
        spread[source] -= here
        spread[to] += here
        for others in _moved(rest, source, to, count - here):
            yield [Row(first.cards, tuple(spread)), *others]


# the normal form, so that equal worlds are equal


def _tidy(worlds: Iterable[Iterable[Row]]) -> Worlds:
    return tuple(sorted({_tidied(world) for world in worlds}))


def _tidied(world: Iterable[Row]) -> World:
    """Cards that are all in one column form one row; blocks that ran empty are gone."""
    local: dict[int, list[str]] = {}
    shared: list[Row] = []
    for row in world:
        places = [column for column, count in enumerate(row.spread) if count]
        if len(places) > 1 and row.cards[0] != row.cards[-1]:
            shared.append(row)
            continue
        for column in places:
            local.setdefault(column, []).extend(row.cards[: row.spread[column]])
    used = {HAND, *local}.union(c for row in shared for c, count in enumerate(row.spread) if count)
    columns = sorted(used)
    rows = [Row(r.cards, tuple(r.spread[column] for column in columns)) for r in shared]
    for column, cards in local.items():
        spread = tuple(len(cards) if other == column else 0 for other in columns)
        rows.append(Row(tuple(sorted(cards)), spread))
    return tuple(sorted(rows))
