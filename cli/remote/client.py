"""API client: requests with the language and style of this program's user."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import Any
from urllib.parse import quote

from answers.file_answers import File
from answers.hints import unhinted
from answers.i18n import Voice
from cli.remote.http import RemoteConnection, Reply
from referee.table.author import Author


class ServiceClient:
    """Client of a remote service; answers come in the language of the user."""

    def __init__(self, connection: RemoteConnection, voice: Voice) -> None:
        self.connection, self.voice = connection, voice

    key: str | None = None
    """The idempotency key of what is asked."""

    def keyed(self, key: str | None) -> ServiceClient:
        client = copy(self)
        client.key = key
        return client

    @cached_property
    def author(self) -> Author:
        """Who the service says we are (by the token)."""
        me = self.data("GET /me", {})
        return Author(me["person"], me["role"])

    def ask(
        self, http: str, path: Mapping[str, str], said: Mapping[str, Any], **more: Any
    ) -> Reply | File:
        return self.connection.ask(http, path, said, headers=_heard_as(self.voice), **more)

    def data(self, http: str, path: Mapping[str, str], **said: Any) -> dict[str, Any]:
        """The data of an answer that is not a file."""
        reply = self.ask(http, path, said)
        assert isinstance(reply, Reply)
        return reply.data


def _heard_as(voice: Voice) -> dict[str, str]:
    """Content negotiation headers: answers as this program would word them itself."""
    told = []
    if voice.program is not None:
        told.append(f"program={quote(voice.program)}")
    if voice.thorough:
        told.append("thorough")
    if voice.mark("bold", "x") != "x":
        told.append("marked")
    if voice.hinting is not unhinted:
        told.append("hints")
    return {"Accept-Language": voice.lang} | ({"Referee-Voice": "; ".join(told)} if told else {})
