"""Pairing a round, changing it and its time; zones of judges, and where the tables stand."""

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from answers.tournament import clock, hall_map, rounds
from answers.tournament import zones as zone_answers
from cli.tournament.context import TOURNAMENT
from engines.kernel.values.numbers import whole_number
from referee.errors import Misused
from referee.tournament.values import EventNumber, RoundNumber, TableNumber


def pair(
    number: RoundNumber | None = None,
    *,
    seed: Annotated[int | None, Field(ge=0)] = None,
    explained: bool = False,
    meet: tuple[str, str] | None = None,
    anyway: bool = False,
) -> int:
    if explained or meet is not None:
        return TOURNAMENT.run(rounds.pair_explained, number, seed=seed, meet=meet, anyway=anyway)
    return TOURNAMENT.run(rounds.pair, number, seed=seed, anyway=anyway)


def read_move(text: str) -> tuple[int, int]:
    """``3:12``: from one table to another."""
    source, target = map(whole_number, text.partition(":")[::2])
    if source is None or target is None:
        raise Misused("not_a_move", word=text)
    return source, target


def extend_clock(
    minutes: Annotated[int | None, Field(ge=1, le=10000)] = None,
    *,
    table: TableNumber | None = None,
    call: EventNumber | None = None,
    less: bool = False,
    reason: str = "",
    round: RoundNumber | None = None,
) -> int:
    more = -minutes if less and minutes is not None else minutes
    return TOURNAMENT.run(clock.extend, more, table=table, call=call, reason=reason, round=round)


def zones(zone: Sequence[str] = (), *, clear: bool = False) -> int:
    if not zone and not clear:
        return TOURNAMENT.run(zone_answers.zones)
    if zone and clear:
        raise Misused("zones_or_clear")
    return TOURNAMENT.run(zone_answers.set_zones, [*map(_zone, zone)])


def hall(row: Sequence[str] = (), *, clear: bool = False, round: RoundNumber | None = None) -> int:
    """Without a row, the map; otherwise the rows from now on."""
    if not row and not clear:
        return TOURNAMENT.run(hall_map.hall, round=round)
    if row and clear:
        raise Misused("rows_or_clear")
    return TOURNAMENT.run(hall_map.set_hall, row)


def _zone(text: str) -> tuple[str, int, int]:
    """``Jo=1-20``, or ``Jo=7`` for one table."""
    match = re.fullmatch(r"(.+)=(\d{1,3})(?:[-–](\d{1,3}))?", text.strip())
    if match is None or not match[1].strip():
        raise Misused("bad_zone", text=text)
    return match[1].strip(), int(match[2]), int(match[3] or match[2])
