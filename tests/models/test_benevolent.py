"""The engine of Benevolent and a naive model of it, side by side in random games.

``REFEREE_CHAOS`` plays more of them.
"""

from __future__ import annotations

import copy
import json
import os
import random
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from engines.kernel import ParseError, evolve
from engines.kernel.registry import load_engine
from tests.deep import first
from tests.games import benevolent as tables
from tests.models import benevolent as model
from tests.playing import Game, open_game, pick

ENGINE = load_engine("benevolent")
KIT = tomllib.loads((files("engines.benevolent") / "kits/benevolent-default.toml").read_text())

GAMES = max(1, int(os.environ.get("REFEREE_CHAOS", "0")) // 10)
LINES = 40
PHASES = {"move", "action", "after"}
STRAYS = 8
"""Lines that nobody offers, tried before every line of play."""

WORDS = {
    **dict.fromkeys(model.GIFTS, model.GIFTS),
    **dict.fromkeys("1234", tuple("1234")),
    **dict.fromkeys(model.SLOTS, model.SLOTS),
    **dict.fromkeys("ABCD", tuple("ABCD")),
    **dict.fromkeys(("put", "take"), ("put", "take", "none")),
}
"""What may stand in the place of a word."""
FACES = tuple(tile["ephemeral"] for tile in KIT["secrets"]["tiles"])


class Both:
    """One game, followed by the engine and by the model."""

    def __init__(self, lines: list[str]) -> None:
        self.game: Game = open_game(ENGINE, lines[:1])
        self.table = model.start(lines[0], KIT)
        self.said = lines[:1]
        for line in lines[1:]:
            self.play(line)

    def by_engine(self, line: str) -> str | None:
        """The clause that refuses a line, as the engine says; none if it is legal."""
        try:
            action = ENGINE.read(line)
            judged = ENGINE.judge(self.game.setting, self.game.state, action, 1)
        except ParseError:
            return model.FORM
        return judged.verdict.clause if judged.verdict.outcome == "illegal" else None

    def agree_on(self, line: str) -> str | None:
        """Both judge a line alike; its clause."""
        engine, naive = self.by_engine(line), model.legal(self.table, line)[1]
        if naive == model.FORM != engine:  # parts in another order, which the model does not read
            naive = model.legal(self.table, ENGINE.text(ENGINE.read(line)))[1]
        if naive == model.UNSURE:
            engine = engine and model.UNSURE
        assert engine == naive, f"{line!r}: engine {engine}, model {naive}{self.told()}"
        return naive

    def play(self, line: str) -> None:
        assert self.agree_on(line) is None, f"{line!r} is refused{self.told()}"
        self.game.hear(ENGINE.read(line))
        self.table = model.play(self.table, line)
        self.said.append(line)
        engine, naive = seen(self.game), model.view(self.table)
        for what, is_so in naive.items():
            assert engine[what] == is_so, f"{what}: {engine[what]} / {is_so}{self.told()}"

    def try_out(self, line: str) -> None:
        """Play a line and see whether the turn can be ended, here and now or once more."""
        trial = copy.copy(self)
        trial.game = evolve(self.game, judgements=list(self.game.judgements))
        trial.said = list(self.said)
        trial.play(ENGINE.text(ENGINE.read(line)))
        trial.agree_on("end")

    def told(self) -> str:
        return "\nafter\n" + "\n".join(self.said)


def seen(game: Game) -> dict[str, Any]:
    """The state of the engine as the model sees its own."""
    state, over = ENGINE.plain(game.state), game.state.over
    turn, hexes = state["turn"], state["forest"]["hexes"] if state["forest"] else None
    phases = {duty.kind for duty in game.state.agenda.duties}
    result = ENGINE.result(game.state)
    return {
        "players": model.shown(state["players"]),
        "river": {gift: pile for gift, pile in state["river"].items() if pile},
        "reserve": state["reserve"],
        "pyramid": state["pyramid"],
        "box": sorted(face for face in state["box"] if face in FACES),
        "forest": hexes and {name: (one["site"], one["grey"]) for name, one in hexes.items()},
        "number": turn["number"],
        "active": next(iter(game.state.agenda.seats), None),
        "phase": "over" if over else next(iter(phases & PHASES), "setup"),
        "arrival": None if over else turn["arrival"],
        "repeats": [] if over else sorted(turn["repeats"]),
        "winner": state["winner"],
        "result": result and [list(places) for places in result.places],
    }


def strays(both: Both, options: list[str], rng: random.Random) -> Iterator[str]:
    """Lines like those of the game, few of which are legal."""
    hexes = [*both.table["fixed"]["forest"], "e9"]
    for _ in range(STRAYS):
        line = rng.choice(options) if options and rng.random() < 0.6 else made_up(hexes, rng)
        for _ in range(rng.randrange(1, 3)):
            line = bent(line, hexes, rng)
        yield line


def made_up(hexes: list[str], rng: random.Random) -> str:
    gift, space = rng.choice(model.GIFTS), rng.choice("1234")
    return rng.choice(
        (
            f"step {rng.choice(hexes)}",
            f"step {rng.choice(hexes)} to {rng.choice(hexes)}",
            "gather",
            f"gather {rng.choice(('put', 'take', 'none'))}",
            f"buy {gift}",
            "pick",
            f"sleep {space}",
            f"swap {gift}",
            f"learn {rng.choice(model.SLOTS)}",
            f"use {rng.choice(FACES)}",
            f"use sale {gift}",
            f"use free_swap {gift}",
            f"use free_sleep {space}",
            f"again swap {gift}",
            f"again sleep {space}",
            f"{rng.choice(('buy', 'pick', 'swap', 'sleep', 'learn'))} none",
            "end",
        )
    )


def bent(line: str, hexes: list[str], rng: random.Random) -> str:
    """A line with one word more, less or other."""
    words = line.split()
    way = rng.random()
    if way < 0.15:
        rest = words[1:] if words[0] in WORDS["A"] else words
        return " ".join([*rng.choice(([], [rng.choice("ABCDE")])), *rest])
    if way < 0.3 and "from" not in words and words[-1] != "none":
        return f"{line} from {rng.choice('ABCD')}"
    if way < 0.35 and "waive" not in words:
        return f"{line} waive {rng.choice('ABCD')}"
    if way < 0.4 and "none" not in words:
        return f"{line} none"
    places = [at for at, word in enumerate(words) if word in WORDS or word in hexes]
    if places:
        at = rng.choice(places)
        slots = WORDS.get(words[at], hexes)
        words[at] = rng.choice(hexes if words[at] in hexes else slots)
    return " ".join(words)


def opening(players: int, rng: random.Random, readings: dict[str, str]) -> list[str]:
    said = " readings " + " ".join(f"{name}={value}" for name, value in readings.items())
    return [tables.table(rng, players, said)]


def a_forest(players: int, rng: random.Random, readings: dict[str, str]) -> str:
    size = {2: 8, 3: 10, 4: 13 if readings.get("layout4_overlap") == "2" else 14}[players]
    if size != 13 and rng.random() < 0.5:
        return tables.segments(rng, players)
    return tables.own_forest(rng, size)


def read_otherwise(rng: random.Random) -> dict[str, str]:
    return {name: rng.choice(values) for name, values in model.READINGS.items()}


DEFAULT = {"turn_end": "silence"}


def play_on(both: Both, rng: random.Random, limit: int, *, thorough: bool = False) -> None:
    """Go on at random; ``thorough`` tries every option, not only the one that is played."""
    for _ in range(limit):
        if both.game.state.over:
            break
        agree_on_counts(both, rng)
        actions = ENGINE.options(both.game.setting, both.game.state)
        options = [ENGINE.text(action) for action in actions]
        assert {line for line in options if "waive" not in line} == model.listed(both.table), (
            both.told()
        )
        for line in strays(both, options, rng):
            if both.agree_on(line) is None:
                both.try_out(line)
        for action in actions if thorough else ():
            both.try_out(ENGINE.text(action))
        later = ENGINE.judge.unsaid(both.game.setting, both.game.state)
        if later and rng.random() < 0.5:
            actions = ENGINE.options(both.game.setting, later[-1])
        both.play(ENGINE.text(pick(actions, rng)))
    for line in strays(both, [], rng):
        both.agree_on(line)


def agree_on_counts(both: Both, rng: random.Random) -> None:
    """Counts seen at the table differ where the model says so."""
    seat, gift = rng.choice(both.table["fixed"]["seats"]), rng.choice(model.GIFTS)
    own = (f"{seat} {what}" for what in ("leaves", "card", "hoard", "dream", gift))
    subject = rng.choice(("reserve", f"river {gift}", *own))
    counted = max(0, model.count(both.table, subject) + rng.choice((0, 1)))
    action = ENGINE.read(f"audit {subject} {counted}")
    verdict = ENGINE.judge(both.game.setting, both.game.state, action, 1).verdict
    differs = counted != model.count(both.table, subject)
    assert bool(verdict.findings) == differs, f"audit {subject} {counted}{both.told()}"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(GAMES))
