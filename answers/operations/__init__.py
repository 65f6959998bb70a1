"""The registry of operations, and the roles that may call each."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from answers.operations import (
    admin,
    judge,
    play,
    proof,
    review,
    rulebooks,
    season,
    service,
    tournament,
)
from answers.operations.declaration import Operation, Resource, answer_type

_ROOMS = (play, judge, review, admin, proof, rulebooks, tournament, season)
OPERATIONS: dict[str, Operation] = {each.name: each for room in _ROOMS for each in room.OPERATIONS}
BESIDE: dict[str, Resource] = {each.name: each for each in (*service.STREAMS, *service.HEALTH)}
"""What a service offers besides operations: live streams and health checks."""


def resource(name: str) -> Resource | None:
    """The operation, stream or health check of this name."""
    return OPERATIONS.get(name) or BESIDE.get(name)


def roles_for(name: str) -> frozenset[str]:
    """The roles that may call this. It fails closed: what is not declared, nobody may."""
    found = resource(name)
    return found.roles if found is not None else frozenset()


def routes() -> list[Operation]:
    """The operations that a service offers over HTTP."""
    return [each for each in OPERATIONS.values() if each.http]


def answers() -> dict[str, str]:
    """Every answer that has a published schema, and a function that gives it."""
    found: dict[str, str] = {}
    for each in OPERATIONS.values():
        if not each.file:
            found.setdefault(each.schema, each.run)
    return found


def answer_schema(function: str) -> dict[str, Any]:
    """The JSON Schema of the data that ``module:function`` answers."""
    return TypeAdapter(answer_type(function)).json_schema(mode="serialization")
