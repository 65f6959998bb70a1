"""Twins: two games that differ in nothing but a secret must answer everybody else alike.

A twin is made of a random game: one private field says something else, and all that follows is
heard again. Where the public record stays the same, so must every answer to the others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from engines.kernel import SECRET, Action, Engine, Finding, Judgement, ParseError, Point, to_plain
from engines.kernel.values.structs import compared_fields
from referee.game_check.defects import Defect, crash, wrong
from referee.game_check.random_games import RandomGame, Strays
from referee.game_check.sources import Sources

SWAPS = 6
"""So many other secrets are tried for each private action."""
QUESTIONS = 40


def check_secrets(game: RandomGame, rng: random.Random) -> Iterator[Defect]:
    """What is private is hidden, can be asked about, and makes no difference to anybody else."""
    engine = game.engine
    for index, judgement in enumerate(game.judgements[1:], start=1):
        if not judgement.action.private:
            continue
        for other in _others(game, index, rng):
            twin = _twin(game, index, other)
            if twin is not None:
                yield from _compared(engine, game, twin, judgement.action, rng)
                break


def _others(game: RandomGame, index: int, rng: random.Random) -> list[Action]:
    """The same action with another secret, as it could have been said there."""
    engine, setting = game.engine, game.setting
    said, before = game.judgements[index].action, game.judgements[index - 1].state
    public = said.known_to("")
    found = [
        each
        for each in engine.options(setting, before)
        if each != said and each.known_to("") == public
    ]
    strays = Strays(engine, [action for action in game.actions if type(action) is type(said)])
    bent = (strays.draw(rng) for _ in range(4 * SWAPS))
    found += [each for each in bent if each != said and each.known_to("") == public]
    found = list(dict.fromkeys(found))
    return rng.sample(found, min(SWAPS, len(found)))


def _twin(game: RandomGame, index: int, other: Action) -> RandomGame | None:
    """The game with another secret, as far as all of it holds and is told alike."""
    twin = RandomGame(game.engine, game.opening, game.setting, [*game.judgements[:index]])
    try:
        if not twin.hear(other).accepted:
            return None
        for judgement in game.judgements[index + 1 :]:
            length = len(twin.judgements)
            heard = twin.hear(judgement.action)
            if not heard.accepted or heard.verdict.outcome != judgement.verdict.outcome:
                del twin.judgements[length:]  # here the secret comes out
                break
    except ParseError:
        return None
    return twin


def _compared(
    engine: Engine[Any, Any], game: RandomGame, twin: RandomGame, said: Action, rng: random.Random
) -> Iterator[Defect]:
    """The moments that both have, from the secret on: asked by everybody else."""
    last = len(twin.judgements) - 1
    first = next(
        at
        for at, (one, other) in enumerate(zip(game.judgements, twin.judgements, strict=False))
        if one.action is not other.action
    )
    for at in sorted({first, last, rng.randint(first, last)}):
        states = (game.judgements[at].state, twin.judgements[at].state)
        if states[0].over:
            continue
        for viewer in ("", *(seat for seat in game.opening.seats if seat != said.by)):
            yield from _asked(engine, game, viewer, states, said)
            told, differently = (
                _facts(engine, each.judgements[at], viewer) for each in (game, twin)
            )
            if at > first and (fact := _difference(told, differently)) is not None:
                line = engine.text(game.judgements[at].action)
                clause, _, name = fact.partition(".")
                at_line = {"clause": clause, "fact": name or "–", "line": line}
                yield wrong("fact_tells", **at_line, viewer=viewer or "–")


def _facts(engine: Engine[Any, Any], judged: Judgement[Any], viewer: str) -> dict[str, Any]:
    """What a viewer is told of the verdict on somebody else's action."""
    if judged.action.by == viewer:
        return {}
    verdict = judged.verdict
    points: list[Point | Finding] = [*verdict.breaches, *verdict.claims, *verdict.findings]
    points += verdict.effects
    own = {*map(str, judged.action.private_values())}
    return {
        f"{point.clause}.{name}": to_plain(value)
        for point in points
        for name, value in point.facts.items()
        if name not in engine.private_facts and str(value) not in own
    }


def _asked(
    engine: Engine[Any, Any], game: RandomGame, viewer: str, states: tuple[Any, Any], said: Action
) -> Iterator[Defect]:
    setting, place = game.setting, Sources(engine.package).definition("hide")
    line, seen_by = engine.text(said), viewer or "–"
    one, other = (engine.hide(state, viewer, setting) for state in states)
    if (differs := _difference(one, other)) is not None:
        key = "not_hidden" if one is states[0] else "hidden_differs"
        yield wrong(key, place, line=line, viewer=seen_by, field=differs)
        return
    try:
        for option in engine.options(setting, one)[:QUESTIONS]:
            engine.judge(setting, one, option)
    except ParseError:
        return
    except Exception as error:
        failed = crash(engine.package, error, line)
        yield wrong(
            "hidden_fails", (failed.file, failed.line), viewer=seen_by, error=failed.facts["error"]
        )


def _difference(one: Any, other: Any, path: str = "") -> str | None:
    """Where two values differ first; what is secret in one must be so in the other."""
    if one is other:
        return None
    mine, theirs = _parts(one), _parts(other)
    if type(one) is not type(other) or mine is None or theirs is None:
        secret = one is SECRET or other is SECRET
        return (path or "–") if secret or one != other else None
    if mine.keys() != theirs.keys():
        return path or "–"
    for key, value in mine.items():
        within = _difference(value, theirs[key], f"{path}.{key}".strip("."))
        if within is not None:
            return within
    return None


def _parts(value: Any) -> dict[Any, Any] | None:
    """The parts of a struct, a mapping or a sequence."""
    if isinstance(value, Struct):
        return {name: getattr(value, name) for name in compared_fields(type(value))}
    if isinstance(value, Mapping):
        return dict(value)
    return dict(enumerate(value)) if isinstance(value, tuple | list) else None
