"""A file is there as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.output import atomic_write


def full_disk(*_: object) -> int:
    raise OSError(28, "No space left on device")


def test_what_could_not_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="No space"):
        atomic_write(tmp_path / "record.jsonl", b"half")
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_before_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "record.jsonl"
    file.write_bytes(b"before")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full_disk)
        with pytest.raises(OSError, match="No space"):
            atomic_write(file, b"half")
    assert file.read_bytes() == b"before"
    atomic_write(file, b"after")
    assert file.read_bytes() == b"after"
    assert [found.name for found in tmp_path.iterdir()] == ["record.jsonl"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.touch()
    link.symlink_to(target)
    atomic_write(link, b"through")
    assert link.is_symlink()
    assert target.read_bytes() == b"through"
    atomic_write(Path("/dev/null"), b"nothing")
