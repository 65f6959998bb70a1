"""The one door to files: data shipped inside a game's package, read once."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from engines.kernel.words import Words


def read_toml(package: str, name: str) -> dict[str, Any]:
    """A TOML file of the package; empty if the package has none of that name."""
    file = resources.files(package).joinpath(name)
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


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
    return Words(_flat(read_toml(package, "words.toml")), *fallbacks)


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, dict[str, str]]:
    entries: dict[str, dict[str, str]] = {}
    for key, value in table.items():
        if "en" in value:
            entries[prefix + key] = value
        else:
            entries.update(_flat(value, f"{prefix}{key}."))
    return entries
