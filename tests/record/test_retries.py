"""A command given again with its key, because its answer was lost, is not carried out twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import penalise
from referee.proof.commitments import Keep, SaltedValue, open_value, seal_value
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, SCRIBE, By
from referee.table.bench import Answer, Bench, IdempotencyKeyReused, VersionConflict
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.play import log
from tests.record.test_bench import play

Command = Callable[[Bench, str, str], Answer]

COMMANDS: dict[str, Command] = {
    "log": lambda bench, game, key: log(bench, game, "take 2", by=By(key=key)),
    "undo": lambda bench, game, key: undo(bench, game, by=By(key=key)),
    "redo": lambda bench, game, key: redo(bench, game, by=By(key=key)),
    "correct": lambda bench, game, key: correct(bench, game, 1, ["take 1"], by=By(key=key)),
    "adjust": lambda bench, game, key: adjust(
        bench, game, {"heap": 5}, "lost", stands=True, by=By(key=key)
    ),
    "declare kit": lambda bench, game, key: declare_kit(
        bench, game, "heap", 11, "box", by=By(key=key)
    ),
    "dispute": lambda bench, game, key: dispute(bench, game, 1, by=By(key=key)),
    "withdraw": lambda bench, game, key: withdraw(bench, game, "d1", by=By(JUDGE, key)),
    "hold": lambda bench, game, key: hold(bench, game, by=By(key=key)),
    "resume": lambda bench, game, key: resume(bench, game, by=By(key=key)),
    "note": lambda bench, game, key: annotate(
        bench, game, 1, Annotation("bold"), by=By(SCRIBE, key)
    ),
    "unnote": lambda bench, game, key: remove_note(bench, game, "n1", by=By(SCRIBE, key)),
    "penalty": lambda bench, game, key: penalise(
        bench, game, "A", "warning", "slow", by=By(JUDGE, key)
    ),
    "close": lambda bench, game, key: close(bench, game, reason="supper", by=By(key=key)),
    "reopen": lambda bench, game, key: reopen(bench, game, reason="supper is over", by=By(key=key)),
}
BEFORE = {
    "redo": ["undo"],
    "withdraw": ["dispute"],
    "resume": ["hold"],
    "unnote": ["note"],
    "reopen": ["close"],
}


OTHERS: dict[str, Command] = {
    "log": lambda bench, game, key: log(bench, game, "take 1", by=By(key=key)),
    "undo": lambda bench, game, key: undo(bench, game, reason="other", by=By(key=key)),
    "correct": lambda bench, game, key: correct(bench, game, 1, ["take 3"], by=By(key=key)),
    "adjust": lambda bench, game, key: adjust(
        bench, game, {"heap": 4}, "lost", stands=True, by=By(key=key)
    ),
    "declare kit": lambda bench, game, key: declare_kit(
        bench, game, "heap", 10, "box", by=By(key=key)
    ),
    "dispute": lambda bench, game, key: dispute(bench, game, 2, by=By(key=key)),
    "hold": lambda bench, game, key: hold(bench, game, reason="other", by=By(key=key)),
    "note": lambda bench, game, key: annotate(
        bench, game, 1, Annotation("other"), by=By(SCRIBE, key)
    ),
    "penalty": lambda bench, game, key: penalise(
        bench, game, "B", "warning", "slow", by=By(JUDGE, key)
    ),
    "close": lambda bench, game, key: close(bench, game, reason="other", by=By(key=key)),
    "reopen": lambda bench, game, key: reopen(bench, game, reason="other", by=By(key=key)),
}
"""The same commands, asked for something else."""


def carried_out_once(bench: Bench, table: str, command: Command) -> None:
    first = command(bench, table, "from-a-phone")
    size = len(bench.game(table).entries)
    again = command(bench, table, "from-a-phone")
    assert again.entries == first.entries != ()
    assert again.change == first.change
    assert len(bench.game(table).entries) == size


@pytest.mark.parametrize("name", OTHERS)
def test_a_key_that_stands_for_something_else_is_refused(
    name: str, bench: Bench, table: str
) -> None:
    play(bench, table, "take 2", "take 1")
    for number, before in enumerate(BEFORE.get(name, ())):
        COMMANDS[before](bench, table, f"before-{number}")
    COMMANDS[name](bench, table, "from-a-phone")
    size = len(bench.game(table).entries)
    with pytest.raises(IdempotencyKeyReused):
        OTHERS[name](bench, table, "from-a-phone")
    assert len(bench.game(table).entries) == size


def test_a_key_of_one_secret_seals_no_other(bench: Bench, table: str, tmp_path: Path) -> None:
    keep = Keep(tmp_path)
    seal_value(bench, table, keep, "A", "plan", ["two"], by=By(key="k"))
    for seat, words in (("B", ["two"]), ("A", ["three"])):
        with pytest.raises(IdempotencyKeyReused):
            seal_value(bench, table, keep, seat, "plan", words, by=By(key="k"))


def test_a_secret_is_sealed_once_and_opened_once(bench: Bench, table: str, tmp_path: Path) -> None:
    keep = Keep(tmp_path)
    carried_out_once(
        bench,
        table,
        lambda bench, game, key: seal_value(
            bench, game, keep, "A", "plan", ["two"], by=By(SCRIBE, key)
        ),
    )
    secret = keep.get(table, bench.game(table).seals["s1"].digest)
    assert isinstance(secret, SaltedValue)
    carried_out_once(
        bench,
        table,
        lambda bench, game, key: open_value(
            bench, game, "s1", secret, by=By(SCRIBE, f"{key}-later")
        ),
    )


def test_a_request_sent_twice_at_once_is_found_behind_entries_it_had_not_seen(
    bench: Bench, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a note writes depends on the notes before it: its twin has written something else."""
    play(bench, table, "take 2")
    game, append = table, bench.store.append

    def overtaken(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(bench.store, "append", append)
        annotate(bench, game, 1, Annotation("another"))
        annotate(bench, game, 1, Annotation("bold"), by=By(key="k"))
        return append(*args, **options)

    monkeypatch.setattr(bench.store, "append", overtaken)
    with pytest.raises(VersionConflict):
        annotate(bench, game, 1, Annotation("bold"), by=By(key="k"))
    last = bench.game(game).version
    (found,) = annotate(bench, game, 1, Annotation("bold"), by=By(key="k")).entries
    assert found.seq == last == bench.game(game).version
    with pytest.raises(IdempotencyKeyReused):
        annotate(bench, game, 1, Annotation("timid"), by=By(key="k"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_repeated_command_is_answered_with_what_it_wrote_and_changed_whatever_follows_it(
    name: str, bench: Bench, table: str
) -> None:
    """Keys of other requests may begin like this one's: who counts has ``1`` and ``10``."""
    play(bench, table, "take 2", "take 1")
    for number, before in enumerate(BEFORE.get(name, ())):
        COMMANDS[before](bench, table, f"before-{number}")
    first = COMMANDS[name](bench, table, "1")
    for longer in ("10", "1a", "1-", "1:"):
        annotate(bench, table, 0, Annotation(f"with {longer}"), by=By(SCRIBE, longer))
    size = len(bench.game(table).entries)
    again = COMMANDS[name](bench, table, "1")
    assert again.entries == first.entries != ()
    assert again.change == first.change
    assert len(bench.game(table).entries) == size
