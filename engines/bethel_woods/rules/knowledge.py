"""Knowledge: paying with it, and keeping no more than the limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engines.bethel_woods.actions import DiscardKnowledge
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.state import (
    Forcing,
    Owed,
    Tableau,
    knowledge_of,
    touch,
)
from engines.kernel import Bag, evolve, with_player


def knowledge_limit(state: Tableau, table: AnyTable) -> int:
    numbers = table.kit.numbers
    return numbers.knowledge_limit_cap if state.tile_is_up("cap") else numbers.knowledge_limit


def force_discards(
    state: Tableau, seats: Iterable[str], limit: int, why: Forcing, rule: Rule
) -> Tableau:
    """Everybody above the limit must discard down to it before anything else happens."""
    excess = {seat: state.players[seat].knowledge.size - limit for seat in seats}
    counts = {seat: count for seat, count in excess.items() if count > 0}
    if not counts or not rule.effect(why, True, owed=counts, limit=limit):
        return state
    if state.owed is not None:
        counts = dict(Counter(counts) | Counter(state.owed.counts))
    return evolve(state, owed=Owed(counts, why))


@rules.hears(DiscardKnowledge)
def discard(state: Tableau, action: DiscardKnowledge, rule: Rule) -> Tableau:
    seat = action.seat
    counts = {} if state.owed is None else dict(state.owed.counts)
    owes = counts.get(seat, 0)
    facts = {"seat": seat, "tokens": action.tokens, "owes": owes or None}
    rule("BTW-KNOW-4", len(action.tokens) <= owes, **facts)
    state = spend(state, seat, action.tokens, rule)
    counts[seat] = owes - len(action.tokens)
    counts = {other: count for other, count in counts.items() if count > 0}
    why = state.owed.why if state.owed is not None else "BTW-KNOW-3"
    return evolve(state, owed=Owed(counts, why) if counts else None)


def spend(state: Tableau, seat: str, tokens: tuple[str, ...], rule: Rule) -> Tableau:
    """Pay with a player's knowledge: it goes face up to the discard."""
    held = state.players[seat].knowledge
    paid, missing = part(held, tokens)
    rule("BTW-KNOW-2", not missing, seat=seat, missing=missing)
    state = with_player(state, seat, knowledge=held.take(*paid))
    pile = state.discard_pile + paid
    return touch(state, rule.number, knowledge_of(seat), "discard_pile", discard_pile=pile)


def learn(state: Tableau, seat: str, token: str, source: str, rule: Rule) -> Tableau:
    """A token from the board becomes knowledge."""
    knowledge = state.players[seat].knowledge.add(token)
    state = with_player(state, seat, knowledge=knowledge)
    return touch(state, rule.number, source, knowledge_of(seat))


def throw_away(state: Tableau, token: str, source: str, rule: Rule) -> Tableau:
    """A token from the board goes to the discard."""
    pile = (*state.discard_pile, token)
    return touch(state, rule.number, source, "discard_pile", discard_pile=pile)


def part(held: Bag[str], tokens: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens that are really there, and the others."""
    left, there, missing = dict(held), list[str](), list[str]()
    for token in tokens:
        if left.get(token, 0) > 0:
            left[token] -= 1
            there.append(token)
        else:
            missing.append(token)
    return tuple(there), tuple(missing)


def check_fee(
    state: Tableau,
    seat: str,
    fee: str | None,
    cost: tuple[str, ...],
    rule: Rule,
    *,
    ability: bool = True,
) -> None:
    """While the tile ``fee`` is up an ability costs one token more; it pays for nothing else."""
    due = ability and state.tile_is_up("fee")
    rule("BTW-FEE-1", (fee is not None) == due, seat=seat, fee=fee, due=due)
    if fee is not None:
        held = state.players[seat].knowledge
        twice = fee in held and held.holds(cost) and not held.holds((*cost, fee))
        rule("BTW-FEE-1", not twice, seat=seat, fee=fee, due=due, twice=fee)


def with_fee(cost: tuple[str, ...], fee: str | None) -> tuple[str, ...]:
    return cost if fee is None else (*cost, fee)
