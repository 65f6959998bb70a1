"""The words of a line as people say them: on the buttons with which it is put together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engines.kernel.messages.catalogue import Catalogue, Language, Spoken
from engines.kernel.notation.usage import SEAT
from referee.record.glyphs import GLYPHS

if TYPE_CHECKING:
    from answers.i18n import Voice
    from engines.kernel import Engine, Setting


def names_of(engine: Engine[Any, Any], lines: Iterable[str], lang: Language) -> dict[str, str]:
    """What the words of these lines are called, where that is not what is written.

    A word that only ever begins a line says what is done; anywhere else it is a thing.
    """
    verbs: dict[str, None] = {}
    others: dict[str, None] = {}
    for line in lines:
        words = _without_seat(line)
        verbs |= dict.fromkeys(words[:1])
        others |= dict.fromkeys(words[1:])
    named = {word: begun(engine, word, lang) for word in verbs}
    named |= {word: called(engine, word, lang) for word in others}
    return {word: name for word, name in named.items() if name != word}


def drawn_words(
    engine: Engine[Any, Any], lines: Iterable[str], setting: Setting[Any], lang: Language
) -> dict[str, str]:
    """Small drawings of what these lines name, where the game draws it. A bare number is no thing,
    nor is the letter of whoever acts."""
    named = dict.fromkeys(word for line in lines for word in _without_seat(line))
    drawn = {word: engine.thing(word, setting, lang) for word in named if not word.isdecimal()}
    return {word: drawing for word, drawing in drawn.items() if drawing}


def _without_seat(line: str) -> list[str]:
    words = line.split()
    return words[1:] if SEAT.match(words[0]) and words[0].isupper() else words


def begun(engine: Engine[Any, Any], word: str, lang: Language) -> str:
    """The first word of a line as a label; in some lines that is a thing."""
    is_verb = any(action.verb_of() == word and not action.bare for action in engine.actions)
    return engine.text.verb_label(word, lang) if is_verb else called(engine, word, lang)


class CalledThing(Struct, Spoken, frozen=True):
    """Something a line can name, called as people say it."""

    engine: Engine[Any, Any]
    word: str

    def said(self, words: Catalogue, lang: Language) -> str:
        return called(self.engine, self.word, lang)


def called(engine: Engine[Any, Any], word: str, lang: Language) -> str:
    """A word inside a line as people say it: a component, or a small word of a form."""
    if f"term.{word}" in engine.words:
        return engine.words.term(word, lang)
    thing, _, place = word.partition("@")
    if place and (lying := engine.words.entry("component.at")) is not None:
        whose, colon, thing = thing.rpartition(":")
        named = f"{whose}{colon} {called(engine, thing, lang)}".strip()
        return lying[lang].format(thing=named, place=place)
    letters = "".join(takewhile(str.isalpha, word))
    group = "component" if letters == word else "component.numbered"
    if (component := engine.words.entry(f"{group}.{letters}")) is not None:
        return component[lang].format(code=word, n=word.removeprefix(letters))
    entry = engine.words.entry(f"keyword.{word}")
    return entry[lang].split()[0] if entry is not None else word


def without_code(name: str, word: str) -> str:
    """What is written beside a drawing of a component: its name, but no code."""
    is_code = len(word) < 3 or any(sign.isdecimal() for sign in word)
    return " ".join(part for part in name.split() if part != word) if is_code else name


def glyph_text(voice: Voice, name: str) -> str:
    """A glyph and its meaning; one that only another version knows is told by its name."""
    known = GLYPHS.get(name)
    return f"{known.sign} {voice.say(f'glyph.{name}')}" if known is not None else name
