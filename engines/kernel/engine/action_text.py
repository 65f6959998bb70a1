"""Actions as lines and as stored data, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Annotated, Any, Union

from pydantic import Field, TypeAdapter, ValidationError

from engines.kernel.messages.catalogue import NOBODY, Catalogue, Language, Names, Verbatim
from engines.kernel.messages.errors import ParseError, first_mistake
from engines.kernel.notation.reader import Notation
from engines.kernel.notation.sentences import Sentences
from engines.kernel.rules.actions import Action, Audit
from engines.kernel.rules.audit import shown
from engines.kernel.rules.clauses import Reading

_ADJUSTED = re.compile(r"adjust \((.*)\)", re.DOTALL)


class ActionText:
    """Reads and writes the actions of one game."""

    def __init__(
        self,
        kinds: tuple[type[Action], ...],
        words: Catalogue,
        readings: Mapping[str, Reading],
    ) -> None:
        self._kinds = kinds
        self._words = words
        self._readings = readings

    @cached_property
    def notation(self) -> Notation:
        return Notation(self._kinds, self._words)

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """Validates stored actions, of whatever verb."""
        kinds: Any = Union[(*self._kinds,)]
        return TypeAdapter(Annotated[kinds, Field(discriminator="verb")])

    @cached_property
    def _by_verb(self) -> dict[str, type[Action]]:
        return {kind.verb_of(): kind for kind in self._kinds}

    def read(self, text: str) -> Action:
        """One action in the scribe's notation."""
        try:
            return self.notation.read(text)
        except ParseError as error:
            raise error.in_words_of(self._words) from None

    def __call__(self, action: Action, lang: Language = "en") -> str:
        """The line of an action: in the stored notation, or translated."""
        if lang != "en" and isinstance(action, Audit):
            return self._audit_in(action, lang)
        return self.notation.write(action) if lang == "en" else self.notation.write_in(action, lang)

    def _audit_in(self, action: Audit, lang: Language) -> str:
        """Translate an audit, if the notation can read it back without knowing the table."""
        seat = [] if action.by is None else [action.by]
        words = (shown(word, self._words, lang) for word in (*action.subject, action.value))
        line = " ".join([*seat, self.verb_in(action.verb, lang), *words])
        return line if self.notation.reads(line) else self.notation.write(action)

    def verb_in(self, verb: str, lang: Language) -> str:
        """A verb in the words of a language."""
        french = self._by_verb[verb].french if lang == "fr" and verb in self._by_verb else ()
        return (*french, verb)[0]

    def told_in(self, line: str, lang: Language) -> str:
        """Translate a recorded line; text that is not an action is returned unchanged."""
        try:
            return self(self.read(line), lang) if lang != "en" else line
        except ParseError:
            return self._each(line, lang, lambda part: self.told_in(part, lang))

    @cached_property
    def _sentences(self) -> Sentences:
        return Sentences(self._words, self, self._readings)

    def tell(self, action: Action, lang: Language, names: Names = NOBODY) -> str:
        """An action in a sentence: who does what, with which things and where."""
        return self._sentences.tell(action, lang, names)

    def label(self, action: Action, lang: Language, names: Names = NOBODY) -> str:
        """What a button says that does this."""
        return self._sentences.tell(action, lang, names, "label")

    def verb_label(self, verb: str, lang: Language) -> str:
        """What a button says that begins such an action."""
        return self._sentences.verb(verb, lang) or self.verb_in(verb, lang)

    def tell_line(self, line: str, lang: Language, names: Names = NOBODY) -> str:
        """A recorded line in a sentence; text that is not an action is returned unchanged."""
        if (adjusted := _ADJUSTED.fullmatch(line)) is not None:
            return self._words.say("said_adjusted", lang, reason=Verbatim(adjusted[1]))
        try:
            return self.tell(self.read(line), lang, names)
        except ParseError:
            return self._each(line, lang, lambda part: self.tell_line(part, lang, names))

    def _each(self, line: str, lang: Language, worded: Callable[[str], str]) -> str:
        """Several actions that stand in one line, one after the other."""
        first, mark, rest = line.partition(";")
        if not mark:
            return line
        facts = {"told": Verbatim(worded(first.strip())), "also": Verbatim(worded(rest.strip()))}
        return self._words.say("added", lang, **facts)

    def load(self, data: Mapping[str, Any]) -> Action:
        """An action from stored data."""
        try:
            return self._by_verb[data["verb"]].model_validate(data)
        except (KeyError, TypeError, ValidationError):
            return self._load_any(data)

    def _load_any(self, data: Mapping[str, Any]) -> Action:
        """Validate by the union of all actions: slower, but the error names what is wrong."""
        try:
            action: Action = self.adapter.validate_python(data)
        except ValidationError as error:
            wrong = first_mistake(error, self._words)
            raise ParseError("bad_action", field=wrong.place, problem=wrong.problem) from None
        return action
