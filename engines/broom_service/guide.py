"""The way through a box of Broom Service: cards and tiles first, then both sides of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engines.broom_service.kit import GROUNDS, BoardSide, Box, Events, circles_of
from engines.broom_service.state import Tableau
from engines.kernel.box.board import Board, New, Space
from engines.kernel.box.guide import Code, Guide, Look, Spelling
from engines.kernel.picture.chart import Chart

_EVENTS = {
    "more_or_less": tuple(f"vp_by_count.{cards}" for cards in range(1, 6)),
    "secret_distillery": ("any_of",),
    "dangerous_places": ("count", "vp.hill", "vp.mountain"),
    "protected_places": ("count", "vp.forest", "vp.prairie", "vp.hill", "vp.mountain"),
    "advantage": ("vp_by_rank", "min_count", "paid_by"),
    "empty_hands": ("vp_by_rank",),
    "full_set": ("set.g", "set.o", "set.p", "set.w", "vp"),
    "gathering": ("vp",),
}
_TOWER = ("colour", "shape", "vp", "wands", "touches")


def looks(box: Box) -> Iterator[Look]:
    for role in ("hg", "fg", "rg"):
        taken = (f"roles.{role}.brave", f"roles.{role}.coward")
        yield Look(f"roles.{role}", taken, "roles", role)
    for event, fields in _EVENTS.items():
        paths = tuple(f"events.{event}.{name}" for name in fields)
        yield Look(f"events.{event}", paths, "events", event)
    yield Look("clouds.heavy", tuple(_heavy(box)), "clouds", "heavy")
    for cloud, kind in box.clouds.storm.items():
        printed = ("stars", "bolts", *(("vp",) if kind.need else ()))
        paths = tuple(f"clouds.storm.{cloud}.{name}" for name in printed)
        yield Look(f"clouds.storm.{cloud}", paths, "clouds", cloud)
    yield Look("scoring", ("scoring.lightning", "scoring.lightning_step"), "summary", "lightning")
    yield Look(
        "tiles.hill", tuple(f"tiles.hill.{tile}" for tile in box.tiles.hill), "tiles", "hill"
    )
    for name, side in (("front", box.front), ("back", box.back)):
        yield from _side(name, side)


def _heavy(box: Box) -> Iterator[str]:
    for cloud in box.clouds.heavy:
        yield from (f"clouds.heavy.{cloud}.{name}" for name in ("stars", "bolts", "count"))


def _side(name: str, side: BoardSide) -> Iterator[Look]:
    whole = (
        *(f"{name}.castles.{castle}" for castle in ("west", "east")),
        *(f"{name}.circles.{letter}" for letter in side.circles),
    )
    yield Look(name, whole, name)
    drawn: set[str] = set()
    for region in side.regions:
        beside = [tower for tower in side.towers_at[region] if tower not in drawn]
        drawn.update(beside)
        yield Look(
            f"{name}.{region}",
            tuple(_region(name, side, region, beside)),
            name,
            region,
            along=(f"{name}.regions.{region}.x", f"{name}.regions.{region}.y"),
            more={
                f"{name}.towers": {"colour": "g", "shape": "round", "vp": 1, "touches": [region]},
                f"{name}.cloud_spaces": region,
            },
        )


def _region(name: str, side: BoardSide, region: str, towers: list[str]) -> Iterator[str]:
    yield f"{name}.regions.{region}.terrain"
    yield f"{name}.borders#{region}"
    yield from (f"{name}.cloud_spaces.{space}" for space in side.spaces_of[region])
    for tower in towers:
        yield from (f"{name}.towers.{tower}.{seen}" for seen in _TOWER)
    for terrain, spaces in side.tile_spaces.items():
        if region in spaces and terrain == "mountain":
            yield f"{name}.tile_spaces.mountain.{region}.covers"


def names(box: Box, path: str) -> tuple[str, ...]:
    """Regions, and the towers under a tile."""
    side, _, rest = path.partition(".")
    if side not in ("front", "back"):
        return ()
    if rest.endswith(".covers"):
        return tuple(box.side(side).towers)
    named = rest.startswith(("castles.", "circles.", "cloud_spaces.")) or rest == "borders"
    return tuple(box.side(side).regions) if named or rest.endswith(".touches") else ()


def spelling(path: str) -> Spelling:
    """What a brave gatherer takes is so many pieces; a cowardly one takes one of several."""
    if path.endswith(".brave"):
        return Spelling(each="each")
    return Spelling(each="once") if path.endswith(".coward") else Spelling()


def chart(box: Box, name: str) -> Chart | None:
    if name not in ("front", "back"):
        return None
    side = box.side(name)
    return Chart(
        {region: (float(at.x), float(at.y)) for region, at in side.regions.items()},
        tuple((one, other) for one, _, other in (pair.partition("-") for pair in side.borders)),
    )


def codes(box: Box) -> Iterator[Code]:
    for role in box.roles:
        yield Code("roles", role, (role,))
    for event in Events.model_fields:
        yield Code("events", event, (event,))
    for kind in ("heavy", "storm"):
        for cloud, printed in getattr(box.clouds, kind).items():
            yield Code("clouds", cloud, ("stars", printed.stars, "bolts", printed.bolts))
    for tile in box.tiles.terrain_of:
        yield Code("tiles", tile, (tile,) if not circles_of(tile) else circles_of(tile))
    for name in ("front", "back"):
        yield from _codes_of_side(name, box.side(name))


def _codes_of_side(name: str, side: BoardSide) -> Iterator[Code]:
    for region, at in side.regions.items():
        yield Code(name, region, (at.terrain,))
    for space, region in side.cloud_spaces.items():
        yield Code(name, space, ("cloud", region))
    for tower, seen in side.towers.items():
        wands = ("w", seen.wands) if seen.wands else ()
        yield Code(name, tower, (seen.colour, seen.shape, seen.vp, *wands, *seen.touches))


_BY_THE_MAP = {
    "BRM-MOV-2": ("{side}.borders#{origin}",),
    "BRM-MOV-8": ("{side}.borders#{origin}",),
    "BRM-MOV-3": ("{side}.regions.{to}.terrain",),
    "BRM-MOV-6": ("{side}.regions.{to}.terrain",),
    "BRM-DRU-2": ("{side}.regions.{region}.terrain",),
    "BRM-DRU-3": ("{side}.regions.{region}.terrain",),
    "BRM-DRU-4": ("{side}.regions.{region}.terrain",),
    "BRM-DEL-6": ("{side}.towers.{tower}.colour",),
    "BRM-DEL-7": ("{side}.towers.{tower}.touches",),
    "BRM-HIL-4": ("{side}.towers.{tower}.touches",),
    "BRM-DEL-14": ("{side}.towers.{tower}.shape",),
    "BRM-CLD-3": ("{side}.cloud_spaces.{space}", "{side}.borders#{region}"),
    "BRM-HIL-3": ("{side}.circles.{circle}",),
    "BRM-GAT-1": ("roles.{role}.brave",),
    "BRM-GAT-2": ("roles.{role}.coward",),
}
"""Clauses that are judged by what is printed: where it is to be seen."""


def rests_on(box: Box, state: Any, clause: str, facts: Mapping[str, Any]) -> Iterator[str]:
    deed = state.turn.deed
    here = {"side": state.options.side, "role": deed.role if deed is not None else "", **facts}
    for path in _BY_THE_MAP.get(clause, ()):
        try:
            path = path.format_map(here)
        except KeyError:  # an older record has fewer facts
            continue
        # Who has seen what the other region borders on has seen that it is not this one.
        other = path.partition("#")[0] + f"#{here.get('to')}"
        if "#" not in path or box.provenance(other) != "declared":
            yield path
    if clause in _BY_WHAT_LIES:
        yield from _BY_WHAT_LIES[clause](box, state, here)


def _over(box: Box, state: Tableau, regions: Iterable[str]) -> Iterator[str]:
    """Which regions the clouds lie over."""
    spaces_of = state.side(box).spaces_of
    for region in regions:
        for space in spaces_of.get(region, ()):
            if space in state.board.clouds:
                yield f"{state.options.side}.cloud_spaces.{space}"


def _barred(box: Box, state: Tableau, facts: Mapping[str, Any]) -> Iterator[str]:
    """Which waters the clouds lie over that one would cross."""
    near = state.side(box).borders_of.get(str(facts.get("origin")), frozenset())
    return _over(box, state, sorted(near & {*state.side(box).waters}))


def _stars(box: Box, state: Tableau, facts: Mapping[str, Any]) -> Iterator[str]:
    cloud = state.board.clouds.get(str(facts.get("space")))
    kind = "heavy" if cloud in box.clouds.heavy else "storm"
    if cloud is not None:
        yield f"clouds.{kind}.{cloud}.stars"


def _covered(box: Box, state: Tableau, facts: Mapping[str, Any]) -> Iterator[str]:
    """Which towers a mountain tile covers is printed beside its space."""
    for region, at in state.side(box).tile_spaces_of("mountain").items():
        if facts.get("tower") in at.covers:
            yield f"{state.options.side}.tile_spaces.mountain.{region}.covers"


def _circles(box: Box, state: Tableau, facts: Mapping[str, Any]) -> Iterator[str]:
    """Where the circles lie that a hill shows, and what lies over them."""
    side = state.side(box)
    shown = circles_of(state.board.tiles.get(str(facts.get("hill"))))
    circles = [str(facts.get("circle")), *map(str, shown)]
    for circle in circles:
        if circle in side.circles:
            yield f"{state.options.side}.circles.{circle}"
            yield from _over(box, state, [side.circles[circle]])


def _on_terrain(box: Box, state: Tableau, facts: Mapping[str, Any]) -> Iterator[str]:
    """What a declared position has that this box has not."""
    for region in facts.get("strange", ()):
        yield f"{state.options.side}.regions.{region}.terrain"
    for tile in facts.get("surplus", ()):
        yield f"tiles.{box.tiles.terrain_of.get(tile, 'hill')}.{tile}"


def _shapes(box: Box, state: Tableau, facts: Mapping[str, Any]) -> Iterator[str]:
    for tower in _several(facts.get("tower", ())):
        yield f"{state.options.side}.towers.{tower}.shape"


def _several(named: str | Iterable[str]) -> Iterable[str]:
    return [named] if isinstance(named, str) else named


def _counted(box: Box, state: Tableau, facts: Mapping[str, Any]) -> Iterator[str]:
    for cloud in _several(facts.get("cloud", ())):
        kind = "heavy" if cloud in box.clouds.heavy else "storm"
        yield f"clouds.{kind}.{cloud}.count"


_BY_WHAT_LIES: Mapping[str, Callable[[Box, Tableau, Mapping[str, Any]], Iterator[str]]] = {
    "BRM-MOV-4": lambda box, state, facts: _over(box, state, [str(facts.get("to"))]),
    "BRM-CLD-1": lambda box, state, facts: _over(box, state, [str(facts.get("to"))]),
    "BRM-MOV-8": _barred,
    "BRM-CLD-4": _stars,
    "BRM-MTN-13": _stars,
    "BRM-DEL-17": _covered,
    "BRM-HIL-3": _circles,
    "BRM-MTN-1": _on_terrain,
    "BRM-HIL-1": _on_terrain,
    "BRM-DEL-12": _shapes,
    "BRM-SET-12": _counted,
}
"""Clauses that are judged by what lies on the board: where that is printed."""


def boards(box: Box) -> Iterator[Board]:
    """Both sides: regions, then what stands in them or between them."""
    for name, side in (("front", box.front), ("back", box.back)):
        yield Board(
            name,
            (
                *_regions(name, side),
                *(_within(f"{name}.castles", castle) for castle in ("west", "east")),
                *(_within(f"{name}.circles", letter) for letter in side.circles),
                *(_tower(name, tower) for tower in side.towers),
                *(_within(f"{name}.cloud_spaces", space, True) for space in side.cloud_spaces),
            ),
            tuple(_more(name)),
            across=5,
        )


def _regions(name: str, side: BoardSide) -> Iterator[Space]:
    for region, at in side.regions.items():
        path = f"{name}.regions.{region}"
        tiles = [
            f"{name}.tile_spaces.{terrain}.{region}"
            for terrain, spaces in side.tile_spaces.items()
            if terrain == at.terrain or region in spaces
        ]
        has_tile = region in side.tile_spaces_of("mountain")
        covers = (f"{name}.tile_spaces.mountain.{region}.covers",) if has_tile else ()
        yield Space(
            region,
            "regions",
            path,
            asks=(f"{path}.terrain", f"{name}.borders#{region}", *covers),
            entries={tile: {"covers": []} for tile in tiles},
            place=(f"{path}.x", f"{path}.y"),
            start=(at.x / 100, at.y / 100),
            optional=True,
            colour=GROUNDS[at.terrain],
        )


def _within(table: str, name: str, optional: bool = False) -> Space:
    """Something that lies in one region, and says in which."""
    path = f"{table}.{name}"
    kind = table.rpartition(".")[2]
    return Space(name, kind, path, asks=(path,), nearest=(path,), optional=optional)


def _tower(name: str, tower: str) -> Space:
    path = f"{name}.towers.{tower}"
    asks = tuple(f"{path}.{seen}" for seen in _TOWER)
    return Space(tower, "towers", path, asks, (f"{path}.touches",), optional=True)


def _more(name: str) -> Iterator[New]:
    for terrain, letter in _LETTERS.items():
        new = {"terrain": terrain, "x": 50, "y": 50}
        yield New(terrain, f"{name}.regions", new, letter, place=("x", "y"))
    tower = {"colour": "g", "shape": "round", "vp": 1, "touches": []}
    yield New("towers", f"{name}.towers", tower)


_LETTERS = {"forest": "F", "prairie": "P", "hill": "H", "mountain": "M", "water": "L"}
_SETS = frozenset(("touches", "covers", "any_of"))
GUIDE = Guide(looks, names, spelling, chart, _SETS, codes, rests_on, boards)
