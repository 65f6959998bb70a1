"""Where a rulebook contradicts itself the table is asked, and told what holds if it is silent."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from cli.session import Session
from tests.cli.transcripts import run

NEW = "referee new bethel_woods A B first A"

pytestmark = pytest.mark.usefixtures("newcomer")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "the rulebook contradicts itself"), ("fr", "le livret se contredit")]
)
def test_a_table_that_is_silent_hears_what_was_chosen_for_it(lang: str, said: str) -> None:
    out, code = run(f"{NEW} --lang {lang}")
    assert code == 0
    assert "divert_scope=own_first" in out
    assert "divert_direction=clockwise" in out
    assert said in out


def test_a_program_reads_what_was_chosen() -> None:
    out, _ = run(f"{NEW} --json")
    chosen = json.loads(out)["data"]["unchosen"]
    assert chosen == {"divert_scope": "own_first", "divert_direction": "clockwise"}


def test_a_table_that_has_chosen_is_not_told() -> None:
    readings = "--reading divert_scope=always_shift --reading divert_direction=clockwise"
    out, code = run(f"{NEW} {readings}")
    assert code == 0
    assert "divert" not in out


def test_a_person_at_a_terminal_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Session, "may_ask", True)
    answers = tmp_path / "answers"
    answers.write_text("2\n\n")
    out, code = run(f"{NEW} < {answers}")
    assert code == 0
    assert "2  always_shift" in out
    assert "contradicts itself there" not in out
    shown = run("referee info")[0]
    assert "divert_scope=always_shift" in shown


def test_a_number_that_was_not_offered_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Session, "may_ask", True)
    answers = tmp_path / "answers"
    answers.write_text("9\nboth\n2\n\n")
    out, code = run(f"{NEW} < {answers}")
    assert code == 0
    assert out.count("Type one of these numbers: 1") == 2
    assert "divert_scope=always_shift" in run("referee info")[0]


def test_what_a_diverted_token_rests_on_is_named() -> None:
    """Also where it is legal: the table may have meant the other reading."""
    file = Path(__file__).parents[1] / "cases" / "bethel_woods" / "tiles.toml"
    position = tomllib.loads(file.read_text("utf-8"))["given"]["divert"]["position"]
    assert run(f"referee -q {NEW.removeprefix('referee ')}")[1] == 0
    run("referee -q log 'A char nova; B char linny'")
    out, code = run("referee log " + shlex.quote(f"position {json.dumps(position)}"))
    assert code == 0, out
    out, code = run("referee log 'draw M5; draw M4'")
    assert code == 0, out
    assert "divert_scope=own_first" in out
    refused, code = run("referee check draw S5@5")
    assert code == 3
    assert "divert_scope=own_first" in refused
