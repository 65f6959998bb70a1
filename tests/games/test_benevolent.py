"""Benevolent: what the cases and the generic suites cannot say."""

from copy import deepcopy
from typing import get_args

import pytest

from engines.benevolent import ENGINE
from engines.benevolent.actions import Deed
from engines.benevolent.kit import GIFTS
from engines.kernel import KitSheet, ParseError

SETUP = [
    "table A=blue B=red first A",
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    " / hoard convert_1",
]


class Table:
    """A table that hears lines of text, each of which must be legal."""

    def __init__(self, *lines, readings=""):
        opening = ENGINE.read(SETUP[0] + readings)
        self.setting = ENGINE.setting(opening)
        self.state = ENGINE.open(self.setting, opening).state
        for line in (*SETUP[1:], *lines):
            self.play(line)

    def judge(self, text):
        return ENGINE.judge(self.setting, self.state, ENGINE.read(text))

    def play(self, line):
        for text in ENGINE.notation.split(line):
            judged = self.judge(text)
            assert judged.verdict.outcome == "legal", (text, judged.verdict.breaches)
            self.state = judged.state
            assert not ENGINE.balance(self.state, self.setting), text


ADJACENT = {
    "A=blue B=red first A; forest S1A S2A": """
        a1: a2 b1 · a2: a1 a3 b1 b2 · a3: a2 b2 · b1: a1 a2 b2 c1 c2 · b2: a2 a3 b1 c2 c3
        · c1: b1 c2 · c2: b1 b2 c1 c3 · c3: b2 c2""",
    "A=blue B=red C=green first A; forest S1A S2B": """
        a1: a2 b1 b2 · a2: a1 b2 b3 · b1: a1 b2 c1 · b2: a1 a2 b1 b3 c1 c2 · b3: a2 b2 c2 c3
        · c1: b1 b2 c2 d1 · c2: b2 b3 c1 c3 d1 d2 · c3: b3 c2 d2 · d1: c1 c2 d2 · d2: c2 c3 d1""",
}


@pytest.mark.parametrize("laid", ADJACENT)
def test_which_hexes_touch(laid):
    table, forest = laid.split("; ")
    opening = ENGINE.read(f"table {table}")
    setting = ENGINE.setting(opening)
    state = ENGINE.judge(setting, ENGINE.open(setting, opening).state, ENGINE.read(forest)).state
    wanted = {}
    for entry in ADJACENT[laid].split("·"):
        name, others = entry.split(":")
        wanted[name.strip()] = set(others.split())
    assert state.forest.neighbours == wanted


def test_the_four_player_forest():
    opening = ENGINE.read("table A=blue B=red C=green D=yellow first A")
    setting = ENGINE.setting(opening)
    laid = ENGINE.read("forest S1A S2B S3A")
    hexes = ENGINE.judge(setting, ENGINE.open(setting, opening).state, laid).state.forest.hexes
    shown = [f"{name} {one.site}+{one.grey}" for name, one in hexes.items()]
    assert shown == [
        *("a1 altar+0", "a2 pond+0", "a3 nest+1", "a4 wooden_table+1"),
        *("b1 nest+1", "b2 circle+0", "b3 altar+0", "b4 meadow+0", "b5 pond+0"),
        *("c1 nest+1", "c2 circle+0", "c3 meadow+0"),
        *("d1 altar+0", "d2 wooden_table+1"),
    ]


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("table A=bleu B=rouge premier A", "table A=blue B=red first A"),
        ("A pas c1 vers a3", "A step c1 to a3"),
        ("ramasse mettre", "gather put"),
        ("achète ambre de B", "buy amber from B"),
        ("dort 1 rien", "sleep 1 none"),
        ("ÉCHANGE TRÈFLE", "swap clover"),
        ("utilise solde plume dispense B", "use sale feather waive B"),
        ("encore échange plume", "again swap feather"),
        ("encore sommeil 2", "again sleep 2"),
        ("fin", "end"),
    ],
)
def test_the_table_may_speak_french(french, english):
    assert ENGINE.read(french) == ENGINE.read(english)


