"""TOML files that people write: kits, positions, presets. Limits and clear errors."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from engines.kernel import Engine, KitSheet
from referee.errors import NotFound, Unfit
from referee.reading import UnsafeJson, read_json
from referee.store.canon import NotCanonical, canonical

MAX_FILE_BYTES = 1_000_000


def read_toml_file(path: str | Path, limit: int = MAX_FILE_BYTES) -> dict[str, Any]:
    """A TOML file without floats, dates or control characters, as plain data."""
    file = Path(path)
    try:
        size = file.stat().st_size
        if size > limit:
            raise Unfit("file_too_large", file=str(path), limit=limit)
        data = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise NotFound("no_such_file", file=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unfit("bad_file", file=str(path), problem=str(error)) from None
    try:
        return dict(read_json(canonical(data), limit=2 * limit))
    except (NotCanonical, UnsafeJson, TypeError, ValueError) as error:
        raise Unfit("bad_file", file=str(path), problem=str(error)) from None


def read_kit(engine: Engine[Any, Any], name: str) -> KitSheet:
    """A kit shipped with the game, or a kit file (``….toml``)."""
    if not name.endswith(".toml"):
        return engine.kit_sheet(name)
    sheet = KitSheet(read_toml_file(name))
    if sheet.content.get("game") != engine.id:
        raise Unfit("kit_of_other_game", file=name, game=str(sheet.content.get("game")))
    engine.read_kit(sheet)
    return sheet


def write_toml(data: dict[str, Any]) -> str:
    return tomli_w.dumps(_without_none(data), multiline_strings=True)


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_none(item) for item in value]
    return value
