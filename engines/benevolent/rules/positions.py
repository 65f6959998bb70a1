"""A position declared by hand must be one that play could have reached; a state as a position."""

from __future__ import annotations

from itertools import chain

from engines.benevolent.actions import BegunTurn, Holding, Position
from engines.benevolent.kit import GIFTS, Box, Ephemeral, Forest
from engines.benevolent.rules.book import TURN, Rule, rules
from engines.benevolent.rules.gifts import has_all
from engines.benevolent.rules.repeats import REPEATS, begun_turn, kind_of
from engines.benevolent.rules.setup import assembled, check_faces
from engines.benevolent.rules.sites import SLOTS_ABOVE, beneath
from engines.benevolent.state import PHASES, UNKNOWN, Player, Tableau, Turn, Unknown
from engines.kernel import Agenda, Bag, Duty, Group, Positions, Setting, evolve
from engines.kernel.values.models import from_position, to_position
from engines.kernel.values.secret import Unknowable


@rules.hears(Position)
def declare_position(state: Tableau, action: Position, rule: Rule) -> Tableau:
    seats = set(state.players)
    rule("BEN-SETUP-3", set(action.players) == seats and action.active in seats)
    forest = assembled(state, action.forest, rule) if action.forest else state.forest
    rule("BEN-SETUP-24", forest or action.phase == "setup", missing=("forest",))
    players = {
        seat: declared_player(seat, player, action.players[seat], forest, rule)
        for seat, player in state.players.items()
    }
    check_steps(players, rule)
    check_holdings(players, rule)
    laid = bool(action.pyramid) or action.phase != "setup"
    check_secrets(action, laid, rule)
    check_turn(action, players[action.active], forest, rule)
    river = Bag(rule.kit.river(len(players)))
    for player in players.values():
        river = river.minus(player.gifts)
    leaves = sum(player.own_leaves + player.hoard for player in players.values())
    winner = next((seat for seat, player in players.items() if has_all(player)), None)
    return evolve(
        state,
        players=players,
        river=river,
        reserve=rule.kit.leaves.count - leaves,
        forest=forest,
        pyramid=dict(action.pyramid),
        box=declared_box(action, rule) if laid else (),
        laid=rule.number if laid else None,
        turn=declared_turn(action),
        winner=winner,
        begun={
            seat: evolve(begun_turn(state, seat), arrival=turn.arrival, done=frozenset(turn.done))
            for seat, turn in action.begun.items()
        },
        agenda=Agenda() if winner else declared_agenda(action, forest),
    )


def declared_box(action: Position, rule: Rule) -> tuple[Ephemeral | Unknown, ...]:
    """Tiles neither lying nor held are used up, whatever their faces."""
    held = sum(len(one.ephemeral) + len(one.permanent) for one in action.players.values())
    missing = len(rule.kit.secrets.tiles) - len(action.pyramid) - held - len(action.used)
    return (*action.used, *[UNKNOWN] * missing)


def declared_turn(action: Position) -> Turn:
    done = frozenset(action.done)
    return from_position(Turn, action, number=action.turn, repeats=action.open_repeats, done=done)


def declared_agenda(action: Position, forest: Forest | None) -> Agenda:
    if action.phase != "setup":
        return Agenda().push(*TURN[PHASES.index(action.phase) :])
    missing = {"forest": forest, "pyramid": action.pyramid}
    duties = Group(*(Duty(kind) for kind, laid in missing.items() if not laid))
    return Agenda().push(*(duties,) if duties else (), *TURN)


def declared_player(
    seat: str, player: Player, holding: Holding, forest: Forest | None, rule: Rule
) -> Player:
    own = holding.forest
    strays = [name for name in own if forest is None or name not in forest.hexes]
    rule("BEN-MOVE-16", not strays, hex=strays)
    steps = holding.card + len(own) + 1
    rule("BEN-KIT-5", steps == rule.kit.steps_per_colour.count, steps=steps, seat=seat)
    most = max((own.count(name) for name in own), default=0)
    if "double_step" in holding.permanent:
        rule.doubt("BEN-PERM-6", most <= 2 or rule.reading("double_step_cap") == "none", steps=most)
    else:
        rule.doubt("BEN-MOVE-2", most <= 1, steps=most)
    if forest is not None and "free_path" not in holding.permanent:
        rule.doubt("BEN-MOVE-11", forest.connected(own), steps=own)
    rule.doubt("BEN-PERM-5", not holding.hoard or "hoard" in holding.permanent, without=seat)
    return from_position(Player, holding, colour=player.colour, gifts=Bag(holding.gifts))


