"""The engine of Broom Service and a naive second one play the same games in lock-step.

At every step all that the engine offers must be legal in the model, wrong lines must be judged
alike by both, with the same clause where the model is sure of one, and both must see the same
table. ``REFEREE_CHAOS`` sets how many games of each kind are played.

Not compared: what the model does not know (see there), lines it calls unsettled, and positions,
audits and sealed hands.
"""

from __future__ import annotations

import os
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Action, BadForm, Engine
from engines.kernel.registry import load_engine
from tests.games.broom_service import SETUPS, table
from tests.models import broom_service as model
from tests.playing import Game

ENGINE: Engine[Any, Any] = load_engine("broom_service")
KIT_FILE = Path("engines/broom_service/kits/broom-default.toml")
KIT = tomllib.loads((Path(__file__).parents[2] / KIT_FILE).read_text(encoding="utf-8"))
GAMES = max(1, int(os.environ.get("REFEREE_CHAOS", "0")) // 10)
STRAYS = 6
LINES_LIMIT = 1500

EAGER = {"chase": 12, "deliver": 8, "bonus": 8, "circle": 8, "use": 6, "move": 6, "gather": 6}
SHY = {"next": 1, "end": 1, "lay": 2}

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
}


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

    def __init__(self, opening: str) -> None:
        side = "back" if "side back" in opening else "front"
        board, kinds = KIT[side], KIT["clouds"]
        towers = [name for name in board["towers"] if len(name) == 3]
        tiles = [
            name for family in model.TILE_CLAUSES for name in KIT["tiles"][family] if "_" in name
        ]
        self._sorts: list[list[str]] = [
            [seat for seat in "ABCDE" if f"{seat}=" in opening],
            model.ROLES,
            ["brave", "coward"],
            list(board["regions"]),
            list(board["cloud_spaces"]),
            [name for kind in kinds.values() for name in kind if name[0] in "hs" and "_p" not in name],
            [*tiles, "market", "courage", "plusone", "five"],
            [*towers, "market"],
            model.RESOURCES,
            [str(number) for number in range(7)],
            model.SOURCES,
            model.EVENTS,
        ]
        self._heard: dict[str, list[str]] = {}

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


class Pair:
    """One game in both engines."""

    def __init__(self, lines: list[str]) -> None:
        opening = ENGINE.read(lines[0])
        self.game = Game(ENGINE, opening, ENGINE.setting(opening))
        self.game.judgements.append(ENGINE.open(self.game.setting, opening))
        self.model = model.start(lines[0], KIT)
        self.lines = [lines[0]]
        self.strays = Strays(lines[0])
        self.compared = 0

    def story(self, line: str) -> str:
        return "\n".join([*self.lines[-40:], f"-> {line}"])

    def engine_says(self, action: Action) -> tuple[bool, str | None]:
        try:
            judgement = ENGINE.judge(self.game.setting, self.game.state, action, 0)
        except BadForm:
            return False, None
        return judgement.accepted, None if judgement.accepted else judgement.verdict.clause

    def compare_line(self, line: str) -> None:
        try:
            action = ENGINE.read(line)
        except BadForm:
            return
        line = ENGINE.text(action)
        theirs = model.judge(self.model, line)
        if theirs.unsettled:
            return
        accepted, clause = self.engine_says(action)
        told = f"engine {accepted} {clause}, model {theirs}\n{self.story(line)}"
        assert accepted == theirs.legal, told
        if clause and theirs.clause:
            assert clause == theirs.clause, told
        self.compared += 1

    def play(self, line: str) -> None:
        judgement = self.game.hear(ENGINE.read(line))
        assert judgement.accepted, f"{judgement.verdict.breaches}\n{self.story(line)}"
        verdict = model.judge(self.model, line)
        assert verdict.legal, f"{verdict}\n{self.story(line)}"
        self.model = model.play(self.model, line)
        self.lines.append(line)
        self.strays.remember(line)
        seen, modelled = seen_by_engine(self.game), model.view(self.model)
        assert seen == modelled, f"{differences(seen, modelled)}\n{self.story('')}"


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            told
            for key in sorted(one.keys() | other.keys())
            for told in differences(one.get(key), other.get(key), f"{where}.{key}")
        ]
    return [] if one == other else [f"{where}: engine {one}, model {other}"]


def pick(options: list[Action], rng: random.Random) -> Action:
    """One of them, rather an action that brings the game on."""
    verbs = sorted({action.verb for action in options})
    weights = [EAGER.get(verb, SHY.get(verb, 4)) for verb in verbs]
    verb = rng.choices(verbs, weights)[0]
    chosen = [action for action in options if action.verb == verb]
    if verb == "gather":
        return max(rng.sample(chosen, min(2, len(chosen))), key=lambda a: len(a.resources))
    return rng.choice(chosen)


def play_alike(lines: list[str], rng: random.Random, strays: int = STRAYS) -> Pair:
    """A random game in both, to its end."""
    pair = Pair(lines)
    for line in lines[1:]:
        pair.play(line)
        pair.compare_line(pair.strays.draw([], rng))
    while not pair.game.state.over:
        assert len(pair.lines) < LINES_LIMIT
        options = ENGINE.options(pair.game.setting, pair.game.state)
        offered = [ENGINE.text(option) for option in options]
        shown = offered if len(offered) < 40 else rng.sample(offered, 40)
        for line in shown:
            verdict = model.judge(pair.model, line)
            assert verdict.legal, f"only the engine offers this, {verdict}\n{pair.story(line)}"
        for _ in range(strays):
            pair.compare_line(pair.strays.draw(offered, rng))
        pair.play(ENGINE.text(pick(options, rng)))
    return pair


@pytest.mark.parametrize("setup", SETUPS)
def test_engine_and_model_play_the_same_game(setup: str) -> None:
    for number in range(GAMES):
        rng = random.Random(f"model {setup} {number}")
        play_alike(SETUPS[setup](rng), rng)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in READINGS.items() for value in values]
)
def test_engine_and_model_agree_under_a_reading(name: str, value: str) -> None:
    tail = f"readings {name}={value}"
    for number in range(GAMES):
        rng = random.Random(f"model {name} {value} {number}")
        set_up = table(rng.choice((2, 2, 3)), "back", "storm", removed=13, tail=tail)
        play_alike(set_up(rng), rng)
