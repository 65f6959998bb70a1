"""The reference pages say what the program says. ``REFEREE_REWRITE=1`` writes their tables anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import typer

from cli.exit_codes import EXIT_CODES
from cli.i18n import choose_language
from cli.main import COMMANDS, app
from engines.kernel.messages.catalogue import LANGUAGES, Language
from tests.cli.test_help import PAGES
from tests.speaking import PROGRAM_WORDS as WORDS
from tools import man_page

DOCS = Path(__file__).parents[2] / "docs"
REFERENCES: dict[Language, Path] = {"en": DOCS / "cli.md", "fr": DOCS / "fr" / "cli.md"}
HEADS: dict[Language, dict[str, str]] = {
    "en": {"commands": "command", "options": "option", "codes": "code", "variables": "variable"},
    "fr": {"commands": "commande", "options": "option", "codes": "code", "variables": "variable"},
}


def told(key: str, lang: Language) -> str:
    entry = WORDS.entry(key)
    assert entry is not None, key
    return str(entry[lang])


def commands(lang: Language) -> str:
    """A table for every group, a row for every command."""
    parts = []
    for group in dict.fromkeys(COMMANDS.values()):
        rows = [
            (f"`{' '.join(page.path)}`", page.about(lang))
            for page in PAGES
            if COMMANDS[page.path[0]] == group and not page.is_group
        ]
        title = told(f"group.{group}", lang)
        parts.append(f"### {title}\n\n" + table(HEADS[lang]["commands"], rows))
    return "\n\n".join(parts)


def options(lang: Language) -> str:
    root = typer.main.get_command(app)
    rows = [
        (", ".join(f"`{word}`" for word in param.opts), told(f"option.{param.name}", lang))
        for param in root.params
    ]
    return table(HEADS[lang]["options"], rows)


def exit_codes(lang: Language) -> str:
    rows = [(str(code), told(f"exit.{name}", lang)) for code, name in EXIT_CODES.items()]
    return table(HEADS[lang]["codes"], rows)


def environment(lang: Language) -> str:
    lines = told("topic.environment.text", lang).strip().splitlines()
    rows = [(f"`{name}`", meaning) for name, meaning in (line.split(maxsplit=1) for line in lines)]
    return table(HEADS[lang]["variables"], rows)


def table(head: str, rows: list[tuple[str, str]]) -> str:
    lines = ((head, ""), ("---", "---"), *rows)
    return "\n".join(f"| {left} | {right} |" for left, right in lines)


PARTS = {
    "commands": commands,
    "options": options,
    "exit-codes": exit_codes,
    "environment": environment,
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("part", PARTS)
def test_the_page_has_the_tables_of_the_program(part: str, lang: Language) -> None:
    text = REFERENCES[lang].read_text("utf-8")
    between = re.compile(rf"(<!-- {part} -->\n)(.*?)(<!-- /{part} -->)", re.DOTALL)
    made = f"\n{PARTS[part](lang)}\n\n"
    if os.environ.get("REFEREE_REWRITE"):
        REFERENCES[lang].write_text(
            between.sub(lambda found: found[1] + made + found[3], text), "utf-8"
        )
    found = between.search(text)
    assert found is not None
    assert found[2] == made


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_manual_page_says_what_the_help_pages_say(lang: Language) -> None:
    made = man_page.manual(lang)
    choose_language([], {})
    if os.environ.get("REFEREE_REWRITE"):
        man_page.PAGES[lang].write_text(made, "utf-8")
    assert man_page.PAGES[lang].read_text("utf-8") == made


def test_every_variable_of_the_program_is_on_the_pages() -> None:
    sources = "".join(file.read_text("utf-8") for file in (DOCS.parent / "cli").rglob("*.py"))
    used = set(re.findall(r"\"(REFEREE_[A-Z]+|NO_COLOR|FORCE_COLOR|XDG_[A-Z_]+)\"", sources))
    assert {"REFEREE_STORE", "NO_COLOR"} <= used
    for page in REFERENCES.values():
        assert {name for name in used if f"`{name}`" not in page.read_text("utf-8")} == set()
