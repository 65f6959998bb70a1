"""``python -m tests.mutants``: would anybody notice if the rules were different?

Every rule that a game asks about and every effect that it carries out is bent in turn. What
nobody notices is a survivor. Rules may have none. Effects may have those that stand in
``survivors.toml``, which may only become fewer, and in ``equivalent.toml``, which change nothing.
"""

from __future__ import annotations

import argparse
import json
import os
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
from tests.mutants import ledger
from tests.mutants.effects import Effect, Effects
from tests.mutants.rules import Fate, trial_of
from tests.mutants.trial import EffectFate, EffectTrial
from tests.test_cases import games
from tests.tutorial import publish_tutorial


@dataclass
class Outcome:
    """What a game's mutants have shown."""

    game: str
    rules: list[Fate]
    effects: list[EffectFate]
    whole: bool
    """Whether all mutants of the game were tried."""
    prints: set[str]
    """Of its functions."""
    left: int
    """Bent effects for which there was no time."""

    @property
    def survivors(self) -> set[str]:
        """Bent effects that change something and that nobody notices."""
        return {str(fate.effect) for fate in self.effects if fate.survived} - self.equivalent

    @property
    def equivalent(self) -> set[str]:
        return set(ledger.equivalent(self.game))

    @property
    def bent_rules(self) -> list[Fate]:
        """Rules that nobody would miss, though they can be broken."""
        left = (fate for fate in self.rules if fate.survived)
        return [fate for fate in left if str(fate.mutant) not in self.equivalent]

    @property
    def new(self) -> set[str]:
        return self.survivors - ledger.survivors(self.game)

    @property
    def gone(self) -> set[str]:
        """What the lists say and is no longer so."""
        listed = ledger.survivors(self.game) | self.equivalent
        surviving = {str(fate.effect) for fate in self.effects if fate.survived}
        surviving |= {str(fate.mutant) for fate in self.rules if fate.survived}
        return listed - surviving if self.whole else set()

    @property
    def is_good(self) -> bool:
        return not (self.new or self.gone or self.bent_rules)

    def plain(self) -> dict[str, Any]:
        return {
            "rules": [fate.plain() for fate in self.rules],
            "effects": [fate.plain() for fate in self.effects],
        }

    def lines(self) -> Iterator[str]:
        yield from _rules_table(self.game, self.rules, self.bent_rules)
        left = self.survivors
        same = sum(str(fate.effect) in self.equivalent for fate in self.effects)
        yield (
            f"{self.game}: {len(self.effects)} bent effects, "
            f"{len(self.effects) - same - len(left)} noticed, {same} change nothing, "
            f"{len(left)} not noticed, of which {len(self.new)} new"
        )
        if self.left:
            yield f"  {self.left} more for which there was no time"
        for fate in self.effects:
            if str(fate.effect) in self.new:
                yield f"  new: {fate.effect} (line {fate.effect.lines[0]}, {fate.tried} go there)"
        yield from (f"  no longer so: {name}" for name in sorted(self.gone))


def main(arguments: list[str] | None = None) -> int:
    """Reports, and says whether anything survives that is not known to."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="game")
    parser.add_argument("--sites", action="append", metavar="FILE:LINE", help="only these")
    parser.add_argument("--json", action="store_true", help="every mutant and its fate")
    parser.add_argument("--changed", action="store_true", help="only what was not tried yet")
    parser.add_argument("--minutes", type=float, metavar="N", help="then leave the other effects")
    parser.add_argument("--write", action="store_true", help="keep what was proven")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    asked = parser.parse_args(arguments)
    for game in asked.games:
        if game not in games():
            parser.error(f"there is no game {game!r} here, only {', '.join(games())}")
    wanted = asked.games or games()
    if asked.changed:
        wanted = [game for game in wanted if not ledger.is_proven(game)]
    deadline = None if asked.minutes is None else monotonic() + 60 * asked.minutes
    outcomes = []
    for game in wanted:
        outcome = _outcome(game, asked.sites, asked.jobs, asked.changed, deadline)
        outcomes.append(outcome)
        if asked.write and outcome.whole:
            ledger.keep(game, outcome.survivors)
        if asked.write and asked.sites is None and not outcome.left and outcome.is_good:
            ledger.have_tried(game, outcome.prints)
            ledger.prove(game)
        if not asked.json:
            print("\n".join(outcome.lines()), flush=True)
    if asked.json:
        print(json.dumps({one.game: one.plain() for one in outcomes}, indent=1))
    return int(not all(outcome.is_good for outcome in outcomes))


def _outcome(
    game: str, sites: list[str] | None, jobs: int, only_new: bool, deadline: float | None
) -> Outcome:
    """``only_new``: of the effects, those of functions that have not been tried as they are."""

    def is_wanted(site: str) -> bool:
        return sites is None or any(site.endswith(one) for one in sites)

    rules = trial_of(game)
    effects = Effects(load_engine(game))
    prints = {(part.file, part.name): part.print for part in effects.parts}
    tried = ledger.tried(game) if only_new else set()

    def lines_of(effect: Effect) -> Iterator[str]:
        first, last = effect.lines
        return (f"{effect.file}:{line}" for line in range(first, last + 1))

    wanted = [
        effect
        for effect in effects.edits
        if prints[effect.file, effect.function] not in tried
        and any(map(is_wanted, lines_of(effect)))
    ]
    rules_bent = [rules.fate(mutant) for mutant in rules.mutants if is_wanted(str(mutant.site))]
    fates = []
    for fate in EffectTrial(game).fates(wanted, jobs) if wanted else ():
        fates.append(fate)
        if deadline is not None and monotonic() > deadline:
            break
    return Outcome(
        game,
        rules_bent,
        fates,
        whole=len(fates) == len(effects.edits),
        prints=set(prints.values()),
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
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    with _tutorial():
        sys.exit(main())
