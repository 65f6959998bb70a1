"""A position declared by hand must be one that play could have reached."""

from __future__ import annotations

from itertools import chain

from engines.benevolent.actions import Holding, Position
from engines.benevolent.kit import Forest
from engines.benevolent.rules.book import TURN, Rule, rules
from engines.benevolent.rules.gifts import has_all
from engines.benevolent.rules.repeats import REPEATS, kind_of
from engines.benevolent.rules.setup import assembled, check_faces
from engines.benevolent.rules.sites import SLOTS_ABOVE, beneath
from engines.benevolent.state import UNKNOWN, Game, Player, Turn, balance
from engines.kernel import Agenda, Bag, evolve


@rules.hears(Position)
def declare_position(state: Game, action: Position, rule: Rule) -> Game:
    forest = assembled(state, action.forest, rule) if action.forest else state.forest
    rule("BEN-SETUP-24", forest is not None, missing="forest")
    assert forest is not None
    seats = set(state.players)
    rule("BEN-SETUP-3", set(action.players) == seats and action.active in seats)
    players = {}
    for seat, player in state.players.items():
        holding = action.players[seat]
        players[seat] = declared_player(player, holding, forest, rule)
    check_holdings(players, rule)
    check_secrets(action, rule)
    here = players[action.active]
    rule("BEN-ACT-2", action.arrival in (None, *here.forest), hex=action.arrival)
    for base in action.open_repeats:
        repeat = REPEATS[kind_of(base)]
        rule(repeat.clause, here.owns(repeat.tile), tile=repeat.tile)
    river = Bag(rule.kit.river(len(players)))
    for player in players.values():
        river = river.minus(player.gifts)
    leaves = sum(player.leaves + player.hoard for player in players.values())
    tiles = len(action.pyramid) + sum(len(player.secrets) for player in players.values())
    unknown = len(rule.kit.secrets.tiles) - tiles - len(action.used)
    winner = next((seat for seat, p in players.items() if has_all(p)), None)
    steps = TURN[("move", "action", "after").index(action.phase) :]
    state = evolve(
        state,
        players=players,
        river=river,
        reserve=rule.kit.leaves.count - leaves,
        forest=forest,
        pyramid=dict(action.pyramid),
        box=(*action.used, *[UNKNOWN] * unknown),
        turn=Turn(
            action.turn,
            action.active,
            action.arrival,
            action.open_repeats,
            frozenset(action.done),
        ),
        laid=rule.number,
        winner=winner,
        agenda=Agenda() if winner else Agenda().push(*steps),
    )
    return evolve(state, offsets=dict(balance(state, rule)))


def declared_player(player: Player, holding: Holding, forest: Forest, rule: Rule) -> Player:
    own = holding.forest
    rule("BEN-MOVE-16", {*own} <= {*forest.hexes}, hexes=own)
    count_of_steps = holding.card + len(own) + 1
    rule("BEN-KIT-5", count_of_steps == rule.kit.steps_per_colour.count, steps=count_of_steps)
    most = max((own.count(name) for name in own), default=0)
    if "double_step" in holding.permanent:
        rule("BEN-PERM-6", most <= 2 or rule.reading("double_step_cap") == "none", steps=most)
    else:
        rule("BEN-MOVE-2", most <= 1, steps=most)
    if "free_path" not in holding.permanent:
        rule("BEN-MOVE-11", forest.connected(own), steps=own)
    rule("BEN-PERM-5", not holding.hoard or "hoard" in holding.permanent, hoard=holding.hoard)
    return evolve(
        player,
        leaves=holding.leaves,
        gifts=Bag(holding.gifts),
        card=holding.card,
        forest=own,
        dream=holding.dream,
        ephemeral=holding.ephemeral,
        permanent=holding.permanent,
        hoard=holding.hoard,
    )


def check_holdings(players: dict[str, Player], rule: Rule) -> None:
    leaves = sum(player.leaves + player.hoard for player in players.values())
    limited = rule.reading("leaf_supply") == "limited"
    rule("BEN-KIT-2", leaves <= rule.kit.leaves.count or not limited, leaves=leaves)
    clause = {2: "BEN-SETUP-8", 3: "BEN-SETUP-9", 4: "BEN-SETUP-10"}[len(players)]
    for gift, laid_out in rule.kit.river(len(players)).items():
        held = sum(player.gifts[gift] for player in players.values())
        rule(clause, held <= laid_out, gift=gift, held=held, laid_out=laid_out)
    for seat, player in players.items():
        rule("BEN-END-1", not has_all(player), seat=seat)


def check_secrets(action: Position, rule: Rule) -> None:
    held = [(*holding.ephemeral, *holding.permanent) for holding in action.players.values()]
    faces = [*action.pyramid.values(), *chain(*held), *action.used]
    rule("BEN-KIT-3", len(faces) <= len(rule.kit.secrets.tiles), tiles=len(faces))
    check_faces(faces, rule)
    for slot in SLOTS_ABOVE:
        lies = slot in action.pyramid or not beneath(slot) & action.pyramid.keys()
        rule("BEN-TABLE-2", lies, slot=slot)
