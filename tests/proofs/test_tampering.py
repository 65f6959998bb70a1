"""Whatever is done to stored rows, proof fails and names where."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.proof.verify import verify
from referee.store.envelopes import Stored
from referee.table.corrections import correct, redo, undo
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench


@cache
def honest() -> tuple[Stored, ...]:
    bench = make_bench()
    table = open_game(bench, "pebbles", "table A B first A").game.id
    for line in ("take 2", "take 1", "take 3", "take 1"):
        log(bench, table, line)
    undo(bench, table)
    redo(bench, table)
    log(bench, table, "take 1", stands=True)
    correct(bench, table, 2, ["take 3"])
    return tuple(bench.store.read(table))


ROWS = len(honest())
INDEX = st.integers(0, ROWS - 1)


def first_problem(rows: list[Stored]) -> int | None:
    """The entry that verification names first, against the published head."""
    good = honest()
    report = verify(good[0].stream, rows, published=[good[-1].head])
    return min((problem.seq for problem in report.problems), default=None)


def test_the_honest_record_is_proven() -> None:
    assert first_problem(list(honest())) is None


@given(INDEX, st.integers(0, 10_000), st.integers(1, 255))
def test_a_flipped_byte(index: int, place: int, flip: int) -> None:
    rows = list(honest())
    body = bytearray(rows[index].body)
    body[place % len(body)] ^= flip
    rows[index] = rows[index]._replace(body=bytes(body))
    named = first_problem(rows)
    assert named in (index, index + 1)


@given(INDEX, st.sampled_from(["logged@2", "opened@1x", ""]))
def test_an_entry_filed_under_another_kind(index: int, topic: str) -> None:
    rows = list(honest())
    rows[index] = rows[index]._replace(topic=topic)
    assert first_problem(rows) == index


def test_a_record_without_its_beginning_is_called_so() -> None:
    rows = honest()[1:]
    (problem,) = verify(rows[0].stream, list(rows)).problems
    assert (problem.seq, problem.key) == (0, "broken_start")


@given(INDEX, INDEX)
def test_two_swapped_entries(one: int, two: int) -> None:
    assume(one != two)
    rows = list(honest())
    rows[one], rows[two] = rows[two], rows[one]
    assert first_problem(rows) == min(one, two)


@given(INDEX)
def test_a_removed_entry(index: int) -> None:
    rows = list(honest())
    del rows[index]
    assert first_problem(rows) == index


@given(INDEX, INDEX)
def test_an_inserted_copy(which: int, where: int) -> None:
    rows = list(honest())
    rows.insert(where, rows[which])
    named = first_problem(rows)
    assert named is not None
    assert named in (where, where + 1)


@given(st.integers(1, ROWS - 1))
def test_a_cut_tail(kept: int) -> None:
    """Named behind the last entry, or at it, where something must still follow."""
    assert first_problem(list(honest())[:kept]) in (kept - 1, kept)


@pytest.mark.parametrize(
    ("odd", "key"),
    [
        (b"2.0", "unreadable"),
        (b"2e0", "unreadable"),
        (b"-0.5", "unreadable"),
        (b"NaN", "unreadable"),
        (b"12345678901234567890", "unreadable"),
        (b'{"\xc3\xa9":1}', "not_an_entry"),
    ],
)
def test_a_value_that_others_would_read_differently(odd: bytes, key: str) -> None:
    rows = list(honest())
    body = rows[1].body.replace(b'"seq":1', b'"seq":' + odd)
    assert body != rows[1].body
    rows[1] = rows[1]._replace(body=body)
    (problem,) = verify(rows[0].stream, rows).problems
    assert (problem.seq, problem.key) == (1, key)