@pytest.mark.parametrize(
    "wrong",
    [
        {"phase": "action"},
        {"phase": "move", "arrival": "b1"},
        {"phase": "move", "open_repeats": ["pick"]},
        {"phase": "move", "pyramid": {"4a": "sale"}},
        {"phase": "move", "moon": 1},
    ],
)
def test_positions_that_cannot_be_read(wrong):
    players = {seat: {"leaves": 3, "card": 4, "dream": 1} for seat in "AB"}
    with pytest.raises(ParseError):
        ENGINE.text.load({"verb": "position", "active": "A", "players": players, **wrong})


def test_deeds_of_a_turn_are_told_in_one_order():
    """Whatever order they were declared in, and however Python keeps a set."""
    table = Table("A step b1; gather")
    deeds = sorted(get_args(Deed))
    position = ENGINE.positions.data_of(table.setting, table.state)
    position |= {"verb": "position", "done": deeds[::-1]}
    position["begun"] = {"A": {"arrival": "b1", "done": deeds[::-1]}}
    opening = ENGINE.read(SETUP[0])
    fresh = ENGINE.open(table.setting, opening).state
    declared = ENGINE.judge(table.setting, fresh, ENGINE.text.load(position), 1).state
    told = ENGINE.positions.data_of(table.setting, declared)
    assert (told["done"], told["begun"]["A"]["done"]) == (deeds, deeds)


def test_concealed_leaves_are_seen_by_their_owner_alone():
    table = Table(readings=" readings open_holdings=no")
    seen = ENGINE.hide(table.state, "B", table.setting)
    leaves = {seat: player["leaves"] for seat, player in ENGINE.plain(seen)["players"].items()}
    assert (leaves, seen.reserve) == ({"A": None, "B": 3}, None)
    words = "\n".join(ENGINE.describe(seen, table.setting, "en"))
    assert "A (blue): leaves hidden" in words
    assert "B (red): 3 leaves" in words
    assert "60" not in words
    open_table = Table()
    assert ENGINE.hide(open_table.state, "B", open_table.setting) is open_table.state


@pytest.mark.parametrize(
    ("before", "line", "told"),
    [
        ("", "forest a1@0,0=nest a2@1,0=nest b1@5,5=nest", {"hexes": 3, "apart": ("b1",)}),
        ("", "forest a1@0,0=nest a2@1,0=nest", {"hexes": 2}),
        ("forest S1A S2A", "forest S1A S2A", {"missing": ["pyramid"], "laid": "forest"}),
        ("forest S1A S2A", "A step a1", {"missing": ["pyramid"]}),
        ("", "A step a1", {"missing": ["forest", "pyramid"]}),
    ],
)
def test_a_refused_set_up_tells_what_lies_apart_and_what_was_declared(before, line, told):
    opening = ENGINE.read("table A=blue B=red first A")
    setting = ENGINE.setting(opening)
    state = ENGINE.open(setting, opening).state
    if before:
        state = ENGINE.judge(setting, state, ENGINE.read(before), 1).state
    (breach,) = ENGINE.judge(setting, state, ENGINE.read(line), 2).verdict.breaches
    assert {name: value for name, value in breach.facts.items() if name != "wanted"} == told


def test_an_adjustment_moves_leaves_between_reserve_and_player():
    table = Table()
    adjusted = ENGINE.positions.adjust(
        table.setting, table.state, {"players": {"A": {"leaves": 4}}}
    )
    assert (adjusted.players["A"].leaves, adjusted.reserve) == (4, 57)
    assert not adjusted.offsets
    assert adjusted.agenda == table.state.agenda


