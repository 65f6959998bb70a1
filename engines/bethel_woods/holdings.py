"""Where everything is: malfunctions, workers, spies, and the tiles that are turned up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engines.bethel_woods.kit import RING, TYPES, Box
from engines.bethel_woods.state import Supply, Tableau
from engines.kernel import Holding, Holdings, Setting


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for number, machine in state.machines.items():
        place = f"machine.{number}"
        yield from _workers(place, machine.workers)
        yield from (Holding(place, token, count) for token, count in machine.tokens.items())
        yield from (Holding(place, f"spy.{spy}") for spy in machine.spies)
        if machine.up and machine.tile is not None:
            yield Holding(place, f"tile.{machine.tile}")
    for number, workers in state.sections.items():
        yield from _workers(f"section.{number}", workers)
    yield from _workers("hand", state.turn.hand)
    for seat, begun in state.begun.items():
        yield from _workers(seat, begun.hand)
    for seat, player in state.players.items():
        yield from (Holding(seat, token, count) for token, count in player.knowledge.items())
    yield from (Holding("discard", token) for token in state.discard_pile)
    yield from _supply(state.supply)
    yield from (Holding("column_top", f"spy.{spy}") for spy in state.column.on_top)
    out_of_play = (*state.column.unseen, *state.column.returned)
    yield from (Holding("column", f"spy.{spy}") for spy in out_of_play)
    for number in RING:
        yield Holding("built" if number <= state.built else "stack", f"daydreamer.{number}")


def lying(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    yield from held(state, setting)
    for seat, player in state.players.items():
        if player.character is not None:
            yield Holding(seat, f"character.{player.character}")


def piles(state: Tableau, setting: Setting[Box]) -> Mapping[str, Sequence[str]]:
    """The discarded tokens, and the spies back in the column as far as their order is known."""
    column = state.column
    return {
        "discard": state.discard_pile,
        "column": [f"spy.{spy}" for spy in reversed(column.returned)],
        "column_top": [f"spy.{spy}" for spy in reversed(column.on_top)],
    }


def sizes(state: Tableau) -> Mapping[str, int]:
    """What is left in a supply of which nobody knows the tokens."""
    supply = state.supply
    return {"supply": supply.count} if supply.tokens is None and supply.count is not None else {}


def _supply(supply: Supply) -> Iterator[Holding]:
    """Which tokens are left; nothing is told of them once nobody can know."""
    if supply.tokens is None:
        yield from (Holding("supply", f"{kind}{value}", None) for kind in TYPES for value in RING)
    else:
        yield from (Holding("supply", token, count) for token, count in supply.tokens.items())


def _workers(place: str, workers: Iterable[str]) -> Iterator[Holding]:
    return (Holding(place, f"worker.{kind}") for kind in workers)


HOLDINGS = Holdings(held, lying=lying, piles=piles, sizes=sizes)
