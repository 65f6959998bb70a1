"""A toy operation, as somebody would write one: a function and its declaration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import declared, operation
from answers.permissions import KEEPERS


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
