"""Files beside a store, named by their digests."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from answers.admin.stores import copy
from referee.store import open_store
from referee.store.maintenance.backup import backup, restore
from referee.store.maintenance.health import doctor
from referee.store.sidecars.attachments import Attachment, Attachments, attachments_path
from referee.store.sqlite.files import sqlite_url
from referee.store.urls import has_attachments, open_attachments

BOARD = Attachment(b"a board" * 100, b"small")


def test_a_file_is_found_by_its_digest_in_every_kind_of_store(store_url: str) -> None:
    with closing(open_attachments(store_url)) as attachments:
        assert attachments.add(BOARD)
        assert not attachments.add(BOARD)
        assert attachments.find(sha256(BOARD.content).hexdigest()) == BOARD
        assert attachments.bytes_used() == len(BOARD.content) + len(BOARD.small)
        assert attachments.state("0" * 64) == "missing"


def test_what_is_erased_stays_erased_whatever_comes_later(store_url: str) -> None:
    with closing(open_attachments(store_url)) as attachments:
        attachments.add(BOARD)
        attachments.erase(BOARD.digest)
        assert not attachments.add(BOARD)
        assert attachments.state(BOARD.digest) == "erased"
        assert attachments.find(BOARD.digest) is None
        assert (attachments.count(), attachments.bytes_used()) == (0, 0)


def test_an_erased_file_leaves_no_byte(file_url: str) -> None:
    path = attachments_path(file_url)
    assert path is not None
    with closing(Attachments(path)) as attachments:
        attachments.add(BOARD)
        assert BOARD.content[:50] in path.read_bytes()
        attachments.erase(BOARD.digest)
    assert BOARD.content[:7] not in path.read_bytes()


def test_a_changed_file_is_not_given_out_and_the_doctor_names_it(file_url: str) -> None:
    open_store(file_url).close()
    path = attachments_path(file_url)
    assert path is not None
    with closing(Attachments(path)) as attachments:
        attachments.add(BOARD)
    with closing(sqlite3.connect(path)) as meddler:
        meddler.execute("UPDATE attachments SET content = ?", (b"another",))
        meddler.commit()
    with closing(Attachments(path)) as attachments:
        assert attachments.state(BOARD.digest) == "altered"
        assert attachments.find(BOARD.digest) is None
    found = {check.name: check for check in doctor(file_url)}["attachments"]
    assert (found.level, found.facts["digests"]) == ("fail", [BOARD.digest[:16]])


def test_to_look_makes_no_file(file_url: str) -> None:
    open_store(file_url).close()
    assert not has_attachments(file_url)
    assert "attachments" not in {check.name for check in doctor(file_url)}


def test_a_backup_takes_them_along_and_brings_them_back(file_url: str, tmp_path: Path) -> None:
    open_store(file_url).close()
    with closing(open_attachments(file_url)) as attachments:
        attachments.add(BOARD)
    backup(file_url, tmp_path / "copy.db")
    back = sqlite_url(tmp_path / "back.db")
    restore(tmp_path / "copy.db", back)
    with closing(open_attachments(back)) as attachments:
        assert attachments.find(BOARD.digest) == BOARD


def test_a_copy_of_a_store_has_them_the_erased_as_erased(file_url: str, postgres_url: str) -> None:
    gone = Attachment(b"gone", b"g")
    open_store(file_url).close()
    with closing(open_attachments(file_url)) as attachments:
        attachments.add(BOARD)
        attachments.add(gone)
        attachments.erase(gone.digest)
    for _ in range(2):
        copy(file_url, postgres_url)
        with closing(open_attachments(postgres_url)) as copied:
            assert copied.find(BOARD.digest) == BOARD
            assert copied.state(gone.digest) == "erased"
