"""The same actions, heard again: in this process and in another one they come out alike.

A rule that rolls dice, reads a clock, keeps something between two hearings or changes the state it
was given makes another game of its record every time it is read. The other process has another hash
seed and a later clock, and hears the games in another order.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence, Set
from importlib import import_module
from typing import Any

from msgspec import Struct
from pydantic import BaseModel

from engines.kernel import Engine, Judgement, Opening, State
from engines.kernel.values.structs import compared_fields
from referee.game_check.defects import Defect, crash, rule_of, wrong
from referee.game_check.differences import difference
from referee.game_check.random_games import RandomGame, story

Prints = dict[str, int]
LATER = 401 * 86_400.0 + 3_661
"""Seconds by which the clock of the other process is ahead."""
LONGEST_WAIT = 900.0
"""Seconds after which the other process is given up."""


def check_repeated(game: RandomGame) -> Iterator[Defect]:
    """Heard a second time in this process."""
    for index, (first, again) in enumerate(zip(game.judgements, _heard(game), strict=True)):
        differs = None
        if first.state != again.state:
            differs = difference(first.state, again.state)
        if differs is None and first.verdict != again.verdict:
            differs = difference(_verdict(first), _verdict(again), "verdict")
        if differs is not None:
            yield _not_repeated(game, index, differs)
            return


def _heard(game: RandomGame) -> Iterator[Judgement[Any]]:
    engine, opening = game.engine, game.opening
    setting = engine.setting(opening)
    heard = engine.open(setting, opening)
    yield heard
    for number, action in enumerate(game.actions, start=1):
        heard = engine.judge(setting, heard.state, action, number)
        yield heard


def _verdict(judged: Judgement[Any]) -> dict[str, Any]:
    """What a record keeps of a verdict, and what is told of it."""
    verdict = judged.verdict
    points = [*verdict.breaches, *verdict.claims, *verdict.findings, *verdict.asked]
    return {"accepted": judged.accepted, "outcome": verdict.outcome, "points": points}


def _not_repeated(game: RandomGame, index: int, differs: str) -> Defect:
    engine, action = game.engine, game.judgements[index].action
    told = {"line": engine.text(action), "field": differs, "story": story(game.upto(index))}
    return wrong("not_repeated", rule_of(engine, action), **told)


# in another process


def check_elsewhere(games: Sequence[RandomGame]) -> Iterator[Defect]:
    """Heard by a process that has met none of them: where an engine can be imported by its name."""
    if not games or (name := _name_of(games[0].engine)) is None:
        return
    asked = {"path": sys.path, "engine": name, "games": [_as_data(game) for game in games]}
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    with subprocess.Popen(
        [sys.executable, "-m", "referee.game_check.repeated"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        try:
            out, complaint = process.communicate(json.dumps(asked).encode(), LONGEST_WAIT)
        except subprocess.TimeoutExpired:
            process.kill()
            out, complaint = b"", b"timeout"
    if process.returncode:
        told = complaint.decode("utf-8", "replace").strip().splitlines()[-1:] or ["…"]
        yield wrong("not_elsewhere", error=told[0][:300])
        return
    for game, elsewhere in zip(games, json.loads(out), strict=True):
        if isinstance(elsewhere, dict):
            place = (str(elsewhere["file"]), elsewhere["line"])
            yield wrong("crash", place, line=story(game), error=elsewhere["error"])
            continue
        for index, (here, there) in enumerate(zip(prints(game), elsewhere, strict=True)):
            differs = [field for field in here if here[field] != there.get(field)]
            if differs:
                yield _not_repeated(game, index, differs[0])
                return


def _name_of(engine: Engine[Any, Any]) -> tuple[str, str] | None:
    """The module and the name under which another process finds the engine."""
    for name, module in [*sys.modules.items()]:
        if name == engine.package or name.startswith(f"{engine.package}."):
            for attribute, value in vars(module).items():
                if value is engine:
                    return name, attribute
    return None


def _as_data(game: RandomGame) -> list[Any]:
    """The actions as a record keeps them."""
    return [json.loads(judged.action.model_dump_json()) for judged in game.judgements]


def prints(game: RandomGame) -> list[Prints]:
    """A number for each part of each judgement: the same for the same value, in any process."""
    known: dict[int, str] = {}
    last: State = game.state
    fields = compared_fields(type(last))
    return [
        {"verdict": _print(_verdict(judged), {})}
        | {name: _print(getattr(judged.state, name), known) for name in fields}
        for judged in game.judgements
    ]


def _print(value: Any, known: dict[int, str]) -> int:
    return zlib.crc32(_written(value, known).encode("utf-8", "surrogatepass"))


def _written(value: Any, known: dict[int, str]) -> str:
    """A value in words that do not depend on the order of a hash; games share most of theirs."""
    if value is None or isinstance(value, str | int | float | bool):
        return repr(value)
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, Struct):
        parts = [_written(getattr(value, name), known) for name in compared_fields(type(value))]
    elif isinstance(value, BaseModel):
        parts = [_written(value.model_dump(), {})]
    elif isinstance(value, Mapping):
        parts = sorted(f"{_written(k, known)}:{_written(v, known)}" for k, v in value.items())
    elif isinstance(value, Set):
        parts = sorted(_written(each, known) for each in value)
    elif isinstance(value, tuple | list):
        parts = [_written(each, known) for each in value]
    else:
        parts = [repr(value)]
    known[id(value)] = text = f"{type(value).__name__}({','.join(parts)})"
    return text


def answer() -> None:
    """What the other process does: hears what it is given, and writes what comes out."""
    asked, out = json.load(sys.stdin), sys.stdout
    sys.stdout = sys.stderr  # whatever a game prints
    sys.path[:] = asked["path"]
    _set_clock_ahead()
    module, name = asked["engine"]
    engine = getattr(import_module(module), name)
    heard = [_heard_here(engine, data) for data in reversed(asked["games"])]
    json.dump(heard[::-1], out)


def _heard_here(engine: Engine[Any, Any], data: list[Any]) -> list[Prints] | dict[str, Any]:
    try:
        opening, *actions = (engine.text.load(each) for each in data)
        assert isinstance(opening, Opening)
        game = RandomGame(engine, opening, engine.setting(opening))
        game.judgements.append(engine.open(game.setting, opening))
        for number, action in enumerate(actions, start=1):
            game.judgements.append(engine.judge(game.setting, game.state, action, number))
        return prints(game)
    except Exception as error:
        failed = crash(engine.package, error, "")
        return {"file": failed.file, "line": failed.line, "error": failed.facts["error"]}


def _set_clock_ahead() -> None:
    """Before the game is imported: every clock of Python's own that a rule may have imported."""
    for name in ("time", "monotonic", "perf_counter"):
        setattr(time, name, _ahead(getattr(time, name), LATER))
        in_ns = f"{name}_ns"
        setattr(time, in_ns, _ahead(getattr(time, in_ns), int(LATER) * 10**9))
    delta = datetime.timedelta(seconds=LATER)

    class LaterDateTime(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return super().now(tz) + delta

        @classmethod
        def utcnow(cls) -> Any:
            return super().now(datetime.UTC).replace(tzinfo=None) + delta

        @classmethod
        def today(cls) -> Any:
            return super().today() + delta

    class LaterDate(datetime.date):
        @classmethod
        def today(cls) -> Any:
            return super().today() + delta

    replaced: Any = datetime
    replaced.datetime, replaced.date = LaterDateTime, LaterDate


def _ahead(clock: Any, by: float) -> Any:
    return lambda: clock() + by


if __name__ == "__main__":
    answer()
