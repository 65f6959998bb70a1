"""``referee people``: the names behind the pseudonyms, and how to erase them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.session import Session, session
from cli.speech import columns, say
from referee.archive.lists import list_games
from referee.errors import Misused, NotFound

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="list")
def list_people() -> int:
    here = session()
    games: dict[str, int] = {}
    for row in list_games(here.bench.store):
        for person in set(row["people"].values()):
            games[person] = games.get(person, 0) + 1
    people = [
        {"person": person, "name": name, "games": games.get(person, 0)}
        for person, name in here.people.everybody()
    ]
    rows = [
        (str(p["name"]), str(p["person"]), say("people.games", count=p["games"])) for p in people
    ]
    return here.answer_plain(
        "people-list", {"people": people}, columns(rows) or [say("people.none")]
    )


@app.command()
def rename(
    who: Annotated[str, typer.Argument()],
    name: Annotated[str, typer.Argument()],
) -> int:
    here = session()
    person = _person(here, who)
    here.people.rename(person, name)
    data = {"person": person, "name": here.name(person)}
    return here.answer_plain("people-rename", data, [say("people.renamed", **data)])


@app.command()
def erase(
    who: Annotated[str, typer.Argument()],
    yes: Annotated[bool, typer.Option("--yes")] = False,
) -> int:
    here = session()
    person = _person(here, who)
    if not yes:
        _make_sure(here, here.name(person))
    here.people.erase(person)
    lines = [say("people.erased", person=person), "  " + say("people.erased_more")]
    return here.answer_plain("people-erase", {"person": person}, lines)


def _person(here: Session, who: str) -> str:
    """One person, by pseudonym or by a name that only one bears."""
    if here.people.name(who) is not None:
        return who
    found = here.people.find(who)
    if not found:
        raise NotFound("no_such_person", who=who)
    if len(found) > 1:
        raise Misused("several_people", who=who, people=found)
    return found[0]


def _make_sure(here: Session, name: str) -> None:
    if here.no_input or not sys.stdin.isatty():
        raise Misused("erase_for_good", name=name)
    typer.confirm(say("people.sure", name=name), abort=True, err=True)
