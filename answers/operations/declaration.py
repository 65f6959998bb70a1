"""The declaration of an operation.

Declared once: routes, permissions, published schemas, the OpenAPI document and the remote client
are made from it. Functions and request models are named by text and imported lazily, so that a
command that calls one of them loads no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from inspect import signature
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from answers.answer import Answered
from answers.permissions import Grant

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
About = Literal["game", "tournament", "store", "list", "nothing"]
"""What a request is about: a game, a tournament, the whole store, a list of what the caller may see
in it, or nothing that needs access."""
WHOLE = "*"
"""Renamed to this, an argument is built from all fields of the request."""
NAMED_BY_FUNCTION = "*"
"""The function answers a file and names it itself."""
KEYS = "ring"
"""The parameter for a key ring. Keys stay with the client: a service has none, and the remote
client runs such an operation locally."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Resource:
    """Something with a URL, and who may request it. No default for ``grant``: it fails closed."""

    name: str
    """Of the operation: in OpenAPI (operationId), and in the message ``operation.<name>``."""
    http: str
    """Method and path below ``/api/v1``; empty for what a service does not offer."""
    grant: Grant
    scope: Literal["store", "token", "list", "public"] = "store"
    """Which tokens are accepted where the path names no game and no tournament: those of the
    ``store``; any ``token``, and the answer keeps to its scope; any, for a ``list`` of what the
    caller may see; or none is needed."""

    def __post_init__(self) -> None:
        if not isinstance(self.grant, Grant):
            raise TypeError(f"{self.name}: an operation says who may ask it, not {self.grant!r}")
        if self.http and not re.fullmatch(r"[A-Z]+ /\S*", self.http):
            raise ValueError(f"{self.name}: no method and path: {self.http}")

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles that may ever request this."""
        return self.grant.roles()

    @cached_property
    def method(self) -> Method:
        return cast(Method, self.http.partition(" ")[0])

    @cached_property
    def path(self) -> str:
        return self.http.partition(" ")[2]

    @cached_property
    def names(self) -> list[str]:
        """The parameters in the path."""
        return re.findall(r"\{([a-z]+)(?::path)?\}", self.path)

    @cached_property
    def about(self) -> About:
        if "game" in self.names:
            return "game"
        if "tournament" in self.names:
            return "tournament"
        if self.scope == "public":
            return "nothing"
        return "list" if self.scope == "list" else "store"

    @property
    def needs_token(self) -> bool:
        """Whether it is refused without a token, even where everybody may look on."""
        return False

    @property
    def reads(self) -> bool:
        return self.method == "GET"


@dataclass(frozen=True, kw_only=True, eq=False)
class Operation(Resource):
    """One operation: a function, and what the command line and HTTP need to know about it."""

    run: str
    """``module:function`` that a command calls."""
    served: str = ""
    """``module:function`` that a service calls instead, where keys, secrets or rights make a
    difference between the two."""
    http: str = ""
    params: str = ""
    """``module:class``, the request model: of the body, or of the query where there is none. Its
    ``to_args`` makes the arguments."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """Names of parameters in a request, where they differ from the function's."""
    upload: str = ""
    """``module:function`` that parses an uploaded file into arguments."""
    largest: str = ""
    """``module:number``, the bytes of such a file, where it may be larger than usual."""
    file: str = ""
    """The file name of the answer, ``{game}.svg``. Empty where data is answered."""
    answer: str = ""
    """The name of the answer and of its published schema, where that is not the operation's."""
    kind: Literal["read", "write", "try"] = "read"
    """``try``: a dry run or a question; nothing is stored, and “illegal” is an ordinary answer."""
    slow: bool = False
    """Runs in the few threads for slow work, so that no table waits for it."""
    etag: Literal["version", "content"] = "version"
    """What its ETag is made from. ``content``: it may change without a new entry (names,
    time, precedents, rules of access)."""
    key_as_said: bool = False
    """The idempotency key is recorded without a salt, because a signature covers it."""
    seats_need: Literal["", "seats_log"] = ""
    """The access rule that must be on for seats to call it."""
    signs: Literal["", "in", "up", "out"] = ""
    """Signs a device in or out: its cookie gets the token of the answer, or loses the token that
    was used. Signing in needs no token and has a rate limit of its own (guessed codes); so has
    signing up, where every request counts."""
    paged: str = ""
    """The list in the answer of which ``start`` and ``most`` choose one page; ``Link`` leads to
    the next."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.http and self.kind not in (("read", "try") if self.reads else ("write", "try")):
            raise ValueError(f"{self.name}: {self.method} does not {self.kind}")

    @property
    def writes(self) -> bool:
        return self.kind == "write"

    @property
    def needs_token(self) -> bool:
        harmless = self.reads or (self.scope == "public" and self.kind == "try")
        return not harmless and self.signs not in ("in", "up")

    @property
    def takes_file(self) -> bool:
        return bool(self.upload)

    @property
    def asks_in_query(self) -> bool:
        return self.method in ("GET", "DELETE")

    @property
    def schema(self) -> str:
        """The name of the answer's published schema."""
        return self.answer or self.name

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function that a service calls."""
        return cast("Callable[..., Any]", named(self.served or self.run))

    @cached_property
    def says(self) -> type[BaseModel] | None:
        """The request model."""
        return cast("type[BaseModel]", named(self.params)) if self.params else None

    @cached_property
    def answers(self) -> Any:
        """The type of the answer's data; None where a file is answered."""
        return None if self.file else answer_type(self.served or self.run)

    @cached_property
    def parameters(self) -> list[str]:
        return parameters(self.function)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The parameters that are integers: in a path they come as text."""
        hints = get_type_hints(self.function)
        return frozenset(name for name, hint in hints.items() if hint in (int, int | None))

    def called(self, parameter: str) -> str:
        """The name of a parameter in a request: ``game_id`` is ``game`` there."""
        return self.rename.get(parameter, parameter.removesuffix("_id"))


def named(text: str) -> Any:
    """Import what ``module:name`` refers to."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)


def reference(function: Callable[..., Any]) -> str:
    """``module:name`` of a function, as declarations refer to it."""
    return f"{function.__module__}:{function.__name__}"


def parameters(function: Callable[..., Any]) -> list[str]:
    """The names of its parameters. A function at the desk of a tournament is decorated
    (``answers.tournament.context``): it takes caller and tournament instead of its context."""
    names = list(signature(function).parameters)
    return ["caller", "tournament", *names[1:]] if names[:1] == ["context"] else names


def answer_type(run: str) -> Any:
    """The data type that ``module:function`` answers: one model, or a union with its refusals."""
    answered = get_type_hints(named(run))["return"]
    assert get_origin(answered) is Answered, run
    return get_args(answered)[0]
