"""Baku acceleration of FIDE: virtual points by which the first rounds of a Swiss are paired.

The upper half of the starting list, rounded up to an even number, is paired in the first half of
the tournament as if it had scored more, so that the strong meet sooner. Nothing but the pairing
ever sees these points (FIDE Handbook C.04.7, formerly C.04.5.1).
"""

from __future__ import annotations

from referee.tournament.plan import Swiss
from referee.tournament.ranking.points import units
from referee.tournament.state import Player, Tournament


def virtual_halves(rounds: int, number: int) -> int:
    """The virtual half points of the upper half in a round: two, then one, then none."""
    accelerated = (rounds + 1) // 2
    if number > accelerated:
        return 0
    return 2 if number <= (accelerated + 1) // 2 else 1


def last_accelerated(tournament: Tournament) -> Player | None:
    """The last of the upper half, the same in every round; none where nothing is accelerated.

    Whoever comes late and stands before that player in the starting list is accelerated too.
    """
    format = tournament.plan.format
    if not isinstance(format, Swiss) or not format.accelerated:
        return None
    before = tournament.rounds[0].before if tournament.rounds else tournament
    listed = sorted(
        (player for player in before.players.values() if player.status == "present"),
        key=lambda player: player.seeding_key,
    )
    if not listed:
        return None
    last = listed[: 2 * -(-len(listed) // 4)][-1]
    return tournament.players.get(last.id, last)


def halves_by_round(tournament: Tournament) -> list[int]:
    """The virtual half points of every round, as they were and as the plan has them now."""
    played = [round.before.plan.rounds for round in tournament.rounds_of("main")]
    planned = [tournament.plan.rounds] * (tournament.plan.rounds - len(played))
    return [virtual_halves(rounds, number) for number, rounds in enumerate(played + planned, 1)]


def virtual_points(tournament: Tournament, number: int) -> dict[str, int]:
    """By player: the units that are added to the points when a round is paired."""
    last, halves = last_accelerated(tournament), virtual_halves(tournament.plan.rounds, number)
    if last is None or not halves or tournament.stage != "main":
        return {}
    return {
        player.id: units(halves)
        for player in tournament.players.values()
        if player.seeding_key <= last.seeding_key
    }
