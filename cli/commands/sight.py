"""What happened, seen on a photograph of the table."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from answers.limits import EntryNumber
from cli.session import session
from referee.errors import NotFound


def see(
    photo: Path,
    *,
    before: Path | None = None,
    since: EntryNumber | None = None,
    board: str = "",
    corner: Sequence[str] = (),
    audit: bool = False,
) -> int:
    from answers.play import sight
    from referee.untrusted.photos import MOST_BYTES
    from referee.untrusted.safe_toml import read_limited

    for file in (photo, before):
        if file is not None and not file.is_file():
            raise NotFound("no_such_file", file=str(file))
    here = session()
    first = b"" if before is None else read_limited(before, MOST_BYTES)
    content = first + read_limited(photo, MOST_BYTES)
    asked: dict[str, Any] = {
        "split": len(first),
        "since": since,
        "board": board,
        "corners": [int(part) for at in corner for part in at.split(",")],
    }
    if audit:
        return here.run(sight.audit, here.game_id(), content, **asked)
    return here.run(sight.sight, here.game_id(), content, **asked)


def folder(folder: Path) -> int:
    """Photographs and what really happened, without names, times or hands: to be sent by hand."""
    from answers.play.info import info
    from answers.play.moves import moves
    from answers.review import photos
    from cli.output import put, refuse_existing

    refuse_existing(folder)
    here = session()
    game, ask = here.game_id(), here.caller.ask
    listed = ask(photos.photos, game).data.photos
    rows = [row for row in listed if row.state == "there" and row.only is None]
    if not rows:
        raise NotFound("no_photos")
    lines = ask(moves, game).data.moves
    folder.mkdir(parents=True)
    for row in rows:
        (folder / f"{row.id}.jpg").write_bytes(ask(photos.photo, game, row.id).content)
    told = {
        "game": ask(info, game).data.engine,
        "lines": [{"number": line.number, "text": line.text} for line in lines],
        "photographs": [{"file": f"{row.id}.jpg", "after": row.number} for row in rows],
    }
    return put(here, json.dumps(told, indent=1) + "\n", folder / "table.json", game)
