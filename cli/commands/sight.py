"""What happened, seen on a photograph of the table."""

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
