"""The one door to files: TOML shipped inside a package, parsed once a process.

``tomli`` is the parser of the standard library, compiled: a short command spends most of its own
time on catalogues, and takes a tenth less by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import tomli

from engines.kernel.messages.catalogue import Catalogue


@cache
def read_toml(package: str, name: str) -> Mapping[str, Any]:
    """A TOML file of the package; empty if the package has none of that name."""
    file = resources.files(package).joinpath(name)
    return _parsed(package, file) if file.is_file() else {}


def _parsed(package: str, file: Traversable) -> dict[str, Any]:
    try:
        return tomli.loads(file.read_text("utf-8"))
    except tomli.TOMLDecodeError as error:
        raise ValueError(f"{package.replace('.', '/')}/{file.name}: {error}") from error


def read_tables(package: str, name: str) -> Mapping[str, Mapping[str, Any]]:
    """The same for a file that contains only tables."""
    whole = read_toml(package, name)
    if loose := [key for key, value in whole.items() if not isinstance(value, dict)]:
        raise ValueError(f"{name}: {', '.join(loose)} under no heading")
    return whole


def read_text(package: str, name: str) -> str | None:
    """A text file of the package; none if it has none of that name."""
    file = resources.files(package).joinpath(name)
    return file.read_text("utf-8") if file.is_file() else None


def kit_files(package: str) -> dict[str, dict[str, Any]]:
    """The kits shipped with a game, by id."""
    folder = resources.files(package).joinpath("kits")
    if not folder.is_dir():
        return {}
    kits = [
        _parsed(f"{package}.kits", file)
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    ]
    return {kit["kit"]: kit for kit in kits}


def read_words(package: str, *fallbacks: Catalogue) -> Catalogue:
    """The message catalogue of a package (``words.toml``), and those it falls back to."""
    return Catalogue(_flat(read_toml(package, "words.toml")), *fallbacks, package=package)


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Mapping[str, str]]:
    """Flatten nested tables: entries by their dotted keys."""
    entries: dict[str, Mapping[str, str]] = {}
    for key, value in table.items():
        if "en" in value:
            entries[prefix + key] = value
        else:
            entries.update(_flat(value, f"{prefix}{key}."))
    return entries


KERNEL_WORDS = read_words("engines.kernel")


@cache
def catalogue(package: str) -> Catalogue:
    """The words of a game above those of all games."""
    return read_words(package, KERNEL_WORDS)
