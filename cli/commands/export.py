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
from referee.record.game import Game
from replays.exports.options import Options
from replays.formats import ARCHIVES, FORMATS, export_bytes

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
    archive = format in ARCHIVES
    games = _all_games(here) if archive else [here.game()]
    game = games[0]
    to_stdout = output == "-" or (output is None and not sys.stdout.isatty() and not here.json)
    file = Path(output or f"{'archive' if archive else game.id}.{FORMATS[format].suffix}")
    if not to_stdout and file.exists() and not force:
        raise Conflicting("file_exists", file=str(file))
    options = Options(
        lang=language(),
        names=_names(here, games) if names else {},
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


def _all_games(here: Session) -> list[Game]:
    streams = here.bench.store.streams("game-")
    return [here.bench.game(stream) for stream in streams] or [here.game()]


def _names(here: Session, games: list[Game]) -> dict[str, str]:
    people = {
        person
        for game in games
        for person in (*game.seats.values(), *(entry.by for entry in game.entries))
    }
    found = {person: here.people.name(person) for person in sorted(people - {"anonymous"})}
    return {person: name for person, name in found.items() if name}
