"""Registration by the players themselves: a link, a form on the phone, a waiting list.

The link needs no account: a code in it, made from the id of the event and the secret of the store,
lets whoever has it register, and tells them nothing of the others.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Literal

from pydantic import Field

from answers.admin.access import PassAnswer
from answers.answer import Answered, Data
from answers.context import Caller, policy_of
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.limits import Name, NewName, PersonName
from answers.permissions import EVERYBODY, JUDGES, Tells
from answers.tournament.context import DeskCall, ToldAnswer, at_the_desk, reads, records
from answers.tournament.i18n import answered
from answers.tournament.players import describe, moved_up_lines, waiting_called
from engines.kernel.messages.catalogue import normalize
from engines.kernel.rules.actions import PlainText
from referee.errors import Conflicting, Misused, NotFound
from referee.record.entries import PLAYER
from referee.store.sidecars.access import CODE_LENGTH, CODE_LETTERS, shown_code, typed_code
from referee.store.sidecars.people import Federation, Licence, clean_name, listed_name
from referee.table.author import Author
from referee.table.bench import IdempotencyKeyReused
from referee.tournament import events
from referee.tournament.desk import RecordedEvent
from referee.tournament.errors import NotPossible
from referee.tournament.state import Tournament
from referee.tournament.values import Moment, read_moment

DAYS = 30
"""So long a phone stays signed in."""
AGAIN = timedelta(minutes=10)
"""So long whoever lost the answer gets it again by the same idempotency key. It has a token in it,
and a key is no secret."""
DESK = ("organiser", "judge", "scribe")
NEVER_SET = events.RegistrationSet(open=False)
"""What holds until something is told of registration."""

State = Literal["open", "full", "closed", "over"]
"""Open; open, and who comes waits; closed by the desk or by the time; round one is paired."""


class WaitingRow(Data):
    place: int
    player: str
    name: str
    club: str


class OwnRegistration(Data):
    """What a player is told of the own registration."""

    number: int | None
    """On the list of players."""
    place: int | None
    """On the waiting list."""


class RegistrationAnswer(Data):
    tournament: str
    name: str
    state: State
    set: bool
    """Whether anything was ever told of it."""
    capacity: int | None
    closes: str | None
    asks: list[events.AskedOf]
    registered: int
    waiting: int
    mine: OwnRegistration | None
    """Of a player."""
    code: str
    """In the address under which people register: for organisers, and for everybody where everybody
    may look on."""
    waiting_list: list[WaitingRow]
    """For the desk alone."""


class EntryAnswer(Data):
    """What somebody with the link is told: nothing of those who have registered."""

    tournament: str
    name: str
    games: list[str]
    state: State
    capacity: int | None
    closes: str | None
    asks: list[events.AskedOf]
    left: int | None
    """Places that are free; None where there are as many as one wants."""
    waiting: int


class SignedUpAnswer(PassAnswer):
    """A token for the phone, and how it stands."""

    number: int | None
    place: int | None


def registration_state(context: DeskCall) -> State:
    now = context.now
    told = now.registration
    if now.rounds or now.closed:
        return "over"
    if told is None or not told.open:
        return "closed"
    if told.closes is not None and read_moment(told.closes) <= read_moment(context.desk.moment()):
        return "closed"
    return "open" if now.places_left and not now.waiting_list else "full"


def _own(now: Tournament, player: str) -> OwnRegistration:
    number = now.players[player].number if player in now.players else None
    places = [at for at, each in enumerate(now.waiting_list, 1) if each.player == player]
    return OwnRegistration(number=number, place=places[0] if places else None)


# the desk


@reads("tournament-registration", "GET /registration", EVERYBODY, etag="content")
def registration(context: DeskCall) -> Answered[RegistrationAnswer]:
    """How registration stands; the desk is told who waits, a player their own place."""
    now, told, state = context.now, context.now.registration, registration_state(context)
    role = context.author.role
    registered = sum(player.status != "dropped" for player in now.players.values())
    is_public = policy_of(context.caller.store_context, context.id, "").open_to == "everybody"
    knows = role == "organiser" or (is_public and told is not None)
    code = shown_code(code_of(context.caller, context.id)) if knows else ""
    waiting = [
        WaitingRow.made_of(each, place=at, name=context.name(each.player))
        for at, each in enumerate(now.waiting_list, 1)
        if role in DESK
    ]

    def data() -> RegistrationAnswer:
        return RegistrationAnswer.made_of(
            told or NEVER_SET,
            tournament=context.id,
            name=now.name,
            state=state,
            set=told is not None,
            registered=registered,
            waiting=len(now.waiting_list),
            mine=_own(now, context.author.person) if role == PLAYER else None,
            code=code,
            waiting_list=waiting,
        )

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say(f"registration.state_{state}")
        yield voice.say("registration.count", count=registered, waiting=len(now.waiting_list))
        if told is not None:
            yield from _told(voice, told)
        if code and told is not None:
            address = f"/register/{context.id}/{code}"
            yield voice.labelled(voice.say("registration.link"), address)
        rows = ((f"{row.place}", row.name, row.club or "–") for row in waiting)
        yield from ("  " + line for line in columns(rows))

    return answered(data, render)


def _told(voice: Voice, told: events.RegistrationSet) -> Iterator[str]:
    if told.capacity is not None:
        yield voice.say("registration.capacity", places=told.capacity)
    if told.closes is not None:
        yield voice.say("registration.closes", until=voice.moment(told.closes))
    if told.asks:
        asked = [voice.say(f"tournament.head_{each}") for each in told.asks]
        yield voice.labelled(voice.say("registration.asks"), ", ".join(asked))


@records("tournament-registration-set", "POST /registration", Tells("registration_set"))
def set_registration(
    context: DeskCall,
    *,
    open: bool,
    capacity: Annotated[int | None, Field(ge=2, le=events.MOST_PLAYERS)] = None,
    closes: Moment | None = None,
    asks: Annotated[Sequence[events.AskedOf], Field(max_length=4)] = (),
) -> Answered[ToldAnswer]:
    """Open or close registration. Whoever has a place by that moves up from the waiting list."""
    event = events.RegistrationSet(
        open=open, capacity=capacity, closes=closes, asks=tuple(dict.fromkeys(asks))
    )
    if open and closes is not None and read_moment(closes) <= read_moment(context.desk.moment()):
        raise Misused("closes_in_the_past")

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say(f"registration.{'opened' if open else 'closed'}")
        yield from _told(voice, event)
        yield from moved_up_lines(voice, context)

    return context.record(event, telling=render)


@records("tournament-move-up", "POST /registration/place", JUDGES)
def move_up(context: DeskCall, name: Name) -> Answered[ToldAnswer]:
    """Somebody of the waiting list gets a place, whoever is before them and however full it is."""
    found = waiting_called(context, name)
    if len(found) != 1:
        raise NotFound(
            "which_player" if found else "not_waiting", player=name, players=context.names_of(found)
        )
    called = context.name(found[0])
    return context.record(
        events.MovedUp(player=found[0]),
        telling=lambda voice: [voice.say("registration.moved_up", name=called)],
    )


# whoever has the link


def code_of(caller: Caller, tournament: str) -> str:
    """The letters in the address of an event's registration: the same for as long as it exists."""
    secret = caller.store_context.access.salt()
    number = int.from_bytes(hmac.digest(secret, f"register/{tournament}".encode(), "sha256"))
    letters = []
    for _ in range(CODE_LENGTH):
        number, at = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[at])
    return "".join(letters)


