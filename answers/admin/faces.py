"""Pictures of people and emblems of events: shown beside their names, erased with them."""

from __future__ import annotations

from answers.admin.people import find_person
from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, Local, operation
from answers.face_addresses import face_address, face_addresses
from answers.file_answers import File
from answers.limits import PictureDigest
from answers.permissions import AUTHORS, EVERYBODY, Tells
from engines.kernel import Verbatim
from referee.errors import NotAllowed, NotFound
from referee.untrusted.photos import read_photo, reduced

SIDE = 256
"""The longest side of a picture, in pixels."""


class PictureAnswer(Data):
    of: str
    """The person or the event."""
    name: str
    digest: str | None
    """None: there is no picture any more."""
    address: str | None


class TableFacesAnswer(Data):
    game: str
    faces: dict[str, str]
    """Where the pictures of the players are, by seat."""


class TournamentFacesAnswer(Data):
    tournament: str
    emblem: str | None
    """Where the picture of the event is."""
    faces: dict[str, str]
    """Where the pictures of the players are, by player."""


# people


@operation(
    "people-picture",
    "POST /people/{person}/picture",
    grant=AUTHORS,
    scope="token",
    served="add_own",
    upload="answers.requests.uploads:photograph",
    slow=True,
)
def add(caller: Caller, person: str, content: bytes) -> Answered[PictureAnswer]:
    """Give a person a picture, in place of the one that is there."""
    person = find_person(caller, person)
    return _shown(caller, person, caller.name(person), content)


def add_own(caller: Caller, person: str, content: Local[bytes]) -> Answered[PictureAnswer]:
    """The same for a service: everybody for themselves, an organiser for everybody."""
    return add(caller, _allowed(caller, person), content)


@operation(
    "people-picture-erase",
    "DELETE /people/{person}/picture",
    grant=AUTHORS,
    scope="token",
    served="erase_own",
    answer="people-picture",
)
def erase(caller: Caller, person: str) -> Answered[PictureAnswer]:
    """Erase the picture of a person; the name stays."""
    person = find_person(caller, person)
    return _hidden(caller, person, caller.name(person))


def erase_own(caller: Caller, person: str) -> Answered[PictureAnswer]:
    return erase(caller, _allowed(caller, person))


def _allowed(caller: Caller, who: str) -> str:
    """The person, if the caller may: whose token is for one event learns nothing of others."""
    people = caller.store_context.people
    if who == caller.author.person and people.name(who) is not None:
        return who
    if caller.author.role == "organiser":
        if not caller.scope:
            return who
        meant = [who] if people.name(who) is not None else people.find(who)
        found = [one for one in meant if one in caller.people_called(caller.name(one))]
        if found:
            return found[0]
    raise NotAllowed("own_picture_only")


# events


@operation(
    "tournament-picture",
    "POST /tournaments/{tournament}/picture",
    grant=Tells("tournament_revised"),
    upload="answers.requests.uploads:photograph",
    answer="people-picture",
    slow=True,
)
def add_emblem(caller: Caller, tournament: str, content: Local[bytes]) -> Answered[PictureAnswer]:
    """Give an event a picture, in place of the one that is there."""
    found = caller.store_context.desk.load(tournament)
    return _shown(caller, found.id, found.now.name, content)


@operation(
    "tournament-picture-erase",
    "DELETE /tournaments/{tournament}/picture",
    grant=Tells("tournament_revised"),
    answer="people-picture",
)
def erase_emblem(caller: Caller, tournament: str) -> Answered[PictureAnswer]:
    """Erase the picture of an event."""
    found = caller.store_context.desk.load(tournament)
    return _hidden(caller, found.id, found.now.name)


# looking


@operation(
    "picture-of",
    "GET /pictures/{of}",
    grant=EVERYBODY,
    scope="public",
    file=NAMED_BY_FUNCTION,
    etag="content",
)
def picture(caller: Caller, of: str, digest: PictureDigest) -> File:
    """A picture of somebody: whoever was shown a page with it knows its digest."""
    people = caller.store_context.people
    if people.faces([of]).get(of) != digest or (content := people.face(of)) is None:
        raise NotFound("no_such_picture")
    return File(f"{of}.jpg", content)


@operation("table-faces", "GET /games/{game}/faces", grant=EVERYBODY, etag="content")
def at_table(caller: Caller, game_id: str) -> Answered[TableFacesAnswer]:
    """The pictures of those who sit at a table."""
    game = caller.game(game_id)
    faces = face_addresses(caller, game.seats)
    return Answered(
        lambda: TableFacesAnswer(game=game.id, faces=faces),
        lambda voice: [voice.say("face.there", count=len(faces))],
    )


@operation(
    "tournament-faces", "GET /tournaments/{tournament}/faces", grant=EVERYBODY, etag="content"
)
def at_tournament(caller: Caller, tournament: str) -> Answered[TournamentFacesAnswer]:
    """The picture of an event, and those of its players."""
    found = caller.store_context.desk.load(tournament)
    owners = {
        found.id: found.id,
        **{player: player for player in (*found.now.players, *found.now.team_of)},
    }
    faces = face_addresses(caller, owners)
    emblem = faces.pop(found.id, None)
    return Answered(
        lambda: TournamentFacesAnswer(tournament=found.id, emblem=emblem, faces=faces),
        lambda voice: [voice.say("face.there", count=len(faces))],
    )


def _shown(caller: Caller, of: str, name: str, content: bytes) -> Answered[PictureAnswer]:
    small = reduced(read_photo(content).content, SIDE)
    digest = caller.store_context.people.show(of, small)
    return Answered(
        lambda: _answer(of, name, digest),
        lambda voice: [voice.say("face.added", name=Verbatim(name))],
    )


def _hidden(caller: Caller, of: str, name: str) -> Answered[PictureAnswer]:
    if not caller.store_context.people.hide(of):
        raise NotFound("no_such_picture")
    return Answered(
        lambda: _answer(of, name, None),
        lambda voice: [voice.say("face.gone", name=Verbatim(name))],
    )


def _answer(of: str, name: str, digest: str | None) -> PictureAnswer:
    address = None if digest is None else face_address(of, digest)
    return PictureAnswer(of=of, name=name, digest=digest, address=address)
