"""A datum of a box is named in words: no number stands alone where somebody reads it."""

from __future__ import annotations

import re

import pytest

from answers.box_words import datum_label
from answers.i18n import Voice
from engines.kernel.box.tour import Tour
from engines.kernel.registry import engine_ids, load_engine

ALONE = re.compile(r"(?:^|· )[0-9][0-9-]*(?= ·|,|$)")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", engine_ids())
def test_no_datum_is_called_by_a_bare_number(game: str, lang: str) -> None:
    engine = load_engine(game)
    tour = Tour(engine.kit_model, engine.guide, engine.kit_sheet(None))
    voice = Voice("fr" if lang == "fr" else "en")
    labels = [
        datum_label(voice, engine, question) for page in tour.pages for question in page.questions
    ]
    assert [label for label in labels if ALONE.search(label)] == []
