"""``referee games``: the games of the store."""

from typing import Annotated

import typer

from answers.play import info
from cli.progress import progress_of
from cli.session import session
from referee.archive.process_pool import cores

app = typer.Typer(rich_markup_mode=None)


@app.command()
def games(
    open_only: Annotated[bool, typer.Option("--open")] = False,
    done_only: Annotated[bool, typer.Option("--done")] = False,
    of: Annotated[str | None, typer.Option("--of")] = None,
    player: Annotated[str | None, typer.Option("--player")] = None,
    tournament: Annotated[str | None, typer.Option("--tournament")] = None,
    since: Annotated[str | None, typer.Option("--since")] = None,
    until: Annotated[str | None, typer.Option("--until")] = None,
) -> int:
    here = session()
    closed = None if open_only == done_only else done_only
    return here.run(
        info.games,
        closed=closed,
        engine=of,
        player=player,
        tournament=tournament,
        since=since,
        until=until,
        current=here.current(),
        processes=cores(),
        progress=progress_of(),
    )
