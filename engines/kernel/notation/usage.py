"""Words and forms of the notation as they are shown to people, in their language."""

from __future__ import annotations

import re

from engines.kernel.messages.catalogue import Catalogue, Language, Spoken, Verbatim
from engines.kernel.rules.actions import Action

SEATS = "ABCDEFGH"
SEAT = re.compile(r"^[A-Ha-h]$")
_BLANK = re.compile(r"[A-Z][A-Z_]+")
_KEYWORD = re.compile(r"(?<![\w@])[a-z_]+(?!\w)")


class Typed(Verbatim):
    """A word of the notation that may be typed, shown in the reader's language."""

    french: str | None

    def __new__(cls, word: str, french: str | None = None) -> Typed:
        typed = super().__new__(cls, word)
        typed.french = french
        return typed

    def said(self, words: Catalogue, lang: Language) -> str:
        return str(self) if lang == "en" else self.french or named_in_french(self, words)


def typed_verb(action: type[Action]) -> Typed:
    return Typed(action.verb_of(), next(iter(action.french), action.verb_of()))


def in_french(word: str, words: Catalogue) -> str:
    """Translate a word of a line: a fixed word of a form, or a name."""
    if (entry := words.entry(f"keyword.{word}")) is not None:
        return entry["fr"].split()[0]
    return named_in_french(word, words)


def named_in_french(word: str, words: Catalogue) -> str:
    seat, equals, value = word.partition("=")
    if equals and SEAT.match(seat):
        has, at, place = value.partition("@")
        colour = words.entry(f"colour.{has}")
        named = named_in_french(has, words) if colour is None else colour["fr"]
        return f"{seat}={named}{at}{place}"
    name = words.term(word, "fr")
    is_seat = SEAT.match(word) and word.isupper()
    if is_seat or ";" in name or "," in name:
        return str(word)
    return re.sub(r"\s+", "_", name.rstrip("!?… \u202f\u00a0"))


class Usage(str, Spoken):
    """The syntax of an action: the words to type, and the fields in capitals."""

    verb: Typed | None

    def __new__(cls, text: str, verb: Typed | None = None) -> Usage:
        usage = super().__new__(cls, text)
        usage.verb = verb
        return usage

    def said(self, words: Catalogue, lang: Language) -> str:
        """The same in the words of the language."""
        if lang == "en":
            return str(self)

        def named(match: re.Match[str]) -> str:
            field = match.group().lower()
            for key in (f"argument.{field}", f"fact.{field}"):
                if key in words:
                    return words.say(key, lang).upper().replace(" ", "-")
            return match.group()

        def typed(match: re.Match[str]) -> str:
            known = words.entry(f"keyword.{match.group()}") is not None
            return in_french(match.group(), words) if known else match.group()

        verb = "" if self.verb is None else self.verb.said(words, lang)
        rest = self if self.verb is None else self.removeprefix(self.verb)
        return verb + _BLANK.sub(named, _KEYWORD.sub(typed, rest))
