"""Critical conditions: when a machine fails and recovers, and what the tiles do at once."""

from __future__ import annotations

from typing import Any

from engines.bethel_woods.actions import LowerTile, RevealTile
from engines.bethel_woods.kit import Tile
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.knowledge import force_discards
from engines.bethel_woods.state import (
    Machine,
    Supply,
    Tableau,
    entries_about,
    machines_with,
    tile_at,
    tokens_at,
    touch,
    with_machine,
)
from engines.kernel import evolve


def is_overloaded(machine: Machine, table: AnyTable) -> bool:
    """More than the machine bears: what makes it critical."""
    if machine.spies and table.reading("critical_threshold") == "two_with_spy":
        return machine.tokens.size >= 2
    return machine.tokens.size + len(machine.spies) > table.kit.numbers.critical_above


def has_recovered(machine: Machine, table: AnyTable) -> bool:
    """Little enough for the tile to go face down again."""
    if table.reading("flip_back_limit") == "literal_3":
        return machine.tokens.size <= table.kit.numbers.critical_above
    return not is_overloaded(machine, table)


def can_lower(machine: Machine, table: AnyTable) -> bool:
    """Whether its tile may be turned down by hand, where that is a choice."""
    return machine.up and has_recovered(machine, table)


def lay_token(state: Tableau, number: int, token: str, supply: Supply, rule: Rule) -> Tableau:
    """A drawn token lies at a machine now, the supply is what it leaves."""
    tokens = state.machines[number].tokens.add(token)
    subjects = ("supply", tokens_at(number), token)
    machines = machines_with(state, number, tokens=tokens)
    state = touch(state, rule.number, *subjects, supply=supply, machines=machines)
    return check_failure(state, number, rule)


def check_failure(state: Tableau, number: int, rule: Rule) -> Tableau:
    """Something was added to the machine: its tile comes up if that is too much."""
    machine = state.machines[number]
    if machine.up or not is_overloaded(machine, rule):
        return state
    unknown = {"unknown": number} if machine.tile is None else {}
    told = {"machine": number, "tile": machine.tile or "unseen", **unknown}
    if not rule.effect("BTW-CRIT-2", True, **told):
        return state
    state = with_machine(state, number, up=True)
    return state if machine.tile is None else start_tile(state, machine.tile, rule)


def check_recovery(state: Tableau, number: int, rule: Rule) -> Tableau:
    """Something was taken away from the machine: its tile may go down."""
    machine = state.machines[number]
    if not machine.up or not has_recovered(machine, rule):
        return state
    if rule.reading("flip_back") == "optional":
        return state
    if not rule.effect("BTW-CRIT-3", True, machine=number, tile=machine.tile or "unseen"):
        return state
    return _lower(state, number)


def _lower(state: Tableau, number: int) -> Tableau:
    tile = state.machines[number].tile
    lowered = state.turn.lowered if tile is None else (*state.turn.lowered, tile)
    turn = evolve(state.turn, lowered=lowered)
    return evolve(with_machine(state, number, up=False), turn=turn)


def start_tile(state: Tableau, tile: Tile, rule: Rule) -> Tableau:
    """What a tile does at the moment it comes up; the others act where they are asked."""
    if tile == "cap":
        limit = rule.kit.numbers.knowledge_limit_cap
        return force_discards(state, state.seating.seats, limit, "BTW-CAP-1", rule)
    if tile == "extra":
        return _one_more(state, rule)
    return state


def _one_more(state: Tableau, rule: Rule) -> Tableau:
    placement = state.placement
    if state.phase == "spy_due":
        return evolve(state, placement=evolve(placement, extra_by_spy=True))
    if state.phase != "placing" or placement.extra:
        return state
    due = placement.due + rule.effect("BTW-EXT-2", True, due=placement.due + 1)
    return evolve(state, placement=evolve(placement, due=due, extra=True))


