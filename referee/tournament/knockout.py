"""Knock-out: who goes on, and who meets whom in the bracket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.tournament.errors import NotPossible
from referee.tournament.events import Outcome, Table, seat_index

if TYPE_CHECKING:
    from referee.tournament.state import Draw, Round, Stage, Tournament


def advancing(
    tournament: Tournament, round: Round, table: Table, outcome: Outcome
) -> tuple[str, ...]:
    """Who advances from a table, best first. The plan's rule decides a tie at the cut."""
    rules = tournament.knockout_rules(round.stage)
    if rules is None:
        return table.seats
    going_on = 1 if is_final(round.draw) else rules.advance
    here = outcome.here
    if _tied_at(outcome, here, going_on):
        here = _untied(tournament, rules.on_tie, round, table, outcome, here)
    else:
        here.sort(key=lambda seat: outcome.places[seat])
    return tuple(table.seats[seat] for seat in here[:going_on])


def is_final(draw: Draw) -> bool:
    return len(draw.tables) == 1 and not draw.free


def _tied_at(outcome: Outcome, here: Sequence[int], going_on: int) -> bool:
    places = sorted(outcome.places[seat] for seat in here)
    return going_on < len(places) and places[going_on - 1] == places[going_on]


def _untied(
    tournament: Tournament, rule: str, round: Round, table: Table, outcome: Outcome,
    here: Sequence[int],
) -> list[int]:  # fmt: skip
    if rule == "replay":
        raise NotPossible("tie_is_replayed", round=round.number, table=table.number)
    if rule == "judge":
        ruled = [seat_index(letter) for letter in outcome.tie_order]
        if not ruled:
            raise NotPossible("judge_decides_tie", round=round.number, table=table.number)
        return sorted(
            here, key=lambda seat: (outcome.places[seat], seat not in ruled, ruled.index(seat)
                                    if seat in ruled else seat)
        )  # fmt: skip
    if rule == "later_seat":
        return sorted(here, key=lambda seat: (outcome.places[seat], -seat))
    seeding = seeding_of(tournament, round.stage)
    return sorted(here, key=lambda seat: (outcome.places[seat], seeding.index(table.seats[seat])))


def seeding_of(tournament: Tournament, stage: Stage) -> tuple[str, ...]:
    """The seeding of a knock-out, best first."""
    if stage != "main" and tournament.finals is not None:
        return tournament.finals.players
    rounds = tournament.rounds_of(stage)
    if rounds:
        return rounds[0].paired.seeding
    present = (player for player in tournament.players.values() if player.status == "present")
    return tuple(player.id for player in sorted(present, key=lambda player: player.seeding_key))


def losses(tournament: Tournament, stage: Stage) -> dict[str, int]:
    """How often each player has failed to advance."""
    lost = dict.fromkeys(seeding_of(tournament, stage), 0)
    for round in tournament.rounds_of(stage):
        for table in round.draw.tables:
            result = round.result(table.number)
            if result is None:
                continue
            through = advancing(tournament, round, table, result.outcome)
            for player in table.seats:
                lost[player] = lost.get(player, 0) + (player not in through)
    return lost


def survivors(tournament: Tournament) -> tuple[str, ...]:
    """Who is still in the knock-out, best seed first."""
    stage = tournament.stage
    rules = tournament.knockout_rules(stage)
    lost = losses(tournament, stage)
    lives = rules.lives if rules is not None else 1
    return tuple(
        player
        for player, times in lost.items()
        if times < lives and tournament.players[player].status == "present"
    )


def playing_for_third(tournament: Tournament) -> tuple[str, ...]:
    """The losers of the semi-finals who can play beside the final that is paired next."""
    stage = tournament.stage
    rules, rounds = tournament.knockout_rules(stage), tournament.rounds_of(stage)
    if rules is None or not rules.third_place or not rounds:
        return ()
    semi_finals = rounds[-1]
    draw = semi_finals.draw
    if len(draw.tables) != 2 or draw.free or semi_finals.third_place or semi_finals.waiting:
        return ()
    through: set[str] = set()
    for table in draw.tables:
        entered = semi_finals.result(table.number)
        assert entered is not None
        through |= set(advancing(tournament, semi_finals, table, entered.outcome))
    here = {player.id for player in tournament.available(len(tournament.rounds) + 1)}
    if not through <= here:
        return ()
    seated = (player for table in draw.tables for player in table.seats)
    return tuple(player for player in seated if player in here - through)


def bracket(size: int) -> list[int]:
    """The order of seeds in a bracket of 2, 4, 8…: the best two can only meet in the final."""
    order = [0]
    while len(order) < size:
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return order


def places_of(seeding: Sequence[str]) -> list[str | None]:
    """A bracket from top to bottom: 2, 4, 8… places, some of them empty."""
    size = 1
    while size < len(seeding):
        size *= 2
    return [seeding[seed] if seed < len(seeding) else None for seed in bracket(size)]


def bracket_tables(
    seeding: Sequence[str], alive: Sequence[str], round_in_stage: int
) -> Iterator[tuple[str, ...]]:
    """The next pairs of a bracket; a player without an opponent comes alone (a bye)."""
    still, places = set(alive), places_of(seeding)
    block = 2**round_in_stage
    for start in range(0, len(places), block):
        meeting = tuple(player for player in places[start : start + block] if player in still)
        if meeting:
            yield meeting


def snake(players: Sequence[str], sizes: Sequence[int]) -> list[tuple[str, ...]]:
    """Snake seeding: players are dealt to the tables to and fro, so that all are equally strong."""
    tables: list[list[str]] = [[] for _ in sizes]
    waiting = list(players)
    forth = True
    while waiting:
        open_tables = [at for at, size in enumerate(sizes) if len(tables[at]) < size]
        for at in open_tables if forth else reversed(open_tables):
            if waiting:
                tables[at].append(waiting.pop(0))
        forth = not forth
    return [tuple(table) for table in tables]
