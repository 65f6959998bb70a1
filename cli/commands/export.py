"""``referee export``: carry a record elsewhere."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from cli.session import Session, session
from cli.speech import say
from referee.errors import Conflicting, NotFound
from replays.formats import FORMATS, export_bytes

app = typer.Typer(rich_markup_mode=None)


@app.command()
def export(
    format: Annotated[str, typer.Argument()],
    output: Annotated[str | None, typer.Option("-o", "--output")] = None,
    names: Annotated[bool, typer.Option("--names")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here = session()
    if format not in FORMATS:
        raise NotFound("no_such_format", format=format, formats=list(FORMATS))
    game = here.game()
    content = export_bytes(here.bench, game, format, names=_names(here) if names else {})
    if output == "-" or (output is None and not sys.stdout.isatty() and not here.json):
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return 0
    file = Path(output or f"{game.id}.{FORMATS[format].suffix}")
    if file.exists() and not force:
        raise Conflicting("file_exists", file=str(file))
    file.write_bytes(content)
    data = {"file": str(file), "bytes": len(content), "sha256": sha256(content).hexdigest()}
    line = say("export.done", file=str(file), bytes=len(content), sha=str(data["sha256"])[:16])
    return here.answer("export", data, [line])


def _names(here: Session) -> dict[str, str]:
    game = here.game()
    people = {*game.seats.values(), *(entry.by for entry in game.entries)} - {"anonymous"}
    return {person: name for person in sorted(people) if (name := here.people.name(person))}
