"""``referee people``: the names behind the pseudonyms, and how to erase them."""

import sys
from typing import Annotated

import typer

from answers.admin import people
from answers.review import players
from cli.i18n import say
from cli.session import Session, session
from referee.errors import Misused

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
