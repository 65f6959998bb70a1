"""The engine of Bloody Grove beside a naive second one, line by line in random games.

``REFEREE_CHAOS=200`` plays twenty times as many games.
"""

from __future__ import annotations

import os
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from engines.bloody_grove.rules import ending, turns
from engines.kernel import Judgement, KitSheet, Opening, ParseError
from engines.kernel.registry import load_engine
from tests.deep import first
from tests.games import bloody_grove as tables
from tests.models import bloody_grove as model
from tests.playing import Game

CHAOS = int(os.environ.get("REFEREE_CHAOS", "0"))
GAMES = {
    setup: (3 if setup == "two seats" else 1) * max(10, CHAOS) // 10
    for setup in tables.SETUPS
    if "crowded" not in setup
}
WRONG_LINES = 12
"""Lines tried before each line that is played."""

ENGINE = load_engine("bloody_grove")
KITS = Path(__file__).parents[2] / "engines" / "bloody_grove" / "kits"
KIT = tomllib.loads((KITS / "bloody-grove-gp-1.toml").read_text(encoding="utf-8"))

FACES = [card["id"] for kind in ("base", "elites", "venerables") for card in KIT[kind]]
LABELS = [f"t{n}" for n in range(1, 13)] + ["u1", "u2", "w1", "any"]
WORDS = {
    "seat": ["A", "B", ""],
    "face": FACES,
    "label": LABELS,
    "grove": ["1", "2", "3"],
    "spot": ["1", "2", "3", "druid"],
    "animal": KIT["animals"],
    "to": ["hand", "top", "under"],
    "edge": ["left", "right", "left turned"],
    "value": ["2", "3", "4", "destroy", "7"],
    "count": ["0", "1", "2", "3", "4", "5"],
    "side": ["", "A:", "B:"],
    "nth": ["", "", "", "#2"],
}
SHAPES = [
    "groves {animal} {animal} {animal}",
    "elite {face}",
    "venerables {face} {face} {face}",
    "first {seat}",
    "{seat} draw {count}",
    "{seat} look {label}",
    "{seat} invoke {side}{face}",
    "{seat} invoke {side}{face}@{grove}",
    "{seat} transform {face} {edge}",
    "{seat} recruit {animal} {to}",
    "{seat} pass",
    "{seat} end",
    "{seat} ruse {card} to {grove}",
    "{seat} arcane {label} to {card}",
    "{seat} stow {count}",
    "reveal {label} {value}",
    "{seat} take {face}",
    "{seat} replace {side}{face}",
    "{seat} replace {card}",
    "{seat} bottom {face}",
]
COUNTABLE = [
    "reserve",
    "discard",
    "venerables",
    *(f"elite {animal}" for animal in KIT["animals"]),
    *(f"{s} {what}" for s in "AB" for what in ("hand", "deck", "pile", "domination")),
    *(f"{s} strength {grove}" for s in "AB" for grove in "123"),
]

FULL_OF_ARCANES = KIT | {"base": [{**card, "arcane": 2} for card in KIT["base"]]}
"""A box with which the reserve of tokens runs out."""


def opened(line: str, kit: dict[str, Any], set_aside: Iterable[str]) -> Game:
    opening = ENGINE.read(line)
    assert isinstance(opening, Opening)
    setting = ENGINE.setting(opening, KitSheet(kit), set_aside)
    return Game(ENGINE, opening, setting, [ENGINE.open(setting, opening)])


