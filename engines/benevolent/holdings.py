"""Who has what: leaves, gifts and secrets; and where steps and secrets lie."""

from __future__ import annotations

from collections.abc import Iterator

from engines.benevolent.kit import Box
from engines.benevolent.state import UNKNOWN, Tableau
from engines.kernel import Holding, Holdings, Setting


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    for seat, player in state.players.items():
        yield Holding(seat, "leaf", player.leaves)
        yield Holding(f"hoard.{seat}", "leaf", player.hoard)
        yield from (Holding(seat, gift, count) for gift, count in player.gifts.items())
        yield from (Holding(seat, f"secret.{face}") for face in player.secrets)
    yield Holding("reserve", "leaf", state.reserve)
    yield from (Holding("river", gift, count) for gift, count in state.river.items())


def lying(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    yield from held(state, setting)
    for seat, player in state.players.items():
        yield from (Holding(f"hex.{name}", f"step_of.{seat}") for name in player.forest)
        yield Holding(f"card.{seat}", f"step_of.{seat}", player.card)
        yield Holding(f"dream.{player.dream}", f"sleeper.{seat}")
    yield from (
        Holding(f"pyramid.{slot}", f"secret.{face}") for slot, face in state.pyramid.items()
    )
    yield from (Holding("box", f"secret.{face}") for face in state.box if face != UNKNOWN)
    for place, laid in enumerate(state.forest.laid if state.forest is not None else (), start=1):
        yield Holding(f"laid.{place}", f"segment.{laid}")


HOLDINGS = Holdings(held, lying=lying)
