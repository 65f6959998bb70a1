"""A toy operation, as somebody would write one: a function and its declaration.

And what a stranger may ask for: another process finds it here by its name.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import declared, operation
from answers.permissions import KEEPERS
from service.dispatch import Dispatcher
from service.http_messages import HttpResponse


class ToyAnswer(Data):
    game: str
    shelf: int
    toys: list[str]


@operation(
    "toys",
    "GET /games/{game}/toys/{shelf}",
    grant=KEEPERS,
    rename={"number": "shelf"},
    slow=True,
)
def toys(
    caller: Caller,
    game_id: str,
    number: int,
    names: Annotated[Sequence[str], Field(max_length=3)] = (),
) -> Answered[ToyAnswer]:
    """The toys on a shelf beside a table."""
    caller.game(game_id)
    return Answered(
        lambda: ToyAnswer(game=game_id, shelf=number, toys=[*names]),
        lambda voice: [f"{number}: {', '.join(names)}"],
    )


(TOYS,) = declared(toys)


def endlessly(service: Dispatcher) -> HttpResponse:
    while True:
        pass


def greedily(service: Dispatcher) -> HttpResponse:
    """Takes memory until there is none, and does not let that be known."""
    kept = []
    while True:
        with suppress(MemoryError):
            kept.append(bytearray(64 << 20))


def gladly(service: Dispatcher) -> HttpResponse:
    return HttpResponse(200, str(os.getpid()).encode(), "", {})
