"""What a pairing promises, checked by trying all pairings of small fields.

Events are made up: people come late, leave, return, are merged, ask for byes and for fixed tables.
The organiser's book (``model.py``) says what has been; every draw of the product is compared with
all that could have been drawn, by costs counted from the book alone.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations
from random import Random

import pytest

from referee.tournament import events as told
from referee.tournament.errors import NotPossible
from referee.tournament.events import Event, Outcome, RoundPaired
from referee.tournament.fold import apply
from referee.tournament.pairing.entrants import field_of
from referee.tournament.pairing.pods import EXACT, sizes
from referee.tournament.pairing.rounds import check_tournament, pair
from referee.tournament.plan import (
    DuelScoring,
    Knockout,
    League,
    PlaceScoring,
    Plan,
    Pods,
    RoundRobin,
    SeatRange,
    Swiss,
)
from referee.tournament.ranking.points import units
from referee.tournament.values import Unplayed
from tests.tournament.hosting import SLIP, duels, tables_of_four
from tests.tournament.model import Book

LONGER = int(os.environ.get("REFEREE_CHAOS", "0"))
EVENTS = max(12, LONGER)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PLACES = PlaceScoring(places=(10, 6, 4, 2, 1, 0), bye=5, half_bye=2)


def seated(least: int, preferred: int, most: int) -> SeatRange:
    return SeatRange(least=least, preferred=preferred, most=most)


class MadeUp:
    """A tournament that is told to the book and to the product."""

    def __init__(self, plan: Plan, players: int, seed: int) -> None:
        self.plan, self.chance = plan, Random(f"{plan.format.kind} {players} {seed}")
        self.book = Book(plan)
        self.now = apply(None, told.Created(name="Spring Cup", plan=plan))
        self.named = 0
        for _ in range(players):
            self.come()

    def tell(self, event: Event) -> bool:
        try:
            self.now = apply(self.now, event)
        except NotPossible:
            return False
        assert self.book.tell(event), event
        return True

    def merge(self, player: str, merged: str) -> None:
        """As today, or as an earlier version told it."""
        completes = len(self.book.merged) % 2 == 0
        self.tell(
            told.PlayersMerged(player=player, merged=merged, reason="the same", completes=completes)
        )

    def come(self) -> str:
        """Somebody new; or whose entry was taken for another's, and is entered once more."""
        again = [name for name in self.book.merged if name not in self.book.people]
        if again and self.chance.random() < 0.5:
            name = again[0]
        else:
            name = f"p{LETTERS[self.named]}"
            self.named += 1
        table = self.chance.choice([None] * 8 + [1, 2, 5])
        club = self.chance.choice(["", "", "Oak", "Elm"])
        rating = 1000 + self.chance.randrange(900)
        self.tell(told.Registered(player=name, club=club, rating=rating, fixed_table=table))
        missed: Unplayed = self.chance.choice(["zero_bye", "half_bye", "full_bye"])
        if not self.tell(told.Late(player=name, missed=missed)):
            self.tell(told.CheckedIn(player=name))
        return name

    # between rounds

    def something_happens(self, most: int) -> None:
        anybody = self.chance.choice(list(self.book.people))
        other = self.chance.choice(list(self.book.people))
        following = len(self.book.rounds) + 1
        what = self.chance.randrange(10)
        if what == 0 and len(self.present()) > 4:
            self.tell(told.Dropped(player=anybody))
        elif what == 1:
            gone = [name for name, one in self.book.people.items() if one.status == "dropped"]
            for name in gone[:1]:
                self.tell(told.Returned(player=name, missed="half_bye"))
        elif what == 2 and len(self.present()) < most:
            self.come()
        elif what == 3 and len(self.present()) > 4:
            counts: Unplayed = self.chance.choice(["zero_bye", "half_bye", "full_bye"])
            self.tell(told.ByeRequested(player=anybody, round=following, counts=counts))
        elif what == 4:
            self.merge(anybody, other)
        elif what == 5:
            table = self.chance.choice([0, 1, 3])
            self.tell(told.PlayerEdited(player=anybody, fixed_table=table))
        elif what == 6:
            self.tell(told.PenaltyGiven(player=anybody, halves=1, reason="late"))
        elif what == 7 and len(self.present()) < most and self.book.rounds:
            double = self.come()
            self.merge(anybody, double)
        elif what == 8:
            some = self.chance.sample(list(self.book.people), self.chance.choice([2, 2, 3]))
            self.tell(told.PlayersKeptApart(players=tuple(some), reason="family"))
        elif what == 9 and self.book.apart:
            number = self.chance.choice(list(self.book.apart))
            self.tell(told.ApartWithdrawn(apart=number, reason="they asked"))

    def present(self) -> list[str]:
        following = len(self.book.rounds) + 1
        return [name for name in self.book.people if self.book.can_play(name, following)]

    def pair(self) -> RoundPaired:
        """The same whoever asks again, and recorded once."""
        number, seed = len(self.book.rounds) + 1, self.chance.randrange(1000)
        if number == 1:
            here = [name for name, one in self.book.people.items() if one.status == "present"]
            half = next(even for even in range(0, 99, 2) if 2 * even >= len(here))
            last = sorted(here, key=self.starting)[:half][-1]
            self.upper_half_ends = last, self.starting(last)
        if isinstance(self.plan.format, Swiss | Pods | League):
            self.is_known(number)
        assert [found for found in check_tournament(self.now) if not found.is_remark] == []
        paired = pair(self.now, number, seed)
        assert pair(self.now, number, seed) == paired
        return paired

    def is_known(self, number: int) -> None:
        """What the pairing is told of everybody is what the book says."""
        names = {entrant.number: name for name, entrant in self.now.players.items()}
        for entrant in field_of(self.now, number).entrants:
            name, sat = entrant.id, self.seats_of(entrant.id)
            met = {other: self.met(name, other) for other in names.values() if other != name}
            assert {names[at]: times for at, times in entrant.met.items()} == {
                other: times for other, times in met.items() if times
            }
            assert entrant.seats[: max(sat, default=0) + 1] == tuple(
                sat.count(seat) for seat in range(max(sat, default=0) + 1)
            )
            assert entrant.last_seat == (sat[-1] if sat else None)
            assert {names[at] for at in entrant.apart} == {
                other for other in names.values() if self.book.must_not_meet(name, other)
            }
            assert entrant.byes == self.byes(name)
            assert entrant.small == self.small_tables(name)
            assert entrant.points == units(self.points(name))
            assert all(self.times_at(name, at) == times for at, times in entrant.tables.items())
            person = self.book.people[name]
            assert (entrant.club, entrant.fixed_table) == (person.club, person.table or None)

    def play(self, paired: RoundPaired, *, decisive: bool = False) -> None:
        number = paired.round
        assert self.tell(paired)
        if self.chance.random() < 0.2 and not decisive:
            a, b = self.chance.sample([p for t in paired.tables for p in t.seats], 2)
            self.tell(told.Swapped(round=number, a=a, b=b, reason="clubs"))
        self.tell(told.RoundStarted(round=number))
        for table, seats in self.book.rounds[-1].tables.items():
            places = self.chance.sample(range(1, len(seats) + 1), len(seats))
            absent: tuple[str, ...] = ()
            if self.plan.seats.most == 2 and not decisive:
                if self.chance.random() < 0.2:
                    places = [1, 1]
                elif self.chance.random() < 0.15:
                    absent = ("AB"[places.index(2)],)
            outcome = Outcome(places=tuple(places), absent=absent)
            self.tell(told.ResultEntered(round=number, table=table, outcome=outcome, source=SLIP))
        assert self.tell(told.RoundClosed(round=number))

    # what the book says of somebody

    def met(self, one: str, other: str) -> int:
        return sum(
            one in seats and other in seats and not sitting.results[at][-1].absent
            for sitting in self.book.rounds
            for at, seats in sitting.tables.items()
        )

    def seats_of(self, player: str) -> list[int]:
        """In which seats, round by round, where there was a game."""
        return [
            seats.index(player)
            for sitting in self.book.rounds
            for at, seats in sitting.tables.items()
            if player in seats and not sitting.results[at][-1].absent
        ]

    def small_tables(self, player: str) -> int:
        """Games at a table with fewer seats than others of its round had."""
        return sum(
            player in seats
            and not sitting.results[at][-1].absent
            and len(seats) < max(map(len, sitting.tables.values()))
            for sitting in self.book.rounds
            for at, seats in sitting.tables.items()
        )

    def times_at(self, player: str, table: int) -> int:
        return sum(player in sitting.tables.get(table, ()) for sitting in self.book.rounds)

    def missed(self, player: str) -> list[str]:
        """What the rounds that a player was not in count for."""
        person = self.book.people[player]
        return [
            counts
            for number, counts in person.away.items()
            if number <= len(self.book.rounds)
            and player not in self.book.rounds[number - 1].everybody()
        ]

    def won_by_default(self, player: str) -> int:
        return sum(
            player in seats
            and bool(sitting.results[at][-1].absent)
            and sitting.results[at][-1].absent != ("AB"[seats.index(player)],)
            for sitting in self.book.rounds
            for at, seats in sitting.tables.items()
        )

    def byes(self, player: str) -> int:
        """Rounds that counted as won without a game."""
        drawn = sum(player in sitting.byes for sitting in self.book.rounds)
        return drawn + self.won_by_default(player) + self.missed(player).count("full_bye")

    def points(self, player: str) -> int:
        """In halves."""
        scoring = self.plan.scoring
        assert isinstance(scoring, DuelScoring | PlaceScoring)
        own = sum(player in sitting.byes for sitting in self.book.rounds) * scoring.bye
        away = self.missed(player)
        own += away.count("full_bye") * scoring.bye + away.count("half_bye") * scoring.half_bye
        for sitting in self.book.rounds:
            for at, seats in sitting.tables.items():
                if player in seats:
                    own += self._points_at(seats.index(player), sitting.results[at][-1])
        fines = [fine.halves for fine in self.book.fines.values() if fine.player == player]
        return own - sum(fines) + self.virtual(player)

    def virtual(self, player: str) -> int:
        """In halves: what a player of the upper half is paired with more, in five rounds."""
        if not isinstance(self.plan.format, Swiss) or not self.plan.format.accelerated:
            return 0
        last, then = self.upper_half_ends
        ends = self.starting(last) if last in self.book.people else then
        return (2, 2, 1, 0, 0)[len(self.book.rounds)] if self.starting(player) <= ends else 0

    def starting(self, player: str) -> tuple[int, int]:
        person = self.book.people[player]
        return -person.rating, person.number

    def _points_at(self, seat: int, outcome: Outcome) -> int:
        place = outcome.places[seat]
        if isinstance(self.plan.scoring, PlaceScoring):
            return self.plan.scoring.places[place - 1]
        if outcome.places == (1, 1):
            return 1
        return 2 if place == 1 else 0


