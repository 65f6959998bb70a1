"""Second attempt at a line: synonyms, other word order, a missing keyword.

Accepted only if exactly one action can be meant; ambiguous lines stay refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, permutations

from engines.kernel.messages.catalogue import LANGUAGES, normalize
from engines.kernel.messages.errors import ParseError
from engines.kernel.notation.free_text import FreeText, plain_name
from engines.kernel.notation.grammar import Keyword, keywords
from engines.kernel.notation.plain_reader import PlainReader
from engines.kernel.notation.usage import SEAT
from engines.kernel.rules.actions import Action, Opening

_PARTS_CHANGED_OVER = 4


class LooseReader:
    """Tries variants of a line that cannot be read as it stands."""

    def __init__(self, plain: PlainReader) -> None:
        self._plain = plain

    def read(self, words: list[str]) -> Action | None:
        """The one action that these words can mean; None if there is none, or more than one."""
        seat, said = self._plain.seat_of(words)
        if not said:
            return None
        before = [] if seat is None else [seat]
        for ways in (
            self._in_another_order(said),  # first: it leaves out no word
            self._variants(said),
            self._with_a_keyword(said),
        ):
            spoken = ([*before, *variant] for variant in ways)
            found = self._all_that_is_read(each for each in spoken if each != words)
            if found:
                return found[0] if len(found) == 1 else None
        return self._confirmed(before, said)

    def _all_that_is_read(self, ways: Iterable[list[str]]) -> list[Action]:
        """The distinct actions that these variants parse to; stops at two, which is ambiguous."""
        found: list[Action] = []
        for words in ways:
            try:
                meant = self._plain.read_plainly(words)
            except ParseError:
                continue
            if meant not in found:
                found.append(meant)
            if len(found) > 1:
                break
        return found

    def _with_a_keyword(self, said: list[str]) -> Iterator[list[str]]:
        """Insert the form's only keyword at every place where it may have been left out.

        Who begins is never left out of an opening.
        """
        for action, form in self._plain.verbs.get(normalize(said[0]), ()):
            if issubclass(action, Opening):
                return
            literals = [node.word for node in form.nodes if isinstance(node, Keyword)]
            if len(literals) == 1 and not any(
                self._plain.keyword(word, literals[0]) for word in said
            ):
                for index in range(1, len(said)):
                    if self._is_a_value(said[index]):
                        yield [*said[:index], literals[0], *said[index:]]

    def _in_another_order(self, said: list[str]) -> Iterator[list[str]]:
        """Swap the parts that begin with a keyword: ``give … pay …``."""
        entries = self._plain.verbs.get(normalize(said[0]), ())
        written = {word for _, form in entries for word in keywords(form.nodes)}
        starts = [
            place
            for place, typed in enumerate(said)
            if place and any(self._plain.is_keyword(typed, word) for word in written)
        ]
        if 1 < len(starts) <= _PARTS_CHANGED_OVER:
            ends = [*starts[1:], len(said)]
            parts = [said[start:end] for start, end in zip(starts, ends, strict=True)]
            for order in permutations(parts):
                yield [*said[: starts[0]], *chain.from_iterable(order)]

    def _is_a_value(self, word: str) -> bool:
        """Whether it names something of the game, and is not just accepted by an open field."""
        known = self._plain.meant(word) or normalize(word) in self._values
        return bool(known or SEAT.match(word) or re.search(r"\d", word))

    @cached_property
    def _values(self) -> frozenset[str]:
        grammars = self._plain.grammars.values()
        fields = (field for grammar in grammars for field in grammar.fields.values())
        return frozenset(normalize(word) for field in fields for word in field.vocabulary)

    def _confirmed(self, before: list[str], said: list[str]) -> Action | None:
        """Drop words that only repeat the outcome: ``swap feather for crystal``."""
        for *line, last in self._variants(said):
            small = line[-1:] and normalize(line[-1]) in self.free_text.small
            found = self._all_that_is_read([[*before, *(line[:-1] if small else line)]])
            if found and any(
                found[0].brings(word) for word in (normalize(last), *self._plain.meant(last))
            ):
                return found[0]
        return None

    def _variants(self, said: list[str]) -> Iterator[list[str]]:
        """Other words for an action; only where a name comes first, it may be of several words."""
        if (entries := self._plain.verbs.get(normalize(said[0]))) is not None:
            written = {word for _, form in entries for word in keywords(form.nodes)}

            def tells(typed: str) -> bool:
                return any(self._plain.is_keyword(typed, word) for word in written)

            yield from ([said[0], *rest] for rest in self.free_text.variants(said[1:], tells))
            return
        for first, *rest in filter(None, self.free_text.variants(said)):
            yield from (
                [head, *rest]
                for head in self._plain.meant(first)
                if normalize(head) in self._plain.verbs
            )

    @cached_property
    def free_text(self) -> FreeText:
        names = {plain_name(name): name for name in self._plain.terms}
        for grammar in self._plain.grammars.values():
            for field in grammar.fields.values():
                names.update({plain_name(word): word for word in field.vocabulary})
        entry = self._plain.words.entry("notation.small") or {}
        small = {normalize(word) for lang in LANGUAGES for word in entry.get(lang, "").split()}
        return FreeText(names, frozenset(small))
