"""Declared positions: from a position to a state, and back."""

from __future__ import annotations

from msgspec.structs import asdict

from engines.bethel_woods import actions as act
from engines.bethel_woods.actions import MachinePosition, PlayerPosition, Position
from engines.bethel_woods.kit import RING, Box, in_order
from engines.bethel_woods.rules.book import AnyTable, Rule, rules
from engines.bethel_woods.rules.critical import is_overloaded
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
    Window,
    knowledge_of,
    seen_tokens,
    tokens_at,
    workers_at,
)
from engines.kernel import GO_ON, Bag, ParseError, Setting, evolve

# from a position to a state


@rules.hears(Position)
def declare(state: Tableau, action: Position, rule: Rule) -> Tableau:
    for seat in (*action.players, *(() if action.active is None else (action.active,))):
        if seat not in state.players:
            raise ParseError("no_such_seat", seat=seat, seats=state.seating.seats)
    state = _laid_out(state, action, rule)
    _check_invariants(state, action, rule)
    _check_running(state, action, rule)
    return evolve(state, trail=(Touch(rule.number, _everything(state)),), agenda=GO_ON)


def _laid_out(state: Tableau, action: Position, rule: Rule) -> Tableau:
    """The table as the position states it."""
    machines = {n: _machine(n, action.machines.get(n, MachinePosition()), rule) for n in RING}
    on_board = [spy for machine in machines.values() for spy in machine.spies]
    known = {*on_board, *action.returned}
    owes = {seat: player.owes for seat, player in action.players.items() if player.owes}
    resting = rule.kit.numbers.malfunctions_per_turn
    state = evolve(
        state,
        active=action.active or state.seating.first,
        phase="turn_end" if _starts_placement(action) else action.phase,
        players={seat: _player(state, seat, action) for seat in state.players},
        machines=machines,
        sections={n: action.sections.get(n, "") for n in RING},
        column=Column(tuple(n for n in RING if n not in known), action.returned),
        placement=_placement(action, resting),
        discard_pile=action.discard_pile,
        turn=_turn(action.turn),
        begun={seat: _turn(turn) for seat, turn in action.begun.items()},
        turn_number=action.turn_number,
        owed=Owed(owes, action.forced_by) if owes else None,
        outcome=action.outcome,
    )
    return evolve(state, supply=_supply(state, action.supply, rule.kit))


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


def _turn(said: act.Turn) -> Turn:
    window = None if said.window is None else Window(**dict(said.window))
    return Turn(**{**dict(said), "window": window})


def _placement(action: Position, resting: int) -> Placement:
    if action.placement is None:
        return Placement(resting, placed=resting)
    return Placement(**dict(action.placement))


def _supply(state: Tableau, counted: int | None, kit: Box) -> Supply:
    seen = Bag(seen_tokens(state))
    if counted is None and kit.malfunctions.count is not None:
        counted = max(0, kit.malfunctions.count - seen.size)
    return Supply(counted, None if kit.tokens is None else kit.tokens.minus(seen))


def _everything(state: Tableau) -> tuple[str, ...]:
    """All that a declared position says something about."""
    machines = state.machines.items()
    return (
        *("supply", "discard_pile", "spies", "built"),
        *(knowledge_of(seat) for seat in state.players),
        *(about(number) for number in RING for about in (tokens_at, workers_at)),
        *(f"tile {machine.tile}" for _, machine in machines if machine.tile is not None),
        *(f"spy {spy}" for spy in (*state.spies, *state.column.returned)),
        *dict.fromkeys(seen_tokens(state)),
    )


