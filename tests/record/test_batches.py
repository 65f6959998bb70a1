"""Lines that are logged together make the record that they make one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import pytest

from engines.kernel import Opening
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import load_engine
from referee.proof.verify import verify
from referee.store import Store, open_store
from referee.store.memory import MemoryRecorder
from referee.table.bench import Answer, Bench, By, IdempotencyKeyReused, VersionConflict
from referee.table.openings import open_game
from referee.table.play import Heard, log, log_together
from tests.playing import Strays, playable_games, random_game, tables_of

MOST = 120
Said = Sequence[tuple[str, str | None]]
Outcome = tuple[list[Heard], MessageError | None]


class Counted(MemoryRecorder):
    """A store that knows how often it was written to."""

    written = 0

    def insert_events(self, *events: Any, **about: Any) -> Sequence[int] | None:
        self.written += 1
        return super().insert_events(*events, **about)


def bench_at_noon() -> Bench:
    return Bench(
        Store(Counted(), "memory:"),
        clock=lambda: "2026-01-01T12:00:00.000Z",
        keys=lambda: "opening",
        ids=lambda: "game-1",
    )


def one_by_one(bench: Bench, game: str, said: Said, stands: bool = False) -> Outcome:
    heard: list[Heard] = []
    for line, key in said:
        try:
            heard.append(log(bench, game, line, stands=stands, by=By(key=key)))
        except MessageError as error:
            return heard, error
        if not heard[-1].accepted:
            break
    return heard, None


def together(bench: Bench, game: str, said: Said, stands: bool = False) -> Outcome:
    return log_together(bench, game, said, stands=stands)


def opened(bench: Bench, name: str, opening: Opening) -> str:
    answer = open_game(bench, name, opening)
    assert isinstance(answer, Answer)
    return answer.game.id


def times_written(bench: Bench) -> int:
    recorder = bench.store._recorder
    assert isinstance(recorder, Counted)
    return recorder.written


def told(outcome: Outcome) -> object:
    """All that an answer is made of."""
    heard, error = outcome
    return (
        [
            (
                each.accepted, each.number, each.action, each.verdict, each.stands, each.may_stand,
                each.disputes, each.moves, each.entries, tuple(each.game.entries), each.game.state,
            )
            for each in heard
        ],
        error and (type(error), error.key, error.facts),
    )  # fmt: skip


@pytest.mark.parametrize("name", playable_games())
def test_a_record_does_not_show_how_many_lines_were_said_at_once(name: str) -> None:
    engine, setup = load_engine(name), next(iter(tables_of(name).SETUPS))
    rng, played = random.Random(name), random_game(engine, setup, 0)
    strays = Strays(engine, played.actions)
    lines = [engine.text(action) for action in played.actions[:MOST]]
    for _ in range(12):
        lines.insert(rng.randrange(len(lines)), engine.text(strays.draw(rng)))
    lines.insert(rng.randrange(len(lines)), "no such verb")
    one, other = bench_at_noon(), bench_at_noon()
    stream, _ = (opened(bench, name, played.opening) for bench in (one, other))
    calls, numbered = 1, list(enumerate(lines))
    while numbered:
        some, stands = numbered[: rng.randint(1, 12)], rng.random() < 0.1
        said = [(line, f"k{number}") for number, line in some]
        outcomes = [how(bench, stream, said, stands) for how, bench in
                    ((one_by_one, one), (together, other))]  # fmt: skip
        assert told(outcomes[0]) == told(outcomes[1])
        assert one.store.read(stream) == other.store.read(stream)
        heard, error = outcomes[1]
        calls += any(each.accepted for each in heard)
        del numbered[: len(heard) + (error is not None)]
    assert times_written(other) == calls
    assert verify(stream, other.store.read(stream)).ok


def test_given_again_with_their_keys_they_are_answered_and_not_recorded_twice(
    bench: Bench, table: str
) -> None:
    said = [("take 1", "k1"), ("take 2", "k2"), ("take 1", "k3")]
    log(bench, table, "take 1", by=By(key="k1"))
    first, _ = log_together(bench, table, said)
    record = bench.store.read(table)
    again, _ = log_together(bench, table, said)
    assert [each.number for each in first] == [each.number for each in again] == [1, 2, 3]
    assert [each.entries for each in first] == [each.entries for each in again]
    _, error = log_together(bench, table, [("take 2", "k1")])
    assert isinstance(error, IdempotencyKeyReused)
    assert bench.store.read(table) == record


def test_if_somebody_else_is_quicker_nothing_is_recorded(bench: Bench, table: str) -> None:
    def said() -> Iterator[tuple[str, str | None]]:
        yield "take 1", None
        log(bench, table, "take 2")
        yield "take 3", None

    with pytest.raises(VersionConflict):
        log_together(bench, table, said())
    assert [step.number for step in bench.game(table).steps] == [0, 1]


def test_the_same_request_twice_at_the_same_moment_is_recorded_once() -> None:
    seconds = count(10)
    bench = Bench(open_store("memory:"), clock=lambda: f"2026-01-01T12:00:{next(seconds)}.000Z")
    table = open_game(bench, "pebbles", "table A B first A").game.id
    request = [("take 1", "k1"), ("take 2", "k2")]

    def said() -> Iterator[tuple[str, str | None]]:
        yield request[0]
        log_together(bench, table, request)
        yield request[1]

    with pytest.raises(VersionConflict):
        log_together(bench, table, said())
    heard, _ = log_together(bench, table, request)
    assert [each.number for each in heard] == [1, 2]
    assert bench.game(table).version == 2
