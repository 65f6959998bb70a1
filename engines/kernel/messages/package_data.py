"""The one door to files: data shipped inside a game's package, read once.

Parsing TOML is slow, and a program that says three sentences needs few of a thousand: clauses
and readings are parsed table by table, words line by line, wherever a file is written so plainly
that its lines tell where its tables and entries begin. Any other file is parsed as a whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Any, cast

from engines.kernel.messages.catalogue import Catalogue
from engines.kernel.values.lazy import LazyDict

Entry = Mapping[str, str]

_HEADING = re.compile(r"\n\[([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\](?=\n)")
"""Of a table, plainly written. What begins with a letter is no element of an array but these."""
_ELEMENTS = frozenset(("true", "false", "inf", "nan"))
_MAYBE_HEADING = re.compile(r"\n[ \t]*\[[^\n]*\][ \t]*(?:#[^\n]*)?(?=\n)")
_LONG = '"""'
"""Begins and ends a text of several lines, unless a backslash stands before it."""
_LONG_UNESCAPED = re.compile(r'(?<!\\)"""')
_DOUBTFUL = ("\r", "'''", '\\\\"')
"""Other ends of lines and of texts."""
_ENTRY = "{ en = "
"""Begins an entry that is written in one line."""


def read_toml(package: str, name: str) -> dict[str, Any]:
    """A TOML file of the package; empty if the package has none of that name."""
    return tomllib.loads(_text(package, name))


def read_tables(package: str, name: str) -> Mapping[str, dict[str, Any]]:
    """The same, each table parsed when it is first asked for."""
    text = _text(package, name)
    sections = _sections(text)
    if sections is None or tomllib.loads(sections.pop("")):
        whole = tomllib.loads(text)
        if loose := [key for key, value in whole.items() if not isinstance(value, dict)]:
            raise ValueError(f"{name}: {', '.join(loose)} under no heading")
        return whole
    raw: dict[str, str] = {}
    for heading, section in sections.items():
        table = heading.partition(".")[0]
        raw[table] = raw.get(table, "") + section
    return LazyDict(raw, lambda table, text: cast("dict[str, Any]", tomllib.loads(text)[table]))


def read_keys(package: str, name: str, part: str) -> dict[str, tuple[str, ...]]:
    """The keys of ``[table.part]`` for every table of a file, without what they stand for."""
    sections = _sections(_text(package, name)) or {}
    tables = read_tables(package, name)
    return {
        table: tuple(
            _entry_lines(f"{table}.{part}", sections.get(f"{table}.{part}", ""))
            or tables[table].get(part, ())
        )
        for table in tables
    }


def kit_files(package: str) -> dict[str, dict[str, Any]]:
    """The kits shipped with a game, by id."""
    folder = resources.files(package).joinpath("kits")
    if not folder.is_dir():
        return {}
    kits = [
        tomllib.loads(file.read_text("utf-8"))
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    ]
    return {kit["kit"]: kit for kit in kits}


def read_words(package: str, *fallbacks: Catalogue) -> Catalogue:
    return Catalogue(_Entries(_text(package, "words.toml")), *fallbacks)


class _Entries(Mapping[str, Entry]):
    """The entries of a catalogue, parsed line by line or section by section."""

    def __init__(self, text: str) -> None:
        self._sections = LazyDict(_sections(text) or {"": text}, _entries)

    def __getitem__(self, key: str) -> Entry:
        for heading in ("", *accumulate(key.split("."), "{}.{}".format)):
            if heading in self._sections and key in self._sections[heading]:
                return self._sections[heading][key]
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        for section in self._sections.values():
            yield from section

    def __len__(self) -> int:
        return sum(map(len, self._sections.values()))


