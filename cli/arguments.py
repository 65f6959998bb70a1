"""Converts command-line arguments into the values that operations take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cli.typer_internals import NoSuchOption, get_current_context
from referee.errors import Misused, Unfit
from referee.untrusted.safe_json import UnsafeJson, read_json


def typed(words: Sequence[str]) -> list[str]:
    """The lines that were typed: one action without quotes, or several in quotes.

    A negative number may stand in a line (``ignore_unknown_options``), a misspelt option may not.
    """
    for word in words:
        if word.startswith("--"):
            raise NoSuchOption(word, ctx=get_current_context(silent=True))
    return list(words) if any(" " in word for word in words) else [" ".join(words)]


def pairs(words: Iterable[str]) -> dict[str, str]:
    """``name=value`` words."""
    values = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise Misused("not_a_pair", word=word)
        values[name] = value
    return values


def refuse_bytes(words: Iterable[str]) -> None:
    """Refuse arguments that are not valid UTF-8: they could neither be shown nor stored."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise Misused("not_text", word=word.encode(errors="replace").decode()) from None


def stated_value(text: str) -> Any:
    """A value parsed as JSON, or the text itself where it is not JSON."""
    try:
        return read_json(text.encode())
    except UnsafeJson as error:
        if error.key == "not_json_at":
            return text
        raise Unfit("bad_value", problem=error.phrase) from None
