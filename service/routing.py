"""What a request asks: an operation, who asks it, about what. No web framework is known here.

A route is a function of an ``Ask`` and, where there is something to say, of a model of it: the
body of a request that changes something, the query of one that does not. Its annotations are
what the document of the API is made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict

from answers.answer import Answered, Telling
from answers.context import Caller
from answers.places import PLACES, Method
from referee.errors import NotFound

About = Literal["game", "tournament", "house", "list", "nothing"]
"""What a route is about: a game, a tournament, the whole house, a list of what the caller may
find in it, or nothing that anybody could not know."""


class Params(BaseModel):
    """Base of what a request says."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class File(NamedTuple):
    """An answer that is a file."""

    name: str
    content: bytes
    media: str


@dataclass(frozen=True)
class Ask:
    """Who asks, about what is named in the path, with which key."""

    caller: Caller
    path: Mapping[str, str]
    key: str | None = None
    content: bytes = b""
    """The body of a request that sends a file."""
    told: list[Telling] = field(default_factory=list)
    """What has been done already, should something stop the rest."""

    @property
    def game(self) -> str:
        return self.path["game"]

    @property
    def tournament(self) -> str:
        return self.path["tournament"]

    def number(self, name: str) -> int:
        """A number in the path."""
        text = self.path[name]
        if not re.fullmatch("[0-9]{1,7}", text):
            raise NotFound("no_such_place", place=text[:40])
        return int(text)


Handler = Callable[..., Answered[Any] | File]
H = TypeVar("H", bound=Handler)


@dataclass(frozen=True)
class Route:
    """One operation at its place."""

    operation: str
    method: Method
    path: str
    handler: Handler
    answer: str
    """The name of the answer, and of its schema."""
    takes_file: bool
    rehearses: bool
    """A question: what it answers was not done, even if it is illegal."""
    public: bool

    @property
    def names(self) -> list[str]:
        return re.findall(r"\{([a-z]+)(?::path)?\}", self.path)

    @cached_property
    def about(self) -> About:
        if "game" in self.names:
            return "game"
        if "tournament" in self.names:
            return "tournament"
        if self.public:
            return "nothing"
        return "list" if self.operation in ("games", "tournament-list") else "house"

    @property
    def writes(self) -> bool:
        return self.method != "GET" and not self.rehearses

    @cached_property
    def hints(self) -> dict[str, Any]:
        return get_type_hints(self.handler)

    @cached_property
    def says(self) -> type[Params] | None:
        """The model of what the request says."""
        found = [hint for name, hint in self.hints.items() if name not in ("ask", "return")]
        return found[0] if found else None

    @property
    def asks_in_query(self) -> bool:
        return self.method in ("GET", "DELETE")

    @cached_property
    def answers(self) -> Any:
        """The type of the data; None where a file is answered."""
        told = self.hints["return"]
        return get_args(told)[0] if get_origin(told) is Answered else None


ROUTES: dict[str, Route] = {}


def route(
    operation: str,
    *,
    answer: str | None = None,
    takes_file: bool = False,
    rehearses: bool = False,
    public: bool = False,
) -> Callable[[H], H]:
    """Put an operation at its place."""
    place = PLACES[operation]

    def placed(handler: H) -> H:
        assert operation not in ROUTES, operation
        ROUTES[operation] = Route(
            operation,
            place.method,
            place.path,
            handler,
            answer or operation,
            takes_file,
            rehearses,
            public,
        )
        return handler

    return placed
