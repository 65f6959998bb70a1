"""``python -m tests.mutants``: would anybody notice if the rules were different?

Every rule that a game asks about and every effect that it carries out is bent in turn. What
nobody notices is a survivor, and fails. What changes nothing stands in ``reviewed.toml``, with
the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from engines.kernel.registry import load_engine
from referee.game_check.bent_rules import Fate, Trial
from tests.mutants import ledger
from tests.mutants.effects import Effect, Effects
from tests.mutants.on_all_cores import on_all_cores
from tests.mutants.trial import EffectFate, EffectTrial
from tests.playing import is_installed
from tests.test_cases import files_of, games, read
from tests.tutorial import publish_tutorial


@dataclass
class Outcome:
    """What a game's mutants have shown."""

    game: str
    rules: list[Fate]
    effects: list[EffectFate]
    whole: bool
    """Whether all mutants of the game were tried."""
    left: int
    """Bent effects for which there was no time."""

    @property
    def reviewed(self) -> set[str]:
        return set(ledger.reviewed(self.game))

    @property
    def survivors(self) -> list[EffectFate]:
        """Bent effects that nobody notices, though they may change something."""
        left = (fate for fate in self.effects if fate.survived)
        return [fate for fate in left if str(fate.effect) not in self.reviewed]

    @property
    def bent_rules(self) -> list[Fate]:
        """Rules that nobody would miss, though they can be broken."""
        left = (fate for fate in self.rules if fate.survived)
        return [fate for fate in left if str(fate.mutant) not in self.reviewed]

    @property
    def gone(self) -> set[str]:
        """What the list says and is no longer so."""
        surviving = {str(fate.effect) for fate in self.effects if fate.survived}
        surviving |= {str(fate.mutant) for fate in self.rules if fate.survived}
        return self.reviewed - surviving if self.whole else set()

    @property
    def is_good(self) -> bool:
        return not (self.gone or self.bent_rules or self.survivors)

    def plain(self) -> dict[str, Any]:
        return {
            "rules": [fate.plain() for fate in self.rules],
            "effects": [fate.plain() for fate in self.effects],
        }

    def lines(self, listed: bool) -> Iterator[str]:
        yield from _rules_table(self.game, self.rules, self.bent_rules)
        if not self.effects:
            return
        left, same = len(self.survivors), len(self.reviewed)
        noticed = sum(not fate.survived for fate in self.effects)
        yield (
            f"{self.game}: {len(self.effects)} bent effects, {noticed} noticed, {left} not noticed"
            f", {same} reviewed"
        )
        if self.left:
            yield f"  {self.left} more for which there was no time"
        for fate in self.survivors if listed else ():
            yield f"  {fate.effect} (line {fate.effect.lines[0]}, {fate.tried} go there)"
        yield from (f"  no longer so: {name}" for name in sorted(self.gone))


def main(arguments: list[str] | None = None) -> int:
    """Reports, and says whether more survives than may."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="game")
    parser.add_argument("--sites", action="append", metavar="FILE:LINE", help="only these")
    parser.add_argument("--json", action="store_true", help="every mutant and its fate")
    parser.add_argument("--list", action="store_true", help="name every survivor")
    parser.add_argument(
        "--minutes", type=float, metavar="N", help="of a random sample of the effects of one game"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the sample, and whose turn it is")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    asked = parser.parse_args(arguments)
    for game in asked.games:
        if game not in games():
            parser.error(f"there is no game {game!r} here, only {', '.join(games())}")
    wanted = asked.games or games()
    outcomes = []
    for number, game in enumerate(wanted):
        seconds = None if asked.minutes is None else 60 * asked.minutes
        if seconds is not None and number != asked.seed % len(wanted):
            seconds = 0  # to follow its witnesses would take longer than to bend a few effects
        outcome = _outcome(game, asked.sites, asked.jobs, asked.seed, seconds)
        outcomes.append(outcome)
        if not asked.json:
            print("\n".join(outcome.lines(asked.list)), flush=True)
    if asked.json:
        print(json.dumps({one.game: one.plain() for one in outcomes}, indent=1))
    return int(not all(outcome.is_good for outcome in outcomes))


def _outcome(
    game: str, sites: list[str] | None, jobs: int, seed: int, seconds: float | None
) -> Outcome:
    """``seconds``: how long effects are bent, in a random order; all of them if it is not said."""

    def is_wanted(site: str) -> bool:
        return sites is None or any(site.endswith(one) for one in sites)

    def lines_of(effect: Effect) -> Iterator[str]:
        first, last = effect.lines
        return (f"{effect.file}:{line}" for line in range(first, last + 1))

    rules = Trial(load_engine(game), [read(path) for path in files_of(game)])
    mutants = [mutant for mutant in rules.mutants if is_wanted(str(mutant.site))]
    rules_bent = [*on_all_cores(rules.fate, mutants, jobs)]
    effects = Effects(load_engine(game))
    wanted = [effect for effect in effects.edits if any(map(is_wanted, lines_of(effect)))]
    if seconds is not None:
        random.Random(seed).shuffle(wanted)
    fates: list[EffectFate] = []
    if wanted and seconds != 0:
        trial = EffectTrial(game)  # how long the witnesses are followed does not count
        deadline = None if seconds is None else monotonic() + seconds
        for fate in on_all_cores(trial.fate, wanted, jobs):
            fates.append(fate)
            if deadline is not None and monotonic() > deadline:
                break
    return Outcome(
        game,
        rules_bent,
        fates,
        whole=len(fates) == len(effects.edits),
        left=len(wanted) - len(fates),
    )


def _rules_table(game: str, fates: list[Fate], survivors: list[Fate]) -> Iterator[str]:
    sites = len({str(fate.mutant.site) for fate in fates})
    yield (
        f"{game}: {sites} sites, {len(fates)} bent rules, "
        f"{len(fates) - len(survivors)} noticed, {len(survivors)} not"
    )
    rows = [
        (str(fate.mutant.site), fate.mutant.site.clause, fate.mutant.meaning, fate.why)
        for fate in survivors
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(map(str.ljust, row, widths)).rstrip()


@contextmanager
def _tutorial() -> Iterator[None]:
    """The game of the tutorial has rules and cases as well."""
    folder = Path(tempfile.mkdtemp(prefix="pebbles-"))
    try:
        publish_tutorial(folder)
        is_installed.cache_clear()  # it was asked when its tests were imported
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    with _tutorial():
        sys.exit(main())
