"""Builds the HTTP request of an operation from the arguments of a Python call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

from msgspec import NODEFAULT, Struct, structs
from pydantic import BaseModel

from answers.declaration import WHOLE, Operation, Params
from engines.kernel import KitSheet
from referee.archive.record_files import RecordFile, is_tournament
from referee.archive.record_zip import packed
from referee.store.canonical_json import canonical

_OF_THIS_PROGRAM = frozenset(("at_once", "progress", "processes", "on_step"))
"""Arguments that are not sent: callbacks cannot cross HTTP."""


@dataclass
class Request:
    path: dict[str, str] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)
    content: bytes | None = None


def fitting(found: Sequence[Operation], given: Mapping[str, Any]) -> Operation:
    """The operation to request: what exists for games and for tournaments has two URLs."""
    about = str(given.get("of") or given.get("stream"))
    wanted = "tournament" if is_tournament(about) else "game"
    return next((each for each in found if wanted in each.names), found[0])


def request(operation: Operation, given: Mapping[str, Any]) -> Request:
    """The path, body and file of a request with these arguments."""
    made = Request()
    for name, value in given.items():
        if name in _OF_THIS_PROGRAM or value is None:
            continue
        called = operation.called(name)
        if (content := _file(value)) is not None:
            made.content = content
        elif called in operation.names and called not in made.path:
            made.path[called] = str(value)
        elif called == WHOLE:
            parts = _parts(value).items()
            made.said |= {operation.rename.get(part, part): plain(each) for part, each in parts}
        else:
            made.said[called] = plain(value)
    if operation.params and operation.says is not None and issubclass(operation.says, Params):
        made.said = operation.says.from_args(made.said)
    if "game" in operation.names and "game" not in made.path:
        _of_which_game(made)
    return made


def _of_which_game(made: Request) -> None:
    """Split ``k3xq…/r2``, a ruling with its game, into the two path parameters."""
    game, _, ruling = made.path["ruling"].rpartition("/")
    made.path |= {"game": game if game.startswith("game-") else f"game-{game}", "ruling": ruling}


def _file(value: Any) -> bytes | None:
    """The bytes to upload: a record file, or bytes as they are."""
    if isinstance(value, RecordFile):
        return record_file(value)
    return value if isinstance(value, bytes) else None


def record_file(record: RecordFile) -> bytes:
    """The bytes of a record file, as it was read."""
    names = [canonical({"names": record.names})] if record.names else []
    lines = b"".join(line + b"\n" for line in (*(row.body for row in record.rows), *names))
    return packed(lines, record.photos) if record.photos else lines


def _parts(value: Any) -> dict[str, Any]:
    """The fields of an argument that differ from their defaults."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) or isinstance(value, Struct):
        return {
            part.name: found
            for part in (structs.fields(value) if isinstance(value, Struct) else fields(value))
            if part.name not in _OF_THIS_PROGRAM
            and (found := getattr(value, part.name)) != _usual(part)
            and not callable(found)
        }
    return dict(value._asdict())


def _usual(part: Any) -> Any:
    missing = (MISSING, NODEFAULT)
    if not any(part.default is each for each in missing):
        return part.default
    if not any(part.default_factory is each for each in missing):
        return part.default_factory()
    return MISSING


def plain(value: Any) -> Any:
    """A value as plain JSON types."""
    if isinstance(value, KitSheet):
        return plain(value.content)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(each) for each in value]
    return value
