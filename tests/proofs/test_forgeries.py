"""Records that no bench would write, computed anew so that every hash fits: each is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from engines.kernel import Phrase
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue, penalise
from referee.proof.commitments import seal_digest_of
from referee.proof.verify import VerificationProblem, VerificationReport, verify
from referee.record.game import seal_digest
from referee.store.canonical_json import canonical, digest
from referee.store.envelopes import Stored
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, Author, By
from referee.table.corrections import correct
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import log
from referee.untrusted.safe_json import MAX_LINE_BYTES
from tests.proofs.twins import declared_cards
from tests.record.conftest import make_bench
from tests.record.test_verify import rechained

A = Author("pana", "seat:A")
B = Author("pbo", "seat:B")
Body = dict[str, Any]


@cache
def honest() -> tuple[Stored, ...]:
    """A table of Pebbles with a judge, at which nearly everything happens."""
    bench = make_bench()
    seats = {"A": "pana", "B": "pbo"}
    table = open_game(bench, "pebbles", "table A B first A", seats=seats).game.id
    log(bench, table, "take 2", by=By(A))
    log(bench, table, "take 1", by=By(B))
    log(bench, table, "take 3")
    dispute(bench, table, 3, text="too many", seat="B", by=By(B))
    corrected = Decision("three were two", "corrected", dispute="d1", lines=("take 2",))
    issue(bench, table, corrected, by=By(JUDGE))
    penalise(bench, table, "A", "warning", "slow", by=By(JUDGE))
    adjust(bench, table, {"heap": 6}, "found some", stands=True)
    hold(bench, table, reason="tea")
    resume(bench, table)
    annotate(bench, table, 1, Annotation("well", glyphs=("good",)), by=By(A))
    log(bench, table, "take 2", stands=True)
    log(bench, table, "take 3")
    log(bench, table, "take 1")
    close(bench, table)
    reopen(bench, table, reason="one more look", by=By(JUDGE))
    close(bench, table, by=By(JUDGE))
    return tuple(bench.store.read(table))


def bodies() -> list[Body]:
    return [json.loads(row.body) for row in honest()]


def index_of(kind: str, which: int = 0) -> int:
    return [seq for seq, body in enumerate(bodies()) if body["kind"] == kind][which]


def forged(told: list[Body]) -> VerificationReport:
    rows = [
        honest()[0]._replace(topic=f"{b['kind']}@{b['schema']}", body=canonical(b)) for b in told
    ]
    return verify(honest()[0].stream, rechained(rows))


def changed(kind: str, which: int = 0, /, **changes: Any) -> list[Body]:
    """The record with other data in one entry; what an envelope says is changed there."""
    told = bodies()
    body = told[index_of(kind, which)]
    for name, value in changes.items():
        (body if name in body else body["data"])[name] = value
    return told


def inserted(seq: int, kind: str, data: Body, **more: Any) -> list[Body]:
    """The record with one more entry before ``seq``."""
    told = bodies()
    like = told[seq - 1]
    told.insert(seq, {**like, "kind": kind, "schema": 1, "data": data, "key": "forged", **more})
    return told


def without(kind: str, which: int = 0) -> list[Body]:
    told = bodies()
    del told[index_of(kind, which)]
    return told


def test_the_record_that_is_forged_below_is_honest() -> None:
    report = verify(honest()[0].stream, honest())
    assert report.problems == []
    assert report.differences == []


def nested(deep: int) -> Any:
    return [nested(deep - 1)] if deep else []


def own_kit(**changes: Any) -> list[Body]:
    told = bodies()
    kit = {**told[0]["data"]["kit"], **changes}
    told[0]["data"] |= {"kit": kit, "kit_hash": digest(canonical(kit))}
    return told


LAST = len(honest())
FORGERIES: dict[str, Callable[[], list[Body]]] = {
    "a ruling by the scribe": lambda: changed("ruled", role="scribe"),
    "a ruling by a seat": lambda: changed("ruled", role="seat:A"),
    "a penalty by the scribe": lambda: changed("penalised", role="scribe"),
    "a penalty of a seat that does not sit": lambda: changed("penalised", seat="H"),
    "a reading fixed by the scribe": lambda: inserted(
        2, "reading_fixed", {"reading": "last_pebble", "value": "loses"}
    ),
    "an action told by a seat that does not sit": lambda: changed("logged", role="seat:H"),
    "an action of one seat told by another": lambda: changed("logged", role="seat:B"),
    "an action logged after the end": lambda: inserted(
        LAST, "logged", {**bodies()[1]["data"], "number": 99}
    ),
    "an action logged while the game is held": lambda: without("resumed"),
    "resumed, though nothing was held": lambda: without("held"),
    "held twice": lambda: inserted(index_of("resumed"), "held", {"reason": "again"}),
    "reopened, though it was open": lambda: inserted(2, "reopened", {"reason": "why not"}),
    "closed by a seat": lambda: changed("closed", role="seat:A", by="pana"),
    "adjusted by a seat": lambda: changed("adjusted", role="seat:A", by="pana"),
    "a correction that was ruled and is not there": lambda: without("corrected"),
    "a ruling about an action that is not there": lambda: changed("ruled", numbers=[999]),
    "a dispute about an action that is not there": lambda: changed("disputed", numbers=[999]),
    "a dispute about nothing": lambda: changed("disputed", numbers=[]),
    "a note about an action that is not there": lambda: changed("noted", number=999),
    "a ruling by a clause that is not there": lambda: changed("ruled", clauses=["BEN-NONE-9"]),
    "a dispute by a clause that is not there": lambda: changed("disputed", clause="BEN-NONE-9"),
    "a note with a glyph that is not there": lambda: changed("noted", glyphs=["astonishing"]),
    "a note with glyphs that exclude each other": lambda: changed(
        "noted", glyphs=["good", "mistake"]
    ),
    "a note that says nothing": lambda: changed("noted", text="", glyphs=[]),
    "an irregular action without the call for a judge": lambda: without("disputed", 1),
    "a call for a judge that nothing called for": lambda: inserted(
        2, "disputed", {"id": "d1", "numbers": [1], "cause": "finding"}
    ),
    "an action that stands though it is legal": lambda: changed("logged", stands=True),
    "an adjustment that makes no sense": lambda: changed("adjusted", changes={"heap": -7}),
    "an adjustment of what is not there": lambda: changed("adjusted", changes={"moon": 1}),
    "an action with other words": lambda: changed(
        "logged", action={**bodies()[1]["data"]["action"], "by": None}
    ),
    "a result that the game does not have": lambda: changed(
        "closed", places=bodies()[-1]["data"]["places"][::-1]
    ),
    "a result before the game is over": lambda: inserted(
        2, "closed", {"places": [["B"], ["A"]], "clause": "PEB-END-1", "scores": {"A": 0, "B": 9}}
    ),
    "an end without a reason before the game is over": lambda: inserted(2, "closed", {}),
    "six years back in time": lambda: changed("adjusted", at="2020-01-01T12:00:00.000Z"),
    "one key for two entries": lambda: changed("adjusted", key=bodies()[2]["key"]),
    "a key that no store would take": lambda: changed("adjusted", key="two words"),
    "a version of the engine that has no number": lambda: changed("opened", engine_version="best"),
    "a reading that is not there": lambda: changed(
        "opened", readings={**bodies()[0]["data"]["readings"], "mercy": "always"}
    ),
    "another edition": lambda: changed("opened", edition="by heart"),
    "people at seats that are not there": lambda: changed("opened", seats={"H": "pmallory"}),
    "opened by a seat": lambda: changed("opened", role="seat:A"),
    "another box under the name of the one that is shipped": lambda: own_kit(heap=13),
    "an adjustment of nothing": lambda: changed("adjusted", changes={}),
    "a ruling that names an action twice": lambda: changed(
        "ruled", numbers=bodies()[index_of("ruled")]["data"]["numbers"] * 2
    ),
    "a ruling that names a clause twice": lambda: changed(
        "ruled", clauses=["PEB-TAKE-1", "PEB-TAKE-1"]
    ),
    "a dispute that names an action twice": lambda: changed("disputed", numbers=[3, 3]),
    "a penalty without a level": lambda: changed("penalised", level=""),
    "an empty take-back": lambda: inserted(2, "taken_back", {"numbers": []}),
    "a default that nobody writes down": lambda: changed("logged", stands=False),
    "told by somebody who is no person": lambda: changed("held", by="Ana Lee"),
    "told in a role that is not there": lambda: changed("held", role="king"),
    "told at no time": lambda: changed("held", at="yesterday"),
    "dated a year ahead of what follows": lambda: changed(
        "penalised", at="2027-01-01T12:00:00.000Z"
    ),
    "an action judged otherwise": lambda: changed("logged", 4, verdict={"outcome": "undecided"}),
    "a ruling that overturns itself": lambda: changed("ruled", overturns="r1"),
    "deeper than anybody can read": lambda: changed("noted", text=nested(40)),
    "longer than any line": lambda: changed("noted", text="x" * MAX_LINE_BYTES),
}


NAMED = {
    "a ruling by the scribe": "5 law judge_only",
    "a ruling by a seat": "5 law judge_only",
    "a penalty by the scribe": "7 law judge_only",
    "a penalty of a seat that does not sit": "7 cannot_follow no_such_seat",
    "a reading fixed by the scribe": "2 law judge_only",
    "an action told by a seat that does not sit": "1 law no_such_seat",
    "an action of one seat told by another": "1 law own_seat_only",
    "an action logged after the end": "19 cannot_follow closed",
    "an action logged while the game is held": "11 cannot_follow held",
    "resumed, though nothing was held": "9 law not_held",
    "held twice": "10 law held_already",
    "reopened, though it was open": "2 cannot_follow not_closed",
    "closed by a seat": "16 law role_may_not",
    "adjusted by a seat": "8 law role_may_not",
    "a correction that was ruled and is not there": "6 law brings_along",
    "a ruling about an action that is not there": "5 engine nothing_to_remedy, law no_such_action,"
    " engine no_such_action",
    "a dispute about an action that is not there": "4 cannot_follow no_such_action",
    "a dispute about nothing": "4 law nothing_said",
    "a note about an action that is not there": "11 cannot_follow no_such_action",
    "a ruling by a clause that is not there": "5 engine no_such_clause",
    "a dispute by a clause that is not there": "4 engine no_such_clause",
    "a note with a glyph that is not there": "11 law no_such_glyph, engine no_such_glyph",
    "a note with glyphs that exclude each other": "11 law glyphs_exclude, engine glyphs_exclude",
    "a note that says nothing": "11 engine nothing_to_note, not_as_written",
    "an irregular action without the call for a judge": "13 engine brings_along",
    "a call for a judge that nothing called for": "2 engine brought_by_nothing",
    "an action that stands though it is legal": "1 law stands_for_nothing",
    "an adjustment that makes no sense": "8 engine bad_position",
    "an adjustment of what is not there": "8 engine bad_position",
    "an action with other words": "1 engine other_words",
    "a result that the game does not have": "16 result_differs",
    "a result before the game is over": "2 result_differs, law role_may_not, engine not_over",
    "an end without a reason before the game is over": "2 law role_may_not, engine not_over",
    "six years back in time": "8 law back_in_time",
    "one key for two entries": "8 key_twice",
    "a key that no store would take": "8 not_an_entry",
    "a version of the engine that has no number": "0 law no_version",
    "a reading that is not there": "0 engine other_readings",
    "another edition": "0 engine other_edition",
    "people at seats that are not there": "0 law no_such_seat",
    "opened by a seat": "0 law role_may_not",
    "another box under the name of the one that is shipped": "0 engine other_kit",
    "an adjustment of nothing": "8 engine says_nothing",
    "a ruling that names an action twice": "5 engine names_twice",
    "a ruling that names a clause twice": "5 engine names_twice",
    "a dispute that names an action twice": "4 engine names_twice",
    "a penalty without a level": "7 engine says_nothing",
    "an empty take-back": "2 law role_may_not",
    "a default that nobody writes down": "1 not_as_written",
    "told by somebody who is no person": "9 not_an_entry",
    "told in a role that is not there": "9 not_an_entry",
    "told at no time": "9 not_an_entry",
    "dated a year ahead of what follows": "8 law back_in_time",
    "an action judged otherwise": "14 verdict_differs #7",
    "a ruling that overturns itself": "5 cannot_follow no_such_ruling",
    "deeper than anybody can read": "11 unreadable too_deep",
    "longer than any line": "11 unreadable too_many_bytes",
}  # fmt: skip
"""The entry, and what is wrong with it."""


def wrong(problem: VerificationProblem) -> str:
    """``law``: its author could not; ``engine``: the game does not have it so."""
    why, number = problem.facts.get("problem"), problem.facts.get("number")
    what = {"unlawful": "law", "engine_objects": "engine"}.get(problem.key, problem.key)
    inner = why.key.partition(".")[2] if isinstance(why, Phrase) else number and f"#{number}"
    return f"{what} {inner}" if inner else what


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_named(forgery: str) -> None:
    """By all that is wrong with the first entry at which something is."""
    problems = forged(FORGERIES[forgery]()).problems
    first = problems[0].seq
    found = [wrong(problem) for problem in problems if problem.seq == first]
    assert f"{first} {', '.join(found)}" == NAMED[forgery]


@cache
def twice_irregular() -> tuple[Stored, ...]:
    """A correction that puts in two actions for each of which a judge is called."""
    bench = make_bench()
    table = open_game(bench, "pebbles", "table A B first A").game.id
    for line in ("take 2", "take 1", "take 3"):
        log(bench, table, line)
    correct(bench, table, 2, ["A take 1", "A take 2"], stands=True)
    return tuple(bench.store.read(table))


def test_of_several_things_that_an_entry_says_or_owes_each_is_looked_at() -> None:
    """A call is left out, told twice or of the other action; an action is in other words."""
    rows = twice_irregular()
    assert verify(rows[0].stream, rows).ok
    told: list[Body] = [json.loads(row.body) for row in rows]
    calls = [seq for seq, body in enumerate(told) if body["kind"] == "disputed"]
    assert len(calls) == 2
    forgeries: dict[str, list[Body]] = {}
    for at, seq in enumerate(calls):
        before, call, after = told[:seq], told[seq], told[seq + 1 :]
        other = {**call["data"], "numbers": told[calls[at - 1]]["data"]["numbers"]}
        forgeries |= {
            f"{at} left out": [*before, *after],
            f"{at} twice": [*before, call, {**call, "key": "again"}, *after],
            f"{at} of another": [*before, {**call, "data": other}, *after],
        }
        otherwise = deepcopy(told)
        otherwise[calls[0] - 1]["data"]["insert"][at]["action"]["by"] = None
        forgeries[f"{at} in other words"] = otherwise
        judged = deepcopy(told)
        judged[calls[0] - 1]["data"]["insert"][at]["verdict"] = {"outcome": "undecided"}
        forgeries[f"{at} judged otherwise"] = judged
    for how, bodies in forgeries.items():
        like = [
            rows[0]._replace(topic=f"{b['kind']}@{b['schema']}", body=canonical(b)) for b in bodies
        ]
        assert not verify(rows[0].stream, rechained(like)).ok, how


@pytest.mark.parametrize("value", ["x", [], ["x", 1], [1, "x"], {"x": "y"}])
def test_what_is_unsealed_is_words_whatever_was_sealed(value: Any) -> None:
    """Whoever forges a record seals in it what they like."""
    bench = make_bench()
    table = open_game(bench, "pebbles", "table A B first A").game.id
    seal_digest_of(bench, table, "A", "plan", "0" * 64, by=By(A))
    (opened, sealed) = [json.loads(row.body) for row in bench.store.read(table)]
    for said, problem in ((value, "law nothing_said"), (["x", "y"], None)):
        salt = "0" * 32
        sealed["data"]["digest"] = seal_digest(table, "A", "plan", salt, said)
        data = {"id": "s1", "salt": salt, "value": said}
        told = [opened, sealed, {**sealed, "kind": "unsealed", "data": data, "key": "o"}]
        like = [
            honest()[0]._replace(stream=table, topic=f"{b['kind']}@1", body=canonical(b))
            for b in told[1:]
        ]
        report = verify(table, rechained([bench.store.read(table)[0], *like]))
        found = [wrong(each) for each in report.problems]
        assert found == ([problem] if problem else [])


@pytest.mark.parametrize("instead", [(), ("A invoke EB1",)])
def test_a_note_from_a_hidden_position_is_of_nobody_who_may_not_see_it(
    instead: tuple[str, ...],
) -> None:
    bench, table = declared_cards("hand")
    annotate(bench, table, 2, Annotation("so", instead=instead), by=By(JUDGE))
    *rows, note = bench.store.read(table)
    for role, hidden in (("seat:A", False), ("seat:B", True)):
        body = {**json.loads(note.body), "role": role}
        report = verify(table, rechained([*rows, note._replace(body=canonical(body))]))
        found = [wrong(each) for each in report.problems]
        assert found == (["engine needs_judge_view"] if hidden and instead else [])


def test_a_record_of_today_is_not_begun_under_the_wider_laws_of_old() -> None:
    bench = make_bench()
    table = open_game(bench, "benevolent", "table A=blue B=red first A").game.id
    (row,) = bench.store.read(table)
    body = json.loads(row.body)
    body["schema"] = 1
    rows = rechained([row._replace(topic="opened@1", body=canonical(body))])
    assert [problem.key for problem in verify(table, rows).problems] == ["unlawful"]
    body["data"]["engine_version"] = "1.0"
    rows = rechained([row._replace(topic="opened@1", body=canonical(body))])
    assert verify(table, rows).ok


@pytest.mark.parametrize(
    ("game", "line", "unknown"),
    [
        ("benevolent", "A=zz B=red first A", ["zz"]),
        ("benevolent", "A=blue B=rouge first A", []),
        ("broom_service", "A=zz B=red first A side front", ["zz"]),
        ("roundforest", "A=zz@a1 B=red@e5 first A", ["zz"]),
        ("bethel_woods", "A B first A", []),
    ],
)
def test_what_colour_nobody_knows_is_not_proven(game: str, line: str, unknown: list[str]) -> None:
    bench = make_bench()
    opened = open_game(bench, game, f"table {line}").game  # type: ignore[union-attr]
    report = verify(opened.id, bench.store.read(opened.id))
    assert report.ok
    said = [facts["colours"] for what, facts in report.unproven if what == "colours"]
    assert said == ([tuple(unknown)] if unknown else [])
    if game == "roundforest":
        declare_kit(bench, opened.id, "colours", ["zz", "red", "yellow", "green"], "ours")
        report = verify(opened.id, bench.store.read(opened.id))
        assert not [what for what, _ in report.unproven if what == "colours"]
