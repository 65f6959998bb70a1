"""Who has what: leaves, gifts and secrets."""

from __future__ import annotations

from collections.abc import Iterator

from engines.benevolent.kit import Box
from engines.benevolent.state import Tableau
from engines.kernel import Holding, Holdings, Setting


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for seat, player in state.players.items():
        yield Holding(seat, "leaf", player.leaves)
        yield Holding(f"hoard.{seat}", "leaf", player.hoard)
        yield from (Holding(seat, gift, count) for gift, count in player.gifts.items())
        yield from (Holding(seat, f"secret.{face}") for face in player.secrets)
    yield Holding("reserve", "leaf", state.reserve)
    yield from (Holding("river", gift, count) for gift, count in state.river.items())


HOLDINGS = Holdings(held)
