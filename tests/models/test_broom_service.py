"""The engine of Broom Service and a naive second one play the same games in lock-step.

At every step all that the engine offers must be legal in the model, wrong lines must be judged
alike by both, with the same clause where the model is sure of one, and both must see the same
table. ``REFEREE_CHAOS=200`` plays twenty whole games of each kind.

Readings: all but ``sealed_hands``. Not compared: what the model does not know (told there), and
which of two roles left the cursed stack when one came twice.
"""

from __future__ import annotations

import copy
import os
import random
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Action, Engine, KitSheet, ParseError, evolve
from engines.kernel.registry import load_engine
from tests.deep import first
from tests.games.broom_service import FROM_THE_START, SETUPS, crowd, table
from tests.models import broom_service as model
from tests.playing import Game

ENGINE: Engine[Any, Any] = load_engine("broom_service")
KIT_FILE = Path("engines/broom_service/kits/broom-default.toml")
KIT = tomllib.loads((Path(__file__).parents[2] / KIT_FILE).read_text(encoding="utf-8"))
CLOUDS = [
    name
    for kind in KIT["clouds"].values()
    for name, printed in kind.items()
    if isinstance(printed, dict) and "stars" in printed
]
TOWERS = [name for name in KIT["front"]["towers"] | KIT["back"]["towers"] if len(name) == 3]
GAMES = max(1, int(os.environ.get("REFEREE_CHAOS", "0")) // 10)
OFFERS = 12
STRAYS = 4
LINES_LIMIT = 1500
USUAL_LIMIT = LINES_LIMIT if GAMES > 1 else 130
"""Where games with the printed box are cut, unless many are played."""

EAGER = {"chase": 12, "deliver": 8, "bonus": 8, "circle": 8, "use": 6, "move": 6, "gather": 6}
SHY = {"next": 1, "end": 1, "lay": 2}

MANY = ("four", "five")
"""How the tables are called that begin crowded, in any round."""
RICH_SETUPS = ("two, back", "three, storm and mountain", "four, back with storm")

NOTICED = (
    "BRM-SET-3",
    "BRM-TRN-9",
    "BRM-CUR-1",
    "BRM-GAT-1",
    "BRM-MOV-3",
    "BRM-DEL-7",
    "BRM-DEL-10",
    "BRM-DRU-6",
    "BRM-CLD-3",
    "BRM-CLD-5",
    "BRM-MTN-4",
    "BRM-FOR-3",
)
"""Rules and effects that soon make a difference."""

USUAL_LINES = (
    "cloud c01 h11",
    "tile M1 m_wands",
    "event gathering",
    "cursed fw",
    "cursed fw mw",
    "cursed fw mw hg",
    "A hand 4",
    "A hand 3",
    "A use plusone",
    "A fw brave",
    "A fw coward",
    "A fw",
    "A lay fw",
    "A next",
    "A move 1 F1",
    "A deliver g t05 1",
    "A chase c01",
    "A gather g",
    "A take",
    "A use five",
    "A bonus",
    "A circle A",
    "A end",
    "A fist none",
    "A fist g",
    "A set",
)

READINGS = {
    "water_crossing": ("none", "chain"),
    "reach_over_water": ("moves_only",),
    "cursed_refill": ("all_ten", "refill_first"),
    "dead_card_cursed": ("no",),
    "dead_lead": ("skip",),
    "partial_gather": ("no",),
    "rank_ties": ("dense",),
    "plusone_timing": ("with_choice",),
    "plusone_over_five": ("no",),
    "courage_excludes_event": ("no",),
    "square_limit": ("per_card",),
    "partial_mountain": ("no",),
    "turbo_blocked": ("move_illegal",),
    "turbo_triggers": ("no",),
    "forest_tile_from": ("next_round",),
    "event_if_impossible": ("no",),
    "round_starter": ("last_brave",),
    "repeated_end": ("declines",),
}


def other_box(rng: random.Random) -> dict[str, Any]:
    """A box whose open board and cheap clouds let aimless players do more."""
    kit = copy.deepcopy(KIT)
    for kind in kit["clouds"].values():
        for name in CLOUDS:
            if name in kind:
                kind[name]["stars"] = rng.choice((0, 0, 1, 2))
    for role in ("hg", "fg", "rg"):
        slots = [rng.sample(model.RESOURCES, rng.choice((1, 1, 2))) for _ in range(4)]
        kit["roles"][role]["brave"], kit["roles"][role]["coward"] = slots[:3], slots[3:]
    for side in ("front", "back"):
        board = kit[side]
        castles = list(board["castles"].values())
        islands = [board.get("circles", {}).get(letter) for letter in "BD"]
        inland = [name for name in board["regions"] if name not in (*castles, *islands)]
        _bridge(board, castles, inland, rng)
        under = rng.sample([name for name in board["regions"] if name not in castles], 5)
        for space in board["cloud_spaces"]:
            board["cloud_spaces"][space] = rng.choice(under)
        for name in TOWERS:
            if name in board["towers"]:
                board["towers"][name]["shape"] = rng.choice(("round", "round", "square"))
                board["towers"][name]["wands"] = rng.choice((0, 1, 2))
    kit["front"]["borders"].append("L1-L2")
    for letter in "AC":
        kit["back"]["circles"][letter] = rng.choice(("M1", "M2", "F1", "F2", "H2", "P3", "P5"))
    kit["events"]["advantage"]["paid_by"] = rng.choice(("all", "winners", "nobody"))
    kit["events"]["advantage"]["min_count"] = rng.choice((0, 1, 2))
    kit["events"]["more_or_less"]["vp_by_count"]["5"] = rng.choice((-3, -5))
    kit["events"]["gathering"]["vp"] = rng.choice((4, 6))
    kit["scoring"]["lightning_step"] = rng.choice((1, 5))
    return kit


def _bridge(
    board: dict[str, Any], castles: list[str], inland: list[str], rng: random.Random
) -> None:
    """More borders, so that tiles are near the castles."""
    for castle in castles:
        for region in rng.sample(inland, 5):
            known = {f"{castle}-{region}", f"{region}-{castle}"}
            water = board["regions"][region]["terrain"] == "water"
            if not water and known.isdisjoint(board["borders"]):
                board["borders"].append(f"{castle}-{region}")


# What both see


def seen_by_engine(game: Game) -> dict[str, Any]:
    """The engine's state in the words of the model's view."""
    plain, state = ENGINE.plain(game.state), game.state
    duties = state.agenda.duties
    kinds = {duty.kind for duty in duties}
    places = ENGINE.result(state)
    seen: dict[str, Any] = {
        "over": state.over,
        "to_act": sorted({d.seat for d in duties if d.seat is not None and d.kind != "plusone"}),
        "clouds": plain["board"]["clouds"],
        "occupied": sorted(plain["board"]["occupied"]),
        "tiles": plain["board"]["tiles"],
        "discarded": sorted(plain["board"]["discarded"]),
        "players": {seat: _player(player) for seat, player in plain["players"].items()},
        "result": places and [sorted(place) for place in places.places],
    }
    if not state.over and not kinds & {"cloud", "tile"}:
        of_round = plain["round"]
        seen |= {"round": of_round["number"], "event": of_round["event"]}
        seen["stack"] = sorted(plain["stock"]["stack"])
        seen["cursed"] = sorted(of_round["cursed"])
        turn = plain["turn"]
        if not kinds & {"event", "cursed", "hand", "fist", "set"}:
            seen["called"] = sorted(of_round["called"])
            seen |= {"turn": turn["number"], "leader": turn["leader"], "why": turn["why"]}
            if "lead" not in kinds:
                seen |= {"led": turn["led"], "dead": turn["dead"], "claimant": turn["claimant"]}
                seen["deposed"] = sorted(turn["deposed"])
                seen["passed"] = sorted(turn["passed"])
    return seen


def _player(player: dict[str, Any]) -> dict[str, Any]:
    hand, hoard = player["hand"], player["hoard"]
    return {
        "vp": player["vp"],
        "resources": player["resources"],
        "pawns": player["pawns"],
        "bolts": hoard["bolts"],
        "chased": sorted(hoard["clouds"]),
        "amulets": sorted(hoard["amulets"]),
        "forest_tiles": sorted(held["tile"] for held in hoard["tiles"]),
        "held": hand["held"],
        "laid": [[card["role"], card["mode"], card["tile"]] for card in hand["laid"]],
        "passes": [[claim["role"], claim["status"]] for claim in hand["passes"]],
    }


# Wrong lines


class Strays:
    """Lines like those of the game, with words changed, left out or added."""

    def __init__(self, opening: str, kit: dict[str, Any]) -> None:
        board = self._board = kit["back" if "side back" in opening else "front"]
        families = [KIT["tiles"][family] for family in model.TILE_CLAUSES]
        self._seats = [seat for seat in "ABCDE" if f"{seat}=" in opening]
        self._regions, self._spaces = list(board["regions"]), list(board["cloud_spaces"])
        borders = [set(pair.split("-")) for pair in board["borders"]]
        beside = {
            region: {other for pair in borders if region in pair for other in pair}
            for region in self._regions
        }
        self._near = {
            region: sorted({far for near in {*beside[region], region} for far in beside[near]})
            or self._regions
            for region in self._regions
        }
        self._towers = [*(name for name in TOWERS if name in board["towers"]), "market"]
        self._sorts: list[list[str]] = [
            self._seats,
            model.ROLES,
            ["brave", "coward"],
            self._regions,
            self._spaces,
            CLOUDS,
            [tile for family in families for tile in family],
            self._towers,
            model.RESOURCES,
            [str(number) for number in range(7)],
            model.SOURCES,
            model.EVENTS,
        ]
        self._heard: dict[str, list[str]] = {}
        for line in USUAL_LINES:
            self.remember(line)

    def remember(self, line: str) -> None:
        words = line.split()
        verb = words[1] if len(words[0]) == 1 and len(words) > 1 else words[0]
        self._heard.setdefault(verb, []).append(line)

    def draw(self, offered: list[str], rng: random.Random) -> str:
        if offered and rng.random() < 0.6:
            line = rng.choice(offered)
        else:
            line = rng.choice(self._heard[rng.choice(sorted(self._heard))])
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            line = self._changed(line.split(), rng)
        return line

    def deed(self, pawns: dict[str, str], rng: random.Random) -> str:
        """Something that a card, a tile or a cloud may allow to a player with these pawns."""
        pawn, potion = rng.choice(("1", "2")), rng.choice(model.POTIONS)
        near = self._near[pawns[pawn]]
        to = rng.choice(near if rng.random() < 0.8 else self._regions)
        towers = [name for name in self._towers if self._touches(name) & {*near, pawns[pawn]}]
        tower = rng.choice(towers if towers and rng.random() < 0.8 else self._towers)
        if rng.random() < 0.15:
            pawn = rng.choice([pawns[pawn], to])
        deeds = [
            f"move {pawn} {to}",
            f"deliver {self._colour(tower, potion)} {tower} {pawn}",
            f"chase {rng.choice(self._spaces)}",
            f"deliver {potion} {tower}",
            f"deliver {potion} {tower} {pawn} by {rng.choice(model.SOURCES)}",
            f"gather {' '.join(rng.choices(model.RESOURCES, k=rng.randint(1, 4)))}",
            rng.choice(("take", f"take {rng.choice(model.RESOURCES)}")),
            f"use {rng.choice(('courage', 'plusone', 'five'))}",
            f"circle {rng.choice('ABCD')}",
            "bonus",
            "end",
            f"lay {rng.choice(model.ROLES)}",
            f"{rng.choice(model.ROLES)} {rng.choice(('brave', 'coward'))}",
        ]
        return rng.choice([*deeds[:3] * 3, *deeds])

    def _touches(self, tower: str) -> set[str]:
        return set(self._board["towers"].get(tower, {"touches": ()})["touches"])

    def _colour(self, tower: str, otherwise: str) -> str:
        colour: str = self._board["towers"].get(tower, {"colour": "o"})["colour"]
        return colour if random.Random(tower + otherwise).random() < 0.7 else otherwise

    def _changed(self, words: list[str], rng: random.Random) -> str:
        where = rng.randrange(len(words))
        kind = rng.random()
        if kind < 0.75:
            words[where] = self._other(words[where], rng)
        elif kind < 0.85 and where > 1:
            del words[where]
        elif words[-1] in model.RESOURCES or words[-1] in model.ROLES:
            words.append(self._other(words[-1], rng))
        elif "deliver" in words and "by" not in words:
            words += ["by", rng.choice(model.SOURCES)]
        return " ".join(words)

    def _other(self, word: str, rng: random.Random) -> str:
        sorts = [sort for sort in self._sorts if word in sort]
        return rng.choice(rng.choice(sorts)) if sorts else word


# Lock-step


class Disagreement(AssertionError):
    """Engine and model judge a line or see a table differently."""


class Pair:
    """One game in both engines."""

    def __init__(self, lines: list[str], kit: dict[str, Any], aside: Iterable[str]) -> None:
        opening = ENGINE.read(lines[0])
        self.game = Game(ENGINE, opening, ENGINE.setting(opening, KitSheet(kit), aside))
        opened = ENGINE.open(self.game.setting, opening)
        assert opened.accepted, opened.verdict.breaches
        self.game.judgements.append(opened)
        self.model = model.start(lines[0], kit)
        self.lines = [lines[0]]
        self.strays = Strays(lines[0], kit)
        self.compared = 0

    def deed(self, rng: random.Random) -> str:
        seat = self.model["action"]["seat"]
        return f"{seat} {self.strays.deed(self.model['players'][seat]['pawns'], rng)}"

    def story(self, line: str) -> str:
        return "\n".join([*self.lines[-40:], f"-> {line}"])

    def engine_says(self, action: Action) -> tuple[bool, str | None]:
        try:
            judgement = ENGINE.judge(self.game.setting, self.game.state, action, 0)
        except ParseError:
            return False, None
        return judgement.accepted, None if judgement.accepted else judgement.verdict.clause

    def compare_line(self, line: str) -> None:
        try:
            action = ENGINE.read(line)
        except ParseError:
            return
        line = ENGINE.text(action)
        theirs = model.judge(self.model, line)
        accepted, clause = self.engine_says(action)
        same_clause = None in (clause, theirs.clause) or clause == theirs.clause
        if accepted != theirs.legal or not same_clause:
            told = f"engine {accepted} {clause}, model {theirs}"
            raise Disagreement(f"{told}\n{self.story(line)}")
        self.compared += 1

    def compare_offer(self, line: str) -> None:
        verdict = model.judge(self.model, line)
        if not verdict.legal:
            raise Disagreement(f"only the engine offers this, {verdict}\n{self.story(line)}")

    def crowd(self, rng: random.Random) -> None:
        """Pawns meet, everybody has something to spend, and it is any round."""
        setting, state = self.game.setting, self.game.state
        players = crowd(ENGINE.positions.data_of(setting, state), rng)["players"]
        seen = rng.sample(model.EVENTS, rng.randrange(7))
        changes = {"players": players, "round": len(seen) + 1, "seen": seen}
        self.lines.append(f"adjust {changes}")
        state = ENGINE.positions.adjust(setting, state, changes)
        self.game.judgements.append(evolve(self.game.judgements[-1], state=state))
        self.model["round"], self.model["seen"] = len(seen) + 1, seen
        for seat, player in self.model["players"].items():
            player["resources"] = {kind: players[seat][kind] for kind in "gopw"}
            player["pawns"] = dict(zip("12", players[seat]["at"], strict=True))

    def play(self, line: str) -> None:
        judgement = self.game.hear(ENGINE.read(line))
        if not judgement.accepted:
            raise Disagreement(f"{judgement.verdict.breaches}\n{self.story(line)}")
        self.compare_offer(line)
        self.model = model.play(self.model, line)
        self.lines.append(line)
        self.strays.remember(line)
        seen, modelled = seen_by_engine(self.game), model.view(self.model)
        if modelled.get("stack", []) is None:
            seen["stack"] = None
        if seen != modelled:
            raise Disagreement(f"{differences(seen, modelled)}\n{self.story('')}")


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            told
            for key in sorted(one.keys() | other.keys())
            for told in differences(one.get(key), other.get(key), f"{where}.{key}")
        ]
    return [] if one == other else [f"{where}: engine {one}, model {other}"]


