"""Who takes part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from answers.answer import Answered, Data
from answers.caller import Caller
from answers.tournament.counter import Counter, ToldAnswer, at_the_desk, recording
from answers.tournament.voice import answered, headed
from answers.voice import Voice
from referee.errors import Misused
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    ByeRequested,
    CheckedIn,
    Dropped,
    Event,
    Late,
    Registered,
    Returned,
    Unplayed,
)
from referee.tournament.papers.interchange import Entry


class PlayerAnswer(Data):
    player: str
    number: int
    name: str
    club: str
    rating: int
    status: Literal["registered", "present", "dropped"]


class TournamentPlayersAnswer(Data):
    tournament: str
    players: list[PlayerAnswer]


@recording(Registered)
def register(
    counter: Counter,
    entries: Sequence[Entry],
    *,
    fixed_table: int | None = None,
    namesake: bool = False,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """New players; ``namesake``: somebody else of a name that is known already."""
    players = [_person(counter, entry, set(), new=namesake) for entry in entries]
    for player in players:
        if player in counter.now.players:
            raise NotPossible("registered_already", player=player)
    events = [
        _registered(player, entry, fixed_table)
        for player, entry in zip(players, entries, strict=True)
    ]
    names = ", ".join(counter.name(player) for player in players)
    count = len(players)
    return counter.record(
        *events,
        telling=lambda voice: [voice.say("tournament.registered", count=count, names=names)],
    )


@recording(Registered)
def register_list(
    counter: Counter, entries: Sequence[Entry], source: str, *, key: str | None = None
) -> Answered[ToldAnswer]:
    """A list of players; read twice, it registers nobody twice."""
    seen: set[str] = set()
    events: list[Event] = []
    for entry in entries:
        player = _person(counter, entry, seen)
        seen.add(player)
        if player not in counter.now.players:
            events.append(_registered(player, entry))
    if not events:
        return counter.told(lambda voice: [voice.say("tournament.nobody_new")])
    count = len(events)
    return counter.record(
        *events, telling=lambda voice: [voice.say("tournament.imported", count=count, file=source)]
    )


def _person(counter: Counter, entry: Entry, taken: set[str], *, new: bool = False) -> str:
    """The pseudonym of a name; namesakes in one list are different people."""
    people = counter.caller.house.people
    known = [person for person in people.find(entry.name) if person not in taken]
    return known[0] if known and not new else people.add(entry.name)


def _registered(player: str, entry: Entry, fixed_table: int | None = None) -> Registered:
    return Registered(
        player=player,
        club=entry.club,
        rating=entry.rating,
        seed=entry.seed,
        fixed_table=fixed_table,
    )


@recording(CheckedIn)
def check_in(
    counter: Counter,
    names: Sequence[str] = (),
    *,
    everybody: bool = False,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """These players are here, or everybody who was expected."""
    expected = [p.id for p in counter.now.players.values() if p.status == "registered"]
    players = expected if everybody else [counter.player(name) for name in names]
    if everybody and not players:
        present = sum(player.came for player in counter.now.players.values())
        return counter.told(lambda voice: [voice.say("tournament.everybody_here", count=present)])
    if not players:
        raise Misused("which_players")
    count = len(players)
    return counter.record(
        *(CheckedIn(player=player) for player in players),
        telling=lambda voice: [voice.say("tournament.checked_in", count=count)],
    )


@recording(Registered, Late)
def come_late(
    counter: Counter, name: str, missed: Unplayed = "zero_bye", *, key: str | None = None
) -> Answered[ToldAnswer]:
    """Somebody comes after the first round; ``missed`` is what the rounds before count."""
    people = counter.caller.house.people
    known = [person for person in people.find(name) if person in counter.now.players]
    player = known[0] if known else counter.caller.person(name)
    events: list[Event] = []
    if player not in counter.now.players:
        events.append(Registered(player=player))
    events.append(Late(player=player, missed=missed))
    return counter.record(
        *events,
        telling=lambda voice: [voice.say("tournament.late", name=counter.name(player))],
    )


@recording(Dropped)
def drop(
    counter: Counter, name: str, *, reason: str = "", key: str | None = None
) -> Answered[ToldAnswer]:
    player = counter.player(name)
    return counter.record(
        Dropped(player=player, reason=reason),
        telling=lambda voice: [voice.say("tournament.dropped", name=counter.name(player))],
    )


@recording(Returned)
def come_back(
    counter: Counter, name: str, missed: Unplayed = "zero_bye", *, key: str | None = None
) -> Answered[ToldAnswer]:
    player = counter.player(name)
    return counter.record(
        Returned(player=player, missed=missed),
        telling=lambda voice: [voice.say("tournament.returned", name=counter.name(player))],
    )


@recording(ByeRequested)
def ask_bye(
    counter: Counter,
    name: str,
    round: int,
    counts: Unplayed = "half_bye",
    *,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """A player will not play in a round."""
    player = counter.player(name)
    asked = counter.name(player)
    return counter.record(
        ByeRequested(player=player, round=round, counts=counts),
        telling=lambda voice: [voice.say("tournament.bye_asked", name=asked, round=round)],
    )


def players(caller: Caller, tournament: str) -> Answered[TournamentPlayersAnswer]:
    with at_the_desk(caller, tournament) as counter:
        found = list(counter.now.players.values())

        def told(voice: Voice) -> list[str]:
            if not found:
                return [voice.say("tournament.nobody")]
            head = [
                voice.say(f"tournament.head_{key}")
                for key in ("no", "name", "club", "rating", "is")
            ]
            rows = (
                (
                    str(player.number),
                    counter.name(player.id),
                    player.club or "–",
                    str(player.rating or "–"),
                    voice.say(f"term.{player.status}"),
                )
                for player in found
            )
            return headed(voice, head, rows)

        def data() -> TournamentPlayersAnswer:
            rows = [
                PlayerAnswer(
                    player=player.id,
                    number=player.number,
                    name=counter.name(player.id),
                    club=player.club,
                    rating=player.rating,
                    status=player.status,
                )
                for player in found
            ]
            return TournamentPlayersAnswer(tournament=counter.id, players=rows)

        return answered(data, told)
