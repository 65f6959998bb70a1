"""``referee moves``: read the record."""

from typing import Annotated

import typer

from answers.play import moves as moves_answers
from answers.review import scores as points
from cli.i18n import write
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def moves(
    start: Annotated[int, typer.Option("--from")] = 0,
    by: Annotated[str | None, typer.Option("--by")] = None,
    grep: Annotated[str | None, typer.Option("--grep")] = None,
    view: Annotated[str | None, typer.Option("--view")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
    oneline: Annotated[bool, typer.Option("--oneline")] = False,
    nl: Annotated[bool, typer.Option("--nl")] = False,
    scores: Annotated[bool, typer.Option("--scores")] = False,
) -> int:
    here = session()
    if scores:
        return here.run(points.scores, here.game_id())
    answered = here.caller.ask(
        moves_answers.moves,
        here.game_id(),
        start=start,
        by=by,
        containing=grep,
        everything=everything,
        view=view,
        bare=oneline,
    )
    if nl:
        write(row.model_dump_json() for row in answered.data.moves)
        return 0
    return here.answer(moves_answers.moves, answered)
