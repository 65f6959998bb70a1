"""Turns the response of a service into the answer type of the operation."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, get_type_hints

from msgspec import field
from pydantic import TypeAdapter

from answers.answer import Answered, D
from answers.declaration import answer_type
from answers.file_answers import File
from answers.i18n import Voice, shown
from cli.remote.http import Reply
from engines.kernel.messages.catalogue import Verbatim


class AnsweredThere(Answered[D], frozen=True):
    """An answer of the service: its sentences, and its data as received."""

    received: Mapping[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        return dict(self.received)


def answer(operation: Callable[..., Any], reply: Reply | File, voice: Voice) -> Any:
    if isinstance(reply, Reply):
        return answered(operation, reply, voice)
    kind = get_type_hints(operation)["return"]
    if kind is File:
        return reply
    text = reply.content.decode()
    return text if kind is str else kind.model_validate(tomllib.loads(text))


def answered(operation: Callable[..., Any], reply: Reply, voice: Voice) -> AnsweredThere[Any]:
    """The answer of an operation, made from a response."""
    return AnsweredThere(
        partial(_data, operation, reply.data),
        lambda voice: [shown(line, voice) for line in reply.told],
        reply.outcome,
        tuple(Verbatim(shown(warning, voice)) for warning in reply.warnings),
        reply.data,
    )


def _data(operation: Callable[..., Any], data: Mapping[str, Any]) -> Any:
    kind = answer_type(operation)
    return TypeAdapter(kind).validate_python(data)
