"""The names behind the pseudonyms, and how to erase them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from answers.admin.access import role_name
from answers.answer import Answered, Data
from answers.context import Caller, StoreContext
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.limits import PersonName
from answers.permissions import JUDGES, ORGANISER
from engines.kernel import Verbatim
from referee.archive.named_photos import everything
from referee.archive.read_models import list_games
from referee.errors import Misused, NotFound
from referee.store.derived.snapshot_files import forget_snapshots
from referee.store.sidecars.people import PersonDetails


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
    tokens: int
    """How many tokens went with the name."""


class SeatRow(Data):
    game: str
    engine: str
    seat: str
    opened: str


class RegistrationRow(Data):
    tournament: str
    name: str
    """Of the tournament."""
    club: str
    rating: int
    registered: str


class TokenRow(Data):
    id: str
    role: str
    scope: str
    created: str
    expires: str | None
    revoked: str | None


class SeasonListing(Data):
    season: str
    name: str
    club: str
    listed: str


class PersonAnswer(Data):
    """All that is kept about somebody."""

    person: str
    name: str
    details: dict[str, str]
    """Last name, title, federation and licence number, as far as they are known."""
    seats: list[SeatRow]
    tournaments: list[RegistrationRow]
    seasons: list[SeasonListing]
    """The players' lists of seasons that they were put on."""
    entries: dict[str, int]
    """How many entries of each record, or of each tournament, were written by them."""
    named: dict[str, int] = {}
    """How many entries of each record, tournament or season name them."""
    tokens: list[TokenRow]
    admissions: list[str]
    """When they were let in."""
    picture: str | None
    """The digest of their picture."""


@operation("people-list", "GET /people", grant=JUDGES)
def people(caller: Caller) -> Answered[PeopleListAnswer]:
    """Everybody whose name is kept, and in how many games they are."""
    games = Counter(
        person
        for row in list_games(caller.store_context.store)
        if not row["kept_apart"]
        for person in set(row["people"].values())
    )
    everybody = list(caller.store_context.people.everybody())

    def render(voice: Voice) -> list[str]:
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

    return Answered(data, render)


@operation("people-rename", "PATCH /people/{person}", grant=ORGANISER)
def rename(caller: Caller, person: str, name: PersonName) -> Answered[PeopleRenameAnswer]:
    """Give somebody another name; records keep the id and are not touched."""
    person = find_person(caller, person)
    caller.store_context.people.rename(person, name)
    told = {"person": person, "name": caller.name(person)}
    return Answered(
        lambda: PeopleRenameAnswer(**told), lambda voice: [voice.say("people.renamed", **told)]
    )


@operation("people-show", "GET /people/{person}", grant=ORGANISER)
def known(caller: Caller, person: str) -> Answered[PersonAnswer]:
    """Everything stored about a person, for a request under data protection law."""
    store_context, person = caller.store_context, find_person(caller, person)
    seats = [
        SeatRow(game=row["game"], engine=row["engine"], seat=seat, opened=row["opened"])
        for row in list_games(store_context.store)
        for seat, sitting in row["people"].items()
        if sitting == person
    ]
    tournaments = list(_registrations(store_context, person))
    seasons = list(_listings(store_context, person))
    kept = store_context.people.details([person]).get(person, PersonDetails())
    details = {name: value for name, value in kept if value}
    entries: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for stored in everything(store_context.store):
        body = json.loads(stored.body)
        entries[stored.stream] += body["by"] == person
        named[stored.stream] += _names(body["data"], person)
    entries, named = +entries, +named
    passes = store_context.access.of_person(person) if store_context.has_access else []
    let_in = store_context.access.admissions_of(person) if store_context.has_access else []
    picture = store_context.people.faces([person]).get(person)

    def told(voice: Voice) -> Iterator[str]:
        yield f"{caller.name(person)}  {person}"
        for detail, value in details.items():
            head = voice.falling_back_to("answers.tournament").say(f"tournament.head_{detail}")
            yield "  " + voice.labelled(head, value)
        for row in seats:
            yield f"  {row.game}  {row.engine}  {row.seat}  {voice.day(row.opened)}"
        for event in tournaments:
            told = (event.tournament, event.name, event.club, str(event.rating or ""))
            yield "  " + "  ".join((*filter(None, told), voice.day(event.registered)))
        for listing in seasons:
            where = (listing.season, listing.name, listing.club)
            yield "  " + "  ".join((*filter(None, where), voice.day(listing.listed)))
        for stream, count in entries.items():
            yield "  " + voice.say("people.wrote", stream=stream, count=count)
        shown = {row.game for row in seats} | {row.tournament for row in tournaments}
        for stream in sorted(named.keys() - shown - {row.season for row in seasons}):
            yield "  " + voice.say("people.named", stream=stream, count=named[stream])
        for each in passes:
            yield "  " + voice.say("people.token", id=each.id, role=role_name(voice, each.role))
        if let_in:
            yield "  " + voice.say(
                "people.let_in", count=len(let_in), last=voice.day(let_in[-1].at)
            )
        if picture is not None:
            yield "  " + voice.say("face.one", digest=Verbatim(picture[:16]))

    def data() -> PersonAnswer:
        return PersonAnswer(
            person=person,
            name=caller.name(person),
            details=details,
            seats=seats,
            tournaments=tournaments,
            seasons=seasons,
            entries=dict(entries),
            named=dict(named),
            tokens=[TokenRow.made_of(each) for each in passes],
            admissions=[each.at for each in let_in],
            picture=picture,
        )

    return Answered(data, told)


