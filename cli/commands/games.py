"""``referee games``: the games of the store, and many of them in one file."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from answers.file_answers import written
from answers.game_filter import GameFilter
from answers.play import info
from answers.review import bulk_export
from cli.output import atomic_write, refuse_existing
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
    search: Annotated[str, typer.Option("--search")] = "",
    players: Annotated[int | None, typer.Option("--players", min=1, max=8)] = None,
    box: Annotated[str | None, typer.Option("--box")] = None,
    reading: Annotated[str | None, typer.Option("--reading")] = None,
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    dispute: Annotated[Literal["any", "open", "none"] | None, typer.Option("--dispute")] = None,
    result: Annotated[
        Literal["decided", "tied", "table_won", "table_lost", "none"] | None,
        typer.Option("--result"),
    ] = None,
    won_by: Annotated[str | None, typer.Option("--won-by")] = None,
    export: Annotated[str | None, typer.Option("--export")] = None,
    output: Annotated[Path, typer.Option("-o", "--output")] = Path(bulk_export.NAME),
    names: Annotated[bool, typer.Option("--names")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here = session()
    closed = None if open_only == done_only else done_only
    asked = GameFilter(
        closed, of, player, tournament, since, until, search,
        players, box, reading, clause, dispute, result, won_by,
    )  # fmt: skip
    if export is not None:
        refuse_existing(output, force)
        made = here.caller.ask(bulk_export.export_chosen, export, asked, names=names)
        atomic_write(output, made.content)
        return here.answer(written, written(str(output), made.content))
    return here.run(
        info.games,
        **vars(asked),
        current=here.current(),
        processes=cores(),
        progress=progress_of(),
    )
