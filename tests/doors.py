"""The words of each door: what only somebody at a command line, or only at a page, can use."""

from __future__ import annotations

import re

OF_COMMANDS = re.compile(
    r"(?<!the )\breferee [a-z]+ [a-z-]*|(?<![\w-])--[a-z][a-z-]+|(?<!\w)-m (?=[A-Z])|\(-m\)"
    r"|REFEREE_[A-Z]+|\b(NAME|NOM):(judge|seat)|\bseat:[A-Z]\b"
)
"""A command, an option, a variable, a way of writing who speaks."""

OF_PAGES = re.compile(r"\b(tap|taps|click|button|this page|touchez|bouton|cette page)\b", re.I)


def told_in(body: object) -> list[str]:
    """The sentences of a reply of the service."""
    if not isinstance(body, dict):
        return []
    said = [body.get("title"), body.get("detail")]
    return [
        text
        for text in (*said, *body.get("told", ()), *body.get("warnings", ()))
        if isinstance(text, str)
    ]


def of_commands(texts: list[str]) -> list[str]:
    return [text for text in texts if OF_COMMANDS.search(text)]
