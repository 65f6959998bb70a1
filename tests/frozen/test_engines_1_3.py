"""Records of engines 1.3 in which something was done twice or left out, and stood.

Today's engines fold them otherwise: each is proven, and what is judged otherwise is told.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frozen.test_0_1_0 import answer

FROZEN = Path(__file__).parent / "engines-1.3"
OTHERWISE: dict[str, list[tuple[int, str, str]]] = {
    "bethel_woods-ability": [(16, "illegal", "illegal")],  # it names the entry
    "bethel_woods-tokens": [],
    "bloody_grove-declared": [(1, "illegal", "illegal")],  # a named Spirit counts once
    "broom_service-event": [(5, "illegal", "legal")],
    "roundforest-blue": [],
    "roundforest-cards": [(7, "illegal", "legal")],
    "roundforest-yellow": [(6, "legal", "illegal")],
}
"""Of each record the numbers that were judged otherwise then, how, and how they are judged now."""


@pytest.mark.usefixtures("newcomer")
@pytest.mark.parametrize("file", sorted(FROZEN.glob("*.jsonl")), ids=lambda file: file.stem)
def test_a_record_of_an_earlier_engine_is_proven_and_what_differs_is_told(file: Path) -> None:
    (proven,) = answer(f"verify {file}")["records"]
    assert (proven["ok"], proven["problems"]) == (True, [])
    verdicts = [one["facts"] for one in proven["differences"] if one["check"] == "replay"]
    told = [(facts["number"], facts["recorded"], facts["today"]) for facts in verdicts]
    assert told == OTHERWISE[file.stem]
    answer(f"--store elsewhere.db import {file}")
    assert answer("--store elsewhere.db verify")["records"][0]["head"] == proven["head"]
