"""Context of one command: store, current game, author, language, output format."""

from __future__ import annotations

import json as json_module
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

import typer

from answers.answer import Answered, D, Telling
from answers.context import Caller, StoreContext, open_store_context, pseudonym
from answers.i18n import Voice
from answers.permissions import ROLES
from cli.exit_codes import OF_OUTCOME
from cli.hints import hinting
from cli.i18n import (
    Paint,
    language,
    say,
    set_language,
    speak_with,
    voice,
    wrapped,
    write,
    write_json,
)
from engines.kernel import Phrase, Verbatim
from engines.kernel.values.structs import evolve
from referee.errors import Misused, NotFound
from referee.store.envelopes import StoreError
from referee.store.event_store import Store
from referee.store.memory import NothingYet
from referee.store.sqlite.files import sqlite_path
from referee.store.witness import witness_beside
from referee.table.author import Author

P = ParamSpec("P")
_KEY = re.compile(r"[A-Za-z0-9_:-]{1,100}")
_SEAT = re.compile("seat:[A-H]")


def plain_key(key: str | None) -> str | None:
    if key is not None and not _KEY.fullmatch(key):
        raise Misused("bad_key", key=key)
    return key


def finite(value: float | None) -> float | None:
    """Refuse ``nan`` and ``inf`` as values of an option."""
    if value is not None and not isfinite(value):
        raise typer.BadParameter("")
    return value


COLOURS = ("auto", "always", "never")
AUTHOR_ROLES = ("scribe", "judge", "organiser", "player")


