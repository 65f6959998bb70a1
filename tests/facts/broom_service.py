"""When the reasons of Broom Service are true, read from the sentences alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.facts.refusals import Refusal


def of(r: Refusal) -> Any:
    """The player of whom it is said."""
    return r.state.players[r.facts["seat"]]


def me(r: Refusal) -> Any:
    return r.state.players[r.action.seat]


def side(r: Refusal) -> Any:
    return r.state.side(r.setting.kit)


def deed(r: Refusal) -> Any:
    """The card performed now, or the one whose action has just ended."""
    seat, turn, closed = r.action.seat, r.state.turn, r.state.closed
    if turn.deed is not None and turn.deed.seat == seat:
        return turn.deed
    return closed.deed if closed is not None and closed.deed.seat == seat else None


def acts(r: Refusal) -> bool:
    """Whether the player performs a card now."""
    now = r.state.turn.deed
    return now is not None and now.seat == r.action.seat


def acts_as(r: Refusal) -> bool:
    return bool(deed(r).role == r.facts["role"])


def has_spent(r: Refusal, kind: str) -> bool:
    return any(what.startswith(kind) for what in deed(r).spent)


def due(r: Refusal) -> set[str]:
    groups = (item for item in r.state.agenda if not hasattr(item, "name"))
    return {duty.kind for group in groups for duty in group}


def asked(r: Refusal) -> str | None:
    """Who has to answer, now or after the action that is going on."""
    for seat in clockwise(r, r.state.turn.leader)[1:]:
        hand = r.state.players[seat].hand
        has_laid = r.state.turn.led in [card.role for card in hand.laid]
        if seat not in r.state.turn.answered and hand.held and not has_laid:
            return seat
    return None


def clockwise(r: Refusal, first: str) -> list[str]:
    seats = [*r.state.options.seats]
    return seats[seats.index(first) :] + seats[: seats.index(first)]


def leader(r: Refusal) -> str:
    """Who leads the turn that has not begun yet: this one, or the next."""
    turn = r.state.turn
    if turn.led is None:
        return str(turn.leader)
    order = clockwise(r, turn.claimant or turn.leader)
    return next((seat for seat in order if r.state.players[seat].hand.held), order[0])


def card(r: Refusal) -> Any:
    """The called role, as this player has laid it."""
    laid = of(r).hand.laid
    return laid[-1] if laid and laid[-1].role == r.state.turn.led else None


def is_cowardly(r: Refusal) -> bool:
    return card(r) is not None and card(r).mode == "coward"


def leads(r: Refusal) -> bool:
    return bool(leader(r) == r.facts["leader"] != r.action.by)


def has_terrain(r: Refusal, region: str) -> bool:
    terrain = side(r).regions[region].terrain
    return bool(terrain == r.facts["terrain"] and terrain not in r.facts["wanted"])


def near(r: Refusal, region: str) -> set[str]:
    return {region, *side(r).borders_of[region]}


def is_free(r: Refusal, space: str) -> bool:
    return space in side(r).cloud_spaces and space not in r.state.board.clouds


def tower(r: Refusal) -> Any:
    return side(r).towers[r.action.tower]


TRUTHS: dict[str, Callable[[Refusal], bool]] = {
    # setting up
    "{space} is not a free cloud space of the {side}": lambda r: (
        not is_free(r, r.facts["space"]) and r.facts["side"] == r.state.options.side
    ),
    "not all spaces have a cloud yet": lambda r: "cloud" in due(r),
    "no such cloud is left: {cloud}; placed by {entries}": lambda r: (
        r.state.stock.clouds[r.facts["cloud"]] == 0
        and len(r.facts["entries"]) == list(r.state.board.clouds.values()).count(r.facts["cloud"])
    ),
    "no such cloud is left: {cloud}": lambda r: r.state.stock.clouds[r.facts["cloud"]] == 0,
    "{tile} cannot lie in {region}; see {entries}": lambda r: (
        r.facts["region"] in r.state.board.tiles or r.state.stock.tiles[r.facts["tile"]] == 0
    ),
    "{tile} cannot be laid in {region}": lambda r: (
        r.facts["region"]
        not in side(r).tile_spaces_of(r.setting.kit.tiles.terrain_of[r.action.tile])
    ),
    "{laid} got its tile at the start": lambda r: (
        "tile" not in due(r) and r.facts["laid"] == r.action.region
    ),
    "not laid yet": lambda r: "tile" in due(r),
    "not in use: {variants}": lambda r: not {*r.facts["variants"]} <= r.state.options.variants,
    # rounds
    "in force: {event}": lambda r: r.state.round.event == r.facts["event"],
    "no event is in force": lambda r: r.state.round.event is None,
    "round {round} is over": lambda r: r.state.over and r.state.round.number == r.facts["round"],
    "{event} was already revealed: {entries}": lambda r: (
        r.action.event in r.state.stock.seen and r.facts["event"] == r.action.event
    ),
    "{number} {number:role has|roles have} to be revealed, once a round": lambda r: (
        5 - len(r.state.players) == r.facts["number"]
        and ("cursed" not in due(r) or len({*r.action.roles}) != r.facts["number"])
    ),
    "revealed: {roles}": lambda r: len(r.state.players) == 5,
    "round {round} was the last": lambda r: r.state.round.number == r.facts["round"] == 7,
    "{event} was already revealed": lambda r: r.action.event in r.state.stock.seen,
    "{number} {number:role has|roles have} to be revealed": lambda r: (
        len(r.action.roles) != r.facts["number"] == 5 - len(r.state.players)
    ),
    "{seat} has not deposited a hand": lambda r: of(r).hand.sealed is None,
    "all cards of {seat} are known": lambda r: of(r).hand.sealed is not None,
    "{seat} holds this role: {role}": lambda r: r.facts["role"] in of(r).hand.sealed,
    "already revealed: {roles} ({entries})": lambda r: r.state.stock.stack.isdisjoint(
        r.facts["roles"]
    ),
    "this does not fit the rest of the stack: {roles}": lambda r: (
        {*r.facts["roles"]} <= r.state.stock.stack
    ),
    "{count} instead of four": lambda r: r.action.count == r.facts["count"] != 4,
    "{count} {count:role was|roles were} chosen": lambda r: (
        r.state.round.event == "more_or_less" and r.action.count == r.facts["count"]
    ),
    "{cards} {cards:card is|cards are} still held": lambda r: (
        sum(player.hand.held for player in r.state.players.values()) == r.facts["cards"] > 0
    ),
    # leading and answering
    "brave or cowardly? {role}": lambda r: r.action.role == r.facts["role"],
    "it is {seat} who leads": lambda r: (
        r.state.turn.leader == r.facts["seat"] and r.state.turn.led is None
    ),
    "{leader} begins the game": lambda r: leads(r) and r.state.round.number == 1,
    "{leader} was the last brave player": leads,
    "{leader} was the last brave player of the round": leads,
    "nobody was brave, so {leader} leads again": leads,
    "{leader} led the last turn, in which nobody was brave": leads,
    "{leader} is the next with cards": lambda r: (
        leads(r) and r.state.players[r.facts["leader"]].hand.held > 0
    ),
    "{asked} is asked now, not {seat}": lambda r: r.facts["asked"] == asked(r) != r.facts["seat"],
    "{asked} is asked now": lambda r: r.facts["asked"] == asked(r) != r.action.by,
    "{seat} is not asked to answer now": lambda r: asked(r) is None or r.state.turn.led is None,
    "{led} was called, not {role}": lambda r: (
        r.state.turn.led == r.facts["led"] != r.action.role == r.facts["role"]
    ),
    "this role was called before: {role}": lambda r: r.facts["role"] in r.state.round.called,
    "{seat} has not said whether brave or cowardly: {role}": lambda r: (
        getattr(r.action, "mode", None) is None
    ),
    "{seat} cannot have {role} in hand": lambda r: (
        r.facts["role"] in (of(r).hand.sealed or ())
        or not of(r).hand.may_hold(r.facts["role"])
        or not of(r).hand.held
    ),
    "{seat} has had it: {role}": lambda r: (
        r.facts["role"] in [card.role for card in of(r).hand.laid]
    ),
    "{seat} has no card left": lambda r: of(r).hand.held == 0,
    "{seat} calls a role cowardly: {role}": lambda r: (
        r.state.round.event == "take_heart" and r.action.mode == "coward"
    ),
    # acting
    "{acting} has not said that the action is over": lambda r: (
        r.state.turn.deed.seat == r.facts["acting"]
    ),
    "{seat} has no action to perform": lambda r: not acts(r),
    "{seat} has said “next”": lambda r: r.facts["seat"] in r.state.turn.passed,
    "{seat} was deposed as {role}": lambda r: (
        r.facts["seat"] in r.state.turn.deposed and r.state.turn.led == r.facts["role"]
    ),
    "{seat} has laid this role dead: {role}": lambda r: card(r).mode == "dead",
    "{seat} is brave and has to wait or to finish first": lambda r: (
        r.state.turn.claimant == r.facts["seat"]
    ),
    "{seat} was cowardly, and the moment has passed: {role}": is_cowardly,
    "{seat} was cowardly: {role}": lambda r: not deed(r).brave and acts_as(r),
    "{seat} acts as: {role}": acts_as,
    "this card does not give that: {role}": acts_as,
    "{seat} has already acted with this card: {done}": lambda r: (
        deed(r).role == r.facts["done"] and bool(deed(r).spent)
    ),
    "a flight is due first": lambda r: "circle" in due(r),
    # gatherers, witches and druids
    "the card gives {card}": lambda r: (
        r.action.resources not in r.setting.kit.roles[deed(r).role].gains(deed(r).brave)
        or len(r.action.resources) < len(r.facts["card"])
    ),
    "{seat} has already moved pawn {pawn} to {place}": lambda r: (
        has_spent(r, "move")
        and (deed(r).pawn, deed(r).place) == (r.facts["pawn"], r.facts["place"])
    ),
    "{seat} has made both steps": lambda r: deed(r).spent.count("move.tile") == 2,
    "{seat} has no pawn {pawn}": lambda r: (
        r.facts["pawn"] not in {*of(r).pawns, *of(r).pawns.values()}
    ),
    "a cloud bars the water between {origin} and {to}": lambda r: any(
        side(r).terrain(side(r).cloud_spaces[space]) == "water" for space in r.state.board.clouds
    ),
    "no pawn has moved in this action": lambda r: deed(r).pawn is None,
    "pawn {moved} moved, not pawn {pawn}": lambda r: (
        deed(r).pawn == r.facts["moved"] != r.facts["pawn"]
    ),
    "the pawn in {region} has not moved in this action": lambda r: (
        deed(r).place is None and r.facts["region"] in me(r).pawns.values()
    ),
    "the pawn stands in {region}, it arrived in {place}": lambda r: (
        deed(r).place == r.facts["place"] != r.facts["region"]
        and r.facts["region"] in me(r).pawns.values()
    ),
    "{tower} is square": lambda r: tower(r).shape == "square",
    "{tower} has got its potion from this role": lambda r: bool(deed(r).squares),
    "{tower} lies under a mountain tile": lambda r: (
        side(r).covers[r.facts["tower"]] in r.state.board.tiles
    ),
    "{to} is water": lambda r: side(r).terrain(r.facts["to"]) == "water",
    "{to} is not adjacent to {origin}": lambda r: (
        r.facts["to"] == r.action.to
        and r.facts["origin"] in me(r).pawns.values()
        and r.facts["to"] not in side(r).borders_of[r.facts["origin"]]
    ),
    "{to} is {terrain}, the witch flies to {wanted}": lambda r: has_terrain(r, r.facts["to"]),
    "a cloud lies over {to}": lambda r: any(
        side(r).cloud_spaces[space] == r.facts["to"] for space in r.state.board.clouds
    ),
    "{seat} has moved no pawn with this card yet": lambda r: (
        not has_spent(r, "move") and deed(r).pawn is None
    ),
    "{seat} has already delivered a potion with this card: {done}": lambda r: (
        has_spent(r, "deliver") and deed(r).role == r.facts["done"]
    ),
    "{seat} owns no such potion: {potion}": lambda r: (
        of(r).resources[r.facts["potion"]] == 0 and r.action.potion == r.facts["potion"]
    ),
    "the tower takes {colour}": lambda r: tower(r).colour == r.facts["colour"] != r.action.potion,
    "{tower} does not touch {region}": lambda r: (
        r.facts["region"] in me(r).pawns.values() and r.facts["region"] not in tower(r).touches
    ),
    "{tower} is occupied": lambda r: r.facts["tower"] in r.state.board.occupied,
    "{region} is {terrain}, the druid serves {wanted}": lambda r: (
        r.facts["region"] in me(r).pawns.values() and has_terrain(r, r.facts["region"])
    ),
    "{region} is {terrain}; the druid works on {wanted}": lambda r: (
        r.facts["region"] in me(r).pawns.values() and has_terrain(r, r.facts["region"])
    ),
    # clouds
    "the cloud of {space} has been chased": lambda r: (
        r.facts["space"] == r.action.space not in r.state.board.clouds
    ),
    "no pawn of {seat} is adjacent to {region}": lambda r: (
        not any(r.facts["region"] in near(r, pawn) for pawn in of(r).pawns.values())
    ),
    "{stars} needed, {seat} has {wands}": lambda r: (
        of(r).resources["w"] == r.facts["wands"] < r.facts["stars"]
    ),
    "{seat} has already chased a cloud with this card": lambda r: has_spent(r, "chase"),
    # events
    "the event gives points, not this: {resource}": lambda r: (
        r.state.round.event == "black_market" and r.action.resource == r.facts["resource"]
    ),
    "the event offers: {resources}": lambda r: (
        r.state.round.event == "secret_distillery" and r.action.resource not in r.facts["resources"]
    ),
    "{seat} has not laid the called role cowardly": lambda r: not is_cowardly(r),
    "{seat} has taken the points instead of the action: {role}": lambda r: (
        has_spent(r, "take.event") and acts_as(r)
    ),
    "{seat} has taken a resource instead of the action: {role}": lambda r: (
        has_spent(r, "take.event") and acts_as(r)
    ),
    "for {seat} the moment has passed: {role}": lambda r: (
        not acts(r) or bool(deed(r).spent) or card(r).tile == "courage"
    ),
    "{seat} has already handed in a set, or has done without": lambda r: (
        "set" not in [duty.kind for duty in r.state.agenda.duties if duty.seat == r.facts["seat"]]
    ),
    "no fist is due": lambda r: "fist" not in due(r) or r.action.seat in r.state.round.fists,
    "{seat} does not own {resources}": lambda r: any(
        of(r).resources[kind] < r.facts["resources"].count(kind) for kind in r.facts["resources"]
    ),
    "{seat} has {owned}, not {count}": lambda r: (
        of(r).wealth == r.facts["owned"] != r.facts["count"]
    ),
    "{seat} has too few for a set: {resources}": lambda r: (
        bool(r.facts["resources"])
        and all(of(r).resources[kind] == 0 for kind in r.facts["resources"])
    ),
    # tiles
    "the moment has passed for the tiles that {seat} has reached: {amulets}": lambda r: (
        of(r).hoard.amulets == r.facts["amulets"]
    ),
    "{seat} has reached no mountain tile": lambda r: not of(r).hoard.amulets,
    "{seat} does not hold {tile}": lambda r: (
        r.facts["tile"] not in [held.tile for held in of(r).hoard.tiles]
    ),
    "{tile} was taken just now": lambda r: any(
        (held.tile, held.round, held.turn)
        == (r.facts["tile"], r.state.round.number, r.state.turn.number)
        for held in me(r).hoard.tiles
    ),
    "no card laid cowardly in this turn for: {tile}": lambda r: (
        not any(
            card.role == r.state.turn.led and card.mode == "coward" for card in me(r).hand.laid[-1:]
        )
    ),
    "{seat} has already acted with this card, or its moment has passed: {role}": lambda r: (
        deed(r) is None or bool(deed(r).spent)
    ),
    "instead of the action {seat} has taken: {taken}": lambda r: has_spent(r, "use"),
    "{seat} has already used a tile: {tile}": lambda r: card(r).tile is not None,
    "{seat} has already used one in this round": lambda r: of(r).hand.extra,
    "no flight to {circle} is due": lambda r: "circle" not in due(r),
    "{circle} is not shown on {hill}": lambda r: (
        r.facts["circle"].lower() not in r.state.board.tiles[r.facts["hill"]][2:]
    ),
    "a cloud lies over {region}": lambda r: (
        r.facts["region"] in {side(r).cloud_spaces[space] for space in r.state.board.clouds}
    ),
}
