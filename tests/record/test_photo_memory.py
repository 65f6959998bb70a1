"""Whatever is sent, a photograph or an archive, reading it takes less than 150 MB."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
import zlib
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from PIL import Image

MOST = 150
_PROGRAM = r"""
import re, sys
from pathlib import Path
from answers.requests.uploads import event_record
from referee.archive.record_zip import read_packed
from referee.errors import Unfit
from referee.untrusted.photos import adopt_photo, read_photo
from tests.photos import jpeg
def adopted(content):
    adopt_photo(read_photo(content).content, "0" * 64)
def doors(content):
    if sys.argv[1] == "zip":
        return [read_packed, event_record]
    return [read_photo, adopted] if content.startswith(b"\xff\xd8") else [read_photo]
def peak():
    status = Path('/proc/self/status').read_text()
    return int(re.search('VmHWM:.*?([0-9]+)', status)[1]) // 1024
read_photo(jpeg(300, 300))
before = peak()
for path in map(Path, sys.argv[2:]):
    for door in doors(path.read_bytes()):
        try:
            door(path.read_bytes())
            said = True
        except Unfit as error:
            said = error.key
        print(path.name, said, peak() - before)
"""


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side: int, bits: int, colour: int, *more: bytes, interlaced: bool = False) -> bytes:
    """A picture of nothing, of any kind that there is."""
    parts = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    row = bytes(1 + (side * bits * parts + 7) // 8)
    packing = zlib.compressobj(1)
    rows = b"".join(packing.compress(row) for _ in range(side * (2 if interlaced else 1)))
    rows += packing.flush()
    head = struct.pack(">IIBBBBB", side, side, bits, colour, 0, 0, interlaced)
    chunks = [chunk(b"IHDR", head), *more, chunk(b"IDAT", rows), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


PALETTE = (chunk(b"PLTE", bytes(6)), chunk(b"tRNS", bytes(2)))
ANIMATED = chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(
    b"fcTL", struct.pack(">IIIIIHHBB", 0, 4000, 4000, 0, 0, 1, 1, 1, 1)
)
WORDS = tuple(chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(1 << 20), 9)) for _ in range(60))


def jpeg(width: int, height: int, mode: str = "RGB", **more: object) -> bytes:
    made = BytesIO()
    Image.new(mode, (width, height)).save(made, "JPEG", **more)
    return made.getvalue()


def webp(width: int, height: int) -> bytes:
    made = BytesIO()
    Image.new("RGBA", (width, height)).save(made, "WEBP", lossless=True, method=0)
    return made.getvalue()


def photographs() -> dict[str, bytes]:
    return {
        "large": jpeg(8000, 8000),
        "long": jpeg(25_000, 2_560),
        "between": jpeg(5119, 5119, "CMYK"),
        "printed": jpeg(4000, 4000, "CMYK"),
        "turned": jpeg(4000, 4000, exif=turned()),
        "progressive": jpeg(4000, 4000, progressive=True, subsampling=0),
        "bits": png(4000, 1, 3, *PALETTE),
        "transparent": png(4000, 8, 6),
        "deep": png(4000, 16, 6),
        "deep grey": png(4000, 16, 0),
        "interlaced": png(4000, 8, 6, interlaced=True),
        "animated": png(4000, 8, 6, ANIMATED),
        "web": webp(2600, 2600),
    }


def refused() -> dict[str, bytes]:
    return {
        "too large": jpeg(8001, 8000),
        "too progressive": jpeg(6000, 6000, progressive=True, subsampling=0),
        "too many bits": png(8000, 1, 3, *PALETTE),
        "words": png(4000, 8, 6, *WORDS),
        "too much web": webp(4000, 4000),
    }


def turned() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = 6
    return exif


def lines(entries: int, size: int) -> bytes:
    """A record, as far as one can see without folding it."""
    noise = random.Random(0).randbytes(5000).hex()
    entry = {"stream": "game-a", "kind": "noted", "schema": 1, "key": ""}
    made = ({**entry, "seq": n, "prev": noise[n % 1000 :][:size]} for n in range(entries))
    return b"".join(json.dumps(each).encode() + b"\n" for each in made)


def zipped(*files: tuple[str, bytes]) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


def archives() -> dict[str, bytes]:
    """None is what it says."""
    record = lines(10_000, 2500)
    noise = random.Random(0).randbytes(3 << 20)
    filling, photo = ("filling", noise), [(f"photos/{sha256(noise).hexdigest()}.jpg", noise)]
    return {
        "long": zipped(("record.jsonl", record), *photo),
        "many files": zipped(*((str(n), b"") for n in range(20_000))),
        "long names": zipped(*(("x" * 60_000 + str(n), b"") for n in range(50))),
        "bomb": zipped(("record.jsonl", bytes(70 << 20)), filling),
        "in itself": zipped(("record.jsonl", zipped(("record.jsonl", bytes(70 << 20))))),
        "upwards": zipped(("../../record.jsonl", record[:9000])),
    }


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
@pytest.mark.parametrize("kind", ["photo", "zip"])
def test_nothing_that_is_sent_takes_more_memory_than_there_is(kind: str, tmp_path: Path) -> None:
    sent = refused() | photographs() if kind == "photo" else archives()
    for name, content in sent.items():
        (tmp_path / name).write_bytes(content)
    command = [sys.executable, "-c", _PROGRAM, kind, *(str(tmp_path / name) for name in sent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.rsplit(" ", 2) for line in done.stdout.splitlines()]
    taken = {name for name, said, _ in rows if said == "True"}
    assert taken == (set(photographs()) if kind == "photo" else {"long"}), rows
    assert [row for row in rows if int(row[2]) >= MOST] == [], rows


_TOGETHER = r"""
import re, sys
from pathlib import Path
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from referee.untrusted.photos import read_photo
from tests.photos import jpeg
def now(what):
    return int(re.search(what + ':.*?([0-9]+)', Path('/proc/self/status').read_text())[1]) // 1024
read_photo(jpeg(300, 300))
content, before, all_here = Path(sys.argv[1]).read_bytes(), now('VmRSS'), Barrier(6)
def read(_):
    all_here.wait()
    read_photo(content)
with ThreadPoolExecutor(6) as threads:
    for _ in range(2):
        list(threads.map(read, range(6)))
    print(now('VmHWM') - before, now('VmRSS') - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
def test_many_photographs_at_once_take_no_more_and_leave_nothing(tmp_path: Path) -> None:
    """Six threads wait for one another; what each has used goes back to the system."""
    (tmp_path / "large").write_bytes(jpeg(8000, 8000))
    command = [sys.executable, "-c", _TOGETHER, str(tmp_path / "large")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    most, left = map(int, done.stdout.split())
    assert most < MOST
    assert left < 30
