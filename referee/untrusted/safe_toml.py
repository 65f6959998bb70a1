"""TOML files that people write: kits, positions, presets. Limits and clear errors."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from engines.kernel import Engine, KitSheet
from engines.kernel.box.kit import PROVENANCES
from engines.kernel.messages.errors import Flaw
from referee.errors import NotFound, Unfit
from referee.store.canonical_json import NotCanonical, canonical, digest
from referee.untrusted.safe_json import MAX_DEPTH, UnsafeJson, read_json

MAX_FILE_BYTES = 1_000_000
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_PLACE = re.compile(r"at line (\d+), column (\d+)")
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_DEEP_KEY = re.compile(rf"""(?<![\w"'-])(?:{_PART}){{{MAX_DEPTH}}}""")
"""A dotted key costs the parser the square of its parts."""
_TWICE = re.compile(r"overwrite|twice|[Dd]uplicate")


def stem_of(stream: str) -> str:
    """A safe file name for a record: its id, if that cannot escape the folder."""
    if _PLAIN.fullmatch(stream):
        return stream
    return f"game-{digest(stream.encode())[:16]}"


class UnsafeToml(Flaw):
    """Rejected TOML, with the reason."""


def read_limited(path: str | Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """Read a file up to a size limit: a device would never end."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(limit + 1)
    except FileNotFoundError:
        raise NotFound("no_such_file", file=str(path)) from None
    if len(content) > limit:
        raise Unfit("file_too_large", file=str(path), limit=limit)
    return content


def read_toml_file(path: str | Path, limit: int = MAX_FILE_BYTES) -> dict[str, Any]:
    """A TOML file without floats, dates or control characters, as plain data."""
    return read_toml(read_limited(path, limit), str(path))


def read_toml(content: bytes, name: str) -> dict[str, Any]:
    """The same for a text; ``name`` is used in messages."""
    try:
        return dict(read_json(canonical(parse_toml(content)), limit=2 * len(content) + 1000))
    except (UnsafeToml, NotCanonical, UnsafeJson) as error:
        raise Unfit("bad_file", file=name, problem=error.phrase) from None


def parse_toml(content: bytes) -> dict[str, Any]:
    """Parse untrusted TOML; input that is expensive to parse is refused first."""
    try:
        text = content.decode("utf-8-sig")  # an editor may have put its mark before it
        if _DEEP_KEY.search(text):
            raise UnsafeToml("too_deep", depth=MAX_DEPTH)
        data = tomllib.loads(text)
    except UnicodeDecodeError:
        raise UnsafeToml("not_utf8") from None
    except RecursionError:
        raise UnsafeToml("nested") from None
    except tomllib.TOMLDecodeError as error:
        raise _misread(error) from None
    except ValueError:  # what Python refuses to read as a number
        raise UnsafeToml("huge_number", number="…") from None
    _refuse_nesting(data)
    return data


def _misread(error: tomllib.TOMLDecodeError) -> UnsafeToml:
    found = _PLACE.search(str(error))
    if found is None:
        return UnsafeToml("toml_ends")
    key = "toml_twice" if _TWICE.search(str(error)) else "not_toml"
    return UnsafeToml(key, line=found.group(1), column=found.group(2))


def _refuse_nesting(data: Any) -> None:
    layer = [data]
    for _ in range(MAX_DEPTH):
        layer = [
            item
            for value in layer
            if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
    if any(isinstance(value, dict | list) for value in layer):
        raise UnsafeToml("too_deep", depth=MAX_DEPTH)


def read_kit(engine: Engine[Any, Any], name: str) -> KitSheet:
    """A kit shipped with the game, or a kit file (``….toml``)."""
    if not name.endswith(".toml"):
        return engine.kit_sheet(name)
    return checked_kit(engine, read_toml_file(name), name)


def checked_kit(engine: Engine[Any, Any], content: Mapping[str, Any], name: str) -> KitSheet:
    """A kit from outside, if it is complete and gives the provenance of its data."""
    sheet = KitSheet(content)
    if sheet.content.get("game") != engine.id:
        raise Unfit("kit_of_other_game", file=name, game=str(sheet.content.get("game")))
    engine.read_whole_kit(sheet)
    if (datum := sheet.badly_marked()) is not None:
        told = Flaw("no_provenance", datum=datum.path, provenances=PROVENANCES).phrase
        raise Unfit("bad_file", file=name, problem=told)
    return sheet


def write_toml(data: dict[str, Any]) -> str:
    return tomli_w.dumps(_without_none(data), multiline_strings=True)


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_none(item) for item in value]
    return value
