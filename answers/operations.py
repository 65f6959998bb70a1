"""The registry of operations, and the roles that may call each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from pydantic import TypeAdapter

from answers.declaration import Operation, Resource, answer_type, declared
from answers.permissions import EVERYBODY, JUDGES, ORGANISER

_ROOMS = ("play", "judge", "review", "admin", "proof", "rulebooks", "tournament", "season")
"""The packages of ``answers`` whose functions are operations."""


def _declared() -> Iterator[Operation]:
    for room in _ROOMS:
        package = import_module(f"answers.{room}")
        for found in iter_modules(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for function in vars(module).values():
                if getattr(function, "__module__", None) == module.__name__:
                    yield from declared(function)


OPERATIONS: dict[str, Operation] = {}
for _operation in _declared():
    if OPERATIONS.setdefault(_operation.name, _operation) is not _operation:
        raise ValueError(f"{_operation.name}: two operations are called that")
STREAMS = (
    Resource("game-events", "GET /games/{game}/events", grant=EVERYBODY),
    Resource("tournament-events", "GET /tournaments/{tournament}/events", grant=EVERYBODY),
    Resource(
        "tournament-broadcast-events",
        "GET /tournaments/{tournament}/broadcast/events",
        grant=EVERYBODY,
    ),
    Resource("events", "GET /events", grant=JUDGES, scope="token"),
)
"""Live streams: they are requested and authorised like operations."""
HEALTH = (
    Resource("health", "GET /health", grant=EVERYBODY, scope="public"),
    Resource("ready", "GET /ready", grant=EVERYBODY, scope="public"),
    Resource("metrics", "GET /metrics", grant=ORGANISER),
)
"""For whoever keeps the service running; their paths are below ``/api``."""
BESIDE: dict[str, Resource] = {each.name: each for each in (*STREAMS, *HEALTH)}
"""What a service offers besides operations: live streams and health checks."""


def resource(name: str) -> Resource | None:
    """The operation, stream or health check of this name."""
    return OPERATIONS.get(name) or BESIDE.get(name)


def roles_for(name: str) -> frozenset[str]:
    """The roles that may call this. It fails closed: what is not declared, nobody may."""
    found = resource(name)
    return found.roles if found is not None else frozenset()


def routes() -> list[Operation]:
    """The operations that a service offers over HTTP, by path: a word goes before a parameter."""
    offered = (each for each in OPERATIONS.values() if each.http)
    return sorted(offered, key=lambda each: (each.path, each.method))


def answers() -> dict[str, Callable[..., Any]]:
    """Every answer that has a published schema, and a function that gives it."""
    found: dict[str, Callable[..., Any]] = {}
    for each in OPERATIONS.values():
        if not each.file and (each.schema not in found or each.schema == each.name):
            found[each.schema] = each.run
    return found


def answer_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """The JSON Schema of the data that a function answers."""
    return TypeAdapter(answer_type(function)).json_schema(mode="serialization")
