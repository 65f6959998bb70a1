"""Double elimination against a program of its own and against brackets that are published."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import product
from random import Random

import pytest

from referee.tournament.double_bracket import Source, matches_of
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    Dropped,
    FinalsStarted,
    Outcome,
    ResultCorrected,
    ResultEntered,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundStarted,
    Swapped,
    Table,
)
from referee.tournament.fold import apply
from referee.tournament.knockout import course, seeding_of, survivors
from referee.tournament.pairing.rounds import check_tournament, pair
from referee.tournament.plan import DoubleElimination
from referee.tournament.ranking.standings import standings
from referee.tournament.state import Tournament
from tests.tournament.generator import player_id
from tests.tournament.hosting import SLIP, TWO, Hall, duels

SEEDS = {
    2: [1, 2],
    4: [1, 4, 2, 3],
    8: [1, 8, 4, 5, 2, 7, 3, 6],
    16: [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11],
    32: [1, 32, 16, 17, 8, 25, 9, 24, 4, 29, 13, 20, 5, 28, 12, 21,
         2, 31, 15, 18, 7, 26, 10, 23, 3, 30, 14, 19, 6, 27, 11, 22],
}  # fmt: skip
FALLS: dict[int, list[list[int]]] = {
    2: [],
    4: [[1]],
    8: [[2, 1], [1]],
    16: [[4, 3, 2, 1], [1, 2], [1]],
    32: [[8, 7, 6, 5, 4, 3, 2, 1], [2, 1, 4, 3], [2, 1], [1]],
}
"""As published (the bracket of slashinfty's ``tournament-pairings`` 2.0, which is that of 8 players
of most others): to which match of the lower bracket the losers of the second, third… round of the
upper one fall, from top to bottom. Those of the first round meet their neighbours."""
Pair = tuple[int, int]
Rounds = Generator[list[Pair], dict[Pair, int], tuple[int, ...]]


def by_the_book(players: int) -> Rounds:
    """The rounds of a double elimination: yields who meets, is told who won, returns who is left
    and then all others, those who got furthest first."""
    size = next(size for size in SEEDS if size >= players)
    above = [seed if seed <= players else None for seed in SEEDS[size]]
    below: list[int | None] = []
    out: list[int] = []
    for number, falls in enumerate([[], *FALLS[size]]):
        pairs = list(zip(above[::2], above[1::2], strict=True))
        if number == 0:
            above, below, _ = sorted_out(pairs, (yield real(pairs)))
            continue
        neighbours = list(zip(below[::2], below[1::2], strict=True))
        won = yield real([*pairs, *neighbours])
        above, lost, _ = sorted_out(pairs, won)
        below, _, gone = sorted_out(neighbours, won)
        out += gone
        fallen = [lost[falls.index(at + 1)] for at in range(len(lost))]
        both = list(zip(below, fallen, strict=True))
        below, _, gone = sorted_out(both, (yield real(both)))
        out += gone
    final = (above[0] or 0, below[0] or 0)
    first = (yield [final])[final]
    if first == final[1]:
        first = (yield [final])[final]
    second = final[0] + final[1] - first
    return (first, second, *reversed(out))


def real(pairs: Iterable[tuple[int | None, int | None]]) -> list[Pair]:
    return [(one, other) for one, other in pairs if one is not None and other is not None]


def sorted_out(
    pairs: list[tuple[int | None, int | None]], won: dict[Pair, int]
) -> tuple[list[int | None], list[int | None], list[int]]:
    """Who goes on, who does not, and of these who was there at all."""
    winners = [won[p] if p in won else p[0] or p[1] for p in pairs]  # type: ignore[index]
    losers = [
        next(player for player in p if player != won[p]) if p in won else None  # type: ignore[index]
        for p in pairs
    ]
    return winners, losers, [loser for loser in losers if loser is not None]


def seeded(now: Tournament) -> dict[str, int]:
    order = sorted(now.players.values(), key=lambda player: -player.rating)
    return {player.id: seed for seed, player in enumerate(order, 1)}


def meetings(paired: RoundPaired, seeds: dict[str, int]) -> list[frozenset[int]]:
    return [frozenset(seeds[player] for player in table.seats) for table in paired.tables]


def told(now: Tournament, paired: RoundPaired, won: dict[frozenset[int], int]) -> Tournament:
    """The round with these results."""
    seeds = seeded(now)
    now = apply(apply(now, paired), RoundStarted(round=paired.round))
    for table in paired.tables:
        here = [seeds[player] for player in table.seats]
        places = tuple(1 if seed == won[frozenset(here)] else 2 for seed in here)
        outcome = Outcome(places=places)
        now = apply(
            now,
            ResultEntered(round=paired.round, table=table.number, outcome=outcome, source=SLIP),
        )
    return apply(now, RoundClosed(round=paired.round))


def every_course(now: Tournament, players: int, known: list[dict[Pair, int]]) -> Iterator[None]:
    """Play all that can happen from here; each round is what the book says."""
    book = by_the_book(players)
    expected = next(book)
    try:
        for won in known:
            expected = book.send(won)
    except StopIteration as end:
        check_the_end(now, end.value, whole=players < 6)
        yield
        return
    due = [each.players for each in course(now, "main").due]
    seeds = seeded(now)
    assert {frozenset(seeds[p] for p in two if p) for two in due} == {*map(frozenset, expected)}
    paired = pair(now, len(now.rounds) + 1, 7) if players < 6 else drawn(now, due)
    assert {*meetings(paired, seeds)} == {*map(frozenset, expected)}
    for winners in product(*expected):
        won = dict(zip(expected, winners, strict=True))
        after = told(now, paired, {frozenset(two): winner for two, winner in won.items()})
        yield from every_course(after, players, [*known, won])


def drawn(now: Tournament, due: list[tuple[str | None, str | None]]) -> RoundPaired:
    """The round as the bracket says, without the work of a pairing."""
    tables = [
        Table(number=number, seats=tuple(filter(None, two))) for number, two in enumerate(due, 1)
    ]
    return RoundPaired(
        round=len(now.rounds) + 1,
        algorithm="double-elimination",
        version=5,
        seed=7,
        input_hash="0" * 64,
        tables=tuple(tables),
        seeding=seeding_of(now, "main"),
    )


def check_the_end(now: Tournament, places: tuple[int, ...], *, whole: bool = True) -> None:
    seeds = seeded(now)
    assert [seeds[player] for player in survivors(now)] == [places[0]]
    defeats = dict.fromkeys(seeds.values(), 0)
    for round in now.rounds:
        for table in round.draw.tables:
            entered = round.result(table.number)
            assert entered is not None
            defeats[seeds[table.seats[entered.outcome.places.index(2)]]] += 1
    assert defeats[places[0]] < 2
    assert all(defeats[loser] == 2 for loser in places[1:])
    if not whole:
        return
    with pytest.raises(NotPossible, match="knockout_is_over"):
        pair(now, len(now.rounds) + 1, 7)
    survived = {seeds[row.player]: row.values[0] for row in standings(now).rows}
    assert [survived[seed] for seed in places] == sorted(survived.values(), reverse=True)


@pytest.mark.parametrize(
    "players", [2, 3, 4, 5, 6, *(pytest.param(n, marks=pytest.mark.deep) for n in (7, 8))]
)
def test_every_order_of_results_is_what_the_book_says(players: int) -> None:
    hall = Hall(duels(DoubleElimination()), players)
    courses = sum(1 for _ in every_course(hall.now, players, []))
    assert courses == 3 * 2 ** (2 * players - 3)


@pytest.mark.parametrize("players", [8, 12, 13, 16, 23, 32])
def test_a_published_bracket_is_played_round_by_round(players: int) -> None:
    for seed in range(3):
        hall, chance = Hall(duels(DoubleElimination()), players), Random(seed)
        book = by_the_book(players)
        expected = next(book)
        try:
            while True:
                paired = pair(hall.now, hall.next_round, seed)
                seeds = seeded(hall.now)
                assert {*meetings(paired, seeds)} == {*map(frozenset, expected)}
                won = {two: chance.choice(two) for two in expected}
                hall.now = told(hall.now, paired, {frozenset(p): w for p, w in won.items()})
                expected = book.send(won)
        except StopIteration as end:
            check_the_end(hall.now, end.value)
        assert check_tournament(hall.now) == []


def test_twelve_players_and_their_byes_are_those_of_the_published_bracket() -> None:
    matches = {match.number: match for match in matches_of(12)}
    assert [[side.of for side in matches[n].sides] for n in (1, 2, 3, 4)] == [
        [8, 9], [5, 12], [7, 10], [6, 11]
    ]  # fmt: skip
    assert [[side.of for side in matches[n].sides] for n in (5, 6, 7, 8)] == [
        [1, 1], [4, 2], [2, 3], [3, 4]
    ]  # fmt: skip
    assert [[(side.kind, side.of) for side in matches[n].sides] for n in (9, 10, 11, 12)] == [
        [("loser", one), ("loser", other)] for one, other in ((1, 8), (2, 7), (3, 6), (4, 5))
    ]


@pytest.mark.parametrize("players", range(2, 65))
def test_every_bracket_is_whole(players: int) -> None:
    """A match for every defeat but one, after the matches its players come from."""
    matches = matches_of(players)
    assert [match.number for match in matches] == list(range(1, 2 * players))
    step = {match.number: match.step for match in matches}
    for match in matches:
        assert all(side.kind == "seed" or step[side.of] < match.step for side in match.sides)
    sides = [side for match in matches for side in match.sides]
    assert len(set(sides)) == len(sides) == 4 * players - 2
    assert {side.of for side in sides if side.kind == "seed"} == set(range(1, players + 1))


@pytest.mark.parametrize(("players", "earliest"), [(4, 2), (8, 3), (16, 4), (32, 5), (64, 7)])
def test_who_has_met_meets_again_late(players: int, earliest: int) -> None:
    """The first round of the lower bracket in which two can meet who have met above: the latest
    that any order of reversed and exchanged halves allows."""
    matches = matches_of(players)
    follows = {side: match for match in matches for side in match.sides}

    def below(number: int) -> list[int]:
        """The rounds and places through which who loses a match can go."""
        path, side = [], Source("loser", number)
        while follows[side].part == "lower":
            path.append(follows[side].number)
            side = Source("winner", follows[side].number)
        return path

    rounds = {match.number: match.round for match in matches}
    again = []
    for match in matches:
        above = match
        while (
            match.part == "upper"
            and (above := follows[Source("winner", above.number)]).part == "upper"
        ):
            both = [number for number in below(match.number) if number in below(above.number)]
            again += [rounds[both[0]]] if both else []
    assert min(again) == earliest


def test_who_does_not_come_or_leaves_makes_room() -> None:
    """Who leaves has no place any more, above or below; of two who do not come neither goes on."""
    hall = Hall(duels(DoubleElimination()), 8)
    first = hall.start()
    seats = {table.number: [*table.seats] for table in first.tables}
    at = {player: number for number, seats in seats.items() for player in seats}
    hall.result(1, at["pa"], 1, 1, absent=("A", "B"))
    for number in set(seats) - {at["pa"]}:
        better = min(seats[number])
        hall.result(1, number, *(1 if player == better else 2 for player in seats[number]))
    hall.tell(RoundClosed(round=1), Dropped(player="pg"))
    second = hall.pair()
    assert {frozenset(table.seats) for table in second.tables} == {frozenset({"pb", "pc"})}
    assert {*second.free} == {"pd", "pe", "pf"}
    hall.tell(RoundStarted(round=2))
    hall.result(2, second.tables[0].number, 1, 2)
    hall.tell(RoundClosed(round=2))
    assert hall.play_to_the_end() == "knockout_is_over"
    assert check_tournament(hall.now) == []
    rows = {row.player: row.rank for row in standings(hall.now).rows}
    assert rows["pa"] == rows["ph"] == max(rows.values())


def test_the_bracket_and_not_the_desk_says_who_meets() -> None:
    hall = Hall(duels(DoubleElimination()), 4)
    first = hall.start()
    one, other = first.tables
    with pytest.raises(NotPossible, match="fixed_bracket"):
        hall.tell(Swapped(round=1, a=one.seats[0], b=other.seats[0], reason="neighbours"))
    hall.tell(Swapped(round=1, a=one.seats[0], b=one.seats[1], reason="who begins"))
    assert hall.now.round(1).draw.tables[0].seats == one.seats[::-1]


def test_a_correction_goes_through_the_bracket() -> None:
    """Who was taken for the winner is in the lower bracket, and what was paired since is told."""
    hall = Hall(duels(DoubleElimination()), 4)
    hall.play()
    table = hall.now.round(1).draw.table_of["pa"]
    turned = Outcome(places=(2, 1) if table.seats[0] == "pa" else (1, 2))
    fixed = ResultCorrected(round=1, table=table.number, outcome=turned, reason="misread")
    before = Hall(duels(DoubleElimination()))
    before.now, before.events = hall.now, hall.events[:]
    opened, closed = RoundReopened(round=1, reason="misread"), RoundClosed(round=1)
    before.tell(opened, fixed, closed)
    assert {frozenset(t.seats) for t in before.pair().tables} == {
        frozenset({"pd", "pb"}),
        frozenset({"pa", "pc"}),
    }
    hall.play()
    hall.tell(opened, fixed, closed)
    assert hall.play_to_the_end() == "knockout_is_over"


def test_finals_are_a_double_elimination_too() -> None:
    hall = Hall(duels(rounds=2), 9)
    hall.play()
    hall.play()
    players = tuple(player_id(number) for number in (3, 0, 2, 1, 4, 5))
    hall.tell(FinalsStarted(style="double_elimination", players=players, seats=TWO))
    seeds = {player: seed for seed, player in enumerate(players, 1)}
    book = by_the_book(6)
    expected = next(book)
    try:
        while True:
            paired = hall.start()
            assert {*meetings(paired, seeds)} == {*map(frozenset, expected)}
            won = {}
            for table in paired.tables:
                here = [seeds[player] for player in table.seats]
                hall.result(paired.round, table.number, *(1 if s == max(here) else 2 for s in here))
            hall.tell(RoundClosed(round=paired.round))
            won = {two: max(two) for two in expected}
            expected = book.send(won)
    except StopIteration as end:
        places = end.value
    final = [row.player for row in standings(hall.now).rows[:6]]
    assert final[:3] == [players[seed - 1] for seed in places[:3]]
    assert {problem.key for problem in check_tournament(hall.now)} == {"finalist_overtaken"}
