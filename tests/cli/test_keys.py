"""Every command that records something can be given again with its key."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.test_answers import SETUP
from tests.cli.transcripts import run

NEW = "referee new benevolent A=blue B=red first A -p A=Ana"
TABLE = f"""
{NEW}
referee log {SETUP}
referee undo
referee redo
referee correct 5 "B step c1"
referee log --stands step a3
referee adjust players.A.leaves=4 -m lost
referee kit declare leaves.count 65 -m counted
referee dispute open 5 -m hm --by B
referee dispute close d2
referee hold -m tea
referee resume
referee clock 20
referee note add 3 bold
referee note remove n1
referee ruling issue --number 5 -m fine --as Jo:judge
referee penalty add A warning -m slow --as Jo:judge
referee penalty cancel x1 -m no --as Jo:judge
referee secret seal A plan two steps
referee secret open s1
referee finish -m supper --yes
referee reopen -m on --as Jo:judge
""".strip().splitlines()


def answer(line: str) -> dict:
    out, code = run(f"{line} --json")
    assert code == 0, (line, out)
    data: dict = json.loads(out)
    return data


def entries() -> int:
    return len(answer("referee moves --all")["data"]["moves"])


def test_whatever_is_given_again_is_answered_and_recorded_once(newcomer: Path) -> None:
    for number, line in enumerate(TABLE):
        keyed = f"{line} --key tablet-{number}"
        first = answer(keyed)
        size = entries()
        again = answer(keyed)
        assert again["ok"] == first["ok"]
        assert entries() == size, line
    assert len(answer("referee games")["data"]["games"]) == 1


def test_a_key_stands_for_one_command(newcomer: Path) -> None:
    run(NEW)
    answer("referee hold --key k")
    out, code = run("referee resume --key k --json")
    assert (code, json.loads(out)["error"]["code"]) == (5, "key_reused")
    answer("referee resume --key l")


@pytest.mark.parametrize("key", ["", "two words", "a.b", "x" * 101, "é"])
def test_a_key_is_a_plain_word(newcomer: Path, key: str) -> None:
    run(NEW)
    out, code = run(f"referee hold --key {shlex.quote(key)} --json")
    assert (code, json.loads(out)["error"]["code"]) == (2, "bad_key")
