"""Words of a command line, as operations want them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.errors import Misused, Unfit
from referee.untrusted.safe_json import UnsafeJson, read_json


def typed(words: list[str]) -> list[str]:
    """One action unquoted, or several quoted ones."""
    return list(words) if any(" " in word for word in words) else [" ".join(words)]


def pairs(words: Iterable[str]) -> dict[str, str]:
    """``name=value`` words."""
    found = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise Misused("not_a_pair", word=word)
        found[name] = value
    return found


def refuse_bytes(words: Iterable[str]) -> None:
    """Arguments are text: bytes that are none could be shown and stored nowhere."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise Misused("not_text", word=word.encode(errors="replace").decode()) from None


def stated_value(text: str) -> Any:
    """A value as JSON has it; what is no JSON is a word."""
    try:
        return read_json(text.encode())
    except UnsafeJson as error:
        if error.key == "not_json_at":
            return text
        raise Unfit("bad_value", problem=error.phrase) from None
