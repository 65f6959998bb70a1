"""Reading JSON that comes from outside: hostile until proven otherwise."""

from __future__ import annotations

import json
import re
from typing import Any

from engines.kernel.errors import Flaw

MAX_LINE_BYTES = 262_144
MAX_DEPTH = 32
MAX_INTEGER = 2**53 - 1
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_ESCAPE = re.compile(r"\\u(?:00[0189]|007f|20[26]|d[89a-f])", re.IGNORECASE)


class UnsafeJson(Flaw):
    """JSON we do not take in: what is wrong with it."""


def read_json(line: bytes, limit: int = MAX_LINE_BYTES) -> Any:
    """One JSON value, without floats, duplicate keys, control characters or deep nesting."""
    if len(line) > limit:
        raise UnsafeJson("too_many_bytes", limit=limit)
    _refuse_depth(line)
    try:
        text = line.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_pairs,
            parse_float=_no_float,
            parse_constant=_no_float,
            parse_int=_integer,
        )
    except UnicodeDecodeError:
        raise UnsafeJson("not_utf8") from None
    except json.JSONDecodeError as error:
        raise UnsafeJson("not_json_at", column=error.colno) from None
    if _CONTROLS.search(text) or _ESCAPE.search(text):
        _refuse_controls(value)
    return value


def _refuse_depth(line: bytes) -> None:
    """Before parsing: a parser may recurse."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return
    depth = deepest = 0
    inside = escaped = False
    for byte in line:
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    if deepest > MAX_DEPTH:
        raise UnsafeJson("too_deep", depth=MAX_DEPTH)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UnsafeJson("key_twice", key=key[:40])
        found[key] = value
    return found


def _no_float(text: str) -> Any:
    raise UnsafeJson("fraction", number=text[:20])


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise UnsafeJson("huge_number", number=f"{text[:20]}…")
    return int(text)


def _refuse_controls(value: Any) -> None:
    if isinstance(value, str):
        if found := _CONTROLS.search(value):
            raise UnsafeJson("control_character", code=f"U+{ord(found.group()):04X}")
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_controls(key)
            _refuse_controls(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_controls(item)
