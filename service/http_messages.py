"""HTTP request and response as plain data. No web framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class HttpRequest:
    """A request as the operations need it."""

    method: str
    path: Mapping[str, str]
    query: Sequence[tuple[str, str]]
    headers: Mapping[str, str]
    """Names in lower case."""
    cookies: Mapping[str, str]
    content: bytes
    address: str
    secure: bool


@dataclass(frozen=True)
class HttpResponse:
    status: int
    content: bytes
    media: str
    headers: Mapping[str, str]
