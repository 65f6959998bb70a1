"""HTTP connection to a service: request, response, errors."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NamedTuple, cast, get_args
from urllib.parse import quote, unquote, urlencode, urlsplit

from answers.answer import Outcome
from answers.file_answers import File
from answers.problems import Kind, Problem, Relayed
from referee.errors import Misused
from referee.store.envelopes import StoreError

BASE = "/api/v1"
PATIENCE = 60.0
"""Timeout in seconds."""
TRIES = 3
"""Attempts without a response: a retry is safe, since writes carry an idempotency key."""

_DOOR_KINDS: dict[str, Kind] = {
    "unknown_visitor": "role",
    "too_large": "misused",
    "too_often": "unavailable",
}
_FILE = re.compile(r"filename\*=UTF-8''([^;]+)")


class Reply(NamedTuple):
    """A parsed response: data and sentences."""

    data: dict[str, Any]
    told: Sequence[str]
    warnings: Sequence[str]
    outcome: Outcome


class RemoteConnection:
    """A kept-alive connection to one service."""

    def __init__(self, url: str, token: str | None, speaker: str | None = None) -> None:
        place = urlsplit(url)
        if place.hostname is None:
            raise Misused("no_such_service", url=url)
        self.url = url
        self._secure, self._host = place.scheme == "https", place.hostname
        self._port, self._below = place.port, place.path.rstrip("/")
        self._headers = {"User-Agent": "referee"}
        if token is not None:
            self._headers["Authorization"] = " ".join(("Bearer", token))
        if speaker is not None:
            self._headers["Referee-As"] = quote(speaker, safe=":")
        self._open: HTTPConnection | None = None
        self.written = 0
        """How many writes went through this connection: fetched records are stale after one."""
        self.time = ""
        """The clock of the service (``Date`` header), as records write times."""

    def ask(
        self,
        http: str,
        path: Mapping[str, str],
        said: Mapping[str, Any],
        *,
        headers: Mapping[str, str],
        key: str | None = None,
        content: bytes | None = None,
    ) -> Reply | File:
        """Request an operation by its method and path; ``content`` is a file to upload."""
        method, _, place = http.partition(" ")
        where = place.format(**{name: quote(text, safe="") for name, text in path.items()})
        told = {**self._headers, **headers}
        body = content
        if method in ("GET", "DELETE") or content is not None:
            where += f"?{urlencode(_query(said), doseq=True)}" if said else ""
        else:
            body = json.dumps(said).encode()
            told["Content-Type"] = "application/json"
        if method != "GET":
            told["Idempotency-Key"] = key or secrets.token_hex(8)
            self.written += 1
        response, received = self._exchange(method, BASE + where, body, told)
        return _read(response, received)

    def _exchange(
        self, method: str, where: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[HTTPResponse, bytes]:
        tries = TRIES
        while True:
            tries -= 1
            try:
                way = self._open or self._opened()
                way.request(method, self._below + where, body, dict(headers))
                response = way.getresponse()
                self.time = _time(response.headers.get("Date"))
                return response, response.read()
            except (OSError, HTTPException) as error:
                self.close()
                if not tries or isinstance(error, ConnectionRefusedError):
                    problem = type(error).__name__
                    raise StoreError("no_answer", url=self.url, problem=problem) from None

    def _opened(self) -> HTTPConnection:
        made = HTTPSConnection if self._secure else HTTPConnection
        self._open = made(self._host, self._port, timeout=PATIENCE)
        return self._open

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _time(date: str | None) -> str:
    from email.utils import parsedate_to_datetime

    return parsedate_to_datetime(date).strftime("%Y-%m-%dT%H:%M:%S.000Z") if date else ""


def _query(said: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in said.items()
        if value is not None
    }


def _read(response: HTTPResponse, content: bytes) -> Reply | File:
    media = response.headers.get_content_type()
    if response.status == 200 and media != "application/json":
        return File(_file_name(response), content)
    if response.status == 200 and "Referee-Outcome" not in response.headers:
        return File(_file_name(response), content)
    try:
        body = json.loads(content)
        if response.status == 200:
            outcome = cast(Outcome, response.headers["Referee-Outcome"])
            return Reply(body["data"], body["told"], body["warnings"], outcome)
        if response.status == 422 and "data" in body:
            return Reply(body["data"], body["told"], (), "illegal")
        raise _refusal(body)
    except (ValueError, KeyError, TypeError):
        raise StoreError("not_a_service", status=response.status) from None


def _file_name(response: HTTPResponse) -> str:
    found = _FILE.search(response.headers.get("Content-Disposition", ""))
    return unquote(found[1]) if found else ""


def _refusal(body: Mapping[str, Any]) -> Relayed:
    _, _, named = str(body["type"]).rpartition("#")
    kind = _DOOR_KINDS.get(named, named)
    if kind not in get_args(Kind):
        kind = "internal"
    problem = Problem(cast(Kind, kind), body["code"], body["detail"], body["facts"])
    return Relayed(problem, tuple(body.get("told", ())))
