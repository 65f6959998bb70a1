"""``referee photo``: photographs of the real table."""

from pathlib import Path
from typing import Annotated

import typer

from answers.review import photos
from cli.output import put, refuse_existing
from cli.session import Key, Reason, session
from referee.errors import NotFound
from referee.untrusted.photos import MOST_BYTES
from referee.untrusted.safe_toml import read_limited

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def add(
    file: Annotated[Path, typer.Argument()],
    caption: Annotated[list[str] | None, typer.Argument()] = None,
    at: Annotated[int | None, typer.Option("--at", min=0)] = None,
    dispute: Annotated[str | None, typer.Option("--dispute")] = None,
    only: Annotated[str | None, typer.Option("--only")] = None,
    shows: Annotated[str, typer.Option("--about")] = "",
    key: Key = None,
) -> int:
    if not file.is_file():
        raise NotFound("no_such_file", file=str(file))
    here = session()
    content = read_limited(file, MOST_BYTES)
    return here.run(
        photos.add,
        here.game_id(),
        content,
        at=at,
        dispute=dispute,
        only=only.upper() if only else None,
        about=shows,
        caption=" ".join(caption or []),
        key=key,
    )


@app.command(name="list")
def list_photos() -> int:
    here = session()
    return here.run(photos.photos, here.game_id())


@app.command()
def save(
    photo: Annotated[str, typer.Argument()],
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here = session()
    game = here.game_id()
    found = here.caller.ask(photos.photo, game, photo)
    file = output or Path(f"{game.removeprefix('game-')}-{found.name}")
    refuse_existing(file, force)
    return put(here, found.content, file, game)


@app.command()
def erase(
    photo: Annotated[str, typer.Argument()],
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    return here.run(photos.erase, here.game_id(), photo, reason=reason, key=key)
