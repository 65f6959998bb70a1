"""The names behind the pseudonyms, and how to erase them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.caller import Caller
from answers.voice import Voice, columns
from referee.archive.lists import list_games
from referee.errors import Misused, NotFound


class PersonRow(Data):
    person: str
    name: str
    games: int


class PeopleListAnswer(Data):
    people: list[PersonRow]


class PeopleRenameAnswer(Data):
    person: str
    name: str


class PeopleEraseAnswer(Data):
    person: str


def people(caller: Caller) -> Answered[PeopleListAnswer]:
    games = Counter(
        person for row in list_games(caller.house.store) for person in set(row["people"].values())
    )
    everybody = list(caller.house.people.everybody())

    def told(voice: Voice) -> list[str]:
        rows = columns(
            (name, person, voice.say("people.games", count=games[person]))
            for person, name in everybody
        )
        return rows or [voice.say("people.none")]

    def data() -> PeopleListAnswer:
        rows = [
            PersonRow(person=person, name=name, games=games[person]) for person, name in everybody
        ]
        return PeopleListAnswer(people=rows)

    return Answered(data, told)


def rename(caller: Caller, who: str, name: str) -> Answered[PeopleRenameAnswer]:
    person = find_person(caller, who)
    caller.house.people.rename(person, name)
    told = {"person": person, "name": caller.name(person)}
    return Answered(
        lambda: PeopleRenameAnswer(**told), lambda voice: [voice.say("people.renamed", **told)]
    )


def erase(caller: Caller, person: str) -> Answered[PeopleEraseAnswer]:
    """Forget the name behind a pseudonym, for good."""
    caller.house.people.erase(person)

    def told(voice: Voice) -> Iterator[str]:
        yield voice.say("people.erased", person=person)
        yield "  " + voice.say("people.erased_more")

    return Answered(lambda: PeopleEraseAnswer(person=person), told)


def find_person(caller: Caller, who: str) -> str:
    """One person, by pseudonym or by a name that only one bears."""
    known = caller.house.people
    if known.name(who) is not None:
        return who
    found = known.find(who)
    if not found:
        raise NotFound("no_such_person", who=who)
    if len(found) > 1:
        raise Misused("several_people", who=who, people=found)
    return found[0]
