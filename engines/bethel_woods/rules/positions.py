"""Declared positions: from a position to a state, and back."""

from __future__ import annotations

from collections.abc import Mapping

from engines.bethel_woods.actions import MachinePosition, PlayerPosition, Position
from engines.bethel_woods.kit import RING, Box, in_order
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import is_overloaded, know_the_last_tile
from engines.bethel_woods.rules.knowledge import knowledge_limit
from engines.bethel_woods.state import (
    Column,
    Machine,
    Owed,
    Placement,
    Player,
    Supply,
    Tableau,
    Touch,
    Turn,
    knowledge_of,
    seen_tokens,
    tile_at,
    tokens_at,
    workers_at,
)
from engines.kernel import GO_ON, Bag, ParseError, Positions, Setting, evolve
from engines.kernel.values.models import to_position

# from a position to a state


@rules.hears(Position)
def declare(state: Tableau, action: Position, rule: Rule) -> Tableau:
    named = () if action.active is None else (action.active,)
    for seat in (*action.players, *action.begun, *named):
        if seat not in state.players:
            raise ParseError("no_such_seat", seat=seat, seats=state.seating.seats)
    state = _laid_out(state, action, rule)
    _check_invariants(state, action, rule)
    _check_running(state, action, rule)
    touched = Touch(rule.number, _everything(state, action))
    return evolve(state, trail=(touched,), agenda=GO_ON)


def _laid_out(state: Tableau, action: Position, rule: Rule) -> Tableau:
    """The table as the position states it."""
    machines = {n: _machine(n, action.machines.get(n, MachinePosition()), rule) for n in RING}
    on_board = [spy for machine in machines.values() for spy in machine.spies]
    known = {*on_board, *action.returned, *action.on_top}
    unseen = tuple(n for n in RING if n not in known)
    owes = {seat: player.owes for seat, player in action.players.items() if player.owes}
    state = evolve(
        state,
        active=action.active or state.seating.first,
        phase="turn_end" if _starts_placement(action) else action.phase,
        players={seat: _player(state, seat, action) for seat in state.players},
        machines=machines,
        sections={n: action.sections.get(n, "") for n in RING},
        column=Column(unseen, action.returned, action.on_top),
        placement=_placement(action, machines, rule.kit),
        discard_pile=action.discard_pile,
        turn=action.turn,
        begun=action.begun,
        turn_number=action.turn_number,
        owed=Owed(owes, action.forced_by) if owes else None,
        outcome=action.outcome,
    )
    state = evolve(state, supply=_supply(state, action, rule.kit))
    return know_the_last_tile(state, rule)


def _starts_placement(action: Position) -> bool:
    return action.phase == "placing" and action.placement is None


def _machine(number: int, said: MachinePosition, table: AnyTable) -> Machine:
    spies = said.spy if isinstance(said.spy, tuple) else (number,) if said.spy else ()
    machine = Machine(said.workers, Bag(said.tokens), spies, said.tile)
    up = is_overloaded(machine, table) if said.up is None else said.up
    return evolve(machine, up=up)


def _player(state: Tableau, seat: str, action: Position) -> Player:
    said = action.players.get(seat, PlayerPosition())
    return Player(said.character or state.players[seat].character, Bag(said.knowledge))


def _placement(action: Position, machines: Mapping[int, Machine], kit: Box) -> Placement:
    """What is said of a placement, or what the phase alone says of it."""
    if action.placement is not None:
        return action.placement
    if action.phase in ("setup_spies", "setup_draws"):
        tokens = sum(machine.tokens.size for machine in machines.values())
        spies = sum(len(machine.spies) for machine in machines.values())
        due = kit.numbers.setup_malfunctions
        return Placement(due, setup=True, placed=tokens, spies=spies)
    due, spy = kit.numbers.malfunctions_per_turn, action.phase == "spy_due"
    return Placement(due, placed=due, new_critical=spy, spies_due=int(spy))


