"""Where two values differ first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from engines.kernel import SECRET
from engines.kernel.values.structs import compared_fields


def difference(one: Any, other: Any, path: str = "") -> str | None:
    """The path to it; what is secret in one must be so in the other."""
    if one is other:
        return None
    mine, theirs = _parts(one), _parts(other)
    if type(one) is not type(other) or mine is None or theirs is None:
        secret = one is SECRET or other is SECRET
        return (path or "–") if secret or one != other else None
    if mine.keys() != theirs.keys():
        return path or "–"
    for key, value in mine.items():
        within = difference(value, theirs[key], f"{path}.{key}".strip("."))
        if within is not None:
            return within
    return None


def _parts(value: Any) -> dict[Any, Any] | None:
    """The parts of a struct, a mapping or a sequence."""
    if isinstance(value, Struct):
        return {name: getattr(value, name) for name in compared_fields(type(value))}
    if isinstance(value, Mapping):
        return dict(value)
    return dict(enumerate(value)) if isinstance(value, tuple | list) else None
