"""``referee stats``: what many games say together."""

from pathlib import Path
from typing import Annotated, Any

import typer

from answers.review import stats as stats_answers
from cli.output import put
from cli.progress import progress_of
from cli.session import session
from referee.archive.process_pool import cores

app = typer.Typer(rich_markup_mode=None)


@app.command()
def stats(
    of: Annotated[str | None, typer.Option("--of")] = None,
    player: Annotated[str | None, typer.Option("--player")] = None,
    tournament: Annotated[str | None, typer.Option("--tournament")] = None,
    since: Annotated[str | None, typer.Option("--since")] = None,
    until: Annotated[str | None, typer.Option("--until")] = None,
    players: Annotated[int | None, typer.Option("--players")] = None,
    variant: Annotated[str | None, typer.Option("--variant")] = None,
    box: Annotated[str | None, typer.Option("--box")] = None,
    reading: Annotated[str | None, typer.Option("--reading")] = None,
    names: Annotated[bool, typer.Option("--names")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild")] = False,
    svg: Annotated[bool, typer.Option("--svg")] = False,
    html: Annotated[bool, typer.Option("--html")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
) -> int:
    here = session()
    caller = here.caller
    wanted = stats_answers.Selection(
        of, player, tournament, since, until, players, variant, box, reading
    )
    how: dict[str, Any] = {"names": names, "processes": cores(), "progress": progress_of()}
    if svg or html:
        made = stats_answers.page if html else stats_answers.chart
        return put(here, made(caller, wanted, **how), output)
    answered = stats_answers.statistics(caller, wanted, **how, rebuild=rebuild)
    return here.answer(stats_answers.statistics, answered)