def test_engine_and_model_play_the_same_game(players: int, seed: int) -> None:
    rng = random.Random(f"model {players} {seed}")
    lines = [*opening(players, rng, DEFAULT), tables.segments(rng, players), tables.pyramid(rng)]
    play_on(Both(lines), rng, LINES)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(GAMES))
def test_engine_and_model_agree_under_any_readings(players: int, seed: int) -> None:
    rng = random.Random(f"readings {players} {seed}")
    readings = read_otherwise(rng)
    forest = a_forest(players, rng, readings)
    both = Both([*opening(players, rng, readings), forest, tables.pyramid(rng)])
    play_on(both, rng, LINES)


# positions


def a_position(both: Both, rng: random.Random) -> dict[str, Any]:
    """A late state of the game as a table might declare it, nearly always a possible one."""
    seats, hexes = both.table["fixed"]["seats"], both.table["fixed"]["forest"]
    tiles = list(KIT["secrets"]["tiles"])
    rng.shuffle(tiles)
    faces = [tile[rng.choice(("ephemeral", "permanent"))] for tile in tiles]
    lying = dict(zip(reversed(model.SLOTS), faces[: rng.choice((0, 2, 5, 6, 7))], strict=False))
    active = rng.choice(seats)
    hands: dict[str, list[str]] = {seat: [] for seat in seats}
    for face in faces[len(lying) :]:
        hands[rng.choice((active, rng.choice(seats)))].append(face)
    leaves = rng.choice((3, 3, 9, 25))
    turns = rng.choice((0, 1, 2, 3, 4, 4))
    meeting = rng.sample([*hexes], rng.choice((1, 2, len(hexes))))
    walked = {seat: rng.choice((turns, turns + 1, rng.randrange(1, 5))) for seat in seats}
    walked[active] *= rng.random() < 0.7
    players = {
        seat: {
            "leaves": rng.randrange(leaves),
            "gifts": {},
            "dream": rng.randrange(1, 5),
            "ephemeral": [face for face in hand if face in FACES],
            "permanent": [face for face in hand if face not in FACES],
            "hoard": rng.randrange(4) if "hoard" in hand else 0,
            **some_steps(hexes, hand, walked[seat], meeting, rng),
        }
        for seat, hand in hands.items()
    }
    me = players[active]
    if rng.random() < 0.3:
        me["gifts"] = dict.fromkeys(rng.sample(model.GIFTS, 4), 1)
    for gift in KIT["gifts"]:
        name, tokens = gift["id"], gift["river"][str(len(seats))] - (gift["id"] in me["gifts"])
        for _ in range(rng.choice((tokens, rng.randrange(tokens + 1)))):
            mine = players[rng.choice(seats)]["gifts"]
            if len(mine) < 4 or name in mine:
                mine[name] = mine.get(name, 0) + 1
    if rng.random() < 0.2:
        others = sum(one["leaves"] + one["hoard"] for one in players.values()) - me["leaves"]
        me["leaves"] = KIT["leaves"]["count"] - others - rng.randrange(4)
    phase = rng.choice(("move", "action", "action", "after")) if me["forest"] else "move"
    position = {"active": active, "phase": phase, "players": players, "pyramid": lying}
    if phase != "move":
        crowd = [name for one in players.values() for name in one["forest"]]
        most = max(me["forest"], key=crowd.count)
        position["arrival"] = rng.choice((most, rng.choice(me["forest"])))
    position["open_repeats"] = [
        rng.choice((kind, f"free_{kind}")) if phase == "after" else f"free_{kind}"
        for kind, tile in model.REPEATS.items()
        if tile in me["permanent"] and rng.random() < 0.5
    ]
    return position