@rules.hears(RevealTile)
def reveal_tile(state: Tableau, action: RevealTile, rule: Rule) -> Tableau:
    number, tile = action.machine, action.tile
    machine = state.machines[number]
    flipped = state.unrevealed
    by_spy = "BTW-SPY-6" if state.phase == "spy_due" else "BTW-PLACE-7"
    rule(by_spy, flipped in (None, number), machine=flipped or number)
    if machine.tile is not None:
        _check_known_tile(state, machine.tile, action, rule)
    else:
        clause = "BTW-SET-2" if state.in_setup else "BTW-CRIT-1"
        rule(clause, machine.up, machine=number, tokens=machine.tokens.size, spies=machine.spies)
        _check_new_tile(state, action, rule)
    state = touch(state, rule.number, tile_at(tile, number))
    if machine.tile == tile:
        return state
    state = _learn(state, number, tile, rule)
    return start_tile(state, tile, rule) if machine.up else state


def _check_known_tile(state: Tableau, known: str, action: RevealTile, rule: Rule) -> None:
    facts: dict[str, Any] = {"machine": action.machine, "known": known, "tile": action.tile}
    seen = entries_about(state, tile_at(known, action.machine))
    clause = "BTW-CRIT-5" if seen else "BTW-CRIT-9"
    if known != action.tile:
        told = seen or _entries_about_tiles(state)
        facts["since"] = told[0]
        rule.proves(clause, *told, rule.number, **facts)
    rule(clause, known == action.tile, **facts)


def _check_new_tile(state: Tableau, action: RevealTile, rule: Rule) -> None:
    elsewhere = state.where_is(action.tile)
    facts = {"machine": action.machine, "tile": action.tile, "elsewhere": elsewhere}
    if elsewhere is not None:
        seen = entries_about(state, tile_at(action.tile, elsewhere))
        facts["since"] = seen[0]
        rule.proves("BTW-CRIT-8", *seen, rule.number, **facts)
    rule("BTW-CRIT-8", elsewhere is None, **facts)


def _entries_about_tiles(state: Tableau) -> tuple[int, ...]:
    """The entries that have shown the tiles: by them the last one is known."""
    known = [tile_at(m.tile, n) for n, m in state.machines.items() if m.tile is not None]
    return entries_about(state, *known)


def _learn(state: Tableau, number: int, tile: Tile, rule: Rule) -> Tableau:
    """A tile is where it was seen last; what it contradicts is unknown again."""
    before = state.where_is(tile)
    if before is not None:
        state = with_machine(state, before, tile=None)
    state = with_machine(state, number, tile=tile)
    unnamed = state.unrevealed
    state = know_the_last_tile(state, rule)
    last = None if unnamed is None else state.machines[unnamed].tile
    return state if last is None else start_tile(state, last, rule)


def know_the_last_tile(state: Tableau, rule: Rule) -> Tableau:
    """Where five tiles are known the sixth machine has the one that is left."""
    unknown = [n for n, machine in state.machines.items() if machine.tile is None]
    left = [tile for tile in rule.kit.critical_tiles.kinds if state.where_is(tile) is None]
    if len(unknown) != 1 or len(left) != 1:
        return state
    (number,), (tile,) = unknown, left
    if not rule.effect("BTW-CRIT-9", True, machine=number, tile=tile):
        return state
    return with_machine(state, number, tile=tile)


@rules.hears(LowerTile)
def lower_tile(state: Tableau, action: LowerTile, rule: Rule) -> Tableau:
    machine = state.machines[action.machine]
    facts = {"machine": action.machine, "tokens": machine.tokens.size, "spies": machine.spies}
    rule("BTW-CRIT-4" if machine.spies else "BTW-CRIT-1", has_recovered(machine, rule), **facts)
    optional = machine.up and rule.reading("flip_back") == "optional"
    right = optional and has_recovered(machine, rule)
    rule("BTW-CRIT-3", right, machine=action.machine, tile=machine.tile)
    state = touch(state, rule.number, f"machine {action.machine}")
    return _lower(state, action.machine) if machine.up else state
