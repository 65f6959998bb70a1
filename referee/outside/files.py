"""TOML files that people write: kits, positions, presets. Limits and clear errors."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from engines.kernel import Engine, KitSheet, Phrase
from referee.errors import NotFound, Unfit
from referee.outside.reading import UnsafeJson, read_json
from referee.store.canon import NotCanonical, canonical

MAX_FILE_BYTES = 1_000_000
_PLACE = re.compile(r"at line (\d+), column (\d+)")
_TWICE = re.compile(r"overwrite|twice|[Dd]uplicate")


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
        raise Unfit("bad_file", file=str(path), problem=toml_problem(error)) from None
    try:
        return dict(read_json(canonical(data), limit=2 * limit))
    except (NotCanonical, UnsafeJson) as error:
        raise Unfit("bad_file", file=str(path), problem=error.phrase) from None


def toml_problem(error: Exception) -> Phrase:
    """Why a text is not TOML."""
    if isinstance(error, UnicodeDecodeError):
        return Phrase("flaw.not_utf8")
    if isinstance(error, RecursionError):
        return Phrase("flaw.nested")
    found = _PLACE.search(str(error))
    if found is None:
        return Phrase("flaw.toml_ends")
    key = "flaw.toml_twice" if _TWICE.search(str(error)) else "flaw.not_toml"
    return Phrase(key, {"line": found.group(1), "column": found.group(2)})


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
