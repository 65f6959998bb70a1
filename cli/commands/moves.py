"""``referee moves``: read the record."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from cli.session import session
from cli.speech import columns, say, write
from engines.kernel.words import Verbatim
from referee.record.history import HistoryLine, history

app = typer.Typer(rich_markup_mode=None)

WIDEST_LINE = 48
"""What follows a longer line is not aligned: a set-up would push it off the screen."""


@app.command()
def moves(
    start: Annotated[int, typer.Option("--from")] = 0,
    by: Annotated[str | None, typer.Option("--by")] = None,
    grep: Annotated[str | None, typer.Option("--grep")] = None,
    view: Annotated[str | None, typer.Option("--view")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
    oneline: Annotated[bool, typer.Option("--oneline")] = False,
    nl: Annotated[bool, typer.Option("--nl")] = False,
) -> int:
    here = session()
    game = here.seen(view)
    lines = [
        line
        for line in history(game)
        if line.number >= start
        and (everything or line.status in ("counts", "pending"))
        and (by is None or line.seat == by.upper())
        and (grep is None or grep.lower() in line.text.lower())
    ]
    if nl:
        write(json.dumps(_data(line), ensure_ascii=False) for line in lines)
        return 0
    if oneline:
        shown = [f"#{line.number} {line.text}" for line in lines]
    else:
        rows = (
            (
                f"#{line.number}",
                line.at[11:19],
                line.text,
                say(f"outcome.{line.outcome}") if line.outcome != "legal" else "",
                " ".join(line.clauses),
                say(f"moves.{line.status}") if line.status != "counts" else "",
                "  ".join(say("quoted", text=Verbatim(note)) for note in line.notes),
            )
            for line in lines
        )
        shown = columns(rows, widest=WIDEST_LINE)
    return here.answer("moves", {"game": game.id, "moves": [_data(line) for line in lines]}, shown)


def _data(line: HistoryLine) -> dict[str, Any]:
    return line._asdict()
