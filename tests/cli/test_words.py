"""Whatever people read stands in the catalogue, in both languages: none of it in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engines.kernel.messages.package_data import read_words

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "cli").rglob("*.py"), *(ROOT / "answers").rglob("*.py")])

_SENTENCE = re.compile(r"[^\W\d_]{2,}[ ,:;]+[^\W\d_]{2,}")
_WORD_IN_TEMPLATE = re.compile(r"(?:^|\s)[^\W\d_]{2,}(?:\s|$|:)")

NOT_FOR_PEOPLE = {
    "answers/judge/disputes.py": {"dispute show"},
    "answers/judge/rulings.py": {" correct ", " redo "},
    "answers/admin/maintenance.py": {"Python "},
    "answers/play/opening.py": {"table "},
    "answers/rulebooks/box_boards.py": {"data:image/jpeg;base64,"},
    "answers/declaration.py": {
        " does not ",
        ": an operation says who may ask it, not ",
        ": another request is called ",
        ": no method and path: ",
    },
    "answers/operations.py": {": two operations are called that"},
    "answers/permissions.py": {"no such role: "},
    "answers/play/declared_positions.py": {" first A"},
    "answers/tournament/standings.py": {"section:"},
    "cli/errors.py": {"referee: "},
    "cli/session.py": {"sqlite://"},
    "cli/i18n.py": {"referee "},
}
"""Names, command lines, what is only compared, and what authors of operations are told."""
QUOTING = {
    "cli/command_table.py",
    "cli/commands/demo.py",
    "cli/help_formatter.py",
    "answers/tournament/print_layout.py",
    "answers/judge/faq.py",
    "answers/judge/feed.py",
    "answers/request_names.py",
}
"""What is typed at the demo's table; what Typer says; HTML and Atom; names of operations."""


def named(file: Path) -> str:
    return str(file.relative_to(ROOT))


def texts(tree: ast.Module) -> Iterator[tuple[int, str, bool]]:
    """Line, text, and whether it is a piece of a template; no docstrings, no assertions."""
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        elif isinstance(node, ast.Assert) and node.msg is not None:
            silent.update(map(id, ast.walk(node.msg)))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    silent.add(id(part))
                    yield node.lineno, part.value, True
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.lineno, node.value, False


_OF_A_PROGRAM = re.compile(r"[a-z_.]+:\w+|text/[a-z]+; charset=utf-8")
"""Where a function is; a media type."""


def sentences(source: str) -> list[tuple[int, str]]:
    found = []
    for line, text, in_template in texts(ast.parse(source)):
        if _OF_A_PROGRAM.fullmatch(text):
            continue
        if _SENTENCE.search(text) or (in_template and _WORD_IN_TEMPLATE.search(text)):
            found.append((line, text))
    return found


def test_no_sentence_for_people_stands_in_the_code() -> None:
    found = {
        (named(file), text)
        for file in SOURCES
        if named(file) not in QUOTING
        for _, text in sentences(file.read_text("utf-8"))
    }
    known = {(file, text) for file, texts in NOT_FOR_PEOPLE.items() for text in texts}
    assert found - known == set()


def test_the_scan_finds_sentences() -> None:
    assert sentences('print("nothing was found")')
    assert sentences('x = f"{count} entries"')
    assert sentences('x = f"by {name}"')
    assert not sentences('"""A docstring is for readers."""\nsay("log.refused", line=3)')


def calls(name: str, sources: list[Path]) -> Iterator[tuple[str, str]]:
    """Where a function is called with a literal first argument: the file and that argument."""
    for file in sources:
        for called, argument in literal_calls(file):
            if called in (name, f"voice.{name}", f"self.voice.{name}"):
                yield str(file.relative_to(ROOT)), argument


@cache
def literal_calls(file: Path) -> list[tuple[str, str]]:
    """Every call with a literal first argument: what is called, and that argument."""
    return [
        (ast.unparse(node.func), str(node.args[0].value))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    ]


def catalogue() -> set[str]:
    """The keys of every catalogue a command may speak from."""
    rooms = ("engines/kernel", "referee", "replays", "answers", "cli", "service")
    folders = [file.parent for room in rooms for file in (ROOT / room).rglob("words.toml")]
    return {
        key
        for folder in folders
        for key in read_words(str(folder.relative_to(ROOT)).replace("/", "."))
    }


def test_every_message_that_is_said_is_in_the_catalogue() -> None:
    named = ("say", "said", "Phrase", "context.warn", "self.warn")
    said = {spot for name in named for spot in calls(name, SOURCES)}
    known = catalogue()
    assert len(said) > 300
    assert {(file, key) for file, key in said if key not in known} == set()


@pytest.mark.parametrize(
    "kind", ["Misused", "NotFound", "Conflicting", "Unfit", "HeldUp", "NotAllowed"]
)
def test_every_error_has_a_sentence(kind: str) -> None:
    folders = ("cli", "answers", "referee", "replays")
    sources = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    raised = set(calls(kind, sources))
    known = catalogue()
    assert raised
    assert {(file, key) for file, key in raised if f"error.{key}" not in known} == set()


def test_every_trouble_of_the_store_has_a_sentence() -> None:
    raised = set(calls("StoreError", sorted((ROOT / "referee" / "store").rglob("*.py"))))
    known = catalogue()
    assert raised
    assert {(file, key) for file, key in raised if f"store.{key}" not in known} == set()
