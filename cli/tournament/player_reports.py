"""Tournament commands for players: report a result, call a judge; join codes for their phones."""

from typing import Annotated

import typer

from answers.tournament import player_reports
from answers.tournament.result_slips import Slip
from cli.session import Key
from cli.tournament.context import RoundOption, run
from cli.tournament.tables import Absent, Games, Measures, Scores, TimedOut

By = Annotated[str, typer.Option("--player")]
TableNumber = Annotated[int, typer.Argument(min=1)]
Text = Annotated[str, typer.Option("-m", "--text")]


def report(
    table: TableNumber,
    places: Annotated[list[str] | None, typer.Argument()] = None,
    score: Scores = None,
    absent: Absent = None,
    measure: Measures = None,
    games: Games = "",
    timed_out: TimedOut = False,
    player: By = "",
    round: RoundOption = None,
    key: Key = None,
) -> int:
    slip = Slip(places or [], score or [], absent or [], measure, timed_out=timed_out, games=games)
    return run(player_reports.report, table, slip, player=player, round=round, key=key)


def call(
    table: TableNumber,
    text: Text = "",
    player: By = "",
    round: RoundOption = None,
    key: Key = None,
) -> int:
    return run(player_reports.call_judge, table, text, player=player, round=round, key=key)


def answer(number: Annotated[int, typer.Argument(min=1)], text: Text = "", key: Key = None) -> int:
    return run(player_reports.answer_call, number, text, key=key)


def attend(
    number: Annotated[int, typer.Argument(min=1)],
    off: Annotated[bool, typer.Option("--off")] = False,
    key: Key = None,
) -> int:
    return run(player_reports.take_call, number, off=off, key=key)


def invite(
    name: Annotated[list[str] | None, typer.Argument()] = None,
    everybody: Annotated[bool, typer.Option("--all")] = False,
) -> int:
    return run(player_reports.invite, name or [], everybody=everybody)
