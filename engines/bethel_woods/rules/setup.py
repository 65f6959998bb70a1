"""Setup, and raising the difficulty."""

from __future__ import annotations

from engines.bethel_woods.actions import DealCharacter, DrawMalfunction, Table, TokenPlace
from engines.bethel_woods.kit import RING, TYPE_NAMES, Box, line_up
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import lay_token
from engines.bethel_woods.rules.supply import check_drawn, take_from_supply
from engines.bethel_woods.state import (
    Column,
    Machine,
    Placement,
    Player,
    Seating,
    Supply,
    Tableau,
    touch,
)
from engines.kernel import GO_ON, evolve, with_player


@rules.checks_kit
def check_box(kit: Box, rule: Rule) -> None:
    rule("BTW-SET-3", kit.daydreamer.costs == RING, costs=kit.daydreamer.costs)
    icons = "".join("".join(pair) for pair in kit.icons.values())
    for kind, count in kit.workers.items():
        rule("BTW-SET-4", icons.count(kind) == count, type=TYPE_NAMES[kind], machine=None)
    for machine, (one, other) in kit.icons.items():
        rule("BTW-SET-4", one != other, type=TYPE_NAMES[one], machine=machine)
    linked = [section.machine for section in kit.sections]
    rule("BTW-BUILD-1", sorted(linked) == list(RING), machines=linked)


@rules.opens
def open_table(opening: Table, rule: Rule) -> Tableau:
    kit, seats = rule.kit, opening.players
    fewest, most = _players_allowed(rule)
    rule("BTW-SET-1", fewest <= len(seats) <= most, players=len(seats), fewest=fewest, most=most)
    allowed = kit.levels[opening.level]
    added = opening.spies if opening.spies is not None else allowed[0] if len(allowed) == 1 else 0
    rule("BTW-DIFF-1", added in allowed, level=opening.level, spies=added, allowed=allowed)
    both = ("two_with_spy", "2")
    read = (rule.reading("critical_threshold"), rule.reading("setup_spy_cap"))
    rule("BTW-DIFF-4", read != both, readings=read)
    return Tableau(
        seating=Seating(seats, opening.first, added),
        active=opening.first,
        phase="setup_spies",
        players={seat: Player() for seat in seats},
        machines={number: Machine(line_up(kit.icons[number])) for number in RING},
        sections=dict.fromkeys(RING, ""),
        supply=Supply(kit.malfunctions.count, kit.tokens),
        column=Column(RING),
        placement=Placement(kit.numbers.setup_malfunctions, setup=True),
        agenda=GO_ON,
    )


def _players_allowed(table: AnyTable) -> tuple[int, int]:
    if table.reading("players_allowed") == "1-6":
        return 1, 6
    return table.kit.players.min, table.kit.players.max


@rules.hears(DealCharacter)
def deal_character(state: Tableau, action: DealCharacter, rule: Rule) -> Tableau:
    seat, character = action.seat, action.character
    owners = [other for other, player in state.players.items() if player.character == character]
    own = state.players[seat].character
    rule("BTW-SET-11", own is None and not owners, seat=seat, character=character, owners=owners)
    rule.heard_out()
    state = with_player(state, seat, character=character)
    return touch(state, rule.number, seat)


def draw_in_setup(state: Tableau, action: DrawMalfunction, rule: Rule) -> Tableau:
    token, at = action.token, action.at
    own = int(token[1])
    place: TokenPlace = own
    clause = _why_full(state, own, rule)
    if clause is not None and rule.effect(clause, True, token=token, place="supply", at=at):
        place = "supply"
    else:
        clause = "BTW-SET-7"
    rule(clause, at in (None, place), token=token, place=place, at=at)
    target = place if at is None else at
    if target == "supply":
        check_drawn(state, token, rule)
        rule.heard_out()
        returned = evolve(state.placement, returned=state.placement.returned + 1)
        return touch(state, rule.number, placement=returned)
    supply = take_from_supply(state, token, rule)
    rule.heard_out()
    placed = evolve(state.placement, placed=state.placement.placed + 1)
    state = evolve(state, placement=placed)
    return lay_token(state, target, token, supply, rule)


def _why_full(state: Tableau, number: int, table: AnyTable) -> str | None:
    """The clause that sends a further set-up token for this machine back."""
    machine = state.machines[number]
    if machine.spies and machine.tokens.size >= int(table.reading("setup_spy_cap")):
        return "BTW-DIFF-3"
    if machine.tokens.size >= table.kit.numbers.setup_max_per_machine:
        return "BTW-SET-8"
    return None
