"""The complete input of a pairing; its hash is recorded with the pairing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import gcd

from msgspec import Struct, field

from engines.kernel.rules.state import to_plain
from referee.store.canonical_json import canonical, digest
from referee.tournament.acceleration import virtual_points
from referee.tournament.knockout import losses, playing_for_third, seeding_of, survivors
from referee.tournament.plan import SeatRange
from referee.tournament.ranking.points import units
from referee.tournament.ranking.score_sheet import Line, penalty_units, score_sheet
from referee.tournament.state import Player, Tournament


class Entrant(Struct, frozen=True):
    """A player as the pairing sees them. Other players are named by their numbers."""

    number: int
    id: str
    seeding: int
    """Rank in the starting list, from 1."""
    points: int
    met: Mapping[int, int]
    """How often this player has sat at a table with another."""
    seats: tuple[int, ...]
    """How often in seat A, B, C…"""
    last_seat: int | None
    run: int
    """How often in a row in that seat; negative for the second seat."""
    byes: int
    tables: Mapping[int, int]
    """How often at which table."""
    club: str = ""
    fixed_table: int | None = None
    lost: int = 0
    small: int = 0
    """How often at a table with fewer seats than others of its round had."""
    apart: tuple[int, ...] = ()
    """With whom the player must not sit at one table."""

    @property
    def balance(self) -> int:
        """First seats minus second seats, for duels."""
        return self.seats[0] - self.seats[1]


class RoundEntrants(Struct, frozen=True, dict=True):
    """Everybody to be paired for a round, best first."""

    round: int
    round_in_stage: int
    seats: SeatRange
    entrants: tuple[Entrant, ...]
    seeding: tuple[str, ...] = field(default=())
    """The list of a bracket or round robin, with those who have left."""

    @cached_property
    def by_id(self) -> dict[str, Entrant]:
        return {entrant.id: entrant for entrant in self.entrants}

    @cached_property
    def step(self) -> int:
        """The greatest common divisor of all differences of points: gaps are counted in steps."""
        lowest = min((entrant.points for entrant in self.entrants), default=0)
        return gcd(*(entrant.points - lowest for entrant in self.entrants)) or 1

    def input_hash(self, method: int) -> str:
        """The hash of everything that a pairing method reads."""
        seen = to_plain(self)
        for entrant in seen["entrants"]:
            if method < 3:
                del entrant["run"]
            if method < 4:
                del entrant["small"]
            if not entrant["apart"]:  # hashes from before anybody could be kept apart stay
                del entrant["apart"]
        return digest(canonical(seen))


def field_of(tournament: Tournament, number: int) -> RoundEntrants:
    """The field of the next round."""
    stage = tournament.stage
    available = tournament.available(number)
    knockout = tournament.knockout_rules(stage) is not None
    if knockout:
        alive = set(survivors(tournament))
        third = playing_for_third(tournament)
        alive |= set(third) if len(third) == 2 else set()
        available = tuple(player for player in available if player.id in alive)
    order = sorted(tournament.players.values(), key=lambda player: player.seeding_key)
    seeding = {player.id: rank for rank, player in enumerate(order, 1)}
    numbers = {player.id: player.number for player in tournament.players.values()}
    sheet = score_sheet(tournament, tournament.rounds)
    small = _small_tables(tournament)
    apart = {
        player: tuple(sorted(numbers[other] for other in others if other in numbers))
        for player, others in tournament.kept_apart.items()
    }
    lost = losses(tournament, stage) if knockout else {}
    virtual = virtual_points(tournament, number)
    entrants = [
        _entrant(tournament, player, seeding[player.id], sheet[player.id], numbers,
                 lost.get(player.id, 0), small, apart.get(player.id, ()), virtual.get(player.id, 0))
        for player in available
    ]  # fmt: skip
    entrants.sort(key=lambda entrant: (-entrant.points, entrant.seeding))
    return RoundEntrants(
        round=number,
        round_in_stage=len(tournament.rounds_of(stage)) + 1,
        seats=tournament.seats,
        entrants=tuple(entrants),
        seeding=_listed(tournament),
    )


def _listed(tournament: Tournament) -> tuple[str, ...]:
    stage = tournament.stage
    if tournament.knockout_rules(stage) is not None:
        return seeding_of(tournament, stage)
    scheduled = tournament.plan.format.kind in ("round_robin", "pods", "league")
    if stage == "main" and scheduled and tournament.rounds:
        return tournament.rounds[-1].paired.seeding
    return ()


def _entrant(
    tournament: Tournament, player: Player, seeding: int, lines: tuple[Line, ...],
    numbers: Mapping[str, int], lost: int, small: frozenset[tuple[int, int]],
    apart: tuple[int, ...], virtual: int,
) -> Entrant:  # fmt: skip
    main_rounds = len(tournament.rounds_of("main"))
    met: dict[int, int] = {}
    tables: dict[int, int] = {}
    seats = [0] * 8
    last_seat = None
    run = 0
    byes = 0
    for line in lines:
        byes += line.kind in ("bye", "full_bye", "forfeit_win")
        if line.table is not None:
            tables[line.table] = tables.get(line.table, 0) + 1
        if line.kind == "played" and line.seat is not None:
            seats[line.seat] += 1
            last_seat = line.seat
            run = _one_more(run, line.seat)
            for opponent in line.opponents:
                met[numbers[opponent]] = met.get(numbers[opponent], 0) + 1
    return Entrant(
        number=player.number,
        id=player.id,
        seeding=seeding,
        points=sum(line.points for line in lines if line.round <= main_rounds)
        + units(player.carried)
        - penalty_units(tournament, player)
        + virtual,
        met=dict(sorted(met.items())),
        seats=tuple(seats),
        last_seat=last_seat,
        run=run,
        byes=byes,
        tables=dict(sorted(tables.items())),
        club=player.club,
        fixed_table=player.fixed_table,
        lost=lost,
        small=sum((line.round, line.table) in small for line in lines if line.kind == "played"),
        apart=apart,
    )


def _small_tables(tournament: Tournament) -> frozenset[tuple[int, int]]:
    """Round and number of every table with fewer seats than others of its round."""
    found = set()
    for round in tournament.rounds:
        most = max((len(table.seats) for table in round.draw.tables), default=0)
        found |= {
            (round.number, table.number) for table in round.draw.tables if len(table.seats) < most
        }
    return frozenset(found)


def _one_more(run: int, seat: int) -> int:
    """Extend a run of equal seats, or start a new one."""
    step = 1 if seat == 0 else -1
    return run + step if run * step > 0 else step
