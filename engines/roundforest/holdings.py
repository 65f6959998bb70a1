"""Where everything is: objects, coins, apples, compasses, chips, cards and tokens; which way a
tile points."""

from __future__ import annotations

from collections.abc import Iterator

from engines.kernel import Holding, Holdings, Point, Setting, Sought
from engines.roundforest.kit import CHARACTERS, CHIPS, Box
from engines.roundforest.state import Tableau


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for seat, player in state.players.items():
        yield from (Holding(seat, thing) for thing in player.pack)
        yield Holding(seat, "coin.copper", player.copper)
        yield Holding(seat, "coin.silver", player.silver)
        yield Holding(seat, "apples", player.apples)
        yield Holding(seat, "compass", player.compasses)
        yield from (Holding(f"debts.{seat}", f"card.{creditor}") for creditor in player.debts)
    for draw in state.drawn:
        yield from (Holding(draw.seat, thing) for thing in draw.objects)
    for card, by in state.cards.waiting:
        yield Holding(by, f"card.{card}")
    yield Holding("supply", "coin.copper", state.supply.copper)
    yield Holding("supply", "coin.silver", state.supply.silver)
    yield Holding("supply", "apples", state.supply.apples)
    yield Holding(state.winner or "supply", "ring")
    yield from _lying(state)
    yield from _characters(state)
    for cell, tile in state.forest.tiles.items():
        yield Holding(f"points.{tile.facing}", f"facing.{cell}")


def lying(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    yield from held(state, setting)
    for seat, player in state.players.items():
        place = f"pack.{seat}" if player.pos is None else f"tile.{player.pos}"
        yield Holding(place, f"pawn_of.{seat}")
    for cell, tile in state.forest.tiles.items():
        yield Holding(f"cell.{cell}", f"laid_tile.{'/'.join(tile.symbols)}")


def sought(point: Point) -> Sought | None:
    """The object, chip or card that was no longer where it was drawn from."""
    match point.clause:
        case "RND-LOG-1" if "object" in point.facts:
            return Sought(point.facts["object"], "blue_bag")
        case "RND-GARN-7":
            return Sought(f"chip.{point.facts['colour']}", "black_bag")
        case "RND-RED-2":
            return Sought(f"card.{point.facts['character']}", "deck")
    return None


def _lying(state: Tableau) -> Iterator[Holding]:
    """What no seat has: in bags, on tiles, between them and on the fairy board."""
    for cell, thing in state.forest.contents.items():
        if thing in CHIPS:
            yield Holding(f"tile.{cell}", f"chip.{thing}")
        elif thing not in CHARACTERS:
            yield Holding(f"tile.{cell}", thing)
    yield from (Holding(f"gap.{gap}", thing) for gap, thing in state.forest.gaps.items())
    yield from (Holding(f"row.{row}", thing) for row, held in state.fairy.items() for thing in held)
    yield from (Holding("beside", thing) for thing in state.bags.beside)
    for bag, chips in (("black_bag", state.bags.black), ("aside", state.bags.aside)):
        yield from (Holding(bag, f"chip.{colour}", count) for colour, count in chips.items())
    yield from (Holding("blue_bag", thing, count) for thing, count in state.bags.blue.items())


def _characters(state: Tableau) -> Iterator[Holding]:
    """Cards in the deck and beside the fairy board; tokens on the tiles and beside the deck."""
    yield from (Holding("deck", f"card.{name}") for name in state.cards.deck)
    yield from (Holding("beside", f"card.{name}") for name in state.cards.face_up)
    tokens = {t: cell for cell, t in state.forest.contents.items() if t in CHARACTERS}
    for name in sorted(CHARACTERS):
        place = f"tile.{tokens[name]}" if name in tokens else "beside_deck"
        yield Holding(place, f"token.{name}")


HOLDINGS = Holdings(held, lying=lying, sought=sought)
