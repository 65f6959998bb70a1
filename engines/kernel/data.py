"""The one door to files: data shipped inside a game's package, read once.

Parsing TOML is slow, and a program that says three sentences needs few of a thousand: clauses
and words are parsed table by table. No line within a text of theirs may look like a heading.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import accumulate
from typing import Any

from engines.kernel.lazily import Lazily
from engines.kernel.words import Words

Entry = Mapping[str, str]

_HEADING = re.compile(r"\n\[([\w.-]+)\](?=\n)")


def read_toml(package: str, name: str) -> dict[str, Any]:
    """A TOML file of the package; empty if the package has none of that name."""
    return tomllib.loads(_text(package, name))


def read_tables(package: str, name: str) -> Mapping[str, dict[str, Any]]:
    """The same, each table parsed when it is first asked for."""
    sections = _sections(_text(package, name))
    if loose := tomllib.loads(sections.pop("")):
        raise ValueError(f"{name}: {', '.join(loose)} under no heading")
    raw: dict[str, str] = {}
    for heading, section in sections.items():
        table = heading.partition(".")[0]
        raw[table] = raw.get(table, "") + section
    return Lazily(raw, lambda table, text: tomllib.loads(text)[table])


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


def read_words(package: str, *fallbacks: Words) -> Words:
    return Words(_Entries(_text(package, "words.toml")), *fallbacks)


class _Entries(Mapping[str, Entry]):
    """The entries of a catalogue, parsed section by section."""

    def __init__(self, text: str) -> None:
        self._sections = Lazily(_sections(text), lambda _, toml: _flat(tomllib.loads(toml)))

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


def _text(package: str, name: str) -> str:
    file = resources.files(package).joinpath(name)
    return file.read_text("utf-8") if file.is_file() else ""


def _sections(text: str) -> dict[str, str]:
    """The lines under each heading of a TOML file, the heading included; ``""``: under none."""
    loose, *rest = _HEADING.split(f"\n{text}")
    bodies = zip(rest[::2], rest[1::2], strict=True)
    return {"": loose, **{heading: f"[{heading}]{body}\n" for heading, body in bodies}}


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for key, value in table.items():
        if "en" in value:
            entries[prefix + key] = value
        else:
            entries.update(_flat(value, f"{prefix}{key}."))
    return entries
