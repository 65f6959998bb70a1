"""Who could notice a bent effect: cases, sample games, random ones, and the game's naive model."""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import CO_GENERATOR, signature
from itertools import count, product
from math import ceil
from time import process_time
from types import CodeType, FrameType
from typing import Any

from engines.kernel import Engine, Judgement, KitSheet
from engines.kernel.registry import load_engine
from referee.cases.runner import run_case
from tests.facts import test_facts as facts
from tests.facts.refusals import refused_in, said_of
from tests.games import test_known_games as known_games
from tests.games import test_playouts as playouts
from tests.games import test_stands
from tests.games import test_what_stands as stands
from tests.playing import open_game, play_on, random_game, tables_of
from tests.test_cases import files_of, read

_PATIENCE = 20
"""How many times as long as before a witness may take: bent loops do not always end."""
_TOO_BUSY = 200_000
"""Calls and lines after which a witness is too slow to be asked about every mutant."""
_MOST_BUSY = 50 * _TOO_BUSY
"""The same of whole games: they are asked last, about what nobody else has noticed."""
_TABLES, _LINES, _LOOKS = 3, 40, 3
"""How many random games, how long, and how many of their states are declared as positions."""
_REFUSALS = 250
"""How many random lines are tried, for the reasons of their refusals."""
Reached = set[tuple[CodeType, int]]


@dataclass
class Witness:
    """A test that passes while nothing is bent."""

    name: str
    ask: Callable[[], object]
    most: int = _TOO_BUSY
    reached: Reached = field(default_factory=set, repr=False)
    seconds: float = 0

    def learn(self, codes: set[CodeType]) -> bool:
        """Where it goes while nothing is bent; says whether it is quick enough."""
        begin = process_time()
        try:
            with _followed(codes, self.reached, self.most):
                self.ask()
        except _TooLong:
            return False
        self.seconds = process_time() - begin
        return True

    def notices(self) -> bool:
        try:
            with _limited(1 + _PATIENCE * self.seconds):
                self.ask()
        except KeyboardInterrupt:
            raise
        except BaseException:  # a crash is noticed as well, and pytest fails with no Exception
            return True
        return False


def witnesses_of(game: str) -> Iterator[Witness]:
    """The quick and telling ones first."""
    yield from _cases(game)
    yield from _game_tests(game)
    setups = [*tables_of(game).SETUPS]
    for setup in setups[:: ceil(len(setups) / _TABLES)]:
        yield Witness(f"a random game: {setup}", _random_game(game, setup))
    yield from _truths(game)
    for seed in range(_TABLES):
        yield Witness(f"a wild game: {seed}", _wild_game(game, seed), _MOST_BUSY)
    for name, setup in test_stands.tables():
        if name == game:
            yield Witness(f"what stands: {setup}", _what_stands(game, setup), _MOST_BUSY)
    yield from _known(game)
    yield from _models(game)


# cases


def _cases(game: str) -> Iterator[Witness]:
    engine = lawful(load_engine(game))
    for file in map(read, files_of(game)):
        for case in file.case:

            def ask(file: Any = file, case: Any = case) -> None:
                assert not run_case(engine, file, case).problems

            yield Witness(case.name, ask)


def lawful(engine: Engine[Any, Any]) -> Engine[Any, Any]:
    """The same engine; it fails where a state breaks a conservation law, or a reason is not true.

    What no bent effect changes, it reads only once: lines of text and the boxes.
    """
    assert engine.positions  # with its options: they ask the engine's own judge
    watched = copy(engine)
    boxes = {id(sheet): engine.read_kit(sheet) for sheet in engine.kits.values()}

    def judge(setting: Any, state: Any, *heard: Any, **how: Any) -> Judgement[Any]:
        return _kept(setting, state, engine.judge(setting, state, *heard, **how))

    def open_table(setting: Any, *heard: Any, **how: Any) -> Judgement[Any]:
        return _kept(setting, None, engine.open(setting, *heard, **how))

    def _kept(setting: Any, state: Any, judgement: Judgement[Any]) -> Judgement[Any]:
        if engine.id in facts.TRUTHS:
            for said in said_of(engine, setting, state, judgement):
                facts.check(said)
        if judgement.accepted:
            off = dict(engine.balance(judgement.state, setting))
            assert off == dict(judgement.state.offsets), f"{judgement.action!r}: {off}"
        return judgement

    def read_kit(sheet: KitSheet) -> Any:
        return boxes[id(sheet)] if id(sheet) in boxes else engine.read_kit(sheet)

    watched.judge, watched.open = judge, open_table  # type: ignore[method-assign]
    watched.read, watched.read_kit = cache(engine.read), read_kit  # type: ignore[method-assign]
    return watched


# sample games and random ones