def pick(options: list[Any], tiles: Iterable[str], rng: random.Random) -> Action:
    """One of them, rather an action that brings the game on."""
    verbs = sorted({action.verb for action in options})
    weights = [EAGER.get(verb, SHY.get(verb, 4)) for verb in verbs]
    verb = rng.choices(verbs, weights)[0]
    chosen = [action for action in options if action.verb == verb]
    some = rng.sample(chosen, min(3, len(chosen)))
    if verb == "gather":
        return max(some, key=lambda action: len(action.resources))
    if verb == "move":
        return max(some, key=lambda action: action.to in tiles)
    if verb == "role" and tiles and rng.random() < 0.5:
        return max(some, key=lambda action: (action.role, action.mode) == ("mw", "brave"))
    return some[0]


def play_alike(
    lines: list[str],
    rng: random.Random,
    kit: dict[str, Any] = KIT,
    aside: Iterable[str] = (),
    limit: int = LINES_LIMIT,
    is_crowded: bool = False,
) -> Pair:
    """A random game in both, to its end or limit; the engine sets these clauses aside."""
    pair = Pair(lines, kit, aside)
    for line in lines[1:]:
        pair.play(line)
        pair.compare_line(pair.strays.draw([], rng))
    if is_crowded:
        pair.crowd(rng)
    while not pair.game.state.over and len(pair.lines) < limit:
        options = ENGINE.options(pair.game.setting, pair.game.state)
        offered = [ENGINE.text(option) for option in options]
        shown = offered if len(offered) < OFFERS else rng.sample(offered, OFFERS)
        for line in shown:
            pair.compare_offer(line)
        performing = pair.model["phase"] == "action"
        for _ in range(STRAYS):
            pair.compare_line(pair.strays.draw(offered, rng))
        for _ in range(STRAYS * 2 if performing else 0):
            pair.compare_line(pair.deed(rng))
        later = ENGINE.judge.unsaid(pair.game.setting, pair.game.state)
        if later and not later[-1].over and rng.random() < 0.2:
            options = ENGINE.options(pair.game.setting, later[-1])
        if options:
            pair.play(ENGINE.text(pick(options, pair.model["tiles"], rng)))
    return pair


