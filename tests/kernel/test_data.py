"""Data files: what is parsed table by table is what is parsed at once."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engines.kernel.data import read_tables, read_words

ROOT = Path(__file__).parents[2]
CLAUSES = sorted(ROOT.glob("engines/*/clauses.toml"))
WORDS = sorted(ROOT.glob("*/words.toml")) + sorted(ROOT.glob("*/*/words.toml"))


def _package(file: Path) -> str:
    return ".".join(file.parent.relative_to(ROOT).parts)


def _named(file: Path) -> str:
    return str(file.relative_to(ROOT))


def _at(table: Mapping[str, Any], key: str) -> Any:
    for part in key.split("."):
        table = table[part]
    return table


def _keys(table: Mapping[str, Any], prefix: str = "") -> list[str]:
    return [
        key
        for name, value in table.items()
        for key in ([prefix + name] if "en" in value else _keys(value, f"{prefix}{name}."))
    ]


@pytest.mark.parametrize("file", CLAUSES, ids=_named)
def test_tables_of_clauses(file: Path) -> None:
    whole = tomllib.loads(file.read_text("utf-8"))
    assert whole
    assert dict(read_tables(_package(file), file.name)) == whole


@pytest.mark.parametrize("file", WORDS, ids=_named)
def test_entries_of_words(file: Path) -> None:
    whole = tomllib.loads(file.read_text("utf-8"))
    keys = _keys(whole)
    assert keys
    backwards = read_words(_package(file))
    for key in reversed(keys):
        assert backwards.entry(key) == _at(whole, key)
    assert sorted(backwards) == sorted(keys)


def test_tables_below_tables_and_files_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_game"
    package.mkdir()
    (package / "__init__.py").touch()
    text = "# first\n[A-B-1]\nkind = 'rule'\n[A-B-2]\n[A-B-1.because]\nen = 'x'\nfr = 'y'\n"
    (package / "clauses.toml").write_text(text, "utf-8")
    (package / "loose.toml").write_text("a = 1\n[b]\n", "utf-8")
    (package / "words.toml").write_text("a = {en = 'one', fr = 'un'}\n[b]\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        assert dict(read_tables("some_game", "clauses.toml")) == tomllib.loads(text)
        assert dict(read_tables("some_game", "readings.toml")) == {}
        assert list(read_words("some_game")) == ["a"]
        with pytest.raises(ValueError, match="a under no heading"):
            read_tables("some_game", "loose.toml")
    finally:
        sys.modules.pop("some_game", None)