def _supply(state: Tableau, action: Position, kit: Box) -> Supply:
    seen, counted = Bag(seen_tokens(state)), action.supply
    if action.miscounted:
        return Supply(counted, None)
    if counted is None and kit.malfunctions.count is not None:
        counted = max(0, kit.malfunctions.count - seen.size)
    return Supply(counted, None if kit.tokens is None else kit.tokens.minus(seen))


def _everything(state: Tableau, action: Position) -> tuple[str, ...]:
    """All that a declared position says something about."""
    machines = action.machines.items()
    return (
        *("supply", "discard_pile", "spies", "built"),
        *(knowledge_of(seat) for seat in state.players),
        *(about(number) for number in RING for about in (tokens_at, workers_at)),
        *(tile_at(m.tile, n) for n, m in machines if m.tile is not None),
        *(f"spy {spy}" for spy in (*state.spies, *state.column.seen)),
        *dict.fromkeys(seen_tokens(state)),
    )


def _check_invariants(state: Tableau, action: Position, rule: Rule) -> None:
    kit, clause = rule.kit, "BTW-POS-1"
    seen = Bag(seen_tokens(state))
    surplus = [t for t in sorted(seen) if kit.tokens is not None and seen[t] > kit.tokens[t]]
    told = rule.doubt if action.miscounted else rule
    told(clause, not surplus, what="tokens", which=surplus)
    if kit.malfunctions.count is not None and not action.miscounted:
        left, counted = kit.malfunctions.count - seen.size, state.supply.count
        rule(clause, counted == left, what="supply", which=[counted])
    standing = "".join(machine.workers for machine in state.machines.values())
    held = "".join(turn.hand for turn in (action.turn, *action.begun.values()))
    workers = standing + held + "".join(state.sections.values())
    wrong = [kind for kind, count in kit.workers.items() if workers.count(kind) != count]
    rule(clause, not wrong, what="workers", which=wrong)
    misplaced = [
        section
        for section, inside in state.sections.items()
        if inside and inside not in kit.accepts[section]
    ]
    rule.doubt(clause, not misplaced, what="sections", which=misplaced)
    spies = (*state.spies, *state.column.seen)
    twice = {spy for spy in spies if spies.count(spy) > 1}
    rule(clause, not twice, what="spies", which=sorted(twice))
    astray = {spy for n, machine in state.machines.items() for spy in machine.spies if spy != n}
    rule.doubt(clause, not astray, what="spies", which=sorted(astray))
    tiles = [machine.tile for machine in state.machines.values()]
    same = [tile for tile in sorted(kit.critical_tiles.kinds) if tiles.count(tile) > 1]
    rule(clause, not same, what="tiles", which=same)


def _check_running(state: Tableau, action: Position, rule: Rule) -> None:
    numbers, clause = rule.kit.numbers, "BTW-POS-2"
    rule(clause, state.phase != "over", what="over")
    unknown = [n for n, machine in state.machines.items() if machine.up and machine.tile is None]
    just_flipped = int(action.phase in ("placing", "spy_due") and action.placement is not None)
    rule.doubt(clause, len(unknown) <= just_flipped, what="tiles", unnamed=unknown)
    turned = [n for n, machine in state.machines.items() if not _tile_follows(machine, rule)]
    rule.doubt(clause, not turned, what="tiles", turned=turned)
    rule.doubt(clause, len(state.spies) < numbers.spies_lose, what="spies", which=state.spies)
    inside = [section for section, workers in state.sections.items() if workers]
    rule.doubt(clause, state.built < len(rule.kit.daydreamer.costs), what="sections", which=inside)
    _check_knowledge(state, rule)
    few = len(state.critical) < numbers.critical_machines_lose
    lost = _starts_placement(action) and not few
    rule.doubt(clause, not lost, what="critical", which=state.critical)
    _check_characters(state, rule)
    _check_turns(state, rule)
    _check_setup(state, rule)


