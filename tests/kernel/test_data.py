"""Data files: what is parsed table by table is what is parsed at once."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.kernel.messages.package_data import (
    _entry_lines,
    _sections,
    misread,
    read_keys,
    read_tables,
    read_words,
)
from engines.kernel.registry import engine_ids, load_engine

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


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A package of its own, whose data files a test writes."""
    folder = tmp_path_factory.mktemp("data") / "some_game"
    folder.mkdir()
    (folder / "__init__.py").touch()
    sys.path.insert(0, str(folder.parent))
    yield folder
    sys.path.remove(str(folder.parent))
    sys.modules.pop("some_game", None)


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


PLAIN = st.from_regex(r"[A-Za-z0-9_-]{1,4}", fullmatch=True)
SPACE = st.sampled_from(("", "", " ", "\t", "  "))


@st.composite
def headings(draw: st.DrawFn, name: str) -> str:
    """A heading as TOML allows it: indented, spaced, quoted, with a remark."""
    parts = [name, *draw(st.lists(PLAIN, max_size=1))]
    quoted = [draw(st.sampled_from((part, part, f'"{part}"', f"'{part}'"))) for part in parts]
    inside = f"{draw(SPACE)}.{draw(SPACE)}".join(quoted)
    remark = draw(st.sampled_from(("", "", " # new", "#[x]", ' # it\'s "so"')))
    return f"{draw(SPACE)}[{draw(SPACE)}{inside}{draw(SPACE)}]{draw(SPACE)}{remark}"


LOOK_ALIKES = (
    [],
    ["", "# [remark]"],
    ["x = [", "[1]", "]"],
    ["x = [", "  [true],", "[inf]]"],
    ["x = '''", "[text]", "'''"],
    ['x = """', "[text]", '"""'],
    ['x = """', "[SEAT] verb", '"""'],
    ['x = \'"""\''],
    ['# """'],
    ['x = """ \\"""', "[text]", '"""'],
    ['x = """ \\""""', "[y]"],
    ['x = """ \\\\"""', "[y]"],
    ['x = """""""', '# """', "[text]", '"""'],
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Tables with whatever may look like a heading in them, and is none."""
    ends = draw(st.sampled_from(("\n", "\n", "\n", "\r\n")))
    lines = []
    for name in draw(st.lists(PLAIN, min_size=1, max_size=4, unique=True)):
        lines += [draw(headings(name)), "en = 'one'", "fr = 'un'"]
        lines += draw(st.sampled_from(LOOK_ALIKES))
    return ends.join([*lines, ""])


@given(text=files())
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_heading_is_lost_however_it_is_written(package: Path, text: str) -> None:
    (package / "clauses.toml").write_bytes(text.encode())
    (package / "words.toml").write_bytes(text.encode())
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # two tables of one name
    assert dict(read_tables("some_game", "clauses.toml")) == whole
    assert misread("some_game") == []


def test_a_table_that_is_there_twice_is_refused(package: Path) -> None:
    (package / "clauses.toml").write_text("[a]\nen = 'x'\n[b]\n[a]\nen = 'y'\n", "utf-8")
    with pytest.raises(tomllib.TOMLDecodeError):
        read_tables("some_game", "clauses.toml")


LINES_LIKE_ENTRIES = (
    '{key} = {{ en = "one", fr = "un" }}',
    '{key} = {{ en = "one" }} # new',
    '  {key} = {{ en = "one" }}',
    "{key}={{en='one'}}",
    '"{key}" = {{ en = "one" }}',
    '{key}.part = {{ en = "one" }}',
    '{key} = {{ part = {{ en = "one" }} }}',
    '{key} = {{ en = "}} = {{ en = \\"" }}',
    '{key} = {{ en = ["one",\n# {{ en = }}\n\n"{key} = {{ en = 1 }}"] }}',
    '{key} = {{ en = """\n{key}x = {{ en = "one" }}\n""" }}',
    "{key} = {{ en = '''\n{key}x = {{ en = 1 }}\n''' }}",
    '# {key} = {{ en = "one" }}',
    "",
)


@st.composite
def sections(draw: st.DrawFn) -> str:
    """Sections with whatever may look like an entry in a line of its own, and is none."""
    lines = []
    for name in draw(st.lists(PLAIN, min_size=1, max_size=3, unique=True)):
        lines.append(f"[{name}.values]")
        keys = draw(st.lists(PLAIN, max_size=4))
        lines += [draw(st.sampled_from(LINES_LIKE_ENTRIES)).format(key=key) for key in keys]
    return "\n".join([*lines, ""])


@given(text=sections())
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_entry_is_lost_however_it_is_written(package: Path, text: str) -> None:
    (package / "clauses.toml").write_text("", "utf-8")
    (package / "readings.toml").write_text(text, "utf-8")
    (package / "words.toml").write_text(text, "utf-8")
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # two entries of one name
    names = {name: tuple(table["values"]) for name, table in whole.items()}
    assert read_keys("some_game", "readings.toml", "values") == names
    words = read_words("some_game")
    assert {key: words.entry(key) for key in words} == {
        key: _at(whole, key) for key in _keys(whole)
    }
    assert misread("some_game") == []


def test_an_entry_that_is_there_twice_is_refused(package: Path) -> None:
    (package / "words.toml").write_text('[a]\nb = { en = "x" }\nb = { en = "y" }\n', "utf-8")
    with pytest.raises(tomllib.TOMLDecodeError):
        read_words("some_game").entry("a.b")


@pytest.mark.parametrize("file", READINGS, ids=_named)
def test_the_values_of_the_houses_readings_are_known_without_their_texts(file: Path) -> None:
    values = {
        heading: section
        for heading, section in (_sections(file.read_text("utf-8")) or {}).items()
        if heading.endswith(".values")
    }
    assert values
    assert all(_entry_lines(heading, section) for heading, section in values.items())


@pytest.mark.parametrize("file", [*CLAUSES, *READINGS, *WORDS], ids=_named)
def test_the_files_of_the_house_are_plain_enough_to_be_read_table_by_table(file: Path) -> None:
    assert _sections(file.read_text("utf-8"))


@pytest.mark.parametrize("game", engine_ids())
def test_every_installed_game_is_read_as_it_is_written(game: str) -> None:
    assert misread(load_engine(game).package) == []


def test_what_is_misread_is_named(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "clauses.toml").write_text("[A-B-1]\n[A-B-2] # new\n", "utf-8")
    (package / "readings.toml").write_text("[A-B-1]\nvalues = {}\n", "utf-8")
    (package / "words.toml").write_text("[a]\nen = 'one'\nfr = 'un'\n", "utf-8")
    monkeypatch.setattr(
        "engines.kernel.messages.package_data._sections", lambda text: {"": "", "A-B-1": "[A-B-1]"}
    )
    assert misread("some_game") == [
        "clauses.toml [A-B-2]",
        "readings.toml [A-B-1]",
        "words.toml [a]",
    ]
