"""A toy operation, as somebody would write one: a function, its request model, its declaration."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.operations.declaration import Operation
from answers.permissions import KEEPERS
from answers.requests.base import Params


class ToyAnswer(Data):
    game: str
    shelf: int
    toys: list[str]


class Toys(Params):
    names: Annotated[list[str], Field(max_length=3)] = []


def toys(caller: Caller, game_id: str, number: int, names: list[str]) -> Answered[ToyAnswer]:
    """The toys on a shelf beside a table."""
    caller.game(game_id)
    return Answered(
        lambda: ToyAnswer(game=game_id, shelf=number, toys=names),
        lambda voice: [f"{number}: {', '.join(names)}"],
    )


TOYS = Operation(
    name="toys",
    run="tests.service.toys:toys",
    http="GET /games/{game}/toys/{shelf}",
    grant=KEEPERS,
    params="tests.service.toys:Toys",
    rename={"number": "shelf"},
    slow=True,
)
