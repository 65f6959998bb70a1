"""Files from outside: records, positions, kits, presets, rulings, seals, keys, tournaments.

``corpus/files/DOOR--WHAT.SUFFIX`` is taken in through that door in every run.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
import tomli_w

from referee.store.canonical_json import canonical
from tests.fuzz.club import NEW
from tests.fuzz.mangling import JUNK, forged, mangled, mangled_bytes
from tests.fuzz.program import CORPUS, SEED, Program, rounds

pytestmark = pytest.mark.xdist_group("fuzzed files")

Mangle = Callable[[bytes, random.Random], bytes]
IN_TOML = tuple(junk for junk in JUNK if junk is not None)
names = count(1)


def in_toml(content: bytes, chance: random.Random) -> bytes:
    """A TOML file whose data are mangled."""
    return tomli_w.dumps(mangled(tomllib.loads(content.decode()), chance, IN_TOML)).encode()


def in_json(content: bytes, chance: random.Random) -> bytes:
    return json.dumps(mangled(json.loads(content), chance)).encode()


def in_record(content: bytes, chance: random.Random) -> bytes:
    """A record of a game nobody knows, forged by somebody who knows how to chain it."""
    *bodies, people = [json.loads(line) for line in content.splitlines()]
    if chance.random() < 0.2:
        bodies = mangled({"entries": bodies}, chance)["entries"]
    else:
        at = chance.randrange(len(bodies))
        bodies[at] = mangled(bodies[at], chance)
    return b"".join([*forged(bodies, stream=f"game-{next(names)}"), canonical(people), b"\n"])


def in_lines(content: bytes, chance: random.Random) -> bytes:
    """A text with lines missing, twice, elsewhere or mangled."""
    lines = content.splitlines(keepends=True)
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(lines)), chance.choice(lines)
        change = chance.random()
        if change < 0.2 and len(lines) > 1:
            del lines[at]
        elif change < 0.4:
            lines.insert(at, other)
        elif change < 0.5:
            lines[at], lines[-1] = lines[-1], lines[at]
        else:
            lines[at] = mangled_bytes(lines[at], chance)
    return b"".join(lines)


@dataclass(frozen=True)
class Door:
    """A command that takes a file in, one that it takes, and how others are made from it."""

    words: tuple[str, ...]
    whole: str
    mangle: Mangle
    then: tuple[tuple[str, ...], ...] = ()
    """What can be asked about a record that was taken in."""


FILE = "FILE"
ABOUT_RECORD = (
    *(("moves", "--all"), ("state",), ("info",), ("options",), ("replay", "--plain"), ("verify",)),
    *(("note", "list"), ("dispute", "list"), ("ruling", "list"), ("penalty", "list")),
    *(("secret", "list"), ("export", "md", "-o", "-")),
)
ABOUT_DISPUTES = (("dispute", "show", "d1"), ("dispute", "show", "d2"), ("ruling", "show", "r1"))
DOORS = {
    "record": Door(("import", FILE), "record.jsonl", in_record, (*ABOUT_RECORD, *ABOUT_DISPUTES)),
    "proof": Door(("verify", FILE), "record.jsonl", in_lines),
    "text": Door(("import", FILE), "record.txt", in_lines, ABOUT_RECORD),
    "page": Door(("import", FILE), "record.html", mangled_bytes),
    "position": Door(("check", "--position", FILE, "A", "step", "c2"), "position.toml", in_toml),
    "changes": Door(("adjust", "--file", FILE, "-m", "so"), "changes.toml", in_toml),
    "kit": Door(("kit", "check", FILE), "kit.toml", in_toml),
    "box": Door((*NEW, "--kit", FILE), "kit.toml", in_toml, ABOUT_RECORD[:3]),
    "preset": Door((*NEW, "--preset", FILE), "preset.toml", in_toml),
    "case": Door(("cases", "run", FILE), "case.toml", in_toml),
    "rulings": Door(("ruling", "import", FILE), "rulings.toml", in_toml, (("ruling", "list"),)),
    "seal": Door(("seal", "check", FILE), "seal.toml", in_toml),
    "keys": Door(("keys", "import", FILE), "keys.toml", in_toml, (("keys", "list"),)),
    "players": Door(("tournament", "players", "import", FILE), "players.csv", in_lines),
    "pods": Door(("tournament", "import", FILE, "--of", "benevolent"), "pods.json", in_json),
    "plan": Door(("tournament", "new", "Cup", "--plan", FILE), "plan.toml", in_toml),
    "deal": Door(("tournament", "deal", "reveal", FILE), "deal.json", in_json),
    "piles": Door(
        ("tournament", "deal", "make", FILE, "--name", "x", "--of", "bethel_woods", "--seed", "1"),
        "piles.toml",
        in_toml,
    ),
}


@pytest.fixture(autouse=True)
def same_game(program: Program) -> None:
    """What was opened or taken in last is not what the next file is about."""
    program.must("open", program.game)


def take_in(program: Program, door: Door, content: bytes, name: str) -> None:
    file = program.folder / name
    file.write_bytes(content)
    words = [name if word == FILE else word for word in door.words]
    try:
        answer = program.try_out(words)
        for question in door.then if answer.code == 0 else ():
            program.try_out(question)
    except AssertionError as fault:
        raise AssertionError(f"{fault}\nthe file is kept: {file}") from fault


@pytest.mark.parametrize("name", DOORS)
def test_whole_files_are_taken(program: Program, name: str) -> None:
    door = DOORS[name]
    if name != "deal":
        program.must(*(door.whole if word == FILE else word for word in door.words))
    for question in door.then:
        program.must(*question)


@pytest.mark.parametrize("name", DOORS)
def test_mangled_files_are_taken_or_refused_with_a_reason(program: Program, name: str) -> None:
    door, chance = DOORS[name], random.Random(f"{SEED} {name}")
    whole = (program.folder / door.whole).read_bytes()
    for _ in rounds(6):
        mangle = door.mangle if chance.random() < 0.7 else mangled_bytes
        take_in(program, door, mangle(whole, chance), f"mangled-{name}{Path(door.whole).suffix}")


@pytest.mark.parametrize("path", sorted((CORPUS / "files").iterdir()), ids=lambda path: path.stem)
def test_known_files_do_no_harm(program: Program, path: Path) -> None:
    take_in(program, DOORS[path.stem.split("--")[0]], path.read_bytes(), path.name)
