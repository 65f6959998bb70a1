"""Parses untrusted JSON, with limits on size and depth; no duplicate keys, no fractions."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any

from engines.kernel.messages.errors import Flaw
from engines.kernel.messages.unsafe_text import harmful_in

MAX_LINE_BYTES = 262_144
MAX_DEPTH = 32
MAX_INTEGER = 2**53 - 1
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_DEEPER = {**dict.fromkeys(b"[{", 1), **dict.fromkeys(b"]}", -1)}
_NO_BRACKETS = bytes(sign for sign in range(256) if sign not in _DEEPER)


class UnsafeJson(Flaw):
    """Rejected JSON, with the reason."""


def read_json(line: bytes, limit: int = MAX_LINE_BYTES, *, fractions: bool = False) -> Any:
    """One JSON value, without duplicate keys, control characters or deep nesting; without
    ``fractions`` too, unless another program may have written some."""
    if len(line) > limit:
        raise UnsafeJson("too_many_bytes", limit=limit)
    refuse_depth(line)
    try:
        text = line.decode("utf-8")
        value = (_WITH_FRACTIONS if fractions else _STRICT).decode(text)
    except UnicodeDecodeError:
        raise UnsafeJson("not_utf8") from None
    except json.JSONDecodeError as error:
        raise UnsafeJson("not_json_at", column=error.colno) from None
    if (not text.isprintable() or "\\" in text) and (code := harmful_in(value, allowed="\t\n")):
        raise UnsafeJson("control_character", code=code)
    return value


def refuse_depth(line: bytes) -> None:
    """Check the nesting depth before parsing: a parser may recurse."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return
    outside = _TEXTS.sub(b"", line) if b"\\" in line else b"".join(line.split(b'"')[::2])
    steps = map(_DEEPER.__getitem__, outside.translate(None, _NO_BRACKETS))
    if max(accumulate(steps), default=0) > MAX_DEPTH:
        raise UnsafeJson("too_deep", depth=MAX_DEPTH)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise UnsafeJson("key_twice", key=twice[:40])
    return found


def _no_float(text: str) -> Any:
    raise UnsafeJson("fraction", number=text[:20])


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise UnsafeJson("huge_number", number=f"{text[:20]}…")
    return int(text)


_STRICT, _WITH_FRACTIONS = (
    json.JSONDecoder(
        object_pairs_hook=_pairs, parse_float=read, parse_constant=_no_float, parse_int=_integer
    )
    for read in (_no_float, float)
)
