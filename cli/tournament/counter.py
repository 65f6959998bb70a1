"""What a command at the desk works with: the tournament, its players by name, its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from typing import Any

from cli.failures import Answered
from cli.session import Session, session
from cli.speech import columns, language, say, spoken
from engines.kernel.words import Verbatim, fold
from referee.errors import Conflicting, NotFound
from referee.table.author import Author
from referee.table.bench import new_key
from referee.tournament.desk import ORGANISER, PREFIX, Desk, Hosted, Told
from referee.tournament.errors import WORDS, NotPossible
from referee.tournament.events import Created, Event
from referee.tournament.ranking.points import decimal, in_points, units
from referee.tournament.state import Round, Tournament

POINTER = "#tournament"
"""The current tournament is kept beside the current game."""


class Counter:
    """One call at the desk."""

    def __init__(self, here: Session, asked: str | None, key: str | None = None) -> None:
        self.here = here
        self.asked = asked
        self.key = key
        self.telling = key or new_key()
        """Marks whatever this call records, so that it knows its own events among others'."""

    @cached_property
    def desk(self) -> Desk:
        return Desk(self.here.bench)

    @cached_property
    def author(self) -> Author:
        """Who stands at the desk and says no role is the organiser."""
        return self.here.author if self.here.author_asked else ORGANISER

    @cached_property
    def id(self) -> str:
        asked = self.asked or self.here.current(POINTER)
        if asked is None:
            raise NotFound("no_current_tournament")
        return self.desk.find(asked)

    @property
    def hosted(self) -> Hosted:
        return self.desk.load(self.id)

    @property
    def now(self) -> Tournament:
        return self.hosted.now

    def tell(self, *events: Event) -> Hosted:
        return self.desk.tell(self.id, *events, author=self.author, key=self.telling)

    def told_before(self, *kinds: type[Event]) -> tuple[Told, ...]:
        """What this command recorded when it was told with the same key before."""
        if self.key is None:
            return ()
        if Created in kinds:
            made = self.desk.made_with(self.key)
            if made is None:
                return ()
            self.asked = made
            self.here.make_current(made, POINTER)
        known = self.desk.known(self.id, self.key)
        if known and not isinstance(known[0].event, kinds):
            raise Conflicting("key_taken", key=self.key, number=known[0].number)
        if known:
            self.here.warnings.append(say("tournament.told_before", number=known[0].number))
        return known

    def round(self, number: int | None = None) -> Round:
        """The round asked for; else the one that is open, or the last one."""
        return self.now.current_round if number is None else self.now.round(number)

    # people

    def name(self, player: str) -> str:
        return self.here.name(player)

    @property
    def names(self) -> dict[str, str]:
        return {player: self.name(player) for player in self.now.players}

    def player(self, text: str) -> str:
        """A player by number, by name, or by the beginning of a name."""
        players = self.now.players
        if text in players:
            return text
        number = text.removeprefix("#")
        if number.isdigit():
            found = [p.id for p in players.values() if p.number == int(number)]
        else:
            names = {player: fold(self.name(player)) for player in players}
            found = [player for player, name in names.items() if name == fold(text)]
            found = found or [p for p, name in names.items() if name.startswith(fold(text))]
        if len(found) == 1:
            return found[0]
        near = [f"{players[p].number} {self.name(p)}" for p in found]
        raise NotFound("which_player" if found else "no_such_player", player=text, players=near)

    def named(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Facts with names instead of pseudonyms."""

        def told(value: Any) -> Any:
            if isinstance(value, list | tuple):
                return [told(item) for item in value]
            return self.name(value) if isinstance(value, str) and value in players else value

        players = self.now.players if self.asked or self.here.current(POINTER) else {}
        return {name: told(value) for name, value in facts.items()}

    # answering

    def told(self, lines: Iterable[str], **more: Any) -> int:
        """The answer of everything that is recorded: which events, and what they mean."""
        hosted = self.hosted
        recorded = self.desk.known(self.id, self.telling)
        data = {
            "tournament": hosted.id,
            "name": hosted.now.name,
            "events": [{"number": one.number, "kind": one.event.KIND} for one in recorded],
            "head": hosted.head,
            **more,
        }
        return self.here.answer("tournament-told", data, lines)

    def tell_and_answer(self, *events: Event, lines: Iterable[str]) -> int:
        self.tell(*events)
        return self.told(lines)

    def answer_again(self, known: Sequence[Told]) -> int:
        """The answer to a command that was recorded before."""
        rows = [self.history_row(told) for told in known]
        return self.told(columns(rows))

    def history_row(self, told: Told) -> tuple[str, ...]:
        role = spoken(told.role)
        return (
            f"{told.number}",
            told.at[:16].replace("T", " "),
            role if told.by == "anonymous" else f"{self.name(told.by)} ({role})",
            say(f"tournament.event_{told.event.KIND}"),
            self._subject(told.event.model_dump(mode="json")),
        )

    def _subject(self, event: Mapping[str, Any]) -> str:
        parts = [self.name(event[key]) for key in ("player", "a", "b") if key in event]
        if "round" in event:
            parts.append(say("tournament.round", round=event["round"]))
        if event.get("table"):
            parts.append(say("tournament.table", table=event["table"]))
        if event.get("minutes"):
            parts.append(say("tournament.minutes", count=event["minutes"]))
        if event.get("reason"):
            parts.append(say("quoted", text=Verbatim(event["reason"])))
        return " · ".join(parts)


_asked: str | None = None


def choose(tournament: str | None) -> None:
    """The tournament this call is about; ``None``: the current one."""
    global _asked
    _asked = tournament


@contextmanager
def at_the_desk(key: str | None = None, *tells: type[Event]) -> Iterator[Counter]:
    """A command's place at the desk; refusals name people, not pseudonyms.

    ``tells`` names the events that a command may begin with: what was recorded before with
    the same key is answered again.
    """
    counter = Counter(session(), _asked, key)
    try:
        if tells and (known := counter.told_before(*tells)):
            raise Answered(counter.answer_again(known))
        yield counter
    except NotPossible as error:
        raise NotPossible(error.key, **counter.named(error.facts)) from None


def words(key: str, /, **facts: Any) -> str:
    """A sentence of the tournament's own catalogue."""
    return WORDS.say(key, language(), **facts)


def figure(value: Fraction | int, digits: int = 2) -> str:
    """A number as people of that language write it."""
    return decimal(value, digits).replace(".", say("tournament.decimal_mark"))


def points(halves: int) -> str:
    return figure(in_points(units(halves)))


def labelled(label: str, text: str) -> str:
    return f"{label}{say('tournament.colon')} {text}"


def short(tournament_id: str) -> str:
    return tournament_id.removeprefix(PREFIX)


def headed(here: Session, head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Columns under a headline."""
    lines = columns([tuple(head), *(tuple(row) for row in rows)])
    return [here.paint("bold", lines[0]), *lines[1:]]