# everybody has one place


def one_place_each(event: MadeUp, paired: RoundPaired, wanted: Sequence[str]) -> None:
    """Who can play has one place, at a table of an allowed size or off; nobody else has any."""
    places = [player for table in paired.tables for player in table.seats]
    places += [*paired.byes, *paired.free]
    assert sorted(places) == sorted(wanted)
    numbers = [table.number for table in paired.tables]
    assert len(set(numbers)) == len(numbers)


def tables_are_kept(event: MadeUp, paired: RoundPaired) -> None:
    """Fixed tables first; then, unless they go by standings, nobody at the same table again."""
    fixed = {player: event.book.people[player].table for t in paired.tables for player in t.seats}
    numbers = [table.number for table in paired.tables]
    kept = {table for table in fixed.values() if table}
    free = [number for number in range(1, 40) if number not in kept]
    could = sorted([*kept, *free[: max(0, len(numbers) - len(kept))]])

    def cost(chosen: Sequence[int]) -> tuple[int, int]:
        wrong = again = 0
        for table, number in zip(paired.tables, chosen, strict=True):
            wanted = {fixed[player] for player in table.seats if fixed[player]}
            wrong += number not in wanted if wanted else number in kept
            loose = [player for player in table.seats if not fixed[player]]
            again += sum(event.times_at(player, number) ** 2 for player in loose)
        return wrong, 0 if event.plan.table_numbers == "by_standings" else again

    assert cost(numbers) == min(cost(order) for order in permutations(could, len(numbers)))


