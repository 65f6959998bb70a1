"""The runner of cases says no when it should, and why."""

from __future__ import annotations

import pytest

from engines.kernel.registry import load_engine
from referee.cases.case_file import CaseError, read_cases
from referee.cases.coverage import Coverage
from referee.cases.runner import CaseRun, run_case
from tests.speaking import said

CLAIMS = """
table A B
A boast red -> undecided TOY-BOAST-1
B boast blue -> undecided
A bid 1; B bid 2
"""


def run(engine, lines: str, head: str = "") -> CaseRun:
    file = read_cases(f'game = "x"\n[[case]]\nname = "a case"\n{head}\nlines = """\n{lines}\n"""')
    return run_case(engine, file, file.case[0])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("take 2 -> illegal PEB-TAKE-1", "“take 2”: expected illegal PEB-TAKE-1, got legal"),
        ("take 4", "“take 4”: expected legal, got illegal PEB-TAKE-1 pebbles=4"),
        ("take 4 -> illegal PEB-TAKE-3", "“take 4”: expected illegal PEB-TAKE-3, cited PEB-TAKE-1"),
        ("take 4 -> illegal PEB-TAKE-1 PEB-TAKE-2", "cited PEB-TAKE-1"),
        ("take 4 -> stands PEB-TAKE-1 PEB-TAKE-3", "broken: PEB-TAKE-1"),
        ("take 2 -> stands PEB-TAKE-1", "got legal"),
        ("take 2 -> undecided PEB-TAKE-1", "got legal"),
        ("take 2 -> legal PEB-END-1", "did not apply PEB-END-1"),
        ("take 2 -> legal without PEB-END-9", "PEB-END-9"),
        ("take 2 -> legal without", "cannot understand the expectation 'legal without'"),
        ("take 2 -> legal without without", "cannot understand the expectation"),
        ("take 2 -> form", "got something that can be read"),
        ("tkae 2", "got form unknown_verb"),
        ("tkae 2 -> form usage", "expected form usage, got form unknown_verb"),
        ("take 2 -> fine", "cannot understand the expectation 'fine'"),
        ("take 2 -> legal proves", "cannot understand the expectation 'legal proves'"),
        ("take 2 -> legal proves PEB-AUDIT-1 #x", "cannot understand the expectation"),
        ("audit heap 12 -> legal proves PEB-AUDIT-1", "findings: none"),
        ("audit heap 11 -> legal clears PEB-AUDIT-1", "findings: broken PEB-AUDIT-1 []"),
        ("take 4; take 1", "log, “take 4”: refused by PEB-TAKE-1"),
        ("= heap 11", "heap: expected 11, found 12"),
        ("= heap.size 11", "heap.size: nothing is called size there"),
        ("= haep 12", "haep: nothing is called haep there"),
        ("= taken.C 0", "taken.C: nothing is called C there"),
        ("= won A", "won: expected 'A', found 'nobody'"),
        ("audit heap 11", "findings: broken PEB-AUDIT-1 []"),
        ("= to_act B", "to_act: expected 'B', found 'A'"),
        ("? take 1; take 2", "options: missing none; not expected take 3"),
        ("? take 1; take 2; take 3; take 4", "options: missing take 4; not expected none"),
    ],
)
def test_a_wrong_expectation_is_a_problem(pebbles, line: str, problem: str) -> None:
    problems = run(pebbles, f"table A B first A\n{line}").problems
    assert len(problems) == 1
    assert problem in said(problems[0])


def test_whoever_has_won_is_named(pebbles) -> None:
    last = 'log = "table A B first A"\nposition = { heap = 3, taken = { A = 9 }, next = "B" }'
    assert run(pebbles, "= won nobody\ntake 3\n= won B", last).passed


def test_there_is_none_of_what_is_not_there() -> None:
    engine = load_engine("benevolent")
    lines = "table A=blue B=red first A\n= players.A.gifts.statuette 0\n= players.A.gifts.size 1"
    assert run(engine, lines).passed
    assert not run(engine, "table A=blue B=red first A\n= players.A.gifts.statue 0").passed


def test_an_effect_happens_or_does_not(pebbles) -> None:
    last = 'log = "table A B first A"\nposition = { heap = 3, taken = { A = 9 }, next = "B" }'
    assert run(pebbles, "take 1 -> legal PEB-TAKE-1 without PEB-END-1", last).passed
    assert run(pebbles, "take 3 -> legal PEB-END-1", last).passed
    (problem,) = run(pebbles, "take 3 -> legal without PEB-END-1", last).problems
    assert said(problem).endswith("applied PEB-END-1")


