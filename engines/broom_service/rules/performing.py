"""How a laid card is performed: its permissions, its alternatives, its end."""

from __future__ import annotations

from engines.broom_service.actions import POTIONS, End, Role
from engines.broom_service.kit import BroomKit
from engines.broom_service.rules.book import (
    Rule,
    close_action,
    has_spent,
    permitted,
    rules,
    with_turn,
)
from engines.broom_service.rules.clouds import can_chase
from engines.broom_service.rules.ground import moves_from
from engines.broom_service.rules.roles import Delivery, can_deliver, can_move, role_permissions
from engines.broom_service.rules.tiles import usable_tile
from engines.broom_service.state import PAWNS, Broom, Deed
from engines.kernel import Agenda, Duty, Group, Step, Table, evolve

ALTERNATIVES = ("black_market", "secret_distillery")
"""Events that offer something instead of a cowardly action."""


def perform(state: Broom, seat: str, role: Role, brave: bool, then: str, rule: Rule) -> Broom:
    """Opens the action of a card; the step named follows when it has ended."""
    duties = [*role_permissions(role, seat, rule.kit)]
    if not brave:
        duties += _alternatives(state, seat, rule)
    group = Group(*duties, Duty("end", seat, None))
    state = with_turn(state, deed=Deed(seat, role, brave))
    return evolve(state, agenda=Agenda().push(Step("settle"), group, Step(then)))


def _alternatives(state: Broom, seat: str, rule: Rule) -> list[Duty]:
    duties = []
    if state.round.event in ALTERNATIVES:
        duties.append(Duty("take", seat, None, None, True))
    if any(usable_tile(state, seat, tile, rule) for tile in ("courage", "five")):
        duties.append(Duty("use", seat, None, None, True))
    return duties


@rules.derives("settle")
def settle_action(state: Broom, rule: Rule) -> Broom:
    """An action ends by itself when nothing of it can be done any more."""
    deed = state.turn.deed
    if deed is None or not state.agenda.owes("end", deed.seat):
        return state
    if any(can_exercise(state, duty, rule) for duty in state.agenda.duties):
        return state
    return close_action(state)


def can_exercise(state: Broom, duty: Duty, table: Table[BroomKit]) -> bool:
    seat = duty.seat
    if duty.kind == "end" or seat is None:
        return False
    if duty.kind == "move":
        return _can_move_anywhere(state, seat, duty, table)
    if duty.kind == "deliver":
        return any(can_deliver(state, one, table) for one in deliveries(state, duty, table.kit))
    if duty.kind == "chase":
        source = duty.why or "role"
        return any(can_chase(state, seat, space, source, table) for space in state.board.clouds)
    if duty.kind == "take":
        return may_take_event(state, seat, table)
    return True


def _can_move_anywhere(state: Broom, seat: str, permit: Duty, table: Table[BroomKit]) -> bool:
    at = state.players[seat].pawns
    return any(
        can_move(state, seat, pawn, to, permit, table)
        for pawn in PAWNS
        for to in moves_from(state, at[pawn], table)
    )


def deliveries(state: Broom, permit: Duty, kit: BroomKit) -> list[Delivery]:
    """Deliveries that are near enough to be asked about."""
    seat, side = permit.seat or "", state.side(kit)
    player = state.players[seat]
    owned = {potion for potion in POTIONS if player.resources[potion]}
    found = []
    for pawn in PAWNS:
        region = player.pawns[pawn]
        here = [(name, side.towers[name].colour) for name in side.towers_at[region]]
        if state.board.tiles.get(region) == "market":
            here.append(("market", kit.tiles.market_potion))
        found += [
            Delivery(seat, colour, name, pawn, permit.why or "role")
            for name, colour in here
            if colour in owned
        ]
    return found


def may_take_event(state: Broom, seat: str, table: Table[BroomKit]) -> bool:
    """Whether the event may replace the action, even an impossible one."""
    if table.reading("event_if_impossible") == "yes":
        return True
    own = ("gather", "move", "deliver", "chase")
    permits = [permit for kind in own for permit in permitted(state, kind, seat)]
    return any(can_exercise(state, permit, table) for permit in permits)


@rules.hears(End)
def end(state: Broom, action: End, rule: Rule) -> Broom:
    """Gives up what is left of an action; at the end of a round, keeps a full set."""
    deed = state.turn.deed
    if deed is None or deed.seat != action.by:
        return state
    if has_spent(deed, "move", "tile"):
        steps = [permit for permit in permitted(state, "move", deed.seat) if permit.why == "tile"]
        left = any(can_exercise(state, step, rule) for step in steps)
        part = rule.reading("partial_mountain") == "yes"
        rule("BRM-MTN-5", part or not left, seat=deed.seat)
    return close_action(state)
