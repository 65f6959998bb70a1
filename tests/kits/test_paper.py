"""The codes of a box, and the sheet on which a club writes down what it sees."""

from __future__ import annotations

import pytest

from answers.box_words import LETTERS
from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.rulebooks import component_codes, printing
from answers.rulebooks.boxes import own_box, tell
from cli.box.page_keys import PageKeys
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.registry import engine_ids, load_engine
from referee.errors import NotFound


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", [game for game in engine_ids() if game != "pebbles"])
def test_every_game_tells_and_draws_the_codes_of_its_components(game: str, lang: Language) -> None:
    engine = load_engine(game)
    sheet, voice = engine.kit_sheet(None), Voice(lang)
    codes = [code.code for code in engine.guide.codes(engine.read_kit(sheet))]
    assert len(codes) > 20
    told, drawn = (
        component_codes.key_text(engine, sheet, voice),
        component_codes.key_svg(engine, sheet, voice),
    )
    for code in codes:
        assert f"  {code}  " in told
        assert code in drawn
    assert component_codes.key_pdf(engine, sheet, voice).startswith(b"%PDF")
    assert component_codes.key_png(engine, sheet, voice).startswith(b"\x89PNG")


@pytest.mark.parametrize("game", ["bethel_woods", "benevolent"])
def test_a_sheet_asks_what_is_open_by_the_letters_that_are_typed(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = Caller(open_store_context("memory:"))
    first = own_box(caller, game).tour.pages[0]
    tell(caller, game, as_shown=[first.look.id])
    box, sheets = own_box(caller, game), []
    monkeypatch.setattr(printing, "printed", lambda template, data: sheets.append(data) or b"%PDF")
    printing.sheet_pdf(box, Voice())
    (sheet,) = sheets
    assert len(sheet["pages"]) == len(box.open_pages) == len(box.tour.pages) - 1
    for page, shown in zip(box.open_pages, sheet["pages"], strict=True):
        for row, question in zip(shown["rows"], page.questions, strict=True):
            pressed = PageKeys(box, page)
            pressed.press(row[0])
            assert pressed.asked is not None
            assert pressed.asked.path == question.path
            assert row[0] in LETTERS


def test_a_game_without_codes_says_so() -> None:
    engine = load_engine("pebbles")
    with pytest.raises(NotFound):
        component_codes.key_text(engine, engine.kit_sheet(None), Voice())


def test_a_sheet_is_a_pdf() -> None:
    box = own_box(Caller(open_store_context("memory:")), "bethel_woods")
    assert printing.sheet_pdf(box, Voice("fr")).startswith(b"%PDF")
