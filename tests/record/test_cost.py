"""What a record costs to be read: what it changes, not all that was played behind each change."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from answers.review.import_export import open_in_memory
from engines.kernel import ParseError
from engines.kernel.engine.judge import Judge
from referee.archive.record_files import examine, read_record, record_lines
from referee.errors import RefereeError, Unfit
from referee.proof.verify import verify
from referee.record import fold as folding
from referee.record.fold import fold
from referee.record.game import Game
from referee.store import open_store
from referee.table.bench import Bench
from referee.table.corrections import correct
from referee.table.openings import open_game
from referee.table.play import log
from referee.untrusted import work_budget
from referee.untrusted.work_budget import WorkBudget, working_under
from replays.text_record import read_text, text_record
from tests.record.conftest import make_bench
from tests.record.random_tables import GAMES, RandomTable, with_toy

Costs = Callable[[Callable[[], object]], int]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Costs:
    """How many actions the engine judges meanwhile."""
    asked = []
    judge = Judge.__call__

    def counted(self: Judge[Any, Any], *said: Any, **more: Any) -> Any:
        asked.append(1)
        return judge(self, *said, **more)

    def during(work: Callable[[], object]) -> int:
        asked.clear()
        work()
        return len(asked)

    monkeypatch.setattr(Judge, "__call__", counted)
    return during


PLACES: dict[str, Callable[[list[int]], int]] = {
    "the beginning": lambda numbers: numbers[0],
    "the middle": lambda numbers: numbers[len(numbers) // 2],
    "the end": lambda numbers: numbers[-1],
}


def restated(bench: Bench, game: str, number: int) -> None:
    now = bench.game(game)
    action = now.step(number).action
    assert action is not None
    correct(bench, game, number, [action])


def corrected_often(length: int, place: Callable[[list[int]], int]) -> tuple[Bench, str]:
    """A line of so many actions, of which one is corrected as often."""
    bench = make_bench()
    game = open_game(bench, "pebbles", "table A B first A").game.id
    for line in ("take 2", *["audit heap 10"] * (length - 1)):
        log(bench, game, line)
    for _ in range(length):
        restated(bench, game, place(bench.game(game).numbers()))
    return bench, game


@pytest.mark.parametrize("place", PLACES)
def test_twice_the_actions_and_corrections_cost_twice_as_much(place: str, judged: Costs) -> None:
    costs = []
    for length in (40, 80):
        bench, game = corrected_often(length, PLACES[place])
        rows = bench.store.read(game)
        costs += [judged(lambda: fold(game, rows)), judged(lambda: verify(game, rows))]  # noqa: B023
    assert costs[2] <= 2 * costs[0] + 2
    assert costs[3] <= 2 * costs[1] + 2


def test_a_file_that_is_opened_is_judged_once(judged: Costs) -> None:
    bench, game = corrected_often(20, PLACES["the middle"])
    rows, content = bench.store.read(game), b"".join(record_lines(bench.store, game))
    cost = judged(lambda: verify(game, rows))
    opened: list[Any] = []
    assert judged(lambda: opened.append(open_in_memory(content))) == cost
    store_context, _ = opened[0]
    assert told(store_context.bench.game(game)) == told(bench.game(game))


NAMING = ("bethel_woods",)
"""Games whose position names every action by its number: no correction leads back to it."""


def told(game: Game) -> tuple[object, ...]:
    """A game with everything that judging may change."""
    places = [(step, step.state.last_seat, repr(step.state)) for step in game.steps]
    return places, game.pending, dict(game.gone), game.disputes, game.waiting, game.undone


@pytest.mark.parametrize("name", GAMES)
def test_what_is_not_judged_again_would_be_judged_the_same(
    name: str, judged: Costs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every game, with actions restated, taken out, put in again and counted."""
    chance, refused = random.Random(name), []
    with with_toy():
        table = RandomTable(name, 40)
        for number in table.game.numbers()[1:9:2]:
            restated(table.bench, table.id, number)
        for _ in range(12):
            now = table.game
            number = chance.choice(now.numbers())
            step = now.step(number) if now.counts(number) else now.steps.last
            action = step.action
            if action is None:
                continue
            lines, remove = chance.choice([([action], 1), ([action, action], 1), ([], 1)])
            try:
                correct(table.bench, table.id, number, lines, remove=remove, stands=True)
            except (RefereeError, ParseError) as error:
                refused.append(error)
        rows = table.bench.store.read(table.id)
        found: list[Game] = []
        cost = judged(lambda: found.append(fold(table.id, rows)))
        monkeypatch.setattr(folding, "same_position", lambda one, other: False)
        saved = judged(lambda: found.append(fold(table.id, rows))) - cost
    assert told(found[0]) == told(found[1])
    assert saved > 0 or name in NAMING, f"what stands was judged again, or refused: {refused}"


@pytest.fixture
def ever_another() -> tuple[Bench, str]:
    """A record whose first action is another one after every correction."""
    bench = make_bench()
    game = open_game(bench, "pebbles", "table A B first A").game.id
    for line in ("take 2", *["audit heap 10"] * 40):
        log(bench, game, line)
    for turn in range(20):
        correct(bench, game, bench.game(game).numbers()[0], [f"A take {1 + turn % 2}"])
    return bench, game


def test_a_file_that_changes_its_past_without_end_is_refused_whoever_brings_it(
    ever_another: tuple[Bench, str], judged: Costs, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, game = ever_another
    rows = bench.store.read(game)
    record = read_record(record_lines(bench.store, game))
    text = text_record(bench.game(game), {}).encode()
    elsewhere = open_store("memory:")
    assert verify(game, rows).ok
    examine(elsewhere, record)
    read_text(text)
    monkeypatch.setattr(work_budget, "RESERVE", 100)
    assert verify(game, rows).ok, "what is stored here may cost what it costs"

    def refused(work: Callable[[], object]) -> None:
        with pytest.raises(Unfit, match="too_many_corrections"):
            work()

    for work in (lambda: examine(elsewhere, record), lambda: read_text(text)):
        assert judged(lambda: refused(work)) < 12 * len(rows) + 100  # noqa: B023

    def of_stranger() -> None:
        with working_under(WorkBudget(reserve=10)):
            verify(game, rows)

    assert judged(lambda: refused(of_stranger)) < 12 * len(rows)
