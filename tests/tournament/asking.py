"""A desk in the hands of a test: operations asked in memory, refusals by their keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from answers.answer import Answered
from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.tournament import lifecycle, players, results, rounds, standings
from answers.tournament.result_slips import Slip
from cli.hints import hinting
from engines.kernel.messages.errors import MessageError
from referee.store import open_store
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from referee.tournament.desk import LoadedTournament
from referee.tournament.event_streams import ORGANISER
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.plan import Plan
from referee.tournament.state import Tournament


def swiss(rounds: int = 3, **more: Any) -> Plan:
    return usual_plan("benevolent", "swiss", rounds, check_in=False, **more)


def brooms(rounds: int = 3, **more: Any) -> Plan:
    return usual_plan("broom_service", "pods", rounds, check_in=False, **more)


class Stand:
    """The desk of one tournament."""

    def __init__(
        self,
        plan: Plan,
        *names: str,
        author: Author = ORGANISER,
        store_context: StoreContext | None = None,
    ) -> None:
        there = store_context or StoreContext(open_store("memory:"))
        self.caller = Caller(there, author, Voice())
        self.id = lifecycle.create(self.caller, "Cup", plan).data.tournament
        if names:
            self.add(*names)

    @property
    def hosted(self) -> LoadedTournament:
        return self.caller.store_context.desk.load(self.id)

    @property
    def now(self) -> Tournament:
        return self.hosted.now

    def ask(
        self, operation: Callable[..., Answered[Any]], *args: Any, **more: Any
    ) -> Answered[Any]:
        return operation(self.caller, self.id, *args, **more)

    def refusal(
        self, operation: Callable[..., Answered[Any]], *args: Any, **more: Any
    ) -> MessageError:
        """Why something is refused; nothing is recorded."""
        before = self.caller.store_context.desk.load(self.id).head
        try:
            self.ask(operation, *args, **more)
        except MessageError as error:
            assert self.caller.store_context.desk.load(self.id).head == before
            return error
        raise AssertionError("it was not refused")

    def told(self, answered: Answered[Any], lang: str = "en") -> str:
        voice = hinting(Voice("fr" if lang == "fr" else "en"))
        warnings = [voice.spoken(warning) for warning in answered.warnings]
        return "\n".join([*answered.lines(voice), *warnings])

    # what tests do most

    def add(self, *names: str, **more: Any) -> Answered[Any]:
        return self.ask(players.register, [PlayerRow(name=name, **more) for name in names])

    def names(self) -> list[str]:
        return [self.caller.name(player) for player in self.now.players]

    def id_of(self, name: str) -> str:
        return next(p for p in self.now.players if self.caller.name(p) == name)

    def pair(self, seed: int = 1) -> Answered[Any]:
        return self.ask(rounds.pair, seed=seed)

    def start(self, seed: int = 1) -> None:
        self.pair(seed)
        self.ask(rounds.start)

    def slip(self, table: int, *places: str, **more: Any) -> Answered[Any]:
        number = more.pop("round", None)
        return self.ask(results.enter_result, table, Slip(places, **more), "slip", round=number)

    def slips(self, text: str, **more: Any) -> Answered[Any]:
        return self.ask(results.enter_list, text, **more)

    def play(self, seed: int = 1) -> None:
        """A round in which the first seat always wins."""
        self.start(seed)
        for table in self.now.current_round.draw.tables:
            size = len(table.seats)
            points = [f"{letter}={9 - at}" for at, letter in enumerate("ABCDEFGH"[:size])]
            self.slip(table.number, *points)
        self.ask(rounds.close)

    def ranks(self) -> dict[str, int]:
        rows = self.ask(standings.standings).data.rows
        return {row.name: row.rank for row in rows}

    def seats(self) -> list[Sequence[str]]:
        return [
            [self.caller.name(player) for player in table.seats]
            for table in self.now.current_round.draw.tables
        ]
