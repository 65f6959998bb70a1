"""The result card: the winner by name, everybody's place, and the final position."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.play.opening import open_table
from answers.review.import_export import ExportOptions, export
from referee.table.play import log
from replays.gallery import sample, samples

NAMES = {"A": "Ana <&>", "B": "Bo", "C": "Cléo", "D": "Dana"}
TEXT = "{http://www.w3.org/2000/svg}text"


def card(engine: str, lang: Any, part: float = 1) -> ElementTree.Element:
    """The card of a sample game, or of the beginning of it."""
    recorded = sample(engine)
    opening, *steps = [step for step in recorded.steps if step.action is not None]
    caller = Caller(open_store_context("memory:"), voice=Voice(lang))
    names = {seat: NAMES[seat] for seat in recorded.setting.seats}
    line = recorded.engine.text(opening.action)
    game = open_table(caller, engine, line, players=names).data.game
    for step in steps[: int(len(steps) * part)]:
        text = recorded.engine.text(step.action)
        log(caller.store_context.bench, game, text, stands=step.item.stands)
    made = export(caller, game, "card_svg", ExportOptions(names=True))
    assert made.name.endswith(".card.svg")
    return ElementTree.fromstring(made.content)


def texts(drawn: ElementTree.Element) -> list[str]:
    return ["".join(one.itertext()) for one in drawn.iter(TEXT)]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("engine", samples())
def test_a_card_says_who_won_by_name_and_who_played(engine: str, lang: str) -> None:
    result = sample(engine).engine.result(sample(engine).state)
    assert result is not None
    said = texts(card(engine, lang))
    assert all(NAMES[seat] in said for seat in sample(engine).setting.seats)
    if result.won is None:
        winner = NAMES[result.places[0][0]]
        assert f"{winner} {'wins' if lang == 'en' else 'gagne'}" in said
    assert all(str(points) in said for points in result.scores.values())
    assert not any(result.clause in line for line in said)


def test_the_card_of_a_game_that_is_not_over_names_nobody_a_winner() -> None:
    said = texts(card("broom_service", "en", 0.5))
    assert "Not finished" in said
    assert not any("wins" in line for line in said)


def test_a_card_is_a_picture_for_other_apps() -> None:
    pytest.importorskip("resvg_py")
    caller = Caller(open_store_context("memory:"))
    game = open_table(caller, "benevolent", "A=blue B=red first A").data.game
    made = export(caller, game, "card", ExportOptions(names=True))
    assert made.content.startswith(b"\x89PNG")
    assert made.media == "image/png"
