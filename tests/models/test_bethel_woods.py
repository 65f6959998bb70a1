"""Bethel Woods judged twice: the engine and the naive model play in lock-step.

At every step the options of the engine (of the many draws a few) are legal in the model, random
lines, most of them wrong, are judged alike by both, and after it both tables look alike.
``REFEREE_CHAOS=200`` plays that many more games of each kind. Half of the games are played with
other readings than the default ones. A declared position names three to all six tiles.
"""

from __future__ import annotations

import json
import os
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

import engines.bethel_woods
from engines.kernel import Engine, ParseError, evolve
from engines.kernel.registry import load_engine
from tests.deep import first
from tests.games.bethel_woods import ADDED_SPIES, CHARACTERS, OTHER_READINGS
from tests.models import bethel_woods as model
from tests.playing import Game, pick
from tests.test_cases import actions_of

ENGINE: Engine[Any, Any] = load_engine("bethel_woods")
KIT = tomllib.loads(
    (Path(engines.bethel_woods.__file__).parent / "kits" / "bethel_woods.toml").read_text("utf-8")
)
CHAOS = int(os.environ.get("REFEREE_CHAOS", "0"))
LINES_LIMIT = 260
STRAYS_PER_STEP = 12
DRAWS_PER_STEP = 5
OUTCOME_CLAUSES = {
    "won": "BTW-WIN-1",
    "lost_supply": "BTW-LOSE-1",
    "lost_critical": "BTW-LOSE-2",
    "lost_spies": "BTW-LOSE-4",
}
TILES = ("cap", "divert", "buildplus", "spyplus", "fee", "extra")
ALL_TOKENS = [f"{kind}{value}" for kind in "MSDE" for value in range(1, 7)]
LEVELS = sorted(ADDED_SPIES)
OPENING_READINGS = (
    ("players_allowed", "1-6"),
    ("setup_spy_cap", "2"),
    ("critical_threshold", "two_with_spy"),
)
SET_ASIDE = (
    "BTW-MOVE-1",
    "BTW-MOVE-5",
    "BTW-FIX-2",
    "BTW-FIX-5",
    "BTW-FIX-8",
    "BTW-UNC-6",
    "BTW-PLACE-5",
    "BTW-SPY-1",
    "BTW-SPY-8",
    "BTW-CRIT-3",
    "BTW-CRIT-9",
    "BTW-DIV-1",
    "BTW-EXT-1",
    "BTW-LOSE-2",
    "BTW-LOSE-4",
)
SEARCHES = 20
READINGS = {**OTHER_READINGS, "setup_spy_cap": "2"}


class LockStep:
    """One table, kept by the engine and by the model."""

    def __init__(
        self,
        opening: str,
        matrix: dict[str, list[int]] | None = None,
        set_aside: frozenset[str] = frozenset(),
    ) -> None:
        kit, sheet = KIT, ENGINE.kit_sheet(None)
        if matrix is not None:
            kit = {**KIT, "malfunctions": {"matrix": matrix}}
            sheet = sheet.declare("malfunctions.matrix", matrix, "the box of this test")
        action: Any = ENGINE.read(opening)
        setting = evolve(ENGINE.setting(action, sheet), house_rules=set_aside)
        self.game = Game(ENGINE, action, setting, [ENGINE.open(setting, action)])
        self.model = model.start(opening, kit)
        self.lines = [opening]
        self.same_table()

    def judged_alike(self, line: str) -> bool:
        """Whether the line is legal; engine and model must not differ."""
        allowed, broken = model.legal(self.model, line)
        try:
            judgement = ENGINE.judge(
                self.game.setting, self.game.state, ENGINE.read(line), len(self.game.judgements)
            )
        except ParseError:
            assert not allowed, self.report(line, "the engine cannot read it, the model plays it")
            return False
        cited = judgement.verdict.clause
        said = f"engine {judgement.verdict.outcome} {cited}, model {sorted(broken) or allowed}"
        assert judgement.accepted == allowed, self.report(line, said)
        assert allowed or not broken or cited in broken, self.report(line, said)
        return allowed

    def play(self, line: str) -> None:
        assert self.judged_alike(line), self.report(line, "not legal")
        self.game.hear(ENGINE.read(line))
        self.model = model.play(self.model, line)
        self.lines.append(line)
        self.same_table()

    def same_table(self) -> None:
        ours, theirs = model.view(self.model), engine_view(self.game.state)
        differ = {key: (theirs[key], ours[key]) for key in ours if theirs[key] != ours[key]}
        assert not differ, self.report("", f"engine and model differ: {differ}")
        result = ENGINE.result(self.game.state)
        clause = None if result is None else result.clause
        assert clause == OUTCOME_CLAUSES.get(ours["outcome"]), self.report("", f"result {clause}")
        assert result is None or result.won == (ours["outcome"] == "won")

    def report(self, line: str, what: str) -> str:
        return f"{line!r}: {what}\nafter: {'; '.join(self.lines)}"


