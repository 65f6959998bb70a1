"""What ``verify`` says of records that another version of an engine wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.transcripts import run
from tests.record.later import published

AT_MOST_TWO = [("1 <= action.pebbles <= 3", "1 <= action.pebbles <= 2")]


@pytest.fixture
def record(newcomer: Path) -> Path:
    run("referee -q new pebbles A B first A")
    run('referee -q log "A take 2" "B take 3" "A take 1"')
    run("referee export record -o game.jsonl")
    return newcomer / "game.jsonl"


def shown(lang: str) -> list[str]:
    out, code = run(f"referee verify game.jsonl --lang {lang}")
    assert code == 0
    return [line.strip().replace("\u202f", " ") for line in out.splitlines()]


def test_differences_between_versions_are_told_in_both_languages(
    record: Path, tmp_path: Path
) -> None:
    with published(tmp_path) as publish:
        publish("1.1", rules=AT_MOST_TWO)
        english, french = shown("en"), shown("fr")
        answered = json.loads(run("referee verify game.jsonl --json")[0])["data"]["records"][0]
    assert english[3:5] == [
        "? replay: engine 1.1 judges one move differently from engine 1.0, which wrote the record",
        "– entry 2: #2 was legal under engine 1.0; engine 1.1 says illegal PEB-TAKE-1",
    ]
    assert english[5] == "✔ roles: every entry was made by someone allowed to"
    assert english[6].startswith("proven: 4 entries")
    assert english[7].startswith("not proven: 1 entry that an older version wrote")
    assert french[3:5] == [
        "? relecture : le moteur 1.1 juge 1 action autrement que le moteur 1.0, qui a écrit le"
        " registre",
        "– entrée 2 : #2 était légal sous le moteur 1.0 ; le moteur 1.1 dit illégal PEB-TAKE-1",
    ]
    assert answered["engine"] == {"recorded": "1.0", "today": "1.1", "age": "older"}
    assert [one["facts"]["number"] for one in answered["differences"]] == [2]
    assert answered["problems"] == []


def test_a_newer_record_is_said_not_to_prove_its_verdicts(record: Path, tmp_path: Path) -> None:
    with published(tmp_path) as publish:
        publish("0.9")
        english, french = shown("en"), shown("fr")
    assert english[3] == (
        "? replay: verdicts not compared, the record was written by engine 1.0 and this is 0.9"
    )
    assert english[4].startswith("proven: 4 entries")
    assert english[5].startswith("not proven: verdicts and results (engine 1.0); ")
    assert french[5].startswith("non prouvé : les verdicts et résultats (moteur 1.0) ; ")
