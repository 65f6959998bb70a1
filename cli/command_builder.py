"""Builds commands from rows of the table: what a function takes becomes arguments and options.

A parameter that may be given by position is an argument, one that may only be given by name an
option of that name, a bool a flag; types and limits are those of the function. A row says only what
is spelt otherwise. A function is imported when its command is called (lazy loading).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from inspect import Parameter, Signature, signature
from operator import not_
from types import GenericAlias, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import typer
from typer.core import TyperGroup

from cli.help_formatter import SpokenContext
from cli.i18n import knows, learn, say

if TYPE_CHECKING:
    from cli.session import Session

COMPLETING = "_REFEREE_COMPLETE"
"""Environment variable by which a shell's completion script asks for candidates."""


class Command(NamedTuple):
    """A row: ``module:function``, and how its parameters are spelt where that is not usual.

    A spelling is a name, options or both: ``names="name"`` is the argument NAME, ``"[name]"`` one
    that may be missing, ``"{team}"`` one that may not, ``"words..."`` all that follows as one text,
    ``seat="by --by"`` an option that help texts call ``by``; ``"file @module:function"`` is read by
    that function, and ``""`` leaves a parameter out.
    """

    function: str
    spelling: Mapping[str, str]
    creates: bool = False
    """It may create a missing store."""
    keyed: bool | None = None
    """It takes an idempotency key, ``--key``: as an operation does that writes, unless said."""
    takes_lines: bool = False
    """A word that looks like an option may be part of a line (``-1``)."""
    catalogues: Sequence[str] = ()
    """Packages whose messages it says besides."""


class CommandGroup(NamedTuple):
    """Commands below another one."""

    commands: Mapping[str, Command | CommandGroup]
    options: Command | None = None
    usual: str = ""
    """The command that may be left out."""
    catalogues: Sequence[str] = ()


def named(place: str) -> Any:
    """Import what ``module:name`` refers to."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def does(
    function: str,
    /,
    *,
    creates: bool = False,
    keyed: bool | None = None,
    takes_lines: bool = False,
    catalogues: Sequence[str] = (),
    **spelling: str,
) -> Command:
    return Command(function, spelling, creates, keyed, takes_lines, catalogues)


records = partial(does, keyed=True)
"""A row whose function has an operation record something, with the ``--key`` of the command."""


class LazyGroup(TyperGroup):
    """Command group that builds a command when it is called, and lists all without building any."""

    rows: CommandGroup
    key: str = "command"
    """Where its messages are in the catalogue."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.rows.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        row = self.rows.commands.get(cmd_name)
        if row is None:
            return None
        for package in row.catalogues:
            learn(package)
        command, key = _built(self, cmd_name), f"{self.key}.{cmd_name}"
        if COMPLETING in os.environ:
            from cli.completions import complete_values

            command.write_help()
            complete_values(command, key)
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known, usual = self.rows.commands, self.rows.usual
        if usual and args[0] not in known:
            args = [usual, *args]
        elif args[0] not in known:
            near = get_close_matches(args[0], known, n=3) or [*{"help"} & {*known}]
            if near:
                from referee.errors import Misused

                raise Misused("no_such_command", command=args[0], near=near)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([self.listed(name) for name in self.rows.commands])

    def listed(self, name: str) -> tuple[str, str]:
        return name, _about(self.rows.commands[name], f"{self.key}.{name}")


@cache
def _built(parent: LazyGroup, name: str) -> Any:
    """The Click command, memoized: building takes long, and a shell runs many."""
    row, key = parent.rows.commands[name], f"{parent.key}.{name}"
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    if isinstance(row, CommandGroup):
        callback = _callback(row.options) if row.options is not None else lambda: None
        app.callback(cls=LazyGroup, no_args_is_help=True)(callback)
    else:
        settings = {"ignore_unknown_options": True} if row.takes_lines else None
        app.command(context_settings=settings)(_callback(row))
    command: Any = typer.main.get_command(app)
    if isinstance(row, CommandGroup):
        command.rows, command.key = row, key
    command.name = name
    command.context_class = SpokenContext
    command.write_help = partial(_write_help, command, row, key)
    return command


def _about(row: Command | CommandGroup, key: str) -> str:
    """What a command is for; without words of its own, what the API's document says of it."""
    if knows(f"{key}.about") or isinstance(row, CommandGroup):
        return say(f"{key}.about")
    return f"{say(f'operation.{named(row.function).operations[0].name}')}."


