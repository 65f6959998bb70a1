"""``referee access``: who is let in by the service, as whom, and until when."""

from typing import Annotated, cast, get_args

import typer

from answers.admin import access
from answers.context import Caller
from cli.remote.tokens import keep_token
from cli.session import Session, data_folder, session
from referee.errors import Misused
from referee.store.sidecars.access import OpenTo
from referee.table.author import Author

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Scope = Annotated[str, typer.Option("--for")]
Name = Annotated[str, typer.Option("--name")]


def organiser(here: Session) -> Caller:
    """The caller as organiser: whoever can open the store file has all rights anyway."""
    return here.speaking_as(Author("anonymous", "organiser"))


@app.command(name="list")
def list_access() -> int:
    here = session()
    return here.answer(access.granted, organiser(here).ask(access.granted))


@app.command()
def give(
    role: Annotated[str, typer.Argument()],
    scope: Scope = "",
    name: Name = "",
    days: Annotated[int | None, typer.Option("--days", min=1, max=3650)] = None,
) -> int:
    here = session(creates=True)
    given = organiser(here).ask(access.give, role, scope=scope, name=name, days=days)
    return here.answer(access.give, given)


@app.command()
def code(
    role: Annotated[str, typer.Argument()],
    scope: Scope = "",
    name: Name = "",
    hours: Annotated[int, typer.Option("--hours", min=1, max=8760)] = 24,
    many: Annotated[bool, typer.Option("--many")] = False,
) -> int:
    here = session(creates=True)
    if not scope and here.game_asked and role.startswith("seat:"):
        scope = here.game_id()
    made = organiser(here).ask(access.code, role, scope=scope, name=name, hours=hours, many=many)
    return here.answer(access.code, made)


@app.command()
def revoke(id: Annotated[str, typer.Argument()]) -> int:
    here = session()
    return here.answer(access.revoke, organiser(here).ask(access.revoke, id))


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
    ruled = organiser(here).ask(
        access.set_rules,
        _named(here, of),
        open_to=cast(OpenTo | None, to),
        delay_entries=delay_entries,
        delay_seconds=delay_seconds,
        seats_log=seats_log,
    )
    return here.answer(access.set_rules, ruled)


@app.command()
def log(most: Annotated[int, typer.Option("--most", min=1, max=10_000)] = 50) -> int:
    here = session()
    return here.answer(access.admissions, organiser(here).ask(access.admissions, most=most))


@app.command()
def join(code: Annotated[str, typer.Argument()]) -> int:
    """A code of a service becomes a token, which is kept for the next commands."""
    here = session()
    if not here.is_remote:
        raise Misused("join_where")
    joined = here.caller.ask(access.join, code)
    file = keep_token(data_folder(), here.store_url, joined.data.token)
    kept = here.voice.say("access.kept", role=joined.data.role, file=str(file))
    return here.answer(access.join, joined.with_text(lambda voice: [kept]))


def _named(here: Session, of: str | None) -> str:
    if of is None:
        return here.game_id()
    if of.startswith("tournament-"):
        return here.caller.find_stream(of)
    return here.caller.find(of)