class Bench:
    """One game, played by the engine and by the model."""

    def __init__(self, setup: str, seed: int, set_aside: Iterable[str] = ()) -> None:
        self.rng = random.Random(f"beside the model {setup} {seed}")
        opening, *self.setup = tables.SETUPS[setup](self.rng)
        kit = FULL_OF_ARCANES if seed % 3 == 1 else KIT
        self.game = opened(opening, kit, set_aside)
        self.table = model.start(opening, kit)
        self.lines = [opening]
        self.liking = {word: self.rng.choice((0.1, 1.0, 6.0)) for word in (*model.FORMS, *FACES)}
        self.liking.update({word: self.rng.choice((0.1, 1.0, 6.0)) for word in WORDS["to"]})
        self.passive = self.rng.choice("AB") if seed % 3 == 2 else None
        """A seat that never invokes if it can help it, and so loses Groves."""

    def play(self) -> None:
        self.agree_on_state()
        for line in self.setup:
            self.compare_before([line])
            self.advance(line)
        while not self.game.state.over:
            options = [ENGINE.text(action) for action in self.options()]
            assert options, self.told("nothing can be played")
            self.compare_before(options)
            later = ENGINE.judge.unsaid(self.game.setting, self.game.state)
            if later and self.rng.random() < 0.2 and not later[-1].over:
                options = [ENGINE.text(a) for a in ENGINE.options(self.game.setting, later[-1])]
            self.advance(self.choose(options))
        self.compare_before([self.lines[-1]])

    def options(self) -> list[Any]:
        return list(ENGINE.options(self.game.setting, self.game.state))

    def choose(self, options: list[str]) -> str:
        """Each game likes some verbs, cards and places more than others."""

        if self.passive:
            others = [ln for ln in options if not ln.startswith(f"{self.passive} invoke")]
            options = others or options

        def weight(line: str) -> float:
            likings = [self.liking[word] for word in line.split() if word in self.liking]
            return float(likings[0] * likings[-1]) if likings else 1.0

        verbs = Counter(verb_of(line) for line in options)
        weights = [weight(line) / verbs[verb_of(line)] for line in options]
        return self.rng.choices(options, weights)[0]

    def advance(self, line: str) -> None:
        judgement = self.agree_on_line(line)
        assert judgement is not None, self.told(line)
        assert judgement.accepted, self.told(line)
        self.game.judgements.append(judgement)
        self.table = model.play(self.table, line)
        self.lines.append(line)
        self.agree_on_state()
        self.agree_on_totals(judgement, self.table)

    def compare_before(self, options: list[str]) -> None:
        for line in options:
            legal, clause = model.legal(self.table, line)
            assert legal or self.table["step"] == "over", self.told(line, f"model: {clause}")
        for line in self.rng.sample(options, min(2, len(options))):
            self.agree_on_outcome(line)
        for _ in range(WRONG_LINES):
            self.agree_on_outcome(self.wrong_line(options))
        if self.table["step"] == "action" and self.rng.random() < 0.2:
            for face in FACES:
                self.agree_on_outcome(f"{model.to_act(self.table)} invoke {face}")
        if "bottom" in self.table["open"]["effects"]:
            for face in FACES:
                self.agree_on_outcome(f"{self.table['open']['winner']} bottom {face}")
        self.agree_on_count(self.rng.choice(COUNTABLE))

    def wrong_line(self, options: list[str]) -> str:
        """An offered or played line with a word changed, or any line of the game."""
        kind = self.rng.random()
        if kind < 0.5:
            offered = {verb_of(line) for line in options}
            shapes = [shape for shape in SHAPES if offered.intersection(shape.split())]
            return self.filled(self.rng.choice(shapes if kind < 0.25 else SHAPES))
        line = self.rng.choice(options if kind < 0.8 else self.lines[1:] or options)
        words = line.replace("@", " @ ").replace(":", " : ").replace("#", " # ").split()
        for _ in range(self.rng.choice((1, 1, 2))):
            at = self.rng.randrange(len(words))
            words[at] = self.changed(words[at])
        text = " ".join(words).strip()
        return text.replace(" @ ", "@").replace(" : ", ":").replace(" # ", "#")

    def filled(self, shape: str) -> str:
        return re.sub(r"{(\w+)}", lambda found: self.word(found[1]), shape).strip()

    def word(self, name: str) -> str:
        """A word of that kind, mostly one that means something at this table."""
        if name == "card":
            return self.reference()
        if name == "face" and self.rng.random() < 0.6:
            lying = [card["face"] for _, card in model.all_cards(self.table)]
            lying += [face for seat in "AB" for face in self.table["pile"][seat]]
            lying += [face for hand, _ in self.table["worlds"]["A"] for face in hand]
            lying = [face for face in (*lying, *self.table["display"]) if face != model.UNSEEN]
            return self.rng.choice(lying or FACES)
        if name == "label" and self.rng.random() < 0.4:
            met = {label for seat in "AB" for label in self.table["looked"][seat]}
            met.update(
                t["label"] for _, card in model.all_cards(self.table) for t in card["tokens"]
            )
            return self.rng.choice(sorted(met) or LABELS)
        return str(self.rng.choice(WORDS[name]))

    def reference(self) -> str:
        """A card, mostly one that lies on the table."""
        columns, piles = self.table["columns"], self.table["pile"]
        lying = [
            f"{seat}:{card['face']}@{grove}"
            for seat in "AB"
            for grove in (1, 2, 3)
            for card in columns[seat][grove - 1]
        ]
        lying += [f"{seat}:{face}@druid" for seat in "AB" for face in piles[seat][-1:]]
        if lying and self.rng.random() < 0.8:
            return self.rng.choice(lying)
        return self.filled("{side}{face}@{spot}{nth}")

    def changed(self, word: str) -> str:
        for name, words in WORDS.items():
            if word in words:
                return self.word(name)
        return word

    # agreement

    def judged(self, line: str) -> Judgement[Any] | None:
        try:
            action = ENGINE.read(line)
            number = len(self.game.judgements)
            return ENGINE.judge(self.game.setting, self.game.state, action, number)
        except ParseError:
            return None

    def agree_on_line(self, line: str) -> Judgement[Any] | None:
        judgement = self.judged(line)
        legal, clause = model.legal(self.table, line)
        accepted = judgement is not None and judgement.accepted
        said = judgement and judgement.verdict.clause
        assert legal == accepted, self.told(line, f"engine: {accepted} {said}, model: {clause}")
        if clause not in (None, "form"):
            assert clause == said, self.told(line, f"engine: {said}, model: {clause}")
        return judgement

    def agree_on_outcome(self, line: str) -> None:
        """The line is judged alike and, if it is legal, makes the same state."""
        judgement = self.agree_on_line(line)
        if judgement is not None and judgement.accepted:
            table = model.play(self.table, line)
            ours, theirs = model.view(table), self.view(judgement.state)
            assert ours == theirs, self.told(line, difference(ours, theirs))
            self.agree_on_totals(judgement, table)

    def agree_on_totals(self, judgement: Judgement[Any], table: model.Table) -> None:
        """The strengths at every Grove that was compared."""
        for point in judgement.verdict.effects:
            if point.clause == "GRV-STR-1":
                told = {seat: parts["total"] for seat, parts in point.facts["strength"].items()}
                assert told == table["totals"][point.facts["grove"]], self.told(str(told))

    def agree_on_count(self, subject: str) -> None:
        derived = model.counted(self.table, subject)
        assert derived is not None, subject
        for count, right in ((derived, True), (derived + 1, False)):
            judgement = self.judged(f"audit {subject} {count}")
            assert judgement is not None
            fits = not judgement.verdict.findings
            assert fits == right, self.told(f"audit {subject} {count}")

    def agree_on_state(self) -> None:
        ours, theirs = model.view(self.table), self.view(self.game.state)
        assert ours == theirs, self.told("the state", difference(ours, theirs))

    def view(self, state: Any) -> dict[str, Any]:
        assert ENGINE.position_of is not None
        return seen(ENGINE.position_of(state, self.game.setting).model_dump(mode="json"))

    def told(self, line: str, how: str = "") -> str:
        return "\n".join([*self.lines, f"--> {line}", how])


