"""A club with a record of everything: games, disputes, rulings, keys, a tournament, and files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tomli_w

from tests.fuzz.program import Program

SETUP = (
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    " / hoard convert_1",
    "A step c1; pick",
    "B step c1; pick",
)
NEW = ("new", "benevolent", "A=blue", "B=red", "first", "A")
PRESET = """\
game = "benevolent"
name = "Thursday club"
house_rules = ["BEN-MOVE-11"]
take_backs_need_judge = ["observation", "other_seat"]

[readings]
hoard_take = "all"
"""
PILES = 'draw = ["M1", "M2", "M3", "M4"]\n'
PLAYERS = "name,club,rating\nAna,North,1500\nBo,,\n"
CHANGES = "[players.A]\nleaves = 2\n"
CASE = """\
game = "benevolent"

[[case]]
name = "a case"
shows = ["BEN-SETUP-24"]
lines = '''
table A=blue B=red first A
A step c1 -> illegal BEN-SETUP-24
'''
"""


@contextmanager
def club(folder: Path) -> Iterator[Program]:
    with Program.at_home(folder) as program:
        for name, content in (
            ("preset.toml", PRESET),
            ("piles.toml", PILES),
            ("players.csv", PLAYERS),
            ("changes.toml", CHANGES),
            ("case.toml", CASE),
        ):
            (folder / name).write_text(content, "utf-8")
        _play(program)
        _judge(program)
        _hold_tournament(program)
        _write_by_hand(folder)
        yield program


def _play(program: Program) -> None:
    opened = program.must("--json", *NEW, "-p", "A=Ana", "-p", "B=Bo")
    program.game = json.loads(opened)["data"]["game"]
    program.must("log", *SETUP)
    program.must("note", "add", "3", "a good move", "--tag", "opening")
    program.must("state", "--toml", "-o", "position.toml")
    own_box = ("dream_path.arrows.1.target", "2", "-m", "our box", "--of", "benevolent")
    program.must("kit", "declare", *own_box, "--save", "kit.toml")


def _judge(program: Program) -> None:
    program.must("log", "--stands", "A", "step", "a3")
    program.must("--as", "Bo:seat:B", "dispute", "open", "7", "-m", "her steps must stay together")
    ruling = ("d1", "--remedy", "stands", "-m", "let it be")
    program.must("--as", "Jo:judge", "ruling", "issue", *ruling)
    program.must("--as", "Jo:judge", "penalty", "add", "A", "warning", "-m", "slow")
    program.must("secret", "seal", "A", "note", "hello")
    program.must("undo", "-m", "too fast", "--as", "Jo:judge")
    program.must("redo", "--as", "Jo:judge")
    program.must("ruling", "export", "-o", "rulings.toml", "--source", "club")
    program.must("keys", "new", "jo")
    program.must("keys", "export", "jo", "-o", "keys.toml")
    program.must("sign", "jo")
    for format, suffix in (("record", "jsonl"), ("text", "txt"), ("html", "html")):
        program.must("export", format, "--names", "-o", f"record.{suffix}")
    program.must("seal", "make", "Round 1", "--all", "--key", "jo", "-o", "seal.toml")


def _hold_tournament(program: Program) -> None:
    deal = ("deal", "make", "piles.toml", "--name", "one", "--of", "bethel_woods", "--seed", "7")
    program.must("tournament", *deal, "-o", "deal.json")
    program.must("tournament", "new", "Cup", "--of", "benevolent", "--rounds", "2")
    program.must("tournament", "players", "add", "Ana", "Bo", "Cleo", "Dan", "--club", "North")
    program.must("tournament", "players", "checkin", "--all")
    program.must("tournament", "pair", "--seed", "7")
    program.must("tournament", "start")
    program.must("tournament", "export", "pods", "-o", "pods.json")
    program.must("tournament", "export", "json", "-o", "tournament.json")


def _write_by_hand(folder: Path) -> None:
    """A plan, and a record without what only a program can know."""
    plan = json.loads((folder / "tournament.json").read_text("utf-8"))["plan"]
    plan = {name: value for name, value in plan.items() if value is not None}
    (folder / "plan.toml").write_text(tomli_w.dumps(plan), "utf-8")
    record = (folder / "record.txt").read_text("utf-8").partition("[Entries]")[0]
    known = ("[Record", "[Head", "%signed", "%sealed")
    lines = [line for line in record.splitlines() if not line.startswith(known)]
    (folder / "typed.txt").write_text("\n".join(lines) + "\n", "utf-8")
