"""The declaration of an operation, on its function.

Declared once: routes, permissions, request models, published schemas, the OpenAPI document and the
remote client are made from it. Nothing is made before it is asked for, so that a command that calls
one function pays for no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, wraps
from importlib import import_module
from inspect import Parameter, Signature, getdoc, signature
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from answers.answer import Answered
from answers.permissions import Grant
from answers.request_names import PUBLISHED, request_name
from engines.kernel.messages.errors import BadValue

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Kind = Literal["read", "write", "try"]
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
OF_THE_CALL = {"caller", "context", "at_once", "on_step", "voice", "lang", "store_url", KEYS}
"""Parameters that come from the request context."""
NOT_ASKED = OF_THE_CALL | {"progress", "processes"}
"""Those, and what only a program sets that calls the function itself: no request can."""

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
_LOCAL = "local"
Local = Annotated[T, _LOCAL]
"""A parameter that no request can set: an uploaded file gives it, or a program that calls the
function itself."""


class Params(BaseModel):
    """Base of what a request says: its body, or its query."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_args(self) -> dict[str, Any]:
        """The keyword arguments of the operation.

        Fields keep their names; a subclass overrides this where one argument is built from several
        fields.
        """
        return {name: getattr(self, name) for name in type(self).model_fields}


@dataclass(frozen=True, eq=False)
class Resource:
    """Something with a URL, and who may request it. No default for ``grant``: it fails closed."""

    name: str
    """Of the operation: in OpenAPI (operationId), and in the message ``operation.<name>``."""
    http: str
    """Method and path below ``/api/v1``; empty for what a service does not offer."""
    _: KW_ONLY
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


@dataclass(frozen=True, eq=False)
class Operation(Resource):
    """One operation: what the command line and HTTP need to know about the function below it."""

    http: str = ""
    _: KW_ONLY
    run: Callable[..., Any] = field(init=False)
    """The function that a command calls: the one that is decorated."""
    served: str = ""
    """``module:function`` that a service calls instead, where keys, secrets or rights make a
    difference between the two; without a module, of the same one."""
    params: str = ""
    """``module:class``, the request model, where it is not made from the signature: its ``to_args``
    makes the arguments."""
    described: bool = False
    """OpenAPI says of the request what the function's docstring begins with."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """Names of parameters in a request, where they differ from the function's."""
    upload: str = ""
    """``module:function`` that parses an uploaded file into arguments."""
    largest: str = ""
    """``module:number``, the bytes of such a file, where it may be larger than usual."""
    file: str = ""
    """The file name of the answer, ``{game}.svg``. Empty where data is answered."""
    answer: str = ""
    """The name of the answer and of its published schema, where that is neither the operation's
    nor the ``SCHEMA`` of what is answered."""
    kind: Kind | None = None
    """What it does, where the method does not say it: GET reads, the others write. ``try``: a dry
    run or a question; nothing is stored, and “illegal” is an ordinary answer."""
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
        if self.kind is None:
            object.__setattr__(self, "kind", "read" if self.reads or not self.http else "write")
        if self.http and self.kind not in (("read", "try") if self.reads else ("write", "try")):
            raise ValueError(f"{self.name}: {self.method} does not {self.kind}")

    def __call__(self, function: F) -> F:
        """Decorate a function: it is this operation. One that is several has them in this order."""
        known = declared(function)
        run = function if known else _in_our_words(function)
        run = _taking_key(run) if self.writes and not known else run
        object.__setattr__(self, "run", run)
        run.operations = (self, *known)  # type: ignore[attr-defined]
        return run

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

    @cached_property
    def schema(self) -> str:
        """The name of the answer's published schema."""
        return self.answer or getattr(self.answers, "SCHEMA", self.name)

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function that a service calls."""
        if not self.served:
            return self.run
        own_module = ":" not in self.served
        text = f"{self.run.__module__}:{self.served}" if own_module else self.served
        return cast("Callable[..., Any]", named(text))

    @cached_property
    def says(self) -> type[BaseModel] | None:
        """The request model: of the body, or of the query where there is none."""
        if self.params:
            return cast("type[BaseModel]", named(self.params))
        if not self.http or not self.asked:
            return None
        about = (getdoc(self.function) or "").partition("\n\n")[0] if self.described else ""
        return request_model(self.name, self.asked, about)

    @cached_property
    def asked(self) -> dict[str, Any]:
        """The parameters that a request may set, by their names there: type, and default if any."""
        hints = get_type_hints(self.function, include_extras=True)
        found: dict[str, Any] = {}
        path = [*self.names]
        for name, parameter in signature(self.function).parameters.items():
            called, hint, usual = self.called(name), hints[name], parameter.default
            if called in path:
                path.remove(called)
            elif name not in NOT_ASKED and _LOCAL not in getattr(hint, "__metadata__", ()):
                found[called] = hint if usual is Parameter.empty else (hint, usual)
        return found

    @cached_property
    def answers(self) -> Any:
        """The type of the answer's data; None where a file is answered."""
        return None if self.file else answer_type(self.function)

    @cached_property
    def parameters(self) -> list[str]:
        return parameters(self.function)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The parameters that are integers: in a path they come as text."""
        hints = get_type_hints(self.function)
        return frozenset(name for name, hint in hints.items() if hint in (int, int | None))

    def called(self, parameter: str) -> str:
        """The name of a parameter in a request: ``game_id`` is ``game`` there, and the ``game`` of
        an address of engines is the engine."""
        if parameter == "game" and "engine" in self.names:
            return "engine"
        return self.rename.get(parameter, parameter.removesuffix("_id"))


def _in_our_words(function: F) -> F:
    """What a model refuses is an error like any other, also to a program that calls directly what
    no request could say."""

    @wraps(function)
    def run(*said: Any, **options: Any) -> Any:
        try:
            return function(*said, **options)
        except ValidationError as error:
            raise BadValue(error) from None

    return cast(F, run)


def _taking_key(function: F) -> F:
    """Let a program hand a single call its idempotency key, beside its caller's own."""

    @wraps(function)
    def run(*said: Any, key: str | None = None, **options: Any) -> Any:
        if key is None:
            return function(*said, **options)
        caller, *others = said
        return function(caller.keyed(key), *others, **options)

    return cast(F, run)