def check_steps(players: dict[str, Player], rule: Rule) -> None:
    """Everybody places one step a turn while there are any: nobody is ahead by more than one."""
    placed = {seat: len(player.forest) for seat, player in players.items()}
    level = max(placed.values()) - min(placed.values()) <= 1
    rule.doubt("BEN-TURN-2", level, placed=placed)


def check_holdings(players: dict[str, Player], rule: Rule) -> None:
    held, leaves = sum(p.own_leaves + p.hoard for p in players.values()), rule.kit.leaves.count
    limited = rule.reading("leaf_supply") == "limited"
    rule("BEN-KIT-2", held <= leaves or not limited, held=held, leaves=leaves)
    clause = {2: "BEN-SETUP-8", 3: "BEN-SETUP-9", 4: "BEN-SETUP-10"}[len(players)]
    for gift, laid_out in rule.kit.river(len(players)).items():
        held = sum(player.gifts[gift] for player in players.values())
        rule(clause, held <= laid_out, gift=gift, held=held, laid_out=laid_out)
    for seat, player in players.items():
        rule("BEN-END-1", not has_all(player), seat=seat)


def check_secrets(action: Position, laid: bool, rule: Rule) -> None:
    held = [(*holding.ephemeral, *holding.permanent) for holding in action.players.values()]
    faces = [*action.pyramid.values(), *chain(*held), *action.used]
    if not laid:
        rule("BEN-SETUP-24", not faces, missing=("pyramid",))
    named, tiles = len(faces), len(rule.kit.secrets.tiles)
    rule("BEN-KIT-3", named <= tiles, named=named, tiles=tiles)
    check_faces(faces, rule)
    for slot in SLOTS_ABOVE:
        under = sorted(beneath(slot) & action.pyramid.keys())
        rule.doubt("BEN-TABLE-2", slot in action.pyramid or not under, slot=slot, under=under)


def check_turn(action: Position, active: Player, forest: Forest | None, rule: Rule) -> None:
    reached = [action.arrival, *(turn.arrival for turn in action.begun.values())]
    strays = [name for name in reached if name and not (forest and name in forest.hexes)]
    rule("BEN-MOVE-16", not strays, hex=strays)
    stands = action.arrival is None or action.arrival in active.forest
    rule.doubt("BEN-ACT-2", stands, nowhere=action.arrival, seat=action.active)
    for base in action.open_repeats:
        repeat = REPEATS[kind_of(base)]
        rule.doubt(repeat.clause, active.owns(repeat.tile), tile=repeat.tile)


def position_of(state: Tableau, setting: Setting[Box]) -> Position:
    turn = state.turn
    return to_position(
        Position,
        state,
        turn,
        forest=state.forest.laid if state.forest else (),
        phase=state.phase or ("after" if turn.arrival else "move"),
        open_repeats=turn.repeats,
        players={seat: _holding(player) for seat, player in state.players.items()},
        used=tuple(face for face in state.box if face != UNKNOWN),
        turn=turn.number,
        done=tuple(sorted(turn.done)),
        begun={
            seat: BegunTurn(arrival=early.arrival, done=tuple(sorted(early.done)))
            for seat, early in state.begun.items()
        },
    )


def _holding(player: Player) -> Holding:
    if player.leaves is None:
        raise Unknowable
    gifts = {gift: player.gifts[gift] for gift in GIFTS if gift in player.gifts}
    return to_position(Holding, player, gifts=gifts)


POSITIONS = Positions(
    Position,
    position_of,
    in_any_order=("players.*.forest", "players.*.ephemeral", "players.*.permanent", "used"),
)
