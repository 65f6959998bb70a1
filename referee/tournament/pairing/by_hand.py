"""Manual pairing: seat players together, and place those who are left behind."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tournament.errors import NotPossible
from referee.tournament.events import Table
from referee.tournament.state import Draw, Round, Tournament


def seated_together(now: Tournament, round: Round, players: Sequence[str]) -> Draw:
    """The draw with a table of these players, in this order of seats.

    They take the number of the first table that is given up for them, else a new one. Who is
    left behind at the tables that are given up sits together, or has a bye.
    """
    wanted = set(players)
    seats = now.plan.seats if round.stage == "main" else now.seats
    if not min(2, seats.most) <= len(players) <= seats.most:
        raise NotPossible("table_of", least=min(2, seats.most), most=seats.most)
    given_up = [table for table in round.draw.tables if wanted & set(table.seats)]
    kept = [table for table in round.draw.tables if not wanted & set(table.seats)]
    here = {player.id for player in now.players.values() if player.status == "present"}
    behind = [
        player
        for table in given_up
        for player in table.seats
        if player not in wanted and player in here
    ]
    free = [table.number for table in given_up]
    taken = {table.number for table in round.draw.tables}
    free += [number for number in range(1, 1000) if number not in taken]
    tables = [*kept, Table(number=free.pop(0), seats=tuple(players))]
    byes = [player for player in round.draw.byes if player not in wanted]
    if seats.least <= len(behind) <= seats.most:
        tables.append(Table(number=free.pop(0), seats=tuple(behind)))
    else:
        byes += behind
    return Draw(
        tuple(sorted(tables, key=lambda table: table.number)),
        tuple(byes),
        tuple(player for player in round.draw.free if player not in wanted),
    )
