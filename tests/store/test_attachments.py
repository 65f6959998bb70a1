"""Files beside a store, named by their digests."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from answers.admin.maintenance import rehearsed_backup
from answers.admin.stores import copy
from answers.context import Caller, open_store_context
from answers.review import photos
from referee.store import open_store
from referee.store.maintenance.backup import backup, restore
from referee.store.maintenance.health import doctor
from referee.store.sidecars.attachments import Attachment, Attachments, attachments_path
from referee.store.sqlite.files import sqlite_url
from referee.store.urls import has_attachments, open_attachments
from tests.photos import png
from tests.store.test_faces import opened

GAME = "game-1"
BOARD = Attachment(b"a board" * 100, b"small")


def test_a_file_is_found_by_its_digest_in_every_kind_of_store(store_url: str) -> None:
    with closing(open_attachments(store_url)) as attachments:
        assert attachments.add(GAME, BOARD)
        assert not attachments.add(GAME, BOARD)
        assert attachments.find(GAME, sha256(BOARD.content).hexdigest()) == BOARD
        assert attachments.bytes_used() == len(BOARD.content) + len(BOARD.small)
        assert attachments.state(GAME, "0" * 64) == "missing"


def test_what_is_erased_stays_erased_whatever_comes_later(store_url: str) -> None:
    with closing(open_attachments(store_url)) as attachments:
        attachments.add(GAME, BOARD)
        attachments.erase(GAME, BOARD.digest)
        assert not attachments.add(GAME, BOARD)
        assert attachments.state(GAME, BOARD.digest) == "erased"
        assert attachments.find(GAME, BOARD.digest) is None
        assert (attachments.count(), attachments.bytes_used()) == (0, 0)


def test_an_erased_file_leaves_no_byte(file_url: str) -> None:
    path = attachments_path(file_url)
    assert path is not None
    with closing(Attachments(path)) as attachments:
        attachments.add(GAME, BOARD)
        assert BOARD.content[:50] in path.read_bytes()
        attachments.erase(GAME, BOARD.digest)
    assert BOARD.content[:7] not in path.read_bytes()


def test_a_changed_file_is_not_given_out_and_the_doctor_names_it(file_url: str) -> None:
    open_store(file_url).close()
    path = attachments_path(file_url)
    assert path is not None
    with closing(Attachments(path)) as attachments:
        attachments.add(GAME, BOARD)
    with closing(sqlite3.connect(path)) as meddler:
        meddler.execute("UPDATE photographs SET content = ?", (b"another",))
        meddler.commit()
    with closing(Attachments(path)) as attachments:
        assert attachments.state(GAME, BOARD.digest) == "altered"
        assert attachments.find(GAME, BOARD.digest) is None
    found = {check.name: check for check in doctor(file_url)}["attachments"]
    assert (found.level, found.facts["digests"]) == ("fail", [BOARD.digest[:16]])


@pytest.mark.parametrize("kept_in", ["file_url", "postgres_url"])
def test_a_picture_of_an_earlier_version_goes_to_every_record_that_names_it(
    kept_in: str, request: pytest.FixtureRequest
) -> None:
    """It kept one picture for all records, so that what one erased was gone for the others."""
    url = request.getfixturevalue(kept_in)
    caller = Caller(open_store_context(url))
    ours, theirs, third = (opened(caller) for _ in range(3))
    sent = [png(), png(50, 50)]
    for game in (ours, theirs):
        digests = [photos.add(caller, game, picture).data.digest for picture in sent]
    photos.add(caller, third, sent[0])
    photos.erase(caller, theirs, "f1")
    attachments = caller.store_context.attachments
    for digest in digests:
        attachments._change(
            "INSERT INTO attachments (digest, size, content, small) "
            "SELECT digest, size, content, small FROM photographs WHERE stream = ? AND digest = ?",
            (ours, digest),
        )
    empty = "UPDATE attachments SET size = 0, content = ?, small = ? WHERE digest = ?"
    attachments._change(empty, (b"", b"", digests[1]))  # as the erasure by some other record did
    attachments._change("INSERT INTO attachments SELECT ?, 1, ?, ?", ("0" * 64, b"x", b""))
    attachments._change("DELETE FROM photographs", ())
    caller.store_context.close()
    for _ in range(2):
        caller = Caller(open_store_context(url))
        states = {
            game: [row.state for row in photos.photos(caller, game).data.photos]
            for game in (ours, theirs, third)
        }
        assert states == {
            ours: ["there", "missing"],
            theirs: ["erased", "missing"],
            third: ["there"],
        }
        assert caller.store_context.attachments.unassigned() == ["0" * 64]
        caller.store_context.close()
    caller = Caller(open_store_context(url))
    photos.add(caller, ours, sent[1])  # what was lost without an entry may be added again
    assert {row.state for row in photos.photos(caller, ours).data.photos} == {"there"}
    caller.store_context.close()


def test_a_backup_says_which_photographs_it_lacks_and_drives_no_complete_one_out(
    file_url: str, tmp_path: Path
) -> None:
    caller = Caller(open_store_context(file_url))
    game = opened(caller)
    kept, lost = (photos.add(caller, game, png(40 + n, 40)).data for n in range(2))
    (folder := tmp_path / "copies").mkdir()
    moments = iter(datetime(2030, 1, 1, tzinfo=UTC) + timedelta(hours=n) for n in range(9))
    assert not [*rehearsed_backup(file_url, folder, next(moments), most=1).warnings]
    whole = rehearsed_backup(file_url, folder, next(moments), most=1).data
    assert len(whole.removed) == 1
    caller.store_context.attachments._change(
        "DELETE FROM photographs WHERE digest = ?", (lost.digest,)
    )
    for _ in range(3):
        made = rehearsed_backup(file_url, folder, next(moments), most=1)
        assert made.data.photos_missing == [f"{game.removeprefix('game-')} {lost.id}"]
        assert [warning.key for warning in made.warnings] == ["doctor.photos_missing"]
    assert sorted(str(file) for file in folder.glob("referee-????????-??????.db")) == [
        whole.file,
        made.data.file,
    ]
    photos.erase(caller, game, lost.id)
    assert not rehearsed_backup(file_url, folder, next(moments), most=1).warnings
    assert len([*folder.glob("referee-????????-??????.db")]) == 1
    assert kept.state == "there"
    caller.store_context.close()


def test_to_look_makes_no_file(file_url: str) -> None:
    open_store(file_url).close()
    assert not has_attachments(file_url)
    assert "attachments" not in {check.name for check in doctor(file_url)}


def test_a_backup_takes_them_along_and_brings_them_back(file_url: str, tmp_path: Path) -> None:
    open_store(file_url).close()
    with closing(open_attachments(file_url)) as attachments:
        attachments.add(GAME, BOARD)
    backup(file_url, tmp_path / "copy.db")
    back = sqlite_url(tmp_path / "back.db")
    restore(tmp_path / "copy.db", back)
    with closing(open_attachments(back)) as attachments:
        assert attachments.find(GAME, BOARD.digest) == BOARD


def test_a_copy_of_a_store_has_them_the_erased_as_erased(file_url: str, postgres_url: str) -> None:
    gone = Attachment(b"gone", b"g")
    open_store(file_url).close()
    with closing(open_attachments(file_url)) as attachments:
        attachments.add(GAME, BOARD)
        attachments.add(GAME, gone)
        attachments.erase(GAME, gone.digest)
    for _ in range(2):
        copy(file_url, postgres_url)
        with closing(open_attachments(postgres_url)) as copied:
            assert copied.find(GAME, BOARD.digest) == BOARD
            assert copied.state(GAME, gone.digest) == "erased"
