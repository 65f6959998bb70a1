"""Localisation and output of the program: messages, colours, line wrapping, JSON.

``answers`` is imported when the first message is looked up: it takes longer than all else that
``referee --version`` does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from answers.i18n import Voice
    from engines.kernel.messages.catalogue import Catalogue, Language


_voice: ContextVar[Voice | None] = ContextVar("voice", default=None)
_language: ContextVar[Language] = ContextVar("language", default="en")
"""The voice and the language of the call of the program that is running."""


def voice() -> Voice:
    found = _voice.get()
    if found is None:
        from answers.i18n import Voice

        found = Voice(_language.get(), program_words())
        _voice.set(found)
    return found


def speak_with(new: Voice) -> None:
    _voice.set(new)


def program_words() -> Catalogue:
    """The catalogue of the program's own words and of all answers."""
    from answers.i18n import answers_words, words_on_top

    return words_on_top("cli", answers_words())


def learn(package: str) -> None:
    """Add the catalogue of a group of commands when one of them is called."""
    speak_with(voice().knowing(package))


def choose_language(arguments: list[str], environment: Mapping[str, str]) -> Language:
    """``--lang``, then REFEREE_LANG, then the locale; English otherwise."""
    asked = ""
    for index, word in enumerate(arguments):
        if word == "--lang" and index + 1 < len(arguments):
            asked = arguments[index + 1]
        elif word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
    asked = asked or environment.get("REFEREE_LANG", "")
    asked = asked or environment.get("LC_ALL", "") or environment.get("LANG", "")
    set_language("fr" if asked.lower().startswith("fr") else "en")
    return language()


def language() -> Language:
    return _language.get()


def set_language(lang: Language) -> None:
    _language.set(lang)
    _voice.set(None)


def say(key: str, /, **facts: Any) -> str:
    return voice().say(key, **facts)


def knows(key: str) -> bool:
    """Whether the catalogue has this message."""
    return key in voice().words


def version_line() -> str:
    from importlib.metadata import version  # which takes longer than whatever else is said here

    return f"referee {version('referee')}"


# colours: they repeat what the words say

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WORD = re.compile(r"\s*\S+")
_STYLES = {"good": "32", "bad": "31", "unsure": "33", "dim": "2", "bold": "1"}


class Paint:
    """Adds ANSI colours to text, or none where the output is not a colour terminal."""

    def __init__(self, when: str = "auto") -> None:
        self.on = when == "always" or (when == "auto" and _wants_colour())

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.on else text


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def wrapped(lines: Iterable[str]) -> list[str]:
    """Lines wrapped to the width of the terminal, with a hanging indent; unchanged in a pipe."""
    if not sys.stdout.isatty():
        return list(lines)
    width = shutil.get_terminal_size().columns
    return [part for line in lines for part in broken(line, width)]


def broken(line: str, width: int) -> list[str]:
    """One line wrapped at spaces; colour codes do not count towards its width."""
    if len(_COLOUR.sub("", line)) <= width:
        return [line]
    margin = " " * min(len(line) - len(line.lstrip()) + 2, width // 2)
    parts = [""]
    for word in _WORD.findall(line):
        if len(_COLOUR.sub("", parts[-1] + word)) > width and parts[-1].strip():
            parts.append(margin + word.lstrip())
        else:
            parts[-1] += word
    return parts


def write(lines: Iterable[str]) -> None:
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError as error:
        error.filename = error.filename or say("file.output")
        raise


def write_json(data: Any) -> None:
    """Print one line of JSON with control characters escaped, so that no terminal obeys them."""
    from engines.kernel.messages.unsafe_text import escaped

    write([escaped(json.dumps(data, ensure_ascii=False))])
