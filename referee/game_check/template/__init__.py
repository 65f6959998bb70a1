"""A game to start from: the files of a small package that is whole, and passes its own test."""

from __future__ import annotations

import keyword
import re
from importlib import resources

from engines.kernel import Flaw

_NAME = re.compile(r"[a-z][a-z0-9_]{1,29}")
FILES = {
    "pyproject.toml": "pyproject.txt",
    "README.md": "readme.txt",
    "{name}/__init__.py": "game.txt",
    "{name}/clauses.toml": "clauses.txt",
    "{name}/words.toml": "words.txt",
    "{name}/kits/{name}.toml": "kit.txt",
    "tests/cases.toml": "cases.txt",
    "tests/test_{name}.py": "test.txt",
}
"""Where each file goes, and what it is made from."""


def new_game(name: str) -> dict[str, str]:
    """The files of a new game by path. The name is that of a Python package."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Flaw("game_name", name=name)
    blanks = {"@name@": name, "@Name@": name.replace("_", " ").title(), "@XYZ@": _letters(name)}
    folder = resources.files(__package__)
    made = {}
    for path, source in FILES.items():
        text = folder.joinpath(source).read_text("utf-8")
        for blank, word in blanks.items():
            text = text.replace(blank, word)
        made[path.format(name=name)] = text
    return made


def _letters(name: str) -> str:
    """The three letters with which its clauses begin."""
    return (re.sub(r"[^a-z]", "", name) + "xx")[:3].upper()
