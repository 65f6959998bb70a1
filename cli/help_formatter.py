"""Help pages and usage errors in the user's language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import typer

from cli.i18n import knows, say
from cli.typer_internals import HelpFormatter

_HEADINGS = {"Arguments": "help.arguments", "Options": "help.options", "Commands": "help.commands"}
_ARGUMENT = re.compile(r"\{[a-z_]+\}|\[[a-z_]+\]")
_BLANK = re.compile(r"[a-z_]+")
_METAVAR = re.compile(r"<([a-z ]+)>")
_REMARKS = re.compile(r"\b(required|default|env var)\b:?")


class SpokenContext(typer.Context):
    """Typer context that fills in the localised help texts just before they are shown."""

    command: Any

    def make_formatter(self) -> HelpFormatter:
        self.command.write_help()
        return SpokenFormatter(width=self.terminal_width, max_width=self.max_content_width)


class SpokenFormatter(HelpFormatter):
    """Typer's help layout in the user's language; placeholders are in capitals."""

    _heading = ""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        rest = args.replace("COMMAND [ARGS]...", say("help.command_args"))
        rest = _ARGUMENT.sub(lambda match: _BLANK.sub(_blank, match.group().strip("{}")), rest)
        super().write_usage(prog, rest, prefix or say("help.usage") + " ")

    def write_heading(self, heading: str) -> None:
        self._heading = heading
        spoken = say(_HEADINGS[heading]) if heading in _HEADINGS else heading
        self.write(" " * self.current_indent + say("help.heading", heading=spoken) + "\n")

    def write_dl(
        self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        spoken = [(self._term(term), _remarked(text)) for term, text in rows]
        super().write_dl(spoken, col_max, col_spacing)

    def _term(self, term: str) -> str:
        if self._heading == "Arguments":
            return _BLANK.sub(_blank, term)
        return _METAVAR.sub(_metavar, term)


def _blank(match: re.Match[str]) -> str:
    """The placeholder of an argument: its localised name in capitals."""
    key = f"placeholder.{match.group()}"
    return (say(key) if knows(key) else match.group()).upper()


def _metavar(match: re.Match[str]) -> str:
    key = f"help.metavar.{match.group(1).replace(' ', '_')}"
    return f"<{say(key)}>" if knows(key) else match.group(0)


def _remarked(text: str) -> str:
    """Translate Typer's remarks in brackets behind an option's text (required, default…)."""
    if text == "Show this message and exit.":
        return say("option.help")
    told, bracket, remarks = text.rpartition("  [")
    if not bracket:
        return text

    def spoken(match: re.Match[str]) -> str:
        return say(f"help.remark.{match.group(1).replace(' ', '_')}")

    return told + bracket + _REMARKS.sub(spoken, remarks.replace("; ", say("help.remark.next")))


# wrong usage

_MESSAGES = (
    (re.compile(r"No such command '(?P<command>[^']*)'"), "usage.no_such_subcommand"),
    (re.compile(r"Missing command"), "usage.missing_command"),
    (re.compile(r"Got unexpected extra argument\(s\) \((?P<words>.*)\)"), "usage.too_many"),
)


def usage_sentence(error: Any) -> str:
    """The localised message for a usage error of Typer, chosen by the error's class."""
    kind = type(error).__name__
    if kind == "NoArgsIsHelpError":
        return say("usage.missing_command")
    if kind == "NoSuchOption":
        near = _options_like(error.option_name, error.ctx)
        key = "usage.no_such_option_near" if near else "usage.no_such_option"
        return say(key, option=error.option_name, near=near)
    if kind == "BadOptionUsage":
        needs = "requires" in error.message
        key = "usage.option_needs_value" if needs else "usage.option_takes_none"
        return say(key, option=error.option_name)
    if kind == "MissingParameter":
        return say("usage.missing", what=_shown(error.param))
    if kind == "BadParameter" and error.param is not None:
        return _bad_value(error)
    for pattern, key in _MESSAGES:
        if found := pattern.search(error.message):
            return say(key, **found.groupdict())
    return str(error.format_message())


def _options_like(typed: str, ctx: Any) -> list[str]:
    """The options of a command, and of the whole program, that are spelt nearly so."""
    contexts = () if ctx is None else {ctx, ctx.find_root()}
    known = [each for one in contexts for param in one.command.params for each in param.opts]
    known += [] if ctx is None else ctx.help_option_names
    return get_close_matches(typed, known, n=3, cutoff=0.75)


def _bad_value(error: Any) -> str:
    what, kind = _shown(error.param), error.param.type
    if kind.name == "int":
        return say("usage.not_a_number", what=what)
    if kind.name == "int range" and kind.max is None:
        return say("usage.too_small", what=what, least=kind.min)
    if kind.name == "int range":
        return say("usage.out_of_range", what=what, least=kind.min, most=kind.max)
    if kind.name == "float range":
        return say("usage.out_of_bounds", what=what, least=kind.min, most=kind.max)
    if kind.name == "choice":
        return say("usage.not_a_choice", what=what, choices=[str(word) for word in kind.choices])
    return say("usage.bad_value", what=what, problem=error.message)


def _shown(param: Any) -> str:
    """How a parameter is written: its longest option, or the name of the argument."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return _BLANK.sub(_blank, str(param.name))
