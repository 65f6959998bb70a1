"""Le sac à dos: three objects, one of them heavy; coins and apples."""

from __future__ import annotations

from engines.kernel import evolve, with_player
from engines.roundforest.kit import Box
from engines.roundforest.state import Tableau


def room(pack: tuple[str, ...], thing: str, kit: Box) -> bool:
    """Whether an object fits into a pack."""
    return len(pack) < kit.pack.objects and not too_heavy(pack, thing, kit)


def too_heavy(pack: tuple[str, ...], thing: str, kit: Box) -> bool:
    return thing in kit.heavy and heavy_count(pack, kit) >= kit.pack.heavy


def heavy_count(pack: tuple[str, ...], kit: Box) -> int:
    return sum(thing in kit.heavy for thing in pack)


def pack_clause(pack: tuple[str, ...], kit: Box) -> str:
    """The general clause behind a lack of room."""
    return "RND-PACK-1" if len(pack) >= kit.pack.objects else "RND-PACK-2"


def coins_named(copper: int, silver: int) -> dict[str, int]:
    """Amounts by metal, as facts; none of what nobody has or asks for."""
    coins = {"copper": copper, "silver": silver}
    return {metal: count for metal, count in coins.items() if count}


def pay(state: Tableau, seat: str, copper: int, silver: int) -> Tableau:
    """Coins to the supply; nobody pays more than there is."""
    me, supply = state.players[seat], state.supply
    copper, silver = min(copper, me.copper), min(silver, me.silver)
    if copper == silver == 0:
        return state
    state = with_player(state, seat, copper=me.copper - copper, silver=me.silver - silver)
    supply = evolve(supply, copper=supply.copper + copper, silver=supply.silver + silver)
    return evolve(state, supply=supply)


def gain_apples(state: Tableau, seat: str, wanted: int) -> Tableau:
    """Apples from the supply, as far as it goes."""
    got = min(wanted, state.supply.apples)
    supply = evolve(state.supply, apples=state.supply.apples - got)
    state = with_player(state, seat, apples=state.players[seat].apples + got)
    return evolve(state, supply=supply)
