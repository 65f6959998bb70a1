"""A second day: the first of one event, or of several flights, go on in another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

import pytest

from answers.context import Caller
from answers.tournament import players, rounds, teams
from answers.tournament import standings as rankings
from referee.tournament.plan import Match
from referee.tournament.ranking.standings import standings
from tests.tournament.asking import Stand, brooms, swiss

NAMES = ["Ana", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hal", "Ida", "Jo", "Kim", "Lou"]


def play(stand: Stand, chance: Random, rounds_played: int = 3) -> None:
    """Rounds with any results; a round that is paired already is played as it is."""
    for number in range(1, rounds_played + 1):
        if number > len(stand.now.rounds):
            stand.pair()
        stand.ask(rounds.start)
        for table in stand.now.round(number).draw.tables:
            stand.slip(table.number, *chance.choice([["A", "B"], ["B", "A"], ["A=B"]]))
        stand.ask(rounds.close)


def flight(chance: Random, names: Sequence[str], beside: Stand | None = None) -> Stand:
    there = beside.caller.store_context if beside is not None else None
    stand = Stand(swiss(), *names, store_context=there)
    play(stand, chance)
    if chance.random() < 0.5:
        stand.ask(players.drop, chance.choice(names))
    stand.ask(rankings.draw_lot, chance.sample(stand.names(), len(names)), "for the cut")
    return stand


def halves_on_paper(stand: Stand) -> dict[str, int]:
    """Half points of everybody, with a pencil: what they brought, results and byes."""
    now = stand.now
    found = {player.id: player.carried for player in now.players.values()}
    for round in now.rounds:
        for player in round.draw.byes:
            found[player] += 2
        for table in round.draw.tables:
            entered = round.result(table.number)
            assert entered is not None
            for player, place in zip(table.seats, entered.outcome.places, strict=True):
                found[player] += {(1, 1): 1}.get(entered.outcome.places, 2 if place == 1 else 0)
    return found


def matchings(people: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    if not people:
        yield []
        return
    first, *rest = people
    for other in rest:
        for pairs in matchings([each for each in rest if each != other]):
            yield [(first, other), *pairs]


@pytest.mark.parametrize("seed", range(12))
def test_the_first_of_every_flight_go_on_with_their_points_or_without(seed: int) -> None:
    chance = Random(seed)
    one = flight(chance, NAMES[:6])
    two = flight(chance, NAMES[6:], one)
    carry, top = chance.random() < 0.6, 3
    final = Stand(swiss(), store_context=one.caller.store_context)
    expected: dict[str, tuple[int, int, str]] = {}
    for source in (one, two):
        final.ask(players.qualify, source.id, top, carry=carry)
        halves = halves_on_paper(source)
        ranked = [row.player for row in standings(source.now).rows]
        here = [each for each in ranked if source.now.player(each).status != "dropped"]
        for place, player in enumerate(here[:top], 1):
            expected[player] = (place, halves[player] if carry else 0, source.id)
    came = {
        p.id: (p.seed, p.carried, p.qualified.tournament)
        for p in final.now.players.values()
        if p.qualified is not None
    }
    assert came == expected
    points = {player: halves for player, (_, halves, _) in expected.items()}

    def price(pairs: Sequence[Sequence[str]]) -> int:
        return sum((points[pair[0]] - points[pair[1]]) ** 2 for pair in pairs)

    final.pair()
    drawn = [table.seats for table in final.now.round(1).draw.tables]
    assert price(drawn) == min(map(price, matchings([*points])))
    play(final, chance)
    counted = {row.player: row.values[0] for row in standings(final.now).rows}
    assert counted == {
        player: Fraction(halves, 2) for player, halves in halves_on_paper(final).items()
    }


def test_what_cannot_go_on_is_refused_and_records_nothing() -> None:
    chance = Random(1)
    first = Stand(swiss(), *NAMES[:6])
    second = Stand(swiss(), store_context=first.caller.store_context)

    def refused(stand: Stand, source: str, top: int, **more: bool) -> str:
        return stand.refusal(players.qualify, source, top, **more).key

    assert refused(second, "tournament-zzz", 2) == "no_such_tournament"
    assert refused(second, second.id, 2) == "no_such_tournament"
    first.start()
    assert refused(second, first.id, 2) == "qualify_too_early"
    for table in first.now.round(1).draw.tables:
        first.slip(table.number, "A=B")
    first.ask(rounds.close)
    assert refused(second, first.id, 2) == "qualify_tie", "all are level"
    second.ask(players.qualify, first.id, 6)
    assert refused(second, first.id, 6) == "registered_already"
    assert second.refusal(players.qualify, first.id, 0)
    dutch = Stand(swiss(options={"system": "dutch"}), store_context=first.caller.store_context)
    assert refused(dutch, first.id, 6, carry=True) == "points_into_dutch"
    dutch.ask(players.qualify, first.id, 6)
    stranger = Caller(
        first.caller.store_context, first.caller.author, first.caller.voice,
        reaches=lambda stream, place: stream != first.id,
    )  # fmt: skip
    third = Stand(swiss(), store_context=first.caller.store_context)
    third.caller = stranger
    assert refused(third, first.id, 6) == "no_such_tournament", "of what may not be seen"
    play(second, chance, 1)


def test_teams_come_with_their_people_and_tables_of_several_with_their_points() -> None:
    boards = swiss(match=Match(games=2, boards=True))
    first = Stand(boards, "Rook", "Knight")
    there = first.caller.store_context
    first.ask(teams.set_team, "Rook", ["Ana", "Bo", "Cleo"])
    first.start()
    first.slip(1, games="AB")
    first.ask(rounds.close)
    second = Stand(boards, store_context=there)
    second.ask(players.qualify, first.id, 2, carry=True)
    rook = second.id_of("Rook")
    assert second.now.teams[rook] == first.now.teams[rook]
    alone = Stand(swiss(), store_context=there)
    alone.ask(players.qualify, first.id, 2)
    assert alone.now.teams == {}

    pods = Stand(brooms(), *NAMES[:8], store_context=there)
    pods.play()
    pods.play()
    ranked = standings(pods.now).rows
    pods.ask(rankings.draw_lot, pods.names(), "cut")
    final = Stand(brooms(), store_context=there)
    final.ask(players.qualify, pods.id, 4, carry=True)
    points = {row.player: row.values[0] for row in ranked}
    assert {p.id: Fraction(p.carried, 2) for p in final.now.players.values()} == {
        p: points[p] for p in final.now.players
    }
