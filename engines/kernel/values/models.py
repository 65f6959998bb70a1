"""Shared settings of all Pydantic models: strict validation, and TOML without nulls."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

STRICT = ConfigDict(frozen=True, extra="forbid", defer_build=True)
"""Nothing can be changed or added; the validator of a model is built when it is first used."""


def lost_without_null(model: type[BaseModel]) -> list[str]:
    """Fields of a model, at any depth, that TOML cannot represent.

    TOML has no null: a field that may be ``None`` must have ``None`` as its default.
    """
    return [
        f"{part.__name__}.{name}"
        for part in _parts(model, set())
        for name, field in part.model_fields.items()
        if _loses_null(field)
    ]


def _loses_null(field: FieldInfo) -> bool:
    kinds = get_args(field.annotation)
    if any(NoneType in get_args(kind) for kind in kinds):
        return True
    if NoneType not in kinds:
        return False
    return field.is_required() or field.get_default(call_default_factory=True) is not None


def _parts(annotation: Any, seen: set[Any]) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if annotation in seen:
            return
        seen.add(annotation)
        yield annotation
        inner: tuple[Any, ...] = tuple(f.annotation for f in annotation.model_fields.values())
    else:
        inner = get_args(annotation)
    for one in inner:
        yield from _parts(one, seen)
