"""``referee export``: carry a record elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from cli.session import Session, session
from cli.speech import language, say
from referee.errors import Conflicting, NotFound
from replays.exports.options import Options
from replays.formats import FORMATS, export_bytes

app = typer.Typer(rich_markup_mode=None)


@app.command()
def export(
    format: Annotated[str, typer.Argument()],
    output: Annotated[str | None, typer.Option("-o", "--output")] = None,
    at: Annotated[int | None, typer.Option("--at", min=0)] = None,
    width: Annotated[int | None, typer.Option("--width", min=100, max=4000)] = None,
    view: Annotated[str | None, typer.Option("--view")] = None,
    names: Annotated[bool, typer.Option("--names")] = False,
    raw_csv: Annotated[bool, typer.Option("--raw-csv")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here = session()
    if format not in FORMATS:
        raise NotFound("no_such_format", format=format, formats=list(FORMATS))
    game = here.game()
    to_stdout = output == "-" or (output is None and not sys.stdout.isatty() and not here.json)
    file = Path(output or f"{game.id}.{FORMATS[format].suffix}")
    if not to_stdout and file.exists() and not force:
        raise Conflicting("file_exists", file=str(file))
    options = Options(
        lang=language(),
        names=_names(here) if names else {},
        at=at,
        width=width,
        view=here.view(view),
        raw_csv=raw_csv,
        progress=_progress(),
    )
    content = export_bytes(here.bench, game, format, options)
    if to_stdout:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return 0
    file.write_bytes(content)
    data = {"file": str(file), "bytes": len(content), "sha256": sha256(content).hexdigest()}
    line = say("export.done", file=str(file), bytes=len(content), sha=str(data["sha256"])[:16])
    return here.answer("export", data, [line])


def _progress() -> Callable[[int, int], None]:
    """On a terminal, long work says how far it is."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def show(done: int, total: int) -> None:
        if total >= 50 and (done % 20 == 0 or done == total):
            end = "\n" if done == total else ""
            sys.stderr.write(f"\r{say('progress', done=done, total=total)}{end}")
            sys.stderr.flush()

    return show


def _names(here: Session) -> dict[str, str]:
    game = here.game()
    people = {*game.seats.values(), *(entry.by for entry in game.entries)} - {"anonymous"}
    return {person: name for person in sorted(people) if (name := here.people.name(person))}