def engine_view(state: Any) -> dict[str, Any]:
    """The engine's state in the words of the model's view."""
    plain = ENGINE.plain(state)
    placement = plain["placement"]
    machines = {int(number): machine for number, machine in plain["machines"].items()}
    return {
        "active": plain["active"],
        "turn_number": plain["turn_number"],
        "to_act": sorted(state.agenda.seats),
        "over": state.over,
        "outcome": plain["outcome"],
        "owed": (plain["owed"] or {"counts": {}})["counts"],
        "characters": {seat: p["character"] for seat, p in plain["players"].items()},
        "knowledge": {seat: _spread(p["knowledge"]) for seat, p in plain["players"].items()},
        "workers": {number: sorted(m["workers"]) for number, m in machines.items()},
        "hand": sorted(plain["turn"]["hand"]),
        "may_fix": plain["turn"]["window"] if plain["phase"] == "turn" else None,
        "draws_left": placement["due"] - placement["placed"] if plain["phase"] == "placing" else 0,
        "tokens": {number: _spread(m["tokens"]) for number, m in machines.items()},
        "spies": {number: sorted(m["spies"]) for number, m in machines.items()},
        "tiles": {number: m["tile"] for number, m in machines.items()},
        "up": {number: m["up"] for number, m in machines.items()},
        "sections": {int(number): sorted(there) for number, there in plain["sections"].items()},
        "supply": _spread(plain["supply"]["tokens"]),
        "discard_pile": sorted(plain["discard_pile"]),
        "unseen_spies": sorted(plain["column"]["unseen"]),
        "returned_spies": list(plain["column"]["returned"]),
    }


def _spread(counts: dict[str, int]) -> list[str]:
    return sorted(token for token, count in counts.items() for _ in range(count))


# lines that may be wrong


def stray(table: LockStep, offered: list[str], rng: random.Random) -> str:
    """An offered line that was bent, one heard earlier, or one made up."""
    how = rng.random()
    if how < 0.4 and offered:
        line = rng.choice(offered)
        for _ in range(rng.choice((1, 1, 2))):
            line = bent(line, table, rng)
        return line
    if how < 0.5 and len(table.lines) > 2:
        line = rng.choice(table.lines[1:])
        return made_up(table, rng) if line.startswith("position") else line
    return made_up(table, rng)


def bent(line: str, table: LockStep, rng: random.Random) -> str:
    """The line with one of its words replaced, doubled or left out."""
    words = line.split()
    index = rng.randrange(len(words))
    word = words[index]
    thing, mark, place = word.partition("@")
    if thing in table.model["seats"] and index == 0:
        words[0] = rng.choice(table.model["seats"])
    elif thing in ALL_TOKENS:
        change = rng.random()
        if change < 0.5:
            words[index] = rng.choice(ALL_TOKENS) + mark + place
        elif change < 0.7 and words[index - 1] in ALL_TOKENS:
            del words[index]
        elif change < 0.85 and words[index - 1] not in ("fee", "plus", "remove", "draw"):
            words.insert(index, rng.choice([thing, rng.choice(ALL_TOKENS)]))
        else:
            words[index] = thing[0] + rng.choice("123456") + mark + place
    elif thing in TILES:
        words[index] = rng.choice(TILES)
    elif thing.isdigit():
        words[index] = rng.choice("123456") + mark + place
    elif thing in ("cw", "ccw"):
        words.append("".join(rng.choices("MSDE", k=rng.randrange(1, 4))))
    elif thing in "MSDE":
        words[index] = rng.choice("MSDE") + (mark + place or f"@{rng.randrange(1, 7)}")
    line = " ".join(words)
    return line if readable(line) else made_up(table, rng)


def readable(line: str) -> bool:
    try:
        ENGINE.read(line)
    except ParseError:
        return False
    return True


