"""The sample games that are shipped, and the gallery made from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.kernel.messages.catalogue import Language
from replays.gallery import gallery, sample, samples
from schemas.build import shipped_games

DOCS = Path(__file__).parents[2] / "docs"


def test_every_game_has_a_sample() -> None:
    assert samples() == shipped_games()


@pytest.mark.parametrize("name", samples())
def test_a_sample_is_a_whole_game(name: str) -> None:
    game = sample(name)
    assert game.engine.result(game.state) is not None
    assert not any(step.verdict.breaches for step in game.steps)
    assert not game.disputes


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_shows_every_picture(lang: Language) -> None:
    files = dict(gallery(lang))
    page = files.pop("gallery.md")
    assert all(f"]({file})" in page for file in files)
    assert len(files) == 2 * len(samples())


def test_the_docs_have_the_whole_gallery() -> None:
    folders: dict[Language, Path] = {"en": DOCS, "fr": DOCS / "fr"}
    names = [name for name, _ in gallery("en")]
    missing = [each / name for each in folders.values() for name in names]
    assert [file for file in missing if not file.is_file()] == [], "run: referee gallery docs"
