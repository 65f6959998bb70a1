"""How other programs pair the next round from our reports: ``make compare``.

The answers are kept as data (``compared/<program>.json``), so that a program that cannot be had
on a computer is compared with all the same. Each answer names the report it was given by its
hash: an answer to another report counts for nothing.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from referee.tournament.events import ByeRequested, Dropped
from referee.tournament.interchange.trf import trf
from referee.tournament.plan import DuelScoring
from referee.tournament.splitmix import SplitMix64
from tests.tournament.hosting import Hall, Places, duels

KEPT = Path(__file__).parent / "compared"
SCORINGS = {"usual": DuelScoring(), "own": DuelScoring(win=6, draw=2, bye=4, half_bye=2)}
SEEDS = range(4)
NEXT = 4


class Paired(NamedTuple):
    """Who would meet whom, and who has the bye, by starting numbers."""

    pairs: frozenset[frozenset[int]]
    bye: int | None


class Program(NamedTuple):
    extra: str
    """Of ours, which installs it."""
    extended: bool
    """Which of our two reports it reads."""
    pair: Callable[[str], Paired]

    def report(self, hall: Hall) -> str:
        return trf(hall.now, {}, to_pair=NEXT, extended=self.extended)


def by_lot(seed: int) -> Any:
    dice = SplitMix64(seed)

    def places(table: object) -> Places:
        return dice.pick([(1, 2), (2, 1), (1, 1)])

    return places


def halls(program: str) -> Iterator[tuple[str, Hall]]:
    """Events after three rounds. Only an extended report says what a plan of its own counts."""
    for scoring in SCORINGS:
        for seed in SEEDS:
            yield f"{scoring}-{seed}", hall_of(scoring, seed)
    if PROGRAMS[program].extended:
        yield "every-count", every_count()


def hall_of(scoring: str, seed: int) -> Hall:
    """One player has left, and one has asked for a bye."""
    hall = Hall(duels(rounds=6, scoring=SCORINGS[scoring]), 11)
    hall.tell(ByeRequested(player="pg", round=2, counts="half_bye"))
    for number in range(3):
        hall.play(by_lot(seed * 10 + number))
    hall.tell(Dropped(player="pd"), ByeRequested(player="pf", round=NEXT, counts="half_bye"))
    return hall


def every_count() -> Hall:
    """A plan in which everything counts something of its own."""
    hall = Hall(duels(rounds=6, scoring=DuelScoring(win=6, draw=3, loss=1, bye=4, half_bye=2)), 9)
    hall.tell(
        ByeRequested(player="pb", round=1), ByeRequested(player="pc", round=2, counts="half_bye")
    )
    for number in range(3):
        hall.play(by_lot(number))
    return hall


def gacrux(report: str) -> Paired:
    from gacrux.pairingdutch import pairing_dutch

    from tests.tournament.oracle import read_report

    event = read_report(report)
    event["maxMeets"] = 1
    options = {"top_color": "w", "maxmeets": "0", "unpaired": [], "experimental": [], "verbose": 0}
    found = pairing_dutch(event, NEXT, options).compute_pairing(False, 0)
    pairs = [frozenset((p["w"], p["b"])) for bracket in found for p in bracket["pairs"]]
    bye = next((max(pair) for pair in pairs if 0 in pair), None)
    return Paired(frozenset(pair for pair in pairs if 0 not in pair), bye)


def py4swiss(report: str) -> Paired:
    """It pairs as bbpPairings does, adds up every point itself and refuses a sum that differs."""
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import TrfParser

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report.trf")
        file.write_text(report, encoding="utf-8")
        found = DutchEngine.generate_pairings(TrfParser.parse(file, strict=False))
    bye = next((pair.white for pair in found if not pair.black), None)
    return Paired(frozenset(frozenset((p.white, p.black)) for p in found if p.black), bye)


PROGRAMS = {
    "gacrux": Program("fide", extended=False, pair=gacrux),
    "py4swiss": Program("compare", extended=True, pair=py4swiss),
}


def is_here(program: str) -> bool:
    try:
        version(program)
    except PackageNotFoundError:
        return False
    return True


def digest(report: str) -> str:
    return sha256(report.encode()).hexdigest()


def kept(program: str, name: str, report: str) -> Paired | None:
    """What a program has answered to this very report, if that was ever recorded."""
    file = KEPT / f"{program}.json"
    if not file.exists():
        return None
    answer = json.loads(file.read_text("utf-8"))["answers"].get(name)
    if answer is None or answer["report"] != digest(report):
        return None
    return Paired(frozenset(frozenset(pair) for pair in answer["pairs"]), answer["bye"])


def write(program: str) -> Path:
    """Ask a program that is installed, and keep its answers."""
    asked = PROGRAMS[program]
    answers = {}
    for name, hall in halls(program):
        report = asked.report(hall)
        found = asked.pair(report)
        pairs = sorted(sorted(pair) for pair in found.pairs)
        answers[name] = {"report": digest(report), "pairs": pairs, "bye": found.bye}
    KEPT.mkdir(exist_ok=True)
    file = KEPT / f"{program}.json"
    told = {"program": program, "version": version(program), "round": NEXT, "answers": answers}
    file.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    return file


def main() -> int:
    for program in PROGRAMS:
        if is_here(program):
            print(f"written: {write(program)}")
        else:
            print(f"{program} cannot be had on this computer: what is kept of it stays")
    return 0


if __name__ == "__main__":
    sys.exit(main())
