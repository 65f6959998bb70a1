"""Errors in the input itself: it cannot be parsed or validated, so no rule is consulted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from engines.kernel.messages.catalogue import Phrase, Verbatim
from engines.kernel.messages.unsafe_text import visible

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from engines.kernel.messages.catalogue import Catalogue

_LIMITS = {"greater_than_equal", "less_than_equal", "too_long", "too_short"}
_SHOWN = 200
"""How many characters of the input an error message repeats."""
PROBLEMS = {
    "bool_parsing": "no_yes_or_no",
    "bool_type": "no_yes_or_no",
    "base64_decode": "no_text",
    "dict_type": "no_table",
    "extra_forbidden": "not_known",
    "frozen_set_type": "no_list",
    "greater_than": "too_small",
    "greater_than_equal": "smaller_than",
    "int_from_float": "no_whole_number",
    "int_parsing": "no_whole_number",
    "int_parsing_size": "no_whole_number",
    "int_type": "no_whole_number",
    "json_invalid": "not_json",
    "less_than": "too_large",
    "less_than_equal": "larger_than",
    "list_type": "no_list",
    "literal_error": "no_such_choice",
    "missing": "missing",
    "model_attributes_type": "no_table",
    "model_type": "no_table",
    "none_required": "not_empty",
    "string_pattern_mismatch": "other_form",
    "string_too_long": "text_too_long",
    "string_too_short": "text_too_short",
    "string_type": "no_text",
    "string_unicode": "no_text",
    "too_long": "too_many",
    "too_short": "too_few",
    "tuple_type": "no_list",
    "union_tag_invalid": "no_such_kind",
    "union_tag_not_found": "no_kind",
}
"""What Pydantic finds, and the message (``flaw.<key>``) that tells it."""


class MessageError(Exception):
    """A localisable error: the key of a catalogue message, and the facts that fill it in."""

    group: ClassVar[str]
    """The messages of a class of errors: ``<group>.<key>``."""
    words: Catalogue | None = None
    """The catalogue that has the message, if it is not the caller's."""
    seats: Mapping[str, str] = MappingProxyType({})
    """Who sits where at the table it is about, as pseudonyms: the message calls them by name."""

    def __init__(self, key: str, /, **facts: Any) -> None:
        super().__init__(key, facts)
        self.key = key
        self.facts = facts

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.key}({told})"

    @property
    def phrase(self) -> Phrase:
        return Phrase(f"{self.group}.{self.key}", self.facts, self.words)

    def at_table(self, seats: Mapping[str, str]) -> Self:
        """The same error, about the people at this table."""
        self.seats = self.seats or seats
        return self

    def in_words_of(self, words: Catalogue) -> Self:
        """The same error, told by this catalogue, and what it is about too."""
        self.words = words
        for name, fact in self.facts.items():
            if isinstance(fact, Phrase) and fact.words is None and fact.key in words:
                self.facts[name] = Phrase(fact.key, fact.facts, words)
        return self


class ParseError(MessageError, ValueError):
    """A line or value that cannot be parsed: no clause is broken, nothing is judged.

    ``words`` is the catalogue of the game that raised it.
    """

    group = "form"


class Flaw(MessageError, ValueError):
    """Data that is refused by validation."""

    group = "flaw"


class BadValue(MessageError, ValueError):
    """A value that a model refuses, said by a program."""

    group = "form"

    def __init__(self, found: ValidationError) -> None:
        wrong = first_mistake(found)
        super().__init__("bad_value", field=wrong.place, value=wrong.said, problem=wrong.problem)
        self.found = found


def close_to(word: str, known: Iterable[str]) -> tuple[Verbatim, ...]:
    """Spelling suggestions for an unknown word."""
    import difflib

    return tuple(map(Verbatim, difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)))


def hint(near: tuple[Verbatim, ...], known: Iterable[str]) -> Phrase:
    """A hint for an error message: the suggestions, or all known words if there are none."""
    if near:
        return Phrase("form.perhaps", {"near": near})
    return Phrase("form.known", {"known": tuple(known)})


_MOST_NAMED = 9


class Mistake(NamedTuple):
    """The first validation error of a model, as localisable text."""

    place: str
    problem: Phrase
    said: str | None
    """What was written there; none for what has parts."""
    also: tuple[str, ...] = ()
    """The other fields that are missing, where the first mistake is that one is."""

    @property
    def phrase(self) -> Phrase:
        """Field and problem; the problem alone, if the whole input is wrong."""
        if not self.place:
            return self.problem
        place = ", ".join((self.place, *self.also))
        return Phrase("flaw.at", {"place": place, "problem": self.problem})


def first_mistake(error: ValidationError, words: Catalogue | None = None) -> Mistake:
    """Translate a Pydantic error; ``words`` is the game's catalogue, if its models may object."""
    first, *others = error.errors()
    missing = first["type"] == "missing"
    also = [_place(each) for each in others if missing and each["type"] == "missing"]
    written = _written(first.get("input"))
    return Mistake(_place(first), _problem(first, words), written, tuple(also[:_MOST_NAMED]))


def _place(error: ErrorDetails) -> str:
    return _shown(".".join(str(part) for part in error["loc"]))


def beyond_limits(error: ValidationError) -> bool:
    """Whether nothing is wrong but that a number or a list is too small or too large."""
    return {each["type"] for each in error.errors()} <= _LIMITS


def _problem(first: ErrorDetails, words: Catalogue | None) -> Phrase:
    facts = first.get("ctx", {})
    raised = facts.get("error")
    if isinstance(raised, MessageError):
        return Phrase(f"{raised.group}.{raised.key}", raised.facts, words)
    if first["type"] not in PROBLEMS:
        return Phrase("flaw.other", {"kind": first["type"]})
    told = {name: _choices(value) for name, value in facts.items()}
    return Phrase(f"flaw.{PROBLEMS[first['type']]}", told)


def _choices(value: Any) -> Any:
    """Parse the list of allowed values out of Pydantic's English message (``'a', 'b' or 'c'``)."""
    return value.replace(" or ", ", ").replace("'", "") if isinstance(value, str) else value


def _written(value: Any) -> str | None:
    if isinstance(value, dict | list | tuple):
        return None
    return _shown(value if isinstance(value, str) else json.dumps(value, default=str))


def _shown(text: str) -> str:
    return visible(text[:_SHOWN])
