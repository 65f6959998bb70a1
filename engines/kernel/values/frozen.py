"""Frozen dataclasses that are quick to make.

``dataclass(frozen=True)`` writes and compiles six functions for every class, which is a large part
of what a short command does. Here they are shared by all classes, or compiled when they are called
(a constructor when it has been called a few times); what they do is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

C = TypeVar("C")
_Names = dict[str, Any]
"""What the source of a function speaks of."""
FEW = 8
"""So many instances are made before it is worth while to compile a constructor."""
_put = object.__setattr__


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[C]) -> type[C]:
    """The class as a dataclass whose instances do not change and are compared field by field.

    What the class itself defines is kept.
    """
    functions = {
        "__init__": _constructor(cls),
        **{name: _when_called(cls, name, write) for name, write in _WRITTEN.items()},
        **_SHARED,
    }
    missing = functions.keys() - vars(cls)
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # else a dataclass is given its whole signature
    dataclass(init=False, repr=False, eq=False, frozen=_extends_frozen(cls))(cls)
    for name in missing:
        setattr(cls, name, functions[name])
    return cls


def _extends_frozen(cls: type) -> bool:
    """Whether it extends a dataclass that is frozen the usual way: then it must be, too."""
    known = (vars(base).get("__dataclass_params__") for base in cls.__mro__[1:])
    return any(params is not None and params.frozen for params in known)


def _when_called(cls: Any, name: str, write: Callable[[Any, _Names], str]) -> Callable[..., Any]:
    """Stands in the place of a function until it is first called."""

    def compiled(*given: Any, **named: Any) -> Any:
        names: _Names = {}
        exec(write(cls, names), names)
        setattr(cls, name, names[name])
        return names[name](*given, **named)

    return compiled


def _constructor(cls: Any) -> Callable[..., None]:
    """Sets the fields one by one, and is compiled after a few instances."""
    compiled, made = _when_called(cls, "__init__", _write_init), 0

    def construct(self: Any, /, *given: Any, **named: Any) -> None:
        nonlocal made
        made += 1
        values = _values_of(cls, given, named) if made <= FEW else None
        if values is None:
            compiled(self, *given, **named)
            return
        for part in fields(cls):
            _put(self, part.name, values[part.name])
        if hasattr(cls, "__post_init__"):
            self.__post_init__()

    return construct


def _values_of(cls: Any, given: tuple[Any, ...], named: _Names) -> _Names | None:
    """What the fields shall be; none where this does not fit: what is compiled says why."""
    parts = fields(cls)
    in_order = (part.name for part in parts if not part.kw_only)
    values = {**dict(zip(in_order, given, strict=False)), **named}
    if len(values) != len(given) + len(named):
        return None
    for part in parts:
        if part.name in values:
            continue
        if part.default_factory is not MISSING:
            values[part.name] = part.default_factory()
        elif part.default is not MISSING:
            values[part.name] = part.default
        else:
            return None
    return values if len(values) == len(parts) else None


def _write_init(cls: Any, names: _Names) -> str:
    names |= {"missing": MISSING, "put": _put}
    lines, given, named = ["pass"], ["self"], ["*"]
    for part in fields(cls):
        value, usual = part.name, f"usual_{part.name}"
        parameters = named if part.kw_only else given
        if part.default_factory is not MISSING:
            names[usual] = part.default_factory
            parameters.append(f"{part.name}=missing")
            value = f"{usual}() if {part.name} is missing else {part.name}"
        elif part.default is not MISSING:
            names[usual] = part.default
            parameters.append(f"{part.name}={usual}")
        else:
            parameters.append(part.name)
        lines.append(f"put(self, {part.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = [*given, *(named if named[1:] else ())]
    return f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines)


def _write_eq(cls: Any, names: _Names) -> str:
    return (
        "def __eq__(self, other):\n"
        " if other.__class__ is self.__class__:\n"
        f"  return {_values('self', cls)} == {_values('other', cls)}\n"
        " return NotImplemented"
    )


def _write_hash(cls: Any, names: _Names) -> str:
    return f"def __hash__(self):\n return hash({_values('self', cls)})"


def _values(instance: str, cls: Any) -> str:
    """What is compared of an instance."""
    return "(" + "".join(f"{instance}.{part.name}, " for part in fields(cls) if part.compare) + ")"


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{part.name}={getattr(self, part.name)!r}" for part in fields(self) if part.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _setattr(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_WRITTEN = {"__eq__": _write_eq, "__hash__": _write_hash}
_SHARED = {"__repr__": _repr, "__setattr__": _setattr, "__delattr__": _delattr}
