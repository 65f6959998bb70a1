"""Actions in sentences: who does what, with which things and where, in the words of a game.

A game writes one template for each verb under ``[said]`` in its ``words.toml``. It says the action
as a sentence, and as the label of a button:

- ``<{who} swaps|swap|swapped:>``: as somebody does it, as a label says it, as it is told where
  nobody is named;
- ``{to}`` a field; ``{give/into}`` its value in the words of another group;
  ``{leaves:leaf|leaves}`` a word for so many; ``{hand*}`` a word of which every letter is a thing;
- ``[ from {robbed}]`` left out where a field in it is not said; ``[one|other]`` the first that can
  be said; ``{declined?}`` and ``{gift=none}`` say nothing and are conditions;
- ``{>toll}`` another template, from ``[part]``.

Things have their article and their plural under ``[noun]``: by field and value, by value, or by
the letters before a number (``M`` for ``M6``). A verb without a template is told by its notation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, get_args

from msgspec import Struct

from engines.kernel.messages.catalogue import (
    Catalogue,
    Entry,
    Language,
    Names,
    is_singular,
    isolated,
)
from engines.kernel.notation.usage import SEAT
from engines.kernel.rules.actions import Action, Audit, Seat
from engines.kernel.rules.clauses import Reading

Manner = Literal["told", "label"]
_FACT = re.compile(r"([a-z_]+)(\?|\*|=(\w+)|/(\w+)|:([^|]*)\|(.*))?")
_PART = re.compile(r"\{>([a-z_]+)\}")
_NUMBERED = re.compile(r"([^\W\d_]+)(\d+)")
_LONG_WORD = re.compile(r"[a-z_]{2,}")
_SEAT_PATTERN = next(
    each.pattern for each in get_args(Seat)[1].metadata if hasattr(each, "pattern")
)


class Fact(Struct, frozen=True):
    """A field of the action in a template."""

    field: str
    condition: bool = False
    equal: str | None = None
    group: str = "noun"
    plural: tuple[str, str] | None = None
    letters: bool = False


class PhraseChoice(Struct, frozen=True):
    """Alternatives: the first of which all facts are there."""

    ways: tuple[tuple[Node, ...], ...]


class VerbForm(Struct, frozen=True):
    """The verb as somebody does it, as a label, and where nobody is named."""

    told: tuple[Node, ...]
    label: tuple[Node, ...]
    nobody: tuple[Node, ...]


Node = str | Fact | PhraseChoice | VerbForm


class Sentences:
    """Tells the actions of one game."""

    def __init__(
        self,
        words: Catalogue,
        line: Callable[[Action, Language], str],
        readings: Mapping[str, Reading],
    ) -> None:
        self._words = words
        self._line = line
        self._readings = readings
        self._template = lru_cache(maxsize=512)(self._parsed)

    def tell(self, action: Action, lang: Language, names: Names, manner: Manner = "told") -> str:
        """The action in a sentence; as a ``label`` it is what a button would do."""
        nodes = self._template(action.verb, lang)
        names = {seat: isolated(name) for seat, name in names.items()}
        saying = _Saying(self._words, self._readings, action, lang, names, manner)
        said = None if nodes is None else saying.say(nodes)
        if said is None:
            said = self._by_notation(action, lang, names, manner)
        begins_with_a_name = any(said.startswith(name) for name in names.values() if name)
        return said if begins_with_a_name else _capital(said)

    def verb(self, verb: str, lang: Language) -> str | None:
        """The verb alone, as a label; none where the game has no word for it."""
        if (entry := self._words.entry(f"do.{verb}")) is not None:
            return _capital(entry[lang])
        form = next(_forms(self._template(verb, lang) or ()), None)
        parts = form.label if form is not None else ()
        return _capital(" ".join(str(part) for part in parts)) or None

    def _parsed(self, verb: str, lang: Language) -> tuple[Node, ...] | None:
        entry = self._words.entry(f"said.{verb}")
        return None if entry is None else parse(self._whole(entry[lang], lang))

    def _whole(self, template: str, lang: Language) -> str:
        def part(found: re.Match[str]) -> str:
            entry = self._words.entry(f"part.{found[1]}")
            if entry is None:
                raise KeyError(f"no part {found[1]!r}")
            return self._whole(entry[lang], lang)

        return _PART.sub(part, template)

    def _by_notation(self, action: Action, lang: Language, names: Names, manner: Manner) -> str:
        """The line, with the names of people and things for their letters and codes."""
        seat, words = action.by, self._line(action, lang).split(" ")
        said = " ".join(
            names.get(word, word) if SEAT.match(word) else self._words.term(word, lang)
            for word in (words if seat is None else words[1:])
        )
        if seat is None or manner == "label":
            return said
        return self._words.say("labelled", lang, label=names.get(seat, seat), text=said)


class _Saying:
    """One action as it is being said."""

    def __init__(
        self,
        words: Catalogue,
        readings: Mapping[str, Reading],
        action: Action,
        lang: Language,
        names: Names,
        manner: Manner,
    ) -> None:
        self._words, self._action, self._lang = words, action, lang
        self._readings, self._names, self._manner = readings, names, manner

    def say(self, nodes: Iterable[Node]) -> str | None:
        """The template filled in; none where a fact of it is missing."""
        parts = []
        for node in nodes:
            part = node if isinstance(node, str) else self._part(node)
            if part is None:
                return None
            parts.append(part)
        return "".join(parts)

    def _part(self, node: Fact | PhraseChoice | VerbForm) -> str | None:
        if isinstance(node, Fact):
            return self._fact(node)
        if isinstance(node, VerbForm):
            if self._manner == "label":
                return self.say(node.label)
            return self.say(node.told if self._action.by is not None else node.nobody)
        ways = (self.say(way) for way in node.ways)
        return next((said for said in ways if said is not None), "")

    def _fact(self, fact: Fact) -> str | None:
        if fact.field == "who":
            return None if self._action.by is None else self._name(self._action.by)
        value = getattr(self._action, fact.field)
        if fact.equal is not None:
            return "" if str(value) == fact.equal else None
        if not self._is_said(fact.field, value):
            return None
        if fact.condition:
            return ""
        if fact.plural is not None:
            return fact.plural[not is_singular(value, self._lang)]
        if isinstance(self._action, Audit):
            words = self._words.naming(self._names)
            subject = words.subject(self._action.subject)
            if fact.field == "subject":
                return words.audited(subject, self._lang)
            seen = (*self._action.subject[len(subject) :], self._action.value)
            return ", ".join(words.counted((word,), self._lang) for word in seen)
        return self._value(fact, tuple(value) if fact.letters else value)

    def _is_said(self, field: str, value: Any) -> bool:
        info = type(self._action).model_fields[field]
        if value is None or value == () or value == {}:
            return False
        return bool(info.is_required() or value != info.get_default(call_default_factory=True))

    def _value(self, fact: Fact, value: Any) -> str:
        if fact.field == "readings":
            return " ".join(self._reading(*each) for each in value.items())
        if isinstance(value, Mapping):
            return ", ".join(
                f"{self._word(fact, key)} ({self._word(fact, each)})" for key, each in value.items()
            )
        if isinstance(value, tuple | list):
            counted = Counter(value)
            *others, last = (self._word(fact, each, count) for each, count in counted.items())
            between = self._words.say("said_and", self._lang)
            return between.join((", ".join(others), last)) if others else last
        return self._word(fact, value)

    def _reading(self, name: str, value: str) -> str:
        """An open question and its answer; one that no rule asks is called as it is written."""
        reading = self._readings.get(name)
        if reading is None or value not in reading.values:
            return f"{name}={value}"
        return f"{reading.question.say(self._lang)} {reading.values[value].say(self._lang)}"

    def _word(self, fact: Fact, value: Any, count: int = 1) -> str:
        """A person by name; a thing with its article, or counted; else the word itself."""
        word = str(value)
        if word in _seats(type(self._action), fact.field):
            return self._name(word)
        one = self._noun(fact, word)
        if count == 1:
            return one.text(self._lang)
        if (many := one.entry.get(f"{self._lang}_many")) is not None:
            return many.format(count=count, **one.facts)
        return f"{count} × {one.text(self._lang)}"

    def _noun(self, fact: Fact, word: str) -> _Noun:
        groups = (f"{fact.group}.{fact.field}", fact.group)
        found = _NUMBERED.fullmatch(word)
        letters, number = found.groups() if found is not None else (word, "")
        facts = {"code": word, "n": number}
        for key in (word, letters):
            for group in groups:
                if (entry := self._words.entry(f"{group}.{key}")) is not None:
                    return _Noun(entry, facts)
        for key in (f"{groups[0]}.other", f"term.{word}", f"colour.{word}"):
            if (entry := self._words.entry(key)) is not None:
                return _Noun(entry, facts)
        told = _LONG_WORD.sub(lambda part: self._long_word(fact, part[0]), word)
        if told != word or "@" in word or "=" in word:
            told = told.replace("@", ", ").replace("=", " ").replace("+", " +")
        return _Noun({self._lang: told.replace("{", "{{").replace("}", "}}")}, {})

    def _long_word(self, fact: Fact, word: str) -> str:
        """A word inside a code of several parts."""
        for key in (f"noun.{fact.field}.{word}", f"term.{word}"):
            if (entry := self._words.entry(key)) is not None:
                return entry[self._lang]
        return word

    def _name(self, seat: str) -> str:
        return self._names.get(seat, seat)


class _Noun(Struct, frozen=True):
    entry: Entry
    facts: Mapping[str, str]

    def text(self, lang: Language) -> str:
        return self.entry[lang].format(**self.facts)


@lru_cache(maxsize=1024)
def _seats(kind: type[Action], field: str) -> str:
    """The letters that are people in this field."""
    info = kind.model_fields[field]
    is_seat = any(_names_a_seat(each) for each in (info.annotation, *info.metadata))
    return "ABCDEFGH" if is_seat else ""


def _names_a_seat(kind: Any) -> bool:
    if getattr(kind, "pattern", None) == _SEAT_PATTERN:
        return True
    inside = (*get_args(kind), *getattr(kind, "metadata", ()))
    return any(_names_a_seat(each) for each in inside)


def _forms(nodes: Iterable[Node]) -> Iterator[VerbForm]:
    for node in nodes:
        if isinstance(node, VerbForm):
            yield node
        elif isinstance(node, PhraseChoice):
            for way in node.ways:
                yield from _forms(way)


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]


# the template language

_CLOSING = {"[": "]", "<": ">"}


def parse(template: str) -> tuple[Node, ...]:
    """The parts of a template."""
    ways, rest = _ways(template, "")
    if rest or len(ways) != 1:
        raise ValueError(f"not a template: {template!r}")
    return ways[0]


def _ways(text: str, closing: str) -> tuple[list[tuple[Node, ...]], str]:
    """The alternatives up to a closing sign, and what comes behind it."""
    ways: list[list[Node]] = [[]]
    while text:
        sign, text = text[0], text[1:]
        if sign == closing:
            return [tuple(way) for way in ways], text
        if sign == "|" and closing:
            ways.append([])
        elif sign == "{":
            fact, _, text = text.partition("}")
            ways[-1].append(_fact(fact))
        elif sign in _CLOSING:
            inner, text = _ways(text, _CLOSING[sign])
            ways[-1].append(PhraseChoice(tuple(inner)) if sign == "[" else _verb_form(inner))
        elif ways[-1] and isinstance(ways[-1][-1], str):
            ways[-1][-1] += sign
        else:
            ways[-1].append(sign)
    if closing:
        raise ValueError(f"no {closing} in a template")
    return [tuple(way) for way in ways], ""


def _fact(text: str) -> Fact:
    found = _FACT.fullmatch(text)
    if found is None:
        raise ValueError(f"not a fact: {text!r}")
    name, how, equal, group, one, many = found.groups()
    return Fact(
        name,
        condition=how == "?",
        equal=equal,
        group=group or "noun",
        plural=None if one is None else (one, many),
        letters=how == "*",
    )


def _verb_form(ways: list[tuple[Node, ...]]) -> VerbForm:
    told, label, nobody = (*ways, ways[-1])[:3]
    return VerbForm(told, label, nobody)
