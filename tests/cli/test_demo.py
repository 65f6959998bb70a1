"""``referee demo`` tells a game to somebody who knows neither the rules nor the notation."""

from __future__ import annotations

import re

import pytest

from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.messages.package_data import read_words
from tests.cli.transcripts import run

SCENES = [key for key in read_words("cli") if key.startswith("demo.")]
_NOTATION = re.compile(r"#\d|\b[a-d][1-4]\b|\b[AB]\b|\b[A-Z]{3}-[A-Z]+-\d|[=/|]")


def scene(key: str, lang: Language) -> str:
    return str((read_words("cli").entry(key) or {})[lang])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_demo_tells_every_scene_in_order_and_catches_the_forgery(
    lang: Language, newcomer: object
) -> None:
    out, code = run(f"referee demo --lang {lang}")
    assert code == 0, out
    places = [out.find(scene(key, lang)) for key in SCENES]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", SCENES)
def test_a_scene_is_told_without_notation(key: str, lang: Language) -> None:
    assert not _NOTATION.search(scene(key, lang))


def test_notation_would_be_noticed() -> None:
    for text in ("A step c1", "after #12", "BEN-MOVE-3 says no", "A=blue"):
        assert _NOTATION.search(text)
