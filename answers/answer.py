"""The result envelope of every operation: typed data, an outcome, and a renderer for text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Generic, Literal, Self, TypeVar

from msgspec import Struct
from pydantic import BaseModel, ConfigDict

from answers.i18n import Voice
from engines.kernel.messages.catalogue import Spoken
from engines.kernel.values.models import made_of as model_made_of
from engines.kernel.values.structs import evolve

Outcome = Literal["done", "illegal", "invalid"]
"""Done; refused by a rule; examined, and found to be wrong."""

Telling = Callable[[Voice], Iterable[str]]
"""The lines that tell something, in whatever voice."""


class Data(BaseModel):
    """Base of what is answered: ``schemas/`` is generated from it, the functions return it."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True, validate_by_name=True, from_attributes=True
    )

    @classmethod
    def made_of(cls, *values: object, **more: Any) -> Self:
        """What values of the domain say under the same names, and ``more`` that they do not."""
        return model_made_of(cls, *values, **more)


D = TypeVar("D", bound=Data)


class Answered(Struct, Generic[D], frozen=True, dict=True):
    """Result of an operation. Its data is lazy: a terminal shows the text alone."""

    made: Callable[[], D]
    told: Telling
    outcome: Outcome = "done"
    warnings: tuple[Spoken, ...] = ()

    @cached_property
    def data(self) -> D:
        return self.made()

    def with_text(self, telling: Telling) -> Answered[D]:
        """The same result with another text."""
        return evolve(self, told=telling)

    def lines(self, voice: Voice) -> list[str]:
        return list(self.told(voice))

    def plain(self) -> dict[str, Any]:
        """The data as plain JSON types."""
        return self.data.model_dump(mode="json", by_alias=True)
