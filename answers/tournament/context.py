"""Request context of a tournament operation, and idempotency of those that record events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

from answers.answer import Answered, Data, Telling
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.permissions import Grant
from answers.tournament.i18n import answered, quoted, said
from engines.kernel.messages.catalogue import Spoken, normalize
from engines.kernel.messages.errors import MessageError
from referee.errors import Misused, NotFound
from referee.record.entries import PLAYER
from referee.store.sidecars.people import PersonDetails, listed_name
from referee.table.author import Author, By
from referee.table.bench import IdempotencyKeyReused, VersionConflict, new_key
from referee.tournament.desk import Desk, LoadedTournament, RecordedEvent
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import Recorded, check_same_request
from referee.tournament.events import PRIVATE, Event, Registered, TeamSet
from referee.tournament.idempotency import DryRunDesk
from referee.tournament.state import Round, Tournament
from referee.tournament.table_games import table_ref

P = ParamSpec("P")
A = TypeVar("A", bound=Data)
T = TypeVar("T")


class EventRef(Data):
    number: int
    kind: str


class ToldAnswer(Data):
    """The answer of everything that is recorded: which events, and the head after them."""

    SCHEMA: ClassVar[str] = "tournament-told"

    tournament: str
    name: str
    events: list[EventRef]
    head: str
    games: list[str] = []
    """The records that were told of it as well."""


def event_refs(recorded: Iterable[Recorded[Any]]) -> list[EventRef]:
    return [EventRef(number=each.number, kind=each.event.KIND) for each in recorded]


A_FEW = 4
"""So many names are asked for one by one."""


class DeskCall:
    """Request context: caller, tournament, and warnings for the answer."""

    def __init__(self, caller: Caller, tournament: str) -> None:
        self.caller = caller
        self.asked = tournament
        self.telling = caller.key or new_key()
        """Marks whatever this call records, so that it knows its own events among others'."""
        self.warnings: list[Spoken] = []
        self._names: dict[str, str] = {}
        self._loaded: LoadedTournament | None = None
        self._seen: LoadedTournament | None = None

    def find(self, name: str) -> tuple[str, ...]:
        """Everybody of that name whom the caller may know of."""
        return self.caller.people_called(name)

    def add(self, name: str) -> str:
        """Somebody new."""
        return self.caller.store_context.people.add(name)

    @property
    def desk(self) -> Desk:
        return self.caller.store_context.desk

    @property
    def author(self) -> Author:
        return self.caller.author

    @property
    def by(self) -> By:
        return By(self.author, self.telling)

    @cached_property
    def id(self) -> str:
        return self.desk.find(self.asked)

    @property
    def hosted(self) -> LoadedTournament:
        loaded = self.desk.load(self.id)
        if self._seen is None or loaded is not self._loaded:
            self._loaded, self._seen = loaded, self.caller.seen(loaded)
        return self._seen

    @property
    def now(self) -> Tournament:
        return self.hosted.now

    def from_event(self, name: str) -> DeskCall:
        """The same caller at another event, which they may see."""
        other = DeskCall(self.caller, name)
        if other.id == self.id or not self.caller.reaches(other.id, ""):
            raise NotFound("no_such_tournament", tournament=name)
        return other

    def tell(
        self, *events: Event, check: Callable[[Tournament], None] = lambda now: None
    ) -> LoadedTournament:
        return self.desk.tell(self.id, *events, by=self.by, check=check)

    def recorded_before(self) -> tuple[RecordedEvent, ...]:
        """The events recorded earlier under this idempotency key."""
        known = self.desk.known(self.id, self.caller.key)
        if known:
            self.warn("tournament.told_before", number=known[0].number)
        return known

    def warn(self, key: str, /, **facts: Any) -> None:
        """A sentence beside the answer."""
        self.warnings.append(said(key, **facts))

    def games(self) -> dict[tuple[int, int], list[str]]:
        """The records of every table, by round and table.

        Without those that say themselves that they are not for everybody who sees the event.
        """
        caller = self.caller

        def may_look(game: str, place: str) -> bool:
            return (
                caller.reaches(game, place) or not caller.store_context.access.rules(game).open_to
            )

        return {
            at: [game for game in games if may_look(game, table_ref(self.id, *at))]
            for at, games in self.desk.games(self.id).items()
        }

    @cached_property
    def board_records(self) -> dict[tuple[int, int], dict[int, str]]:
        """By round and table of a team match: the latest record of every board."""
        boards = self.desk.boards(self.id)
        return {
            at: {boards[game]: game for game in games if game in boards}
            for at, games in self.games().items()
        }

    def round(self, number: int | None = None) -> Round:
        """The round of this number, by default the last; warns if an earlier one is still open."""
        if number is not None:
            return self.now.round(number)
        last = self.now.current_round
        self._warn_of_open_rounds(last.number)
        return last

    def _warn_of_open_rounds(self, meant: int) -> None:
        earlier = [round.number for round in self.now.open_rounds if round.number < meant]
        warning = said("tournament.open_again", round=meant, earlier=earlier)
        if earlier and warning not in self.warnings:
            self.warnings.append(warning)

    # people

    def name(self, player: str) -> str:
        """A player's name; whoever asks for more than a few gets all of them by one query."""
        if player not in self._names and len(self._names) >= A_FEW:
            players = [*self.now.players, *self.now.team_of]
            self._names |= dict(zip(players, players, strict=True))
            self._names |= self.caller.store_context.people.names(players)
        if player not in self._names:
            self._names[player] = self.caller.name(player)
        return self._names[player]

    def names_of(self, players: Iterable[str]) -> list[str]:
        return [self.name(player) for player in players]

    @cached_property
    def details(self) -> dict[str, PersonDetails]:
        """What lists say of the players besides their names."""
        everybody = [*self.now.players, *self.now.team_of]
        return self.caller.store_context.people.details(everybody)

    def listed_name(self, player: str) -> str:
        """As the name stands in a list by last names, where the last name is known."""
        last_name = self.details.get(player, PersonDetails()).last_name
        return listed_name(self.name(player), last_name)

    @property
    def names(self) -> dict[str, str]:
        """Of everybody who plays: players, and the people of teams."""
        return {player: self.name(player) for player in (*self.now.players, *self.now.team_of)}

    def player(self, text: str) -> str:
        """A player by name, by number, or by the beginning of a first or last name."""
        found = self.players_called(text)
        if len(found) == 1:
            return found[0]
        players = self.now.players
        near = [f"{players[p].number} {self.name(p)}" for p in found]
        raise NotFound("which_player" if found else "no_such_player", player=text, players=near)

    def speaks_for(self, named: str) -> str:
        """Who is meant: whoever is named; a player, or a team, that names nobody, itself."""
        if named:
            return self.player(named)
        if self.author.role != PLAYER:
            raise Misused("which_players")
        return self.author.person

    def section(self, text: str) -> str:
        """A section as it is written here, however it was asked for."""
        found = {normalize(label): label for label in self.now.sections}
        asked = normalize(" ".join(text.split()))
        if asked not in found:
            raise NotFound("no_such_section", section=text, sections=list(self.now.sections))
        return found[asked]

    def players_called(self, text: str) -> list[str]:
        """Everybody who may be meant. A whole name goes before a number; ``#7`` is a number."""
        players = self.now.players
        if text in players:
            return [text]
        number = text.removeprefix("#")
        numbered = [p.id for p in players.values() if str(p.number) == number.lstrip("0")]
        if text.startswith("#"):
            return numbered
        names = {player: normalize(self.name(player)) for player in players}
        asked = normalize(text)
        whole = [player for player, name in names.items() if name == asked]
        if whole or number.isdecimal():
            return whole or numbered
        starts = [player for player, name in names.items() if name.startswith(asked)]
        return starts or [
            player
            for player, name in names.items()
            if any(word.startswith(asked) for word in name.split())
        ]

    def named(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Facts with names instead of pseudonyms."""
        players = {*self.now.players, *self.now.team_of}

        def told(value: Any) -> Any:
            if isinstance(value, list | tuple):
                return [told(item) for item in value]
            return self.name(value) if isinstance(value, str) and value in players else value

        return {name: told(value) for name, value in facts.items()}

    def warn_of_disputes(self, number: int | None = None) -> list[str]:
        """Names the disputes that are still open, of a round or of all, and warns of them."""
        waiting = [
            f"{concern.round}/{concern.table} {concern.called}"
            for concern in self.desk.concerns(self.id)
            if number is None or concern.round == number
        ]
        if waiting:
            told = said("tournament.disputes_wait", disputes=waiting, count=len(waiting))
            self.warnings.append(told)
        return waiting

    # answering

    def recorded_answer(self, telling: Telling, games: Iterable[str] = ()) -> Answered[ToldAnswer]:
        """The answer of an operation that recorded events: which, and the head after them."""
        hosted, records = self.hosted, list(games)
        recorded = self.desk.known(self.id, self.telling)

        def data() -> ToldAnswer:
            return ToldAnswer(
                tournament=hosted.id,
                name=hosted.now.name,
                events=event_refs(recorded),
                head=hosted.head,
                games=records,
            )

        return answered(data, telling, warnings=self.warnings)

    def record(self, *events: Event, telling: Telling | None = None) -> Answered[ToldAnswer]:
        """Record events and answer which; unless told otherwise, with the sentence of the last."""
        telling = telling or self.sentence(events[-1])
        self.tell(*events)
        return self.recorded_answer(telling)

    def sentence(self, event: Event) -> Telling:
        """``tournament.done_`` and the kind of the event, said of its fields: people by name, its
        player as ``name``."""
        facts = event.model_dump()
        names = {"name": self.name(facts["player"])} if "player" in facts else {}
        names |= self.named(facts)
        return lambda voice: [voice.say(f"tournament.done_{event.KIND}", **names)]

    def repeated_answer(self, known: Sequence[RecordedEvent]) -> Answered[ToldAnswer]:
        """The answer to a repeated request: the events that the first one recorded."""
        return self.recorded_answer(
            lambda voice: columns(self.history_row(voice, told) for told in known)
        )

    def history_row(self, voice: Voice, told: RecordedEvent) -> tuple[str, ...]:
        role = voice.spoken(told.role)
        return (
            f"{told.number}",
            voice.moment(told.at),
            role if told.by == "anonymous" else f"{self.name(told.by)} ({role})",
            voice.say(f"tournament.event_{told.event.KIND}"),
            self._subject(voice, told.event.model_dump(mode="json"))
            if readable(self, told)
            else "",
        )

    def _subject(self, voice: Voice, event: Mapping[str, Any]) -> str:
        people = ("player", "merged", "substitute", "a", "b")
        parts = [self.name(event[key]) for key in people if key in event]
        if event.keys() == {"players", "reason"}:  # those who are kept apart
            parts.append(", ".join(map(self.name, event["players"])))
        if "round" in event:
            parts.append(voice.say("tournament.round", round=event["round"]))
        if event.get("table"):
            parts.append(voice.say("tournament.table", table=event["table"]))
        if event.get("minutes"):
            parts.append(voice.say("tournament.minutes", count=event["minutes"]))
        if event.get("reason"):
            parts.append(quoted(voice, event["reason"]))
        return " · ".join(parts)


def called(names: Mapping[str, str], text: str) -> list[str]:
    """Whoever has that name; if nobody has, those whose name, or a word of it, begins so."""
    asked = normalize(text)
    known = {person: normalize(name) for person, name in names.items()}
    return [person for person, name in known.items() if name == asked] or [
        person
        for person, name in known.items()
        if any(word.startswith(asked) for word in (name, *name.split()))
    ]


def readable(context: DeskCall, told: RecordedEvent) -> bool:
    """Whether the caller may read what an event says: some are for organisers alone."""
    return context.author.role == "organiser" or not isinstance(told.event, PRIVATE)


@contextmanager
def at_the_desk(caller: Caller, tournament: str) -> Iterator[DeskCall]:
    """Context of one operation; in its refusals pseudonyms are replaced by names."""
    context = DeskCall(caller, tournament)
    try:
        yield context
    except NotPossible as error:
        raise NotPossible(error.key, **context.named(error.facts)) from None


def reading(
    operation: Callable[Concatenate[DeskCall, P], T],
) -> Callable[Concatenate[Caller, str, P], T]:
    """Decorator: an operation on a tournament that records nothing."""

    @wraps(operation)
    def carried_out(caller: Caller, tournament: str, /, *args: P.args, **options: P.kwargs) -> T:
        with at_the_desk(caller, tournament) as context:
            return operation(context, *args, **options)

    return carried_out


def _new_people(event: Event) -> tuple[str, ...]:
    """Those to whom a request may have given a pseudonym."""
    if isinstance(event, TeamSet):
        return (*event.members, *([event.captain] if event.captain else []))
    return (event.player,) if isinstance(event, Registered) else ()


class RepeatedCall(DeskCall):
    """Dry run of a repeated request: records nothing and adds no person.

    Idempotent replay: comparing what it would record with what was recorded proves that a reused
    key means the same request.
    """

    def __init__(self, call: DeskCall, recorded: Sequence[RecordedEvent]) -> None:
        super().__init__(call.caller, call.asked)
        self.id = call.id
        self.recorded = recorded
        self.dry_run_desk = DryRunDesk(call.desk, call.id, recorded)
        self._unmet = [person for one in recorded for person in _new_people(one.event)]

    @property
    def desk(self) -> Desk:
        return self.dry_run_desk

    def find(self, name: str) -> tuple[str, ...]:
        """People of that name; those the first request registered come first, as they did then."""
        found = super().find(name)
        return tuple(sorted(found, key=lambda person: person not in self._unmet))

    def add(self, name: str) -> str:
        known = self.caller.store_context.people.find(name)
        player = next((player for player in self._unmet if player in known), None)
        if player is None:
            raise self.other_request()
        self._unmet.remove(player)
        return player

    def other_request(self) -> IdempotencyKeyReused:
        first = self.recorded[0]
        return IdempotencyKeyReused("key_reused", key=first.key, entry=first.number)


Recording = Callable[Concatenate[DeskCall, P], Answered[A]]
Operation = Callable[Concatenate[Caller, str, P], Answered[A]]
Again = Callable[..., Answered[A]]


def idempotent(
    again: Again[A], *, in_its_words: bool = False
) -> Callable[[Recording[P, A]], Operation[P, A]]:
    """Decorator: makes an operation on a tournament idempotent by the key of its caller.

    A client that lost the answer sends the request again. It is then not carried out a second time:
    a dry run checks that it means the same, and ``again`` makes the answer; ``in_its_words``: with
    the text of the dry run, as the first answer said it. A key reused for another request is
    refused.
    """

    def keyed(operation: Recording[P, A]) -> Operation[P, A]:
        @wraps(operation)
        def carried_out(
            caller: Caller, tournament: str, /, *args: P.args, **options: P.kwargs
        ) -> Answered[A]:
            with at_the_desk(caller, tournament) as context:
                if not (known := context.recorded_before()):
                    try:
                        return operation(context, *args, **options)
                    except (IdempotencyKeyReused, VersionConflict):  # sent twice at once?
                        if not (known := context.recorded_before()):
                            raise
                told = check_same_by_dry_run(
                    context, known, lambda there: operation(there, *args, **options)
                )
                found = again(context, known, *args, **options)
                return found.with_text(told.told) if in_its_words else found

        return carried_out

    return keyed


def check_same_by_dry_run(
    context: DeskCall, known: Sequence[RecordedEvent], call: Callable[[DeskCall], T]
) -> T:
    """Refuse a request that would record anything else than its idempotency key stands for; what it
    would be answered."""
    there = RepeatedCall(context, known)
    try:
        answer = call(there)
    except MessageError:
        raise there.other_request() from None
    check_same_request(known, there.dry_run_desk.told, context.author)
    return answer


def repeatable(operation: Recording[P, A]) -> Operation[P, A]:
    """``idempotent`` for operations that go on where they were interrupted."""

    def once_more(
        context: DeskCall, known: Sequence[RecordedEvent], /, *args: P.args, **options: P.kwargs
    ) -> Answered[A]:
        return operation(context, *args, **options)

    return idempotent(once_more)(operation)


def recording(operation: Recording[P, ToldAnswer]) -> Operation[P, ToldAnswer]:
    """``idempotent`` for operations whose answer is the list of recorded events."""

    def told_again(
        context: DeskCall, known: Sequence[RecordedEvent], /, *args: object, **options: object
    ) -> Answered[ToldAnswer]:
        return context.repeated_answer(known)

    return idempotent(told_again, in_its_words=True)(operation)


BY_ROUND = {"number": "round"}
"""``rename`` of operations on a round: its number is called ``round`` in a request."""


def records(
    name: str, http: str, grant: Grant, **more: Any
) -> Callable[[Recording[P, ToldAnswer]], Operation[P, ToldAnswer]]:
    """Declare an operation that is ``recording``; its place is below that of the tournament."""
    declaration = operation(name, _at_event(http), grant=grant, **more)
    return lambda function: declaration(recording(function))


def reads(
    name: str, http: str, grant: Grant, **more: Any
) -> Callable[[Callable[Concatenate[DeskCall, P], T]], Callable[Concatenate[Caller, str, P], T]]:
    """The same for one that is ``reading``."""
    declaration = operation(name, _at_event(http), grant=grant, **more)
    return lambda function: declaration(reading(function))


def _at_event(http: str) -> str:
    method, _, place = http.partition(" ")
    return f"{method} /tournaments/{{tournament}}{place}"
