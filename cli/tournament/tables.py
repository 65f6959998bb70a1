"""The tables of a round as games, and their results."""

import sys
from typing import Annotated

import typer

from answers.tournament import results as results_answers
from answers.tournament.result_slips import Slip
from answers.tournament.results import TournamentTableAnswer
from cli.session import Key, session
from cli.tournament.context import Reason, RoundOption, at, run
from cli.tournament.plan import read_text

Scores = Annotated[list[str] | None, typer.Option("--score")]
Absent = Annotated[list[str] | None, typer.Option("--absent")]
Measures = Annotated[list[int] | None, typer.Option("--measure")]
TieOrder = Annotated[str, typer.Option("--tie-order")]
TimedOut = Annotated[bool, typer.Option("--timed-out")]
Games = Annotated[str, typer.Option("--games")]
Anyway = Annotated[bool, typer.Option("--anyway")]


def table(
    number: Annotated[int, typer.Argument(min=1)],
    line: Annotated[list[str] | None, typer.Argument()] = None,
    round: RoundOption = None,
    players: Annotated[int | None, typer.Option("--players", min=1, max=8)] = None,
    again: Annotated[bool, typer.Option("--again")] = False,
    board: Annotated[int | None, typer.Option("--board", min=1, max=9)] = None,
    key: Key = None,
) -> int:
    """Whoever opens a table and says no role is its scribe."""
    here = session()
    _, tournament = at(here)
    answered = here.caller.ask(
        results_answers.open_table,
        tournament,
        number,
        " ".join(line or []),
        round=round,
        players=players,
        again=again,
        board=board,
        key=key,
    )
    if isinstance(answered.data, TournamentTableAnswer):
        here.make_current(answered.data.game)
    return here.answer(results_answers.open_table, answered)


def result(
    table: Annotated[int | None, typer.Argument(min=1)] = None,
    places: Annotated[list[str] | None, typer.Argument()] = None,
    score: Scores = None,
    absent: Absent = None,
    measure: Measures = None,
    games: Games = "",
    tie_order: TieOrder = "",
    timed_out: TimedOut = False,
    anyway: Anyway = False,
    round: RoundOption = None,
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    """Without places: taken from the record; without a table: from all closed records."""
    told = places or [], score or [], absent or [], measure
    slip = Slip(*told, tie_order, timed_out, anyway, games)
    if table is None or slip.is_empty:
        return run(results_answers.take_results, table, round=round, key=key)
    return run(results_answers.enter_result, table, slip, reason, round=round, key=key)


def results(
    file: Annotated[str, typer.Argument()] = "-",
    anyway: Anyway = False,
    round: RoundOption = None,
    reason: Annotated[str, typer.Option("-m", "--reason")] = "",
    key: Key = None,
) -> int:
    """A list of slips, a table a line, from a file or the standard input."""
    text = sys.stdin.read() if file == "-" else read_text(file)
    return run(results_answers.enter_list, text, reason, anyway=anyway, round=round, key=key)


def correct(
    table: Annotated[int, typer.Argument(min=1)],
    places: Annotated[list[str] | None, typer.Argument()] = None,
    score: Scores = None,
    absent: Absent = None,
    measure: Measures = None,
    games: Games = "",
    tie_order: TieOrder = "",
    timed_out: TimedOut = False,
    anyway: Anyway = False,
    round: RoundOption = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    told = places or [], score or [], absent or [], measure
    slip = Slip(*told, tie_order, timed_out, anyway, games)
    return run(results_answers.correct_result, table, slip, reason, round=round, key=key)
