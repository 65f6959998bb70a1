"""Who is first, and why; finals, lots and prizes."""

from collections.abc import Sequence
from typing import Annotated, get_args

from pydantic import Field

from answers.limits import FinalGames, FinalPlaces
from answers.tournament import prizes, standings
from cli.tournament.context import TOURNAMENT, one_of
from cli.tournament.plan import read_seats
from referee.errors import Misused
from referee.tournament.plan import SeatRange
from referee.tournament.values import RoundNumber


def show_standings(
    *, through: RoundNumber | None = None, why_player: str | None = None, section: str | None = None
) -> int:
    if why_player is not None:
        return TOURNAMENT.run(standings.why, why_player, through=through)
    return TOURNAMENT.run(standings.standings, through=through, section=section)


def finals(
    places: FinalPlaces | None = None,
    *,
    knockout: bool = False,
    double_elimination: bool = False,
    seats: str | None = None,
    advance: Annotated[int, Field(ge=1, le=4)] = 1,
    on_tie: str = "better_seed",
    third_place: bool = False,
    match: FinalGames | None = None,
    lot: Annotated[int | None, Field(ge=0)] = None,
    dry_run: bool = False,
    cancel: bool = False,
    replace: tuple[str, str] | None = None,
    reason: str = "",
) -> int:
    """The best play on; or the finals are called off, or somebody plays instead of another."""
    if cancel or replace is not None:
        if not reason:
            raise Misused("finals_need_reason")
        if replace is not None:
            return TOURNAMENT.run(standings.replace_finalist, *replace, reason)
        return TOURNAMENT.run(standings.cancel_finals, reason)
    if places is None:
        raise Misused("how_many_finalists")
    return TOURNAMENT.run(
        standings.finals,
        places,
        style="double_elimination"
        if double_elimination
        else "knockout"
        if knockout or seats or third_place
        else "top_table",
        seats=SeatRange(**read_seats(seats)) if seats else None,
        advance=advance,
        on_tie=one_of("--on-tie", on_tie, get_args(standings.OnTie)),
        third_place=third_place,
        match=match,
        lot=lot,
        reason=reason,
        dry_run=dry_run,
    )


def lot(
    name: Sequence[str], *, seed: Annotated[int | None, Field(ge=0)] = None, reason: str
) -> int:
    """The order drawn by hand, or by a seed that anybody can try again."""
    return TOURNAMENT.run(standings.draw_lot, name, reason, seed=seed)


def show_or_declare(line: Sequence[str] = (), *, several: bool = False, clear: bool = False) -> int:
    """Without a line, what is declared; otherwise the whole list anew."""
    if line or clear:
        return TOURNAMENT.run(prizes.declare, prizes.read_prizes(line), several=several)
    return TOURNAMENT.run(prizes.prizes)
