"""Photographs in a record: read safely, named by digest, erased, seen by whom they concern."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from struct import pack
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from answers.context import Caller, open_store_context
from answers.play.lifecycle import finish
from answers.proof.verification import stored_records, verify
from answers.review import photos
from answers.review.import_export import ExportOptions, export, take_records
from referee.archive.record_zip import packed, read_packed
from referee.errors import Conflicting, NotAllowed, NotFound, RefereeError, Unfit
from referee.judging.disputes import dispute
from referee.proof.keys import KeyRing
from referee.proof.verify import verify as prove
from referee.record.fold import fold
from referee.table.author import JUDGE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import undo
from referee.table.openings import open_game
from referee.table.photos import MOST_OF_A_GAME
from referee.untrusted.photos import HEIC, LONGEST_SIDE, MOST_BYTES, adopt_photo, read_photo
from tests.photos import jpeg, jpeg_of, picture, png
from tests.proofs.twins import broom_service
from tests.record.test_bench import play

ANA, BO = Author("pana", "seat:A"), Author("pbo", "seat:B")


@pytest.fixture
def caller() -> Caller:
    return Caller(open_store_context("memory:"))


@pytest.fixture
def game(caller: Caller) -> str:
    opened = open_game(caller.bench, "pebbles", "table A B first A")
    play(caller.bench, opened.game.id, "take 1")
    return opened.game.id


# reading files


def chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is large."""
    header = chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + header + body + chunk(b"IEND", b"")


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "photo_unknown"),
    "words": (lambda: b"hello", "photo_unknown"),
    "svg": (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>", "photo_of_kind"),
    "xml": (lambda: b"<?xml version='1.0'?><svg/>", "photo_of_kind"),
    "pdf": (lambda: b"%PDF-1.7 ...", "photo_of_kind"),
    "gif": (lambda: picture(format="GIF"), "photo_of_kind"),
    "heic": (lambda: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "photo_of_kind"),
    "tiff": (lambda: picture(format="TIFF"), "photo_unknown"),
    "bmp": (lambda: picture(format="BMP"), "photo_unknown"),
    "a bomb": (lambda: bomb(60_000, 60_000), "photo_too_many_pixels"),
    "a small bomb": (lambda: bomb(3_900, 3_900), "photo_damaged"),
    "a cut JPEG": (lambda: jpeg(900, 900)[:-600], "photo_damaged"),
    "a cut PNG": (lambda: png(900, 900)[:-100], "photo_damaged"),
    "a header alone": (lambda: jpeg()[:20], "photo_unknown"),
    "too many bytes": (lambda: jpeg() + b"\0" * MOST_BYTES, "photo_too_large"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_photograph_is_refused_by_name(name: str) -> None:
    made, key = HOSTILE[name]
    with pytest.raises(Unfit) as refused:
        read_photo(made())
    assert refused.value.key == key


def test_a_heic_is_taken_where_somebody_has_installed_its_decoder() -> None:
    pytest.importorskip(HEIC, reason="the decoder is nobody's duty").register_heif_opener()
    made = read_photo(picture(format="HEIF"))
    assert made.content[:2] == b"\xff\xd8"


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_a_photograph_becomes_a_jpeg_of_bounded_size(format: str, mode: str) -> None:
    colour = "green" if mode == "RGB" else "gray"
    made = read_photo(picture(4000, 1000, format, colour, mode=mode))
    with Image.open(BytesIO(made.content)) as image:
        assert (image.format, image.size) == ("JPEG", (LONGEST_SIDE, LONGEST_SIDE // 4))
    assert (made.width, made.height) == (LONGEST_SIDE, LONGEST_SIDE // 4)
    with Image.open(BytesIO(made.small)) as image:
        assert max(image.size) == 480


def test_where_it_was_taken_is_not_kept_and_it_stands_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # a phone held upright
    exif[0x010F] = "the maker of my phone"
    exif.get_ifd(0x8825)[1] = "N"
    sent = jpeg(60, 20, exif=exif, comment=b"a secret remark", icc_profile=b"profile" * 40)
    assert b"the maker" in sent
    made = read_photo(sent)
    assert (made.width, made.height) == (20, 60)
    for word in (b"the maker", b"secret", b"Exif", b"profile"):
        assert word not in made.content
        assert word not in made.small


def test_what_hides_behind_a_picture_is_gone() -> None:
    sent = jpeg() + b"<script>alert(1)</script>PK\x03\x04"
    assert b"script" not in read_photo(sent).content


def test_what_is_transparent_becomes_white() -> None:
    made = Image.open(BytesIO(read_photo(picture(mode="RGBA", colour="#00000000")).content))
    assert made.getpixel((5, 5)) == (255, 255, 255)


# in a record


def test_a_photograph_is_named_by_its_digest_and_kept_beside_the_record(
    caller: Caller, game: str
) -> None:
    told = photos.add(caller, game, png(), caption="as it lies").data
    assert (told.id, told.number, told.state) == ("f1", 1, "there")
    content = photos.photo(caller, game, "f1").content
    assert sha256(content).hexdigest() == told.digest
    assert len(photos.photo(caller, game, "f1", small=True).content) <= len(content)
    rows = caller.store_context.store.read(game)
    assert prove(game, rows).ok
    assert fold(game, rows).photos == caller.bench.game(game).photos
    assert told.digest.encode() in rows[-1].body
    assert content not in rows[-1].body


def test_a_photograph_is_about_a_move_a_dispute_or_what_is_now(caller: Caller, game: str) -> None:
    play(caller.bench, game, "take 2")
    dispute(caller.bench, game, 1, by=By(ANA))
    assert photos.add(caller, game, png()).data.number == 2
    assert photos.add(caller, game, png(), at=0).data.number == 0
    about = photos.add(caller, game, png(), dispute="d1").data
    assert (about.number, about.dispute) == (1, "d1")
    for wrong in ({"at": 9}, {"dispute": "d7"}, {"only": "G"}):
        with pytest.raises(RefereeError):
            photos.add(caller, game, png(), **wrong)  # type: ignore[arg-type]


def test_what_is_refused_stores_no_picture(caller: Caller, game: str) -> None:
    with pytest.raises(NotFound):
        photos.add(caller, game, png(), at=9)
    assert caller.store_context.attachments.kept() == {}


def test_the_same_request_sent_again_adds_one(caller: Caller, game: str) -> None:
    first = photos.add(caller, game, png(), key="phone-1").data
    again = photos.add(caller, game, png(), key="phone-1").data
    assert first == again
    assert len(caller.bench.game(game).photos) == 1


def test_an_erased_photograph_leaves_its_digest(caller: Caller, game: str) -> None:
    digest = photos.add(caller, game, png()).data.digest
    photos.erase(caller, game, "f1", reason="a face")
    assert photos.photos(caller, game).data.photos[0].state == "erased"
    with pytest.raises(Conflicting, match="photo_erased"):
        photos.photo(caller, game, "f1")
    with pytest.raises(Conflicting, match="photo_was_erased"):
        photos.add(caller, game, png())
    rows = caller.store_context.store.read(game)
    assert prove(game, rows).ok
    assert digest.encode() in rows[-2].body


@pytest.mark.parametrize("seed", range(3))
def test_of_photographs_those_are_shown_that_nobody_erased(caller: Caller, seed: int) -> None:
    """The same few pictures again and again, in two games: an erased one hides no other."""
    chance, pictures = Random(seed), [png(40 + size, 40) for size in range(3)]
    added: dict[str, list[int]] = {
        open_game(caller.bench, "pebbles", "table A B first A").game.id: [] for _ in range(2)
    }
    erased = dict[str, set[int]]((game, set()) for game in added)
    looks: dict[int, bytes] = {}
    for _ in range(30):
        game = chance.choice([*added])
        those, gone = added[game], erased[game]
        if not those or chance.random() < 0.6:
            picture = chance.randrange(3)
            alike = {number for number, each in enumerate(those) if each == picture}
            if alike and alike <= gone:
                with pytest.raises(Conflicting, match="photo_was_erased"):
                    photos.add(caller, game, pictures[picture])
            else:
                photos.add(caller, game, pictures[picture])
                those.append(picture)
        elif (number := chance.randrange(len(those))) in gone:
            with pytest.raises(Conflicting, match="photo_erased"):
                photos.erase(caller, game, f"f{number + 1}")
        else:
            photos.erase(caller, game, f"f{number + 1}")
            gone.add(number)
        for game, those in added.items():
            for number, picture in enumerate(those):
                if number in erased[game]:
                    with pytest.raises(Conflicting, match="photo_erased"):
                        photos.photo(caller, game, f"f{number + 1}")
                else:
                    seen = photos.photo(caller, game, f"f{number + 1}").content
                    assert seen == looks.setdefault(picture, seen)
            states = [row.state for row in photos.photos(caller, game).data.photos]
            assert states == [
                "erased" if number in erased[game] else "there" for number in range(len(those))
            ]
    assert sum(map(len, erased.values())) > 3
    assert len({*looks.values()}) == 3


def test_who_erases_a_photograph(caller: Caller, game: str) -> None:
    photos.add(Caller(caller.store_context, ANA), game, png())
    photos.add(caller, game, png(), only="A")
    for photo in ("f1", "f2"):
        with pytest.raises(NotAllowed):
            photos.erase(Caller(caller.store_context, BO), game, photo)
        photos.erase(Caller(caller.store_context, ANA), game, photo)


def test_a_seat_hides_no_hand_but_its_own(caller: Caller, game: str) -> None:
    with pytest.raises(NotAllowed, match="own_seat_only"):
        photos.add(Caller(caller.store_context, BO), game, png(), only="A")


def test_a_game_has_so_many_photographs_and_no_more(caller: Caller, game: str) -> None:
    for count in range(MOST_OF_A_GAME):
        photos.add(caller, game, png(8, 8 + count))
    with pytest.raises(Conflicting, match="photos_full"):
        photos.add(caller, game, png(9, 9))
    photos.erase(caller, game, "f1")
    photos.add(caller, game, png(9, 9))


def test_a_store_has_so_many_bytes_of_photographs(
    caller: Caller, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos.add(caller, game, png())
    used = caller.store_context.attachments.bytes_used()
    monkeypatch.setattr("referee.table.photos.MOST_OF_A_STORE", used + 100)
    with pytest.raises(Conflicting, match="photos_fill_store"):
        photos.add(caller, game, png(50, 50))


# whom it concerns


@pytest.fixture
def dealt(caller: Caller) -> str:
    """A game in which A has a hand that nobody else has seen."""
    bench, game = broom_service("fw hw mw")
    caller.store_context.store.adopt_all([bench.store.read(game)])
    return game


def test_a_photograph_of_a_hand_is_seen_by_its_seat_and_by_who_sees_all(
    caller: Caller, dealt: str
) -> None:
    ana, bo, judge, onlooker = (
        Caller(caller.store_context, who) for who in (ANA, BO, JUDGE, Author("pzoe", "spectator"))
    )
    added = photos.add(ana, dealt, png(), only="A", caption="a witch").data
    for sees in (ana, judge):
        assert photos.photo(sees, dealt, "f1").content
        assert photos.photos(sees, dealt).data.photos == [added]
    for blind in (bo, onlooker):
        (row,) = photos.photos(blind, dealt).data.photos
        assert (row.state, row.caption) == ("hidden", "")
        assert added.digest not in str(row)
        with pytest.raises(NotAllowed, match="photo_hidden"):
            photos.photo(blind, dealt, "f1")


def legal(bench: Bench, game: str) -> list[str]:
    now = bench.game(game)
    return [now.engine.text(each) for each in now.engine.options(now.setting, now.state)]


def shown_at(caller: Caller, game: str, photo: str) -> bool:
    """Whether somebody is shown a photograph: at every door, or at none not one byte of it."""
    shown, whole = caller.game(game), caller.bench.game(game).photos[photo]
    (row,) = (row for row in photos.photos(caller, game).data.photos if row.id == photo)
    page = export(caller, game, "html", ExportOptions()).content
    doors = [
        (row.state, row.caption) == ("there", whole.caption),
        whole.caption in str(story_of(page)["photos"]),
        shown.photos[photo] == whole,
        whole in [entry.data for entry in shown.entries],
    ]
    try:
        doors.append(bool(photos.photo(caller, game, photo).content))
    except NotAllowed:
        doors.append(False)
    assert len({*doors}) == 1, doors
    if not doors[0]:
        assert whole.digest not in f"{row} {[*shown.entries]}"
        for format in ("record", "zip", "text"):
            with pytest.raises(NotAllowed, match="needs_judge_view"):
                export(caller, game, format, ExportOptions())
    return doors[0]


@pytest.mark.parametrize("seed", range(2))
def test_a_photograph_for_one_seat_is_for_nobody_else_before_the_game_is_over(
    caller: Caller, game: str, seed: int
) -> None:
    """At a table that keeps nothing secret, whatever is played and taken back."""
    chance, looked = Random(seed), Counter[tuple[bool, bool]]()
    everybody = {
        role: Caller(caller.store_context, Author(f"p{role}", role))
        for role in ("seat:A", "seat:B", "spectator", "player", "table", "judge", "scribe")
    }
    only: list[str | None] = []
    for turn in range(40):
        now = caller.bench.game(game)
        if len(only) < 8 and chance.random() < 0.4:
            who, seat = chance.choice((("seat:A", "A"), ("seat:B", "B"), ("table", "A")))
            only.append(chance.choice((seat, seat, None)))
            told = photos.add(
                everybody[who], game, png(40 + turn, 9), only=only[-1], caption=f"photo {turn}."
            )
            for_one = only[-1] is not None
            assert len([*told.told(caller.voice)]) == 1 + for_one, "who sees it, and until when"
        elif chance.random() < 0.3 and now.numbers():
            undo(caller.bench, game, chance.randint(1, len(now.numbers())))
        elif not now.state.over:
            play(caller.bench, game, chance.choice(legal(caller.bench, game)))
        over = caller.bench.game(game).state.over
        for role in chance.sample([*everybody], 3 if only else 0):
            number, seat = chance.choice([*enumerate(only, 1)])
            sees = role in ("judge", "scribe", f"seat:{seat}") or seat is None or over
            assert shown_at(everybody[role], game, f"f{number}") is sees, (role, seat, over)
            looked[sees, over] += 1
    assert looked[False, False] > 3
    assert looked[True, True] > 3, "it ends with the game"


def test_a_game_that_is_finished_early_does_not_show_what_was_for_one_seat(
    caller: Caller, game: str
) -> None:
    photos.add(caller, game, png(), only="A", caption="a hand")
    finish(caller, game, reason="late", yes=True)
    for who, sees in ((ANA, True), (BO, False)):
        assert shown_at(Caller(caller.store_context, who), game, "f1") is sees


def test_who_waits_is_not_given_with_the_record_what_was_for_one_seat_then(
    caller: Caller, game: str
) -> None:
    """A spectator who sees the game some entries later, and it is over since."""
    photos.add(caller, game, png(), only="A", caption="a hand")
    then = caller.bench.game(game)
    while not caller.bench.game(game).state.over:
        play(caller.bench, game, legal(caller.bench, game)[0])
    late = Caller(caller.store_context, Author("pzoe", "spectator"), latest=lambda game: then)
    assert not shown_at(late, game, "f1")


def test_a_photograph_of_the_table_is_seen_by_everybody(caller: Caller, dealt: str) -> None:
    photos.add(caller, dealt, png())
    assert photos.photo(Caller(caller.store_context, Author("pzoe", "spectator")), dealt, "f1")


# elsewhere


def story_of(page: bytes) -> dict[str, Any]:
    found = re.findall(rb'id="story">([^<]*)<', page)
    story: dict[str, Any] = json.loads(gzip.decompress(b64decode(found[0])))
    return story


def test_the_page_of_a_game_shows_the_photographs_that_its_reader_may_see(
    caller: Caller, dealt: str
) -> None:
    photos.add(caller, dealt, png(), caption="the table")
    photos.add(caller, dealt, png(50, 50), caption="a hand", only="A")
    photos.add(caller, dealt, png(60, 60), caption="a face")
    photos.erase(caller, dealt, "f3")
    for who, seen in ((JUDGE, ["the table", "a hand"]), (BO, ["the table"])):
        page = export(Caller(caller.store_context, who), dealt, "html", ExportOptions()).content
        shown = story_of(page)["photos"]
        assert [one["caption"].split(" ", 2)[2] for one in shown] == seen
        assert all(one["source"].startswith("data:image/jpeg;base64,/9j/") for one in shown)


def test_a_record_travels_with_its_photographs(caller: Caller, game: str) -> None:
    photos.add(caller, game, png(), caption="as it lies")
    packet = export(caller, game, "zip", ExportOptions()).content
    there = Caller(open_store_context("memory:"))
    take_records(there, [read_packed(packet)])
    assert photos.photos(there, game).data.photos == photos.photos(caller, game).data.photos
    assert photos.photo(there, game, "f1") == photos.photo(caller, game, "f1")
    assert export(there, game, "zip", ExportOptions()).content == packet


def test_what_is_missing_or_changed_is_named_by_verify(
    caller: Caller, game: str, tmp_path: Path
) -> None:
    photos.add(caller, game, png())
    photos.add(caller, game, png(50, 50))
    alone = export(caller, game, "record", ExportOptions()).content
    there = Caller(open_store_context("memory:"))
    take_records(there, [read_packed(alone)])
    photos.erase(there, game, "f2")
    report = verify(there, stored_records(there, [game]), KeyRing(tmp_path))
    assert report.outcome == "done"
    assert [warning.key for warning in report.warnings] == ["photo.warn_missing"]
    for here in (caller, Caller(open_store_context("memory:"))):  # a record from elsewhere too
        assert not verify(here, stored_records(caller, [game]), KeyRing(tmp_path)).warnings
    caller.store_context.attachments._change("UPDATE photographs SET content = ?", (b"other",))
    report = verify(caller, stored_records(caller, [game]), KeyRing(tmp_path))
    assert report.outcome == "invalid"
    assert [warning.key for warning in report.warnings] == ["photo.warn_altered"] * 2
    assert {row.state for row in photos.photos(caller, game).data.photos} == {"altered"}
    with pytest.raises(NotFound, match="photo_altered"):
        photos.photo(caller, game, "f1")


def test_an_erased_photograph_does_not_come_back_with_an_old_copy(
    caller: Caller, game: str
) -> None:
    photos.add(caller, game, png())
    packet = export(caller, game, "zip", ExportOptions()).content
    photos.erase(caller, game, "f1")
    take_records(caller, [read_packed(packet)])
    assert photos.photos(caller, game).data.photos[0].state == "erased"


def in_a_zip(*files: tuple[str, bytes]) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w", 8) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


def test_a_hostile_packet_is_refused_and_nothing_of_it_is_stored(caller: Caller, game: str) -> None:
    photos.add(caller, game, png())
    record = export(caller, game, "record", ExportOptions()).content
    mine = photos.photo(caller, game, "f1").content
    ((_, digest),) = caller.store_context.attachments.kept()
    raw, other = png(), jpeg(20, 20)
    own = f"photos/{digest}.jpg"
    refused = {
        "no record": in_a_zip((own, mine)),
        "something else": in_a_zip(("record.jsonl", record), ("../../etc/passwd", b"x")),
        "another picture": in_a_zip(("record.jsonl", record), (own, other)),
        "one that nobody names": packed(record, {sha256(other).hexdigest(): other}),
        "a bomb": in_a_zip(("record.jsonl", record), (own, b"\0" * (MOST_BYTES + 1))),
        "cut off": packed(record, {digest: mine})[:-30],
    }
    for name, packet in refused.items():
        there = Caller(open_store_context("memory:"))
        with pytest.raises(Unfit):
            take_records(there, [read_packed(packet)])
        assert there.store_context.attachments.kept() == {}, name
        assert there.store_context.store.streams() == (), name
    for foreign in (raw, jpeg(exif=_exif()), jpeg(LONGEST_SIDE + 1, 9)):
        with pytest.raises(Unfit, match="photo_not_ours"):
            adopt_photo(foreign, "0" * 64)


def part(marker: int, content: bytes) -> bytes:
    return b"\xff" + bytes((marker,)) + pack(">H", len(content) + 2) + content


def is_adopted(content: bytes) -> bool:
    try:
        return adopt_photo(content, "0" * 64).content == content
    except Unfit:
        return False


@settings(max_examples=40)
@given(
    st.integers(1, 90),
    st.integers(1, 90),
    st.sampled_from([(128, 128, 128), (0, 0, 0), (250, 3, 128)]),
    st.booleans(),
)
def test_nothing_is_hidden_in_a_photograph_that_keeps_its_bytes(
    width: int, height: int, colour: tuple[int, int, int], is_plain: bool
) -> None:
    drawn = Image.new("RGB", (width, height), colour)
    if not is_plain:
        ImageDraw.Draw(drawn).ellipse((0, 0, width // 2, height), fill=(9, 200, 70))
    mine = read_photo(jpeg_of(drawn)).content
    assert is_adopted(mine)
    hidden, head, end = b"<script>alert(1)</script>", mine[20:], b"\xff\xd9"
    codes = mine.index(b"\xff\xc4")
    length = int.from_bytes(mine[codes + 2 : codes + 4])
    begun, rest = mine[:codes], mine[codes + 2 + length :]
    places = {
        "behind the end": mine + hidden,
        "behind the end, with an end of its own": mine + hidden + end,
        "a second picture": mine + mine,
        "behind the last block": mine[:-2] + hidden + end,
        "in a scan of its own": mine[:-2] + part(0xDA, hidden) + hidden + end,
        "in a comment": mine[:20] + part(0xFE, hidden) + head,
        "in a part for programs": mine[:20] + part(0xE1, hidden) + head,
        "in a part nobody knows": mine[:20] + part(0xF0, hidden) + head,
        "in a second head": mine[:20] + mine[2:20] + head,
        "in a small picture in the head": mine[:2] + part(0xE0, mine[6:20] + hidden) + head,
        "behind the codes": begun
        + part(0xC4, mine[codes + 4 : codes + 2 + length] + hidden)
        + rest,
        "between the parts": mine[:20] + hidden + head,
    }
    assert [name for name, forged in places.items() if is_adopted(forged)] == []


def _exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x010F] = "a phone"
    return exif
