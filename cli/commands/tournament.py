"""``referee tournament``: the commands of the tournament desk."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cli.main import localise
from cli.tournament.context import choose

CATALOGUES = ("referee.tournament", "answers.tournament", "cli.tournament")

COMMANDS: dict[str, str] = {
    "new": "lifecycle.new",
    "list": "lifecycle.list_tournaments",
    "open": "lifecycle.open_tournament",
    "info": "lifecycle.info",
    "revise": "lifecycle.revise",
    "picture": "lifecycle.picture",
    "pair": "rounds.pair",
    "unpair": "rounds.unpair",
    "swap": "rounds.swap_players",
    "seat": "rounds.seat",
    "move": "rounds.move",
    "tables": "rounds.tables",
    "start": "rounds.start",
    "table": "tables.table",
    "result": "tables.result",
    "results": "tables.results",
    "correct": "tables.correct",
    "report": "player_reports.report",
    "call": "player_reports.call",
    "attend": "player_reports.attend",
    "answer": "player_reports.answer",
    "invite": "player_reports.invite",
    "desk": "shell.desk",
    "standings": "ranking.show_standings",
    "prizes": "prizes.show_or_declare",
    "boards": "teams.boards",
    "bracket": "ranking.bracket",
    "finals": "ranking.finals",
    "lot": "ranking.lot",
    "broadcast": "broadcast.show",
    "feature": "broadcast.feature",
    "schedule": "broadcast.schedule",
    "comment": "broadcast.comment",
    "announce": "broadcast.announce",
    "wall": "broadcast.wall",
    "disputes": "judging.disputes",
    "reading": "judging.reading",
    "check": "judging.check",
    "history": "judging.history",
    "head": "proof.head",
    "sign": "proof.sign",
    "verify": "proof.verify",
    "zones": "zones.zones",
    "print": "papers.print_paper",
    "export": "papers.export",
    "import": "papers.import_log",
    "close": "lifecycle.close",
    "reopen": "lifecycle.reopen",
}
GROUPS: dict[str, str] = {
    "players": "players.app",
    "team": "teams.app",
    "registration": "registration.app",
    "round": "rounds.app",
    "clock": "clock.app",
    "penalty": "penalties.app",
    "apart": "apart.app",
    "deal": "papers.deals",
}
"""Every command of the desk, and where it is: a module of ``cli.tournament`` and its name there."""


class TournamentCommands(TyperGroup):
    """Command group that imports a command when it is called (lazy loading)."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS, *GROUPS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        place = COMMANDS.get(cmd_name) or GROUPS.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(".")
        found = getattr(import_module(f"cli.tournament.{module}"), name)
        if cmd_name in COMMANDS:
            alone = typer.Typer(rich_markup_mode=None, add_completion=False)
            alone.command(name=cmd_name)(found)
            found = alone
        command: Any = typer.main.get_command(found)
        command.name = cmd_name
        localise(command, f"command.tournament.{cmd_name}")
        command.write_help()  # it may be listed with the others
        return command


app = typer.Typer(cls=TournamentCommands, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def tournament(
    tournament: Annotated[str | None, typer.Option("-t", "--tournament")] = None,
) -> None:
    choose(tournament)