def _check_knowledge(state: Tableau, rule: Rule) -> None:
    """Nobody is above the limit, or owes anything but what is."""
    limit, owed = knowledge_limit(state, rule), {} if state.owed is None else state.owed.counts
    held = {seat: player.knowledge.size for seat, player in state.players.items()}
    in_turn = state.active if state.phase == "turn" and state.turn != Turn() else None
    above = {
        seat: count
        for seat, count in held.items()
        if seat != in_turn and count > limit + owed.get(seat, 0)
    }
    rule.doubt("BTW-POS-2", not above, what="knowledge", above=above, limit=limit)
    free = {seat: owes for seat, owes in owed.items() if held[seat] - owes < limit}
    rule.doubt("BTW-POS-2", not free, what="knowledge", free=free, limit=limit)


def _check_characters(state: Tableau, rule: Rule) -> None:
    for seat, player in state.players.items():
        owners = [
            other
            for other, one in state.players.items()
            if other != seat and one.character == player.character is not None
        ]
        facts = {"seat": seat, "character": player.character, "owners": owners}
        if not rule.doubt("BTW-SET-11", not owners, **facts):
            return


def _check_turns(state: Tableau, rule: Rule) -> None:
    """What a player has done in a turn goes together."""
    turns = {**state.begun, state.active: state.turn}
    astray = [seat for seat, turn in turns.items() if not _could_be(turn, state)]
    rule.doubt("BTW-POS-2", not astray, what="turn", astray=astray)


def _could_be(turn: Turn, state: Tableau) -> bool:
    if turn.origin is None:
        sown = turn.hand or turn.reached or turn.last_drop or turn.built or turn.uncovered
        return not sown and turn.window is None
    window = turn.window
    if window is not None:
        there = state.machines[window.machine].workers.count(window.type)
        if not window.left <= there:
            return False
    return turn.reached is not None and not (turn.hand and turn.last_drop)


def _check_setup(state: Tableau, rule: Rule) -> None:
    """Before the first turn nothing has been fixed, paid or built."""
    if not state.in_setup:
        return
    known = any(player.knowledge for player in state.players.values())
    tokens = sum(machine.tokens.size for machine in state.machines.values())
    begun = known or state.discard_pile or state.built or state.critical
    right = tokens == state.placement.placed and not begun
    rule.doubt("BTW-POS-2", right, what="setup")


def _tile_follows(machine: Machine, table: AnyTable) -> bool:
    """A tile is up exactly at critical machines, unless that is read otherwise."""
    overloaded = is_overloaded(machine, table)
    if machine.up and not overloaded:
        return table.reading("flip_back") == "optional"
    if overloaded and not machine.up:
        return table.reading("flip_back_limit") == "literal_3"
    return True


# from a state to a position


def position_of(state: Tableau, setting: Setting[Box]) -> Position:
    """The action that declares this state."""
    owes = {} if state.owed is None else state.owed.counts
    return to_position(
        Position,
        state,
        state.column,
        machines={n: _said(n, machine, setting) for n, machine in state.machines.items()},
        sections={n: inside for n, inside in state.sections.items() if inside},
        players={
            seat: to_position(
                PlayerPosition,
                player,
                knowledge=in_order(player.knowledge.elements()),
                owes=owes.get(seat, 0),
            )
            for seat, player in state.players.items()
        },
        supply=state.supply.count,
        miscounted=_is_miscounted(state.supply, setting.kit),
        forced_by="BTW-KNOW-3" if state.owed is None else state.owed.why,
    )


def _is_miscounted(supply: Supply, kit: Box) -> bool:
    counts, tokens = kit.malfunctions.count is not None, kit.tokens is not None
    return (counts and supply.count is None) or (tokens and supply.tokens is None)


def _said(number: int, machine: Machine, table: AnyTable) -> MachinePosition:
    spies = machine.spies
    return to_position(
        MachinePosition,
        machine,
        tokens=in_order(machine.tokens.elements()),
        spy=bool(spies) if spies in ((), (number,)) else spies,
        up=None if machine.up == is_overloaded(machine, table) else machine.up,
    )


POSITIONS = Positions(Position, position_of, ("machines.*.tokens", "discard_pile"))
