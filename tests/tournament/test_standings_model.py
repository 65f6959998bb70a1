"""Standings of tables of several, added up again on paper from nothing but what was told.

Duels are held against another program (``test_oracle.py``); nobody else knows these columns.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.tournament import events as told
from referee.tournament.events import ByHand, Outcome, Plan
from referee.tournament.pairing.rounds import pair
from referee.tournament.plan import GameScoring, PlaceScoring, SeatRange
from referee.tournament.ranking.standings import RankedRow, final_places, standings, why
from tests.tournament.hosting import FOUR, SLIP, Hall, tables_of_four

NAMES = [f"p{letter}" for letter in "abcdefghi"]
COLUMNS = ("PTS", "FIRSTS", "SHARE", "SCORE", "OPP", "BEST", "ATT")
DUEL, SEVERAL = (SeatRange(least=2, most=most, preferred=most) for most in (2, 4))
LONGER = int(os.environ.get("REFEREE_CHAOS", "0"))
SCORINGS: list[Any] = [
    PlaceScoring(places=(8, 4, 2, 0), bye=4, half_bye=2),
    PlaceScoring(places=(6, 3, 1), by_size={"3": (5, 2, 0)}, tied_first=4, bye=3),
    GameScoring(bye=6, half_bye=3),
]
many = settings(
    max_examples=max(80, 10 * LONGER), deadline=None, suppress_health_check=list(HealthCheck)
)


@st.composite
def outcomes(draw: st.DrawFn, seats: int) -> Outcome:
    """Ties anywhere, points below nothing, seats that stay empty."""
    order = draw(st.lists(st.integers(1, seats), min_size=seats, max_size=seats))
    absent = draw(st.sampled_from([0, 0, 0, 1, seats - 1]))
    order[seats - absent :] = [seats + 1] * absent
    places = tuple(1 + sum(other < mine for other in order) for mine in order)
    scores = draw(st.lists(st.integers(-4, 12), min_size=seats, max_size=seats))
    return Outcome(
        places=places,
        scores=tuple(scores),
        absent=tuple("ABCDEFGH"[seats - absent : seats]),
    )


@st.composite
def halls(draw: st.DrawFn, columns: tuple[str, ...] = COLUMNS) -> Hall:
    """Some rounds of an event: people come late, leave, return, stay away, are fined."""
    scoring = draw(st.sampled_from(SCORINGS))
    plan: Plan = tables_of_four(scoring=scoring, tie_breaks=columns, check_in=False)
    hall = Hall(plan)
    first = draw(st.integers(4, 8))
    for name in NAMES[:first]:
        hall.tell(told.Registered(player=name))
    for number in range(1, draw(st.integers(1, 3)) + 1):
        for name in draw(st.lists(st.sampled_from(NAMES[:first]), max_size=2, unique=True)):
            hall.tell(told.ByeRequested(player=name, round=number, counts=draw(st.sampled_from(
                ["half_bye", "zero_bye", "full_bye"]))))  # fmt: skip
        here = draw(st.permutations([p.id for p in hall.now.available(number)]))
        tables, at = [], 0
        while len(here) - at >= 3 and len(tables) < 2:
            size = draw(st.integers(3, min(5, len(here) - at)))
            tables.append(told.Table(number=len(tables) + 1, seats=tuple(here[at : at + size])))
            at += size
        if not tables:
            break
        byes = tuple(here[at:])
        hall.tell(
            told.RoundPaired(
                round=number, algorithm="by-hand", version=1, seed=1, input_hash="0" * 64,
                tables=tuple(tables), byes=byes,
            ),
            told.RoundStarted(round=number),
        )  # fmt: skip
        for table in tables:
            outcome = draw(outcomes(len(table.seats)))
            source = ByHand(reason="slip")
            hall.tell(
                told.ResultEntered(round=number, table=table.number, outcome=outcome, source=source)
            )
            if draw(st.sampled_from([False, False, True])):
                again = draw(outcomes(len(table.seats)))
                hall.tell(
                    told.ResultCorrected(
                        round=number, table=table.number, outcome=again, reason="misread"
                    )
                )
        hall.tell(told.RoundClosed(round=number))
        for name in draw(st.lists(st.sampled_from(NAMES[:first]), max_size=1)):
            kind = told.Returned if hall.now.player(name).status == "dropped" else told.Dropped
            hall.tell(kind(player=name))
        for name in draw(st.lists(st.sampled_from(NAMES[:first]), max_size=1)):
            hall.tell(told.PenaltyGiven(player=name, halves=draw(st.integers(0, 9)), reason="late"))
            if draw(st.booleans()):
                hall.tell(told.PointPenaltyCancelled(penalty=hall.now.last, reason="was there"))
    return hall


# on paper


def rounds_of(hall: Hall, player: str) -> list[dict[str, Any]]:
    """What every round brought: read from the events, the last result of a table counts."""
    found: list[dict[str, Any]] = []
    last: dict[tuple[int, int], Outcome] = {}
    drawn: dict[int, told.RoundPaired] = {}
    for event in hall.events:
        if isinstance(event, told.RoundPaired):
            drawn[event.round] = event
        if isinstance(event, told.ResultEntered | told.ResultCorrected):
            last[event.round, event.table] = event.outcome
    scoring = hall.now.plan.scoring
    for number, paired in drawn.items():
        line: dict[str, Any] = {"points": Fraction(0), "kind": "away", "opponents": []}
        if player in paired.byes:
            line.update(kind="bye", points=Fraction(scoring.bye, 2))
        table = next((t for t in paired.tables if player in t.seats), None)
        if table is not None:
            line.update(at_table(scoring, table.seats, last[number, table.number], player))
        elif player not in paired.byes:
            counts = asked_for(hall, player, number)
            line["kind"] = counts
            if counts == "full_bye":
                line["points"] = Fraction(scoring.bye, 2)
            if counts == "half_bye":
                line["points"] = Fraction(scoring.half_bye, 2)
        found.append(line)
    return found


def asked_for(hall: Hall, player: str, number: int) -> str:
    """The last bye asked for; else a round that was missed counts nothing."""
    said = [
        event.counts
        for event in hall.events
        if isinstance(event, told.ByeRequested) and (event.player, event.round) == (player, number)
    ]
    return said[-1] if said else "zero_bye"


def at_table(scoring: Any, seats: Any, outcome: Outcome, player: str) -> dict[str, Any]:
    seat = seats.index(player)
    here = [at for at in range(len(seats)) if "ABCDEFGH"[at] not in outcome.absent]
    if seat not in here:
        return {"kind": "did not come"}
    if len(here) == 1:
        return {"kind": "nobody else came", "points": Fraction(scoring.bye, 2)}
    place = outcome.places[seat]
    level = [at for at in here if outcome.places[at] == place]
    scores = outcome.scores or ()
    if isinstance(scoring, GameScoring):
        points = Fraction(scores[seat])
    elif place == 1 and len(level) > 1 and scoring.tied_first is not None:
        points = Fraction(scoring.tied_first, 2)
    else:
        worth = [*scoring.by_size.get(str(len(here)), scoring.places), 0, 0, 0, 0, 0, 0, 0]
        points = Fraction(sum(worth[place - 1 : place - 1 + len(level)]), 2 * len(level))
    everything = sum(scores[at] for at in here)
    evenly = any(scores[at] < 0 for at in here) or everything == 0
    return {
        "kind": "played",
        "points": points,
        "first": Fraction(1, len(level)) if place == 1 else Fraction(0),
        "score": Fraction(scores[seat]),
        "share": Fraction(1) if evenly else Fraction(scores[seat], everything) * len(here),
        "opponents": [seats[at] for at in here if at != seat],
    }


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


def on_paper(hall: Hall) -> list[tuple[str, tuple[Fraction, ...]]]:
    """Everybody with their columns, in the order of the list."""
    lines = {name: rounds_of(hall, name) for name in hall.now.players}
    scored = {
        name: sum((line["points"] for line in mine), Fraction(0)) for name, mine in lines.items()
    }
    cancelled = {e.penalty for e in hall.events if isinstance(e, told.PointPenaltyCancelled)}
    found = []
    for name, mine in lines.items():
        fines = sum(
            Fraction(event.halves, 2)
            for number, event in enumerate(hall.events)
            if isinstance(event, told.PenaltyGiven)
            and event.player == name
            and number not in cancelled
        )
        played = [line for line in mine if line["kind"] == "played"]
        met = [scored[other] for line in played for other in line["opponents"]]
        found.append((name, (
            scored[name] - fines,
            sum((line["first"] for line in played), Fraction(0)),
            mean([line["share"] for line in played]),
            sum((line["score"] for line in played), Fraction(0)),
            mean(met),
            max((line["score"] for line in played), default=Fraction(0)),
        )))  # fmt: skip
    return found


@many
@given(hall=halls())
def test_what_the_standings_say_is_what_adding_up_gives(hall: Hall) -> None:
    ours = {row.player: row.values[:6] for row in standings(hall.now).rows}
    assert ours == dict(on_paper(hall))


@many
@given(hall=halls())
def test_who_is_level_shares_a_rank_and_the_next_ranks_stay_empty(hall: Hall) -> None:
    rows = standings(hall.now).rows
    assert [row.values for row in rows] == sorted((row.values for row in rows), reverse=True)
    rank = 1
    for _, level in groupby(rows, key=lambda row: row.values):
        group = list(level)
        assert {row.rank for row in group} == {rank}
        rank += len(group)


@many
@given(hall=halls(columns=("PTS", "LOT")), data=st.data())
def test_who_is_level_stands_in_the_order_of_the_last_lot_drawn_among_all_of_them(
    hall: Hall, data: st.DataObject
) -> None:
    points = {name: values[0] for name, values in on_paper(hall)}
    level = [[n for n in points if points[n] == worth] for worth in sorted({*points.values()})]
    level.reverse()
    lots = []
    for _ in range(data.draw(st.integers(0, 4))):
        among = data.draw(st.sampled_from([*level, [*points]]))
        lot = data.draw(st.permutations(among))[: data.draw(st.sampled_from([99, 99, 2]))]
        if len(lot) >= 2:
            hall.tell(told.LotDrawn(order=tuple(lot), reason="before witnesses"))
            lots.append(lot)
    expected: list[tuple[int, set[str]]] = []
    rank = 1
    for group in level:
        drawn = [lot for lot in lots if {*group} <= {*lot}]
        parts = [{n} for n in drawn[-1] if n in group] if drawn else [{*group}]
        for part in parts:
            expected.append((rank, part))
            rank += len(part)
    ours = groupby(standings(hall.now).rows, key=lambda row: row.rank)
    assert [(rank, {row.player for row in rows}) for rank, rows in ours] == expected


@many
@given(hall=halls())
def test_the_terms_that_are_told_add_up_to_the_value(hall: Hall) -> None:
    for row in standings(hall.now).rows:
        told_of = why(hall.now, row.player)
        assert tuple(part.value for part in told_of.parts) == row.values
        points = told_of.parts[0]
        assert sum(term.amount for term in points.terms if term.counted) == points.value


@many
@given(hall=halls(), size=st.integers(2, 4), data=st.data())
def test_finalists_go_before_all_others_who_keep_their_order_and_ties(
    hall: Hall, size: int, data: st.DataObject
) -> None:
    before = standings(hall.now).rows
    number = len(hall.now.rounds) + 1
    here = [player.id for player in hall.now.available(number)]
    if len(here) < size or not hall.now.rounds:
        return
    finalists = tuple(data.draw(st.permutations(here))[:size])
    hall.tell(
        told.FinalsStarted(style="top_table", players=finalists, seats=FOUR),
        told.RoundPaired(
            round=number, algorithm="by-hand", version=1, seed=1, input_hash="0" * 64,
            tables=(told.Table(number=1, seats=finalists),),
        ),
        told.RoundStarted(round=number),
    )  # fmt: skip
    outcome = data.draw(outcomes(size))
    hall.tell(
        told.ResultEntered(round=number, table=1, outcome=outcome, source=ByHand(reason="slip"))
    )
    came = [finalists[at] for at in range(size) if "ABCDEFGH"[at] not in outcome.absent]
    wanted = sorted(
        finalists,
        key=lambda p: (p not in came, outcome.places[finalists.index(p)], finalists.index(p)),
    )
    assert sorted(final_places(hall.now), key=final_places(hall.now).__getitem__) == wanted
    rows = standings(hall.now).rows
    assert [row.player for row in rows[:size]] == wanted
    assert [row.rank for row in rows[:size]] == list(range(1, size + 1))
    behind = [row for row in before if row.player not in finalists]
    assert [row.player for row in rows[size:]] == [row.player for row in behind]
    assert ties(rows[size:]) == ties(behind)
    better = [sum(other.rank < row.rank for other in behind) for row in behind]
    assert [row.rank for row in rows[size:]] == [size + 1 + ahead for ahead in better]


def ties(rows: Sequence[RankedRow]) -> list[bool]:
    return [one.rank == other.rank for one, other in pairwise(rows)]


def slip(chance: Random, seats: int) -> Outcome:
    """Ties anywhere; sometimes somebody, or everybody but one, does not come."""
    gone = chance.sample(range(seats), chance.choice([0, 0, 1, seats - 1]))
    order = [seats + 1 if seat in gone else chance.randint(1, seats) for seat in range(seats)]
    places = tuple(1 + sum(other < mine for other in order) for mine in order)
    absent = tuple("ABCDEFGH"[seat] for seat in sorted(gone))
    return Outcome(places=places, scores=(0,) * seats, absent=absent)


@pytest.mark.parametrize("seats", [DUEL, SEVERAL], ids=["duels", "tables of several"])
@pytest.mark.parametrize("size", range(4, 9))
def test_a_knockout_ranks_by_rounds_survived_then_who_came_then_the_seed(
    size: int, seats: SeatRange
) -> None:
    for number in range(6):
        chance = Random(f"{size} {seats.most} {number}")
        hall = Hall(tables_of_four(check_in=False))
        hall.tell(*(told.Registered(player=name) for name in NAMES[:8]))
        paired = pair(hall.now, 1, number)
        hall.tell(paired, told.RoundStarted(round=1))
        for table in paired.tables:
            played(hall, 1, table, Outcome(places=(1, 2, 3, 4)))
        hall.tell(told.RoundClosed(round=1))
        seeds = tuple(chance.sample(NAMES[:8], size))
        hall.tell(told.FinalsStarted(style="knockout", players=seeds, seats=seats))
        survived, missing, left = dict.fromkeys(seeds, 0), dict.fromkeys(seeds, False), [*seeds]
        while len(left) > 1:
            paired = pair(hall.now, len(hall.now.rounds) + 1, number)
            hall.tell(paired, told.RoundStarted(round=paired.round))
            left = [*paired.free]
            for table in paired.tables:
                outcome = slip(chance, len(table.seats))
                played(hall, paired.round, table, outcome)
                place = dict(zip(table.seats, outcome.places, strict=True))
                came = [table.seats[seat] for seat in outcome.here]
                missing |= {player: player not in came for player in table.seats}
                left.append(min(came, key=lambda p: (place[p], seeds.index(p))))
            survived |= {player: survived[player] + 1 for player in left}
            hall.tell(told.RoundClosed(round=paired.round))
            wanted = sorted(seeds, key=lambda p: (-survived[p], missing[p], seeds.index(p)))
            assert [row.player for row in standings(hall.now).rows[:size]] == wanted, number


def played(hall: Hall, number: int, table: told.Table, outcome: Outcome) -> None:
    hall.tell(told.ResultEntered(round=number, table=table.number, outcome=outcome, source=SLIP))
