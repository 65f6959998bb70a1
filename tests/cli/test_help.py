"""Every command and every option is explained in both languages; the examples can be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import typer

from answers.i18n import Voice
from cli.exit_codes import EXIT_CODES
from cli.i18n import choose_language, speak_with
from cli.main import COMMANDS, LazyCommands, app, global_options_first
from engines.kernel.messages.catalogue import LANGUAGES, Language
from tests.cli.transcripts import run
from tests.speaking import PROGRAM_WORDS as WORDS


class Page(NamedTuple):
    """A command, the words that lead to it, and the key of its texts."""

    path: tuple[str, ...]
    command: Any

    @property
    def key(self) -> str:
        return ".".join(("command", *self.path))

    def about(self, lang: Language) -> str:
        speak_with(Voice(lang, WORDS))
        self.command.write_help()
        return str(self.command.help)

    @property
    def is_group(self) -> bool:
        return hasattr(self.command, "list_commands")


def pages() -> Iterator[Page]:
    root = typer.main.get_command(app)
    assert isinstance(root, LazyCommands)
    for name in COMMANDS:
        command = root.get_command(None, name)
        command.write_help()
        yield Page((name,), command)
        for sub in command.list_commands(None) if hasattr(command, "list_commands") else ():
            below = command.get_command(None, sub)
            below.write_help()
            yield Page((name, sub), below)


PAGES = list(pages())


def said(key: str) -> dict[str, str]:
    entry = WORDS.entry(key)
    return dict(entry) if entry else {}


def unexplained(page: Page) -> Iterator[str]:
    """What of a command is not explained in both languages."""
    both = set(LANGUAGES)
    if not all(page.about(lang) for lang in LANGUAGES):
        yield "itself"
    for param in page.command.params:
        own, common = said(f"{page.key}.{param.name}"), said(f"option.{param.name}")
        argument = param.param_type_name == "argument"
        if not (
            both <= set(own or common)
            and param.help
            and (not argument or both <= set(said(f"placeholder.{param.name}")))
        ):
            yield param.name
    if not page.is_group and page.command.params and not both <= set(said(f"{page.key}.examples")):
        yield "examples"


def test_every_command_and_option_is_explained_in_both_languages() -> None:
    assert {page.key: missing for page in PAGES if (missing := [*unexplained(page)])} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_examples_can_be_typed(lang: Language) -> None:
    for page in (page for page in PAGES if not page.is_group):
        for line in said(f"{page.key}.examples").get(lang, "").strip().splitlines():
            for part in line.split(" && "):
                words = shlex.split(re.split(r" [<>] ", part)[0])
                assert words[0] == "referee", line
                parsed = _parsed(words[1:])
                assert part is not line or parsed == page.path, line


def _parsed(words: list[str]) -> tuple[str, ...]:
    """The path of the command a line calls; Typer objects to what it cannot read."""
    choose_language([], {})
    root = typer.main.get_command(app)
    context = root.make_context("referee", global_options_first(words))
    path: list[str] = []
    command: Any = root
    while hasattr(command, "resolve_command"):
        rest = [*context._protected_args, *context.args]
        name, command, rest = command.resolve_command(context, rest)
        path.append(name)
        context = command.make_context(name, rest, parent=context)
    return tuple(path)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_help_page_speaks_one_language(lang: Language) -> None:
    foreign = {
        "fr": r"Show this|\bCommands:|\[required|\[default|Usage: ",
        "en": r"Usage\s:|Afficher",
    }
    for page in PAGES:
        out, code = run(f"referee {' '.join(page.path)} --help --lang {lang}")
        assert code == 0, page.path
        assert page.about(lang) in re.sub(r"[ \n]+", " ", out)
        assert not re.search(foreign[lang], out), out
        assert "completion" not in out or page.path[0] == "completion"


WRONG = {
    "undo --nonsense": ("unknown option --nonsense", "option inconnue\u202f: --nonsense"),
    "undo --t 3": ("did you mean --to?", "vouliez-vous dire --to\u202f?"),
    "undo --lnag fr": ("did you mean --lang", "vouliez-vous dire --lang"),
    "log --hlep": ("did you mean --help", "vouliez-vous dire --help"),
    "undo one": ("COUNT must be a whole number", "NOMBRE doit être un nombre entier"),
    "undo 0": ("1 or more", "au moins 1"),
    "undo --to": ("--to needs a value", "--to demande une valeur"),
    "undo 1 2 3": ("too many arguments: 2 3", "arguments en trop\u202f: 2 3"),
    "games --open=yes": ("--open takes no value", "--open ne prend pas de valeur"),
    "open": ("missing: GAME", "il manque PARTIE"),
    "kit shwo": ("did you mean show?", "vouliez-vous dire show\u202f?"),
    "tournament players ad": ("did you mean add?", "vouliez-vous dire add\u202f?"),
    "kit nonsense": (
        "unknown command “nonsense”",
        "commande inconnue\u202f: «\u202fnonsense\u202f»",
    ),
    "-q": ("which command?", "quelle commande\u202f?"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("line", WRONG)
def test_wrong_usage_is_told_in_the_language_of_the_user(line: str, lang: str) -> None:
    out, code = run(f"referee {line} --lang {lang}")
    assert code == 2
    assert WRONG[line][LANGUAGES.index(lang)] in out  # type: ignore[arg-type]


@pytest.mark.parametrize("line", ["referee", "referee kit", "referee keys"])
def test_a_command_that_needs_more_shows_its_help(line: str) -> None:
    out, code = run(line)
    assert code == 2
    assert out.startswith("Usage: referee")


def test_exit_codes_are_told_in_both_languages() -> None:
    for lang in LANGUAGES:
        out, _ = run(f"referee help exit-codes --lang {lang}")
        assert [line.split()[0] for line in out.splitlines()] == [str(c) for c in EXIT_CODES]
