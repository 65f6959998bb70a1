"""From a request to the call of its operation, as the declaration says. No web framework.

Arguments come from the path, from what the request says, from a file that it brings, and from
the request context. There is no handler per operation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from answers.answer import Answered, Telling
from answers.context import Caller
from answers.declaration import KEYS, WHOLE, Operation, Params, named
from answers.file_answers import File
from referee.errors import NotFound
from referee.proof.keys import KeyRing
from referee.untrusted.safe_toml import write_toml

NO_KEYS = KeyRing(Path("/nonexistent"))
"""An empty key ring: a service trusts no key by itself; clients check signatures."""


OnStep = Callable[[int, int], None]
"""Is told how much of the work is done, and of how much."""


def unheard(done: int, total: int) -> None:
    """Nobody asks how far the work is."""


@dataclass(frozen=True)
class Ask:
    """The context of one call: caller, path parameters, uploaded file."""

    caller: Caller
    path: Mapping[str, str]
    content: bytes = b""
    """The body, where it is an uploaded file."""
    on_step: OnStep = unheard
    told: list[Telling] = field(default_factory=list)
    """What is already done, in case the rest fails."""


CONTEXT: dict[str, Callable[[Ask], Any]] = {
    "caller": lambda ask: ask.caller,
    "at_once": lambda ask: ask.told.append,
    "on_step": lambda ask: ask.on_step,
    "voice": lambda ask: ask.caller.voice,
    "lang": lambda ask: ask.caller.voice.lang,
    "store_url": lambda ask: ask.caller.store_context.store.url,
    KEYS: lambda ask: NO_KEYS,
}
"""Parameters that come from the request context; no request can set them."""


POSITIONAL = ("caller", "tournament")
"""Parameters that functions of a tournament take by position only."""


def carry_out(
    operation: Operation, ask: Ask, said: BaseModel | None = None
) -> Answered[Any] | File:
    """Call the function of an operation with the arguments of a request."""
    given = arguments(operation, ask, said)
    first = [given.pop(name) for name in operation.parameters[:2] if name in POSITIONAL]
    answered = operation.function(*first, **given)
    if operation.file:
        return _file(operation, ask.path, answered)
    assert isinstance(answered, Answered), operation.name
    return answered


def arguments(operation: Operation, ask: Ask, said: BaseModel | None) -> dict[str, Any]:
    """The keyword arguments of the function."""
    path = {name: ask.path[name] for name in operation.names}
    brought = _brought(operation, ask, said)
    found: dict[str, Any] = {}
    for parameter in operation.parameters:
        called = operation.called(parameter)
        if parameter in CONTEXT:
            found[parameter] = CONTEXT[parameter](ask)
        elif called in path:
            text = path.pop(called)
            found[parameter] = _number(text) if parameter in operation.numbers else text
        elif called == WHOLE:
            found[parameter] = brought.pop(parameter if parameter in brought else WHOLE)
        elif called in brought:
            found[parameter] = brought.pop(called)
    assert not brought, (operation.name, *brought)
    return found


def _brought(operation: Operation, ask: Ask, said: BaseModel | None) -> dict[str, Any]:
    """Arguments from the body or query, and from an uploaded file."""
    brought: dict[str, Any] = named(operation.upload)(ask.content) if operation.upload else {}
    if isinstance(said, Params):
        return {**brought, **said.to_args()}
    return brought if said is None else {**brought, WHOLE: said}


def _number(text: str) -> int:
    """Parse a number of the path."""
    if not re.fullmatch("[0-9]{1,7}", text):
        raise NotFound("no_such_place", place=text[:40])
    return int(text)


def _file(operation: Operation, path: Mapping[str, str], answered: Any) -> File:
    """The file of an answer: as the function made it, or its text, or its data as TOML."""
    if isinstance(answered, File):
        return answered
    if isinstance(answered, BaseModel):
        answered = write_toml(answered.model_dump(mode="json"))
    return File(operation.file.format(**path), answered.encode())
