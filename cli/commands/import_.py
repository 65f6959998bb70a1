"""``referee import``: take in a record; it is verified first, or nothing is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.commands.verify import progress_line
from cli.session import session
from cli.speech import say
from cli.telling import short, to_act
from referee.archive.exchange import take_in
from referee.errors import NotFound
from replays.formats import read_travelling

app = typer.Typer(rich_markup_mode=None)


@app.command(name="import")
def import_record(files: Annotated[list[Path], typer.Argument()]) -> int:
    here = session()
    lines: list[str] = []
    taken: list[dict[str, Any]] = []
    travelling = []
    for file in files:
        if not file.is_file():
            raise NotFound("no_such_file", file=str(file))
        travelling.append(read_travelling(file))
    for record in travelling:
        store = here.bench.store
        progress = progress_line(len(record.rows))
        report, new = take_in(store, record, author=here.author, progress=progress)
        for person, name in record.names.items():
            if here.people.name(person) is None:
                here.people.adopt(person, name)
        game = here.bench.game(report.stream)
        here.make_current(game.id)
        taken.append({"game": game.id, "entries": report.entries, "new": new, "head": report.head})
        lines.append(say("import.done", game=short(game.id), count=report.entries, new=new))
        lines.append("  " + to_act(game))
    return here.answer("import", {"games": taken}, lines)