def made_up(table: LockStep, rng: random.Random) -> str:
    """A line that the players could have said, sensible or not."""
    state = table.model
    active = state["active"]
    seat = active if rng.random() < 0.75 else rng.choice(state["seats"])
    held = state["knowledge"][seat] or ALL_TOKENS
    laid = [token for there in state["tokens"].values() for token in there] or ALL_TOKENS
    place = rng.choice(("", "", f"@{rng.randrange(1, 7)}"))

    def some(tokens: list[str], most: int, fewest: int = 1) -> str:
        return " ".join(rng.choices(tokens, k=rng.randrange(fewest, most + 1)))

    def one(tokens: list[str]) -> str:
        return rng.choice(tokens if rng.random() < 0.9 else ALL_TOKENS)

    def maybe(word: str, likely: float = 0.2) -> str:
        return f" {word} {one(held)}" if rng.random() < likely else ""

    worker = rng.choice([*"MSDE", *state["turn"]["hand"] * 2])
    alike = [token for token in held if token[0] == worker]
    kind = alike if alike and rng.random() < 0.6 else held
    built = sum(1 for there in state["sections"].values() if there)
    pay = " ".join(rng.sample(kind, min(len(kind), built + rng.choice((0, 1, 1, 1, 2)))))
    pay = f" pay {pay}" if pay else ""
    machine = rng.randrange(1, 7)
    fee = maybe("fee", 0.5 if model.tile_up(state, "fee") else 0.1)
    plus = maybe("plus", 0.5 if model.tile_up(state, "spyplus") else 0.1)
    swap = f" swap {some(held, 2)}" if rng.random() < 0.3 else ""
    others = min(2, len(state["seats"]))
    recipients = " ".join(rng.sample(state["seats"], rng.choice((1, 1, 1, others))))
    makers = {
        "take": lambda: f"take {machine} {rng.choice(['cw', 'ccw'])}",
        "drop": lambda: f"drop {worker}{place}",
        "fix": lambda: f"fix {some(laid, 2)}",
        "build": lambda: f"build {worker}{place}{pay}{swap}{fee}",
        "uncover": lambda: (
            f"uncover {rng.choice(['', '', str(machine)])} {for_spy(state, held, rng)}{plus}{fee}"
        ),
        "harris": lambda: (
            f"harris {worker} {machine} to {rng.randrange(1, 7)} pay {one(kind)}{fee}"
        ),
        "junas": lambda: f"junas pay {one(kind)} give {some(kind, 3)} to {recipients}{fee}",
        "linny": lambda: f"linny pay {one(held)} remove {one(laid)}{place}{fee}",
        "violet": lambda: f"violet pay {some(kind, 3)}{fee}",
        "down": lambda: f"down {machine}",
        "end": lambda: "end",
        "discard": lambda: f"discard {some(held, 2)}",
        "draw": lambda: f"draw {rng.choice(ALL_TOKENS)}{rng.choice([place, place, '@supply'])}",
        "spy": lambda: f"spy {machine}{place}",
        "crit": lambda: f"crit {machine} {rng.choice(TILES)}",
        "char": lambda: f"char {rng.choice(CHARACTERS)}",
    }
    verbs = list(makers) if rng.random() < 0.4 else timely(state, seat)
    return " ".join(f"{seat} {makers[rng.choice(verbs)]()}".split())


def for_spy(state: model.State, held: list[str], rng: random.Random) -> str:
    """A payment for the spy at the last drop, often nearly right."""
    icons = KIT["machines"][(state["turn"]["last_drop"] or 1) - 1]["icons"]
    paid = [
        rng.choice([token for token in held if token[0] == model.LETTERS[icon]] or held)
        for icon in icons
    ]
    change = rng.random()
    if change < 0.3:
        return f"pay {paid[0]} swap {rng.choice(held)}"
    if change < 0.6:
        paid[rng.randrange(2)] = rng.choice(held)
    elif change < 0.7:
        paid += rng.choices(held, k=1)
    return f"pay {' '.join(paid)}"


def timely(state: model.State, seat: str) -> list[str]:
    """Verbs that this seat might well say now."""
    if state["owed"]:
        return ["discard"]
    if state["phase"] != "turn":
        return ["draw", "spy", "crit", "char"] if state["phase"] == "setup" else ["draw", "spy"]
    own = state["character"][seat]
    ability = {"nova": "build", "fenn": "uncover"}.get(own, own)
    turn = state["turn"]
    if not turn["taken"]:
        return [ability, "take"]
    if len(turn["hand"]) == 1:
        return [ability, "build", "build", "drop", "fix"]
    return [ability, "drop", "fix"] if turn["hand"] else [ability, "uncover", "uncover", "fix"]


# games


