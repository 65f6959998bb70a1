"""Where the pictures of people and events are."""

from __future__ import annotations

from collections.abc import Mapping

from answers.context import Caller


def face_addresses(caller: Caller, owners: Mapping[str, str]) -> dict[str, str]:
    """The addresses of pictures, by the keys of those that have one."""
    known = caller.store_context.people.faces([*owners.values()])
    return {key: face_address(one, known[one]) for key, one in owners.items() if one in known}


def face_address(of: str, digest: str) -> str:
    return f"/api/v1/pictures/{of}?digest={digest}"
