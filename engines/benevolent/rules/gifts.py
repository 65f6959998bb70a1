"""S'il manque certains jetons Cadeaux, Fin du jeu: how gifts change hands."""

from __future__ import annotations

from collections.abc import Iterable

from engines.benevolent.kit import GIFTS, Box, Gift
from engines.benevolent.rules.book import Rule
from engines.benevolent.state import Player, Tableau
from engines.kernel import RuleContext, evolve

RIVER = "river"


def givers(state: Tableau, seat: str, gift: Gift) -> tuple[str, ...]:
    """Where a gift comes from: its pile, or whichever opponents own most of it."""
    if state.river[gift]:
        return (RIVER,)
    held = {other: player.gifts[gift] for other, player in state.opponents(seat).items()}
    most = max(held.values())
    return tuple(other for other, number in held.items() if number == most) if most else ()


def may_come(state: Tableau, seat: str, gift: Gift, table: RuleContext[Box]) -> bool:
    """Whether one may try to obtain a gift."""
    return bool(givers(state, seat, gift)) or table.reading("gift_unobtainable") == "always_partial"


def giver_of(state: Tableau, seat: str, gift: Gift, robbed: str | None, rule: Rule) -> str | None:
    """Who gives the gift, as it was said or as it must be; nobody if nobody has one."""
    found = givers(state, seat, gift)
    if found == (RIVER,):
        rule("BEN-GIFT-1", robbed is None, gift=gift, pile=state.river[gift])
    else:
        rule("BEN-GIFT-2", robbed is None or robbed in found, gift=gift, most=found)
        rule("BEN-GIFT-4", robbed is not None or len(found) < 2, gift=gift, most=found)
    opponents = state.opponents(seat)
    if robbed in opponents and opponents[robbed].gifts[gift]:
        return robbed
    return found[0] if found else None


def give_back(state: Tableau, seat: str, gifts: Iterable[Gift]) -> Tableau:
    """Gifts return to their piles before anything is taken."""
    mine, river = state.players[seat].gifts, state.river
    for gift in gifts:
        if gift in mine:
            mine, river = mine.take(gift), river.add(gift)
    player = evolve(state.players[seat], gifts=mine)
    return evolve(state, players={**state.players, seat: player}, river=river)


def gain(state: Tableau, seat: str, gift: Gift, giver: str | None, rule: Rule) -> Tableau:
    if giver is None:
        rule.effect("BEN-GIFT-8", not givers(state, seat, gift), gift=gift)
        return state
    players, river = dict(state.players), state.river
    if giver == RIVER:
        river = river.take(gift)
    else:
        players[giver] = evolve(players[giver], gifts=players[giver].gifts.take(gift))
    players[seat] = evolve(players[seat], gifts=players[seat].gifts.add(gift))
    state = evolve(state, players=players, river=river)
    wins = has_all(players[seat]) and state.winner is None
    if wins and rule.effect("BEN-END-1", True, seat=seat):
        return evolve(state, winner=seat, agenda=state.agenda.clear())
    return state


# Fin du jeu


def has_all(player: Player) -> bool:
    """Whether a player owns every kind of gift."""
    return len(player.gifts) == len(GIFTS)
