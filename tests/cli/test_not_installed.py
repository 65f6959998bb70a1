"""A record outlives the game that wrote it: it is exported, verified, and says what it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game_check.template import new_game
from tests.cli.transcripts import run
from tests.tutorial import installed


@pytest.fixture
def orphan(newcomer: Path, tmp_path: Path) -> str:
    """A record whose game was taken away."""
    with installed("counters", tmp_path / "plug_in", new_game("counters")):
        run("referee new counters A B first A")
        run("referee log A take 2")
        out, code = run("referee export record -o before.jsonl")
        assert code == 0, out
    return (newcomer / "before.jsonl").read_text("utf-8")


def test_it_is_named_by_what_wrote_it(orphan: str) -> None:
    for line in ("state", "moves", "log A take 1", "export md -o x.md"):
        out, code = run(f"referee {line}")
        assert code == 4, out
        assert "“counters” 1.0" in out
        assert "referee-counters" in out
    assert "n’est pas installé" in run("referee --lang fr state")[0]


def test_its_record_is_exported_byte_for_byte(orphan: str, newcomer: Path) -> None:
    out, code = run("referee export record -o after.jsonl")
    assert code == 0, out
    assert (newcomer / "after.jsonl").read_text("utf-8") == orphan
    out, code = run("referee export record -o seat.jsonl --as Bo:seat:B")
    assert code != 0, "what is hidden from a seat only the game knows"


def test_its_form_and_chain_are_verified_and_its_verdicts_left_open(
    orphan: str, newcomer: Path
) -> None:
    for what in ("", "before.jsonl", "--all"):
        out, code = run(f"referee verify {what}")
        assert code == 0, out
        assert "referee-counters" in out
        assert "verdicts and results (engine 1.0)" in out
    forged = orphan.replace('"edition":"first"', '"edition":"other"')
    assert forged != orphan
    (newcomer / "forged.jsonl").write_text(forged, "utf-8")
    out, code = run("referee verify forged.jsonl")
    assert code == 6, out


def test_it_is_taken_in_by_nobody(orphan: str) -> None:
    out, code = run("referee --store memory: import before.jsonl")
    assert code != 0
    assert "referee-counters" in out