def _check_code(caller: Caller, tournament: str, code: str) -> None:
    """Refuse a wrong code as if there were no such event."""
    told = typed_code(code).encode()
    known = caller.store_context.store.entry(tournament, 0) is not None
    if not (hmac.compare_digest(told, code_of(caller, tournament).encode()) and known):
        raise NotFound("no_such_registration")


@operation(
    "tournament-entry",
    "GET /register/{event}/{code}",
    grant=EVERYBODY,
    scope="public",
    etag="content",
)
def entry(caller: Caller, event: str, code: str) -> Answered[EntryAnswer]:
    """What the link leads to."""
    _check_code(caller, event, code)
    with at_the_desk(caller, event) as context:
        now, told, state = context.now, context.now.registration, registration_state(context)
        waiting = len(now.waiting_list)
        left = now.places_left if told is not None and told.capacity is not None else None

        def data() -> EntryAnswer:
            return EntryAnswer.made_of(
                told or NEVER_SET,
                tournament=context.id,
                name=now.name,
                games=now.plan.games,
                state=state,
                left=left,
                waiting=waiting,
            )

        def render(voice: Voice) -> Iterator[str]:
            yield now.name
            yield voice.say(f"registration.state_{state}")
            if told is not None:
                yield from _told(voice, told)

        return answered(data, render)