@pytest.mark.parametrize("line", ["take 1", "= heap 12", "? take 1"])
def test_nothing_comes_before_the_table(pebbles, line: str) -> None:
    assert "the first line opens the table" in said(run(pebbles, line).problems[0])


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ('shows = ["PEB-TAKE-9"]', "there is no clause PEB-TAKE-9"),
        ('readings = { last_pebble = "loses" }', "comes out the same without this reading"),
        ('readings = { last_pebble = "draws" }', "has no value “draws”"),
        ('house_rules = ["PEB-TAKE-9"]', "there is no clause PEB-TAKE-9"),
        ("kit = { hepa = 3 }", "the box has no detail hepa"),
        ('kit = { heap = "many" }', "kit, heap"),
        ("position = { heap = 3 }", "cannot be read: next"),
        ('position = { heap = 3, next = "A" }', "position refused by PEB-KIT-2 heap=3"),
    ],
)
def test_a_wrong_start_is_a_problem(pebbles, head: str, problem: str) -> None:
    problems = run(pebbles, "take 1", f'log = "table A B first A"\n{head}').problems
    assert problem in said(problems[0])


@pytest.mark.parametrize(
    ("expected", "passes"),
    [
        ("legal proves TOY-BOAST-1 #1 clears TOY-BOAST-1 #2", True),
        ("legal clears TOY-BOAST-1 proves TOY-BOAST-1", True),
        ("legal proves TOY-BOAST-1 1 clears TOY-BOAST-1", True),
        ("legal proves TOY-BOAST-1 1", False),
        ("legal", False),
        ("legal proves TOY-BOAST-1 #2", False),
        ("legal clears TOY-BOAST-1 #1 #2", False),
        ("legal proves TOY-BID-1", False),
        ("undecided", False),
    ],
)
def test_findings_name_clause_and_entries(toy, expected: str, passes: bool) -> None:
    assert run(toy, f"{CLAIMS}\nturn blue -> {expected}").passed is passes


def test_claims_are_named(toy) -> None:
    assert run(toy, CLAIMS).passed
    assert not run(toy, "table A B\nA boast red -> undecided TOY-BID-1").passed


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("game = ", "a.toml: the TOML ends too early"),
        ('game = "x"', "a.toml: case: this is missing"),
        ('name = "x"', "a.toml: game, case: this is missing"),
        (
            'game = "x"\n[[case]]\nname = "n"\nlines = ""\nline = ""',
            "case.0.line: unknown field",
        ),
        ('game = "x"\n[[case]]\nname = "n"\nlines = ""\ngiven = "g"', "there is no [given.g]"),
        ('game = "x"\n[[case]]\nname = "\\u001b[2J"\nlines = ""', "control character U+001B"),
        ('game = "x"\n[[case]]\nname = "n"\nlines = ""\nkit = { heap = 1979-05-27 }', "case.0.kit"),
        ("x = " + "[" * 100_000, "a.toml: "),
    ],
)
def test_a_file_that_holds_no_cases_is_refused(text: str, problem: str) -> None:
    with pytest.raises(CaseError) as caught:
        read_cases(text, "a.toml")
    assert problem in said(caught.value.phrase)


def test_coverage_names_what_each_clause_and_reading_lacks(pebbles) -> None:
    coverage = Coverage(pebbles)
    coverage.add([run(pebbles, "table A B first A\ntake 4 -> illegal PEB-TAKE-1")])
    assert {name: said(lack) for name, lack in coverage.missing.items()} == {
        "PEB-KIT-1": "no case breaks it",
        "PEB-KIT-2": "no case breaks it",
        "PEB-SETUP-1": "no case breaks it",
        "PEB-SETUP-2": "no case breaks it",
        "PEB-TURN-1": "no case breaks it",
        "PEB-TAKE-1": "no case beside it is legal",
        "PEB-TAKE-2": "no case breaks it",
        "PEB-TAKE-3": "no case breaks it",
        "PEB-END-1": "no case shows it",
        "PEB-END-2": "no case breaks it",
        "PEB-AUDIT-1": "no case settles it",
        "last_pebble=loses": "no case comes out differently under it",
    }
    assert said(coverage.summary()) == (
        "pebbles: 0 of 11 clauses proven, 0 unchecked; 0 of 1 other readings"
    )
