"""What a service has answered, as the operation that was asked answers it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec import field
from pydantic import BaseModel, TypeAdapter

from answers.answer import Answered, D
from answers.i18n import shown
from answers.operations import answer_type
from cli.remote.http import File, Reply
from engines.kernel.messages.catalogue import Verbatim


class AnsweredThere(Answered[D], frozen=True):
    """An answer in the words of the service; its data is what was received."""

    received: Mapping[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        return dict(self.received)


def answer(operation: Callable[..., Any], reply: Reply | File) -> Any:
    if isinstance(reply, Reply):
        return answered(operation, reply)
    kind: str = operation.__annotations__["return"]
    if kind == "str":
        return reply.content.decode()
    made = operation.__globals__[kind]
    if issubclass(made, BaseModel):
        return made.model_validate(tomllib.loads(reply.content.decode()))
    return made(*reply)


def answered(operation: Callable[..., Any], reply: Reply) -> AnsweredThere[Any]:
    """What the service says is what this operation says."""
    return AnsweredThere(
        partial(_data, operation, reply.data),
        lambda voice: [shown(line, voice.mark) for line in reply.told],
        reply.outcome,
        tuple(Verbatim(warning) for warning in reply.warnings),
        reply.data,
    )


def _data(operation: Callable[..., Any], data: Mapping[str, Any]) -> Any:
    kind = answer_type(":".join((operation.__module__, operation.__name__)))
    return TypeAdapter(kind).validate_python(data)