def _game_tests(game: str) -> Iterator[Witness]:
    """The tests that only this game has, if they need nothing of pytest and leave no choice."""
    name = f"tests.games.test_{game}"
    if find_spec(name) is None:
        return
    module = import_module(name)
    caches = [one for one in vars(module).values() if hasattr(one, "cache_clear")]
    for function in vars(module).values():
        is_test = getattr(function, "__name__", "").startswith("test_")
        if not is_test or hasattr(function, "hypothesis"):
            continue
        for arguments in _parameters(function):

            def ask(function: Any = function, arguments: Any = arguments) -> None:
                for cached in caches:
                    cached.cache_clear()
                function(**arguments)

            if signature(function).parameters.keys() == arguments.keys():
                yield Witness(f"{function.__name__} {[*arguments.values()] or ''}".strip(), ask)


def _models(game: str) -> Iterator[Witness]:
    """The first game of each kind that engine and model play in lock-step.

    Tests in which the engine is made wrong on purpose show only what the model can.
    """
    name = f"tests.models.test_{game}"
    if find_spec(name) is None:
        return
    for function in vars(import_module(name)).values():
        title = getattr(function, "__name__", "")
        if title.startswith("test_") and not title.endswith(("is_found_out", "is_noticed")):
            arguments = next(_parameters(function))

            def ask(function: Any = function, arguments: Any = arguments) -> None:
                function(**arguments)

            yield Witness(title, ask, _MOST_BUSY)


def _parameters(function: Any) -> Iterator[dict[str, Any]]:
    marks = [m for m in getattr(function, "pytestmark", ()) if m.name == "parametrize"]
    for rows in product(*(mark.args[1] for mark in marks)):
        found: dict[str, Any] = {}
        for mark, row in zip(marks, rows, strict=True):
            names = mark.args[0]
            if isinstance(names, str):
                names = [name.strip() for name in names.split(",")]
            values = getattr(row, "values", None)
            if callable(values) or values is None:
                values = row if len(names) > 1 else (row,)
            found.update(zip(names, values, strict=True))
        yield found


def _random_game(game: str, setup: str) -> Callable[[], None]:
    """The beginning of one: laws are kept, and positions declared from it are the same."""
    engine, tables = load_engine(game), tables_of(game)

    def ask() -> None:
        rng = random.Random(setup)
        played = open_game(engine, tables.SETUPS[setup](rng))
        for _ in play_on(played, rng, len(played.judgements) + _LINES):
            playouts.none(playouts.check_conservation(played, played.judgements[-1]))
        if played.state.over:
            playouts.none(playouts.check_result(played))
        for moment in playouts.looks(played, rng, _LOOKS):
            if not moment.state.over:
                options = engine.options(moment.setting, moment.state)
                playouts.none(playouts.check_position(moment, options))

    return ask


def _known(game: str) -> Iterator[Witness]:
    """Whole games that have come out in one way so far."""
    digests = known_games.known()[game]
    for name, come_out in known_games.games_of(game):

        def ask(come_out: Any = come_out, before: str = digests[name]) -> None:
            assert come_out() == before

        yield Witness(f"a known game: {name}", ask, _MOST_BUSY)


def _truths(game: str) -> Iterator[Witness]:
    """The reasons of refusals at some positions of random games."""
    for setup in tables_of(game).SETUPS if game in facts.TRUTHS else ():
        played = random_game(load_engine(game), setup, 1)

        def ask(played: Any = played, seed: str = setup) -> None:
            for refusal in refused_in(played, seed, _REFUSALS):
                facts.check(refusal)

        yield Witness(f"the reasons of refusals: {setup}", ask)


def _wild_game(game: str, seed: int) -> Callable[[], None]:
    """One in which much stands that is illegal: its positions say all of it."""

    def ask() -> None:
        stands.test_what_stands_is_offered_and_declared_like_anything_else(game, seed)
        stands.test_play_goes_on_after_whatever_stands(game, seed)

    return ask


def _what_stands(game: str, setup: str) -> Callable[[], None]:
    return lambda: test_stands.test_what_stands_leaves_everybody_their_own(game, setup)


# where a witness goes, and for how long


@contextmanager
def _followed(codes: set[CodeType], reached: Reached, most: int) -> Iterator[None]:
    events = count()

    def inside(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            next(events)
            reached.add((frame.f_code, frame.f_lineno))
        return inside

    def called(frame: FrameType, event: str, argument: object) -> Any:
        if next(events) > most and not frame.f_code.co_flags & CO_GENERATOR:
            raise _TooLong
        if frame.f_code not in codes:
            return None
        reached.add((frame.f_code, frame.f_lineno))
        return inside

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)


class _TooLong(BaseException):
    """No witness waits for ever."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
