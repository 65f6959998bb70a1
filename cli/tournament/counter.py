"""What a command at the desk works with: the tournament, its players by name, its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from cli.session import Session, session
from cli.speech import columns, language, say
from engines.kernel.words import fold
from referee.bench import Author
from referee.errors import NotFound
from referee.tournament import WORDS, NotPossible, Tournament
from referee.tournament.desk import ORGANISER, PREFIX, Desk, Hosted
from referee.tournament.events import Event
from referee.tournament.state import Round

POINTER = "#tournament"
"""The current tournament is kept beside the current game."""


class Counter:
    """One call at the desk."""

    def __init__(self, here: Session, asked: str | None) -> None:
        self.here = here
        self.asked = asked

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
        return self.desk.tell(self.id, *events, author=self.author)

    def round(self, number: int | None = None) -> Round:
        """The round asked for; else the one that is open, or the last one."""
        now = self.now
        if number is None:
            number = now.open_round.number if now.open_round else len(now.rounds)
        return now.round(number)

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

    def told(self, events: Iterable[int], lines: Iterable[str], **more: Any) -> int:
        """The answer of everything that is recorded: which events, and what they mean."""
        hosted = self.hosted
        data = {
            "tournament": hosted.id,
            "name": hosted.now.name,
            "events": [{"number": n, "kind": hosted.told[n].event.KIND} for n in events],
            "head": hosted.head,
            **more,
        }
        return self.here.answer("tournament-told", data, lines)

    def tell_and_answer(self, *events: Event, lines: Iterable[str]) -> int:
        before = len(self.hosted.told)
        after = self.tell(*events)
        return self.told(range(before, len(after.told)), lines)


_asked: str | None = None


def choose(tournament: str | None) -> None:
    """The tournament this call is about; ``None``: the current one."""
    global _asked
    _asked = tournament


@contextmanager
def at_the_desk() -> Iterator[Counter]:
    """A command's place at the desk; refusals name people, not pseudonyms."""
    counter = Counter(session(), _asked)
    try:
        yield counter
    except NotPossible as error:
        raise NotPossible(error.key, **counter.named(error.facts)) from None


def words(key: str, /, **facts: Any) -> str:
    """A sentence of the tournament's own catalogue."""
    return WORDS.say(key, language(), **facts)


def labelled(label: str, text: str) -> str:
    return f"{label}{say('tournament.colon')} {text}"


def short(tournament_id: str) -> str:
    return tournament_id.removeprefix(PREFIX)


def headed(here: Session, head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Columns under a headline."""
    lines = columns([tuple(head), *(tuple(row) for row in rows)])
    return [here.paint("bold", lines[0]), *lines[1:]]
