"""Fields of actions: parse words of a line into values, and list the words a field accepts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from engines.kernel.messages.catalogue import Verbatim, normalize
from engines.kernel.messages.errors import ParseError, close_to
from engines.kernel.notation.usage import SEAT, Typed

Meant = Callable[[str], tuple[str, ...]]
"""What the name of a component stands for."""
Spell = Callable[["Speller", str], Any]
_COUNT = re.compile(r"[1-9]|1\d|20")
_LETTERS = re.compile(r"(\d(?=.$))?([^\W\d_]{1,20})")
"""Things of a single letter, several at once, or one with its number."""


class Field:
    """Parses the words of one field into its value."""

    def __init__(self, name: str, annotation: Any, metadata: Sequence[Any]) -> None:
        self.name = name
        bare = _without_none(annotation)
        origin = get_origin(bare)
        if origin in (tuple, list):
            self.shape, kinds = "list", get_args(bare)[:1]
        elif origin in (dict, Mapping):
            self.shape, kinds = "dict", get_args(bare)
        else:
            self.shape = "one"
            kinds = (Annotated[annotation, *metadata] if metadata else annotation,)
        *key, item = (Speller(name, kind) for kind in kinds)
        self._key = key[0] if key else item
        self._item = item
        self.vocabulary = item.vocabulary
        self.counts = bare is int

    def read(self, text: Any, spelled: Spell) -> Any:
        if text is True:
            return True
        if self.shape == "list":
            words = self._counted_out(text) if self.vocabulary else text
            return tuple(value for word in words for value in self._at_once(word, spelled))
        if self.shape == "dict":
            return dict(self._pair(word, spelled) for word in text)
        return spelled(self._item, " ".join(text) if isinstance(text, list) else text)

    def _counted_out(self, words: Sequence[str]) -> Iterator[str]:
        """``2 green`` is ``green green``, where no word of the field is a number."""
        for count, word in zip(("", *words), words, strict=False):
            if _COUNT.fullmatch(word) and word is not words[-1] and word not in self.vocabulary:
                continue
            counts = _COUNT.fullmatch(count) and count not in self.vocabulary
            yield from (word,) * (int(count) if counts else 1)

    def _at_once(self, word: str, spelled: Spell) -> list[Any]:
        """One value; or several, where each is a single letter: ``ggw``, ``2g``."""
        try:
            return [spelled(self._item, word)]
        except ParseError:
            if not self._are_letters or (found := _LETTERS.fullmatch(word)) is None:
                raise
            count, letters = found.groups()
            return [spelled(self._item, letter) for letter in letters * int(count or 1)]

    @cached_property
    def _are_letters(self) -> bool:
        return bool(self.vocabulary) and all(len(word) == 1 for word in self.vocabulary)

    def _pair(self, word: str, spelled: Spell) -> tuple[Any, Any]:
        key, sign, value = word.partition("=")
        if not sign or not key or not value:
            raise ParseError("not_a_pair", word=Verbatim(word), field=self.name)
        named = key.upper() if SEAT.match(key) else key
        return spelled(self._key, named), spelled(self._item, value)


class Speller:
    """Resolves a word to a value: exactly, in another case, by its name, or in French."""

    def __init__(self, field: str, kind: Any) -> None:
        self._field = field
        self._kind = kind
        self.vocabulary = _literals(kind)

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self._kind)

    def _spellings(self, word: str, meant: Meant) -> Iterator[str]:
        yield from (word, word.lower(), word.upper())
        yield from meant(word)
        yield from (value for value in self.vocabulary if normalize(value) == normalize(word))

    def spell(self, word: str, meant: Meant) -> Any:
        for spelling in self._spellings(word, meant):
            try:
                return self._adapter.validate_python(spelling)
            except ValidationError as error:
                if (objection := _own_objection(error)) is not None:
                    raise objection from None
        if not self.vocabulary:
            raise ParseError("odd_word", field=self._field, word=Verbatim(word))
        near = tuple(map(Typed, close_to(word, self.vocabulary)))
        likely_first = dict.fromkeys((*near, *map(Typed, self.vocabulary)))
        raise ParseError(
            "bad_word",
            field=self._field,
            word=Verbatim(word),
            expected=tuple(likely_first)[:24],
            near=near,
        )


def _own_objection(error: ValidationError) -> ParseError | None:
    """The error message of the field's own type for a word."""
    raised = error.errors()[0].get("ctx", {}).get("error")
    return raised if isinstance(raised, ParseError) else None


def _without_none(annotation: Any) -> Any:
    parts = [part for part in get_args(annotation) if part is not type(None)]
    if type(None) in get_args(annotation) and len(parts) == 1:
        return _without_none(parts[0])
    if get_origin(annotation) is Annotated:
        return _without_none(get_args(annotation)[0])
    return annotation


def _literals(annotation: Any) -> tuple[str, ...]:
    """All words that a type allows; empty if it also allows others."""
    bare = _without_none(annotation)
    if get_origin(bare) is Literal:
        return tuple(str(value) for value in get_args(bare))
    if get_origin(bare) not in (Union, UnionType):
        return ()
    parts = [_literals(part) for part in get_args(bare)]
    return tuple(chain.from_iterable(parts)) if all(parts) else ()