# two at a table


def all_pairings(players: Sequence[str]) -> Iterator[list[tuple[str, ...]]]:
    if len(players) < 2:
        yield [tuple(players)] if players else []
        return
    first, *rest = players
    for other in rest:
        for others in all_pairings([player for player in rest if player != other]):
            yield [(first, other), *others]
    if len(players) % 2:
        for others in all_pairings(rest):
            yield [(first,), *others]


def cost_of_beginning(event: MadeUp, first: str, second: str) -> tuple[int, int, int]:
    """Balances beyond two, third times in a row in a seat, and how uneven it becomes."""
    beyond = thrice = uneven = 0
    for player, seat in ((first, 0), (second, 1)):
        sat = [*event.seats_of(player), seat]
        balance = sat.count(0) - sat.count(1)
        beyond += max(0, abs(balance) - 2)
        thrice += len(sat) >= 3 and len(set(sat[-3:])) == 1
        uneven += balance**2
    return beyond, thrice, uneven


def cost_of_pairing(event: MadeUp, meetings: Sequence[tuple[str, ...]]) -> tuple[int, ...]:
    lowest = min(event.points(player) for meeting in meetings for player in meeting)
    apart = repeats = second = low = beyond = thrice = gaps = uneven = clubs = 0
    for meeting in meetings:
        if len(meeting) == 1:
            second += event.byes(meeting[0]) ** 2
            low += (event.points(meeting[0]) - lowest) ** 2
            sat = event.seats_of(meeting[0])
            uneven += (sat.count(0) - sat.count(1)) ** 2
            continue
        one, other = meeting
        apart += event.book.must_not_meet(one, other)
        repeats += event.met(one, other) ** 2
        best = min(cost_of_beginning(event, one, other), cost_of_beginning(event, other, one))
        beyond, thrice, uneven = beyond + best[0], thrice + best[1], uneven + best[2]
        gaps += (event.points(one) - event.points(other)) ** 2
        here = [event.book.people[player].club for player in meeting]
        clubs += here[0] == here[1] != ""
    return apart, repeats, second, low, beyond, thrice, gaps, uneven, clubs


