"""Actions that are refused, with the table they are refused at and what is said of them."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any, NamedTuple

from engines.kernel import Engine, Finding, Judgement, ParseError, Point, Setting
from engines.kernel.dialogue.clause_text import sentence_for
from engines.kernel.registry import load_engine
from referee.cases.case_file import CaseFile
from referee.cases.runner import CaseTable, run_at
from tests.playing import Game, Strays, random_game
from tests.test_cases import files_of, read

TRIES = 600 * int(os.environ.get("REFEREE_PLAYOUTS", "2"))


class Refusal(NamedTuple):
    """An action that is refused, the table it is refused at, and what is said of it."""

    engine: Engine[Any, Any]
    setting: Setting[Any]
    state: Any
    action: Any
    point: Point | Finding

    @property
    def sentence(self) -> str | None:
        sentences = self.engine.clauses[self.point.clause].because
        chosen = sentence_for(sentences, self.point.facts) if sentences else None
        return None if chosen is None else chosen.en

    @property
    def facts(self) -> Mapping[str, Any]:
        return self.point.facts

    def __str__(self) -> str:
        text = self.engine.text(self.action)
        return f"{text}: {self.point.clause}, {self.sentence}, {dict(self.facts)}"


def refusals(game: str, setup: str, seed: int) -> Iterator[Refusal]:
    """Random actions at random positions of a random game, as they are refused."""
    played = random_game(load_engine(game), setup, seed)
    yield from refused_in(played, f"facts {game} {setup} {seed}", TRIES)


def refused_in(played: Game, seed: str, tries: int) -> Iterator[Refusal]:
    """Not those that somebody's silence comes before: they are judged at another table."""
    engine, rng = played.engine, random.Random(seed)
    strays = Strays(engine, [a for a in played.actions if type(a) is not engine.position])
    for _ in range(tries):
        at = rng.randrange(1, len(played.judgements))
        state, action = played.judgements[at - 1].state, strays.draw(rng)
        try:
            heard = engine.judge(played.setting, state, action, at)
        except ParseError:
            continue
        if heard.verdict.breaches and not heard.verdict.before:
            yield Refusal(engine, played.setting, state, heard.action, heard.verdict.breaches[0])


def said_of(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, heard: Judgement[Any]
) -> Iterator[Refusal]:
    """What is said of one action: every rule that it breaks, what it claims or settles."""
    verdict = heard.verdict
    breaches = verdict.breaches if not verdict.before else ()
    for point in (*breaches, *verdict.doubted, *verdict.claims, *verdict.findings):
        yield Refusal(engine, setting, state, heard.action, point)


def told_in_cases(game: str) -> Iterator[Refusal]:
    """What the cases of a game are told: of actions refused, noted as they happened, or settled.

    They come where random play does not: to the set-up, to positions and to rare rules.
    """
    engine = load_engine(game)
    for file in map(read, files_of(game)):
        for case in heard_in_cases(engine, file):
            for setting, state, heard in case:
                yield from said_of(engine, setting, state, heard)


Heard = tuple[Setting[Any], Any, Judgement[Any]]
"""At which table and in which state an action was heard, and its judgement."""


def heard_in_cases(engine: Engine[Any, Any], file: CaseFile) -> Iterator[list[Heard]]:
    """Every action of each case of a file."""
    heard: list[Heard] = []
    heeded = copy(engine)

    class Judge:
        """The engine's own, listened to."""

        def __call__(self, setting: Any, state: Any, *said: Any, **how: Any) -> Judgement[Any]:
            heard.append((setting, state, engine.judge(setting, state, *said, **how)))
            return heard[-1][-1]

        def __getattr__(self, part: str) -> Any:
            return getattr(engine.judge, part)

    def open_table(setting: Any, *said: Any, **how: Any) -> Judgement[Any]:
        heard.append((setting, None, engine.open(setting, *said, **how)))
        return heard[-1][-1]

    heeded.judge, heeded.open = Judge(), open_table  # type: ignore[method-assign]
    for case in file.case:
        run_at(CaseTable, heeded, case, file.start_of(case))
        yield [*heard]
        heard.clear()
