"""Actions that are refused, with the table they are refused at and what is said of them."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engines.kernel import Engine, ParseError, Point, Setting
from engines.kernel.dialogue.clause_text import sentence_for
from engines.kernel.registry import load_engine
from tests.playing import Game, Strays, random_game

TRIES = 600 * int(os.environ.get("REFEREE_PLAYOUTS", "2"))


class Refusal(NamedTuple):
    """An action that is refused, the table it is refused at, and what is said of it."""

    engine: Engine[Any, Any]
    setting: Setting[Any]
    state: Any
    action: Any
    point: Point

    @property
    def sentence(self) -> str | None:
        sentences = self.engine.clauses[self.point.clause].because
        chosen = sentence_for(sentences, self.point.facts) if sentences else None
        return None if chosen is None else chosen.en

    @property
    def facts(self) -> Mapping[str, Any]:
        return self.point.facts

    def __str__(self) -> str:
        return (
            f"{self.engine.text(self.action)}: {self.point.clause}, {self.sentence}, {self.facts}"
        )


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