def swiss_promises(event: MadeUp, paired: RoundPaired) -> None:
    drawn = [tuple(table.seats) for table in paired.tables] + [(one,) for one in paired.byes]
    players = [player for meeting in drawn for player in meeting]
    assert len(paired.byes) == len(players) % 2
    assert cost_of_pairing(event, drawn) == min(
        cost_of_pairing(event, pairing) for pairing in all_pairings(sorted(players))
    )
    for first, second in (table.seats for table in paired.tables):
        assert cost_of_beginning(event, first, second) <= cost_of_beginning(event, second, first)


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_no_swiss_pairing_is_better_than_the_one_that_is_drawn(players: int) -> None:
    for seed in range(EVENTS // 2):
        varied = "varied" if seed % 2 else "by_standings"
        format = Swiss(accelerated=seed % 3 == 1)
        plan = duels(format, rounds=5, check_in=seed % 2 == 0, table_numbers=varied)
        event = MadeUp(plan, players, seed)
        for _ in range(5):
            for _ in range(event.chance.randrange(4)):
                event.something_happens(most=7)
            wanted = event.present()
            if len(wanted) < 2:
                continue
            paired = event.pair()
            one_place_each(event, paired, wanted)
            swiss_promises(event, paired)
            tables_are_kept(event, paired)
            event.play(paired)


# larger tables


def all_sizes(players: int, seats: SeatRange) -> tuple[int, ...]:
    """Fewest sit out; then nearest to the preferred size; then fewest tables."""
    allowed = range(seats.least, seats.most + 1)
    for out in range(players + 1):
        plans = [
            plan
            for count in range(1, players // seats.least + 1)
            for plan in combinations_with_replacement(allowed, count)
            if sum(plan) == players - out
        ]
        if plans:
            return min(
                plans, key=lambda plan: (sum((s - seats.preferred) ** 2 for s in plan), len(plan))
            )
    return ()


@pytest.mark.parametrize("most", range(2, 7))
def test_table_sizes_are_the_best_of_all_that_there_are(most: int) -> None:
    for least in range(2, most + 1):
        for preferred in range(least, most + 1):
            for players in range(20):
                seats = seated(least, preferred, most)
                best = tuple(sorted(all_sizes(players, seats), reverse=True))
                assert sizes(players, seats) == (best, players - sum(best)), (players, seats)


def all_tables(players: Sequence[str], plan: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
    if not plan:
        yield []
        return
    first, *rest = players
    for size in sorted(set(plan)):
        left = list(plan)
        left.remove(size)
        for others in combinations(rest, size - 1):
            behind = [player for player in rest if player not in others]
            for tables in all_tables(behind, left):
                yield [(first, *others), *tables]


def one_swap_away(tables: Sequence[Sequence[str]]) -> Iterator[list[list[str]]]:
    yield [list(table) for table in tables]
    for one, other in combinations([player for table in tables for player in table], 2):
        turned = {one: other, other: one}
        yield [[turned.get(player, player) for player in table] for table in tables]


def cost_of_tables(event: MadeUp, tables: Sequence[Sequence[str]]) -> tuple[int, ...]:
    by_standings = isinstance(event.plan.format, Pods) and event.plan.format.by_standings
    apart = repeats = small = gaps = clubs = 0
    most = max(map(len, tables))
    for table in tables:
        if len(table) < most:
            small += sum(2 * event.small_tables(player) + 1 for player in table)
        for one, other in combinations(table, 2):
            apart += event.book.must_not_meet(one, other)
            met = event.met(one, other)
            repeats += met * met + met
            gaps += (event.points(one) - event.points(other)) ** 2 if by_standings else 0
            here = [event.book.people[player].club for player in (one, other)]
            clubs += here[0] == here[1] != ""
    return apart, repeats, small, gaps, clubs


def seats_promise(event: MadeUp, table: Sequence[str]) -> None:
    """Nobody sits where they sat, as far as possible."""
    sat = {player: Counter(event.seats_of(player)) for player in table}

    def again(order: Sequence[str]) -> int:
        return sum(sat[player][seat] for seat, player in enumerate(order))

    least = min(again(order) for order in permutations(table))
    assert again(table) == least or least > 3


def pods_promises(event: MadeUp, paired: RoundPaired, *, exact: bool) -> None:
    """Those apart who must not meet, if possible; as few repeats as possible; for the rest,
    what no swap of two makes better. A schedule promises new meetings alone.
    """
    players = [p for table in paired.tables for p in table.seats] + [*paired.byes]
    tables = [tuple(table.seats) for table in paired.tables]
    plan = all_sizes(len(players), event.plan.seats)
    assert sorted(map(len, tables)) == sorted(plan)
    apart = any(event.book.must_not_meet(one, other) for one, other in combinations(players, 2))
    for off in paired.byes if not apart else ():
        stay = [player for table in tables for player in table]
        assert event.byes(off) <= min(event.byes(player) for player in stay)
        alike = [player for player in stay if event.byes(player) == event.byes(off)]
        assert all(event.points(off) <= event.points(player) for player in alike)
    here = sorted(player for table in tables for player in table)
    drawn = cost_of_tables(event, tables)
    assert drawn[:2] == min(cost_of_tables(event, others)[:2] for others in all_tables(here, plan))
    if not exact:
        assert drawn == min(cost_of_tables(event, others) for others in one_swap_away(tables))
    if event.plan.seats.most > 2:
        for table in tables:
            if len(table) > 2:
                seats_promise(event, table)


SIZES = {
    "two or three": seated(2, 3, 3),
    "three": seated(3, 3, 3),
    "three to five": seated(3, 4, 5),
    "four to six": seated(4, 5, 6),
    "two to six": seated(2, 6, 6),
}


@pytest.mark.parametrize("size", SIZES)
def test_no_larger_tables_are_better_than_those_that_are_drawn(size: str) -> None:
    for seed in range(EVENTS // 2):
        format = (Pods(by_standings=True), Pods(by_standings=False), League(counted=3))[seed % 3]
        plan = tables_of_four(
            format, rounds=4, seats=SIZES[size], scoring=PLACES, check_in=seed % 2 == 0
        )
        event = MadeUp(plan, 6 + seed % 4, seed)
        for _ in range(4):
            for _ in range(event.chance.choice([0, 0, 1, 3])):
                event.something_happens(most=9)
            wanted = event.present()
            if len(wanted) < plan.seats.least:
                continue
            paired = event.pair()
            one_place_each(event, paired, wanted)
            pods_promises(event, paired, exact=paired.algorithm == EXACT)
            tables_are_kept(event, paired)
            event.play(paired)


# everybody against everybody, and until one is left


@pytest.mark.parametrize("players", [4, 5, 6, 7])
@pytest.mark.parametrize("twice", [False, True])
def test_in_a_round_robin_everybody_meets_everybody_as_often(players: int, twice: bool) -> None:
    rounds = (players - 1 + players % 2) * (2 if twice else 1)
    event = MadeUp(duels(RoundRobin(twice=twice), rounds=rounds + 1), players, 1)
    for _ in range(rounds):
        paired = event.pair()
        one_place_each(event, paired, event.present())
        assert len([*paired.byes, *paired.free]) == players % 2
        event.play(paired, decisive=True)
    people = list(event.book.people)
    assert {event.met(*both) for both in combinations(people, 2)} == {2 if twice else 1}
    off = Counter(p for s in event.book.rounds for p in [*s.byes, *s.free])
    assert set(off.values()) <= {2 if twice else 1}
    for player in people:
        sat = Counter(event.seats_of(player))
        assert abs(sat[0] - sat[1]) <= 1
    with pytest.raises(NotPossible):
        event.pair()


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7, 9])
@pytest.mark.parametrize("lives", [1, 2])
def test_whoever_lost_too_often_is_never_paired_again(players: int, lives: int) -> None:
    event = MadeUp(duels(Knockout(lives=lives), rounds=9), players, players)
    while True:
        losses = Counter(
            seats[outcome[-1].places.index(2)]
            for sitting in event.book.rounds
            for seats, outcome in ((sitting.tables[at], o) for at, o in sitting.results.items())
        )
        alive = [player for player in event.present() if losses[player] < lives]
        if len(alive) == 1:
            break
        paired = event.pair()
        one_place_each(event, paired, alive)
        event.play(paired, decisive=True)
    with pytest.raises(NotPossible):
        event.pair()
