"""Tables play, and note the answers: ``python -m tools.measure.powercut.workload FOLDER SEED``.

Each line of ``FOLDER/acknowledged`` is written after the store has answered: the stream, the
sequence and the hash of an entry. Run under ``shim.c``, its place in the recording is the
moment from which that entry may never be missing again.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from io import FileIO
from itertools import count
from pathlib import Path

from engines.kernel import Opening
from referee.store import open_store
from referee.store.sqlite.files import sqlite_url
from referee.table.bench import Answer, Bench
from referee.table.corrections import redo, undo
from referee.table.openings import open_game
from referee.table.play import Heard, log
from replays.gallery import sample, samples
from tests.store.writers import SIGNED, batch

ACKNOWLEDGED = "acknowledged"
STORE = "games.db"
BATCHES = "batches"
"""A stream of entries that are stored several at a time."""


class Paper:
    """Where a table writes down what it was told."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    def note(self, stream: str, entries: Iterable[tuple[int, str]]) -> None:
        for seq, head in entries:
            self._file.write(json.dumps([stream, seq, head]).encode() + b"\n")

    def answered(self, answer: Answer) -> None:
        assert answer.entries, "the store has acknowledged nothing"
        self.note(answer.game.id, [(entry.seq, entry.head) for entry in answer.entries])


def play(folder: Path, chance: random.Random, games: Sequence[str]) -> None:
    """The sample games; for each the store is opened and closed once more."""
    keys = count()
    with FileIO(folder / ACKNOWLEDGED, "a") as file:
        for game in games:
            store = open_store(sqlite_url(folder / STORE))
            bench = Bench(store, keys=lambda: f"key-{next(keys)}")
            for _ in sitting(bench, game, chance, Paper(file)):
                if chance.random() < 0.2:
                    store_batch(bench, f"batch-{next(keys)}", chance.randint(2, 5), Paper(file))
            store.close()


def sitting(bench: Bench, game: str, chance: random.Random, paper: Paper) -> Iterator[None]:
    """One game from its opening to its end, with second thoughts."""
    played = sample(game)
    opening, *actions = (step.action for step in played.steps)
    assert isinstance(opening, Opening)
    opened = open_game(bench, game, opening, kit=played.sheet, game_id=f"game-{game}")
    assert isinstance(opened, Heard)
    paper.answered(opened)
    for action in actions:
        assert action is not None
        paper.answered(log(bench, opened.game.id, action, stands=True))
        if chance.random() < 0.1:
            paper.answered(undo(bench, opened.game.id))
            paper.answered(redo(bench, opened.game.id))
        yield


def store_batch(bench: Bench, name: str, size: int, paper: Paper) -> None:
    last = len(bench.store.read(BATCHES)) - 1
    entries = bench.store.append(BATCHES, batch(name, size), expected=last, **SIGNED)
    paper.note(BATCHES, [(entry.seq, entry.head) for entry in entries])


if __name__ == "__main__":
    _, where, seed, *chosen = sys.argv
    play(Path(where), random.Random(int(seed)), chosen or samples())
