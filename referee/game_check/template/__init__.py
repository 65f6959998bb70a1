"""Games to start from: the files of a small package that is whole, and passes its own test.

There are two: ``open``, where all lies on the table, and ``hidden``, where everybody has a hand.
"""

from __future__ import annotations

import keyword
import re
from importlib import resources

from engines.kernel import Flaw

_NAME = re.compile(r"[a-z][a-z0-9_]{1,29}")
FILES = {
    "pyproject.toml": "pyproject.txt",
    "README.md": "{start}/readme.txt",
    "{name}/__init__.py": "{start}/game.txt",
    "{name}/clauses.toml": "{start}/clauses.txt",
    "{name}/words.toml": "{start}/words.txt",
    "{name}/kits/{name}.toml": "{start}/kit.txt",
    "tests/cases.toml": "{start}/cases.txt",
    "tests/test_{name}.py": "test.txt",
}
"""Where each file goes, and what it is made from."""


def new_game(name: str, *, hidden: bool = False) -> dict[str, str]:
    """The files of a new game by path. The name is that of a Python package.

    ``hidden``: a game of hands that only their seats know, instead of one that lies open.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Flaw("game_name", name=name)
    blanks = {"@name@": name, "@Name@": name.replace("_", " ").title(), "@XYZ@": _letters(name)}
    folder, start = resources.files(__package__), "hidden" if hidden else "open"
    made = {}
    for path, source in FILES.items():
        text = folder.joinpath(source.format(start=start)).read_text("utf-8")
        for blank, word in blanks.items():
            text = text.replace(blank, word)
        made[path.format(name=name)] = text
    return made


def _letters(name: str) -> str:
    """The three letters with which its clauses begin."""
    return (re.sub(r"[^a-z]", "", name) + "xx")[:3].upper()
