"""A judge decides: rulings, remedies, appeals, penalties, precedents, what-if."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engines.kernel import KitSheet, Opening, ParseError
from engines.kernel.registry import load_engine
from referee.archive.precedents import (
    Book,
    OwnRuling,
    book_of,
    check_book,
    read_book,
    read_book_file,
    relevant,
    take_over,
)
from referee.cases.case_file import read_cases
from referee.cases.runner import run_case
from referee.errors import Conflicting, NotFound, RefereeError, Unfit
from referee.judging.case_export import case_of_ruling
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, cancel_penalty, issue, penalise
from referee.judging.what_if import Other, what_if
from referee.record.entries import verdict_data
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import undo
from referee.table.lifecycle import close
from referee.table.openings import OpeningRefused, open_game
from referee.table.play import Heard, log
from referee.table.presets import check_preset
from referee.untrusted.safe_toml import write_toml
from replays.gallery import sample, samples
from tests.answers.conftest import SETUP
from tests.record.conftest import make_bench
from tests.speaking import said

MOMENTS = 6
STRAYS = 6


def heaps(bench: Bench, table: str) -> list[int]:
    return [step.state.heap for step in bench.game(table).steps]


@pytest.mark.parametrize(
    "numbers", [each for count in (1, 2, 3) for each in permutations((1, 2, 3), count)]
)
def test_taking_back_begins_at_the_first_action_that_a_ruling_is_about(
    bench: Bench, table: str, numbers: tuple[int, ...]
) -> None:
    """However it names them; the record itself carries it out."""
    decision = Decision("undo it", "taken_back", numbers=numbers)
    answer = issue(bench, table, decision, by=By(JUDGE))
    assert [entry.data.KIND for entry in answer.entries] == ["ruled", "taken_back"]
    assert heaps(bench, table) == [12, 10, 8, 7][: min(numbers)]


@pytest.mark.parametrize(
    "clauses", [*product(("PEB-TAKE-1", "PEB-TAKE-2", "PEB-GONE-1"), repeat=2)]
)
def test_every_clause_that_a_ruling_cites_is_one_of_the_game(
    bench: Bench, table: str, clauses: tuple[str, ...]
) -> None:
    decision = Decision("so", clauses=clauses, dispute="d1")
    if "PEB-GONE-1" in clauses:
        with pytest.raises(NotFound, match="no_such_clause"):
            issue(bench, table, decision, by=By(JUDGE))
    else:
        game = issue(bench, table, decision, by=By(JUDGE)).game
        assert game.rulings["r1"].clauses == tuple(dict.fromkeys(clauses))


def test_a_penalty_is_kept_and_can_be_cancelled_but_never_deleted(bench: Bench, table: str) -> None:
    decision = Decision("careless", "penalty", "d1", seat="B", level="warning")
    game = issue(bench, table, decision, by=By(JUDGE)).game
    assert game.penalties["x1"].ruling == "r1"
    cancel_penalty(bench, table, "x1", "wrong seat", by=By(JUDGE))
    game = bench.game(table)
    assert (game.penalties["x1"].seat, game.cancelled["x1"].reason) == ("B", "wrong seat")
    with pytest.raises(NotFound):
        cancel_penalty(bench, table, "x1", "again", by=By(JUDGE))
    with pytest.raises(NotFound):
        penalise(bench, table, "D", "warning", "nobody sits there", by=By(JUDGE))


def test_a_settled_dispute_is_only_decided_again_on_appeal_and_both_stay(
    bench: Bench, table: str
) -> None:
    issue(bench, table, Decision("stands", "stands", "d1"), by=By(JUDGE))
    with pytest.raises(Conflicting, match="settled"):
        issue(bench, table, Decision("no", "stands", "d1"), by=By(JUDGE))
    appeal = Decision("on appeal", "taken_back", "d1", overturns="r1", authority="head judge")
    game = issue(bench, table, appeal, by=By(JUDGE)).game
    assert list(game.rulings) == ["r1", "r2"]
    assert game.overturned == {"r1": "r2"}
    with pytest.raises(NotFound):
        issue(bench, table, Decision("again", overturns="r1"), by=By(JUDGE))


def test_a_ruling_may_fix_a_reading_from_here_on(bench: Bench, table: str) -> None:
    decision = Decision("read so", readings={"last_pebble": "loses"})
    game = issue(bench, table, decision, by=By(JUDGE)).game
    assert game.setting.readings["last_pebble"] == "loses"
    with pytest.raises(ParseError, match="unknown_reading"):
        issue(bench, table, Decision("?", readings={"nonsense": "x"}), by=By(JUDGE))


def test_a_closed_record_is_reopened_before_a_remedy_changes_its_line(
    bench: Bench, table: str
) -> None:
    close(bench, table, reason="supper")
    with pytest.raises(Conflicting, match="closed"):
        issue(bench, table, Decision("back", "taken_back", "d1"), by=By(JUDGE))
    issue(bench, table, Decision("so be it", "stands", "d1"), by=By(JUDGE))


def test_a_ruling_whose_reply_was_lost_is_not_made_twice(bench: Bench, table: str) -> None:
    penalty = Decision("careless", "penalty", "d1", seat="B", level="warning")
    for _ in range(2):
        answer = issue(bench, table, penalty, by=By(JUDGE, "from-a-phone"))
        assert [entry.data.KIND for entry in answer.entries] == ["ruled", "penalised"]
        penalise(bench, table, "A", "warning", "slow", by=By(JUDGE, "another"))
        cancel_penalty(bench, table, "x1", "no", by=By(JUDGE, "a-third"))
    game = bench.game(table)
    assert (list(game.rulings), list(game.penalties), list(game.cancelled)) == (
        ["r1"],
        ["x1", "x2"],
        ["x1"],
    )


# the book


def test_the_book_is_searched_by_game_clause_and_words(bench: Bench, table: str) -> None:
    issue(bench, table, Decision("noticed far too late", "stands", "d1"), by=By(JUDGE))
    found = read_book(bench.store, words="late")
    assert [(ruling.reference, source) for ruling, source in found] == [(f"{table}/r1", "")]
    assert found[0][0].clauses == ("PEB-TAKE-2",)
    assert read_book(bench.store, clause="PEB-TAKE-1") == []
    assert read_book(bench.store, game="benevolent") == []
    assert read_book(bench.store, words='late" OR 1=1 --') == []


def test_precedents_come_with_a_reason_the_nearest_first(bench: Bench, table: str) -> None:
    issue(bench, table, Decision("elsewhere", "stands", "d1"), by=By(JUDGE))
    other = open_game(bench, "pebbles", "table A B first A").game.id
    log(bench, other, "take 3")
    log(bench, other, "take 3", stands=True)
    issue(bench, other, Decision("here", "stands", "d1"), by=By(JUDGE))
    found = relevant(bench.store, "pebbles", ["PEB-TAKE-2"], {"pebbles": 2}, here=other)
    assert [(p.ruling.reason, p.why) for p in found] == [
        ("here", "same_game"),
        ("elsewhere", "same_facts"),
    ]


def test_overturned_rulings_say_so(bench: Bench, table: str) -> None:
    issue(bench, table, Decision("first", "stands", "d1"), by=By(JUDGE))
    issue(bench, table, Decision("second", "stands", "d1", overturns="r1"), by=By(JUDGE))
    book = {ruling.reason: ruling for ruling, _ in read_book(bench.store)}
    assert book["first"].overturned_by == f"{table}/r2"


def test_books_travel_between_clubs(bench: Bench, table: str) -> None:
    issue(bench, table, Decision("too late", "stands", "d1"), by=By(Author("pjudge", "judge")))
    book = book_of(bench.store, "Thursday club")
    assert book.ruling[0].author == ""
    named = book_of(bench.store, "Thursday club", names={"pjudge": "Jo"})
    assert named.ruling[0].author == "Jo"
    ours, _ = read_book(bench.store)[0]
    assert isinstance(ours, OwnRuling)
    assert bench.game(table).disputes["d1"].numbers == (ours.number,)
    assert "number" not in named.model_dump(mode="json")["ruling"][0], "it says nothing elsewhere"
    elsewhere = make_bench()
    read = check_book(named.model_dump(mode="json"))
    assert take_over(elsewhere.store, read, author=SCRIBE) == 1
    assert take_over(elsewhere.store, read, author=SCRIBE) == 0
    ruling, source = read_book(elsewhere.store)[0]
    assert (ruling.reason, source) == ("too late", "Thursday club")
    assert book_of(elsewhere.store, "us").ruling == ()
    assert (ruling.line, ruling.facts) == ("B take 2", {"pebbles": 2})
    with pytest.raises(Unfit):
        check_book({"source": "x", "ruling": [{"reference": "a\x1b"}]})


def test_a_large_book_is_read_and_searched_whole(bench: Bench, table: str, tmp_path: Path) -> None:
    issue(bench, table, Decision("the one about pebbles", "stands", "d1"), by=By(JUDGE))
    (own,) = book_of(bench.store, "here").ruling
    others = [
        own.model_copy(update={"reference": f"x/r{i}", "game": "chess", "reason": "pebbles " * 40})
        for i in range(900)
    ]
    file = tmp_path / "book.toml"
    book = Book(source="a big club", ruling=tuple(others))
    file.write_text(write_toml(book.model_dump(mode="json")), "utf-8")
    assert take_over(bench.store, read_book_file(file), author=SCRIBE) == 900
    found = read_book(bench.store, game="pebbles", words="pebbles")
    assert [ruling.reason for ruling, _ in found] == ["the one about pebbles"]


def test_a_book_from_elsewhere_never_replaces_what_was_ruled_here(bench: Bench, table: str) -> None:
    issue(bench, table, Decision("ours", "stands", "d1"), by=By(JUDGE))
    theirs = book_of(bench.store, "another club")
    forged = theirs.ruling[0].model_copy(update={"reason": "theirs"})
    take_over(bench.store, theirs.model_copy(update={"ruling": (forged,)}), author=SCRIBE)
    issue(bench, table, Decision("on appeal", "stands", "d1", overturns="r1"), by=By(JUDGE))
    book = [
        (ruling.reason, source, ruling.overturned_by) for ruling, source in read_book(bench.store)
    ]
    assert sorted(book) == [
        ("on appeal", "", ""),
        ("ours", "", f"{table}/r2"),
        ("theirs", "another club", ""),
    ]
    assert [
        why for *_, why in relevant(bench.store, "pebbles", ["PEB-TAKE-2"], {}, here=table)
    ] == [
        "same_game",
        "same_game",
        "same_clause",
    ]


def test_a_ruling_becomes_a_case_that_guards_it(
    bench: Bench, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue(bench, table, Decision("back", "taken_back", "d1"), by=By(JUDGE))
    text = write_toml(case_of_ruling(bench.game(table), "r1"))
    file = read_cases(text)
    engine = load_engine("pebbles")
    assert run_case(engine, file, file.case[0]).problems == []
    wrong = read_cases(text.replace("PEB-TAKE-2", "PEB-TAKE-1"))
    assert run_case(engine, wrong, wrong.case[0]).problems != []
    monkeypatch.setattr(engine, "version", "99")
    later = case_of_ruling(bench.game(table), "r1")
    assert [given["engine"] for given in later["given"].values()] == ["1.0"]
    assert "engine" not in text


@pytest.mark.parametrize("name", samples())
def test_rulings_at_any_moment_of_any_game_become_cases_that_pass(bench: Bench, name: str) -> None:
    """Of actions that were legal, and of strays that stood and were taken back."""
    played, chance = sample(name), random.Random(name)
    lines = [played.engine.text(step.action) for step in played.steps if step.action is not None]
    table = open_game(bench, name, lines[0]).game.id
    moments = sorted(chance.sample(range(2, len(lines)), MOMENTS))
    ruled = 0
    for number, line in enumerate(lines[1:], start=1):
        log(bench, table, line)
        if number not in moments:
            continue
        dispute(bench, table, bench.game(table).last_number, text="really?")
        ruled += rules_into_a_case(bench, table)
        for stray in chance.sample(lines[1:], STRAYS):
            before = len(bench.game(table).steps)
            with suppress(RefereeError, ParseError):
                log(bench, table, stray, stands=True)
            if len(bench.game(table).steps) > before:
                ruled += rules_into_a_case(bench, table)
                undo(bench, table, by=By(JUDGE))
    assert ruled > MOMENTS


def rules_into_a_case(bench: Bench, table: str) -> int:
    open_now = bench.game(table).open_disputes()
    for one in open_now:
        issue(bench, table, Decision("so it is", "none", one.id), by=By(JUDGE))
        game = bench.game(table)
        file = read_cases(write_toml(case_of_ruling(game, list(game.rulings)[-1])))
        problems = run_case(game.engine, file, file.case[0]).problems
        assert [said(problem) for problem in problems] == [], file
    return len(open_now)


# what if


def test_what_if_names_where_verdicts_differ(bench: Bench, table: str) -> None:
    game = bench.game(table)
    same = what_if(game, Other())
    assert same == []
    lenient = what_if(game, Other(house_rules=["PEB-TAKE-2"]))
    assert [(d.number, d.before, d.after) for d in lenient] == [(2, "illegal", "legal")]
    small = what_if(game, Other(kit={"heap": 4}))
    assert (small[-1].number, small[-1].after, small[-1].clause) == (3, "refused", "PEB-END-2")
    assert what_if(game, Other(kit={"heap": 2}))[0].number == 0
    assert bench.game(table).steps == game.steps


class Kind(NamedTuple):
    """A game to judge otherwise: its lines, and what may hold there from the beginning."""

    opening: str
    lines: Sequence[str]
    readings: Sequence[dict[str, str]]
    house_rules: Sequence[Sequence[str]]
    kits: Sequence[dict[str, int]]
    fixed: dict[str, str]
    """By a ruling, when three lines are left."""


CONDITIONS = {
    "pebbles": Kind(
        "table A B first A",
        ["take 2", "take 2", "take 4", "take 3", "take 1"],
        [{}],
        [(), ("PEB-TAKE-2",), ("PEB-TAKE-1", "PEB-TAKE-2")],
        [{"heap": 7}],
        {"last_pebble": "loses"},
    ),
    "benevolent": Kind(
        "table A=blue B=red first A",
        [*SETUP, "A move c1 c1", "B gather", "A learn 2a", "B step a3"],
        [{}, {"turn_end": "silence"}, {"null_move": "allow"}],
        [(), ("BEN-ACT-2", "BEN-TABLE-2", "BEN-MOVE-7")],
        [{"gather.leaves": 3}, {"leaves.count": 60, "toll.per_grey": 1}],
        {"turn_end": "explicit"},
    ),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_what_if_judges_as_if_the_game_had_been_opened_so(bench: Bench, name: str) -> None:
    """What is not said is as it was; that there is none of something is said."""
    kind, engine, differed = CONDITIONS[name], load_engine(name), 0

    def opened(kit: Mapping[str, int], **more: Any) -> Heard | OpeningRefused:
        shipped = engine.read(kind.opening)
        assert isinstance(shipped, Opening)
        sheet = engine.kit_sheet(shipped.kit)
        sheet = KitSheet({**sheet.content, "kit": "own"})
        for path, value in kit.items():
            sheet = sheet.declare(*engine.stated(sheet, path, value), "the box")
        return open_game(bench, name, kind.opening, kit=sheet, **more)

    def fix(table: str, reading: dict[str, str]) -> None:
        issue(bench, table, Decision("so", readings=reading), by=By(JUDGE))

    for readings, house_rules in product(kind.readings, kind.house_rules):
        played = opened({}, readings=readings, house_rules=house_rules)
        assert isinstance(played, Heard)
        table = played.game.id
        for line in kind.lines:
            for one in engine.notation.split(line):
                log(bench, table, one, stands=True)
            if line == kind.lines[-4]:
                fix(table, kind.fixed)
        game = bench.game(table)
        others = [
            *(Other(*each) for each in product(kind.readings, (None, *kind.house_rules))),
            *(Other(kit=kit) for kit in kind.kits),
        ]
        for other in others:
            now = house_rules if other.house_rules is None else other.house_rules
            begun = opened(other.kit, readings={**readings, **other.readings}, house_rules=now)
            wanted: list[tuple[int | None, str, str, str | None]] = []
            if isinstance(begun, OpeningRefused):
                wanted.append((0, "legal", "refused", begun.verdict.clause))
            there = begun.game.id if isinstance(begun, Heard) else ""
            for step in game.steps[1:] if there else ():
                if step.item.reading is not None:
                    if step.item.reading[0] not in other.readings:
                        fix(there, kind.fixed)
                    continue
                assert step.action is not None
                heard = log(bench, there, engine.text(step.action), stands=step.item.stands)
                before, after = step.verdict, heard.verdict
                outcome = after.outcome if heard.accepted else "refused"
                if outcome == "refused" or verdict_data(before) != verdict_data(after):
                    clause = after.clause or before.clause
                    wanted.append((step.number, before.outcome, outcome, clause))
                if outcome == "refused":
                    break
            found = [(d.number, d.before, d.after, d.clause) for d in what_if(game, other)]
            assert found == wanted
            differed += bool(wanted)
    assert differed > 8


def test_what_if_counts_the_parts_of_a_box_as_people_do(bench: Bench) -> None:
    game = open_game(bench, "bethel_woods", "table A B first A").game
    icons = ["mechanical", "digital"]
    assert what_if(game, Other(kit={"machines.6.icons": icons}))[0].clause == "BTW-SET-4"
    with pytest.raises(ParseError, match="unknown_datum"):
        what_if(game, Other(kit={"machines.0.icons": icons}))


def test_presets_are_checked() -> None:
    preset = check_preset(
        {"game": "pebbles", "name": "club", "readings": {"last_pebble": "loses"}}, "club.toml"
    )
    assert preset.readings == {"last_pebble": "loses"}
    with pytest.raises(ParseError, match="unknown_reading"):
        check_preset({"game": "pebbles", "name": "club", "readings": {"nonsense": "x"}}, "c.toml")
    with pytest.raises(Unfit):
        check_preset({"game": "pebbles", "name": "club", "colour": "red"}, "club.toml")


def test_what_if_asks_another_engine(bench: Bench, table: str) -> None:
    """A later version that no longer minds taking as many as before."""
    today = load_engine("pebbles")
    later = copy(today)
    later.version = "2"
    later.setting = lambda opening, sheet=None, house_rules=(): today.setting(  # type: ignore[method-assign]
        opening, sheet, ["PEB-TAKE-2"]
    )
    found = what_if(bench.game(table), Other(engine=later))
    assert [(d.number, d.before, d.after) for d in found] == [(2, "illegal", "legal")]


def test_the_engine_of_another_game_understands_nothing(bench: Bench, table: str) -> None:
    with pytest.raises(ParseError):
        what_if(bench.game(table), Other(engine=load_engine("benevolent")))
