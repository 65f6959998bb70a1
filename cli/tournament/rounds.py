"""Pairing a round, explaining and changing it; starting and closing it."""

from typing import Annotated

import typer

from answers.tournament import rounds
from cli.session import Key
from cli.tournament.context import Reason, RoundOption, run
from referee.errors import Misused

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


def pair(
    number: Annotated[int | None, typer.Argument(min=1)] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0)] = None,
    explained: Annotated[bool, typer.Option("--explain")] = False,
    meet: Annotated[tuple[str, str] | None, typer.Option("--meet")] = None,
    anyway: Annotated[bool, typer.Option("--anyway")] = False,
    key: Key = None,
) -> int:
    if explained or meet is not None:
        return run(rounds.pair_explained, number, seed=seed, meet=meet, anyway=anyway, key=key)
    return run(rounds.pair, number, seed=seed, anyway=anyway, key=key)


def unpair(reason: Reason = ..., key: Key = None) -> int:  # type: ignore[assignment]
    return run(rounds.unpair, reason, key=key)


def tables(number: Annotated[int | None, typer.Argument(min=1)] = None) -> int:
    return run(rounds.tables, number)


def swap_players(
    a: Annotated[str, typer.Argument()],
    b: Annotated[str, typer.Argument()],
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    number: RoundOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    """Without a reason it is a preview."""
    return run(rounds.swap_players, a, b, reason=reason, number=number, dry_run=dry_run, key=key)


def seat(
    name: Annotated[list[str], typer.Argument()],
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    number: RoundOption = None,
    key: Key = None,
) -> int:
    """Without a reason it is a preview."""
    return run(rounds.seat_together, name, reason=reason, number=number, key=key)


def move(
    move: Annotated[list[str], typer.Argument()],
    number: RoundOption = None,
    key: Key = None,
) -> int:
    moves = [_move(text) for text in move]
    return run(rounds.move_tables, moves, number=number, key=key)


def _move(text: str) -> tuple[int, int]:
    """``3:12``: from one table to another."""
    source, _, target = text.partition(":")
    if not (source.isdigit() and target.isdigit()):
        raise Misused("not_a_move", word=text)
    return int(source), int(target)


def start(
    number: Annotated[int | None, typer.Argument(min=1)] = None,
    with_clock: Annotated[bool, typer.Option("--clock")] = False,
    key: Key = None,
) -> int:
    return run(rounds.start, number, with_clock=with_clock, key=key)


@app.command(name="close")
def close_round(
    number: Annotated[int | None, typer.Argument(min=1)] = None,
    key: Key = None,
) -> int:
    return run(rounds.close, number, key=key)


@app.command(name="reopen")
def reopen_round(
    number: Annotated[int, typer.Argument(min=1)],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(rounds.reopen, number, reason, key=key)


@app.command(name="unstart")
def unstart_round(
    number: Annotated[int | None, typer.Argument(min=1)] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(rounds.unstart, reason, number=number, key=key)
