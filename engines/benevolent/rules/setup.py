"""Matériel, Mise en place."""

from __future__ import annotations

from collections.abc import Sequence

from engines.benevolent.actions import LayForest, LayPyramid, Table
from engines.benevolent.kit import Box, Forest
from engines.benevolent.rules.book import TURN, Rule, rules
from engines.benevolent.state import Player, Tableau, Turn
from engines.kernel import Agenda, Bag, Duty, Group, ParseError, Phrase, Verbatim, evolve

# Matériel


@rules.checks_kit
def check_box(kit: Box, rule: Rule) -> None:
    sides = [side for segment in kit.segments for side in segment.sides.values()]
    cells = kit.segment_shape.cells
    rule("BEN-KIT-1", len(sides) == 6 and {len(s) for s in (*sides, cells)} == {5})
    tokens = [gift.tokens for gift in kit.gifts]
    leaves = kit.leaves.count if kit.leaves.count != 64 else None
    rule("BEN-KIT-2", tokens == [6, 6, 5, 4, 4] and not leaves, leaves=leaves, tokens=tokens)
    rule("BEN-KIT-3", len(kit.secrets.tiles) == 9 and len(kit.secrets.back) == 18)
    path = kit.dream_path
    rule("BEN-KIT-4", path.spaces == 4 and all(path.leaving.values()))
    colours = kit.colours.names
    steps = kit.steps_per_colour.count
    other = None if len(set(colours)) == len(colours) == 4 else colours
    rule("BEN-KIT-5", steps == 5 and not other, colours=other, steps=steps)
    from_3 = {(arrow.target, arrow.gift) for arrow in path.leaving.get(3, ())}
    rule("BEN-POND-5", from_3 == {(2, "feather"), (1, "crystal"), (4, None)})
    from_4 = sorted(arrow.gift or "" for arrow in path.leaving.get(4, ()))
    rule("BEN-POND-6", from_4 == ["amber", "statuette"], arrows=from_4)


# Mise en place


@rules.opens
def open_table(opening: Table, rule: Rule) -> Tableau:
    kit, colours = rule.kit, opening.players
    rule("BEN-SETUP-1", 2 <= len(colours) <= 4, players=len(colours))
    rule("BEN-SETUP-2", len(set(colours.values())) == len(colours), colours=colours)
    rule("BEN-SETUP-4", len(opening.first) == 1 and opening.first[0] in colours)
    first = opening.first[0]
    start = opening.seats.index(first)
    order = opening.seats[start:] + opening.seats[:start]
    start_leaves = dict.fromkeys(order, 0)
    if rule.effect("BEN-SETUP-7", True, order=order):
        leaves = kit.start_leaves.by_turn_order
        if len(leaves) < len(order):
            few = {"min_length": len(order), "actual_length": len(leaves)}
            datum, problem = "start_leaves.by_turn_order", Phrase("flaw.too_few", few)
            raise ParseError("bad_kit", datum=Verbatim(datum), problem=problem)
        start_leaves = dict(zip(order, leaves, strict=False))
    start_gifts = Bag(kit.start_gifts if rule.effect("BEN-SETUP-12", True) else ())
    river = Bag(kit.river(len(order)))
    players = {}
    for seat, colour in colours.items():
        river = river.minus(start_gifts)
        players[seat] = Player(
            colour=colour,
            leaves=start_leaves[seat],
            gifts=start_gifts,
            card=kit.steps_per_colour.count - 1,
            forest=(),
            dream=kit.dream_path.start,
        )
    return Tableau(
        players=players,
        river=river,
        reserve=kit.leaves.count - sum(start_leaves.values()),
        turn=Turn(1, first),
        concealed=rule.reading("open_holdings") == "no",
        agenda=Agenda().push(Group(Duty("forest"), Duty("pyramid")), *TURN),
    )


@rules.hears(LayForest)
def lay_forest(state: Tableau, action: LayForest, rule: Rule) -> Tableau:
    return evolve(state, forest=assembled(state, action.laid, rule))


def assembled(state: Tableau, laid: tuple[str, ...], rule: Rule) -> Forest:
    players = len(state.players)
    segments = [word[:-1] for word in laid if "=" not in word]
    rule("BEN-SETUP-19", len(set(segments)) == len(segments), segments=segments)
    forest = rule.kit.assemble(players, laid)
    clause = {2: "BEN-SETUP-15", 3: "BEN-SETUP-16", 4: "BEN-SETUP-17"}[players]
    wanted = rule.kit.visible_hexes[players]
    if players == 4 and rule.reading("layout4_overlap") == "2":
        wanted -= 1
    found, apart = len(forest.hexes), forest.apart(forest.hexes)
    off = {"apart": apart} if apart else {}
    rule(clause, found == wanted and not apart, hexes=found, wanted=wanted, **off)
    return forest


@rules.hears(LayPyramid)
def lay_pyramid(state: Tableau, action: LayPyramid, rule: Rule) -> Tableau:
    rows = tuple(len(row) for row in action.rows)
    rule("BEN-SETUP-21", rows == rule.kit.pyramid.rows, rows=rows)
    pyramid = {
        f"{row}{'abcd'[place]}": face
        for row, faces in enumerate(action.rows, start=1)
        for place, face in enumerate(faces)
    }
    check_faces(list(pyramid.values()), rule)
    return evolve(state, pyramid=pyramid, laid=rule.number)


def check_faces(faces: Sequence[str], rule: Rule) -> None:
    """A face lies once, and never both faces of one tile, as far as the backs are known."""
    back = rule.kit.secrets.back
    twice = sorted({face for face in faces if faces.count(face) > 1})
    of_one_tile = sorted(face for face in faces if back.get(face) in faces)
    single = not twice and rule.kit.known_backs.isdisjoint(of_one_tile)
    rule("BEN-SETUP-22", single, twice=twice, of_one_tile=of_one_tile)
    if of_one_tile:
        rule.warn("of_one_tile", faces=of_one_tile)
