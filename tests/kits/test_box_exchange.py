"""Boxes between clubs: signed, checked, and refused where anything is wrong with them."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller, open_store_context
from answers.play.views import picture
from answers.rulebooks import boxes
from answers.rulebooks.box_boards import WHOLE, place
from answers.rulebooks.box_exchange import box_file, take_box, take_file, unsigned_box
from answers.rulebooks.box_pieces import at_table, cut, pieces, words_of
from answers.rulebooks.box_tour import add_photo
from answers.rulebooks.boxes import own_box, tell
from answers.rulebooks.games import usual_opening
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import load_engine
from referee.proof.keys import KeyRing
from referee.proof.signed_boxes import BoxFile, read_box, signed_box
from tests.opening import new_table
from tests.photos import jpeg

GAME = "broom_service"


@pytest.fixture
def ring(tmp_path: Path) -> KeyRing:
    ring = KeyRing(tmp_path / "keys")
    ring.new("ana")
    return ring


@pytest.fixture
def home() -> Caller:
    caller = Caller(open_store_context("memory:"))
    new = {"colour": "g", "shape": "round", "vp": 1, "touches": ["F1"]}
    said = {"front.towers.t05.vp": 9, "front.towers.t32": new}
    tell(caller, GAME, said, as_shown=["front.F1"])
    return caller


@pytest.fixture
def signed(home: Caller, ring: KeyRing) -> bytes:
    return box_file(home, GAME, ring, "ana", club="Thursday club")


def elsewhere() -> Caller:
    return Caller(open_store_context("memory:"))


def test_a_box_arrives_as_it_was_told_and_every_datum_says_whose_it_is(
    home: Caller, ring: KeyRing, signed: bytes
) -> None:
    there = elsewhere()
    taken = take_box(there, read_box(signed, "box"), ring, kit="thursday")
    assert taken.data.signer == "ana"
    mine, theirs = own_box(home, GAME), own_box(there, GAME, "thursday")
    assert theirs.sheet.data() == {**mine.sheet.data(), "kit": "thursday"}
    told = next(d for d in theirs.sheet.datums() if d.path == "front.towers.t05.vp")
    assert told.provenance == "declared"
    assert "Thursday club" in told.source_in("en")
    assert boxes.kit_named(there, load_engine(GAME), "thursday").at("front.towers.t05.vp") == 9


def test_a_box_of_an_unknown_or_revoked_key_is_refused_unless_it_is_let_pass(
    ring: KeyRing, signed: bytes, tmp_path: Path
) -> None:
    box, there, stranger = read_box(signed, "box"), elsewhere(), KeyRing(tmp_path / "other")
    with pytest.raises(MessageError) as refused:
        take_box(there, box, stranger)
    assert refused.value.key == "box_unknown_key"
    ring.revoke("ana", "2020-01-01T00:00:00Z", "lost")
    with pytest.raises(MessageError):
        take_box(there, box, ring)
    assert take_box(there, box, stranger, unknown=True).data.signer is None


def altered(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda content: content.update(changes)


@pytest.mark.parametrize(
    "alter",
    [
        altered(club="Friday club"),
        altered(game="roundforest"),
        altered(key="1" * 64),
        altered(signature="0" * 128),
        altered(more=1),
        altered(data=[]),
        altered(format="referee box 2"),
        lambda content: content["data"][0].update(value="\x1b[2J"),
        lambda content: content["data"][0].update(path="x" * 300),
        lambda content: content["data"].reverse(),
        lambda content: content["data"][0].update(value=[[[[[[]]]]]] * 3),
    ],
)
def test_whatever_was_altered_is_refused(
    signed: bytes, alter: Callable[[dict[str, Any]], None]
) -> None:
    content = json.loads(signed)
    alter(content)
    with pytest.raises(MessageError):
        read_box(json.dumps(content).encode(), "box")


OTHERWISE: dict[str, Any] = {
    "game": "roundforest",
    "name": "other",
    "club": "Friday club",
    "data": [{"path": "front.towers.t05.vp", "value": 1, "source": ""}],
    "pictures": [{"page": "front.F1", "content": b64encode(b"x").decode()}],
    "boards": {"front": {}},
    "key": "1" * 64,
    "signature": "1" * 128,
}


@pytest.mark.parametrize("form", ["referee box 1", "referee box 2"])
@pytest.mark.parametrize("field", [*OTHERWISE, "format"])
def test_nothing_in_a_file_is_beside_its_signature_and_its_fingerprint(
    ring: KeyRing, signed: bytes, form: str, field: str
) -> None:
    assert {*OTHERWISE, "format"} == {*BoxFile.model_fields}
    (other,) = {"referee box 1", "referee box 2"} - {form}
    more = {field: OTHERWISE.get(field, other)}
    bare = {**json.loads(signed), "format": form, "key": "0" * 64, "signature": "0" * 128}
    plain = read_box(json.dumps(bare).encode(), "box")
    whole = json.loads(signed_box(plain, ring, "ana"))
    with pytest.raises(MessageError):
        read_box(json.dumps(whole | more).encode(), "box")
    with suppress(MessageError):
        assert read_box(json.dumps(bare | more).encode(), "box").digest != plain.digest


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"null", b"[" * 10_000])
def test_what_is_no_box_is_refused(content: bytes) -> None:
    with pytest.raises(MessageError):
        read_box(content, "box")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("front.towers.t05.vp", "many"),
        ("front.regions.F1.terrain", "water"),
        ("front.banners", "green"),
        ("kit", "broom-default"),
        ("front.towers.t99", None),
        ("front.towers.__class__", {}),
    ],
)
def test_a_well_signed_box_that_no_box_can_be_is_refused_and_nothing_is_kept(
    ring: KeyRing, path: str, value: Any
) -> None:
    hostile = BoxFile.model_validate(
        {
            "game": GAME,
            "name": "odd",
            "club": "Odd",
            "data": [{"path": path, "value": value, "source": ""}],
        }
    )
    box, there = read_box(signed_box(hostile, ring, "ana"), "box"), elsewhere()
    with pytest.raises(MessageError):
        take_box(there, box, ring)
    assert own_box(there, GAME, "odd").tour.stated == {}


def test_a_box_is_not_taken_over_another(ring: KeyRing, signed: bytes) -> None:
    there = elsewhere()
    take_box(there, read_box(signed, "box"), ring, kit="thursday")
    with pytest.raises(MessageError):
        take_box(there, read_box(signed, "box"), ring, kit="thursday")


def test_pictures_and_the_places_on_a_board_go_along_if_the_club_says_so(
    home: Caller, ring: KeyRing
) -> None:
    add_photo(home, GAME, jpeg(300, 200), "front.F1")
    add_photo(home, GAME, jpeg(300, 200), "board:front")
    place(home, GAME, "front", corners=WHOLE, usual=True, declare=True)
    bare = box_file(home, GAME, ring, "ana")
    assert b"pictures" not in bare
    there = elsewhere()
    take_box(there, read_box(bare, "box"), ring, kit="bare")
    assert there.store_context.boxes.photos(GAME, "bare") == {}
    whole = box_file(home, GAME, ring, "ana", pictures=True)
    take_box(there, read_box(whole, "box"), ring, kit="thursday")
    photos = there.store_context.boxes.photos(GAME, "thursday")
    assert sorted(photos) == ["board:front", "flat:front", "front.F1"]
    opening = "A=red B=blue first A side front"
    opened = new_table(there, GAME, opening, kit="thursday")
    assert photos["flat:front"] in picture(there, opened, photo=True)
    altered = json.loads(whole)
    altered["pictures"][0]["page"] = "front.F2"
    with pytest.raises(MessageError):
        read_box(json.dumps(altered).encode(), "box")


@pytest.mark.parametrize(
    "more",
    [
        {"pictures": [{"page": "front.F1", "content": "PHN2Zy8+"}]},
        {"pictures": [{"page": "../else", "content": b64encode(jpeg()).decode()}]},
        {"pictures": [{"page": "front.F1", "content": "abc"}]},
        {"boards": {"front": {"places": {"F1": "here"}}}},
        {"boards": {"front": {"corners": []}}},
        {"boards": {"nowhere": {}}},
    ],
)
def test_hostile_pictures_in_a_well_signed_file_are_refused_and_nothing_is_kept(
    ring: KeyRing, more: dict[str, Any]
) -> None:
    data = [{"path": "front.towers.t05.vp", "value": 3, "source": ""}]
    base = {"format": "referee box 2", "game": GAME, "name": "odd", "club": "Odd", "data": data}
    hostile = BoxFile.model_validate(json.loads(json.dumps({**base, **more})))
    there = elsewhere()
    with pytest.raises(MessageError):
        take_box(there, read_box(signed_box(hostile, ring, "ana"), "box"), ring)
    assert there.store_context.boxes.names(GAME) == []
    assert there.store_context.boxes.photos(GAME, "odd") == {}


def test_a_file_without_a_signature_says_so_and_can_be_signed_later(
    home: Caller, ring: KeyRing, signed: bytes
) -> None:
    bare = unsigned_box(home, GAME, club="Thursday club")
    box = read_box(bare.content, bare.name)
    assert not box.signed
    assert box.digest == sha256(bare.content).hexdigest()
    with pytest.raises(MessageError) as refused:
        take_box(elsewhere(), box, ring)
    assert refused.value.key == "box_unsigned"
    taken = take_box(elsewhere(), box, ring, unknown=True).data
    assert (taken.signed, taken.key, taken.digest) == (False, "", box.digest)
    assert signed_box(box, ring, "ana") == signed
    assert read_box(signed, "box").signed


def test_whoever_takes_a_signature_away_has_an_unsigned_file(signed: bytes, ring: KeyRing) -> None:
    content = {**json.loads(signed), "key": "0" * 64, "signature": "0" * 128}
    box = read_box(json.dumps(content).encode(), "box")
    with pytest.raises(MessageError):
        take_box(elsewhere(), box, ring)


def test_a_service_looks_first_and_keeps_what_it_is_told_to_keep(signed: bytes) -> None:
    there = elsewhere()
    found = take_file(there, GAME, signed).data
    assert (found.club, found.signed, found.signer, found.kept) == (
        "Thursday club",
        True,
        None,
        False,
    )
    assert boxes.names_of_boxes(there, GAME) == []
    assert take_file(there, GAME, signed, kit="thursday", keep=True).data.kept
    assert boxes.names_of_boxes(there, GAME) == ["thursday"]
    for wrong in (
        lambda: take_file(there, GAME, signed, kit="thursday", keep=True),  # is there already
        lambda: take_file(there, "roundforest", signed),
        lambda: take_file(there, GAME, signed.replace(b"Thursday", b"Saturday")),
        lambda: unsigned_box(there, GAME),  # nothing is told of it
        lambda: unsigned_box(there, GAME, kit="thursday", club="a\nb"),
    ):
        with pytest.raises(MessageError):
            wrong()


def test_a_whole_box_goes_from_the_service_to_another_with_its_pictures(home: Caller) -> None:
    add_photo(home, GAME, jpeg(600, 400), "board:front")
    place(home, GAME, "front", corners=WHOLE, usual=True, declare=True)
    file = unsigned_box(home, GAME, club="Thursday club", pictures=True)
    there = elsewhere()
    taken = take_file(there, GAME, file.content, kit="thursday", keep=True).data
    assert taken.pictures == 2
    mine, theirs = own_box(home, GAME), own_box(there, GAME, "thursday")
    assert theirs.sheet.data() == {**mine.sheet.data(), "kit": "thursday"}
    opening = "A=red B=blue first A side front"
    opened = new_table(there, GAME, opening, kit="thursday")
    assert "<image" in picture(there, opened, photo=True)


@pytest.mark.parametrize("game", ["bloody_grove", GAME])
def test_a_box_of_which_there_are_only_pictures_goes_to_another_club(
    game: str, ring: KeyRing
) -> None:
    """Nothing of Bloody Grove is asked: what a club has of it are pictures."""
    here, there = elsewhere(), elsewhere()
    with pytest.raises(MessageError) as refused:
        unsigned_box(here, game, pictures=True)
    assert refused.value.key == "box_untold"
    code = next(iter(pieces(here, game).data.pieces)).code
    add_photo(here, game, jpeg(400, 400), "sheet")
    cut(here, game, corners=WHOLE, rows=1, columns=1, names=[code])
    with pytest.raises(MessageError):
        unsigned_box(here, game)
    file = read_box(box_file(here, game, ring, "ana", pictures=True), "box")
    assert (len(file.data), len(file.pictures), file.signed) == (0, 2, True)
    assert take_box(there, file, ring, kit="thursday").data.pictures == 2
    with pytest.raises(MessageError) as refused:
        take_box(there, file, ring, kit="thursday")
    assert refused.value.key == "box_exists"
    assert boxes.names_of_boxes(there, game) == ["thursday"]
    opened = new_table(there, game, usual_opening(game, 2)[0], kit="thursday")
    assert words_of(code)[0] in at_table(there, opened).data.pictures
    usual = new_table(there, game, usual_opening(game, 2)[0])
    assert not at_table(there, usual).data.pictures


def test_a_file_that_says_nothing_at_all_is_no_box(signed: bytes) -> None:
    content = {**json.loads(signed), "data": [], "format": "referee box 2", "pictures": []}
    content |= {"boards": {}, "key": "0" * 64, "signature": "0" * 128}
    with pytest.raises(MessageError):
        read_box(json.dumps(content).encode(), "box")
