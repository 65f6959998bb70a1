"""``referee access``: who is let in by the service, as whom, and until when."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, cast, get_args

import typer

from answers.caller import Caller
from answers.house import access
from cli.session import Session, session
from referee.errors import Misused
from referee.store.access import OpenTo
from referee.table.author import Author

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Scope = Annotated[str, typer.Option("--for")]
Name = Annotated[str, typer.Option("--name")]


def organiser(here: Session) -> Caller:
    """Whoever has the store has the keys of the house."""
    author = Author(here.caller.author.person, "organiser")
    return here.caller if here.author_asked else replace(here.caller, author=author)


@app.command(name="list")
def list_access() -> int:
    here = session()
    return here.answer("access-list", access.granted(organiser(here)))


@app.command()
def give(
    role: Annotated[str, typer.Argument()],
    scope: Scope = "",
    name: Name = "",
    days: Annotated[int | None, typer.Option("--days", min=1, max=3650)] = None,
) -> int:
    here = session(creates=True)
    given = access.give(organiser(here), role, scope=scope, name=name, days=days)
    return here.answer("access-give", given)


@app.command()
def code(
    role: Annotated[str, typer.Argument()],
    scope: Scope = "",
    name: Name = "",
    hours: Annotated[int, typer.Option("--hours", min=1, max=8760)] = 24,
    many: Annotated[bool, typer.Option("--many")] = False,
) -> int:
    here = session(creates=True)
    made = access.code(organiser(here), role, scope=scope, name=name, hours=hours, many=many)
    return here.answer("access-code", made)


@app.command()
def revoke(id: Annotated[str, typer.Argument()]) -> int:
    here = session()
    return here.answer("access-revoke", access.revoke(organiser(here), id))


@app.command()
def rules(
    of: Annotated[str | None, typer.Argument()] = None,
    to: Annotated[str | None, typer.Option("--open-to")] = None,
    delay_entries: Annotated[int | None, typer.Option("--delay-entries", min=0, max=1000)] = None,
    delay_seconds: Annotated[int | None, typer.Option("--delay-seconds", min=0, max=86400)] = None,
    seats_log: Annotated[bool | None, typer.Option("--seats-log/--scribe-logs")] = None,
) -> int:
    """Of the current game, or of the game or tournament named."""
    here = session()
    if to is not None and to not in get_args(OpenTo):
        raise Misused("open_to_whom", word=to, words=get_args(OpenTo))
    ruled = access.set_rules(
        organiser(here),
        _named(here, of),
        open_to=cast(OpenTo | None, to),
        delay_entries=delay_entries,
        delay_seconds=delay_seconds,
        seats_log=seats_log,
    )
    return here.answer("access-rules", ruled)


@app.command()
def log(most: Annotated[int, typer.Option("--most", min=1, max=10_000)] = 50) -> int:
    here = session()
    return here.answer("access-log", access.admissions(organiser(here), most=most))


def _named(here: Session, of: str | None) -> str:
    if of is None:
        return here.game_id()
    if of.startswith("tournament-"):
        return here.caller.house.desk.find(of)
    return here.caller.find(of)
