"""Who is first, and why; brackets, finals and lots."""

from typing import Annotated, cast, get_args

import typer

from answers.tournament import standings
from cli.session import Key
from cli.tournament.context import Reason, RoundOption, one_of, run
from cli.tournament.plan import read_seats
from referee.errors import Misused
from referee.tournament.plan import SeatRange


def show_standings(
    through: RoundOption = None,
    why_player: Annotated[str | None, typer.Option("--why")] = None,
    section: Annotated[str | None, typer.Option("--section")] = None,
) -> int:
    if why_player is not None:
        return run(standings.why, why_player, through=through)
    return run(standings.standings, through=through, section=section)


def bracket() -> int:
    return run(standings.bracket)


def finals(
    places: Annotated[int | None, typer.Argument(min=2, max=64)] = None,
    knockout: Annotated[bool, typer.Option("--knockout")] = False,
    seats: Annotated[str | None, typer.Option("--seats")] = None,
    advance: Annotated[int, typer.Option("--advance", min=1, max=4)] = 1,
    on_tie: Annotated[str, typer.Option("--on-tie")] = "better_seed",
    third_place: Annotated[bool, typer.Option("--third-place")] = False,
    match: Annotated[int | None, typer.Option("--match", min=2, max=9)] = None,
    lot: Annotated[int | None, typer.Option("--lot", min=0)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    cancel: Annotated[bool, typer.Option("--cancel")] = False,
    replace: Annotated[tuple[str, str] | None, typer.Option("--replace")] = None,
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    """The best play on; or the finals are called off, or somebody plays instead of another."""
    if cancel or replace is not None:
        if not reason:
            raise Misused("finals_need_reason")
        if replace is not None:
            return run(standings.replace_finalist, *replace, reason, key=key)
        return run(standings.cancel_finals, reason, key=key)
    if places is None:
        raise Misused("how_many_finalists")
    return run(
        standings.finals,
        places,
        style="knockout" if knockout or seats or third_place else "top_table",
        seats=SeatRange(**read_seats(seats)) if seats else None,
        advance=advance,
        on_tie=cast(standings.OnTie, one_of("--on-tie", on_tie, get_args(standings.OnTie))),
        third_place=third_place,
        match=match,
        lot=lot,
        reason=reason,
        dry_run=dry_run,
        key=key,
    )


def lot(
    name: Annotated[list[str], typer.Argument()],
    seed: Annotated[int | None, typer.Option("--seed", min=0)] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """The order drawn by hand, or by a seed that anybody can try again."""
    return run(standings.draw_lot, name, reason, seed=seed, key=key)
