"""No import circles, neither of files nor of folders; known concepts bear their names; and the
document of the architecture says how large every room is."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import Field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import Struct

ROOT = Path(__file__).parents[1]
FOLDERS = ("engines", "referee", "replays", "answers", "cli", "service", "schemas")


def modules() -> dict[str, Path]:
    found = {}
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            parts = file.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imported(file: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules a file imports, also those it only imports for their types or when called."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if inside in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@cache
def import_graph() -> dict[str, set[str]]:
    known = modules()
    return {
        name: {other for other in imported(file, known) if other in known and other != name}
        for name, file in known.items()
    }


def children(package: str, imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """Which files and folders right inside a package import which others of them."""

    def child(module: str) -> str | None:
        inside = module.removeprefix(f"{package}.")
        return None if inside == module else inside.partition(".")[0]

    found: dict[str, set[str]] = {}
    for name, others in imports.items():
        if (importer := child(name)) is not None:
            found.setdefault(importer, set()).update(
                other for other in map(child, others) if other not in (None, importer)
            )
    return found


def circle(graph: dict[str, set[str]]) -> str | None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " → ".join(error.args[1])
    return None


def packages() -> list[str]:
    return sorted(name for name, file in modules().items() if file.name == "__init__.py")


def test_no_files_import_each_other_in_a_circle() -> None:
    imports = import_graph()
    assert sum(map(len, imports.values())) > 1000
    assert circle(imports) is None


@pytest.mark.parametrize("package", packages())
def test_no_folders_import_each_other_in_a_circle(package: str) -> None:
    """Files in a line can still make folders a circle: then neither can be read without the other.

    Every circle of folders is seen in the package that holds all of it.
    """
    assert circle(children(package, import_graph())) is None


def test_a_circle_of_folders_without_a_circle_of_files_is_seen() -> None:
    imports = {
        "house": set[str](),
        "house.kitchen": set[str](),
        "house.kitchen.oven": {"house.cellar.wood"},
        "house.kitchen.cup": set[str](),
        "house.cellar": set[str](),
        "house.cellar.wood": set[str](),
        "house.cellar.wine": {"house.kitchen.cup"},
    }
    assert circle(imports) is None
    assert circle(children("house", imports)) in (
        "kitchen → cellar → kitchen",
        "cellar → kitchen → cellar",
    )


CONCEPTS = {
    "middleware": "service/middleware.py",
    "authoris": "service/auth.py",
    "rate limit": "service/rate_limit.py",
    "CSRF": "service/csrf.py",
    "slowloris": "service/client_timeouts.py",
    "group commit": "referee/store/sqlite/group_commit.py",
    "thread pool": "service/thread_pool.py",
    "LRU": "referee/lru_cache.py",
    "memoi": "engines/kernel/values/memo.py",
    "lazy": "referee/record/lazy.py",
    "backoff": "referee/store/sqlite/connection.py",
    "idempoten": "referee/tournament/idempotency.py",
    "snapshot": "referee/record/snapshots.py",
    "projection": "referee/store/derived/projections.py",
    "redact": "referee/secrecy/redaction.py",
    "optimistic concurrency": "referee/store/expected_version.py",
    "hash chain": "referee/store/hash_chain.py",
    "request smuggling": "service/middleware.py",
}


@pytest.mark.parametrize("word", CONCEPTS)
def test_who_searches_for_a_known_concept_finds_its_module(word: str) -> None:
    """It stands in the docstring of the module, of one of its classes or of its functions."""
    file = ROOT / CONCEPTS[word]
    nodes = ast.walk(ast.parse(file.read_text("utf-8")))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, documented)]
    assert any(word.lower() in " ".join(doc.split()).lower() for doc in docs)


def subclasses(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def test_no_value_has_the_description_of_a_default_for_a_default() -> None:
    """``dataclasses.field`` in a ``Struct`` is taken for a value, and nobody says so."""
    for name in import_graph():
        import_module(name)
    structs = list(subclasses(Struct))
    assert len(structs) > 50
    wrong = [
        each.__qualname__
        for each in structs
        if any(isinstance(value, Field) for value in each.__struct_defaults__)
    ]
    assert wrong == []


ARCHITECTURE = ROOT / "docs" / "architecture.md"
ROOMS = {
    "engines": "*.py",
    "referee": "*.py",
    "replays": "*.py",
    "answers": "*.py",
    "service": "*.py",
    "cli": "*.py",
    "schemas": "*.py",
    "service/static": "*.js",
    "tools": "*.py",
    "tests": "*.py",
}
"""What is counted of each room."""
FOREIGN = {"node_modules", "0.1.0", "0.2.0"}
"""What npm brings is none of ours, and what was written for a release is kept as it was."""


def hundreds(room: str) -> int:
    files = (file for file in (ROOT / room).rglob(ROOMS[room]) if FOREIGN.isdisjoint(file.parts))
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    return round(lines, -2)


def size_rows() -> str:
    sizes = {room: hundreds(room) for room in ROOMS}
    product = sum(size for room, size in sizes.items() if room in FOLDERS)
    rows = [f"| `{room}/` {ROOMS[room]} | {size:,} |" for room, size in sizes.items()]
    return "\n".join([*rows, f"| product, Python | {product:,} |"])


def test_the_document_says_how_large_every_room_is() -> None:
    """So that growth is seen in every review. ``REFEREE_REWRITE=1`` writes the table anew."""
    text, rows = ARCHITECTURE.read_text("utf-8"), size_rows()
    table = re.compile(r"(?<=\| lines \|\n\| --- \| ---: \|\n)(\|.*\n)*?\| product.*")
    if os.environ.get("REFEREE_REWRITE"):
        text = table.sub(rows, text)
        ARCHITECTURE.write_text(text, "utf-8")
    shown = table.search(text)
    assert shown is not None
    assert shown.group() == rows, "make quotes writes it anew"
