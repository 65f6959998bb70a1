"""Numbers as people type them."""

from __future__ import annotations

_LONGEST = 6
"""Nothing is counted in millions at a table."""


def whole_number(text: str) -> int | None:
    """The number that is written there; None for any other text, signs and superscripts among them.

    >>> whole_number("12"), whole_number("²"), whole_number("-1"), whole_number("9999999")
    (12, None, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= _LONGEST else None
