"""Canonical bytes: the one way an entry is written, so that its hash means something.

The result equals RFC 8785 (JSON Canonicalization Scheme) for everything that is accepted:
no fractions, integers that every JSON reader holds exactly, ASCII keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticSerializationError, to_json

from engines.kernel.errors import Flaw

if TYPE_CHECKING:
    from pydantic import BaseModel

LARGEST_INTEGER = 2**53 - 1

_encode = json.JSONEncoder(
    ensure_ascii=False,
    sort_keys=True,
    separators=(",", ":"),
    allow_nan=False,
    check_circular=False,
).encode


class NotCanonical(Flaw):
    """The data has no canonical form: what, and where."""


def canonical(data: Any) -> bytes:
    """Sorted, compact, UTF-8 JSON."""
    try:
        _refuse_ambiguous(data)
        return encoded(data)
    except UnicodeEncodeError:
        raise NotCanonical("half_character") from None
    except RecursionError:
        raise NotCanonical("nested") from None


def encoded(data: Any) -> bytes:
    """The canonical form of data that is known to have one."""
    return _encode(data).encode()


def is_canonical(data: Any, body: bytes) -> bool:
    """Whether bytes are the canonical form of the data that was read from them."""
    try:
        if to_json(data) == body and _in_order(data):
            return True
        return canonical(data) == body
    except (NotCanonical, PydanticSerializationError, RecursionError):
        return False


def _in_order(data: Any) -> bool:
    """Whether data has a canonical form, and its keys stand in the order of that form."""
    kind = type(data)
    if kind is dict:
        last = ""
        for key, value in data.items():
            if key <= last or not key.isascii():
                return False
            if type(value) is not str and not _in_order(value):
                return False
            last = key
        return True
    if kind is list:
        return all(type(value) is str or _in_order(value) for value in data)
    if kind is int:
        return bool(-LARGEST_INTEGER <= data <= LARGEST_INTEGER)
    return kind is str or kind is bool or data is None


def digest(body: bytes) -> str:
    """SHA-256 of stored bytes, in hex."""
    return sha256(body).hexdigest()


def check_model(model: type[BaseModel]) -> None:
    """Refuse, when a class is defined, a model whose data would have no canonical form."""
    for path, part in _parts(model.model_json_schema(mode="serialization"), model.__name__):
        types = part.get("type", ())
        if "number" in ((types,) if isinstance(types, str) else types):
            raise NotCanonical("fraction", number=path)
        for name in part.get("properties", ()):
            if not name.isascii():
                raise NotCanonical("odd_key", key=f"{path}.{name}")


def _refuse_ambiguous(data: Any) -> None:
    kind = type(data)
    if kind is str or kind is bool or data is None:
        return
    if kind is dict or isinstance(data, dict):
        for key, value in data.items():
            if not (isinstance(key, str) and key.isascii()):
                raise NotCanonical("odd_key", key=str(key)[:40])
            if type(value) is not str:
                _refuse_ambiguous(value)
    elif isinstance(data, int):
        if not -LARGEST_INTEGER <= data <= LARGEST_INTEGER:
            raise NotCanonical("huge_number", number=str(data)[:20])
    elif isinstance(data, list | tuple):
        for value in data:
            if type(value) is not str:
                _refuse_ambiguous(value)
    elif not isinstance(data, str):
        raise NotCanonical("no_plain_data", value=str(data)[:60])


def _parts(schema: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(schema, Mapping):
        yield path, schema
        for key, value in schema.items():
            if key not in ("default", "const", "enum", "examples"):
                yield from _parts(value, f"{path}.{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from _parts(value, f"{path}.{index}")
