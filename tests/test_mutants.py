"""Bent rules and effects: what the tests of the tutorial game notice, and what they would miss."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from engines.kernel import Hearing
from tests.mutants import ledger
from tests.mutants.__main__ import main
from tests.mutants.rules import Fate, Trial, trial_of
from tests.mutants.trial import EffectTrial
from tests.test_cases import files_of, games, read


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


# effects


@pytest.fixture(scope="module")
def trial() -> EffectTrial:
    return EffectTrial("pebbles")


@pytest.fixture
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lists that a test may change."""
    for name in ("equivalent.toml", "survivors.toml", "proven.toml", "tried.toml"):
        (tmp_path / name).write_bytes((ledger.HERE / name).read_bytes())
    monkeypatch.setattr(ledger, "HERE", tmp_path)
    return tmp_path


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
    honest = [part.real.__code__ for part in trial.effects.parts]
    for effect in trial.effects.edits:
        with trial.effects.bent(effect):
            assert [part.real.__code__ for part in trial.effects.parts] != honest
        assert [part.real.__code__ for part in trial.effects.parts] == honest


def test_no_effect_is_named_twice(trial: EffectTrial) -> None:
    assert len({str(effect) for effect in trial.effects.edits}) == len(trial.effects.edits)


# the report and what is kept of it


def test_the_report_is_data_or_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pebbles", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "pebbles: 12 sites" in told
    assert "0 not noticed, of which 0 new" in told
    lines = Path(str(import_module("pebbles").__file__)).read_text("utf-8").splitlines()
    (line,) = (number for number, text in enumerate(lines, 1) if '"PEB-TAKE-2"' in text)
    site = f"__init__.py:{line}"
    assert main(["pebbles", "--jobs", "1", "--json", "--sites", site]) == 0
    fates = json.loads(capsys.readouterr().out)["pebbles"]
    assert {fate["clause"] for fate in fates["rules"]} == {"PEB-TAKE-2"}
    assert {fate["bend"] for fate in fates["rules"]} == {"never", "always"}
    assert fates["effects"] == []


def test_what_is_new_or_no_longer_so_fails(
    own_ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_ledger / "survivors.toml").write_text("pebbles = []\n")
    (own_ledger / "equivalent.toml").write_text('[pebbles]\n"rules.py f: a → b" = "gone"\n')
    assert main(["pebbles", "--jobs", "2", "--write"]) == 1
    told = capsys.readouterr().out
    assert "new: __init__.py take: state.seats → [*state.seats][::-1]" in told
    assert "no longer so: rules.py f: a → b" in told
    assert ledger.survivors("pebbles") == set(), "the list may not become longer"
    assert not ledger.is_proven("pebbles")


def test_a_game_is_tried_again_when_its_files_have_changed(
    own_ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger.prove("pebbles")
    assert main(["pebbles", "--changed"]) == 0
    assert capsys.readouterr().out == ""
    (own_ledger / "survivors.toml").write_text('pebbles = ["one that nobody noticed"]')
    (own_ledger / "tried.toml").write_text("")
    assert main(["pebbles", "--changed", "--jobs", "1"]) == 1
    assert "no longer so: one that nobody noticed" in capsys.readouterr().out


def test_the_list_of_survivors_is_begun_once_and_then_only_becomes_shorter(
    own_ledger: Path,
) -> None:
    (own_ledger / "survivors.toml").write_text("")
    ledger.keep("pebbles", {"a", "b"})
    ledger.keep("pebbles", {"a", "b", "c"})
    assert ledger.survivors("pebbles") == {"a", "b"}
    ledger.keep("pebbles", {"c"})
    assert ledger.survivors("pebbles") == {"c"}


def test_the_lists_speak_of_games_that_exist() -> None:
    for name in ("equivalent.toml", "survivors.toml", "proven.toml", "tried.toml"):
        assert ledger.named(name) <= set(games()), name
