"""A player's games: results, partners and opponents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from answers.admin.people import find_person
from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.known_games import is_called, known_games
from answers.permissions import JUDGES
from answers.play.info import GameRow, game_row, result_told, with_progress
from answers.rulebooks.games import game_name
from answers.verdict_text import short
from referee.errors import Misused, NotFound


class PlayedCount(Data):
    engine: str
    games: int
    """Those that were finished with a result."""
    won: int


class MetCount(Data):
    """Somebody who sat at the same tables."""

    name: str
    together: int
    """Games that both won or lost as one table."""
    against: int
    ahead: int
    """Of those against each other, how often the player came out ahead."""


class PlayerAnswer(Data):
    person: str
    name: str
    played: list[PlayedCount]
    met: list[MetCount]
    """Whom they met most often, first."""
    games: list[GameRow]
    """The latest first."""


@operation("player", "GET /people/{person}/games", grant=JUDGES, rename={"who": "person"})
def player(caller: Caller, who: str) -> Answered[PlayerAnswer]:
    """The games of a player, as far as the caller may know of them."""
    person = _meant(caller, who)
    rows = [
        row
        for row in known_games(caller)
        if person in row["people"].values() and not row["kept_apart"]
    ]
    decided = [row for row in rows if row["result"] and _decides(row["result"])]

    def data() -> PlayerAnswer:
        return PlayerAnswer(
            person=person,
            name=caller.name(person),
            played=_played(person, decided),
            met=_met(caller, person, decided),
            games=[game_row(caller, row) for row in with_progress(caller, rows)],
        )

    def told(voice: Voice) -> Iterator[str]:
        found = data()
        yield voice.mark("bold", found.name)
        yield from columns(
            (
                game_name(voice, one.engine),
                voice.say("people.games", count=one.games),
                voice.say("player.won", count=one.won),
            )
            for one in found.played
        )
        yield from columns(
            (
                one.name,
                voice.say("player.together", count=one.together),
                voice.say("player.against", count=one.against, ahead=one.ahead),
            )
            for one in found.met
        )
        yield from columns(
            (
                short(row.game),
                game_name(voice, row.engine),
                voice.day(row.opened),
                result_told(voice, row) or "–",
            )
            for row in found.games
        )

    return Answered(data, told)


def _meant(caller: Caller, who: str) -> str:
    """Somebody by pseudonym or name, in any spelling that means one person."""
    try:
        return find_person(caller, who)
    except NotFound:
        everybody = caller.store_context.people.everybody()
        found = [person for person, name in everybody if is_called(who, [name])]
        if not found:
            raise
        if len(found) > 1:
            raise Misused("several_people", who=who, people=found) from None
        return found[0]


def _decides(result: dict[str, Any]) -> bool:
    return bool(result.get("places")) or result.get("won") is not None


def _played(person: str, rows: list[dict[str, Any]]) -> list[PlayedCount]:
    counts: dict[str, list[int]] = {}
    for row in rows:
        count = counts.setdefault(row["engine"], [0, 0])
        count[0] += 1
        count[1] += min(_places(row)[seat] for seat in _seats(row, person)) == 1
    return [
        PlayedCount(engine=engine, games=games, won=won)
        for engine, (games, won) in sorted(counts.items())
    ]


def _met(caller: Caller, person: str, rows: list[dict[str, Any]]) -> list[MetCount]:
    met: dict[str, MetCount] = {}
    for row in rows:
        places = _places(row)
        own = min(places[seat] for seat in _seats(row, person))
        for other in {*row["people"].values()} - {person}:
            known = met.get(other) or MetCount(
                name=caller.name(other), together=0, against=0, ahead=0
            )
            theirs = min(places[seat] for seat in _seats(row, other))
            as_one = row["result"].get("won") is not None
            met[other] = MetCount(
                name=known.name,
                together=known.together + as_one,
                against=known.against + (not as_one),
                ahead=known.ahead + (not as_one and own < theirs),
            )
    return sorted(met.values(), key=lambda one: (-(one.together + one.against), one.name))


def _seats(row: dict[str, Any], person: str) -> list[str]:
    return [seat for seat, sitting in row["people"].items() if sitting == person]


def _places(row: dict[str, Any]) -> dict[str, int]:
    """The place of each seat; of a table that plays together the first, or the last."""
    result, places = row["result"], dict[str, int]()
    won = result.get("won")
    if won is not None:
        return dict.fromkeys(row["people"], 1 if won else 2)
    reached = 1
    for seats in result["places"]:
        places |= dict.fromkeys(seats, reached)
        reached += len(seats)
    return {**dict.fromkeys(row["people"], reached), **places}