def random_opening(rng: random.Random) -> str:
    seats = "ABCDEF"[: rng.choice((1, 2, 3, 4, 5, 5, 6))]
    colours = [rng.choice((seat, seat, seat, seat, "a")) for seat in seats]
    sitting = " ".join(f"{seat}={colour}" for seat, colour in zip(seats, colours, strict=True))
    line = f"table {sitting} first {rng.choice(seats + 'A')} side {rng.choice(('front', 'back'))}"
    named = [
        each for each in ("basic", "storm", "mountain", "forest", "hill") if rng.random() < 0.3
    ]
    if named:
        line += f" variants {' '.join(named)}"
    return f"{line} removed {rng.randint(1, 16)}" if rng.random() < 0.3 else line


def test_engine_and_model_open_the_same_tables() -> None:
    rng = random.Random("openings")
    for _ in range(100 * GAMES):
        line = random_opening(rng)
        opening = ENGINE.read(line)
        judgement = ENGINE.open(ENGINE.setting(opening), opening)
        try:
            model.start(line, KIT)
            broken = None
        except model.Broken as refusal:
            broken = refusal.clause
        cited = None if judgement.accepted else judgement.verdict.clause
        assert judgement.accepted == (broken is None), f"{line}: engine {cited}, model {broken}"


@pytest.mark.parametrize("setup", FROM_THE_START)
def test_engine_and_model_play_the_same_game(setup: str) -> None:
    for number in range(GAMES):
        rng = random.Random(f"model {setup} {number}")
        lines, many = SETUPS[setup](rng), setup.startswith(MANY)
        play_alike(lines, rng, limit=USUAL_LIMIT, is_crowded=many)


