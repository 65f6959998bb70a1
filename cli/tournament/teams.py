"""``tournament team`` and ``tournament boards``: the people of teams."""

from typing import Annotated

import typer

from answers.tournament import teams
from cli.session import Key
from cli.tournament.context import RoundOption, run

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="set")
def set_team(
    team: Annotated[str, typer.Argument()],
    name: Annotated[list[str] | None, typer.Argument()] = None,
    captain: Annotated[str, typer.Option("--captain")] = "",
    away: Annotated[list[str] | None, typer.Option("--away")] = None,
    namesake: Annotated[bool, typer.Option("--namesake")] = False,
    key: Key = None,
) -> int:
    """The whole roster anew, in the order of the boards."""
    return run(
        teams.set_team, team, name or [], captain=captain, away=away or [], namesake=namesake,
        key=key,
    )  # fmt: skip


@app.command()
def show(team: Annotated[str, typer.Argument()], round: RoundOption = None) -> int:
    return run(teams.teams, team, round=round)


@app.command(name="line-up")
def line_up(
    team: Annotated[str, typer.Argument()],
    name: Annotated[list[str] | None, typer.Argument()] = None,
    clear: Annotated[bool, typer.Option("--clear")] = False,
    round: RoundOption = None,
    key: Key = None,
) -> int:
    """Without a name, who sits at which board; otherwise who shall, board 1 first."""
    if name or clear:
        return run(teams.set_line_up, name or [], team=team, round=round, key=key)
    return run(teams.teams, team, round=round)


@app.command(name="list")
def list_teams(round: RoundOption = None) -> int:
    return run(teams.teams, round=round)


def boards() -> int:
    return run(teams.boards)
