"""The fields of a position are called by words, in the language of whoever changes one."""

from __future__ import annotations

import re
from functools import partial

import pytest

from answers.i18n import Voice
from answers.play import declared_positions
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.registry import load_engine
from service.pages.situations import FormField, _fields
from tests.cli.test_french import GAMES


def fields(game: str, lang: Language) -> list[FormField]:
    named = partial(declared_positions.field_name, Voice(lang), game)
    moments = declared_positions.moments(game, 6)
    positions = [declared_positions.at_moment(game, each)["position"] for each in moments]
    return [field for each in positions for field in _fields(each, "position", named)]


@pytest.mark.parametrize("game", GAMES)
def test_every_field_has_a_name_in_words(game: str) -> None:
    words = load_engine(game).words
    told = {lang: fields(game, lang) for lang in LANGUAGES}
    assert told["en"]
    for each in (*told["en"], *told["fr"]):
        assert "_" not in each.label
        for name in filter(re.compile(r"[a-z_]{4,}").fullmatch, each.path.split(".")[1:]):
            known = (f"field.{name}", f"fact.{name}", f"term.{name}")
            assert any(key in words for key in known), name