@pytest.mark.parametrize("setup", RICH_SETUPS)
def test_engine_and_model_play_the_same_game_with_another_box(setup: str) -> None:
    for number in range(GAMES):
        rng = random.Random(f"other box {setup} {number}")
        play_alike(SETUPS[setup](rng), rng, other_box(rng))


@pytest.mark.parametrize("side", ["front", "back"])
def test_engine_and_model_agree_under_readings_drawn_at_random(side: str) -> None:
    for number in range(GAMES):
        rng = random.Random(f"readings {side} {number}")
        drawn = [f"{name}={rng.choice(READINGS[name])}" for name in READINGS if rng.random() < 0.5]
        variants = ("storm", "mountain") if side == "front" else ("storm",)
        tail = f"readings {' '.join(drawn)}"
        set_up = table(rng.choice((2, 2, 3)), side, *variants, removed=13, tail=tail)
        play_alike(set_up(rng), rng, other_box(rng))


@pytest.mark.parametrize("clause", first(2, NOTICED))
def test_a_clause_set_aside_in_the_engine_is_noticed(clause: str) -> None:
    with pytest.raises(Disagreement):
        _play_without(clause)


def _play_without(clause: str) -> None:
    for number in range(10):
        rng = random.Random(f"aside {clause} {number}")
        setup = RICH_SETUPS[number % len(RICH_SETUPS)]
        play_alike(SETUPS[setup](rng), rng, other_box(rng), [clause])
