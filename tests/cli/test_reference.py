"""The reference page says what the program says. ``REFEREE_REWRITE=1`` writes its tables anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import typer

from cli.exits import EXIT_CODES
from cli.main import COMMANDS, app
from tests.cli.test_help import PAGES
from tests.speaking import PROGRAM_WORDS as WORDS

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def english(key: str) -> str:
    entry = WORDS.entry(key)
    assert entry is not None, key
    return str(entry["en"])


def commands() -> str:
    """A table for every group, a row for every command."""
    parts = []
    for group in dict.fromkeys(COMMANDS.values()):
        rows = [
            (f"`{' '.join(page.path)}`", english(f"{page.key}.about"))
            for page in PAGES
            if COMMANDS[page.path[0]] == group and not page.is_group
        ]
        parts.append(f"### {english(f'group.{group}')}\n\n" + table(("command", ""), rows))
    return "\n\n".join(parts)


def options() -> str:
    root = typer.main.get_command(app)
    rows = [
        (", ".join(f"`{word}`" for word in param.opts), english(f"option.{param.name}"))
        for param in root.params
    ]
    return table(("option", ""), rows)


def exit_codes() -> str:
    rows = [(str(code), english(f"exit.{name}")) for code, name in EXIT_CODES.items()]
    return table(("code", ""), rows)


def environment() -> str:
    lines = english("topic.environment.text").strip().splitlines()
    rows = [(f"`{name}`", meaning) for name, meaning in (line.split(maxsplit=1) for line in lines)]
    return table(("variable", ""), rows)


def table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    return "\n".join(f"| {left} | {right} |" for left, right in (head, ("---", "---"), *rows))


PARTS = {
    "commands": commands,
    "options": options,
    "exit-codes": exit_codes,
    "environment": environment,
}


@pytest.mark.parametrize("part", PARTS)
def test_the_page_has_the_tables_of_the_program(part: str) -> None:
    text = PAGE.read_text("utf-8")
    between = re.compile(rf"(<!-- {part} -->\n)(.*?)(<!-- /{part} -->)", re.DOTALL)
    made = f"\n{PARTS[part]()}\n\n"
    if os.environ.get("REFEREE_REWRITE"):
        PAGE.write_text(between.sub(lambda found: found[1] + made + found[3], text), "utf-8")
    found = between.search(text)
    assert found is not None
    assert found[2] == made


def test_every_variable_of_the_program_is_on_the_page() -> None:
    sources = "".join(file.read_text("utf-8") for file in (PAGE.parents[1] / "cli").rglob("*.py"))
    used = set(re.findall(r"\"(REFEREE_[A-Z]+|NO_COLOR|FORCE_COLOR|XDG_[A-Z_]+)\"", sources))
    assert {"REFEREE_STORE", "NO_COLOR"} <= used
    assert {name for name in used if f"`{name}`" not in PAGE.read_text("utf-8")} == set()
