"""Random games: legal ones from an engine's options, and actions that break every rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from engines.kernel import Action, Engine, Judgement, Opening, ParseError, Setting
from engines.kernel.dialogue.interpreter import LineInterpreter

Supply = Callable[..., str]
"""``(engine, setting, state, rng) -> line``: states in mid-game what no option lists."""
TRIES = 40
WORDS_IN_A_LINE = 30


class GameStopped(Exception):
    """A random game that stops: its opening is refused, nothing is legal, or an option is not."""

    def __init__(self, key: str, line: str = "", verdict: object = None) -> None:
        super().__init__(key, line, verdict)
        self.key = key
        self.line = line
        self.verdict = verdict


class RandomGame(Struct):
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

    def upto(self, index: int) -> RandomGame:
        """The game as it stood after one of its judgements."""
        return RandomGame(self.engine, self.opening, self.setting, self.judgements[: index + 1])

    def hear(self, action: Action, *, lenient: bool = False) -> Judgement[Any]:
        judgement = self.engine.judge(
            self.setting, self.state, action, len(self.judgements), lenient=lenient
        )
        if judgement.accepted:
            self.judgements.append(judgement)
        return judgement


def story(game: RandomGame) -> str:
    """The way to its last moment, as it can be typed."""
    return "; ".join(game.engine.text(judgement.action) for judgement in game.judgements)


def open_game(engine: Engine[Any, Any], lines: Iterable[str]) -> RandomGame:
    """A table with its set-up lines played."""
    first, *others = (text for line in lines for text in engine.notation.split(line))
    opening = engine.read(first)
    if not isinstance(opening, Opening):
        raise GameStopped("no_opening", first)
    game = RandomGame(engine, opening, engine.setting(opening))
    judgement = engine.open(game.setting, opening)
    if not judgement.accepted:
        raise GameStopped("opening_refused", first, judgement.verdict)
    game.judgements.append(judgement)
    for text in others:
        judgement = game.hear(engine.read(text))
        if not judgement.accepted:
            raise GameStopped("opening_refused", text, judgement.verdict)
    return game


def pick(options: list[Action], rng: random.Random) -> Action:
    """One of them; half of the time every verb is equally likely, however few its options."""
    if rng.random() < 0.5:
        verb = rng.choice(sorted({action.verb for action in options}))
        options = [action for action in options if action.verb == verb]
    return rng.choice(options)


def play_on(
    game: RandomGame, rng: random.Random, limit: int, supply: Supply | None
) -> Iterator[list[Action]]:
    """Play to the end or to the limit; gives the options before each action."""
    while not game.state.over and len(game.judgements) <= limit:
        options = game.engine.options(game.setting, game.state)
        yield options
        if options:
            action = pick(options, rng)
        elif supply is None:
            raise GameStopped("dead_end")
        else:
            action = game.engine.read(supply(game.engine, game.setting, game.state, rng))
        judgement = game.hear(action)
        if not judgement.accepted:
            raise GameStopped("option_refused", game.engine.text(action), judgement.verdict)


def completed(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, rng: random.Random
) -> str:
    """A line of what is due and cannot be listed, made of what lies on a tray, or else of the
    words that completion offers."""
    if not engine.options.unlisted(setting, state):
        raise GameStopped("dead_end")
    for _ in range(TRIES):
        line = _laid(engine, setting, state, rng)
        if line and _is_accepted(engine, setting, state, line):
            return line
        words: list[str] = []
        while len(words) < WORDS_IN_A_LINE:
            line = " ".join(words)
            offered = engine.options.choices(setting, state, line)
            # a list could always go on: it may end wherever it is whole
            if words and _is_accepted(engine, setting, state, line):
                return line
            if not offered and words[-1:] and words[-1].isdecimal():
                break
            # where no words are offered a number may be asked for
            words.append(rng.choice(offered).word if offered else str(rng.randrange(8)))
    raise GameStopped("not_completed")


def _laid(engine: Engine[Any, Any], setting: Setting[Any], state: Any, rng: random.Random) -> str:
    """A line as a tray has it: verb, place, so many things, and how the last one is turned."""
    trays = engine.options.trays(setting, state)
    if not trays:
        return ""
    kind, tray = rng.choice(trays)
    place = rng.choice([*tray.places]) if tray.places else ""
    left = {each: tray.things[each] for each in tray.only.get(place, tray.things)}
    things: list[str] = []
    while len(things) < tray.size:
        beside = {other for each in things for other in tray.apart.get(each, ())}
        fitting = [each for each, count in left.items() if count > 0 and each not in beside]
        if not fitting:
            break
        things.append(rng.choice(fitting))
        left[things[-1]] -= 1
    turn = rng.choice([*tray.turns]) if tray.turns else ""
    line = " ".join(filter(None, (kind.verb_of(), place, *things, turn)))
    ((first, *_),) = LineInterpreter(engine, setting, state).said([line])
    return first


def _is_accepted(engine: Engine[Any, Any], setting: Setting[Any], state: Any, line: str) -> bool:
    try:
        return engine.judge(setting, state, engine.read(line)).accepted
    except ParseError:
        return False


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
            return self._engine.text.load(data)
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
