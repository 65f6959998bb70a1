"""Requests of administration: people, access, health checks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from answers.requests.base import Params
from referee.store.sidecars.access import OpenTo

Name = Annotated[str, Field(max_length=40)]
Role = Annotated[str, Field(max_length=20, examples=["judge", "seat:A"])]
Scope = Annotated[str, Field(max_length=80, examples=["game-abcdefgh"])]


class RenameRequest(Params):
    name: Name


class GiveTokenRequest(Params):
    role: Role
    scope: Scope = ""
    """A game or a tournament; by default what the token of who asks is for."""
    name: Name = ""
    days: Annotated[int | None, Field(ge=1, le=3650)] = None


class InviteRequest(Params):
    role: Role
    scope: Scope = ""
    name: Name = ""
    hours: Annotated[int, Field(ge=1, le=8760)] = 24
    many: bool = False


class AccessRulesRequest(Params):
    open_to: OpenTo | None = None
    delay_entries: Annotated[int | None, Field(ge=0, le=1000)] = None
    delay_seconds: Annotated[int | None, Field(ge=0, le=86_400)] = None
    seats_log: bool | None = None


class JoinRequest(Params):
    code: Annotated[str, Field(max_length=40)]


class LatestRequest(Params):
    most: Annotated[int, Field(ge=1, le=10_000)] = 200


class PictureRequest(Params):
    digest: Annotated[str, Field(max_length=64)]
    """Of the picture, as an answer has named it."""
