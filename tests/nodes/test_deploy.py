"""What brings PostgreSQL's log to the archive, by two nodes at once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "service" / "deploy" / "archive-wal"

pytestmark = pytest.mark.skipif(shutil.which("cmp") is None, reason="there is no cmp here")


def test_a_file_of_the_log_is_archived_once_and_never_replaced(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()

    def bring(content: bytes) -> int:
        (tmp_path / "segment").write_bytes(content)
        own = {**os.environ, "REFEREE_WAL_ARCHIVE": str(archive)}
        return subprocess.run([SCRIPT, tmp_path / "segment", "0001"], env=own).returncode

    assert bring(b"first") == 0
    assert bring(b"first") == 0, "the other node brings the same"
    assert bring(b"other") != 0
    assert [file.name for file in archive.iterdir()] == ["0001"]
    assert (archive / "0001").read_bytes() == b"first"