def verb_of(line: str) -> str:
    fields = model.parsed(line)
    assert fields is not None, line
    return str(fields["verb"])


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    return "\n".join(
        f"{name}: model {ours[name]!r}, engine {theirs[name]!r}"
        for name in ours
        if ours[name] != theirs[name]
    )


def seen(position: dict[str, Any]) -> dict[str, Any]:
    """The facts of a position of the engine, told as the model tells them."""
    opened = position["open"]
    return {
        **{name: position[name] for name in ("step", "round", "turn", "first", "groves")},
        "control": [None if seat == "none" else seat for seat in position["control"]],
        "elites": position["elites"],
        **{name: sorted(position[name]) for name in ("venerables", "reserve", "discard", "box")},
        "loose": sorted(opened["loose"]),
        "waiting": sorted(opened["waiting"]),
        "open": None if position["step"] == "over" else model.view_of_open(opened),
        "players": {seat: seen_of(player) for seat, player in position["players"].items()},
        "result": position["result"],
    }


def seen_of(player: dict[str, Any]) -> dict[str, Any]:
    hands = possible_hands(player)
    decks = {sum(sum(row["deck"]) for row in world) for world in player["worlds"]}
    return {
        "columns": player["columns"],
        "pile": player["pile"],
        "hand": len(next(iter(hands))),
        "deck": decks.pop() if decks else len(player["deck"]),
        "hands": hands,
        "looked": sorted(player["looked"]),
    }


