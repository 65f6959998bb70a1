"""The house stands as its drawing says: no files in a circle, few places that know a secret."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

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


def test_no_files_import_each_other_in_a_circle() -> None:
    known = modules()
    imports = {
        name: {other for other in imported(file, known) if other in known and other != name}
        for name, file in known.items()
    }
    assert sum(map(len, imports.values())) > 1000
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as circle:
        raise AssertionError(" → ".join(circle.args[1])) from None