def _check_invariants(state: Tableau, action: Position, rule: Rule) -> None:
    kit, clause = rule.kit, "BTW-POS-1"
    seen = Bag(seen_tokens(state))
    surplus = [t for t in sorted(seen) if kit.tokens is not None and seen[t] > kit.tokens[t]]
    rule(clause, not surplus, what="tokens", which=surplus)
    if kit.malfunctions.count is not None:
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
        if inside and (len(inside) > 1 or inside not in kit.accepts[section])
    ]
    rule(clause, not misplaced, what="sections", which=misplaced)
    spies = (*state.spies, *state.column.returned)
    astray = {spy for n, machine in state.machines.items() for spy in machine.spies if spy != n}
    astray |= {spy for spy in spies if spies.count(spy) > 1}
    rule(clause, not astray, what="spies", which=sorted(astray))
    tiles = [machine.tile for machine in state.machines.values() if machine.tile is not None]
    twice = sorted({tile for tile in tiles if tiles.count(tile) > 1})
    rule(clause, not twice, what="tiles", which=twice)


def _check_running(state: Tableau, action: Position, rule: Rule) -> None:
    numbers, clause = rule.kit.numbers, "BTW-POS-2"
    rule(clause, state.phase != "over", what="end")
    unknown = [n for n, machine in state.machines.items() if machine.up and machine.tile is None]
    just_flipped = int(action.phase in ("placing", "spy_due") and action.placement is not None)
    rule(clause, len(unknown) <= just_flipped, what="tiles")
    follows = all(_tile_follows(machine, rule) for machine in state.machines.values())
    rule(clause, follows, what="tiles")
    rule(clause, len(state.spies) < numbers.spies_lose, what="spies")
    rule(clause, state.built < len(rule.kit.daydreamer.costs), what="sections")
    rule(clause, all(_within_limit(state, seat, rule) for seat in state.players), what="knowledge")
    few = len(state.critical) < numbers.critical_machines_lose
    rule(clause, few or not _starts_placement(action), what="critical")


def _tile_follows(machine: Machine, table: AnyTable) -> bool:
    """A tile is up exactly at critical machines, unless that is read otherwise."""
    overloaded = is_overloaded(machine, table)
    if machine.up and not overloaded:
        return table.reading("flip_back") == "optional"
    if overloaded and not machine.up:
        return table.reading("flip_back_limit") == "literal_3"
    return True


def _within_limit(state: Tableau, seat: str, table: AnyTable) -> bool:
    if seat == state.active and state.phase == "turn" and state.turn != Turn():
        return True
    owes = 0 if state.owed is None else state.owed.counts.get(seat, 0)
    left = state.players[seat].knowledge.size - owes
    return 0 <= left <= knowledge_limit(state, table)


# from a state to a position


def position_of(state: Tableau, setting: Setting[Box]) -> Position:
    """The action that declares this state."""
    owes = {} if state.owed is None else state.owed.counts
    return Position(
        active=state.active,
        phase=state.phase,
        turn_number=state.turn_number,
        machines={n: _said(n, machine, setting) for n, machine in state.machines.items()},
        sections={n: inside for n, inside in state.sections.items() if inside},
        players={
            seat: PlayerPosition(
                character=player.character,
                knowledge=in_order(player.knowledge.elements()),
                owes=owes.get(seat, 0),
            )
            for seat, player in state.players.items()
        },
        returned=state.column.returned,
        discard_pile=state.discard_pile,
        supply=state.supply.count,
        turn=_said_turn(state.turn),
        begun={seat: _said_turn(turn) for seat, turn in state.begun.items()},
        placement=act.Placement(**asdict(state.placement)),
        forced_by="BTW-KNOW-3" if state.owed is None else state.owed.why,
        outcome=state.outcome,
    )


def _said(number: int, machine: Machine, table: AnyTable) -> MachinePosition:
    spies = machine.spies
    return MachinePosition(
        workers=machine.workers,
        tokens=in_order(machine.tokens.elements()),
        spy=bool(spies) if spies in ((), (number,)) else spies,
        tile=machine.tile,
        up=None if machine.up == is_overloaded(machine, table) else machine.up,
    )


def _said_turn(turn: Turn) -> act.Turn:
    window = None if turn.window is None else act.Window(**asdict(turn.window))
    return act.Turn(**{**asdict(turn), "window": window})