def _write_help(command: Any, row: Command | CommandGroup, key: str) -> None:
    """Help, examples and option texts from the catalogue, when help is shown."""
    command.help = _about(row, key)
    command.epilog = None
    if knows(f"{key}.examples"):
        lines = say(f"{key}.examples").strip().splitlines()
        command.epilog = "\n".join((say("help.examples"), "\n\b", *(f"  {line}" for line in lines)))
    for param in command.params:
        own, common = f"{key}.{param.name}", f"option.{param.name}"
        if knows(own) or knows(common):
            param.help = say(own if knows(own) else common)


# what a function takes, and what is typed

_SUBJECTS: dict[str, Callable[[Session], str]] = {
    "game_id": lambda here: here.game_id(),
    "stream": lambda here: here.game_id(),
    "tournament": lambda here: _event("TOURNAMENT").id(here),
    "season": lambda here: _event("SEASON").id(here),
}
"""What an operation is about, behind its caller: the current one, or as a group's option says."""
_SUPPLIED: dict[str, Callable[[Session], Any]] = {
    "store_url": lambda here: here.own_store,
    "voice": lambda here: here.voice,
    "lang": lambda here: here.voice.lang,
    "ring": lambda here: named("cli.local_keys:key_ring")(),
    "keep": lambda here: named("cli.local_keys:secret_keep")(),
    "on_step": lambda here: named("cli.progress:progress_of")(),
}
"""What nobody types."""
_OF_ORGANISERS = ("answers.tournament", "answers.season", "answers.admin.access")
"""Modules whose operations the organiser asks, unless ``--as`` says who does."""
_OPTIONS = {
    "reason": "-m --reason",
    "output": "-o --output",
    "everything": "--all",
    "everybody": "--all",
}
"""Options that are not spelt as they are called."""
_NUMBERS_OF = frozenset(
    ("at", "count", "end", "entry", "number", "round", "start", "table", "tables", "through", "to")
)
"""Numbers of what is there. Who types one that is too high is told that it is not there."""


def _event(kind: str) -> Any:
    return named(f"cli.tournament.context:{kind}")


_KEY = Parameter("key", Parameter.KEYWORD_ONLY, default=None, annotation=str | None)


class _Typed(NamedTuple):
    """A parameter of a function, how Typer reads it, and what becomes of all that was typed."""

    name: str
    options: list[Parameter]
    read: Callable[[Mapping[str, Any]], Any]


def _callback(row: Command) -> Callable[..., Any]:
    """What Typer calls: it runs the function of a command, or asks an operation and answers."""
    function = named(row.function)
    parameters = _parameters(function)
    is_operation = not row.function.startswith("cli.")
    supplied = _supplied(list(parameters)) if is_operation else {}
    asked = [
        parameter
        for name, parameter in parameters.items()
        if name not in (*supplied, "caller") and row.spelling.get(name) != ""
    ]
    typed = [_typed(parameter, row.spelling) for parameter in asked]
    fields = (name for parameter in asked for name in _fields(parameter))
    if unknown := row.spelling.keys() - {*parameters, *fields}:
        raise TypeError(row.function, sorted(unknown))
    keyed = _takes_key(row, function)

    def called(**said: Any) -> Any:
        given = {name: read(said) for name, _, read in typed}
        if not (is_operation or keyed):
            return function(**given)
        from cli.session import session

        here = session(creates=row.creates)
        here.key = said.get("key") if keyed else None
        if not is_operation:
            return function(**given)
        given |= {name: supply(here) for name, supply in supplied.items()}
        positional = [
            given.pop(name)
            for name, parameter in parameters.items()
            if name in given and parameter.kind is not Parameter.KEYWORD_ONLY
        ]
        ask = partial(function)
        if "caller" in parameters:
            is_desk = row.function.startswith(_OF_ORGANISERS)
            ask = partial((here.organiser if is_desk else here.caller).ask, function)
        return here.answer(function, ask(*positional, **given))

    read = [*typed, _typed(_KEY, {})] if keyed else typed
    options = [option for parameter in read for option in parameter.options]
    called.__signature__ = Signature(options)  # type: ignore[attr-defined]
    called.__annotations__ = {}  # else Typer takes the type of ``said`` for an option called so
    return called


def _takes_key(row: Command, function: Callable[..., Any]) -> bool:
    if row.keyed is not None:
        return row.keyed
    return any(each.writes for each in getattr(function, "operations", ()))


def _parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    """What a function takes; at a desk, caller and tournament are its context (a decorator)."""
    parameters = signature(function, eval_str=True).parameters
    if "context" not in parameters:
        return dict(parameters)
    context, *others = parameters.values()
    about = [context.replace(name="caller"), context.replace(name="tournament")]
    return {parameter.name: parameter for parameter in (*about, *others)}


