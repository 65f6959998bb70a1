"""Counts seen at the table, compared with what the log says."""

from __future__ import annotations

from engines.broom_service.actions import RESOURCES, Resource
from engines.broom_service.kit import Box
from engines.broom_service.rules.book import rules
from engines.broom_service.state import Tableau
from engines.kernel import RuleContext


@rules.counts("{seat} vp")
def points(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].vp


@rules.counts("{seat} {resource}", resource=RESOURCES)
def resources_of_a_kind(
    state: Tableau, table: RuleContext[Box], seat: str, resource: Resource
) -> int:
    return state.players[seat].resources[resource]


@rules.counts("{seat} resources")
def resources(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].wealth


@rules.counts("{seat} bolts")
def bolts(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].hoard.bolts


@rules.counts("{seat} cards")
def cards(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].hand.held


@rules.counts("{seat} amulets")
def amulets(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return len(state.players[seat].hoard.amulets)
