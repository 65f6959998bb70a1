"""A refusal that rests on something assumed of the box says on what: “is it so on your table?”

Every datum that a club may be asked about is told otherwise, one at a time. Where that alone makes
a refused action legal, the refusal must have named such a datum.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from pydantic import ValidationError

from answers.rulebooks.boxes import meant_path, shown_path
from answers.verdict_text import doubts
from engines.kernel import Engine, KitSheet, ParseError, evolve
from engines.kernel.box.tour import Question, Tour, apart, spelled
from engines.kernel.registry import load_engine
from tests.deep import first
from tests.facts.refusals import Refusal, told_in_cases

GAMES = ("bethel_woods", "benevolent", "roundforest", "broom_service")
"""Nothing of Bloody Grove is assumed."""
MOST = 4000
"""So many other boxes are tried."""
BY_MANY = {
    "BRM-CLD-5": "its sentence says that it is judged by all clouds of the box",
    "BRM-SET-12": "how many clouds are placed is judged by all of them",
    "BTW-POS-1": "which parts of a position do not fit, its sentence says",
}
"""Refusals that rest on a whole part of the box, which no single question names."""


class Otherwise(NamedTuple):
    """A box that differs in one datum."""

    path: str
    sheet: KitSheet
    kit: Any


def others(engine: Engine[Any, Any], sheet: KitSheet) -> Iterator[Otherwise]:
    pages = Tour(engine.kit_model, engine.guide, sheet).pages
    questions = [question for page in pages for question in page.questions]
    rng, most = random.Random(7), MOST // len(questions)
    for question in questions:
        values = [*other_values(question)]
        for value in rng.sample(values, min(most, len(values))):
            try:
                stated = engine.kit_model.stated(sheet, shown_path(sheet, question.path), value)
                told = sheet.declare(*stated, "")
                yield Otherwise(question.path, told, engine.read_kit(told))
            except (ParseError, ValidationError):
                continue  # no box is like that


def other_values(question: Question) -> Iterator[Any]:
    if question.kind == "number":
        yield from (number for number in (0, 1, 2, 3, 5, 9) if number != question.value)
    elif question.kind == "one":
        yield from (choice for choice in question.choices if choice != question.value)
    elif question.kind == "several":
        now = apart(question)
        for choice in question.choices:
            changed = [one for one in now if one != choice] if choice in now else [*now, choice]
            yield spelled(question, changed)
    elif question.kind == "signs":
        now = apart(question)
        for at in range(len(now)):
            for choice in question.choices:
                yield spelled(question, [*now[:at], choice, *now[at + 1 :]])


def by_kind(game: str, sheet: KitSheet) -> dict[tuple[str, str | None], Refusal]:
    """One refusal for each sentence, at tables with the shipped box."""
    found: dict[tuple[str, str | None], Refusal] = {}
    for refusal in told_in_cases(game):
        is_usual = refusal.setting.sheet.content == sheet.content
        if refusal.state is not None and is_usual and refusal.point.clause not in BY_MANY:
            found.setdefault((refusal.point.clause, refusal.sentence), refusal)
    return found


@pytest.mark.parametrize("game", first(1, GAMES))
def test_a_refusal_that_one_assumed_datum_decides_names_one_that_does(game: str) -> None:
    engine = load_engine(game)
    sheet = engine.kit_sheet(None)
    boxes = [*others(engine, sheet)]
    assert boxes
    silent, named = {}, set()
    for kind, refusal in by_kind(game, sheet).items():
        setting, state, action = refusal.setting, refusal.state, refusal.action
        heard = engine.judge(setting, state, action, 1)
        if not heard.verdict.breaches:
            continue  # it was refused for when it came
        decisive = {
            other.path
            for other in boxes
            if is_legal(engine, evolve(setting, kit=other.kit, sheet=other.sheet), state, action)
        }
        told = [path for path, _ in doubts(engine, setting, state, heard.verdict, action)]
        asked = [meant_path(sheet, path) for path in told]
        if decisive and not any(covers(path, decisive) for path in asked):
            silent[kind] = (str(refusal), sorted(decisive)[:5])
        named |= {kind} if decisive else set()
    assert not silent
    assert named


def covers(path: str, decisive: set[str]) -> bool:
    return any(path == one or one.startswith(f"{path}.") for one in decisive)


def is_legal(engine: Engine[Any, Any], setting: Any, state: Any, action: Any) -> bool:
    try:
        return not engine.judge(setting, state, action, 1).verdict.breaches
    except (ParseError, KeyError):  # the table lies on another board
        return False
