"""The tables of a round as games, and their results."""

import sys
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from answers.limits import Players
from answers.tournament import results as results_answers
from answers.tournament.result_slips import Slip
from answers.tournament.results import TournamentTableAnswer
from cli.session import session
from cli.tournament.context import TOURNAMENT
from referee.tournament.values import RoundNumber, TableNumber
from referee.untrusted.safe_csv import decoded
from referee.untrusted.safe_toml import read_limited


def table(
    number: TableNumber,
    line: Sequence[str] = (),
    *,
    round: RoundNumber | None = None,
    players: Players | None = None,
    again: bool = False,
    board: Annotated[int | None, Field(ge=1, le=9)] = None,
) -> int:
    """Whoever opens a table and says no role is its scribe."""
    here = session()
    answered = here.caller.ask(
        results_answers.open_table,
        TOURNAMENT.id(here),
        number,
        " ".join(line),
        round=round,
        players=players,
        again=again,
        board=board,
    )
    if isinstance(answered.data, TournamentTableAnswer):
        here.make_current(answered.data.game)
    return here.answer(results_answers.open_table, answered)


def result(
    table: TableNumber | None = None,
    *,
    slip: Slip,
    round: RoundNumber | None = None,
    reason: str = "",
) -> int:
    """Without places: taken from the record; without a table: from all closed records."""
    if table is None or slip.is_empty:
        return TOURNAMENT.run(results_answers.take_results, table, round=round)
    return TOURNAMENT.run(results_answers.enter_result, table, slip, reason, round=round)


def results(
    file: str = "-",
    *,
    anyway: bool = False,
    rest: bool = False,
    round: RoundNumber | None = None,
    reason: str = "",
) -> int:
    """A list of slips, a table a line, from a file or the standard input."""
    text = decoded(sys.stdin.buffer.read() if file == "-" else read_limited(file))
    return TOURNAMENT.run(
        results_answers.enter_list, text, reason, anyway=anyway, rest=rest, round=round
    )


def correct(
    table: TableNumber,
    *,
    slip: Slip,
    round: RoundNumber | None = None,
    reason: str,
) -> int:
    return TOURNAMENT.run(results_answers.correct_result, table, slip, reason, round=round)
