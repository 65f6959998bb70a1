"""Access tokens of services, in a file that only its owner may read."""

from __future__ import annotations

import json
import os
from pathlib import Path

from referee.errors import Misused

NAME = "tokens.json"
_OTHERS = 0o077


def token_for(folder: Path, url: str) -> str | None:
    """The stored token for a service."""
    return _kept(folder / NAME).get(url.rstrip("/"))


def keep_token(folder: Path, url: str, token: str) -> Path:
    """Store a token for later commands."""
    file = folder / NAME
    kept = {**_kept(file), url.rstrip("/"): token}
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_suffix(f".{os.getpid()}")
    way = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(way, "w", encoding="utf-8") as writing:
        json.dump(kept, writing, indent=1)
    draft.replace(file)
    return file


def _kept(file: Path) -> dict[str, str]:
    try:
        if os.name == "posix" and file.stat().st_mode & _OTHERS:
            raise Misused("tokens_open", file=str(file))
        found = json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