def some_steps(
    hexes: dict[str, Any], hand: list[str], turns: int, meeting: list[str], rng: random.Random
) -> dict[str, Any]:
    """The steps of so many turns in the forest, mostly one group, and the others on the card.

    Where it can be, everybody goes to a hex of the ``meeting``.
    """
    steps: list[str] = []
    for _ in range(min(turns, 4)):
        near = [
            name
            for name in hexes
            if "free_path" in hand or any(model.touch(hexes, name, one) for one in steps)
        ]
        again = "double_step" in hand and steps and rng.random() < 0.4
        near = near or list(hexes)
        there = [name for name in near if name in meeting and name not in steps]
        steps.append(rng.choice(steps if again else there or near))
        if "double_step" not in hand and steps.count(steps[-1]) > 1 and rng.random() < 0.95:
            steps.pop()
    return {"forest": steps, "card": 4 - len(steps)}


def spoilt(position: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same position with something changed that may well be impossible."""
    players = position["players"]
    one = rng.choice(list(players))
    me, gift = players[one], rng.choice(model.GIFTS)
    instead = rng.choice(
        (
            {"leaves": rng.choice((20, 40, 60, 64, 65))},
            {"gifts": {**me["gifts"], gift: rng.randrange(7)}},
            {"gifts": dict.fromkeys(model.GIFTS, 1)},
            {"card": rng.randrange(6)},
            {"forest": [rng.choice(("a1", "a2", "b1", "b2", "e9")) for _ in me["forest"]]},
            {"hoard": rng.randrange(3)},
            {"permanent": [*me["permanent"], rng.choice(("hoard", "free_path", "double_step"))]},
            {"ephemeral": [*me["ephemeral"], rng.choice(FACES)]},
        )
    )
    changed = {**position, "players": {**players, one: {**me, **instead}}}
    if rng.random() < 0.2:
        lying = {slot: face for slot, face in position["pyramid"].items() if rng.random() < 0.8}
        changed["pyramid"] = lying
    if position.get("arrival") is not None and rng.random() < 0.2:
        changed["arrival"] = rng.choice(("a1", "b2", "e9"))
    return changed


def accepts_alike(both: Both, position: dict[str, Any]) -> bool:
    line = f"position {json.dumps(position)}"
    engine, naive = both.by_engine(line), model.legal(both.table, line)[1]
    assert (engine is None) == (naive is None), f"{line}: engine {engine}, model {naive}"
    if naive is None:
        verdict = ENGINE.judge(both.game.setting, both.game.state, ENGINE.read(line), 1).verdict
        doubts = {doubt.clause for doubt in verdict.doubted}
        assert doubts == model.play(both.table, line)["doubts"], line
    return naive is None


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(20 * GAMES))
def test_engine_and_model_agree_from_any_position_on(players: int, seed: int) -> None:
    rng = random.Random(f"position {players} {seed}")
    both = in_the_middle(players, rng, read_otherwise(rng) if seed % 2 else DEFAULT)
    play_on(both, rng, 4, thorough=True)


def in_the_middle(players: int, rng: random.Random, readings: dict[str, str]) -> Both:
    """A game from a position on, of which both think the same, and of others like it."""
    both = Both([*opening(players, rng, readings), a_forest(players, rng, readings)])
    position = a_position(both, rng)
    while not accepts_alike(both, position):
        position = a_position(both, rng)
    for _ in range(STRAYS):
        accepts_alike(both, spoilt(position, rng))
    both.play(f"position {json.dumps(position)}")
    return both


# setting up


def a_table(rng: random.Random) -> str:
    seats = "ABCDE"[: rng.choice((1, 2, 2, 3, 3, 4, 4, 5))]
    colours = rng.sample(("blue", "red", "yellow", "green", "pink"), 5)
    if rng.random() < 0.2:
        colours[0] = colours[1]
    sitting = " ".join(f"{seat}={colour}" for seat, colour in zip(seats, colours, strict=False))
    first = rng.choice(("", "first A", "first A", f"first {seats[-1]}", "first A B", "first E"))
    return f"table {sitting} {first}"


def a_set_up_line(rng: random.Random) -> str:
    sides = [f"S{number}{side}" for number in "123" for side in "AB"]
    faces = [tile[side] for tile in KIT["secrets"]["tiles"] for side in ("ephemeral", "permanent")]
    fallen = rng.sample(faces, 9) if rng.random() < 0.7 else rng.choices(faces, k=9)
    low, high = rng.choice(((4, 7), (4, 7), (3, 6), (4, 8)))
    rows = (fallen[:low], fallen[low:high], fallen[high:])
    return rng.choice(
        (
            tables.segments(rng, rng.choice((2, 3, 4))),
            f"forest {' '.join(rng.choices(sides, k=rng.choice((1, 2, 2, 3, 3, 4))))}",
            tables.own_forest(rng, rng.choice((8, 10, 13, 14))),
            f"forest {' '.join(tables.own_forest(rng, 15).split()[1:][::2])}",
            f"pyramid {' / '.join(' '.join(row) for row in rows)}",
            tables.pyramid(rng),
            "step a1",
            "gather",
            "A end",
        )
    )


@pytest.mark.parametrize("seed", range(20 * GAMES))
def test_engine_and_model_set_up_the_same_table(seed: int) -> None:
    rng = random.Random(f"set up {seed}")
    line = a_table(rng)
    read = ENGINE.read(line)
    judged = ENGINE.open(ENGINE.setting(read), read)
    if not judged.accepted:
        with pytest.raises(model.Broken, match=f"^{judged.verdict.clause}$"):
            model.start(line, KIT)
        return
    both = Both([line])
    for _ in range(STRAYS * 3):
        line = a_set_up_line(rng)
        if both.agree_on(line) is None:
            both.play(line)


# the comparison bites

FORGOTTEN = (
    "BEN-ACT-4",
    "BEN-ALTAR-2",
    "BEN-CIRCLE-6",
    "BEN-MEADOW-1",
    "BEN-MOVE-2",
    "BEN-MOVE-3",
    "BEN-MOVE-11",
    "BEN-MOVE-13",
    "BEN-NEST-1",
    "BEN-TOLL-3",
    "BEN-TURN-3",
    "BEN-TURN-7",
)


@pytest.mark.parametrize("clause", first(2, FORGOTTEN))
def test_an_engine_that_forgets_a_clause_is_found_out(clause: str) -> None:
    with pytest.raises(AssertionError):
        play_without(clause)


def play_without(clause: str) -> None:
    for seed in range(4):
        rng = random.Random(f"without {clause} {seed}")
        set_up = [tables.segments(rng, 3), tables.pyramid(rng)]
        forget(Both([*opening(3, rng, DEFAULT), *set_up]), clause, rng, LINES)
    for seed in range(20):
        rng = random.Random(f"in the middle without {clause} {seed}")
        forget(in_the_middle(3, rng, DEFAULT), clause, rng, 4)


def forget(both: Both, clause: str, rng: random.Random, lines: int) -> None:
    both.game.setting = evolve(both.game.setting, house_rules=frozenset({clause}))
    play_on(both, rng, lines, thorough=lines < LINES)
