"""Where everything is: malfunctions, workers, spies, and the tiles that are up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.bethel_woods.kit import Box
from engines.bethel_woods.state import Tableau
from engines.kernel import Holding, Setting


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
    for seat, player in state.players.items():
        yield from (Holding(seat, token, count) for token, count in player.knowledge.items())
    yield from (Holding("discard", token) for token in state.discard_pile)
    if state.supply.tokens is not None:
        tokens = state.supply.tokens.items()
        yield from (Holding("supply", token, count) for token, count in tokens)
    out_of_play = (*state.column.unseen, *state.column.returned)
    yield from (Holding("column", f"spy.{spy}") for spy in out_of_play)


def _workers(place: str, workers: Iterable[str]) -> Iterator[Holding]:
    return (Holding(place, f"worker.{kind}") for kind in workers)
