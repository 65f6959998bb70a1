"""The files of a game as its author wrote them: what its Python names, and on which line."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

Place = tuple[str, int | None]
CLAUSE = re.compile(r"[A-Z]{3}-[A-Z]+-[0-9]+[a-z]?")
HEARD = ("rule", "doubt", "effect", "claim", "proves", "clears")
"""How a hearing is called where it is given facts."""


KINDS = (ast.Constant, ast.Call, ast.ClassDef, ast.FunctionDef, ast.Import, ast.ImportFrom)


class NamedWord(NamedTuple):
    """A word in the Python of a game, and where it stands."""

    word: str
    place: Place


class Application(NamedTuple):
    """A clause that is applied: with which facts, and whether these are all."""

    clause: str
    how: str
    facts: frozenset[str]
    open: bool
    """Whether facts are handed on (``**facts``) that cannot be read off."""
    place: Place


class Sources:
    """The files of one package, read once."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._root = package.replace(".", "/")
        self._read: dict[str, list[str]] = {}

    @cached_property
    def _python(self) -> list[tuple[str, ast.Module]]:
        return [
            (name, ast.parse(file.read_text("utf-8")))
            for name, file in _files(resources.files(self.package), self._root)
            if name.endswith(".py")
        ]

    @cached_property
    def _nodes(self) -> list[tuple[str, ast.AST]]:
        return [
            (name, node)
            for name, tree in self._python
            for node in ast.walk(tree)
            if isinstance(node, KINDS)
        ]

    @cached_property
    def clauses(self) -> list[NamedWord]:
        """Every clause that is named, wherever."""
        return [
            NamedWord(node.value, (name, node.lineno))
            for name, node in self._nodes
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and CLAUSE.fullmatch(node.value)
        ]

    @cached_property
    def applications(self) -> list[Application]:
        """Every clause that is applied with its facts beside it."""
        found = []
        for name, call in self._calls:
            how = _called(call)
            clause = _text(call.args[0]) if call.args else None
            if how in HEARD and clause is not None and CLAUSE.fullmatch(clause):
                facts = frozenset(word.arg for word in call.keywords if word.arg)
                handed_on = any(word.arg is None for word in call.keywords)
                found.append(Application(clause, how, facts, handed_on, (name, call.lineno)))
        return found

    @cached_property
    def applied_openly(self) -> frozenset[str]:
        """The clauses whose every mention applies them, with facts that can all be read off."""
        mentions = Counter(each.word for each in self.clauses)
        mentions.subtract(each.clause for each in self.applications)
        handed_on = {each.clause for each in self.applications if each.open}
        return frozenset(c for c, left in mentions.items() if not left) - handed_on

    @cached_property
    def imports(self) -> list[NamedWord]:
        """The modules that are imported, by the first part of their names."""
        return [
            NamedWord(module.partition(".")[0], (name, node.lineno))
            for name, node in self._nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for module in _imported(node)
        ]

    @cached_property
    def duties(self) -> list[NamedWord]:
        """The kinds of duties that are put on an agenda by name."""
        return [*self._first_words("Duty", "kind")]

    @cached_property
    def readings(self) -> list[NamedWord]:
        return [*self._first_words("reading", "name")]

    @cached_property
    def sentences(self) -> list[NamedWord]:
        """The keys that ``speech.say`` is asked for."""
        return [
            NamedWord(key, (name, call.lineno))
            for name, call in self._calls
            if isinstance(call.func, ast.Attribute)
            and call.func.attr == "say"
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id == "speech"
            and call.args
            and (key := _text(call.args[0])) is not None
        ]

    def _first_words(self, called: str, keyword: str) -> Iterator[NamedWord]:
        for name, call in self._calls:
            if _called(call) != called:
                continue
            named = [word.value for word in call.keywords if word.arg == keyword]
            for value in (*call.args[:1], *named):
                if (word := _text(value)) is not None:
                    yield NamedWord(word, (name, call.lineno))

    @cached_property
    def _calls(self) -> list[tuple[str, ast.Call]]:
        return [(name, node) for name, node in self._nodes if isinstance(node, ast.Call)]

    def heading(self, file: str, key: str) -> Place:
        """Where a table or a key of a TOML file stands, as well as it can be told by its text."""
        place, lines = f"{self._root}/{file}", self._lines(file)
        if f"[{key}]" in lines:
            return place, lines.index(f"[{key}]") + 1
        last = re.compile(rf"(?:\[.*\.)?\"?{re.escape(key.rpartition('.')[2])}\"?\s*[\]=]")
        numbers = (number for number, line in enumerate(lines, start=1) if last.match(line))
        return place, next(numbers, None)

    def _lines(self, file: str) -> list[str]:
        if file not in self._read:
            found = resources.files(self.package).joinpath(file)
            text = found.read_text("utf-8") if found.is_file() else ""
            self._read[file] = [line.strip() for line in text.splitlines()]
        return self._read[file]

    def definition(self, name: str) -> Place:
        """Where a class or function is written."""
        for file, node in self._nodes:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
                return file, node.lineno
        return f"{self._root}/__init__.py", None


def _files(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.is_dir():
            yield from _files(file, f"{name}/{file.name}")
        else:
            yield f"{name}/{file.name}", file


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if not node.level else []


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def _text(node: ast.expr) -> str | None:
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else None
