"""Bent rules and effects: what the tests of the tutorial game notice, and what they would miss."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from engines.broom_service.rules.roles import gather
from engines.kernel import Hearing
from engines.kernel.registry import load_engine
from referee.game_check.bent_rules import Fate, Trial
from tests.mutants import ledger
from tests.mutants.__main__ import main
from tests.mutants.effects import Effects
from tests.mutants.program import AREAS, ROOT
from tests.mutants.trial import EffectTrial
from tests.test_cases import files_of, games, read


def trial_of_pebbles() -> Trial:
    return Trial(load_engine("pebbles"), [read(path) for path in files_of("pebbles")])


def survivors(trial: Trial) -> list[Fate]:
    return [fate for fate in map(trial.fate, trial.mutants) if fate.survived]


def test_no_rule_of_the_tutorial_can_be_bent_unnoticed() -> None:
    trial = trial_of_pebbles()
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
        for fate in survivors(Trial(load_engine("pebbles"), files))
    }
    assert (clause, meaning) in found
    assert ("PEB-TAKE-1", "never broken") not in found


def test_the_rules_are_straight_again_afterwards() -> None:
    honest = Hearing.__call__, Hearing.effect, Hearing.proves
    survivors(trial_of_pebbles())
    assert (Hearing.__call__, Hearing.effect, Hearing.proves) == honest


# effects


@pytest.fixture(scope="module")
def trial() -> EffectTrial:
    gc.freeze()  # as after the tests of a service
    return EffectTrial("pebbles")


@pytest.mark.parametrize(
    "change",
    [
        "state.heap - got → state.heap + got",
        "taken=mine → evolve(… without it)",
        "state.heap == 0 or stuck → state.heap == 0",
        "rule.reading('last_pebble') == 'wins' → rule.reading('last_pebble') != 'wins'",
        "Duty('turn', other) → Agenda().push(… without it)",
        "min(action.pebbles, state.heap) → max(action.pebbles, state.heap)",
    ],
)
def test_what_an_effect_does_is_bent_and_noticed(trial: EffectTrial, change: str) -> None:
    (effect,) = [one for one in trial.effects.edits if one.change == change]
    assert effect.function == "take"
    assert trial.fate(effect).noticed_by


def test_an_effect_survives_whose_witnesses_are_left_out(
    trial: EffectTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    effect = next(one for one in trial.effects.edits if "winner=wins" in one.change)
    assert trial.fate(effect).noticed_by
    monkeypatch.setattr(trial, "reached", {})
    assert trial.fate(effect).survived


def test_the_effects_are_straight_again_afterwards(trial: EffectTrial) -> None:
    honest = [one.real.__code__ for one in trial.effects.sources]
    for effect in trial.effects.edits:
        with trial.effects.bent(effect):
            assert [one.real.__code__ for one in trial.effects.sources] != honest
        assert [one.real.__code__ for one in trial.effects.sources] == honest


def test_what_a_decorator_has_wrapped_is_bent_as_well() -> None:
    effects = Effects(load_engine("broom_service"))
    inside = [effect for effect in effects.edits if effect.function == "in_own_action"]
    honest = gather.__code__
    for effect in inside:
        with effects.bent(effect):
            assert gather.__code__ != honest
        assert gather.__code__ == honest
    assert inside


def test_no_effect_is_named_twice(trial: EffectTrial) -> None:
    assert len({str(effect) for effect in trial.effects.edits}) == len(trial.effects.edits)


# the report and what is kept of it


def test_the_report_is_data_or_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pebbles", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "pebbles: 12 sites" in told
    assert "0 not noticed, 2 reviewed" in told
    lines = Path(str(import_module("pebbles").__file__)).read_text("utf-8").splitlines()
    (line,) = (number for number, text in enumerate(lines, 1) if '"PEB-TAKE-2"' in text)
    site = f"__init__.py:{line}"
    assert main(["pebbles", "--jobs", "1", "--json", "--sites", site]) == 0
    fates = json.loads(capsys.readouterr().out)["pebbles"]
    assert {fate["clause"] for fate in fates["rules"]} == {"PEB-TAKE-2"}
    assert {fate["bend"] for fate in fates["rules"]} == {"never", "always"}
    assert fates["effects"] == []


def test_the_game_of_the_tutorial_is_bent_outside_of_the_tests_too() -> None:
    asked = [sys.executable, "-m", "tests.mutants", "pebbles", "--sites", "nowhere.py:1"]
    assert subprocess.run(asked, cwd=ROOT, check=False).returncode == 0


def test_a_survivor_and_a_reason_that_is_gone_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "reviewed.toml").write_text('[pebbles]\n"rules.py f: a → b" = "gone"\n', "utf-8")
    monkeypatch.setattr(ledger, "HERE", tmp_path)
    assert main(["pebbles", "--jobs", "2", "--list"]) == 1
    told = capsys.readouterr().out
    assert "  __init__.py take: state.seats → [*state.seats][::-1]" in told
    assert "no longer so: rules.py f: a → b" in told


def test_the_list_speaks_of_games_and_areas_that_exist() -> None:
    assert ledger.named() <= {*games(), *AREAS}


_BEND_A_FUNCTION = """
import json, sys
from tests.mutants.effects import edits_of
from tests.mutants.program import Mutant, noticed, sources_of
(part,) = (p for p in sources_of(("referee/tournament",)) if p.name == "seat_letter")
mutants = [Mutant(part, *each) for each in edits_of(part)]
print(json.dumps([noticed(mutant, sys.argv[1:]) for mutant in mutants]))
"""


@pytest.mark.deep
@pytest.mark.parametrize(("asserted", "is_noticed"), [('== "B"', True), ("is not None", False)])
def test_a_bent_function_of_the_program_is_noticed_by_a_test_that_asks(
    tmp_path: Path, asserted: str, is_noticed: bool
) -> None:
    test = tmp_path / "test_letters.py"
    test.write_text(
        "from referee.tournament.events import seat_letter\n"
        f"def test_the_second_seat():\n    assert seat_letter(1) {asserted}\n",
        "utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-c", _BEND_A_FUNCTION, str(test)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout) == [is_noticed] * len(json.loads(ran.stdout)) != []