def test_every_named_space_can_be_marked():
    table = Table("A step c1")
    picture = ENGINE.picture(table.state, table.setting, "en", ENGINE.read("A step c1"))
    wanted = {*table.state.forest.hexes, *table.state.pyramid, *GIFTS, "reserve", "A", "B"}
    wanted |= {f"dream_{space}" for space in range(1, 5)}
    assert set(picture.anchors) == wanted


@pytest.mark.parametrize("part", ["space", "target"])
def test_an_arrow_of_the_dream_path_leads_from_a_space_to_a_space(part):
    content = deepcopy(dict(ENGINE.kit_sheet(None).content))
    content["dream_path"]["arrows"][0][part] = 99
    with pytest.raises(ParseError, match="bad_kit"):
        ENGINE.read_kit(KitSheet(content))


READ_BOX = [
    {"id": tile.id, "ephemeral": tile.ephemeral, "permanent": tile.permanent}
    for tile in ENGINE.read_kit(ENGINE.kit_sheet(None)).secrets.tiles
]


def test_one_back_that_was_seen_is_declared_alone():
    """The tile that was assumed to have the face gets the other one, and stays assumed."""
    sheet = ENGINE.kit_sheet(None)
    for tile, back in (("T1", "free_path"), ("T2", "hoard")):
        path, value = ENGINE.stated(sheet, f"secrets.tiles.{tile}.permanent", back)
        sheet = sheet.declare(path, value, "the table")
    box = ENGINE.read_whole_kit(sheet)
    backs = {tile.ephemeral: tile.permanent for tile in box.secrets.tiles}
    assert backs == {tile["ephemeral"]: tile["permanent"] for tile in READ_BOX} | {
        "sale": "free_path",
        "gift_clover": "sleep_again",
        "free_swap": "hoard",
        "convert_3": "lone_step",
    }
    assert box.known_backs == {"sale", "free_path", "free_swap", "hoard"}
    path, value = ENGINE.stated(sheet, "secrets.tiles.T4.permanent", "free_path")
    with pytest.raises(ParseError, match="bad_kit"):  # it was seen on another tile
        ENGINE.read_whole_kit(sheet.declare(path, value, "the table"))


@pytest.mark.parametrize(
    ("back", "read", "proven"),
    [
        ("sale=sleep_again", True, []),
        ("sale=free_path", True, [("BEN-AUDIT-1", ())]),
        ("sale=free_path", False, []),
        ("sale=bargain", False, [("BEN-SETUP-22", (2,))]),
        ("sale=convert_3", False, [("BEN-KIT-3", ())]),
    ],
)
def test_the_back_of_a_tile_proves_no_more_than_it_can(back, read, proven):
    """Which faces share a tile is only assumed until somebody has read the box."""
    sheet = ENGINE.kit_sheet(None)
    if read:
        sheet = sheet.declare("secrets.tiles", READ_BOX, "the box")
    opening = ENGINE.read(SETUP[0])
    setting = ENGINE.setting(opening, sheet)
    state = ENGINE.open(setting, opening).state
    for number, line in enumerate(SETUP[1:], start=1):
        state = ENGINE.judge(setting, state, ENGINE.read(line), number).state
    audit = ENGINE.judge(setting, state, ENGINE.read(f"audit back {back}"), 3)
    assert [(finding.clause, finding.entries) for finding in audit.verdict.findings] == proven


def test_secrets_that_lie_twice_are_told_in_one_order():
    opening = ENGINE.read(SETUP[0])
    setting = ENGINE.setting(opening)
    state = ENGINE.judge(setting, ENGINE.open(setting, opening).state, ENGINE.read(SETUP[1])).state
    twice = ["swap_again", "sale", "hoard", "bargain"]
    line = f"pyramid {' '.join(twice)} / {' '.join(twice[:3])} / bargain convert_1"
    (point,) = ENGINE.judge(setting, state, ENGINE.read(line)).verdict.breaches
    assert point.facts["twice"] == sorted(twice)