def possible_hands(player: dict[str, Any]) -> set[tuple[str, ...]]:
    if not player["worlds"]:
        return {tuple(sorted(player["hand"]))}
    hands = set()
    for world in player["worlds"]:
        parts = [set(combinations(sorted(row["cards"]), row["hand"])) for row in world]
        hands |= {tuple(sorted(sum(chosen, ()))) for chosen in product(*parts)}
    return hands


@pytest.mark.parametrize(
    ("setup", "seed"), [(setup, seed) for setup, games in GAMES.items() for seed in range(games)]
)
def test_engine_and_model_agree_line_by_line(setup: str, seed: int) -> None:
    Bench(setup, seed).play()


# The comparison bites


@pytest.mark.parametrize(
    "clause",
    first(
        2,
        [
            "GRV-SET-17",
            "GRV-TURN-5",
            "GRV-RUSE-2",
            "GRV-ARC-5",
            "GRV-ARC-15",
            "GRV-END-4",
            "GRV-RES-11",
            "GRV-VEF-3",
            "GRV-WIN-1",
            "GRV-PREP-6",
        ],
    ),
)
def test_an_engine_that_forgets_a_clause_is_found_out(clause: str) -> None:
    with pytest.raises(AssertionError):
        play_games(clause)


def play_games(*set_aside: str) -> None:
    for seed in range(6):
        Bench("two seats", seed, set_aside).play()


def without_transformation(strength: Any) -> Any:
    return lambda *args: strength(*args)._replace(transformation=0)


def outer_edges(touching: Any) -> Any:
    def wrong(state: Any, table: Any, seat: str, action: Any) -> Any:
        side = {"left": "right", "right": "left"}[action.side]
        return touching(state, table, seat, action.model_copy(update={"side": side}))

    return wrong


def top_is_under(moved: Any) -> Any:
    def wrong(before: Any, move: Any, kit: Any) -> Any:
        return moved(before, move._replace(kind="under") if move.kind == "top" else move, kit)

    return wrong


def covered_cards_count(domination: Any) -> Any:
    return lambda state, table, seat: (
        domination(state, table, seat) + len(state.players[seat].pile[:-1])
    )


def third_turn_at_the_first_grove(active_grove: Any) -> Any:
    return lambda state, kit: 1 if state.flow.turn == 3 else active_grove(state, kit)


@pytest.mark.parametrize(
    ("chapter", "name", "bug"),
    [
        (ending, "strength", without_transformation),
        (ending, "domination", covered_cards_count),
        (turns, "touching", outer_edges),
        (turns, "moved", top_is_under),
        (turns, "active_grove", third_turn_at_the_first_grove),
    ],
)
@pytest.mark.deep
def test_a_wrong_engine_is_found_out(
    chapter: Any, name: str, bug: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chapter, name, bug(getattr(chapter, name)))
    with pytest.raises(AssertionError):
        play_games()
