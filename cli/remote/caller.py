"""Request context of the command line for a remote service: operations run there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from answers.context import Caller, StoreContext
from answers.declaration import KEYS, declared, parameters
from answers.i18n import Voice
from cli.remote import build_request
from cli.remote.client import ServiceClient
from cli.remote.http import RemoteConnection
from cli.remote.responses import answer
from cli.remote.store import RemoteStoreContext
from referee.table.author import Author

P = ParamSpec("P")
R = TypeVar("R")
_WITH_APART = (
    "answers.proof.signatures",
    "answers.proof.commitments",
    "answers.review.import_export",
)
_WHOLE_ID = re.compile("(game|tournament)-[a-z2-7]{8}")


class RemoteCaller(Caller):
    """Sends operations to the service; what only reads a record runs here, on a fetched copy."""

    requests: ServiceClient

    def __init__(self, connection: RemoteConnection, voice: Voice) -> None:
        requests = ServiceClient(connection, voice)
        self.__dict__.update(
            requests=requests,
            store_context=RemoteStoreContext(
                connection.url, requests.ask, lambda: connection.written
            ),
            voice=voice,
            scope="",
            reaches=lambda game, tournament: True,
            latest=lambda game: game,
        )

    @cached_property
    def author(self) -> Author:
        return self.requests.author

    def speaking(self, voice: Voice) -> Caller:
        return RemoteCaller(self.requests.connection, voice).keyed(self.key)

    def keyed(self, key: str | None) -> Caller:
        if key == self.key:
            return self
        caller = copy(self)
        caller.__dict__.update(key=key, requests=self.requests.keyed(key))
        return caller

    def in_store_context(self, store_context: StoreContext) -> Caller:
        return Caller(store_context, self.author, self.voice)

    def ask(
        self,
        operation: Callable[Concatenate[Caller, P], R],
        /,
        *said: P.args,
        **options: P.kwargs,
    ) -> R:
        if apart := _apart(operation):
            return cast(R, apart(self.requests, *said, **options))
        offered = [each for each in declared(operation) if each.http]
        if not offered or KEYS in parameters(operation):
            return operation(self, *said, **options)
        given = _by_name(operation, *said, **options)
        asked = build_request.fitting(offered, given)
        request = build_request.request(asked, {**given, **self._ids(given)})
        reply = self.requests.ask(
            asked.http, request.path, request.said, key=self.key, content=request.content
        )
        return cast(R, answer(operation, reply, self.voice))

    def _ids(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Complete the id of a tournament: the service accepts no prefixes."""
        asked = given.get("tournament")
        return {} if asked is None else {"tournament": self.find_stream(_tournament(asked))}

    def find(self, prefix: str) -> str:
        return prefix if _WHOLE_ID.fullmatch(prefix) else super().find(prefix)

    def find_stream(self, prefix: str) -> str:
        return prefix if _WHOLE_ID.fullmatch(prefix) else super().find_stream(prefix)


def _tournament(prefix: str) -> str:
    return prefix if prefix.startswith("tournament-") else f"tournament-{prefix}"


def _apart(operation: Callable[..., Any]) -> Callable[..., Any] | None:
    """The client-side implementation, for operations that are not one request."""
    if operation.__module__ not in _WITH_APART:
        return None
    from cli.remote.local_secrets import APART

    return APART.get(operation)


def _by_name(operation: Callable[..., Any], *said: Any, **options: Any) -> dict[str, Any]:
    """Bind the arguments to parameter names, without the caller."""
    return {**dict(zip(parameters(operation)[1:], said, strict=False)), **options}
