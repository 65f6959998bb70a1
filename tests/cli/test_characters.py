"""What nobody can see is not recorded; what steers a terminal is not shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.kernel.messages.unsafe_text import code_of, harmful_in
from tests.cli.transcripts import run

UNSEEN = ["\u200b", "\u00ad", "\u200f", "\u061c", "\ufeff", "\u2060", "\u3164", "\U000e0041"]


@pytest.mark.parametrize("sign", UNSEEN, ids=code_of)
def test_nothing_new_is_recorded_with_what_nobody_can_see(newcomer: Path, sign: str) -> None:
    run("referee -q new pebbles A B first A")
    for line in (
        f"note add 0 'a{sign}b'",
        f"hold -m 'a{sign}b'",
        f"new pebbles A B first A --title x{sign}",
    ):
        out, code = run(f"referee {line} --json")
        assert (code, json.loads(out)["error"]["code"]) == (2, "unseen_character")


def test_joiners_and_typography_are_recorded(newcomer: Path) -> None:
    run("referee -q new pebbles A B first A")
    assert run("referee note add 0 'क्‍ष 👩‍👧 « très bien ! »'")[1] == 0


@pytest.mark.parametrize("sign", ["\x1b", "\x9b", "\u202e"], ids=code_of)
def test_names_of_files_are_told_and_not_shown(newcomer: Path, sign: str) -> None:
    run("referee -q new pebbles A B first A")
    name = f"x{sign}y"
    for line in (f"export record -o '{name}'", f"backup '{name}.db'", f"import 'no{name}'"):
        out, _ = run(f"referee {line}")
        assert harmful_in(out, allowed="\n") is None
        assert code_of(sign) in out
