"""``referee games``: the games of the store."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import session
from cli.speech import columns, say
from cli.telling import short
from referee.archive.lists import list_games

app = typer.Typer(rich_markup_mode=None)


@app.command()
def games(
    open_only: Annotated[bool, typer.Option("--open")] = False,
    done_only: Annotated[bool, typer.Option("--done")] = False,
    of: Annotated[str | None, typer.Option("--of")] = None,
    player: Annotated[str | None, typer.Option("--player")] = None,
) -> int:
    here = session()
    current = here.current()
    rows = []
    for row in list_games(here.bench.store):
        if (open_only and row["closed"]) or (done_only and not row["closed"]):
            continue
        if of is not None and row["engine"] != of:
            continue
        names = {seat: here.name(person) for seat, person in row["people"].items()}
        if player is not None and player not in names.values():
            continue
        rows.append({**row, "current": row["game"] == current, "players": names})
    shown = [
        (
            "*" if row["current"] else " ",
            short(row["game"]),
            row["engine"],
            " ".join(f"{seat}={name}" for seat, name in row["players"].items()) or "–",
            f"#{row['actions']}",
            say("games.closed" if row["closed"] else "games.open"),
            row["updated"][:16].replace("T", " "),
        )
        for row in rows
    ]
    lines = columns(shown) or [say("games.none")]
    return here.answer("games", {"games": rows}, lines)
