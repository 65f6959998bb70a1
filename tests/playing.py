"""Random games: legal ones from an engine's options, and wild ones that break every rule."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engines.kernel import Action, Engine, Judgement, Opening, ParseError, Setting, evolve
from engines.kernel.registry import GROUP

TABLES = Path(__file__).parent / "games"


@cache
def is_installed(game: str) -> bool:
    specs = [find_spec(point.module) for point in entry_points(group=GROUP, name=game)]
    return any(spec is not None and spec.origin is not None for spec in specs)


def playable_games() -> list[str]:
    """Games that are installed and say how their tables are set up: ``tests/games/<game>.py``.

    That module has ``SETUPS``, name to ``function(rng) -> lines`` from the opening to the
    first decision, and ``LINES_LIMIT``, after how many actions a random game may be cut. If
    something must be stated in mid-game that no option lists, ``supply(engine, setting,
    state, rng) -> line`` says it. If aimless games hardly ever end, ``hasten(position)`` gives
    the changes to a position that bring the end near.
    """
    return [path.stem for path in sorted(TABLES.glob("*.py")) if is_installed(path.stem)]


def tables_of(game: str) -> Any:
    return importlib.import_module(f"tests.games.{game}")


@dataclass
class Game:
    """A game in progress, with all that was heard."""

    engine: Engine[Any, Any]
    opening: Opening
    setting: Setting[Any]
    judgements: list[Judgement[Any]] = field(default_factory=list)

    @property
    def state(self) -> Any:
        return self.judgements[-1].state

    @property
    def actions(self) -> list[Action]:
        return [judgement.action for judgement in self.judgements[1:]]

    def hear(self, action: Action, *, lenient: bool = False) -> Judgement[Any]:
        judgement = self.engine.judge(
            self.setting, self.state, action, len(self.judgements), lenient=lenient
        )
        if judgement.accepted:
            self.judgements.append(judgement)
        return judgement


def open_game(engine: Engine[Any, Any], lines: list[str]) -> Game:
    """A table with its set-up lines played."""
    first, *others = (text for line in lines for text in engine.notation.split(line))
    opening = engine.read(first)
    assert isinstance(opening, Opening), first
    game = Game(engine, opening, engine.setting(opening))
    judgement = engine.open(game.setting, opening)
    assert judgement.accepted, f"{first!r} is refused: {judgement.verdict.breaches}"
    game.judgements.append(judgement)
    for text in others:
        judgement = game.hear(engine.read(text))
        assert judgement.accepted, f"{text!r} is refused: {judgement.verdict.breaches}"
    return game


def replayed(
    engine: Engine[Any, Any], setting: Setting[Any], opening: Opening, actions: Iterable[Action]
) -> Iterator[Judgement[Any]]:
    """A whole game judged again; ends at the first action that is refused."""
    judgement = engine.open(setting, opening)
    yield judgement
    for number, action in enumerate(actions, start=1):
        if not judgement.accepted:
            return
        judgement = engine.judge(setting, judgement.state, action, number)
        yield judgement


def pick(options: list[Action], rng: random.Random) -> Action:
    """One of them; half of the time every verb is equally likely, however few its options."""
    if rng.random() < 0.5:
        verb = rng.choice(sorted({action.verb for action in options}))
        options = [action for action in options if action.verb == verb]
    return rng.choice(options)


def play_on(game: Game, rng: random.Random, limit: int) -> Iterator[list[Action]]:
    """Play to the end or to the limit; gives the options before each action."""
    supply: Callable[..., str] | None = getattr(tables_of(game.engine.id), "supply", None)
    while not game.state.over and len(game.judgements) <= limit:
        options = game.engine.options(game.setting, game.state)
        yield options
        if options:
            action = pick(options, rng)
        else:
            due = game.state.agenda.duties
            assert supply is not None, f"nothing can be played, though these are due: {due}"
            action = game.engine.read(supply(game.engine, game.setting, game.state, rng))
        judgement = game.hear(action)
        text = game.engine.text(action)
        assert judgement.accepted, f"{text!r} was an option: {judgement.verdict.breaches}"


def random_game(engine: Engine[Any, Any], setup: str, seed: int) -> Game:
    """A whole game, the same for the same seed."""
    tables = tables_of(engine.id)
    rng = random.Random(f"{engine.id} {setup} {seed}")
    game = open_game(engine, tables.SETUPS[setup](rng))
    for _ in play_on(game, rng, tables.LINES_LIMIT):
        pass
    return game


def hastened(game: Game, rng: random.Random) -> Game:
    """Its last state, adjusted so that the end is near, and played on."""
    engine, tables = game.engine, tables_of(game.engine.id)
    assert engine.position_of is not None
    position = engine.position_of(game.state, game.setting).model_dump(mode="json")
    state = engine.adjust(game.setting, game.state, tables.hasten(position))
    late = Game(engine, game.opening, game.setting, [game.judgements[-1]._replace(state=state)])
    for _ in play_on(late, rng, tables.LINES_LIMIT):
        pass
    return late


def restated(engine: Engine[Any, Any], setting: Setting[Any], state: Any) -> dict[str, Any]:
    """An adjustment that fits any position: part of it, counted again and found as it was."""
    field, value = next(iter(engine.position_data(setting, state).items()))
    return {field: value}


def with_house_rules(game: Game, house_rules: frozenset[str]) -> Game:
    """The same game so far, under other house rules."""
    setting = evolve(game.setting, house_rules=house_rules)
    return Game(game.engine, game.opening, setting, list(game.judgements))


class Strays:
    """Actions that look like the game's own but were seen elsewhere, or never."""

    def __init__(self, engine: Engine[Any, Any], seen: list[Action]) -> None:
        self._engine = engine
        self._seen = seen
        self._by_verb: dict[str, list[Action]] = {}
        for action in seen:
            self._by_verb.setdefault(action.verb, []).append(action)
        self._seats = sorted({action.by for action in seen if action.by is not None})

    def draw(self, rng: random.Random) -> Action:
        """An action of the game as it was, or with a few of its data changed."""
        action = rng.choice(self._by_verb[rng.choice(sorted(self._by_verb))])
        for _ in range(rng.randrange(3)):
            action = self._mutated(action, rng)
        return action

    def _mutated(self, action: Action, rng: random.Random) -> Action:
        data = action.model_dump(mode="json")
        name = rng.choice([key for key in data if key != "verb"])
        if name == "by":
            data["by"] = rng.choice([*self._seats, None, "H"])
        elif rng.random() < 0.5:
            data[name] = bent(data[name], rng)
        else:
            other = rng.choice(self._by_verb[action.verb])
            data[name] = other.model_dump(mode="json")[name]
        try:
            return self._engine.load(data)
        except ParseError:
            return action


def bent(value: Any, rng: random.Random) -> Any:
    """JSON data with one thing in it changed."""
    if type(value) is int:
        return value + rng.choice((-1, 1))
    if isinstance(value, str) and len(value) == 1 and "A" <= value <= "H":
        return rng.choice("ABCDEFGH")
    if isinstance(value, list) and value:
        index = rng.randrange(len(value))
        instead = rng.choice(([], [rng.choice(value)], [bent(value[index], rng)]))
        return [*value[:index], *instead, *value[index + 1 :]]
    if isinstance(value, dict) and value:
        key = rng.choice(sorted(value))
        return {**value, key: bent(value[key], rng)}
    return value
