"""What one call of the program works with: store, game, author, language, output."""

from __future__ import annotations

import json as json_module
import os
import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.speech import Paint, language, say, set_language, write

if TYPE_CHECKING:
    from referee.record.game import Game
    from referee.store.people import People
    from referee.table.author import Author
    from referee.table.bench import Bench


def plain_key(key: str | None) -> str | None:
    if key is not None and not re.fullmatch(r"[A-Za-z0-9_:-]{1,100}", key):
        from referee.errors import Misused

        raise Misused("bad_key", key=key)
    return key


Key = Annotated[str | None, typer.Option("--key", callback=plain_key)]
"""Of every command that records something: given again with the same key, it records nothing."""

Reason = Annotated[str, typer.Option("-m", "--reason")]
"""Why something is done, as the record keeps it."""

COLOURS = ("auto", "always", "never")
ROLES = ("scribe", "judge", "organiser")


@dataclass
class Session:
    store_url: str
    game_asked: str | None = None
    json: bool = False
    author_asked: str | None = None
    color: str = "auto"
    no_input: bool = False
    quiet: bool = False
    verbose: bool = False
    warnings: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)

    # what it works with

    @cached_property
    def bench(self) -> Bench:
        from referee.store import open_store
        from referee.table.bench import Bench

        if self.store_url.startswith("sqlite://"):
            from referee.store.sqlite import sqlite_path

            folder = sqlite_path(self.store_url).parent
            if folder == data_folder():
                folder.mkdir(parents=True, exist_ok=True)
        return Bench(open_store(self.store_url))

    @cached_property
    def people(self) -> People:
        from referee.store.people import People, people_path

        return People(people_path(self.bench.store.url))

    def person(self, name: str) -> str:
        """The pseudonym behind a name; a new name gets a new one."""
        found = self.people.find(name)
        return found[0] if found else self.people.add(name)

    def name(self, person: str) -> str:
        """The name behind a pseudonym, as long as it has not been erased."""
        return self.people.name(person) or person

    @cached_property
    def author(self) -> Author:
        """Who speaks, from ``--as [NAME:]ROLE`` or ``--as NAME``; a new name gets a pseudonym."""
        from engines.kernel.words import Verbatim
        from referee.errors import NotFound
        from referee.table.author import Author

        if not self.author_asked:
            return Author()
        asked = self.author_asked
        if asked in ROLES or asked.startswith("seat:"):
            asked = f":{asked}"
        name, _, role = asked.partition(":")
        role = role or "scribe"
        if role not in ROLES and not re.fullmatch("seat:[A-H]", role):
            roles = [Verbatim(known) for known in (*ROLES, "seat:A")]
            raise NotFound("no_such_role", role=Verbatim(role), roles=roles)
        return Author(self.person(name) if name else "anonymous", role)

    @cached_property
    def paint(self) -> Paint:
        return Paint(self.color)

    # the current game

    def game_id(self) -> str:
        """The game asked for, or the current one."""
        from referee.errors import NotFound

        asked = self.game_asked
        if asked and asked != "@":
            return self.bench.find(asked)
        current = self._pointers().get(self.store_url)
        if current is None:
            raise NotFound("no_current_game")
        return self.bench.find(current)

    def game(self) -> Game:
        return self.bench.game(self.game_id())

    def view(self, asked: str | None = None) -> str:
        """As whom one looks at the game: as asked, else as the role may."""
        from referee.secrecy.views import EVERYTHING, view_for

        if asked is None and not self.author.role.startswith("seat:"):
            return EVERYTHING
        return view_for(self.author.role, asked, self.game().setting.seats)

    def seen(self, asked: str | None = None) -> Game:
        """The game as it may be shown to whoever asks."""
        from referee.secrecy.views import EVERYTHING, seen

        view = self.view(asked)
        return self.game() if view == EVERYTHING else seen(self.game(), view)

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
            found = json_module.loads((data_folder() / "current.json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def program(self) -> str:
        """The program with the options that lead to the same game, to be repeated by people."""
        words = ["referee"]
        if self.store_url != store_url(os.environ.get("REFEREE_STORE")):
            words += ["--store", shlex.quote(self.store_url.removeprefix("sqlite://"))]
        if self.game_asked and self.game_asked != os.environ.get("REFEREE_GAME"):
            words += ["-g", self.game_asked]
        return " ".join(words)

    # answering

    def tell(self, lines: Iterable[str]) -> None:
        """Say part of the answer at once: whatever happens next, this is done."""
        if self.json or self.quiet:
            self.untold += lines
        else:
            write(lines)

    def answer(
        self, schema: str, data: dict[str, Any], lines: Iterable[str], *, code: int = 0
    ) -> int:
        """The one way a command answers: an envelope with ``--json``, else lines."""
        if self.json:
            envelope = {
                "ok": code == 0,
                "schema": f"referee/{schema}@1",
                "data": data,
                "warnings": self.warnings,
            }
            write([json_module.dumps(envelope, ensure_ascii=False)])
        elif not (self.quiet and code == 0):
            write([*self.untold, *lines])
            for warning in self.warnings:
                sys.stderr.write(say("warning", text=warning) + "\n")
        return code


_session: Session | None = None


def begin(
    *,
    store: str | None,
    game: str | None,
    json: bool,
    lang: str | None,
    author: str | None,
    color: str,
    no_input: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    global _session
    if lang is not None and lang not in ("en", "fr"):
        from referee.errors import Misused

        raise Misused("no_such_language", lang=lang)
    if color not in COLOURS:
        from referee.errors import Misused

        raise Misused("no_such_colour", color=color, colours=COLOURS)
    if lang is not None:
        set_language("fr" if lang == "fr" else "en")
    _session = Session(
        store_url=store_url(store),
        game_asked=game,
        json=json,
        author_asked=author,
        color=color,
        no_input=no_input,
        quiet=quiet,
        verbose=verbose,
    )


def session() -> Session:
    assert _session is not None, "no command is running"
    return _session


def data_folder() -> Path:
    """Where a user's records live, unless told otherwise."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".local" / "share") / "referee"


def store_url(asked: str | None) -> str:
    """A URL as it is, a path as a SQLite URL; the user's data folder by default."""
    if not asked:
        return f"sqlite://{(data_folder() / 'games.db').absolute()}"
    if "://" in asked or asked == "memory:":
        return asked
    return f"sqlite://{Path(asked).expanduser().absolute()}"


__all__ = ["Session", "begin", "data_folder", "language", "session", "store_url"]
