"""Counts seen at the table, compared with what the log says."""

from __future__ import annotations

from engines.bloody_grove.kit import ANIMALS, Animal, Box
from engines.bloody_grove.rules.book import rules
from engines.bloody_grove.state import Tableau, domination, strength
from engines.kernel import RuleContext


@rules.counts("{seat} hand")
def cards_in_hand(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].hidden.hand


@rules.counts("{seat} deck")
def cards_in_deck(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return state.players[seat].hidden.deck


@rules.counts("{seat} pile")
def cards_at_druid(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return len(state.players[seat].pile)


@rules.counts("{seat} domination")
def domination_of_player(state: Tableau, table: RuleContext[Box], seat: str) -> int:
    return domination(state, table, seat)


@rules.counts("{seat} strength {grove}", grove=("1", "2", "3"))
def strength_at_grove(state: Tableau, table: RuleContext[Box], seat: str, grove: str) -> int:
    return strength(state, table.kit, seat, int(grove)).total


@rules.counts("reserve")
def tokens_in_reserve(state: Tableau, table: RuleContext[Box]) -> int:
    return len(state.tokens.reserve)


@rules.counts("discard")
def tokens_discarded(state: Tableau, table: RuleContext[Box]) -> int:
    return state.tokens.discard.size


@rules.counts("elite {animal}", animal=ANIMALS)
def elites_unseen(state: Tableau, table: RuleContext[Box], animal: Animal) -> int:
    return state.elites[animal].unseen.size


@rules.counts("venerables")
def venerables_unseen(state: Tableau, table: RuleContext[Box]) -> int:
    return len(state.venerables.unseen)
