"""The fields of a position are called by words, in the language of whoever changes one."""

from __future__ import annotations

import re

import pytest

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.play import declared_positions, pieces
from answers.play.analysis import position_trial
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.registry import load_engine
from service.pages.situations import _SPACES, FormField, _fields
from service.problems import voice_in
from tests.cli.test_french import GAMES


def fields(game: str, lang: Language) -> list[FormField]:
    moments = declared_positions.moments(game, 3)
    positions = [declared_positions.at_moment(game, each) for each in moments]
    voice = voice_in(lang)
    return [one for each in positions for one in _fields(voice, game, each, pieces.Table(each))]


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


@pytest.mark.parametrize("game", GAMES)
def test_every_space_of_the_picture_is_called_in_words(game: str) -> None:
    """Whoever chooses a place instead of tapping it reads names."""
    caller = Caller(open_store_context("memory:"))
    for moment in declared_positions.moments(game, 3):
        data = declared_positions.at_moment(game, moment)
        drawn = position_trial(caller, declared_positions.check(data), []).data.picture
        for lang in LANGUAGES:
            for code in _SPACES.findall(drawn):
                assert "_" not in declared_positions.field_name(Voice(lang), game, code), code
