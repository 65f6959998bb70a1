"""Bent rules: what the cases of the tutorial game notice, and what they would miss."""

from __future__ import annotations

import json

import pytest

from engines.kernel import Hearing
from tests.mutants import Fate, Trial, main, trial_of
from tests.test_cases import files_of, read


def survivors(trial: Trial) -> list[Fate]:
    return [fate for fate in map(trial.fate, trial.mutants) if fate.survived]


def test_no_rule_of_the_tutorial_can_be_bent_unnoticed() -> None:
    trial = trial_of("pebbles")
    assert {mutant.site.clause for mutant in trial.mutants} == set(trial.engine.clauses)
    assert survivors(trial) == []


@pytest.mark.parametrize(
    ("clause", "meaning", "tell_tales"),
    [
        ("PEB-TAKE-2", "never broken", ["PEB-TAKE-2", "?"]),
        ("PEB-KIT-2", "never broken", ["PEB-KIT-2"]),
        ("PEB-END-1", "never happens", ["PEB-END-1", "winner", "nobody", "PEB-END-2"]),
    ],
)
def test_a_rule_whose_cases_are_left_out_survives(
    clause: str, meaning: str, tell_tales: list[str]
) -> None:
    files = []
    for file in map(read, files_of("pebbles")):
        silent = [case for case in file.case if not any(tale in case.lines for tale in tell_tales)]
        files.append(file.model_copy(update={"case": tuple(silent)}))
    found = {
        (fate.mutant.site.clause, fate.mutant.meaning)
        for fate in survivors(Trial("pebbles", files))
    }
    assert (clause, meaning) in found
    assert ("PEB-TAKE-1", "never broken") not in found


def test_the_rules_are_straight_again_afterwards() -> None:
    honest = Hearing.__call__, Hearing.effect, Hearing.proves
    survivors(trial_of("pebbles"))
    assert (Hearing.__call__, Hearing.effect, Hearing.proves) == honest


def test_the_report_is_data_or_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pebbles"]) == 0
    assert "pebbles: 12 sites" in capsys.readouterr().out
    assert main(["pebbles", "--json"]) == 0
    fates = json.loads(capsys.readouterr().out)["pebbles"]
    site = next(
        f"{fate['file']}:{fate['line']}" for fate in fates if fate["clause"] == "PEB-TAKE-3"
    )
    assert main(["pebbles", "--sites", site, "--json"]) == 0
    only = json.loads(capsys.readouterr().out)["pebbles"]
    assert {fate["clause"] for fate in only} == {"PEB-TAKE-3"}
    assert {fate["bend"] for fate in only} == {"never", "always"}
