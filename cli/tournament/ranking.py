"""Who is first, and why; brackets, finals and lots."""

from __future__ import annotations

from typing import Annotated

import typer

from answers.tournament import ranking
from cli.session import Key, session
from cli.tournament.desk import Reason, RoundOption, at, told


def show_standings(
    through: RoundOption = None,
    why_player: Annotated[str | None, typer.Option("--why")] = None,
) -> int:
    here = session()
    if why_player is not None:
        derived = ranking.why(*at(here), why_player, through=through)
        return here.answer("tournament-why", derived)
    return here.answer("tournament-standings", ranking.standings(*at(here), through=through))


def bracket() -> int:
    here = session()
    return here.answer("tournament-bracket", ranking.bracket(*at(here)))


def finals(
    places: Annotated[int, typer.Argument(min=2, max=64)],
    knockout: Annotated[bool, typer.Option("--knockout")] = False,
    on_tie: Annotated[str, typer.Option("--on-tie")] = "better_seed",
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    answered = ranking.finals(
        *at(session()),
        places,
        style="knockout" if knockout else "top_table",
        on_tie=on_tie,
        reason=reason,
        key=key,
    )
    return told(answered)


def lot(
    name: Annotated[list[str], typer.Argument()],
    seed: Annotated[int | None, typer.Option("--seed", min=0)] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """The order drawn by hand, or by a seed that anybody can try again."""
    return told(ranking.draw_lot(*at(session()), name, reason, seed=seed, key=key))
