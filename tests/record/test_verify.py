"""Tampering: whatever is changed in a record, verification names the first entry."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Finding, Point, Verdict
from referee.archive.record_files import read_record, record_lines, take_in
from referee.errors import Unfit
from referee.judging.rulings import fix_reading
from referee.proof.verify import VerificationReport, verify
from referee.record.entries import (
    KINDS,
    UPCASTERS,
    Logged,
    UnreadableEntry,
    is_stored_as,
    read_data,
    verdict_data,
)
from referee.record.fold import fold
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, SCRIBE, By
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close
from referee.table.notes import Annotation, annotate
from referee.table.play import log
from referee.untrusted.safe_json import MAX_LINE_BYTES
from tests.record.conftest import make_bench
from tests.speaking import said


@pytest.fixture
def rows(bench: Bench, table: str) -> list[Stored]:
    """A game with everything in it that a record can hold."""
    for line in ("take 2", "take 1", "take 3", "take 1"):
        log(bench, table, line)
    log(bench, table, "take 1", stands=True)
    correct(bench, table, 2, ["take 3"])
    correct(bench, table, 3, remove=0, keep=[3])
    undo(bench, table)
    redo(bench, table)
    fix_reading(bench, table, "last_pebble", "loses", by=By(JUDGE))
    adjust(bench, table, {"heap": 6}, "found some", stands=True)
    declare_kit(bench, table, "heap", 13, "counted")
    annotate(bench, table, 3, Annotation("greedy"), by=By(SCRIBE))
    log(bench, table, "audit heap 5")
    close(bench, table, reason="supper")
    return list(bench.store.read(table))


def rewritten(row: Stored, **changes: object) -> Stored:
    body = {**json.loads(row.body), **changes}
    return row._replace(body=canonical(body))


def rechained(rows: list[Stored]) -> list[Stored]:
    """A forger who knows the format computes the whole chain anew."""
    forged, prev = [], "0" * 64
    for seq, row in enumerate(rows):
        forged.append(rewritten(row, prev=prev, seq=seq)._replace(seq=seq))
        prev = forged[-1].head
    return forged


def check(rows: list[Stored], **options: object) -> VerificationReport:
    return verify(rows[0].stream, rows, **options)  # type: ignore[arg-type]


def test_an_honest_record_proves_itself(rows: list[Stored], table: str) -> None:
    report = check(rows, published=[rows[3].head[:20], rows[-1].head])
    assert report.problems == []
    assert report.game is not None
    assert report.game.state == fold(table, rows).state


@pytest.mark.parametrize("index", range(19))
def test_an_edited_byte_is_found_at_the_next_entry(rows: list[Stored], index: int) -> None:
    edited = list(rows)
    edited[index] = rewritten(rows[index], at="2026-01-01T13:00:00.000Z")
    if index == len(rows) - 1:
        assert check(edited, published=[rows[-1].head]).problems[0].check == "head"
    else:
        assert check(edited).problems[0].seq == index + 1
        assert check(edited).problems[0].check == "chain"


def test_every_entry_is_covered_by_the_edits_above(rows: list[Stored]) -> None:
    assert len(rows) == 19


def test_reordered_inserted_and_removed_entries_are_found(rows: list[Stored]) -> None:
    swapped = [*rows[:4], rows[5], rows[4], *rows[6:]]
    assert check(swapped).problems[0].seq == 4
    doubled = [*rows[:4], rows[3], *rows[4:]]
    assert check(doubled).problems[0].seq == 4
    missing = [*rows[:4], *rows[5:]]
    assert check(missing).problems[0].seq == 4


def test_a_cut_tail_is_found_against_a_published_head(rows: list[Stored]) -> None:
    cut = rows[:-1]
    assert check(cut).ok
    problem = check(cut, published=[rows[-1].head[:20]]).problems[0]
    assert (problem.check, problem.key) == ("head", "head_missing")


@pytest.mark.parametrize("known", [(3, 11), (11, 3), (11, 3, 5), (11, 99), (99, 11), (99,)])
def test_all_is_covered_up_to_the_last_known_head_in_whatever_order_they_are_told(
    rows: list[Stored], known: tuple[int, ...]
) -> None:
    found = [at for at in known if at < len(rows)]
    report = check(rows, published=[rows[at].head if at in found else "f" * 64 for at in known])
    assert report.covered == max(found, default=-1)
    assert report.ok is (len(found) == len(known))


@pytest.mark.parametrize("index", [0, 2])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("at", "by", "role", "kind", "key") for value in (5, [], None)),
        *(("schema", value) for value in ("1", [], None, True)),
        *(("at", value) for value in ("", "yesterday", "2026-01-01", "2026-02-30T12:00:00Z")),
        *(("by", value) for value in ("", "Ann", "<b>", "p" * 40)),
        *(("role", value) for value in ("", "king", "seat:Z", "seat:A ")),
        ("f", True),
        ("data", []),
    ],
)
def test_what_no_entry_says_of_itself_is_found(
    rows: list[Stored], index: int, name: str, value: object
) -> None:
    forged = rechained([*rows[:index], rewritten(rows[index], **{name: value}), *rows[index + 1 :]])
    problem = check(forged).problems[0]
    assert (problem.check, problem.key, problem.seq) == ("form", "not_an_entry", index)


_CLAUSES = st.sampled_from(["PEB-TAKE-1", "PEB-TAKE-2"])
_FACTS = st.dictionaries(
    st.sampled_from(["heap", "taken"]), st.integers(0, 1) | st.lists(st.integers(0, 1), max_size=1)
)
_POINTS = st.lists(st.tuples(_CLAUSES, _FACTS).map(Point._make), max_size=2).map(tuple)
_FINDINGS = st.lists(
    st.tuples(
        st.sampled_from(["broken", "cleared"]), _CLAUSES, st.sampled_from([(), (1,)]), _FACTS
    ).map(lambda parts: Finding(*parts)),
    max_size=2,
).map(tuple)
_VERDICTS = st.tuples(st.sampled_from(["legal", "illegal"]), _POINTS, _POINTS, _FINDINGS).map(
    lambda parts: Verdict(*parts)
)


@given(_VERDICTS, _VERDICTS)
def test_a_verdict_is_compared_as_it_would_be_stored(one: Verdict, other: Verdict) -> None:
    assert is_stored_as(one, verdict_data(one))
    assert is_stored_as(one, verdict_data(other)) == (verdict_data(one) == verdict_data(other))


def test_entries_of_another_game_are_found(rows: list[Stored]) -> None:
    foreign = rechained([rows[0], *(rewritten(row, stream="game-other") for row in rows[1:])])
    assert check(foreign).problems[0].key == "other_game"


# records that travel


def test_a_record_travels_byte_by_byte(bench: Bench, rows: list[Stored], table: str) -> None:
    lines = list(record_lines(bench.store, table, {"pabc": "Zoë"}))
    assert lines[:-1] == [row.body + b"\n" for row in rows]
    elsewhere = make_bench()
    record_file = read_record(lines)
    assert record_file.names == {"pabc": "Zoë"}
    report, new = take_in(elsewhere.store, record_file)
    assert (report.ok, new) == (True, len(rows))
    assert elsewhere.store.read(table) == tuple(rows)
    assert take_in(elsewhere.store, read_record(lines))[1] == 0


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"", "the line is empty"),
        (b"nonsense", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1, 2]", "not an entry"),
        (b'{"a": 1.5}', "whole number"),
        (b'{"a": NaN}', "whole number"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": 99999999999999999999}', "too large"),
        (b'{"a": "\\u001b[31m"}', "control character U+001B"),
        ('{"a": "\u202e"}'.encode(), "control character U+202E"),
        (b"[" * 1000 + b"]" * 1000, "nested deeper"),
        (b'"' + b"x" * MAX_LINE_BYTES + b'"', "longer than"),
    ],
)
def test_hostile_lines_are_refused_with_their_number(
    rows: list[Stored], line: bytes, problem: str
) -> None:
    with pytest.raises(Unfit) as caught:
        read_record([rows[0].body, rows[1].body, line])
    assert caught.value.facts["line"] == 3
    assert problem in said(caught.value.facts["problem"])


def test_nothing_is_stored_of_a_record_that_does_not_prove_itself(rows: list[Stored]) -> None:
    elsewhere = make_bench()
    bodies = [row.body for row in rows]
    bodies[7] = bodies[7].replace(b"scribe", b"judge", 1)
    with pytest.raises(Unfit) as caught:
        take_in(elsewhere.store, read_record(bodies))
    assert caught.value.facts["line"] == 9
    assert elsewhere.store.streams() == ()


# stored data outlives the program


def test_old_schemas_are_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    class LoggedTwice(Logged):
        SCHEMA = 3

    monkeypatch.setitem(KINDS, "logged", LoggedTwice)
    first = {"nr": 1, "move": {"verb": "take"}, "verdict": {"outcome": "legal"}}
    monkeypatch.setitem(
        UPCASTERS,
        ("logged", 1),
        lambda data: {**{k: v for k, v in data.items() if k != "nr"}, "number": data["nr"]},
    )
    monkeypatch.setitem(
        UPCASTERS,
        ("logged", 2),
        lambda data: {**{k: v for k, v in data.items() if k != "move"}, "action": data["move"]},
    )
    read = read_data("logged", 1, first)
    assert isinstance(read, Logged)
    assert (read.number, read.action) == (1, {"verb": "take"})


def test_data_of_the_future_is_not_guessed_at() -> None:
    with pytest.raises(UnreadableEntry, match="newer_schema"):
        read_data("logged", 2, {})
    with pytest.raises(UnreadableEntry, match="unknown_kind"):
        read_data("dreamt", 1, {})


def test_names_of_kinds_are_stable() -> None:
    """Renaming a class must not rename what is stored: this list only ever grows."""
    known = {
        "opened",
        "logged",
        "taken_back",
        "restored",
        "corrected",
        "adjusted",
        "kit_declared",
        "reading_fixed",
        "held",
        "resumed",
        "disputed",
        "noted",
        "unnoted",
        "photographed",
        "photo_erased",
        "closed",
        "reopened",
    }
    assert known <= set(KINDS)
    assert all(name == kind.KIND for name, kind in KINDS.items())
