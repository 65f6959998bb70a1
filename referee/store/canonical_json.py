"""Canonical JSON: one way only to write an entry, so that its hash means something.

The result equals RFC 8785 (JSON Canonicalization Scheme) for everything that is accepted:
no fractions, integers that every JSON reader holds exactly, ASCII keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticSerializationError, to_json

from engines.kernel.messages.errors import Flaw

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
    """Data without a canonical form: what, and where."""


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
    """Encode data that is known to have a canonical form (no checks)."""
    return _encode(data).encode()


def rewritten(data: Any) -> bytes:
    """Encode data that was parsed from canonical JSON: its keys are sorted already."""
    return to_json(data)


def is_canonical(data: Any, body: bytes) -> bool:
    """Whether bytes are the canonical form of the data that was read from them."""
    try:
        if rewritten(data) == body and _are_in_form((data,)):
            return True
        return canonical(data) == body
    except (NotCanonical, PydanticSerializationError, RecursionError):
        return False


def _are_in_form(values: Iterable[Any]) -> bool:
    """Whether all values have a canonical form, and their keys are sorted."""
    for value in values:
        kind = type(value)
        if kind is str:
            continue
        if kind is int:
            if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
                return False
        elif kind is dict:
            keys = tuple(value)
            if keys not in _SEEN_IN_ORDER and not _are_in_order(keys):
                return False
            if not _are_in_form(value.values()):
                return False
        elif kind is list:
            if not _are_in_form(value):
                return False
        elif kind is not bool and value is not None:
            return False
    return True


_SEEN_IN_ORDER: set[tuple[str, ...]] = set()
"""Cache of key sequences that are known to be sorted: records repeat the same few."""
_KEYS_KEPT, _LENGTH_KEPT = 1000, 200


def _are_in_order(keys: tuple[str, ...]) -> bool:
    together = "".join(keys)
    if not together.isascii() or list(keys) != sorted(keys):
        return False
    if len(_SEEN_IN_ORDER) < _KEYS_KEPT and len(together) <= _LENGTH_KEPT:
        _SEEN_IN_ORDER.add(keys)
    return True


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
