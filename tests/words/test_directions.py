"""Names in any script: what runs from right to left is set apart from the words around it."""

from __future__ import annotations

import pytest

from engines.kernel.messages.catalogue import END, ISOLATE, LANGUAGES, isolated
from engines.kernel.registry import load_engine
from replays.gallery import sample, samples

NAMES = {"A": "נועה", "B": "ليلى", "C": "Zoé", "D": "Лев", "E": "李雷"}
RIGHT_TO_LEFT = ("A", "B")


@pytest.mark.parametrize("engine", samples())
def test_every_sentence_of_a_game_isolates_the_names_in_it(engine: str) -> None:
    game, found = load_engine(engine), 0
    for step in sample(engine).steps:
        if step.action is None:
            continue
        for lang in LANGUAGES:
            told = game.text.tell(step.action, lang, NAMES)
            for seat, name in NAMES.items():
                apart = f"{ISOLATE}{name}{END}"
                assert told.count(name) == told.count(apart) or seat not in RIGHT_TO_LEFT, told
                assert seat in RIGHT_TO_LEFT or apart not in told
                found += apart in told
    assert found > 20


@pytest.mark.parametrize("text", ["", "Ana", "Zoé", "李雷", "A=red@a1", "−3"])
def test_what_runs_from_left_to_right_stays_as_it_is(text: str) -> None:
    assert isolated(text) == text


def test_a_name_is_set_apart_once() -> None:
    assert isolated(isolated("נועה Ana")) == f"{ISOLATE}נועה Ana{END}"
