"""What the hidden cards of one player can be.

An *arrangement* is a hand and a deck, top to bottom. A ``World`` is a whole family of
arrangements: it says which cards are certainly in the hand and in each block of the deck,
and of which cards so many are here and so many there; which ones, and in which order
within a block, nobody can know. A hand put under the deck is one block, however large,
and is only told apart where a draw ends inside it. So a few worlds stand for thousands of
arrangements, exactly.

Unseen base Spirits are interchangeable to a referee: each of them is the card ``ANY``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain, takewhile
from operator import and_
from typing import NamedTuple

ANY = "any"
HAND = 0
"""Places of a world: the hand, then the blocks of the deck from the top."""
BOTTOM = -1

Cards = tuple[str, ...]
"""Sorted."""


HELD, DECKED = slice(0, 1), slice(1, None)


class Row(NamedTuple):
    """Cards that are known together, and how many of them lie in each place."""

    cards: Cards
    spread: tuple[int, ...]


class World(NamedTuple):
    certain: tuple[Cards, ...]
    """The cards known to lie in each place."""
    shared: tuple[Row, ...] = ()
    """Cards that lie in several places, nobody knows which where."""


Worlds = tuple[World, ...]


def unknown(cards: Iterable[str], hand: int, deck: int) -> Worlds:
    """Nothing but the cards and the sizes is known."""
    return made([[(tuple(cards), (hand, deck))]])


def known(hand: Iterable[str], deck: Iterable[str]) -> Worlds:
    """Every card is in its known place."""
    return (World((tuple(sorted(hand)), *((card,) for card in deck))),)


def made(worlds: Iterable[Iterable[tuple[Iterable[str], Iterable[int]]]]) -> Worlds:
    """Worlds from plain data: cards and spread of every row."""
    return _set([_made([Row(tuple(sorted(cards)), tuple(s)) for cards, s in w]) for w in worlds])


def rows_of(world: World) -> Iterator[Row]:
    """A world as rows, without its encoding."""
    for place, cards in enumerate(world.certain):
        if cards:
            yield Row(cards, _only(len(world.certain), place, len(cards)))
    yield from world.shared


# what happens to hidden cards


def draw(worlds: Worlds, count: int) -> Worlds:
    """So many cards from the top of the deck into the hand."""
    return _set([_tidy(drawn) for world in worlds for drawn in _drawn(world, count)])


def add_to_hand(worlds: Worlds, card: str) -> Worlds:
    return _set(
        [World((_with(certain[HAND], card), *certain[1:]), shared) for certain, shared in worlds]
    )


def add_on_top(worlds: Worlds, card: str) -> Worlds:
    return _set(
        [
            World(
                (certain[HAND], (card,), *certain[1:]),
                tuple(Row(row.cards, (row.spread[0], 0, *row.spread[1:])) for row in shared),
            )
            for certain, shared in worlds
        ]
    )


def add_under(worlds: Worlds, card: str) -> Worlds:
    return _set(
        [
            World((*certain, (card,)), tuple(Row(row.cards, (*row.spread, 0)) for row in shared))
            for certain, shared in worlds
        ]
    )


def stow(worlds: Worlds, count: int) -> Worlds:
    """So many cards of the hand under the deck, in an order nobody else knows."""
    return _set([_tidy(stowed) for world in worlds for stowed in _stowed(world, count)])


def take(worlds: Worlds, place: int, card: str) -> Worlds:
    """The card leaves the hand or the bottom of the deck; no world, if it cannot be there."""
    return _set([_tidy(left) for world in worlds for left in _without(world, place, card)])


def draw_these(worlds: Worlds, cards: Iterable[str]) -> Worlds:
    """A draw whose cards are known: only the worlds in which they lie on top."""
    cards = tuple(cards)
    return _set(
        [
            _tidy(_hand_back(left, cards))
            for world in worlds
            for drawn in _drawn(_hand_aside(world), len(cards))
            for left in _without_all(drawn, HAND, cards)
        ]
    )


def stow_these(worlds: Worlds, cards: Iterable[str]) -> Worlds:
    """These cards of the hand under the deck, the last one to the very bottom."""
    for card in cards:
        worlds = add_under(take(worlds, HAND, card), card)
    return worlds


# what is known


def cards_in(worlds: Worlds, place: int) -> set[str]:
    """Every card that may lie in the hand, or at the bottom of the deck."""
    found: set[str] = set()
    for certain, shared in worlds:
        if place == BOTTOM and len(certain) == 1:
            continue
        found.update(certain[place])
        for row in shared:
            if row.spread[place]:
                found.update(row.cards)
    return found


def sizes(worlds: Worlds) -> tuple[int, int]:
    """How many cards the hand and the deck have: the same in every world."""
    hand, *deck = _sizes(worlds[0]) if worlds else (0,)
    return hand, sum(deck)


def owned(worlds: Worlds) -> Cards:
    """All hidden cards of the player: the same in every world."""
    if not worlds:
        return ()
    certain, shared = worlds[0]
    return tuple(sorted(chain(*certain, *(row.cards for row in shared))))


def one_arrangement(worlds: Worlds) -> tuple[Cards, Cards] | None:
    """Hand and deck, where nothing else is possible."""
    if len(worlds) != 1 or worlds[0].shared:
        return None
    hand, *deck = worlds[0].certain
    if any(block[0] != block[-1] for block in deck):
        return None
    return hand, tuple(card for block in deck for card in block)


def known_ends(worlds: Worlds) -> tuple[Cards, Cards]:
    """The Elites known to lie on top and at the bottom of the deck, from the top down."""
    decks = [
        [
            card
            for cards, size in zip(world.certain[1:], _sizes(world)[1:], strict=True)
            for card in _in_any_order(cards, size)
        ]
        for world in worlds
    ]
    top = _alike(decks)
    return top, _alike([deck[len(top) :][::-1] for deck in decks])[::-1]


def _alike(decks: list[list[str]]) -> Cards:
    """The known cards with which all decks begin."""
    first = (blocks[0] if len({*blocks}) == 1 else "" for blocks in zip(*decks, strict=False))
    return tuple(takewhile(bool, first))


def _in_any_order(cards: Cards, size: int) -> Cards:
    """Which card lies at each place, where that is known: of several alike it is."""
    alike = len(cards) == size and len({*cards}) == 1 and ANY not in cards
    return cards if alike else ("",) * size


def certain_in(worlds: Worlds, places: slice) -> Cards:
    """The cards that lie there in every world: ``HELD`` in the hand, ``DECKED`` in the deck."""
    everywhere = (
        Counter(card for cards in world.certain[places] for card in cards if card != ANY)
        for world in worlds
    )
    common = reduce(and_, everywhere) if worlds else Counter[str]()
    return tuple(sorted(common.elements()))


# one world


def _only(places: int, place: int, count: int) -> tuple[int, ...]:
    return tuple(count if index == place else 0 for index in range(places))


def _with(cards: Cards, *more: str) -> Cards:
    return tuple(sorted((*cards, *more)))


def _less(cards: Cards, card: str) -> Cards:
    spot = cards.index(card)
    return cards[:spot] + cards[spot + 1 :]


def _replaced(places: tuple[Cards, ...], place: int, cards: Cards) -> tuple[Cards, ...]:
    place %= len(places)
    return (*places[:place], cards, *places[place + 1 :])


def _sizes(world: World) -> list[int]:
    """How many cards lie in each place."""
    sizes = [len(cards) for cards in world.certain]
    for row in world.shared:
        for place, count in enumerate(row.spread):
            sizes[place] += count
    return sizes


def _without(world: World, place: int, card: str) -> Iterator[World]:
    certain, shared = world
    if place == BOTTOM and len(certain) == 1:
        return
    if card in certain[place]:
        yield World(_replaced(certain, place, _less(certain[place], card)), shared)
    for index, row in enumerate(shared):
        if row.spread[place] and card in row.cards:
            spread = list(row.spread)
            spread[place] -= 1
            less = Row(_less(row.cards, card), tuple(spread))
            yield World(certain, (*shared[:index], less, *shared[index + 1 :]))


def _without_all(world: World, place: int, cards: Cards) -> Iterator[World]:
    if not cards:
        yield world
        return
    for left in _without(world, place, cards[0]):
        yield from _without_all(left, place, cards[1:])


def _drawn(world: World, count: int) -> Iterator[World]:
    """Whole blocks from the top; the last one may have to be told apart."""
    while count and len(world.certain) > 1:
        size = _sizes(world)[1]
        if size > count:
            yield from _split(world, 1, HAND, count)
            return
        world = _top_block_drawn(world)
        count -= size
    yield world


def _top_block_drawn(world: World) -> World:
    (hand, block, *deck), shared = world
    return World(
        (_with(hand, *block), *deck),
        tuple(Row(r.cards, (r.spread[0] + r.spread[1], *r.spread[2:])) for r in shared),
    )


def _stowed(world: World, count: int) -> Iterator[World]:
    if count == 0:
        yield world
    elif count == _sizes(world)[HAND]:
        (hand, *deck), shared = world
        turned = tuple(Row(r.cards, (0, *r.spread[1:], r.spread[0])) for r in shared)
        yield World(((), *deck, hand), turned)
    else:
        more = tuple(Row(row.cards, (*row.spread, 0)) for row in world.shared)
        yield from _split(World((*world.certain, ()), more), HAND, BOTTOM, count)


def _split(world: World, source: int, to: int, count: int) -> Iterator[World]:
    """Every way to move so many cards, nobody knows which, from one place to another."""
    certain, shared = world
    there = Row(certain[source], _only(len(certain), source, len(certain[source])))
    for rows in _moved([*shared, there], source, to, count):
        yield World(_replaced(certain, source, ()), tuple(rows))


def _moved(rows: list[Row], source: int, to: int, count: int) -> Iterator[list[Row]]:
    if not rows:
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


def _hand_aside(world: World) -> World:
    """The hand as a last place, so that drawn cards can be told from it."""
    (hand, *deck), shared = world
    aside = tuple(Row(row.cards, (0, *row.spread[1:], row.spread[0])) for row in shared)
    return World(((), *deck, hand), aside)


def _hand_back(world: World, drawn: Cards) -> World:
    (rest, *deck, hand), shared = world
    back = tuple(
        Row(row.cards, (row.spread[0] + row.spread[-1], *row.spread[1:-1])) for row in shared
    )
    return World((_with(hand, *rest, *drawn), *deck), back)


# the normal form, so that equal worlds are equal


def _set(worlds: list[World]) -> Worlds:
    return tuple(worlds if len(worlds) < 2 else sorted(set(worlds)))


def _made(rows: list[Row]) -> World:
    places = len(rows[0].spread) if rows else 1
    return _tidy(World(((),) * places, tuple(rows)))


def _tidy(world: World) -> World:
    """What lies in one place only is certain; blocks that ran empty are gone."""
    certain, shared = world
    if shared:
        certain, shared = _settled(certain, shared)
    if all(certain[1:]):
        return World(certain, shared)
    sizes = _sizes(World(certain, shared))
    used = [place for place, size in enumerate(sizes) if size or place == HAND]
    if len(used) == len(sizes):
        return World(certain, shared)
    return World(
        tuple(certain[place] for place in used),
        tuple(Row(row.cards, tuple(row.spread[place] for place in used)) for row in shared),
    )


def _settled(
    certain: tuple[Cards, ...], shared: tuple[Row, ...]
) -> tuple[tuple[Cards, ...], tuple[Row, ...]]:
    places = list(certain)
    left = []
    for row in shared:
        where = [place for place, count in enumerate(row.spread) if count]
        if len(where) > 1 and row.cards[0] != row.cards[-1]:
            left.append(row)
            continue
        for place in where:
            places[place] = _with(places[place], *row.cards[: row.spread[place]])
    return tuple(places), tuple(sorted(left))
