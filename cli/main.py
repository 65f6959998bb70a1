"""Command-line program: global options, lazily loaded commands, errors and exit codes."""

import codecs
import gc
import os
import sys
from functools import cache, partial
from io import TextIOWrapper
from typing import Annotated, Any
from unicodedata import normalize

import typer

from cli.command_builder import COMPLETING, CommandGroup, LazyGroup
from cli.command_table import TABLE
from cli.errors import report
from cli.help_formatter import SpokenContext
from cli.i18n import choose_language, say, version_line
from cli.typer_internals import completion_init

COMMANDS = {name: group for group, commands in TABLE.items() for name in commands}
"""Every command and the group it is listed under."""
_VALUED = {"--store", "-g", "--game", "--lang", "--as", "--token", "--color"}
_FLAGS = {"--json", "--no-input", "-q", "--quiet", "-v", "--verbose", "--version"}
OBJECTS_BEFORE_COLLECTING = 100_000
"""GC threshold of the youngest generation."""


class LazyCommands(LazyGroup):
    """The program's own group: it lists its commands by subject."""

    rows = CommandGroup(
        {name: row for commands in TABLE.values() for name, row in commands.items()}
    )

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for group, commands in TABLE.items():
            with formatter.section(say(f"group.{group}")):
                formatter.write_dl([self.listed(name) for name in commands])


app = typer.Typer(
    cls=LazyCommands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def root(
    ctx: typer.Context,
    store: Annotated[str | None, typer.Option("--store", envvar="REFEREE_STORE")] = None,
    game: Annotated[str | None, typer.Option("-g", "--game", envvar="REFEREE_GAME")] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    lang: Annotated[str | None, typer.Option("--lang", envvar="REFEREE_LANG")] = None,
    author: Annotated[str | None, typer.Option("--as", envvar="REFEREE_AS")] = None,
    token: Annotated[str | None, typer.Option("--token", envvar="REFEREE_TOKEN")] = None,
    color: Annotated[str, typer.Option("--color", metavar="WHEN")] = "auto",
    no_input: Annotated[bool, typer.Option("--no-input")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose")] = False,
    version: Annotated[bool, typer.Option("--version")] = False,
) -> None:
    from cli.session import begin

    begin(**ctx.params)


def global_options_first(arguments: list[str]) -> list[str]:
    """Global options may stand anywhere before ``--``: bring them to the front."""
    front: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        name, sign, _ = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif word in _FLAGS or (sign and name in _VALUED):
            front.append(word)
        elif word in _VALUED:
            front += [word, *[value for value in (next(words, None),) if value is not None]]
        else:
            rest.append(word)
    return front + rest


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the answer is the exit code."""
    words = global_options_first(list(sys.argv[1:] if arguments is None else arguments))
    choose_language(words, os.environ)
    if "--version" in _before_dashes(words):
        print(version_line())
        return 0
    return _run(words)


def _before_dashes(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


@cache
def _root() -> Any:
    """The Click command, memoized: a shell runs many lines."""
    return typer.main.get_command(app)


def _run(words: list[str]) -> int:
    from cli.arguments import refuse_bytes

    command = _root()
    command.context_class = SpokenContext
    command.write_help = partial(_write_root_help, command)
    if COMPLETING in os.environ:
        from cli.completions import complete_values

        completion_init()
        complete_values(command, "command")
    try:
        refuse_bytes(words)
        code = command.main(args=words, prog_name="referee", standalone_mode=False)
    except BaseException as error:
        options = set(_before_dashes(words))
        return report(error, "--json" in options, bool({"-v", "--verbose"} & options))
    return code if isinstance(code, int) else 0


def _write_root_help(command: Any) -> None:
    command.help = say("command.about")
    command.epilog = say("help.more")
    for param in command.params:
        param.help = say(f"option.{param.name}")


def run() -> None:
    """Run the program with the arguments of the process."""
    # Looking for plugins of Pydantic in every installed package takes a while.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _settle_streams()
    # GC tuning. Most commands end before there is garbage worth collecting: without a collection
    # while loading, nor a last one at the end, `referee state` takes 0.73 s instead of 0.91 s.
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    code = main()
    if "cli.session" in sys.modules:
        from cli.session import close_session

        close_session()
    gc.freeze()  # the interpreter collects once more when it exits; it skips what is frozen
    sys.exit(code)


def _settle_streams() -> None:
    """Set the encoding error handlers of stdin, stdout and stderr; a closed one is the null device.

    Output replaces what the terminal's encoding lacks, input keeps bytes that are no text so that
    they can be refused, and a service without a standard stream must not fail.
    """
    codecs.register_error("simpler", _simpler)
    for name, errors in (
        ("stdin", "surrogateescape"),
        ("stdout", "simpler"),
        ("stderr", "simpler"),
    ):
        stream = getattr(sys, name)
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


_ASCII = {
    "✔": "ok", "✘": "x", "→": "->", "←": "<-", "·": "-", "–": "-", "—": "-", "−": "-",
    "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "…": "...", "×": "x", "÷": "/",
    "±": "+-", "≥": ">=", "≤": "<=", "œ": "oe", "Œ": "OE",
}  # fmt: skip


def _simpler(error: UnicodeError) -> tuple[str, int]:
    """Encoding error handler: what the terminal cannot show has a stand-in of plain letters."""
    assert isinstance(error, UnicodeEncodeError)
    unknown = error.object[error.start : error.end]
    return "".join(map(_plain, unknown)), error.end


def _plain(sign: str) -> str:
    if sign.isspace():
        return " "
    without_accents = normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return _ASCII.get(sign) or without_accents or "?"


if __name__ == "__main__":
    run()