def _supplied(names: list[str]) -> dict[str, Callable[[Session], Any]]:
    subject = names[1] if names[:1] == ["caller"] and len(names) > 1 else ""
    about = {subject: _SUBJECTS[subject]} if subject in _SUBJECTS else {}
    return about | {name: _SUPPLIED[name] for name in names if name in _SUPPLIED}


def _fields(own: Parameter) -> Mapping[str, Parameter]:
    """The fields of a parameter that is a record: each of them is an option."""
    kind = own.annotation
    if not hasattr(kind, "__dataclass_fields__") and not hasattr(kind, "_fields"):
        return {}
    types = get_type_hints(kind, include_extras=True)
    return {
        name: part.replace(kind=Parameter.KEYWORD_ONLY, annotation=types[name])
        for name, part in signature(kind).parameters.items()
    }


def _typed(own: Parameter, spelling: Mapping[str, str]) -> _Typed:
    fields = _fields(own)
    if not fields:
        return _option(own, spelling.get(own.name, ""))
    parts = [
        _option(part, spelling.get(name, ""))
        for name, part in fields.items()
        if spelling.get(name) != ""
    ]

    def read(said: Mapping[str, Any]) -> Any:
        return own.annotation(**{part.name: part.read(said) for part in parts})

    return _Typed(own.name, [option for part in parts for option in part.options], read)


def _option(own: Parameter, spelling: str) -> _Typed:
    words = spelling.split()
    options = [word for word in words if word.startswith("-")]
    reader = next((named(word[1:]) for word in words if word.startswith("@")), None)
    called = next((word for word in words if word[0] not in "-@"), own.name)
    name = called.strip("[]{}.")
    if not words and (own.kind is Parameter.KEYWORD_ONLY or name in _OPTIONS):
        options = _OPTIONS.get(name, f"--{name.replace('_', '-')}").split()
    kind, how = _type_and_limits(own.annotation)
    if own.name in _NUMBERS_OF:
        how.pop("max", None)
    default = ... if called.startswith("{") or own.default is Parameter.empty else own.default
    read: Callable[[Any], Any] = lambda typed: typed  # noqa: E731
    if called.endswith("..."):
        kind, read = list[str], " ".join
    if kind is bool and default is True:
        default, read = False, not_
    if reader is not None:
        kind, read = _read_by(reader, kind)
    if get_origin(kind) is list and (default is not ... or called.startswith("[")):
        default = None
    if check := _check(own, kind, is_spelt=bool(words)):
        how["callback"] = check
    info = typer.Option(default, *options, **how) if options else typer.Argument(default, **how)
    kind = kind | None if default is None else kind
    left_out = [] if own.default is Parameter.empty else own.default
    return _Typed(
        own.name,
        [Parameter(name, Parameter.KEYWORD_ONLY, default=info, annotation=kind)],
        lambda said: left_out if said[name] is None else read(said[name]),
    )


def _read_by(reader: Callable[[Any], Any], kind: Any) -> tuple[Any, Callable[[Any], Any]]:
    """What is typed for a reader; of a list, it reads each word or the whole."""
    (word,) = (parameter.annotation for parameter in _parameters(reader).values())
    typed, _ = _type_and_limits(word)
    if get_origin(kind) is not list or get_origin(typed) is list:
        return typed, reader
    return GenericAlias(list, (typed,)), lambda words: [reader(word) for word in words]


def _check(own: Parameter, kind: Any, *, is_spelt: bool) -> Callable[[Any], Any] | None:
    from cli.session import finite, plain_key

    if kind is float:
        return finite
    is_key = own.name == "key" and own.kind is Parameter.KEYWORD_ONLY and not is_spelt
    return plain_key if is_key else None


def _type_and_limits(annotation: Any) -> tuple[Any, dict[str, Any]]:
    """The type as Typer knows it, and the least and the most that an ``Annotated`` type allows."""
    if get_origin(annotation) is Annotated:
        bare, *remarks = get_args(annotation)
        kind, limits = _type_and_limits(bare)
        for limit in (limit for remark in remarks for limit in getattr(remark, "metadata", ())):
            if hasattr(limit, "ge"):
                limits["min"] = limit.ge
            if hasattr(limit, "le"):
                limits["max"] = limit.le
        return kind, limits
    inner = [part for part in get_args(annotation) if part is not NoneType]
    if get_origin(annotation) in (Union, UnionType) and len(inner) == 1:
        return _type_and_limits(inner[0])
    if get_origin(annotation) in (Sequence, list):
        kind, limits = _type_and_limits(inner[0])
        return GenericAlias(list, (kind,)), limits
    return annotation, {}
