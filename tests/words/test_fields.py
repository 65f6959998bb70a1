"""The fields of a position are called by words, in the language of whoever changes one."""

from __future__ import annotations

import re
from functools import partial

import pytest

from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.play import declared_positions
from answers.play.analysis import position_trial
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.registry import load_engine
from service.pages.situations import _IN_PICTURE, FormField, _fields
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


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_and_every_place_of_a_position_is_called_in_words(game: str) -> None:
    """Whoever sets the pieces by taps reads names, in the fields and for the spaces drawn."""
    words = load_engine(game).words
    caller = Caller(open_store_context("memory:"))
    codes: set[str] = set()
    for moment in declared_positions.moments(game, 6):
        data = declared_positions.at_moment(game, moment)
        drawn = position_trial(caller, declared_positions.check(data), []).data.picture
        plain = _fields(data["position"], "position", str)
        codes |= {word for field in plain if field.kind != "yes" for word in field.value.split()}
        codes |= set(_IN_PICTURE.findall(drawn))
    unnamed = set()
    for code in codes:
        whole = [f"{group}.{code}" for group in ("field", "fact", "term")]
        if not any(key in words for key in whole):
            parts = re.findall("[a-z]{3,}", code)
            unnamed |= {
                code
                for part in parts
                if not any(f"{group}.{part}" in words for group in ("field", "fact", "term"))
            }
    assert not unnamed
