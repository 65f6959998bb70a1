"""Cards and tiles from a photograph: a sheet is cut along a grid, and each piece has a name."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from answers.context import Caller, open_store_context
from answers.play.actions import log
from answers.play.trays import trays
from answers.rulebooks.box_boards import WHOLE
from answers.rulebooks.box_pieces import at_table, cut, piece_picture, pieces, words_of
from answers.rulebooks.box_tour import add_photo, erase_photo
from answers.rulebooks.boxes import tell
from engines.kernel.registry import load_engine
from referee.errors import Misused, NotFound, Unfit
from referee.store.sidecars.attachments import Attachment
from referee.table.author import Author
from referee.untrusted.photos import read_photo
from replays.gallery import sample
from tests.opening import new_table
from tests.photos import jpeg
from tests.proofs.twins import broom_service

GAME = "broom_service"
COLOURS = ("red", "lime", "blue", "yellow", "cyan", "magenta")


def sheet() -> bytes:
    """Six cards in two rows."""
    whole = Image.new("RGB", (300, 200))
    for at, colour in enumerate(COLOURS):
        row, column = divmod(at, 3)
        whole.paste(colour, (100 * column, 100 * row, 100 * column + 100, 100 * row + 100))
    made = BytesIO()
    whole.save(made, "PNG")
    return made.getvalue()


@pytest.fixture
def caller() -> Caller:
    made = Caller(open_store_context("memory:"))
    add_photo(made, GAME, sheet(), "sheet")
    return made


def cut_six(caller: Caller, *names: str) -> None:
    cut(caller, GAME, corners=WHOLE, rows=2, columns=3, names=names)


def test_each_piece_is_cut_from_its_own_place_and_what_has_no_name_is_not_kept(
    caller: Caller,
) -> None:
    cut_six(caller, "fw", "pw", "", "hw", "", "h10")
    rows = {row.code: row for row in pieces(caller, GAME).data.pieces if row.picture}
    assert sorted(rows) == ["fw", "h10", "hw", "pw"]
    for code, colour in (("fw", "red"), ("pw", "lime"), ("hw", "yellow"), ("h10", "magenta")):
        file = piece_picture(caller, GAME, code, rows[code].digest or "")
        with Image.open(BytesIO(file.content)) as seen:
            found = seen.convert("RGB").getpixel((50, 50))
        expected = Image.new("RGB", (1, 1), colour).getpixel((0, 0))
        assert all(abs(a - b) < 30 for a, b in zip(found, expected, strict=True))  # type: ignore[arg-type]
    for guessed in ("0" * 64, ""):
        with pytest.raises(NotFound):
            piece_picture(caller, GAME, "fw", guessed)
    erase_photo(caller, GAME, "piece:fw")
    assert "fw" not in {row.code for row in pieces(caller, GAME).data.pieces if row.picture}


def test_a_sheet_that_does_not_fit_its_grid_is_refused_and_nothing_is_kept(caller: Caller) -> None:
    with pytest.raises(Misused):
        cut_six(caller, "fw")
    with pytest.raises(NotFound):
        cut_six(caller, "fw", "nothing", "", "", "", "")
    with pytest.raises(Unfit):
        cut_six(caller, "fw", "fw", "", "", "", "")
    with pytest.raises(Unfit):
        cut(caller, GAME, corners=WHOLE, rows=12, columns=12, names=["fw", *[""] * 143])
    with pytest.raises(NotFound):
        cut(caller, "bethel_woods", corners=WHOLE, rows=1, columns=1, names=["1"])
    assert not any(row.picture for row in pieces(caller, GAME).data.pieces)


def test_the_set_up_shows_the_pictures_of_the_box_that_a_table_is_played_with(
    caller: Caller,
) -> None:
    cut_six(caller, "h10", "", "", "", "", "")
    tell(caller, GAME, {"front.towers.t05.vp": 3})
    for kit, own in ((None, True), ("broom-default", False)):
        opened = new_table(caller, GAME, "A=red B=blue first A side front", kit=kit)
        things = {t.word: t for tray in trays(caller, opened).data.trays for t in tray.things}
        assert ("<image" in things["h10"].drawing) is own
        assert "<image" not in things["h11"].drawing


def photographed(caller: Caller, game: str) -> set[str]:
    """A box of which every component that has a code has a picture."""
    engine = load_engine(game)
    codes = {code.code for code in engine.guide.codes(engine.read_kit(engine.kit_sheet(None)))}
    for at, code in enumerate(sorted(codes)):
        photo = read_photo(jpeg(40 + at, 30))
        picture = Attachment(photo.content, photo.small)
        caller.store_context.boxes.show(game, "own", f"piece:{code}", picture)
    return {word for code in codes for word in words_of(code)}


HELD = {
    "benevolent": {"clover", "feather", "gift_clover"},
    "bethel_woods": {"M3", "D1"},
    "bloody_grove": {"b1", "EF9", "V3"},
    "broom_service": {"fw", "hw", "mw"},
    "roundforest": {"anvil", "sword", "smith"},
}
"""What somebody holds at some moment of the sample game, or in the hand they have told."""


@pytest.mark.parametrize("game", HELD)
def test_the_pictures_stand_in_set_up_moves_hands_and_key_of_every_game(game: str) -> None:
    caller = Caller(open_store_context("memory:"))
    words = photographed(caller, game)
    recorded = sample(game)
    opening, *steps = [step for step in recorded.steps if step.action is not None]
    line = recorded.engine.text(opening.action).removeprefix("table ")
    opened = new_table(caller, game, line)
    seen: dict[str, set[str]] = {"set-up": set(), "moves": set(), "hands": set()}
    for step in [None, *steps]:
        if step is not None:
            text = recorded.engine.text(step.action)
            log(caller, opened, [text], stands=step.item.stands)
            seen["moves"].update(text.split())
        found = at_table(caller, opened).data
        seen["hands"].update(row.code for row in found.held)
        laid = [thing for tray in trays(caller, opened).data.trays for thing in tray.things]
        seen["set-up"].update(thing.word for thing in laid if "<image" in thing.drawing)
    if game == "broom_service":
        bench, hidden = broom_service("fw hw mw")
        caller.store_context.store.adopt_all([bench.store.read(hidden)])
        caller = replace(caller, author=Author("pana", "seat:A"))
        seen["hands"].update(row.code for row in at_table(caller, hidden).data.held)
        caller = replace(caller, author=Author("pbo", "seat:B"))
        others = at_table(caller, hidden).data.held
        assert {row.seat for row in others} == {"B"}  # what A holds is not for B
    assert set(found.pictures) == words  # beside the moves
    assert seen["moves"] & words
    assert seen["set-up"]
    assert seen["hands"] >= HELD[game]
    assert not any(code.isdecimal() for code in seen["hands"])
    key = {row.code for row in pieces(caller, game).data.pieces if row.picture}
    assert {word for code in key for word in words_of(code)} == words


@pytest.mark.parametrize("content", [b"", b"<svg/>", b"GIF89a", jpeg(40, 30)[:200]])
def test_a_sheet_is_a_photograph_like_any_other(caller: Caller, content: bytes) -> None:
    with pytest.raises(Unfit):
        add_photo(caller, GAME, content, "sheet")
