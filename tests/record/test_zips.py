"""Zip files from outside: whatever was altered in one, it is refused with a reason."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.requests.uploads import event_record
from engines.kernel.messages.errors import MessageError
from referee.archive.record_zip import RECORD, packed, read_packed
from referee.errors import Unfit
from referee.untrusted.zips import unzipped

PICTURE = bytes(range(256)) * 4
RECORD_LINES = b"\n".join(b'{"entry": %d}' % number for number in range(200))
WHOLE = packed(RECORD_LINES, {sha256(PICTURE).hexdigest(): PICTURE})
DOORS: list[Callable[[bytes], object]] = [read_packed, event_record]


def zipped(*files: tuple[str, bytes], how: int = ZIP_DEFLATED) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in files:
            archive.writestr(ZipInfo(name), content, how)
    return made.getvalue()


@pytest.mark.parametrize("door", DOORS)
@given(
    changes=st.lists(st.tuples(st.integers(4, len(WHOLE) - 1), st.integers(0, 255)), max_size=6),
    kept=st.integers(4, len(WHOLE)),
)
def test_an_altered_archive_is_refused_with_a_reason(
    door: Callable[[bytes], object], changes: list[tuple[int, int]], kept: int
) -> None:
    altered = bytearray(WHOLE)
    for place, value in changes:
        altered[place] = value
    with pytest.raises(MessageError):  # what is in it is no record of a game, even if it is whole
        door(bytes(altered[:kept]))


@pytest.mark.parametrize("how", [ZIP_STORED, ZIP_DEFLATED])
def test_what_was_packed_is_unpacked(how: int) -> None:
    files = {RECORD: RECORD_LINES, "photos/a": PICTURE, "empty": b""}
    assert dict(unzipped(zipped(*files.items(), how=how), files=3, size=10_000)) == files


def test_limits_count_what_is_unpacked_and_not_what_is_said() -> None:
    two = zipped(("a", b"x" * 600), ("b", b"x" * 400))
    assert len(list(unzipped(two, files=2, size=1000))) == 2
    for limits in ({"files": 1, "size": 1000}, {"files": 2, "size": 999}):
        with pytest.raises(Unfit, match="zip_too_big"):
            list(unzipped(two, **limits))
    bomb = zipped(("a", bytes(8 << 20)))
    with pytest.raises(Unfit, match="zip_too_big"):
        list(unzipped(bomb, files=2, size=1 << 30))


@pytest.mark.parametrize("how", [ZIP_BZIP2, ZIP_LZMA])
def test_other_ways_of_packing_are_refused(how: int) -> None:
    with pytest.raises(Unfit, match="zip_damaged"):
        list(unzipped(zipped(("a", PICTURE), how=how), files=9, size=10_000))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_stands_for_one_file() -> None:
    with pytest.raises(Unfit, match="zip_damaged"):
        list(unzipped(zipped(("a", b"1"), ("a", b"2")), files=9, size=10_000))
