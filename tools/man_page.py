"""``python -m tools.man_page``: the manual page of the command line, in both languages.

It says what the help pages say; a test says when it is to be written anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from cli.exit_codes import EXIT_CODES
from cli.i18n import choose_language, say
from cli.main import COMMANDS, app
from engines.kernel.messages.catalogue import LANGUAGES, Language

FOLDER = Path(__file__).parents[1] / "cli" / "man"
PAGES: dict[Language, Path] = {"en": FOLDER / "referee.1", "fr": FOLDER / "fr" / "referee.1"}


HEADINGS = {
    "name": {"en": "Name", "fr": "Nom"},
    "synopsis": {"en": "Synopsis", "fr": "Synopsis"},
    "description": {"en": "Description", "fr": "Description"},
    "options": {"en": "Options", "fr": "Options"},
    "commands": {"en": "Commands", "fr": "Commandes"},
    "environment": {"en": "Environment", "fr": "Environnement"},
    "exit": {"en": "Exit status", "fr": "Code de retour"},
}
TITLE = {"en": "User commands", "fr": "Commandes utilisateur"}
NAME = {
    "en": "referee and replay real tabletop games",
    "fr": "arbitrer et revoir de vrais jeux de société",
}
SYNOPSIS = {"en": "[OPTIONS] COMMAND [ARGUMENTS]", "fr": "[OPTIONS] COMMANDE [ARGUMENTS]"}
ABOUT = {
    "en": """\
Every move of a game at a real table is checked against its rulebook, recorded, and can be
corrected, disputed, replayed, verified and exported. Begin with “referee help start”; every
command explains itself with \\-\\-help. Options may stand anywhere on the line.""",
    "fr": """\
Chaque action d’une partie à une vraie table est vérifiée d’après la règle, enregistrée, et peut
être corrigée, contestée, revue, vérifiée et exportée. Commencez par « referee help start » ;
chaque commande s’explique avec \\-\\-help. Les options se placent n’importe où sur la ligne.""",
}


def manual(lang: Language) -> str:
    """The page in roff, as ``man`` reads it."""
    choose_language(["--lang", lang], {})
    root: Any = typer.main.get_command(app)
    context = typer.Context(root)
    said = [
        f'.TH REFEREE 1 "" "referee" "{_text(TITLE[lang])}"',
        *_section("name", lang, f"referee \\- {_text(NAME[lang])}"),
        *_section("synopsis", lang, ".B referee", _text(SYNOPSIS[lang])),
        *_section("description", lang, ABOUT[lang]),
        *_section("options", lang, *_options(root)),
        *_section("commands", lang, *_commands(root, context)),
        *_section("environment", lang, *_environment()),
        *_section("exit", lang, *_exit_codes()),
    ]
    return "\n".join(said) + "\n"


def _section(key: str, lang: Language, *lines: str) -> list[str]:
    return [f'.SH "{_text(HEADINGS[key][lang].upper())}"', *lines]


def _options(command: Any) -> Iterator[str]:
    for param in command.params:
        yield from _item(", ".join(param.opts), say(f"option.{param.name}"))


def _commands(root: Any, context: Any) -> Iterator[str]:
    for group in dict.fromkeys(COMMANDS.values()):
        yield f'.SS "{_text(say(f"group.{group}"))}"'
        for name, own in COMMANDS.items():
            if own == group:
                yield from _command(root.get_command(context, name), name)


def _command(command: Any, path: str) -> Iterator[str]:
    command.write_help()
    subs = command.list_commands(None) if hasattr(command, "list_commands") else ()
    if not subs or path == "tournament":  # a desk of its own: its help pages list what it does
        words = [each.name.upper() for each in command.params if each.param_type_name == "argument"]
        yield from _item(" ".join((path, *words)), command.help)
        return
    for name in subs:
        yield from _command(command.get_command(None, name), f"{path} {name}")


def _environment() -> Iterator[str]:
    for line in say("topic.environment.text").strip().splitlines():
        yield from _item(*line.split(maxsplit=1))


def _exit_codes() -> Iterator[str]:
    for code, name in EXIT_CODES.items():
        yield from _item(str(code), say(f"exit.{name}"))


def _item(term: str, text: str) -> tuple[str, ...]:
    return ".TP", f".B {_text(term)}", _text(text)


def _text(text: str) -> str:
    """Text without what roff would read as its own: backslashes, hyphens, leading dots."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "\n".join(f"\\&{line}" if line[:1] in ".'" else line for line in escaped.splitlines())


def main() -> None:
    for lang in LANGUAGES:
        PAGES[lang].write_text(manual(lang), "utf-8")


if __name__ == "__main__":
    main()
