"""Who is let in by the service, and the names behind the pseudonyms."""

import sys
from pathlib import Path
from typing import cast, get_args

import typer

from answers.limits import Count, DelayEntries, DelaySeconds, Hours
from cli.session import Session, data_folder, session
from referee.errors import Misused
from referee.store.sidecars.access import OpenTo


def give_code(
    role: str,
    *,
    scope: str = "",
    name: str = "",
    hours: Hours = 24,
    many: bool = False,
) -> int:
    from answers.admin.access import code

    here = session(creates=True)
    if not scope and here.game_asked and role.startswith("seat:"):
        scope = here.game_id()
    made = here.organiser.ask(code, role, scope=scope, name=name, hours=hours, many=many)
    return here.answer(code, made)


def set_rules(
    of: str | None = None,
    *,
    to: str | None = None,
    delay_entries: DelayEntries | None = None,
    delay_seconds: DelaySeconds | None = None,
    seats_log: bool | None = None,
    until_result: bool | None = None,
) -> int:
    """Of the current game, or of the game or tournament named."""
    from answers.admin.access import set_rules

    here = session()
    if to is not None and to not in get_args(OpenTo):
        raise Misused("open_to_whom", word=to, words=get_args(OpenTo))
    answered = here.organiser.ask(
        set_rules,
        _named(here, of),
        open_to=cast(OpenTo | None, to),
        delay_entries=delay_entries,
        delay_seconds=delay_seconds,
        seats_log=seats_log,
        until_result=until_result,
    )
    return here.answer(set_rules, answered)


def _named(here: Session, of: str | None) -> str:
    if of is None:
        return here.game_id()
    if of.startswith("tournament-"):
        return here.caller.find_stream(of)
    return here.caller.find(of)


def join(code: str) -> int:
    """A code of a service becomes a token, which is kept for the next commands."""
    from answers.admin.access import join
    from cli.remote.tokens import keep_token

    here = session()
    if not here.is_remote:
        raise Misused("join_where")
    joined = here.caller.ask(join, code)
    file = keep_token(data_folder(), here.store_url, joined.data.token)
    kept = here.voice.say("access.kept", role=joined.data.role, file=str(file))
    return here.answer(join, joined.with_text(lambda voice: [kept]))


def picture(who: str, file: Path | None = None, *, erase: bool = False) -> int:
    from answers.admin import faces
    from referee.untrusted.photos import MOST_BYTES
    from referee.untrusted.safe_toml import read_limited

    here = session()
    if file is not None:
        return here.run(faces.add, who, read_limited(file, MOST_BYTES))
    if not erase:
        raise Misused("picture_file")
    return here.run(faces.erase, who)


def erase(who: str, *, yes: bool = False) -> int:
    from answers.admin import people
    from cli.i18n import say

    here = session()
    person = here.caller.ask(people.find_person, who)
    if not yes:
        name = here.caller.name(person)
        if here.no_input or not sys.stdin.isatty():
            raise Misused("erase_for_good", name=name)
        typer.confirm(say("people.sure", name=name), abort=True, err=True)
    return here.run(people.erase, person)


def admissions(*, most: Count = 50) -> int:
    from answers.admin.access import admissions

    here = session()
    return here.answer(admissions, here.organiser.ask(admissions, most=most))