def misread(package: str) -> list[str]:
    """What is written of a package and not read as TOML has it: nothing, if all is well."""
    values = read_keys(package, "readings.toml", "values")
    return [
        *_differing("clauses.toml", package, read_tables(package, "clauses.toml"), dict),
        *_differing("readings.toml", package, read_tables(package, "readings.toml"), dict),
        *_differing("readings.toml", package, values, _values),
        *_differing("words.toml", package, _Entries(_text(package, "words.toml")), _flat),
    ]


def _values(readings: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(reading.get("values", ())) for name, reading in readings.items()}


def _differing(
    name: str, package: str, read: Mapping[str, Any], whole: Callable[[dict[str, Any]], Any]
) -> list[str]:
    written = whole(read_toml(package, name))
    return [
        f"{name} [{key}]"
        for key in dict.fromkeys((*written, *read))
        if key not in read or key not in written or read[key] != written[key]
    ]


def _text(package: str, name: str) -> str:
    file = resources.files(package).joinpath(name)
    return file.read_text("utf-8") if file.is_file() else ""


def _sections(text: str) -> dict[str, str] | None:
    """The lines under each heading of a TOML file, the heading included; ``""``: under none.

    None where a heading could be missed, or something else be taken for one.
    """
    text = f"\n{text}\n"
    loose, *rest = _HEADING.split(text)
    headings, bodies = rest[::2], rest[1::2]
    once = len({*headings, *_ELEMENTS}) == len(headings) + len(_ELEMENTS)
    if not once or len(headings) != len(_MAYBE_HEADING.findall(text)) or not _is_plain(text):
        return None
    pairs = zip(headings, bodies, strict=True)
    return {"": loose, **{heading: f"[{heading}]{body}\n" for heading, body in pairs}}


def _is_plain(text: str) -> bool:
    """Whether it is certain which lines are within a text, and none of these is a heading.

    Three quotes count only where neither a remark nor another text can hold them.
    """
    if any(mark in text for mark in _DOUBTFUL):
        return False
    escaped = f"\\{_LONG}" in text
    pieces = (_LONG_UNESCAPED.split(text) if escaped else text.split(_LONG))[:-1]
    outside, inside = pieces[::2], pieces[1::2]
    return len(outside) == len(inside) and not (
        any(mark in piece.rpartition("\n")[2] for piece in outside for mark in "#'")
        or any(map(_HEADING.search, inside))
    )


def _entries(heading: str, section: str) -> Mapping[str, Entry]:
    """What a section of a catalogue has, by its whole keys."""
    lines = _entry_lines(heading, section)
    if lines is None:
        return _flat(tomllib.loads(section))
    prefix = f"{heading}." if heading else ""
    return LazyDict({f"{prefix}{key}": line for key, line in lines.items()}, _entry)


def _entry(key: str, line: str) -> Entry:
    (entry,) = tomllib.loads(line).values()
    return cast("Entry", entry)


def _entry_lines(heading: str, section: str) -> dict[str, str] | None:
    """The lines of a section by their keys; none where any is not an entry of its own."""
    if _LONG in section or any(mark in section for mark in _DOUBTFUL):
        return None
    found: dict[str, str] = {}
    for line in section.split("\n"):
        if not line or line[0] == "#" or line == f"[{heading}]":
            continue
        key, _, value = line.partition(" = ")
        is_entry = value.startswith(_ENTRY) and value.endswith("}") and _is_bare(key)
        if not is_entry or key in found:
            return None
        found[key] = line
    return found


def _is_bare(key: str) -> bool:
    """Whether a key is written without quotes and dots."""
    return key.isascii() and f"_{key.replace('-', '_')}".isidentifier()


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for key, value in table.items():
        if "en" in value:
            entries[prefix + key] = value
        else:
            entries.update(_flat(value, f"{prefix}{key}."))
    return entries


KERNEL_WORDS = read_words("engines.kernel")


@cache
def catalogue(package: str) -> Catalogue:
    """The words of a game above those of all games: read once, whoever asks."""
    return read_words(package, KERNEL_WORDS)
