"""``referee people``: the names behind the pseudonyms, and how to erase them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from answers.admin import faces, people
from answers.review import players
from cli.i18n import say
from cli.session import Session, session
from referee.errors import Misused
from referee.untrusted.photos import MOST_BYTES
from referee.untrusted.safe_toml import read_limited

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="list")
def list_people() -> int:
    here = session()
    return here.run(people.people)


@app.command()
def show(who: Annotated[str, typer.Argument()]) -> int:
    here = session()
    return here.run(people.known, who)


@app.command()
def games(who: Annotated[str, typer.Argument()]) -> int:
    here = session()
    return here.run(players.player, who)


@app.command()
def rename(
    who: Annotated[str, typer.Argument()],
    name: Annotated[str, typer.Argument()],
) -> int:
    here = session()
    return here.run(people.rename, who, name)


@app.command()
def picture(
    who: Annotated[str, typer.Argument()],
    file: Annotated[Path | None, typer.Argument()] = None,
    erase: Annotated[bool, typer.Option("--erase")] = False,
) -> int:
    here = session()
    if file is None:
        if not erase:
            raise Misused("picture_file")
        return here.run(faces.erase, who)
    return here.run(faces.add, who, read_limited(file, MOST_BYTES))


@app.command()
def erase(
    who: Annotated[str, typer.Argument()],
    yes: Annotated[bool, typer.Option("--yes")] = False,
) -> int:
    here = session()
    person = here.caller.ask(people.find_person, who)
    if not yes:
        _make_sure(here, here.caller.name(person))
    return here.run(people.erase, person)


def _make_sure(here: Session, name: str) -> None:
    if here.no_input or not sys.stdin.isatty():
        raise Misused("erase_for_good", name=name)
    typer.confirm(say("people.sure", name=name), abort=True, err=True)
