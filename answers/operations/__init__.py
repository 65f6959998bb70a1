"""Every operation by its name, and who may ask it."""

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
    service,
    tournament,
)
from answers.operations.declaration import Operation, Resource, answer_type

_ROOMS = (play, judge, review, admin, proof, rulebooks, tournament)
OPERATIONS: dict[str, Operation] = {each.name: each for room in _ROOMS for each in room.OPERATIONS}
BESIDE: dict[str, Resource] = {each.name: each for each in (*service.STREAMS, *service.HEALTH)}
"""What a service answers and is no operation."""


def resource(name: str) -> Resource | None:
    """What is called so, if anything is."""
    return OPERATIONS.get(name) or BESIDE.get(name)


def roles_for(name: str) -> frozenset[str]:
    """The roles that may ever ask this. It fails closed: what nobody has declared is nobody's."""
    found = resource(name)
    return found.roles if found is not None else frozenset()


def routes() -> list[Operation]:
    """What a service answers."""
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
