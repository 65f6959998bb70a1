"""Reads lines as the notation writes them: seat, verb, and the words of one of its forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

from pydantic import ValidationError

from engines.kernel.messages.catalogue import LANGUAGES, Catalogue, Verbatim, normalize
from engines.kernel.messages.errors import ParseError, close_to, first_mistake, hint
from engines.kernel.notation.fields import Spell, Speller
from engines.kernel.notation.grammar import Form, Grammar, Stuck
from engines.kernel.notation.misreading import example, likelier, misfit
from engines.kernel.notation.usage import SEAT, Typed, typed_verb
from engines.kernel.rules.actions import Action, refuse_harmful

MAX_JSON = 200_000
"""Characters of a declared position: that is a file, not a line."""
_JSON = re.compile(r"(?s)^\s*(?:([A-Ha-h])\s+)?(\w+)\s+(\{.*)$")


class PlainReader:
    """Parses lines in the exact notation, by the verbs and forms of one game."""

    def __init__(self, actions: Sequence[type[Action]], words: Catalogue) -> None:
        self.words = words
        self.grammars = {action: Grammar(action) for action in actions}
        self.verbs: dict[str, list[tuple[type[Action], Form]]] = {}
        self.as_json: dict[str, type[Action]] = {}
        self._canonical: list[Typed] = []
        for action, grammar in self.grammars.items():
            for head, form in grammar.entrances():
                self.verbs.setdefault(normalize(head), []).append((action, form))
            if grammar.as_json:
                names = (action.verb_of(), *action.french)
                self.as_json.update(dict.fromkeys(map(normalize, names), action))
            if action.bare:
                self._canonical += [Typed(head) for head, _ in grammar.entrances()]
            else:
                self._canonical.append(typed_verb(action))

    def read_plainly(self, words: list[str]) -> Action:
        seat, words = self.seat_of(words)
        if not words:
            raise ParseError("nothing_said")
        entries = self.verbs.get(normalize(words[0]))
        if entries is None:
            likely = map(self._verb_meant, close_to(normalize(words[0]), self.verbs))
            near = tuple(dict.fromkeys(likely))
            told = hint(near, self._canonical)
            raise ParseError("unknown_verb", word=Verbatim(words[0]), near=near, hint=told)
        return self._match(entries, words, seat)

    def _verb_meant(self, head: str) -> Typed:
        """A suggestion for a mistyped verb, with its likeliest form in each language."""
        action = self.verbs[head][0][0]
        french = next((verb for verb in action.french if normalize(verb) == head), None)
        if action.bare:
            return Typed(head)
        usual = typed_verb(action)
        return Typed(head, usual.french) if french is None else Typed(usual, french)

    def seat_of(self, words: list[str]) -> tuple[str | None, list[str]]:
        if len(words) > 1 and SEAT.match(words[0]):
            named = normalize(words[1]) in self.verbs
            if named or normalize(words[0]) not in self.verbs:
                return words[0].upper(), words[1:]
        return None, words

    def _match(
        self, entries: list[tuple[type[Action], Form]], words: list[str], seat: str | None
    ) -> Action:
        for action, form in entries:
            rest = words if form.has_head else words[1:]
            for captured in form.fits(rest, self.is_keyword):
                try:
                    return self._build(action, captured, seat)
                except ParseError:
                    continue
        raise self._misread(entries, words, seat)

    def _misread(
        self, entries: list[tuple[type[Action], Form]], words: list[str], seat: str | None
    ) -> ParseError:
        """The error to report if none of these forms matches."""
        problem: ParseError | None = None
        stuck: list[Stuck] = []
        for action, form in entries:
            rest = words if form.has_head else words[1:]
            for captured in form.match(rest, self.is_keyword, stuck):
                try:
                    self._build(action, captured, seat)
                except ParseError as error:
                    problem = likelier(problem, error, words)
        cut_short = any(left == 0 for left, *_ in stuck)
        if problem is None or (problem.key == "not_a_pair" and cut_short):
            usages = tuple(dict.fromkeys(form.usage(action) for action, form in entries))
            flaw = misfit(words, stuck)
            problem = ParseError("usage", verb=Verbatim(words[0]), usages=usages, problem=flaw)
        problem.facts |= example(entries[0][0])
        return problem

    def _build(self, action: type[Action], captured: dict[str, Any], seat: str | None) -> Action:
        grammar = self.grammars[action]
        values: dict[str, Any] = {} if seat is None else {"by": seat}
        for name, text in captured.items():
            values[name] = grammar.fields[name].read(text, self.spelled)
        try:
            return action.model_validate(values)
        except ValidationError as error:
            raise self._bad_value(action, error) from None

    @cached_property
    def terms(self) -> dict[str, tuple[str, ...]]:
        return self.words.aliases()

    def meant(self, word: str) -> tuple[str, ...]:
        """The words that a component's name may stand for."""
        return self.terms.get(normalize(word), ())

    @cached_property
    def spelled(self) -> Spell:
        """Resolve a word of a field, memoized; errors too, which are as slow to find."""

        @lru_cache(maxsize=4096)
        def spelling(speller: Speller, word: str) -> tuple[Any, tuple[str, dict[str, Any]] | None]:
            try:
                return speller.spell(word, self.meant), None
            except ParseError as problem:
                return None, (problem.key, problem.facts)

        def spelled(speller: Speller, word: str) -> Any:
            value, problem = spelling(speller, word)
            if problem is not None:
                raise ParseError(problem[0], **problem[1])
            return value

        return spelled

    @cached_property
    def is_keyword(self) -> Callable[[str, str], bool]:
        return lru_cache(maxsize=4096)(self.keyword)

    def keyword(self, typed: str, keyword: str) -> bool:
        if normalize(typed) == keyword:
            return True
        entry = self.words.entry(f"keyword.{keyword}")
        return entry is not None and any(
            normalize(typed) == normalize(alias)
            for lang in LANGUAGES
            for alias in entry[lang].split()
        )

    def json_action(self, text: str) -> Action | None:
        found = _JSON.match(text) if "{" in text else None
        if found is None:
            return None
        seat, head, rest = found.groups()
        if len(text) > MAX_JSON:
            raise ParseError("line_too_long", length=len(text), limit=MAX_JSON)
        action = self.as_json.get(normalize(head))
        if action is None:
            return None
        try:
            said = action.model_validate_json(rest)
        except ValidationError as error:
            raise self._bad_value(action, error) from None
        refuse_harmful(said.model_dump())
        return said.model_copy(update={"by": seat.upper()}) if seat else said

    def _bad_value(self, action: type[Action], error: ValidationError) -> ParseError:
        wrong = first_mistake(error, self.words)
        field = wrong.place or action.verb_of()
        if wrong.said is None:
            return ParseError("bad_parts", field=field, problem=wrong.problem)
        return ParseError(
            "bad_value", field=field, value=Verbatim(wrong.said), problem=wrong.problem
        )