@dataclass(eq=False, repr=False)
class Session:
    """The global options of one command, and what is made from them when it is first used."""

    store_url: str
    game_asked: str | None = None
    author_asked: str | None = None
    token_asked: str | None = None
    color: str = "auto"
    json: bool = False
    no_input: bool = False
    quiet: bool = False
    verbose: bool = False
    creates: bool = False
    """Whether the command may create a missing store."""
    key: str | None = None
    """The idempotency key of the command (``--key``)."""
    untold: list[str] = field(default_factory=list)

    # what it works with

    @cached_property
    def store_context(self) -> StoreContext:
        if self.is_remote:
            return self.caller.store_context
        shell = _around.get()
        if shell is not None and shell is not self and shell.store_url == self.store_url:
            return shell.store_context
        if self._is_usual_store and self._store_is_new():
            if not self.creates:
                return self._empty_store()
            self.prepare_folder()
        return open_store_context(self.store_url, create=self.creates)

    @property
    def has_opened(self) -> bool:
        """Whether the store was used: asked without opening it."""
        return "store_context" in self.__dict__

    @property
    def _is_usual_store(self) -> bool:
        return self.store_url == store_url(None)

    def prepare_folder(self) -> None:
        """Create the user's data folder, if the store is the default one in it."""
        if self._is_usual_store:
            data_folder().mkdir(parents=True, exist_ok=True, mode=0o700)

    def _empty_store(self) -> StoreContext:
        """An empty read-only store for commands that only read: looking creates no file."""
        return StoreContext(Store(NothingYet(sqlite_path(self.store_url)), "memory:"))

    def _store_is_new(self) -> bool:
        file = sqlite_path(self.store_url)
        return not file.exists() and not witness_beside(file).exists()

    @property
    def caller(self) -> Caller:
        """The request context: author from ``--as``; of a remote service, from the token."""
        return self._caller.keyed(self.key)

    @cached_property
    def _caller(self) -> Caller:
        if self.is_remote:
            return self._remote_caller()
        return Caller(self.store_context, self._author(), self.voice)

    @property
    def organiser(self) -> Caller:
        """The caller as organiser, which ``--as`` or a token go before.

        Whoever can open the store file has all rights anyway.
        """
        if self.author_asked or self.is_remote:
            return self.caller
        return replace(self.caller, author=Author(role="organiser"))

    @property
    def is_remote(self) -> bool:
        """Whether the store is a remote service."""
        return self.store_url.startswith(("http://", "https://"))

    @property
    def own_store(self) -> str:
        """The URL of the local store; refused where the store is a remote service."""
        self.must_be_here()
        return self.store_url

    def must_be_here(self) -> None:
        if self.is_remote:
            raise StoreError("only_at_a_store", url=self.store_url)

    def _remote_caller(self) -> Caller:
        from cli.remote.caller import RemoteCaller
        from cli.remote.http import RemoteConnection
        from cli.remote.tokens import token_for

        token, around = self.token_asked, _around.get()
        if around is not None and around is not self and around.store_url == self.store_url:
            token = token or around.token_asked  # no option of a line: others may read it there
            known, same = around.caller, around.author_asked == self.author_asked
            if isinstance(known, RemoteCaller) and same and token == around.token_asked:
                return known.speaking(self.voice)
        speaker = ":".join(self._speaker()) if self.author_asked else None
        token = token or token_for(data_folder(), self.store_url)
        return RemoteCaller(RemoteConnection(self.store_url, token, speaker), self.voice)

    @property
    def may_ask(self) -> bool:
        """Whether somebody at a terminal could answer a question."""
        return not (self.no_input or self.json) and sys.stdin.isatty()

    @property
    def may_ask_about_boxes(self) -> bool:
        """Whether questions about the box can be asked: only where the store is local."""
        return self.may_ask and not self.is_remote

    @cached_property
    def voice(self) -> Voice:
        named = evolve(
            voice(), name_of=lambda person: self.caller.store_context.people.name(person)
        )
        speak_with(named)  # whatever ends the command calls people by name too
        return hinting(evolve(named, mark=self.paint, program=self.program, thorough=self.verbose))

    def _author(self) -> Author:
        """From ``--as [NAME:]ROLE`` or ``--as NAME``; a new name gets a pseudonym."""
        if not self.author_asked:
            return Author()
        name, role = self._speaker()
        return Author(pseudonym(self.store_context, name) if name else "anonymous", role)

    def _speaker(self) -> tuple[str, str]:
        """Name and role that were asked for; the name may be empty."""
        asked = self.author_asked or ""
        if asked in AUTHOR_ROLES or asked.startswith("seat:"):
            asked = f":{asked}"
        name, _, role = asked.partition(":")
        role = role or (name if name in ROLES else "scribe")  # a role's name is nobody's own
        if role not in AUTHOR_ROLES and not _SEAT.fullmatch(role):
            roles = [Verbatim(known) for known in (*AUTHOR_ROLES, "seat:A")]
            raise NotFound("no_such_role", role=Verbatim(role), roles=roles)
        return name, role

    @cached_property
    def paint(self) -> Paint:
        return Paint(self.color)

    # the current game

    def game_id(self) -> str:
        """The game asked for, or the current one."""
        asked = self.game_asked
        if asked and asked != "@":
            return self.caller.find(asked)
        current = self._pointers().get(self.store_url)
        if current is None:
            raise NotFound("no_current_game")
        return self.caller.find(current)

    def current(self, kind: str = "") -> str | None:
        return self._pointers().get(self.store_url + kind)

    def make_current(self, game_id: str, kind: str = "") -> None:
        pointers = self._pointers()
        pointers[self.store_url + kind] = game_id
        file = data_folder() / "current.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(f".{os.getpid()}")
        temporary.write_text(json_module.dumps(pointers, indent=1), encoding="utf-8")
        temporary.replace(file)

    def _pointers(self) -> dict[str, str]:
        try:
            kept = json_module.loads((data_folder() / "current.json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    @property
    def program(self) -> str:
        """The command prefix that leads to the same game, for hints such as ``referee -g …``."""
        words = ["referee"]
        if self.store_url != store_url(os.environ.get("REFEREE_STORE")):
            words += ["--store", shlex.quote(self.store_url.removeprefix("sqlite://"))]
        if self.game_asked and self.game_asked != os.environ.get("REFEREE_GAME"):
            words += ["-g", self.game_asked]
        return " ".join(words)

    @property
    def options(self) -> list[str]:
        """The global options of this command, to run another one in the same way."""
        words = ["--store", self.store_url, "--color", self.color, "--lang", language()]
        words += ["--as", self.author_asked] if self.author_asked else []
        flags = {
            "--json": self.json,
            "--no-input": self.no_input,
            "-q": self.quiet,
            "-v": self.verbose,
        }
        return words + [flag for flag, wanted in flags.items() if wanted]

    # answering

    def tell(self, telling: Telling) -> None:
        """Print part of the answer at once, because what it reports is already stored."""
        if self.json or self.quiet:
            self.untold += telling(self.voice)
        else:
            write(wrapped(telling(self.voice)))

    def run(
        self,
        operation: Callable[Concatenate[Caller, P], Answered[D]],
        /,
        *said: P.args,
        **options: P.kwargs,
    ) -> int:
        """Ask an operation, print its answer and return the exit code."""
        return self.answer(operation, self.caller.ask(operation, *said, **options))

    def answer(self, asked: Callable[..., Answered[D]], answered: Answered[D]) -> int:
        """Print an answer and return its exit code: a JSON envelope with ``--json``, else lines.

        ``asked`` is the function that was called: its declaration names the published schema.
        """
        code = OF_OUTCOME[answered.outcome]
        warnings = [self.voice.spoken(warning) for warning in answered.warnings]
        warnings += [*self._upgraded(), *self._without_names()]
        if self.json:
            from cli.envelope import schema_of

            envelope = {
                "ok": code == 0,
                "schema": f"referee/{schema_of(asked)}@1",
                "data": answered.plain(),
                "warnings": warnings,
            }
            write_json(envelope)
        elif not (self.quiet and code == 0):
            write(wrapped([*self.untold, *answered.lines(self.voice)]))
            for warning in warnings:
                sys.stderr.write(say("warning", text=warning) + "\n")
        return code

    def _upgraded(self) -> list[str]:
        """A warning, once, when a store of an older version is first written to."""
        store = self.store_context.store if self.has_opened else None
        if not isinstance(store, Store) or store.copied_before is None:
            return []
        return [self.voice.say("backup.before_upgrade", file=str(store.copied_before))]

    def _without_names(self) -> Iterator[str]:
        """A warning where pseudonyms are shown because the names cannot be read."""
        if self.is_remote or not self.has_opened:
            return
        if (problem := self.store_context.names_lost) is not None:
            yield self.voice.say(
                "people.unreadable", problem=problem.phrase, fix=Phrase("doctor.fix.names")
            )


_session: ContextVar[Session | None] = ContextVar("session", default=None)
_around: ContextVar[Session | None] = ContextVar("around", default=None)
"""The session of a shell, whose commands share its store."""


@contextmanager
def within(shell: Session) -> Iterator[None]:
    """Run commands inside a shell: they share its store, and its session is current again after."""
    mark = _around.set(shell)
    try:
        yield
    finally:
        _around.reset(mark)
        _session.set(shell)


def begin(
    *,
    store: str | None,
    game: str | None,
    lang: str | None,
    author: str | None,
    token: str | None,
    color: str,
    version: bool = False,
    **flags: Any,
) -> None:
    """Begin a command with these options of the program."""
    if lang is not None and lang not in ("en", "fr"):
        raise Misused("no_such_language", lang=lang)
    if color not in COLOURS:
        raise Misused("no_such_colour", color=color, colours=COLOURS)
    if lang is not None and lang != language():
        set_language("fr" if lang == "fr" else "en")
    _session.set(Session(store_url(store), game, author, token, color, **flags))


def session(*, creates: bool = False) -> Session:
    """The session of the running command; ``creates``: it may create the store."""
    now = _session.get()
    assert now is not None, "no command is running"
    now.creates |= creates
    return now


def close_session() -> None:
    """Close what the last command has opened: its files are complete then."""
    now = _session.get()
    if now is not None and now.has_opened and not now.is_remote:
        with suppress(StoreError, OSError):  # what was acknowledged is safe as it is
            now.store_context.close()


def data_folder() -> Path:
    """The user's data folder: store, current game, keys (``XDG_DATA_HOME``)."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".local" / "share") / "referee"


def store_url(asked: str | None) -> str:
    """A URL as it is, a path as a SQLite URL; the user's data folder by default."""
    if not asked:
        return f"sqlite://{(data_folder() / 'games.db').absolute()}"
    if "://" in asked or asked == "memory:":
        return asked
    return f"sqlite://{Path(asked).expanduser().absolute()}"
