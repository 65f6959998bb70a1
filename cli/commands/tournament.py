"""``referee tournament``: the desk of a tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from cli.tournament import (
    clock,
    judging,
    papers,
    penalties,
    phones,
    players,
    proof,
    ranking,
    rounds,
    running,
    shell,
    tables,
)
from cli.tournament.desk import choose

CATALOGUES = ("referee.tournament", "answers.tournament", "cli.tournament")

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def tournament(
    tournament: Annotated[str | None, typer.Option("-t", "--tournament")] = None,
) -> None:
    choose(tournament)


_COMMANDS: dict[str, Callable[..., Any]] = {
    "new": running.new,
    "list": running.list_tournaments,
    "open": running.open_tournament,
    "info": running.info,
    "revise": running.revise,
    "pair": rounds.pair,
    "unpair": rounds.unpair,
    "swap": rounds.swap_players,
    "seat": rounds.seat,
    "move": rounds.move,
    "tables": rounds.tables,
    "start": rounds.start,
    "table": tables.table,
    "result": tables.result,
    "results": tables.results,
    "correct": tables.correct,
    "report": phones.report,
    "call": phones.call,
    "answer": phones.answer,
    "invite": phones.invite,
    "desk": shell.desk,
    "standings": ranking.show_standings,
    "bracket": ranking.bracket,
    "finals": ranking.finals,
    "lot": ranking.lot,
    "disputes": judging.disputes,
    "reading": judging.reading,
    "check": judging.check,
    "history": judging.history,
    "head": proof.head,
    "sign": proof.sign,
    "verify": proof.verify,
    "print": papers.print_paper,
    "export": papers.export,
    "import": papers.import_log,
    "close": running.close,
    "reopen": running.reopen,
}
for _name, _command in _COMMANDS.items():
    app.command(name=_name)(_command)
app.add_typer(players.app, name="players")
app.add_typer(rounds.app, name="round")
app.add_typer(clock.app, name="clock")
app.add_typer(penalties.app, name="penalty")
app.add_typer(papers.deals, name="deal")
