"""Tables at which anything happens: random records of every game, drawn by Hypothesis.

A story is a list of choices. Whatever a table would refuse leaves no trace, so that every list is
a story, and a shorter one is found where a long one shows a fault.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any
from unittest import mock

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from engines.kernel import Engine, ParseError
from engines.kernel.registry import load_engine
from referee.errors import RefereeError
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import Decision, fix_reading, issue
from referee.record.game import Game
from referee.store import open_store
from referee.table.adjustments import adjust
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import Heard, log
from tests.kernel.toy import ENGINE as TOY
from tests.playing import random_game, restated, tables_of

SCRIBE, OTHER, JUDGE = Author("pana"), Author("pbo"), Author("pjo", "judge")
NAMES = {"pana": "Ana", "pbo": "Bo", "pjo": "Jo"}
WORDS = ("hm", "=1+1", "l’étang | été", "– so – it", 'say "so"')
TOY_LINES = (
    "A bid 1", "B bid 2", "A boast red", "B boast blue", "B boast red", "turn red", "turn blue",
    "A bid 0", "B bid 1",
)  # fmt: skip
GAMES = {
    "pebbles": "",
    "toy": "",
    "benevolent": "three players",
    "bethel_woods": "",
    "bloody_grove": "",
    "broom_service": "five, front",
    "roundforest": "three players",
}
"""Every game, and a table of it that is not the smallest one."""

Step = tuple[str, int, int]


@contextmanager
def with_toy() -> Iterator[None]:
    """The toy is a game like any other."""
    with (
        mock.patch("referee.record.fold.load_engine", _engine),
        mock.patch("referee.table.openings.load_engine", _engine),
    ):
        yield


def _engine(name: str) -> Engine[Any, Any]:
    return TOY if name == "toy" else load_engine(name)


def ticking_bench() -> Bench:
    """No two entries at the same time; every second one is about midnight."""
    seconds, keys, ids = count(), count(1), count(1)
    start = datetime(2026, 1, 1, 23, 40, tzinfo=UTC)
    return Bench(
        open_store("memory:"),
        clock=lambda: f"{start + timedelta(seconds=37 * next(seconds)):%Y-%m-%dT%H:%M:%S}.000Z",
        keys=lambda: f"key-{next(keys)}",
        ids=lambda: f"game-{next(ids):08}",
    )


@cache
def lines_of(game: str) -> tuple[str, ...]:
    """A random game of which a table plays the beginning."""
    if game == "toy":
        return ("table A B", "A boast red", "A bid 1", "B boast blue", "B bid 2", "turn red")
    tables = tables_of(game)
    with mock.patch.object(tables, "LINES_LIMIT", 40):
        played = random_game(load_engine(game), GAMES[game] or next(iter(tables.SETUPS)), 1)
    return tuple(played.engine.text(action) for action in (played.opening, *played.actions))


class RandomTable:
    """One table, and what it is told to do."""

    def __init__(self, game: str, begun: int, bench: Bench | None = None) -> None:
        self.bench = bench or ticking_bench()
        self.lines = lines_of(game)
        seats = {"A": "pana", "B": "pbo"}
        opened = open_game(
            self.bench, game, self.lines[0], seats=seats, title="Night | 1", by=By(SCRIBE)
        )
        assert isinstance(opened, Heard)
        self.id = opened.game.id
        self.told = 1
        while self.told < min(begun, len(self.lines)):
            self._go_on()

    @property
    def game(self) -> Game:
        return self.bench.game(self.id)

    def _go_on(self) -> None:
        author = (SCRIBE, OTHER)[self.told % 2]
        log(self.bench, self.id, self.lines[self.told], by=By(author))
        self.told += 1

    def tell(self, step: Step) -> None:
        what, a, b = step
        act: Callable[[int, int], object] = getattr(self, what)
        try:
            act(a, b)
        except (RefereeError, ParseError):
            return

    def some_line(self, choice: int) -> str:
        if self.game.engine is TOY:
            return TOY_LINES[choice % len(TOY_LINES)]
        options = self.game.engine.options(self.game.setting, self.game.state)
        if options and choice % 3:
            return self.game.engine.text(options[choice % len(options)])
        return self.lines[choice % len(self.lines)]

    def some_number(self, choice: int) -> int:
        return self.game.last_number - choice % (self.game.last_number + 1)

    # what may happen

    def plays_on(self, a: int, b: int) -> None:
        if self.told < len(self.lines) and self.game.engine is not TOY:
            self._go_on()
        else:
            log(self.bench, self.id, self.some_line(a), by=By(OTHER))

    def plays(self, a: int, b: int) -> None:
        log(
            self.bench, self.id, self.some_line(a), stands=b % 2 == 0, by=By((SCRIBE, OTHER)[a % 2])
        )

    def strays(self, a: int, b: int) -> None:
        """Something illegal happens, which calls a judge; it is taken back, corrected, or stays."""
        if self.game.held is not None:
            resume(self.bench, self.id, by=By(JUDGE))
        for line in TOY_LINES if self.game.engine is TOY else reversed(self.lines):
            try:
                heard = log(self.bench, self.id, line, stands=True, dry_run=True)
            except ParseError:
                continue
            if heard.stands:
                log(self.bench, self.id, line, stands=True, by=By(SCRIBE))
                break
        else:
            return
        if a % 3 == 0:
            undo(self.bench, self.id, 1, reason=WORDS[b % 5], by=By(JUDGE))
        elif a % 3 == 1:
            correct(self.bench, self.id, self.game.last_number, by=By(JUDGE))

    def takes_back(self, a: int, b: int) -> None:
        undo(self.bench, self.id, 1 + a % 3, reason=WORDS[b % 5], by=By(SCRIBE))

    def restores(self, a: int, b: int) -> None:
        redo(self.bench, self.id, 1 + a % 2, by=By(OTHER))

    def corrects(self, a: int, b: int) -> None:
        """Something else instead, or nothing, or two in place of it."""
        at, lines = self.some_number(a), [self.some_line(b), self.some_line(a)][: b % 3 and b % 4]
        correct(self.bench, self.id, at, lines, remove=b % 3, stands=a % 2 == 0, by=By(OTHER))

    def says_again(self, a: int, b: int) -> None:
        """A correction that changes nothing but the number."""
        numbers = self.game.numbers()
        if not numbers:
            return
        number = numbers[a % len(numbers)]
        if self.game.counts(number) and (action := self.game.step(number).action) is not None:
            correct(self.bench, self.id, number, [action], stands=True, by=By(SCRIBE))

    def keeps(self, a: int, b: int) -> None:
        waiting = self.game.waiting[:1]
        if waiting:
            correct(self.bench, self.id, waiting[0], remove=0, keep=waiting, by=By(JUDGE))

    def notes(self, a: int, b: int) -> None:
        glyphs = (("mistake",), ("good", "even"), ())[b % 3]
        instead = (self.some_line(b),) if b % 7 == 0 else ()
        note = Annotation(WORDS[b % 5], glyphs, tags=("club",)[: b % 2], instead=instead)
        noted = [each.number for each in self.game.notes.values() if a % 2 and each.on is None]
        number = noted[-1] if noted else self.some_number(a)  # often where there is one already
        annotate(self.bench, self.id, number, note, by=By((SCRIBE, OTHER)[b % 2]))

    def removes_a_note(self, a: int, b: int) -> None:
        if self.game.notes:
            notes = list(self.game.notes)
            remove_note(self.bench, self.id, notes[a % len(notes)], by=By(SCRIBE))

    def disputes(self, a: int, b: int) -> None:
        seat = list(self.game.setting.seats)[b % len(self.game.setting.seats)]
        dispute(
            self.bench,
            self.id,
            self.some_number(a),
            seat=seat,
            text=WORDS[b % 5],
            holds=b % 4 == 0,
            by=By(SCRIBE),
        )

    def rules(self, a: int, b: int) -> None:
        open_ones = [one.id for one in self.game.open_disputes()]
        remedy: Any = ("none", "stands", "taken_back", "penalty", "corrected")[b % 5]
        seat = list(self.game.setting.seats)[-1]
        about = open_ones[a % len(open_ones)] if open_ones else None
        lines = (self._said_there(about, a),) if remedy == "corrected" else ()
        decision = Decision(WORDS[a % 5], remedy, about, lines=lines, seat=seat, level="warning")
        issue(self.bench, self.id, decision, by=By(JUDGE))

    def _said_there(self, dispute: str | None, choice: int) -> str:
        """What is disputed, said once more, or another line."""
        numbers = self.game.disputes[dispute].numbers if dispute is not None else ()
        steps = [self.game.step(number) for number in numbers if self.game.counts(number)]
        said = [self.game.engine.text(step.action) for step in steps if step.action is not None]
        return said[0] if said and choice % 4 else self.some_line(choice)

    def appeals(self, a: int, b: int) -> None:
        """A ruling is overturned by another one about the same."""
        left = [one for one in self.game.rulings.values() if one.id not in self.game.overturned]
        if left:
            ruled = left[a % len(left)]
            remedy: Any = ("none", "taken_back", "stands")[b % 3]
            decision = Decision(WORDS[a % 5], remedy, ruled.dispute, overturns=ruled.id)
            issue(self.bench, self.id, decision, by=By(JUDGE))

    def reseats(self, a: int, b: int) -> None:
        """Somebody else sits down."""
        people = dict(zip("AB", (("pana", "pjo"), ("pbo", "pana"))[a % 2], strict=True))
        correct(self.bench, self.id, 0, remove=0, seats=people, by=By(SCRIBE))

    def withdraws(self, a: int, b: int) -> None:
        if self.game.disputes:
            names = list(self.game.disputes)
            withdraw(self.bench, self.id, names[a % len(names)], by=By(JUDGE))

    def stops(self, a: int, b: int) -> None:
        hold(self.bench, self.id, reason=WORDS[a % 5], by=By(SCRIBE))
        if a % 3:
            resume(self.bench, self.id, by=By(JUDGE))

    def resumes(self, a: int, b: int) -> None:
        resume(self.bench, self.id, by=By(JUDGE))

    def adjusts(self, a: int, b: int) -> None:
        game = self.game
        counted = restated(game.engine, game.setting, game.state)
        adjust(self.bench, self.id, counted, WORDS[a % 5], by=By(SCRIBE))

    def reads(self, a: int, b: int) -> None:
        readings = [one for one in self.game.engine.readings.values() if one.changeable == "any"]
        if readings:
            one = readings[a % len(readings)]
            value = list(one.values)[b % len(one.values)]
            fix_reading(self.bench, self.id, one.id, value, reason="club", by=By(JUDGE))

    def opens_again(self, a: int, b: int) -> None:
        """The opening is said once more."""
        correct(self.bench, self.id, 0, [self.lines[0]], by=By(OTHER))

    def finishes_and_reopens(self, a: int, b: int) -> None:
        close(self.bench, self.id, reason="late", by=By(SCRIBE))
        if a % 9:
            reopen(self.bench, self.id, reason="on", by=By(JUDGE))


USUAL = ("plays_on", "plays", "takes_back", "restores", "corrects", "says_again", "keeps")
AROUND = (
    "notes", "removes_a_note", "disputes", "rules", "appeals", "withdraws", "stops", "resumes",
    "adjusts", "reads", "opens_again", "reseats", "finishes_and_reopens", "strays",
)  # fmt: skip
CHOICE = st.integers(min_value=0, max_value=40)
STEPS = st.lists(
    st.tuples(st.sampled_from((*USUAL, *USUAL, *USUAL, *AROUND)), CHOICE, CHOICE),
    min_size=6,
    max_size=22,
)


STRAYED: list[Step] = [("keeps", 0, 0), *(("strays", fate, fate) for fate in range(3))]
"""What was illegal and happened, with every end that it can have."""


def tried(examples: int) -> settings:
    """So many stories; a shorter one of a fault is looked for, but not long."""
    return settings(
        max_examples=examples,
        phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


def table_of(game: str, begun: int, steps: list[Step], bench: Bench | None = None) -> RandomTable:
    table = RandomTable(game, 1 + begun, bench)
    for step in steps:
        table.tell(step)
    return table


def seeded_steps(seed: int, length: int) -> list[Step]:
    """A story without Hypothesis, for what costs too much to shrink."""
    chance = random.Random(seed)
    kinds = (*USUAL, *USUAL, *AROUND)
    return [
        (chance.choice(kinds), chance.randrange(40), chance.randrange(40)) for _ in range(length)
    ]
