"""What a command line adds to a message: the command or the option with which to go on.

``words.toml`` beside this file has a text for each message that one of our commands could follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from engines.kernel.messages.catalogue import Catalogue, Verbatim
from engines.kernel.messages.package_data import read_words

if TYPE_CHECKING:
    from answers.hints import Hint
    from answers.i18n import Voice
    from answers.problems import Problem

PROGRAM = "referee"


@cache
def hint_words() -> Catalogue:
    return read_words("cli.hints")


def hinting(voice: Voice) -> Voice:
    """The same voice, which says after a message what to type."""
    from engines.kernel.values.structs import evolve

    def worded(hint: Hint) -> str:
        return hint_after(hint.key, hint.facts, voice)

    return evolve(voice, hinting=worded)


def with_hint(problem: Problem, voice: Voice) -> str:
    """A problem and what to type after it, whether it was met here or at a service."""
    group = "store" if problem.kind == "unavailable" else "error"
    hint = hint_after(f"{group}.{problem.key}", problem.facts, voice)
    return f"{problem.message} {hint}" if hint else problem.message


def hint_after(key: str, facts: Mapping[str, Any], voice: Voice) -> str:
    words = hint_words()
    entry = words.entry(f"hint.{key}")
    if entry is None or ("{program}" in entry[voice.lang] and voice.program is None):
        return ""
    typed = {
        name: Verbatim(fact) if isinstance(fact, str) else fact for name, fact in facts.items()
    }
    program = Verbatim(voice.program or PROGRAM)
    return "→ " + words.say(f"hint.{key}", voice.lang, **{**typed, "program": program})
