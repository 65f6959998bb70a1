"""What the command line adds to a message can be typed, and belongs to a message that is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from answers.hints import FOLLOWS
from cli.hints import hint_words
from cli.main import app
from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.messages.package_data import read_words
from tests.cli.test_pages import BLOCK, PAGES
from tests.cli.transcripts import FOLDER
from tests.doors import OF_PAGES

PACKAGES = (
    "referee",
    "referee.tournament",
    "referee.season",
    "answers",
    "answers.tournament",
    "service",
)
SAID = {key for package in PACKAGES for key in read_words(package)}
HINTS = {key.removeprefix("hint."): hint_words().entry(key) or {} for key in hint_words()}
OF_DOOR = {"error.speaks_as_itself": "door.speaks_as_itself"}
"""Refusals of a service; over HTTP a problem has no group."""
ONLY_HINTS = {
    "adjust.stands", "dispute.appeal", "dispute.decide", "dispute.try_correction",
    "secret.elsewhere", "tell.both", "tell.forgotten", "tell.forgotten_there", "tell.happened",
    "tell.pending_help",
}  # fmt: skip
"""Nothing is said before these: they are lines of their own."""


def below(command: Any) -> dict[str, Any]:
    """The commands of a group; each is imported when it is asked for."""
    if not hasattr(command, "list_commands"):
        return {}
    return {name: command.get_command(None, name) for name in command.list_commands(None)}


def commands(text: str) -> list[list[str]]:
    """The command lines in a hint: the words that follow ``referee``."""
    return [found.split() for found in re.findall(r"\breferee ([^,·]*)", text)]


def options(command: Any) -> set[str]:
    own = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    return own.union(*(options(each) for each in below(command).values()))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_command_and_option_of_a_hint_is_there(lang: str) -> None:
    root = typer.main.get_command(app)
    known = options(root)
    for key, entry in HINTS.items():
        for words in commands(entry[lang]):
            command: Any = root
            for word in words:
                command = below(command).get(word, command)
            assert command is not root, (key, words)
        named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", entry[lang]))
        assert named <= known, key


def test_every_hint_belongs_to_a_message() -> None:
    """And each sentence that something could follow has one."""
    told = {OF_DOOR.get(key, key) for key in HINTS} - ONLY_HINTS
    assert {key for key in told if key.replace("error.", "store.") not in SAID} <= SAID
    sentences = {key for key in HINTS if key.partition(".")[0] not in ("error", "store")}
    assert sentences == {*FOLLOWS}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_no_transcript_speaks_as_a_page(file: Path) -> None:
    assert OF_PAGES.search(file.read_text("utf-8")) is None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_command_shown_in_the_docs_answers_as_a_page(page: Path) -> None:
    for block in BLOCK.findall(page.read_text("utf-8")):
        answers = [line for line in block.splitlines() if not line.startswith(("$ ", "# "))]
        assert OF_PAGES.search("\n".join(answers)) is None