def compare(table: LockStep, rng: random.Random) -> list[Any]:
    """Options and strays are judged alike; gives the options that can be played."""
    options = ENGINE.options(table.game.setting, table.game.state)
    draws = [action for action in options if action.verb == "draw"]
    options = [action for action in options if action.verb != "draw"]
    options += rng.sample(draws, min(len(draws), DRAWS_PER_STEP))
    offered = [ENGINE.text(action) for action in options]
    judged = [table.judged_alike(line) for line in offered]
    assert False not in judged, table.report(offered[judged.index(False)], "an option, not legal")
    for _ in range(STRAYS_PER_STEP):
        table.judged_alike(stray(table, offered, rng))
    return options


def step(table: LockStep, rng: random.Random) -> None:
    options = compare(table, rng)
    later = ENGINE.judge.unsaid(table.game.setting, table.game.state)
    if later and not later[-1].over and rng.random() < 0.5:
        options = ENGINE.options(table.game.setting, later[-1])
    telling = [action for action in options if is_telling(action, table)]
    chosen = pick(telling, rng) if telling and rng.random() < 0.7 else pick(options, rng)
    table.play(ENGINE.text(chosen))


def is_telling(action: Any, table: LockStep) -> bool:
    """Aimless players would hardly ever build."""
    lone = action.verb == "take" and len(table.model["workers"][action.machine]) == 1
    return lone or action.verb in ("build", "uncover", "fix")


def play_out(table: LockStep, rng: random.Random) -> LockStep:
    while table.model["outcome"] is None and len(table.lines) < LINES_LIMIT:
        step(table, rng)
    for _ in range(STRAYS_PER_STEP):
        table.judged_alike(stray(table, [], rng))
    return table


def opening(rng: random.Random, readings: dict[str, str], seed: int) -> str:
    """Games that follow each other have two, three and four seats."""
    level = rng.choice(("normal", "normal", *ADDED_SPIES))
    seats = "ABCD"[: 2 + seed % 3]
    said = " ".join(f"{name}={value}" for name, value in readings.items())
    return (
        f"table {' '.join(seats)} first {rng.choice(seats)} level {level}"
        f" spies {rng.choice(ADDED_SPIES[level])}" + (f" readings {said}" if said else "")
    )


def other_readings(rng: random.Random) -> dict[str, str]:
    """Every second reading is not the default one."""
    chosen = {name: value for name, value in READINGS.items() if rng.random() < 0.5}
    chosen["divert_scope"] = rng.choice(("own_first", "always_shift", "from_tile"))
    if chosen.get("setup_spy_cap") and chosen.get("critical_threshold"):
        del chosen["setup_spy_cap"]
    return chosen


def dealt(table: LockStep, rng: random.Random) -> None:
    seats = table.model["seats"]
    for seat, character in zip(seats, rng.sample(CHARACTERS, len(seats)), strict=True):
        table.play(f"{seat} char {character}")