def _names(data: Any, person: str) -> bool:
    """Whether stored data name a person anywhere, whatever the kind of entry."""
    if isinstance(data, dict):
        return any(_names(value, person) for part in data.items() for value in part)
    if isinstance(data, list):
        return any(_names(value, person) for value in data)
    return bool(data == person)


def _registrations(store_context: StoreContext, person: str) -> Iterator[RegistrationRow]:
    """The tournament registrations of a person, and the changes to them."""
    from referee.tournament import events

    for hosted in store_context.desk.all():
        for told in hosted.told:
            match told.event:
                case events.Registered() | events.PlayerEdited() | events.SignedUp() as event:
                    of_person = event.player == person
                    club, rating = event.club or "", getattr(event, "rating", None) or 0
                case events.TeamSet() as event:
                    of_person = person in (*event.members, event.captain)
                    club, rating = "", 0
                case _:
                    continue
            if of_person:
                yield RegistrationRow(
                    tournament=hosted.id,
                    name=hosted.now.name,
                    club=club,
                    rating=rating,
                    registered=told.at,
                )


def _listings(store_context: StoreContext, person: str) -> Iterator[SeasonListing]:
    """The lists of seasons that a person was put on."""
    from referee.season.events import PlayersListed

    for hosted in store_context.seasons.all():
        for told in hosted.told:
            for each in told.event.players if isinstance(told.event, PlayersListed) else ():
                if each.player == person:
                    yield SeasonListing(
                        season=hosted.id, name=hosted.now.name, club=each.club, listed=told.at
                    )


@operation("people-erase", "DELETE /people/{person}", grant=ORGANISER, served="erase_found")
def erase(caller: Caller, person: str) -> Answered[PeopleEraseAnswer]:
    """Erase the name and picture behind a pseudonym for good, and revoke the person's tokens.

    Snapshots contain no names and no free text; they are made again when needed.
    """
    caller.store_context.people.erase(person)
    tokens = caller.store_context.access.forget(person) if caller.store_context.has_access else 0
    forget_snapshots(caller.store_context.store.url)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("people.erased", person=person)
        yield "  " + voice.say("people.erased_more")

    return Answered(lambda: PeopleEraseAnswer(person=person, tokens=tokens), render)


def erase_found(caller: Caller, person: str) -> Answered[PeopleEraseAnswer]:
    """The same, for a person given by pseudonym or name."""
    return erase(caller, find_person(caller, person))


def find_person(caller: Caller, who: str) -> str:
    """One person, by pseudonym or by a name that only one bears."""
    known = caller.store_context.people
    if known.name(who) is not None:
        return who
    found = known.find(who)
    if not found:
        raise NotFound("no_such_person", who=who)
    if len(found) > 1:
        raise Misused("several_people", who=who, people=found)
    return found[0]
