"""Installation du jeu: the box, the table, clouds and tiles on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from engines.broom_service.actions import EVENTS, PlaceCloud, PlaceTile, Resource, Table
from engines.broom_service.kit import BoardSide, Box, circles_of
from engines.broom_service.rules.book import Rule, check_name, rules
from engines.broom_service.rules.rounds import round_start
from engines.broom_service.state import (
    Board,
    Options,
    Player,
    Round,
    Stock,
    Tableau,
    Turn,
    all_clouds,
    all_tiles,
)
from engines.kernel import Agenda, Bag, Duty, Group, evolve

TILE_CLAUSES = {"mountain": "BRM-MTN-1", "forest": "BRM-FOR-1", "hill": "BRM-HIL-1"}


# The box


@rules.checks_kit
def check_box(kit: Box, rule: Rule) -> None:
    _check_cards(kit, rule)
    _check_pieces(kit, rule)
    for name, spaces in (("front", 18), ("back", 19)):
        side = kit.side(name)
        rule(
            "BRM-SET-11", len(side.cloud_spaces) == spaces, side=name, spaces=len(side.cloud_spaces)
        )
        castles = {side.castles.west, side.castles.east}
        free = castles.isdisjoint(side.cloud_spaces.values())
        rule("BRM-SET-4", len(castles) == 2 and free, castles=tuple(sorted(castles)))
        _check_tile_spaces(name, side, rule)
    for letter, region in kit.back.circles.items():
        borders = kit.back.borders_of[region]
        rule("BRM-HIL-6", letter != "D" or not borders, region=region)
        rule("BRM-HIL-7", letter != "B" or borders <= kit.back.waters, region=region)


def _check_cards(kit: Box, rule: Rule) -> None:
    kinds = sorted(card.kind for card in kit.roles.values())
    wanted = sorted(["witch"] * 4 + ["druid"] * 2 + ["fairy"] + ["gatherer"] * 3)
    rule("BRM-SET-3", kinds == wanted, role=tuple(kinds), seat=None)
    whens = Bag(kit.events.when(event) for event in EVENTS)
    told = {"before": whens["before"], "during": whens["during"], "at_end": whens["end"]}
    rule("BRM-EVT-14", whens == Bag({"before": 1, "during": 3, "end": 6}), events=told)
    dangerous, protected = kit.events.dangerous_places, kit.events.protected_places
    losses = (_worth(dangerous, "forest", "forest"), _worth(dangerous, "prairie", "forest"))
    rule("BRM-EVT-14", losses == (-2, -4), events=losses)
    gains = (_worth(protected, "hill", "mountain"), _worth(protected, "prairie", "forest"))
    rule("BRM-EVT-14", gains == (0, 2), events=gains)
    table = kit.scoring.lightning
    rising = all(lower <= higher for lower, higher in pairwise(table))
    rule("BRM-SET-18", rising and 19 in table, lightning=table)


def _worth(places: Any, *terrains: str) -> int:
    counted = set(terrains) if places.count == "per_terrain" else terrains
    return sum(places.vp.get(terrain, 0) for terrain in counted)


def _check_pieces(kit: Box, rule: Rule) -> None:
    heavy = sum(cloud.count for cloud in kit.clouds.heavy.values())
    rule("BRM-SET-12", heavy == 24, boxed=heavy)
    storm: Counter[str | None] = Counter()
    for cloud in kit.clouds.storm.values():
        storm[cloud.effect] += cloud.count
    fits = storm == {"bonus": 2, "move": 2, "deliver": 1, "potions": 3}
    rule("BRM-STM-1", fits, boxed=storm.total())
    turbos = [tile for tile in kit.tiles.hill if tile != "market"]
    for terrain, number in (("mountain", 5), ("forest", 6), ("hill", 6)):
        count = sum(getattr(kit.tiles, terrain).values())
        rule(TILE_CLAUSES[terrain], count == number, boxed=count)
    single = tuple(tile for tile in turbos if len(set(circles_of(tile))) != 2)
    rule("BRM-HIL-1", not single, turbos=single)
    markets = kit.tiles.hill.get("market", 0)
    rule("BRM-HIL-1", markets == 1, markets=markets)


def _check_tile_spaces(name: str, side: BoardSide, rule: Rule) -> None:
    wanted = {"mountain": 3, "forest": 4, "hill": 4} if name == "back" else {"mountain": 3}
    for terrain, number in wanted.items():
        spaces = side.tile_spaces_of(terrain)
        fits = all(side.terrain(region) == terrain for region in spaces)
        rule(TILE_CLAUSES[terrain], len(spaces) == number and fits, side=name, spaces=[*spaces])
    rule("BRM-HIL-1", name == "front" or len(side.circles) == 4, circles=len(side.circles))


# The table


@rules.opens
def open_table(opening: Table, rule: Rule) -> Tableau:
    seats = opening.seats
    colours = [colour.casefold() for colour in opening.players.values()]
    in_order = "".join(seats) == "ABCDE"[: len(seats)]
    rule("BRM-SET-1", 2 <= len(seats) <= 5 and in_order, players=len(seats))
    rule("BRM-SET-1", len(set(colours)) == len(colours), players=len(seats))
    rule("BRM-SET-1", opening.first in seats, players=len(seats))
    variants = _variants(opening, rule)
    options = Options(
        seats, dict(opening.players), opening.first, opening.side, variants, opening.removed
    )
    _check_removed(options, rule)
    kit, side = rule.kit, rule.kit.side(opening.side)
    tiles = sum(
        len(side.tile_spaces_of(terrain)) for terrain in TILE_CLAUSES if terrain in variants
    )
    pieces = [Duty("cloud", None, len(side.cloud_spaces))]
    if tiles:
        pieces.append(Duty("tile", None, tiles))
    return Tableau(
        options=options,
        board=Board({}, frozenset(), {}),
        stock=Stock(all_clouds(variants, kit), all_tiles(variants, kit)),
        round=Round(1),
        turn=Turn(1, opening.first, "BRM-SET-7"),
        players={seat: _newcomer(seat, options, rule) for seat in seats},
        agenda=Agenda().push(Group(*pieces), *round_start(options)),
    )


def _variants(opening: Table, rule: Rule) -> frozenset[str]:
    """The variants in use: the back brings its tiles, unless the table says otherwise."""
    said = frozenset(opening.variants)
    tiles = frozenset(TILE_CLAUSES)
    if opening.side == "front":
        others = sorted(said - {"basic"})
        rule("BRM-SET-17", "basic" not in said or not others, variants=others)
        rule("BRM-VAR-4", said.isdisjoint({"forest", "hill"}), variants=sorted(said))
        return said - {"basic"}
    rule("BRM-SET-2", "basic" not in said, side=opening.side)
    if "basic" in said:
        return said - {"basic"}
    some = not said.isdisjoint({"forest", "hill"})
    rule("BRM-VAR-3", not some or tiles <= said, variants=sorted(said))
    return said if some else said | tiles


def _check_removed(options: Options, rule: Rule) -> None:
    """With storm clouds, heavy ones may be taken out while enough are left for the board."""
    spaces = len(rule.kit.side(options.side).cloud_spaces)
    left = all_clouds(options.variants, rule.kit).size - options.removed
    with_storm = "storm" in options.variants
    fits = options.removed == 0 or (with_storm and left >= spaces)
    enough = {"left": left, "spaces": spaces} if with_storm else {}
    rule("BRM-STM-2", fits, removed=options.removed, **enough)


def _newcomer(seat: str, options: Options, rule: Rule) -> Player:
    castles = rule.kit.side(options.side).castles
    vp = rule.kit.scoring.start_vp
    return Player(
        vp=vp if rule.effect("BRM-SET-5", True, seat=seat, vp=vp) else 0,
        resources=start_resources(seat, options, rule),
        pawns={"1": castles.west, "2": castles.east},
    )


def start_resources(seat: str, options: Options, rule: Rule) -> Mapping[Resource, int]:
    potions = 1 if rule.effect("BRM-SET-6", True, seat=seat) else 0
    wands = start_wands(seat, options)
    clause = "BRM-SET-9" if len(options.seats) == 2 else "BRM-SET-8"
    wands = wands if rule.effect(clause, True, seat=seat, wands=wands) else 0
    return {"g": potions, "o": potions, "p": potions, "w": wands}


def start_wands(seat: str, options: Options) -> int:
    """The first and the last player of the round have one, the others two."""
    place = (options.seats.index(seat) - options.seats.index(options.first)) % len(options.seats)
    return 1 if place in (0, len(options.seats) - 1) else 2


# Clouds and tiles


@rules.hears(PlaceCloud)
def place_cloud(state: Tableau, action: PlaceCloud, rule: Rule) -> Tableau:
    space = check_name(action.space, "space", state.side(rule.kit).cloud_spaces)
    check_name(action.cloud, "cloud", rule.kit.clouds.types)
    clouds, stock = dict(state.board.clouds), state.stock
    rule("BRM-SET-11", space not in clouds, space=space, side=state.options.side)
    is_storm = action.cloud in rule.kit.clouds.storm
    rule("BRM-SET-17", not is_storm or "storm" in state.options.variants, variants=("storm",))
    clause = "BRM-STM-1" if is_storm else "BRM-SET-12"
    alike = [place for place, other in clouds.items() if other == action.cloud]
    known = stock.entries(alike)
    rule(clause, stock.clouds[action.cloud] > 0, cloud=action.cloud, left=0, entries=known)
    heavy = len([cloud for cloud in clouds.values() if cloud in rule.kit.clouds.heavy])
    most = rule.kit.clouds.heavy_ones - state.options.removed
    rule("BRM-SET-12", is_storm or heavy < most, heavy=heavy, removed=state.options.removed)
    pool = stock.clouds.take(action.cloud)
    if (covered := clouds.get(space)) is not None:
        pool = pool.add(covered)
    clouds[space] = action.cloud
    return evolve(
        state,
        board=evolve(state.board, clouds=clouds),
        stock=evolve(stock, clouds=pool, told={**stock.told, space: rule.number}),
    )


@rules.hears(PlaceTile)
def place_tile(state: Tableau, action: PlaceTile, rule: Rule) -> Tableau:
    side, stock = state.side(rule.kit), state.stock
    check_name(action.region, "region", side.regions)
    check_name(action.tile, "tile", rule.kit.tiles.terrain_of)
    terrain = rule.kit.tiles.terrain_of[action.tile]
    rule("BRM-SET-17", terrain in state.options.variants, variants=(terrain,))
    fits = action.region in side.tile_spaces_of(terrain) and action.region not in state.board.tiles
    rule(
        TILE_CLAUSES[terrain],
        fits and stock.tiles[action.tile] > 0,
        tile=action.tile,
        region=action.region,
        entries=stock.entries(_laid_before(state, action)),
    )
    return evolve(
        state,
        board=evolve(state.board, tiles={**state.board.tiles, action.region: action.tile}),
        stock=evolve(
            stock,
            tiles=stock.tiles.take(action.tile),
            told={**stock.told, action.region: rule.number},
        ),
    )


def _laid_before(state: Tableau, action: PlaceTile) -> list[str]:
    """Where the same tiles lie, if none is left, and what lies in the region already."""
    tiles = state.board.tiles
    alike = [region for region, tile in tiles.items() if tile == action.tile]
    return [*(alike if state.stock.tiles[action.tile] == 0 else []), action.region]


@rules.hears(Table)
def change_table(state: Tableau, action: Table, rule: Rule) -> Tableau:
    """Everything about the table is fixed when it opens."""
    rule("BRM-VAR-1", False)
    return state