def late_position(table: LockStep, rng: random.Random) -> str:
    """Sections nearly full, machines about to fail, spies about, much knowledge of one type."""
    supply = rng.sample(ALL_TOKENS * 3, len(ALL_TOKENS) * 3)
    workers = list("MSDE" * 3)
    filled = rng.choice((2, 4, 5, 5, 5))
    sheets = rng.sample(KIT["sections"], 6)
    sections: dict[str, str] = {}
    for sheet in sheets[:filled]:
        accepted = [model.LETTERS[kind] for kind in sheet["accepts"]]
        worker = rng.choice([worker for worker in workers if worker in accepted])
        workers.remove(worker)
        sections[str(sheet["id"])] = worker
    next_section = sheets[filled]
    favourite = model.LETTERS[rng.choice(next_section["accepts"])]
    standing = dict.fromkeys(model.MACHINES, "")
    if favourite in workers:
        workers.remove(favourite)
        standing[next_section["machine"]] = favourite
    elsewhere = [machine for machine in model.MACHINES if not standing[machine]]
    for worker in workers:
        standing[rng.choice(elsewhere)] += worker
    spies = rng.sample(model.MACHINES, rng.randrange(5))
    known = rng.choice((3, 4, 5, 6))
    tiles = [*rng.sample(TILES, known), *[None] * (6 - known)]
    machines = {
        str(machine): {
            "workers": standing[machine],
            "tokens": [supply.pop() for _ in range(rng.choice((0, 1, 2, 3, 4) if tile else (0,)))],
            "spy": machine in spies,
            **({"tile": tile} if tile else {}),
        }
        for machine, tile in zip(model.MACHINES, tiles, strict=True)
    }
    supply.sort(key=lambda token: token[0] == favourite)
    position = {
        "active": rng.choice(table.model["seats"]),
        "phase": rng.choice(("turn", "turn", "placing")),
        "machines": machines,
        "sections": sections,
        "players": {
            seat: {"knowledge": sorted(supply.pop() for _ in range(rng.choice((3, 6, 7))))}
            for seat in table.model["seats"]
        },
        "returned": [spy for spy in model.MACHINES if spy not in spies and rng.random() < 0.4],
        "discard_pile": supply[: rng.randrange(len(supply) // 2)],
    }
    return f"position {json.dumps(position)}"


def late_table(
    rng: random.Random,
    readings: dict[str, str],
    seed: int,
    set_aside: frozenset[str] = frozenset(),
) -> LockStep:
    """A table at a late position that the engine takes for one of a running game."""
    table = LockStep(opening(rng, readings, seed), set_aside=set_aside)
    dealt(table, rng)
    while True:
        line = late_position(table, rng)
        action, state = ENGINE.read(line), table.game.state
        if ENGINE.judge(table.game.setting, state, action).accepted:
            table.play(line)
            return table


@pytest.mark.parametrize("seed", range(2 + CHAOS))
def test_a_game_is_judged_alike(seed: int) -> None:
    rng = random.Random(f"default {seed}")
    play_out(LockStep(opening(rng, {}, seed)), rng)


@pytest.mark.parametrize("seed", range(3 + CHAOS))
def test_a_game_read_otherwise_is_judged_alike(seed: int) -> None:
    rng = random.Random(f"otherwise {seed}")
    play_out(LockStep(opening(rng, other_readings(rng), seed)), rng)


@pytest.mark.parametrize("seed", range(3 + CHAOS))
def test_a_late_game_is_judged_alike(seed: int) -> None:
    rng = random.Random(f"late {seed}")
    play_out(late_table(rng, {}, seed), rng)


@pytest.mark.parametrize("seed", range(3 + CHAOS))
def test_a_late_game_read_otherwise_is_judged_alike(seed: int) -> None:
    rng = random.Random(f"late otherwise {seed}")
    play_out(late_table(rng, other_readings(rng), seed), rng)


@pytest.mark.parametrize("seed", range(2 + CHAOS))
def test_a_game_with_few_malfunctions_is_judged_alike(seed: int) -> None:
    rng = random.Random(f"few {seed}")
    matrix = {name: [rng.randrange(2) for _ in range(6)] for name in model.LETTERS}
    matrix["mechanical"] = [2, 2, 2, 2, 2, 2]
    readings = other_readings(rng) if seed % 2 else {}
    play_out(LockStep(opening(rng, readings, seed), matrix), rng)


@pytest.mark.parametrize("seed", range(1 + CHAOS))
def test_the_complete_game_that_is_won_is_judged_alike(seed: int) -> None:
    rng = random.Random(f"won {seed}")
    first, *lines = actions_of(ENGINE.id, "a game that is won, turn by turn")
    table = LockStep(first)
    for line in lines:
        compare(table, rng)
        table.play(line)
    assert table.model["outcome"] == "won"


def test_openings_are_judged_alike() -> None:
    rng = random.Random("openings")
    for _ in range(60):
        seats = "ABCDEF"[: rng.randrange(1, 7)]
        line = f"table {' '.join(seats)} first {rng.choice(seats)} level {rng.choice(LEVELS)}"
        line += rng.choice(("", f" spies {rng.randrange(6)}"))
        said = [f"{name}={value}" for name, value in OPENING_READINGS if rng.random() < 0.4]
        line += f" readings {' '.join(said)}" if said else ""
        action: Any = ENGINE.read(line)
        judgement = ENGINE.open(ENGINE.setting(action), action)
        broken = opening_breaks(line)
        assert judgement.accepted == (not broken), line
        assert not broken or judgement.verdict.clause in broken, line


def opening_breaks(line: str) -> frozenset[str]:
    try:
        model.start(line, KIT)
    except model.Broken as broken:
        return broken.clauses
    return frozenset()


@pytest.mark.parametrize("clause", first(2, SET_ASIDE))
def test_an_engine_without_one_clause_is_found_out(clause: str) -> None:
    """The comparison has teeth: with any of these clauses set aside, the tables fall apart."""
    for seed in range(SEARCHES):
        rng = random.Random(f"without {clause} {seed}")
        try:
            table = (
                late_table(rng, {}, seed, frozenset({clause}))
                if seed % 2
                else LockStep(opening(rng, {}, seed), set_aside=frozenset({clause}))
            )
            play_out(table, rng)
        except AssertionError:
            return
    pytest.fail(f"nobody misses {clause}")
