"""When the reasons of Broom Service are true, read from the sentences alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tests.facts.refusals import Refusal

TERRAINS = {"BRM-MTN-1": "mountain", "BRM-FOR-1": "forest", "BRM-HIL-1": "hill"}
"""The clauses of which the landscape tiles are."""
HEAVY, STORM = 24, {"bonus": 2, "move": 2, "deliver": 1, "potions": 3}
KINDS = {"witch": 4, "druid": 2, "fairy": 1, "gatherer": 3}


def declares(r: Refusal) -> bool:
    return bool(r.action.verb == "position")


def declared(r: Refusal) -> Any:
    """The player of whom it is said, as a position has it; who is left out has the start."""
    return r.action.players.get(r.facts["seat"])


def of(r: Refusal) -> Any:
    """The player of whom it is said."""
    return r.state.players[r.facts["seat"]]


def me(r: Refusal) -> Any:
    return r.state.players[r.action.seat]


def side(r: Refusal) -> Any:
    return r.state.side(r.setting.kit)


def deed(r: Refusal) -> Any:
    """The card performed now, whose action has just ended, or that was begun out of time."""
    turn = r.state.turn
    begun = [
        turn.deed,
        r.state.closed and r.state.closed.deed,
        *(one.deed for one in turn.untimely),
    ]
    return next((one for one in begun if one is not None and one.seat == r.action.seat), None)


def acts(r: Refusal) -> bool:
    """Whether the player performs a card now."""
    now = r.state.turn.deed
    return now is not None and now.seat == r.action.seat


def acts_as(r: Refusal) -> bool:
    return bool(deed(r).role == r.facts["role"])


def has_spent(r: Refusal, kind: str) -> bool:
    """Whoever has begun no card has used nothing of one."""
    return deed(r) is not None and any(what.startswith(kind) for what in deed(r).spent)


def moved(r: Refusal) -> tuple[str | None, str | None]:
    """The pawn that has moved with the card, and where it has come to."""
    return (None, None) if deed(r) is None else (deed(r).pawn, deed(r).place)


def due(r: Refusal) -> set[str]:
    groups = (item for item in r.state.agenda if not hasattr(item, "name"))
    return {duty.kind for group in groups for duty in group}


def asked(r: Refusal) -> str | None:
    """Who has to answer, now or after the action that is going on."""
    if declares(r):
        return asked_as_declared(r)
    for seat in clockwise(r, r.state.turn.leader)[1:]:
        hand = r.state.players[seat].hand
        has_laid = r.state.turn.led in [card.role for card in hand.laid]
        if seat not in r.state.turn.answered and hand.held and not has_laid:
            return seat
    return None


def asked_as_declared(r: Refusal) -> str | None:
    now = r.action.now
    for seat in clockwise(r, r.action.first)[1:]:
        hand = r.action.players.get(seat)
        has_laid = hand is not None and any(text[:2] == now.led for text in hand.laid)
        if seat not in now.answered and hand is not None and hand.cards and not has_laid:
            return seat
    return None


def declared_duties(r: Refusal, kind: str) -> list[str]:
    """Whose duty of this kind a position says is due."""
    groups = [item for item in r.action.now.due if not isinstance(item, str)]
    return [duty.seat for group in groups for duty in group if duty.kind == kind]


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


def reached(r: Refusal) -> list[str]:
    """Where a pawn is moved, or where the pawns of a position stand."""
    if declares(r):
        return [region for one in r.action.players.values() for region in one.at or ()]
    return [r.action.to]


def covered(r: Refusal, region: str) -> bool:
    """Whether a cloud lies over a region, also of a position."""
    clouds = r.action.clouds if declares(r) else r.state.board.clouds
    return any(side(r).cloud_spaces[space] == region for space in clouds)


def circles(r: Refusal, hill: str) -> list[str]:
    """The regions of the circles that are shown on a hill."""
    return [side(r).circles[letter.upper()] for letter in r.state.board.tiles[hill][2:]]


def cursed(r: Refusal) -> list[str]:
    return [*(r.action.cursed if declares(r) else r.action.roles)]


def is_used_up(r: Refusal) -> bool:
    """Whether too few roles are left in the stack for this round."""
    return len(r.state.stock.stack) < 5 - len(r.state.players)


def revealed(r: Refusal) -> Counter[str]:
    """How often each event was revealed, with this time."""
    if declares(r):
        return Counter((*r.action.seen, r.action.event))
    return Counter((*r.state.stock.seen, r.action.event))


def named(r: Refusal) -> Counter[str]:
    """The roles of one player that are named: as laid, or as a deposited hand."""
    if declares(r):
        return Counter(text[:2] for text in declared(r).laid)
    return Counter(r.action.sealed)


def hand_sizes(r: Refusal) -> Iterator[int]:
    """How many cards the hand has that is chosen or named, as it may be counted."""
    if declares(r):
        for one in r.action.players.values():
            if one.cards is not None:
                yield one.cards + len(one.laid) - one.extra
    elif r.action.verb == "use":
        yield me(r).hand.chosen + 1
    else:
        yield r.action.count
        yield r.action.count + me(r).hand.extra
        yield len(r.action.sealed)


def is_event(r: Refusal, event: str) -> bool:
    return bool((r.action if declares(r) else r.state.round).event == event)


def tiles_declared(r: Refusal) -> Counter[str]:
    holds = [text.partition("@")[0] for one in r.action.players.values() for text in one.holds]
    return Counter((*r.action.tiles.values(), *holds))


def in_the_box(r: Refusal, tile: str) -> int:
    """How many of a tile may be on the table: none, if its variant is not played."""
    terrain = r.setting.kit.tiles.terrain_of[tile]
    tiles = getattr(r.setting.kit.tiles, terrain)
    return int(tiles[tile]) if terrain in r.state.options.variants else 0


def clouds_of(r: Refusal, variants: Any) -> Counter[str]:
    """The clouds of the box that are played with."""
    kinds = r.setting.kit.clouds
    types = {**kinds.heavy, **(kinds.storm if "storm" in variants else {})}
    return Counter({name: one.count for name, one in types.items()})


def are_bolts_wrong(r: Refusal) -> bool:
    """Whether so many clouds as are missing cannot have so many bolts; being laid, none is."""
    left = clouds_of(r, r.state.options.variants) - Counter(r.action.clouds.values())
    bolts = sorted(r.setting.kit.clouds[cloud].bolts for cloud in left.elements())
    due = r.action.now.due[-1] if r.action.now is not None else ()
    laying = any(owed.kind == "cloud" for owed in due if not isinstance(owed, str))
    missing = 0 if laying else len(side(r).cloud_spaces) - len(r.action.clouds)
    least, most = sum(bolts[:missing]), sum([*reversed(bolts)][:missing])
    total = sum(one.bolts for one in r.action.players.values())
    told = tuple(r.facts[name] for name in ("bolts", "least", "most"))
    return told == (total, least, most) and not least <= total <= most


def terrain(r: Refusal) -> str:
    """The terrain of the landscape tiles that the clause is about."""
    return TERRAINS[r.point.clause]


def castles(board: Any) -> set[str]:
    return {board.castles.west, board.castles.east}


def storm_clouds(r: Refusal) -> Counter[str]:
    """How many storm clouds of each kind the box has."""
    counted: Counter[str] = Counter()
    for one in r.setting.kit.clouds.storm.values():
        counted[one.effect] += one.count
    return counted


def names(fact: Any) -> tuple[str, ...]:
    return (fact,) if isinstance(fact, str) else tuple(fact)


def worth(places: Any, *terrains: str) -> int:
    counted = {*terrains} if places.count == "per_terrain" else terrains
    return sum(places.vp.get(terrain, 0) for terrain in counted)


def are_events_wrong(r: Refusal) -> bool:
    """Whether the events of the box are as told, and not those of the rulebook."""
    events, told = r.setting.kit.events, r.facts["events"]
    if isinstance(told, tuple):
        lost, won = events.dangerous_places, events.protected_places
        losses = worth(lost, "forest", "forest"), worth(lost, "prairie", "forest")
        gains = worth(won, "hill", "mountain"), worth(won, "prairie", "forest")
        return told == losses != (-2, -4) or told == gains != (0, 2)
    when = Counter(one.when for _, one in events)
    counted = {"before": when["before"], "during": when["during"], "at_end": when["end"]}
    return bool(told == counted != {"before": 1, "during": 3, "at_end": 6})


def count_of(r: Refusal) -> int:
    """What is counted, by the state."""
    seat, what = r.facts["subject"].split()
    player = r.state.players[seat]
    counted = {
        "vp": player.vp,
        "bolts": player.hoard.bolts,
        "cards": player.hand.held,
        "amulets": len(player.hoard.amulets),
        "resources": sum(player.resources.values()),
    }
    return int(counted[what] if what in counted else player.resources[what])


def chosen(r: Refusal) -> bool:
    """Whether these variants are chosen, and not all or only those of their side of the board."""
    variants = {*r.action.variants}
    tiles = {"forest", "hill"} & variants
    wrong = bool(tiles) if r.action.side == "front" else {*TERRAINS.values()} - variants != set()
    return wrong and sorted(variants) == [*r.facts["variants"]]


TRUTHS: dict[str, Callable[[Refusal], bool]] = {
    # the box
    "the box has {role}": lambda r: (
        sorted(card.kind for card in r.setting.kit.roles.values()) == [*r.facts["role"]]
        and Counter(r.facts["role"]) != KINDS
    ),
    "the castles are {castles}": lambda r: any(
        castles(board) == {*r.facts["castles"]}
        and (len(castles(board)) < 2 or not castles(board).isdisjoint(board.cloud_spaces.values()))
        for board in (r.setting.kit.front, r.setting.kit.back)
    ),
    "the box says {lightning}": lambda r: (
        r.setting.kit.scoring.lightning == r.facts["lightning"]
        and (
            19 not in r.facts["lightning"]
            or sorted(r.facts["lightning"]) != [*r.facts["lightning"]]
        )
    ),
    "the {side} has {spaces} cloud {spaces:space|spaces}": lambda r: (
        len(r.setting.kit.side(r.facts["side"]).cloud_spaces) == r.facts["spaces"]
        and r.facts["spaces"] != {"front": 18, "back": 19}[r.facts["side"]]
    ),
    "the box has {boxed} heavy {boxed:cloud|clouds}": lambda r: (
        sum(one.count for one in r.setting.kit.clouds.heavy.values()) == r.facts["boxed"] != HEAVY
    ),
    "the box has {boxed} storm {boxed:cloud|clouds}": lambda r: (
        sum(storm_clouds(r).values()) == r.facts["boxed"] and storm_clouds(r) != STORM
    ),
    "the box has {boxed} such {boxed:tile|tiles}": lambda r: (
        sum(getattr(r.setting.kit.tiles, terrain(r)).values())
        == r.facts["boxed"]
        != {"mountain": 5, "forest": 6, "hill": 6}[terrain(r)]
    ),
    "spaces for these tiles on the {side}: {spaces}": lambda r: (
        [*r.setting.kit.side(r.facts["side"]).tile_spaces_of(terrain(r))] == [*r.facts["spaces"]]
        and [r.setting.kit.side(r.facts["side"]).terrain(region) for region in r.facts["spaces"]]
        != [terrain(r)] * {"mountain": 3, "forest": 4, "hill": 4}[terrain(r)]
    ),
    "the board has {circles} stone {circles:circle|circles}": lambda r: (
        len(r.setting.kit.back.circles) == r.facts["circles"] != 4
    ),
    "a turbo tile shows one circle only: {turbos}": lambda r: all(
        tile in r.setting.kit.tiles.hill and tile[2] == tile[3] for tile in r.facts["turbos"]
    ),
    "the box has {markets} market {markets:tile|tiles}": lambda r: (
        r.setting.kit.tiles.hill.get("market", 0) == r.facts["markets"] != 1
    ),
    "the box has {events}": are_events_wrong,
    "circle D lies in {region}": lambda r: (
        r.setting.kit.back.circles["D"] == r.facts["region"]
        and bool(r.setting.kit.back.borders_of[r.facts["region"]])
    ),
    "circle B lies in {region}": lambda r: (
        r.setting.kit.back.circles["B"] == r.facts["region"]
        and not r.setting.kit.back.borders_of[r.facts["region"]] <= r.setting.kit.back.waters
    ),
    # setting up
    "{players} {players:player|players}: their number, seats or colours do not fit": lambda r: (
        len(r.action.players) == r.facts["players"]
        and (
            "".join(r.action.players) not in ("AB", "ABC", "ABCD", "ABCDE")
            or len({colour.lower() for colour in r.action.players.values()}) != r.facts["players"]
            or r.action.first not in r.action.players
        )
    ),
    "chosen: {side}": lambda r: (
        r.action.side == r.facts["side"] == "back" and "basic" in r.action.variants
    ),
    "chosen: {variants}": chosen,
    "the table is open already": lambda r: r.state is not None and r.action.verb == "table",
    "{removed} taken out {removed:leaves|leave} {left} for {spaces} {spaces:space|spaces}": (
        lambda r: (
            r.action.removed == r.facts["removed"]
            and sum(clouds_of(r, r.action.variants).values()) - r.action.removed == r.facts["left"]
            and len(r.setting.kit.side(r.action.side).cloud_spaces) == r.facts["spaces"]
            and r.facts["left"] < r.facts["spaces"]
        )
    ),
    "{removed} {removed:is|are} taken out without storm clouds": lambda r: (
        r.action.removed == r.facts["removed"] > 0 and "storm" not in r.action.variants
    ),
    "the game has begun": lambda r: declares(r) and r.state.round.event is not None,
    "{space} is not a free cloud space of the {side}": lambda r: (
        not is_free(r, r.facts["space"]) and r.facts["side"] == r.state.options.side
    ),
    "not all spaces have a cloud yet": lambda r: "cloud" in due(r),
    "no such cloud is left: {cloud}; placed by {entries}": lambda r: (
        r.state.stock.clouds[r.facts["cloud"]] == 0
        and len(r.facts["entries"]) == list(r.state.board.clouds.values()).count(r.facts["cloud"])
    ),
    "no such cloud is left: {cloud}": lambda r: (
        all(
            Counter(r.action.clouds.values())[cloud] > clouds_of(r, r.state.options.variants)[cloud]
            for cloud in r.facts["cloud"]
        )
        if declares(r)
        else r.action.cloud == r.facts["cloud"] and r.state.stock.clouds[r.facts["cloud"]] == 0
    ),
    "{heavy} heavy {heavy:cloud is|clouds are} placed, {removed} {removed:was|were} taken out": (
        lambda r: (
            sum(cloud in r.setting.kit.clouds.heavy for cloud in r.state.board.clouds.values())
            == r.facts["heavy"]
            and r.state.options.removed == r.facts["removed"] == HEAVY - r.facts["heavy"]
        )
    ),
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
    "not laid yet": lambda r: "tile" in due(r) and r.action.verb == "event",
    "more than the box has: {surplus}": lambda r: all(
        tiles_declared(r)[tile] > in_the_box(r, tile) for tile in r.facts["surplus"]
    ),
    "on another terrain: {strange}": lambda r: all(
        side(r).terrain(region) != terrain(r)
        and r.action.tiles[region] in getattr(r.setting.kit.tiles, terrain(r))
        for region in r.facts["strange"]
    ),
    "not in use: {variants}": lambda r: (
        "basic" in r.action.variants and {*r.facts["variants"]} == {*r.action.variants} - {"basic"}
        if r.state is None
        else not {*r.facts["variants"]} <= r.state.options.variants
    ),
    "the players have {bolts} {bolts:bolt|bolts} together; by the clouds of the box ({provenance})"
    " {least} to {most} are chased – if the table is right, correct the box or let the position"
    " stand": are_bolts_wrong,
    "{subject}: {stated} at the table, {derived} by the record": lambda r: (
        r.facts["derived"] == str(count_of(r)) != r.facts["stated"]
    ),
    # rounds
    "in force: {event}": lambda r: r.state.round.event == r.facts["event"],
    "no event is in force": lambda r: r.state.round.event is None,
    "round {round} is over": lambda r: r.state.over and r.state.round.number == r.facts["round"],
    "{event} was already revealed: {entries}": lambda r: (
        r.action.event in (*r.state.stock.seen, r.state.round.event)
        and r.facts["event"] == r.action.event
    ),
    "{number} {number:role has|roles have} to be revealed, once a round": lambda r: (
        5 - len(r.state.players) == r.facts["number"]
        and (
            len({*cursed(r)}) != r.facts["number"]
            or "cursed" not in due(r)
            or "event" in due(r)  # revealed before their time
        )
    ),
    "revealed: {roles}": lambda r: len(r.state.players) == 5,
    "round {round} was the last": lambda r: r.state.round.number == r.facts["round"] == 7,
    "{event} was already revealed": lambda r: (
        {event for event, times in revealed(r).items() if times > 1} == {*names(r.facts["event"])}
    ),
    "{number} {number:role has|roles have} to be revealed": lambda r: (
        r.facts["number"] == 5 - len(r.state.players)
        and not len(cursed(r)) == len({*cursed(r)}) == r.facts["number"]
    ),
    "{seat} has not deposited a hand": lambda r: (
        r.setting.reading("sealed_hands") == "yes"
        and (r.action.verb, r.action.seat, r.action.sealed) == ("hand", r.facts["seat"], ())
    ),
    "{seat} has not deposited the role that this tile adds: {tile}": lambda r: (
        (r.action.seat, r.action.tile) == (r.facts["seat"], r.facts["tile"])
        and r.action.sealed is None
        and r.setting.reading("sealed_hands") == "yes"
    ),
    "all cards of {seat} are known": lambda r: (
        of(r).hand.held == 1 and r.action.seat == r.facts["seat"] and r.action.verb != "next"
    ),
    "{seat} holds this role: {role}": lambda r: r.facts["role"] in of(r).hand.sealed,
    "already revealed: {roles} ({entries})": lambda r: r.state.stock.stack.isdisjoint(
        r.facts["roles"]
    ),
    "only a role of the old stack can come twice, not {twice}": lambda r: (
        is_used_up(r)
        and r.state.stock.stack.isdisjoint(r.facts["twice"])
        and all(cursed(r).count(role) > 1 for role in r.facts["twice"])
    ),
    "still in the stack: {left}": lambda r: (
        is_used_up(r) and r.state.stock.stack - {*cursed(r)} == {*r.facts["left"]} != set()
    ),
    "this does not fit the rest of the stack: {roles}": lambda r: (
        {*r.facts["roles"]} <= {*cursed(r)}
        and {*r.facts["roles"]}.isdisjoint(
            {*r.state.stock.stack} - {*r.action.shown} if declares(r) else r.state.stock.stack
        )
    ),
    "{seat} has sealed {count} and taken {cards}": lambda r: (
        len(r.action.sealed) == r.facts["count"] != r.facts["cards"] == r.action.count
    ),
    "{count} instead of four": lambda r: (
        r.facts["count"] in hand_sizes(r)
        and r.facts["count"] != 4
        and not is_event(r, "more_or_less")
    ),
    "{seat} has no hand and is not choosing one": lambda r: (
        (declared(r) is None or declared(r).cards is None)
        and r.facts["seat"] not in declared_duties(r, "hand")
    ),
    "{count} {count:role was|roles were} chosen": lambda r: (
        is_event(r, "more_or_less")
        and r.facts["count"] in hand_sizes(r)
        and not 1 <= r.facts["count"] <= 5
    ),
    "{cards} {cards:card is|cards are} still held": lambda r: (
        sum(player.hand.held for player in r.state.players.values()) == r.facts["cards"] > 0
    ),
    # leading and answering
    "brave or cowardly? {role}": lambda r: r.action.role == r.facts["role"],
    "it is {seat} who leads": lambda r: (
        r.action.first == r.facts["seat"] not in declared_duties(r, "lead")
        if declares(r)
        else r.state.turn.leader == r.facts["seat"] and r.state.turn.led is None
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
    "only later cards can tell whether {seat} lacks this role: {role}": lambda r: (
        r.action.seat == r.facts["seat"]
        and r.state.turn.led == r.facts["role"]
        and of(r).hand.held > 0
        and of(r).hand.sealed is None
    ),
    "{seat} lays {role} after saying “next” to it": lambda r: (
        (r.action.seat, r.action.role) == (r.facts["seat"], r.facts["role"])
        and r.facts["role"] in [claim.role for claim in of(r).hand.passes]
    ),
    "{seat} holds {cards} {cards:card|cards} and only {roles} {roles:role is|roles are} left:"
    " one of these passes was false": lambda r: (
        of(r).hand.held
        == r.facts["cards"]
        > r.facts["roles"]
        == 10 - len({*r.state.round.called, r.state.turn.led})
    ),
    "{asked} is asked now": lambda r: r.facts["asked"] == asked(r) != r.action.by,
    "{seat} is not asked to answer now": lambda r: asked(r) is None or r.state.turn.led is None,
    "{led} was called, not {role}": lambda r: (
        r.state.turn.led == r.facts["led"] != r.action.role == r.facts["role"]
    ),
    "this role was called or laid dead before: {role}": lambda r: (
        r.facts["role"] in r.state.round.called
        or (r.state.turn.dead and r.facts["role"] == r.state.turn.led)
    ),
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
    "{seat} has it in hand already: {holds}": lambda r: (
        r.action.sealed == r.facts["holds"] and r.facts["holds"] in of(r).hand.sealed
    ),
    "named twice for {seat}: {twice}": lambda r: all(
        named(r)[role] > 1 for role in r.facts["twice"]
    ),
    "{seat} has no card left": lambda r: (
        declared(r) is None or not declared(r).cards if declares(r) else of(r).hand.held == 0
    ),
    "{seat} calls a role cowardly: {role}": lambda r: (
        r.state.round.event == "take_heart" and r.action.mode == "coward"
    ),
    # acting
    "{acting} has not said that the action is over": lambda r: (
        r.state.turn.deed.seat == r.facts["acting"]
    ),
    "{seat} has no action to perform": lambda r: r.action.seat == r.facts["seat"] and not acts(r),
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
    "no pawn has moved in this action": lambda r: moved(r) == (None, None),
    "pawn {moved} moved, not pawn {pawn}": lambda r: (
        deed(r).pawn == r.facts["moved"] != r.facts["pawn"]
    ),
    "the pawn in {region} has not moved in this action": lambda r: (
        moved(r) == (None, None) and r.facts["region"] in me(r).pawns.values()
    ),
    "the pawn stands in {region}, it arrived in {place}": lambda r: (
        deed(r).place == r.facts["place"] != r.facts["region"]
        and r.facts["region"] in me(r).pawns.values()
    ),
    "{tower} is square": lambda r: all(
        side(r).towers[name].shape == "square" and name in r.action.occupied
        for name in r.facts["tower"]
    ),
    "{tower} has got its potion from this role": lambda r: bool(deed(r).squares),
    "{tower} lies under a mountain tile": lambda r: (
        side(r).covers[r.facts["tower"]] in r.state.board.tiles
    ),
    "{to} is water": lambda r: (
        side(r).terrain(r.facts["to"]) == "water" and r.facts["to"] in reached(r)
    ),
    "{to} is not adjacent to {origin}": lambda r: (
        r.facts["to"] == r.action.to
        and r.facts["origin"] in me(r).pawns.values()
        and r.facts["to"] not in side(r).borders_of[r.facts["origin"]]
    ),
    "{to} is {terrain}, the witch flies to {wanted}": lambda r: (
        has_terrain(r, r.facts["to"])
        and r.facts["to"] in reached(r)
        and r.setting.kit.roles[deed(r).role].terrains == r.facts["wanted"]
    ),
    "a cloud lies over {to}": lambda r: covered(r, r.facts["to"]) and r.facts["to"] in reached(r),
    "{seat} has moved no pawn with this card yet": lambda r: (
        not has_spent(r, "move") and moved(r) == (None, None)
    ),
    "{seat} has already delivered a potion with this card: {done}": lambda r: (
        has_spent(r, "deliver") and deed(r).role == r.facts["done"]
    ),
    "{seat} owns no such potion: {potion}": lambda r: (
        of(r).resources[r.facts["potion"]] == 0 and r.action.potion == r.facts["potion"]
    ),
    "the tower takes {colour}": lambda r: tower(r).colour == r.facts["colour"] != r.action.potion,
    "the market takes {market}": lambda r: (
        r.setting.kit.tiles.market_potion == r.facts["market"] != r.action.potion
        and r.action.tower == "market"
    ),
    "there is no market in {without}": lambda r: (
        r.facts["without"] in me(r).pawns.values()
        and r.action.tower == "market" != r.state.board.tiles.get(r.facts["without"])
    ),
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
    "no cloud lies on {gone} any more": lambda r: r.facts["gone"] not in r.state.board.clouds,
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
    "{seat} has not laid the called role cowardly": lambda r: (
        (r.action.verb, r.action.seat) == ("take", r.facts["seat"]) and not is_cowardly(r)
    ),
    "{seat} has taken the points instead of the action: {role}": lambda r: (
        has_spent(r, "take.event") and acts_as(r)
    ),
    "{seat} has taken a resource instead of the action: {role}": lambda r: (
        has_spent(r, "take.event") and acts_as(r)
    ),
    "{seat} has used this tile with the card: {tile}": lambda r: (
        r.action.seat == r.facts["seat"] and card(r).tile == r.facts["tile"] == "courage"
    ),
    "{unable} cannot do anything with this card: {role}": lambda r: (
        r.action.seat == r.facts["unable"]
        and acts_as(r)
        and not deed(r).begun
        and r.setting.reading("event_if_impossible") == "no"
    ),
    "for {seat} the moment has passed: {role}": lambda r: (
        (r.action.verb, r.action.seat) == ("take", r.facts["seat"])
        and r.state.turn.led in (r.facts["role"], None)
        and (not acts(r) or bool(deed(r).spent))
    ),
    "{seat} has already handed in a set, or has done without": lambda r: (
        r.action.verb in ("set", "end")
        and "full_set" in (r.state.round.event, *r.state.stock.seen[-1:])
        and "set"
        not in [duty.kind for duty in r.state.agenda.duties if duty.seat == r.facts["seat"]]
    ),
    "no fist is due": lambda r: (
        r.action.verb == "fist" and ("fist" not in due(r) or r.action.seat in r.state.round.fists)
    ),
    "{seat} does not own {resources}": lambda r: (
        r.action.resources == tuple(r.facts["resources"])
        and any(of(r).resources[kind] < r.action.resources.count(kind) for kind in "gopw")
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
    "{seat} has reached no mountain tile": lambda r: (
        r.action.verb in ("bonus", "deliver", "chase") and not of(r).hoard.amulets
    ),
    "{seat} does not hold {tile}": lambda r: (
        r.action.tile == r.facts["tile"]
        and r.facts["tile"] not in [held.tile for held in of(r).hoard.tiles]
    ),
    "taken in this round: {recent}": lambda r: (
        r.action.tile == r.facts["recent"]
        and {held.round for held in me(r).hoard.tiles if held.tile == r.facts["recent"]}
        == {r.state.round.number}
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
    "{seat} has already used a tile: {tile}": lambda r: card(r).tile == r.facts["tile"],
    "{seat} has already used one in this round": lambda r: of(r).hand.extra,
    "no flight to {circle} is due": lambda r: (
        r.action.circle == r.facts["circle"] and "circle" not in due(r)
    ),
    "{circle} is not shown on {hill}": lambda r: (
        r.facts["circle"].lower() not in r.state.board.tiles[r.facts["hill"]][2:]
    ),
    "a cloud lies over {region}": lambda r: covered(r, r.facts["region"]),
    "clouds lie over all circles shown on {hill}": lambda r: (
        r.action.to == r.facts["hill"]
        and all(covered(r, region) for region in circles(r, r.facts["hill"]))
    ),
}