@operation(
    "tournament-sign-up",
    "POST /register/{event}/{code}",
    grant=EVERYBODY,
    scope="public",
    signs="up",
)
def sign_up(
    caller: Caller,
    event: str,
    code: str,
    name: NewName,
    *,
    last_name: PersonName = "",
    club: Annotated[PlainText, Field(max_length=80)] = "",
    federation: Federation = "",
    licence: Licence = "",
    namesake: bool = False,
) -> Answered[SignedUpAnswer]:
    """Somebody registers themselves, and their phone is signed in as that player.

    Always a new pseudonym, whoever else bears the name: a stranger must not become somebody whom
    the club knows. A phone that is that person's already says so by its token.
    """
    _check_code(caller, event, code)
    name = clean_name(name)
    told = {
        "last_name": last_name, "club": club, "federation": federation, "licence": licence
    }  # fmt: skip
    with at_the_desk(caller, event) as context:
        known = context.recorded_before()
        player = _again(context, known, name) if known else _new(context, name, told, namesake)
        own = _own(context.now, player)
        given, secret = caller.store_context.access.give(
            PLAYER, context.id, player, timedelta(days=DAYS)
        )
        called = context.name(player)

        def data() -> SignedUpAnswer:
            return SignedUpAnswer.made_of(given, own, person=player, name=called, token=secret)

        def render(voice: Voice) -> list[str]:
            return [own_line(voice, own)]

        return answered(data, render, warnings=context.warnings)


def own_line(voice: Voice, own: OwnRegistration) -> str:
    """“You are registered, number 17”, or the place on the waiting list."""
    if own.number is not None:
        return voice.say("registration.you_are_in", number=own.number)
    if own.place is not None:
        return voice.say("registration.you_wait", place=own.place)
    return voice.say("registration.you_are_out")


def _again(context: DeskCall, known: Sequence[RecordedEvent], name: str) -> str:
    """Who registered with this key, for whoever lost the answer a moment ago."""
    first = known[0]
    late = read_moment(context.desk.moment()) - read_moment(first.at) > AGAIN
    if (
        not isinstance(first.event, events.SignedUp)
        or late
        or normalize(context.name(first.event.player)) != normalize(name)
    ):
        raise IdempotencyKeyReused("key_reused", key=first.key, entry=first.number)
    return first.event.player


def _new(context: DeskCall, name: str, told: dict[str, str], namesake: bool) -> str:
    state = registration_state(context)
    if state in ("closed", "over"):
        raise NotPossible("registration_closed" if state == "closed" else "registration_over")
    if state == "full" and len(context.now.waiting_list) >= events.MOST_WAITING:
        raise NotPossible("waiting_list_full")  # before a name is kept
    settings = context.now.registration
    asks = settings.asks if settings is not None else ()
    for field, value in told.items():
        if value and field not in asks:
            raise Misused("detail_not_asked", field=field)
    last = " ".join(told["last_name"].split())
    if "last_name" in asks and (not last or listed_name(name, last) == name):
        raise Misused("last_name_wanted")
    player = _proven(context, name)
    if player is None:
        if not namesake and normalize(name) in _names_there(context):
            raise Conflicting("same_name", name=name)
        player = context.add(name)
        described = {field: value for field, value in told.items() if field != "club" and value}
        describe(context, player, described)
    author = Author(player, PLAYER)
    there = DeskCall(replace(context.caller, author=author), context.id)
    there.telling = context.telling
    there.tell(events.SignedUp(player=player, club=" ".join(told["club"].split())))
    return player


def _proven(context: DeskCall, name: str) -> str | None:
    """Whose phone it is, if that person has this name and is not registered yet."""
    person = context.caller.author.person
    known = context.caller.store_context.people.name(person)
    taken = {*context.now.players, *(each.player for each in context.now.waiting_list)}
    if known is None or person in taken or normalize(known) != normalize(name):
        return None
    return person


def _names_there(context: DeskCall) -> set[str]:
    now = context.now
    here = [*now.players, *(each.player for each in now.waiting_list)]
    return {normalize(context.name(player)) for player in here}
