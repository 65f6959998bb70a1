"""Every effect of a game bent in turn, and who notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.kernel.registry import load_engine
from tests.mutants.effects import Effect, Effects, codes_of
from tests.mutants.witnesses import Witness, witnesses_of


@dataclass
class EffectFate:
    """What became of a bent effect."""

    effect: Effect
    tried: int
    noticed_by: str | None = None

    @property
    def survived(self) -> bool:
        return self.noticed_by is None

    def plain(self) -> dict[str, Any]:
        return {
            **self.effect._asdict(),
            "tried": self.tried,
            "noticed_by": self.noticed_by,
        }


class EffectTrial:
    """The effects of one game and its witnesses."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.effects = Effects(load_engine(game))
        self.reached: dict[tuple[str, int], list[Witness]] = {}
        self._telling: dict[str, Witness] = {}
        codes = {
            code: source.file
            for source in self.effects.sources
            for code in codes_of(source.real.__code__)
        }
        for witness in witnesses_of(game):
            self.effects.forget()
            if witness.learn(set(codes)):
                for code, line in witness.reached:
                    there = self.reached.setdefault((codes[code], line), [])
                    if witness not in there[-1:]:
                        there.append(witness)

    def fate(self, effect: Effect) -> EffectFate:
        asked = self._witnesses(effect)
        with self.effects.bent(effect):
            for number, witness in enumerate(asked, start=1):
                if witness.notices():
                    self._telling[effect.function] = witness
                    return EffectFate(effect, number, witness.name)
        return EffectFate(effect, len(asked))

    def _witnesses(self, effect: Effect) -> list[Witness]:
        """Those who come there; first the one who noticed the last bend of the function."""
        first, last = effect.lines
        found = [
            witness
            for line in range(first, last + 1)
            for witness in self.reached.get((effect.file, line), ())
        ]
        unique = list({id(witness): witness for witness in found}.values())
        telling = self._telling.get(effect.function)
        return sorted(unique, key=lambda witness: witness is not telling)
