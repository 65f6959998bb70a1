"""Shared settings of all Pydantic models: strict validation, and TOML without nulls; and how
what a state holds is said in a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import asdict, fields
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, create_model
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T", bound=Struct)

STRICT = ConfigDict(frozen=True, extra="forbid", defer_build=True)
"""Nothing can be changed or added; the validator of a model is built when it is first used."""


class Declared(Struct, frozen=True):
    """A part of a state that a declared position states as it is: Pydantic checks its fields."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        model = model_of(cls)
        fields = handler.generate_schema(model)

        def checked(said: Any, check: Callable[[Any], Any]) -> Declared:
            return cls(**dict(check(asdict(said) if isinstance(said, cls) else said)))

        return core_schema.no_info_wrap_validator_function(
            checked,
            fields,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda part: model.model_construct(**asdict(part)), return_schema=fields
            ),
        )


@cache
def model_of(kind: type[Struct]) -> type[BaseModel]:
    """The model with the name, the docstring and the fields of a struct."""
    types = get_type_hints(kind, include_extras=True)
    said: dict[str, Any] = {}
    for field in fields(kind):
        default = ... if field.default is NODEFAULT else field.default
        made = None if field.default_factory is NODEFAULT else field.default_factory
        info = Field(default_factory=made) if made else Field(default)
        said[field.name] = (types[field.name], info)
    return create_model(kind.__name__, __doc__=kind.__doc__, __config__=STRICT, **said)


def to_position(model: type[M], *parts: Struct, **differing: Any) -> M:
    """A declared position of parts of a state: each field has the value under its own name in
    the first part that has one, or what is said of those that differ."""
    held = {name: value for part in reversed(parts) for name, value in asdict(part).items()}
    return model(**{name: held[name] for name in model.model_fields if name in held} | differing)


def from_position(kind: type[T], said: BaseModel, **differing: Any) -> T:
    """A part of a state that a position declares, with what is said of fields that differ."""
    stated = type(said).model_fields.keys() & {*kind.__struct_fields__}
    return kind(**{name: getattr(said, name) for name in stated} | differing)


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
    if isinstance(annotation, type) and issubclass(annotation, Declared):
        annotation = model_of(annotation)
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


def made_of(model: type[M], *values: object, **more: Any) -> M:
    """A model of ``more`` that the caller knows, and of what the values have under the names of its
    other fields: the first that has one."""
    for name in model.model_fields:
        for value in values:
            if name not in more and hasattr(value, name):
                more[name] = getattr(value, name)
    return model(**more)
