"""A refusal that rests on what we only believe about the box says so."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from engines.kernel import Point
from engines.kernel.dialogue.clause_text import because
from engines.kernel.registry import load_engine
from tests.cli.transcripts import run
from tests.test_cases import actions_of

CASES = Path(__file__).parents[1] / "cases" / "roundforest" / "log.toml"


@pytest.fixture
def three_swords_are_out(newcomer: Path) -> None:
    case = tomllib.loads(CASES.read_text("utf-8"))["case"][0]
    assert run("referee -q new roundforest A=red@a1 B=blue@e5 first A")[1] == 0
    position = shlex.quote(f"position {json.dumps(case['position'])}")
    out, code = run(f"referee -q log {position} 'A move c4; chip red'")
    assert code == 0, out


@pytest.mark.usefixtures("three_swords_are_out")
def test_the_datum_in_doubt_is_named_until_the_table_declares_it() -> None:
    out, code = run("referee log draw sword")
    assert code == 3
    assert "referee kit declare objects.count.sword VALUE" in out
    assert (
        "referee kit declare objects.count.sword VALEUR"
        in run("referee log draw sword --lang fr")[0]
    )
    assert "referee kit declare objects.count.sword" in run("referee why draw sword")[0]
    assert run("referee kit declare objects.count.sword 3 -m counted")[1] == 0
    out, code = run("referee log draw sword")
    assert (code, "kit declare" in out) == (3, False)
    assert run("referee kit declare objects.count.sword 4 -m 'counted again'")[1] == 0
    assert run("referee log draw sword")[1] == 0


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "; it was open before #7 turned the tile"),
        ("fr", "\u202f; il ne l’était pas avant que #7 tourne la tuile"),
    ],
)
def test_a_symbol_that_has_turned_away_is_told_with_the_action_that_turned_it(
    lang: str, said: str
) -> None:
    engine = load_engine("roundforest")
    facts = {"cell": "c3", "towards": "N", "face": "11/01/11/11"}
    plain = because(engine, Point("RND-MOVE-5", facts), lang)
    turned = because(engine, Point("RND-MOVE-5", {**facts, "open_before_rotation": 7}), lang)
    assert turned == plain + said


@pytest.mark.parametrize(("lang", "told"), [("en", "it is A’s turn"), ("fr", "c’est à A de jouer")])
def test_the_first_sentence_is_said_whose_facts_are_there(lang: str, told: str) -> None:
    engine = load_engine("bloody_grove")
    facts = {"seat": "B", "turn": "A", "token": None}
    waiting = because(engine, Point("GRV-SET-19", {**facts, "waiting": ["draw"]}), lang)
    assert because(engine, Point("GRV-SET-19", facts), lang) == told
    assert told not in waiting


@pytest.mark.usefixtures("newcomer")
def test_what_is_only_asked_proves_nothing_yet() -> None:
    """It may be mistyped: nobody is accused before it is recorded."""
    opening, *lines = actions_of("broom_service", "a first round of three players")
    assert run(f"referee -q new broom_service {opening.removeprefix('table ')}")[1] == 0
    until = [line for line in lines if not line.startswith("=")]
    until = until[: until.index(next(line for line in until if "B pw coward" in line))]
    later = ["B pw coward; B move 2 P3; C next; A next; B vd brave; C vd brave; A next"]
    for line in [*until, *later, "C deliver o t21 2"]:
        assert run(f"referee -q log {shlex.quote(line)}")[1] == 0, line
    assert "\n  if this happened, #" in run("referee check C lay fg")[0]
    assert "\n  si cela s’est passé, #" in run("referee --lang fr check C lay fg")[0]
    assert "\n  proven: #" in run("referee log C lay fg")[0]
