"""Data files of packages: clauses, readings and message catalogues."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engines.kernel.messages.package_data import read_tables, read_toml, read_words

ROOT = Path(__file__).parents[2]
CLAUSES = sorted(ROOT.glob("engines/*/clauses.toml"))
READINGS = sorted(ROOT.glob("engines/*/readings.toml"))
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


@pytest.mark.parametrize("file", [*CLAUSES, *READINGS], ids=_named)
def test_tables_of_clauses_and_readings(file: Path) -> None:
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


@pytest.fixture
def package(tmp_path: Path) -> Iterator[Path]:
    """A package of its own, whose data files a test writes."""
    folder = tmp_path / "some_game"
    folder.mkdir()
    (folder / "__init__.py").touch()
    sys.path.insert(0, str(folder.parent))
    yield folder
    sys.path.remove(str(folder.parent))
    sys.modules.pop("some_game", None)
    read_toml.cache_clear()


def test_tables_below_tables_and_files_that_are_not_there(package: Path) -> None:
    text = "# first\n[A-B-1]\nkind = 'rule'\n[A-B-2]\n[A-B-1.because]\nen = 'x'\nfr = 'y'\n"
    (package / "clauses.toml").write_text(text, "utf-8")
    (package / "loose.toml").write_text("a = 1\n[b]\n", "utf-8")
    (package / "inline.toml").write_text("a = { en = 'x' }\n[b]\n", "utf-8")
    (package / "words.toml").write_text("a = {en = 'one', fr = 'un'}\n[b]\n", "utf-8")
    assert dict(read_tables("some_game", "clauses.toml")) == tomllib.loads(text)
    assert dict(read_tables("some_game", "readings.toml")) == {}
    assert dict(read_tables("some_game", "inline.toml")) == {"a": {"en": "x"}, "b": {}}
    assert list(read_words("some_game")) == ["a"]
    with pytest.raises(ValueError, match="a under no heading"):
        read_tables("some_game", "loose.toml")


def test_what_is_there_twice_is_refused(package: Path) -> None:
    (package / "clauses.toml").write_text("[a]\nen = 'x'\n[b]\n[a]\nen = 'y'\n", "utf-8")
    (package / "words.toml").write_text('[a]\nb = { en = "x" }\nb = { en = "y" }\n', "utf-8")
    with pytest.raises(ValueError, match=r"some_game/clauses\.toml: .* twice"):
        read_tables("some_game", "clauses.toml")
    with pytest.raises(ValueError, match=r"some_game/words\.toml: "):
        read_words("some_game")


def test_a_file_is_parsed_once(package: Path) -> None:
    (package / "words.toml").write_text("a = {en = 'one', fr = 'un'}\n", "utf-8")
    assert read_words("some_game").say("a", "fr") == "un"
    (package / "words.toml").unlink()
    assert read_words("some_game").say("a", "fr") == "un"
