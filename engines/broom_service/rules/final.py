"""Fin de la partie: lightning, sets of resources, amulets, and ties."""

from __future__ import annotations

from typing import NamedTuple

from engines.broom_service.kit import Box
from engines.broom_service.rules.book import Rule, score
from engines.broom_service.state import Player, Tableau, result
from engines.kernel import evolve


class FinalScore(NamedTuple):
    lightning: int
    sets: int
    amulets: int


def final_score(player: Player, kit: Box) -> FinalScore:
    return FinalScore(
        kit.scoring.for_bolts(player.hoard.bolts),
        kit.scoring.for_sets(player.resources),
        kit.scoring.for_amulets(len(player.hoard.amulets)),
    )


def score_game(state: Tableau, rule: Rule) -> Tableau:
    with_amulets = "mountain" in state.options.variants
    for seat, player in state.players.items():
        worth = final_score(player, rule.kit)
        if rule.effect("BRM-FIN-2", worth.lightning, seat=seat, vp=worth.lightning):
            state = score(state, seat, worth.lightning)
        if rule.effect("BRM-FIN-3", worth.sets, seat=seat, vp=worth.sets):
            state = score(state, seat, worth.sets)
        if rule.effect("BRM-FIN-6", with_amulets, seat=seat, vp=worth.amulets):
            state = score(state, seat, worth.amulets)
    wealth: dict[int, list[int]] = {}
    for player in state.players.values():
        wealth.setdefault(player.vp, []).append(player.wealth)
    broken = any(len(set(tied)) > 1 for tied in wealth.values())
    state = evolve(state, tie_break=rule.effect("BRM-FIN-8", broken))
    won = result(state)
    winners = () if won is None else won.places[0]
    if len(winners) > 1:
        rule.effect("BRM-FIN-9", True, winners=winners)
    return state
