"""Which characters are harmful: what steers a terminal, breaks a line or turns text around.

Those are control characters, the separators of lines and paragraphs, what overrides or isolates
the direction of writing, and surrogates. The no-break spaces of French typography are not, nor
are the marks and joiners without which some scripts cannot be written.

No door lets them in, and nothing that is repeated contains them. A door may take line ends or
tabs where a text of several lines is meant; it says so.

What nobody can see is not harmful, but makes two texts look alike: spaces without width, marks of
direction, fillers. Nothing new is recorded with it; what is recorded stays readable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_CHARACTERS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_HARMFUL = re.compile(f"[{_CHARACTERS}]")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_UNWRITABLE = re.compile(rf"[{_CHARACTERS}\ufffe\uffff]")
"""XML has no place for noncharacters; records do, and what they hold stays readable."""
_TYPOGRAPHY = "\u00a0\u202f"


def code_of(sign: str) -> str:
    return f"U+{ord(sign):04X}"


def harmful_in(data: Any, *, allowed: str = "") -> str | None:
    """The code of the first harmful character in the texts of JSON data, if there is one."""
    return _first_in(data, _HARMFUL, allowed)


def unseen_in(data: Any) -> str | None:
    """The code of the first invisible character in the strings of JSON data, if there is one."""
    return _first_in(data, _UNSEEN, "")


def _first_in(data: Any, signs: re.Pattern[str], allowed: str) -> str | None:
    if isinstance(data, str):
        if (data.isascii() and data.isprintable()) or signs.search(data) is None:
            return None
        found = (sign for sign in signs.findall(data) if sign not in allowed)
        return next(map(code_of, found), None)
    if isinstance(data, Mapping):
        data = [*data, *data.values()]
    if isinstance(data, list | tuple):
        for item in data:
            if (code := _first_in(item, signs, allowed)) is not None:
                return code
    return None


def defused(text: str, instead: str = "\ufffd", *, allowed: str = "") -> str:
    """Replace every character that is harmful or cannot be encoded."""

    def replaced(found: re.Match[str]) -> str:
        return found.group() if found.group() in allowed else instead

    return _UNWRITABLE.sub(replaced, text)


def escaped(json: str) -> str:
    """Write the harmful characters of a line of JSON as JSON escapes."""
    return _HARMFUL.sub(lambda found: f"\\u{ord(found.group()):04x}", json)


def visible(text: str, *, allowed: str = "") -> str:
    """Make typed text safe to echo: invisible characters are shown by their codes."""
    kept = _TYPOGRAPHY + allowed
    return "".join(
        sign if sign.isprintable() or sign in kept else f"<{code_of(sign)}>" for sign in text
    )
