"""Statistics over many records: clauses, seats, openings, players, durations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from statistics import mean, median
from typing import Any, Literal, NamedTuple

from engines.kernel import Result
from engines.kernel.dialogue.clause_text import weighed
from referee.record.game import Game
from referee.record.history import history
from referee.record.line import JudgedItem

By = Literal["seat", "opening", "player"]
COUNTED = ("consulted", "broken", "undecided", "disputed", "ruled", "overruled")
"""What happens to a clause, from the usual to the rare."""


class Spread(NamedTuple):
    """Minimum, median and maximum."""

    least: float
    median: float
    most: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Spread | None:
        found = sorted(numbers)
        return cls(found[0], median(found), found[-1]) if found else None


class Standing:
    """Wins and games of a player, a seat or an opening."""

    def __init__(self) -> None:
        self.games = self.won = self.shared = 0
        self.places: list[int] = []
        self.scores: list[int] = []

    def add(self, seat: str, result: Result) -> None:
        self.games += 1
        if result.won is not None:
            self.won += result.won
            return
        place, tied = next((place, seats) for place, seats in result.numbered if seat in seats)
        self.places.append(place)
        self.won += place == 1
        self.shared += place == 1 and len(tied) > 1
        if seat in result.scores:
            self.scores.append(result.scores[seat])

    def join(self, other: Standing) -> None:
        self.games += other.games
        self.won += other.won
        self.shared += other.shared
        self.places += other.places
        self.scores += other.scores

    @property
    def place(self) -> float | None:
        return mean(self.places) if self.places else None

    @property
    def score(self) -> float | None:
        return mean(self.scores) if self.scores else None


class Length:
    """Durations of games of one kind, and of their turns."""

    def __init__(self) -> None:
        self.actions: list[int] = []
        self.minutes: list[float] = []
        self.turns: list[int] = []
        """Actions of each turn."""
        self.seconds: list[float] = []
        """From the end of a turn to the end of the next one."""

    def join(self, other: Length) -> None:
        self.actions += other.actions
        self.minutes += other.minutes
        self.turns += other.turns
        self.seconds += other.seconds


class Statistics:
    """Aggregated game by game."""

    def __init__(self) -> None:
        self.games = self.proven = 0
        self.clauses: dict[tuple[str, str], Counter[str]] = {}
        """By engine and clause, how often each of ``COUNTED`` happened."""
        self.results: dict[tuple[By, str, str], Standing] = {}
        """By what is compared, engine and name. A player is a pseudonym."""
        self.lengths: dict[str, Length] = {}
        self.left_out: list[str] = []
        """Games that cannot be read."""

    def add(self, game: Game, *, proven: bool) -> None:
        """Add a game; its result counts only if its record proves it."""
        self.games += 1
        for clause, what in _of_clauses(game):
            self.clauses.setdefault((game.engine.id, clause), Counter())[what] += 1
        result = game.engine.result(game.state)
        if game.closed is None or result is None:
            return
        self._add_length(game)
        if proven:
            self.proven += 1
            self._add_result(game, result)

    def join(self, other: Statistics) -> None:
        """Merge the statistics of other games."""
        self.games += other.games
        self.proven += other.proven
        self.left_out += other.left_out
        for clause, counts in other.clauses.items():
            self.clauses.setdefault(clause, Counter()).update(counts)
        for compared, standing in other.results.items():
            self.results.setdefault(compared, Standing()).join(standing)
        for engine, length in other.lengths.items():
            self.lengths.setdefault(engine, Length()).join(length)

    def _add_result(self, game: Game, result: Result) -> None:
        engine = game.engine.id
        compared: list[tuple[By, str, str]] = [("seat", seat, seat) for seat in game.setting.seats]
        compared += [("player", seat, person) for seat, person in game.seats.items()]
        first = next(_decisions(game.steps), None)
        if first is not None and first.action is not None and first.action.by is not None:
            said = game.engine.text(first.action).removeprefix(f"{first.action.by} ")
            compared.append(("opening", first.action.by, said))
        for by, seat, name in compared:
            self.results.setdefault((by, engine, name), Standing()).add(seat, result)

    def _add_length(self, game: Game) -> None:
        length = self.lengths.setdefault(game.engine.id, Length())
        length.actions.append(len(game.numbers()))
        length.minutes.append((_at(game, -1) - _at(game, 0)).total_seconds() / 60)
        ended = None
        for _, turn in groupby(_decisions(game.steps), lambda step: step.action and step.action.by):
            steps = list(turn)
            length.turns.append(len(steps))
            now = _at(game, steps[-1].item.seq)
            if ended is not None and now >= ended:
                length.seconds.append((now - ended).total_seconds())
            ended = now


def _at(game: Game, seq: int) -> datetime:
    return datetime.fromisoformat(game.entries[seq].at)


def _decisions(steps: Iterable[JudgedItem]) -> Iterator[JudgedItem]:
    """The steps that a player chose; observations are left out."""
    return (
        step
        for step in steps
        if step.action is not None and step.action.by is not None and not step.action.observes
    )


def _of_clauses(game: Game) -> Iterator[tuple[str, str]]:
    """What happened to which clause; an action counts once for each."""
    steps = [*game.steps, *(stood.after for stood in game.gone.values())]
    for step in steps:
        verdict = step.verdict
        asked = {one.clause for one, _ in weighed(verdict)}
        proven = {found.clause for found in verdict.findings if found.status == "broken"}
        broken = {point.clause for point in verdict.breaches} | proven
        open_still = {point.clause for point in verdict.claims}
        for what, found in (("consulted", asked), ("broken", broken), ("undecided", open_still)):
            yield from ((clause, what) for clause in found)
    cited = {line.number: line.clauses for line in history(game)}
    for dispute in game.disputes.values():
        about = [dispute.clause] if dispute.clause else _cited(dispute.numbers, cited)
        yield from ((clause, "disputed") for clause in about)
    for ruling in game.rulings.values():
        for clause in ruling.clauses or _cited(ruling.numbers, cited):
            yield clause, "ruled"
            if ruling.id in game.overturned:
                yield clause, "overruled"


def _cited(numbers: Iterable[int], cited: Any) -> list[str]:
    return list(dict.fromkeys(clause for number in numbers for clause in cited.get(number, ())))