operation = Operation
"""The decorator that declares a function to be an operation."""


def takes_any_of(model: type[BaseModel], *, before: str) -> Callable[[F], F]:
    """Let a function take fields of a model by name, in front of another parameter: a declaration
    and a command have each of them, and ``None`` is what nobody has told."""

    def taking(function: F) -> F:
        (*own, _) = signature(function, eval_str=True).parameters.values()
        fields = [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[field.annotation, *field.metadata] | None,
            )
            for name, field in model.model_fields.items()
        ]
        at = [parameter.name for parameter in own].index(before)
        listed = [*own[:at], *fields, *own[at:]]
        function.__signature__ = Signature(listed)  # type: ignore[attr-defined]
        function.__annotations__ = {
            "return": function.__annotations__["return"],
            **{parameter.name: parameter.annotation for parameter in listed},
        }
        return function

    return taking


def declared(function: Callable[..., Any]) -> tuple[Operation, ...]:
    """The operations that a function is declared to be."""
    return getattr(function, "operations", ())


_MODELS: dict[str, tuple[Mapping[str, Any], type[Params]]] = {}


def request_model(operation: str, asked: Mapping[str, Any], description: str = "") -> type[Params]:
    """The request model of an operation; those that were published under one name are one."""
    name = PUBLISHED.get(operation, request_name(operation))
    if name not in _MODELS:
        made: type[Params] = create_model(
            name, __base__=Params, __doc__=description or None, **asked
        )
        _MODELS[name] = asked, made
    known, model = _MODELS[name]
    if known != asked:
        raise TypeError(f"{operation}: another request is called {name}")
    return model


def named(text: str) -> Any:
    """Import what ``module:name`` refers to."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)


def parameters(function: Callable[..., Any]) -> list[str]:
    """The names of its parameters. A function at the desk of a tournament is decorated
    (``answers.tournament.context``): it takes caller and tournament instead of its context."""
    names = list(signature(function).parameters)
    return ["caller", "tournament", *names[1:]] if names[:1] == ["context"] else names


def answer_type(function: Callable[..., Any]) -> Any:
    """The data type that a function answers: one model, or a union with its refusals."""
    answered = get_type_hints(function)["return"]
    assert get_origin(answered) is Answered, function
    return get_args(answered)[0]
