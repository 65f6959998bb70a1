"""The scribe's notation: one grammar for all games, read and written.

``[SEAT] verb arguments…``. A single action needs no quoting in a shell; in files and in
the scribe's shell several actions stand on a line, separated by ``;``, and `` # `` begins
a comment. Case and accents do not matter. What cannot be read as it stands is read as people
say things (``loose_reader.py``), where that can only mean one action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from engines.kernel.messages.catalogue import (
    Catalogue,
    Language,
    normalize,
)
from engines.kernel.messages.errors import ParseError
from engines.kernel.notation.free_text import tidied
from engines.kernel.notation.grammar import (
    Flag,
    Keyword,
    Many,
    Stuck,
    Word,
    fewest_words,
    flat,
    keywords,
    most_words,
)
from engines.kernel.notation.loose_reader import LooseReader
from engines.kernel.notation.plain_reader import PlainReader
from engines.kernel.notation.usage import SEAT, Usage, in_french
from engines.kernel.rules.actions import Action, Audit, refuse_harmful

MAX_LINE = 1000
"""Characters of one action as it is typed."""
LINES_KEPT = 4096

_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
_WORDS_OF_A_NAME = 4

Players = Callable[[], Mapping[str, str]]
"""Names of players, normalized, and the seats they have."""


class Section(NamedTuple):
    """What may follow a keyword: one of these words; if there are none, a number or any word."""

    words: tuple[str, ...]
    is_number: bool


class Expected(NamedTuple):
    """A completion: the words a field accepts; an empty field name for a fixed word."""

    field: str
    words: tuple[str, ...]


class Notation:
    """Reads and writes the actions of one game."""

    def __init__(self, actions: Sequence[type[Action]], words: Catalogue) -> None:
        self.plain = PlainReader(actions, words)
        self.loose = LooseReader(self.plain)

    # reading

    def split(self, line: str, players: Players | None = None) -> list[str]:
        """The single actions of a line; comments are dropped."""
        return [text for part in self.parts(line, players) for text in self.apart(part)]

    def parts(self, line: str, players: Players | None = None) -> list[str]:
        """Split a line at its semicolons and drop the comment.

        With ``players``, names of players are replaced by their seats.
        """
        refuse_harmful(line, allowed="\t")
        if self.plain.json_action(line) is not None:
            return [line.strip()]
        plain = _COMMENT.sub("", line)
        parts = [part for part in (piece.strip() for piece in plain.split(";")) if part]
        return [self._with_seats(part, players) for part in parts] if players else parts

    def _with_seats(self, part: str, players: Players) -> str:
        """Replace the names of players by their seats, for the acting seat and in the arguments."""
        part = self._with_seat(part, players)
        if len(part) > MAX_LINE:
            return part
        readable = self.reads(part)
        if readable and not self._counts(part):
            return part
        known = self.plain.terms if readable else {}
        seats = {name: seat for name, seat in players().items() if name not in known}
        words = [seats.get(normalize(word.rstrip(",")), word) for word in part.split()]
        named = " ".join([part.split()[0], *words[1:]])
        return named if self.reads(named) else part

    def _counts(self, part: str) -> bool:
        """Whether a part is a count seen at the table: its words can be any."""
        return isinstance(self.read(part), Audit)

    def _with_seat(self, part: str, players: Players) -> str:
        """Replace a player's name at the beginning of a line by the seat."""
        words = part.split()
        if normalize(words[0]) in self.plain.verbs or SEAT.match(words[0].rstrip(":,")):
            return part
        for end in range(min(len(words) - 1, _WORDS_OF_A_NAME), 0, -1):
            seat = players().get(normalize(" ".join(words[:end]).rstrip(":,")))
            if seat is not None:
                rest = words[end + 1 :] if words[end] == ":" else words[end:]
                return " ".join([seat, *rest])
        return part

    def apart(self, part: str) -> list[str]:
        """Split a part into several actions, if it cannot be parsed as one."""
        if len(part) > MAX_LINE or self._is_plain(part):
            return [part]
        may_be_several = "," in part or self._is_long(part.split())
        if not may_be_several or self.reads(part):
            return [part]
        return self._repeated(part) or self._listed(part) or [part]

    def _is_long(self, words: list[str]) -> bool:
        """Whether there are enough words for two actions of this verb."""
        if len(words) < 3 or not self._lengths:
            return False
        _, said = self.plain.seat_of(tidied(words))
        length = self._lengths.get(normalize(said[0])) if said else None
        return length is not None and len(said) - 1 >= 2 * length.start

    def _is_plain(self, text: str) -> bool:
        """Fast path: whether it parses in the exact notation, as most lines do."""
        try:
            self._lately(text)
        except ParseError:
            return False
        return True

    def reads(self, text: str) -> bool:
        """Whether a text parses as one action."""
        try:
            self.read(text)
        except ParseError:
            return False
        return True

    def _repeated(self, part: str) -> list[str]:
        """``drop S E`` is ``drop S`` and ``drop E``, where it can be taken apart in one way."""
        seat, said = self.plain.seat_of(tidied(part.split()))
        lengths = self._lengths.get(normalize(said[0])) if said else None
        if lengths is None:
            return []
        head = said[:1] if seat is None else [seat, said[0]]
        ways: list[list[list[str]]] = [[[]]]
        for end in range(1, len(said)):
            found = []
            for start in range(max(0, end - lengths.stop + 1), end - lengths.start + 1):
                text = " ".join([*head, *said[start + 1 : end + 1]])
                if ways[start] and self._may_be_repeated(text):
                    found += [[*before, text] for before in ways[start]]
            ways.append(found[:2])
        return ways[-1][0] if len(ways[-1]) == 1 else []

    def _may_be_repeated(self, text: str) -> bool:
        try:
            return self.plain.read_plainly(text.split()).several
        except ParseError:
            return False

    def _listed(self, part: str) -> list[str]:
        """Split at commas, if every piece parses: ``step c3, pick``."""
        pieces = [piece for piece in map(str.strip, part.split(",")) if piece]
        if len(pieces) < 2 or not all(map(self.reads, pieces)):
            return []
        return pieces

    def read(self, text: str) -> Action:
        """One action. Raises ``ParseError`` with what is wrong and what was expected."""
        text = text.strip()
        refuse_harmful(text, allowed="\t")
        if (as_json := self.plain.json_action(text)) is not None:
            return as_json
        if len(text) > MAX_LINE:
            raise ParseError("line_too_long", length=len(text), limit=MAX_LINE)
        try:
            return self._lately(text)
        except ParseError:
            words = text.split()
            if (tidy := tidied(words)) == words:
                if (meant := self.loose.read(words)) is None:
                    raise
                return meant
        return self.read(" ".join(tidy))

    @cached_property
    def _lately(self) -> Callable[[str], Action]:
        """An LRU cache: a line is read when it is split, judged and told, and the same lines come
        again in every game."""
        return lru_cache(maxsize=LINES_KEPT)(lambda text: self.plain.read_plainly(text.split()))

    @cached_property
    def _lengths(self) -> dict[str, range]:
        """The verbs that may be repeated in one line, and how many words each takes."""
        found: dict[str, range] = {}
        for head, entries in self.plain.verbs.items():
            forms = [form.nodes for action, form in entries if action.several]
            if forms:
                found[head] = range(
                    max(1, min(map(fewest_words, forms))), max(map(most_words, forms)) + 1
                )
        return found

    # writing

    def write_in(self, action: Action, lang: Language) -> str:
        """Translate the line of an action, as far as it still parses to the same action."""
        line = self.write(action)
        if lang == "en" or self.plain.grammars[type(action)].as_json:
            return line
        return self._in_french(line)

    @cached_property
    def _in_french(self) -> Callable[[str], str]:
        return lru_cache(maxsize=4096)(self._translated)

    def _translated(self, line: str) -> str:
        """Translate into French; if that would parse differently, only the words that are safe."""
        try:
            action = self.read(line)
        except ParseError:  # a line of which something is hidden
            return line
        seat, words = self.plain.seat_of(line.split())
        before = [] if seat is None else [seat]
        verb = self._french(words[0]) if action.bare else (*action.french, words[0])[0]
        french = [verb, *map(self._french, words[1:])]
        if self._means([*before, *french], action):
            return " ".join([*before, *french])
        for index, word in enumerate(french):
            tried = [*words[:index], word, *words[index + 1 :]]
            words = tried if self._means([*before, *tried], action) else words
        return " ".join([*before, *words])

    def _means(self, words: list[str], action: Action) -> bool:
        try:
            return self.read(" ".join(words)) == action
        except ParseError:
            return False

    def _french(self, word: str) -> str:
        return in_french(word, self.plain.words)

    def write(self, action: Action) -> str:
        """The canonical line: reading it gives the same action."""
        grammar = self.plain.grammars[type(action)]
        seat = [] if action.by is None else [action.by]
        if grammar.as_json:
            body = action.model_dump(mode="json", exclude={"verb", "by"}, exclude_defaults=True)
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
            return " ".join([*seat, action.verb_of(), text])
        verb = [] if action.bare else [action.verb_of()]
        for form in grammar.forms:
            if (words := form.write(action, grammar)) is not None:
                return " ".join([*seat, *verb, *words])
        raise TypeError(f"no form of {type(action).__name__} can write {action!r}")

    # helping

    def knows(self, word: str) -> bool:
        """Whether this word is a verb, or may otherwise begin a line."""
        return normalize(word) in self.plain.verbs or normalize(word) in self.plain.as_json

    def usages(self, action: type[Action]) -> tuple[Usage, ...]:
        """The forms with placeholders: ``step SOURCE to TO``."""
        grammar = self.plain.grammars[action]
        if grammar.as_json:
            return (Usage(f"{action.verb_of()} {{…}}"),)
        return tuple(form.usage(action) for form in grammar.forms)

    def in_its_own_words(self, words: Sequence[str]) -> list[str]:
        """The beginning of a line with the verb replaced by its stored spelling."""
        seat, said = self.plain.seat_of(tidied(words))
        entries = self.plain.verbs.get(normalize(said[0])) if said else None
        if entries and not entries[0][0].bare:
            said = [entries[0][0].verb_of(), *said[1:]]
        return said if seat is None else [seat, *said]

    def signs(self, action: type[Action]) -> tuple[str, ...]:
        """The fixed words that every line of an action has between its fields."""
        forms = self.plain.grammars[action].forms
        return tuple(node.word for node in forms[0].nodes if isinstance(node, Keyword))

    def fixed_words(self, action: type[Action]) -> frozenset[str]:
        """The words that only join others in the lines of an action."""
        forms = self.plain.grammars[action].forms
        return frozenset(word for form in forms for word in keywords(form.nodes))

    def sections(self, action: type[Action]) -> dict[str, Section | None]:
        """The keywords of an action, and what may follow each; None behind a flag."""
        grammar = self.plain.grammars[action]
        found: dict[str, Section | None] = {}
        for node in flat(grammar.forms[0].nodes):
            if isinstance(node, Keyword | Flag):
                found[node.word] = None
            elif found:
                name = node.field if isinstance(node, Many) else node.fields[0]
                field = grammar.fields[name]
                found[[*found][-1]] = Section(field.vocabulary, field.counts)
        return found

    def expected(self, action: type[Action], said: Sequence[str]) -> Iterator[Expected]:
        """The completions for a line of this action, after the words typed so far."""
        fields = self.plain.grammars[action].fields
        for form in self.plain.grammars[action].forms:
            stuck: list[Stuck] = []
            for _ in form.match(list(said), self.plain.is_keyword, stuck):
                pass
            for left, _, node in stuck:
                if isinstance(node, Many) or (left == 0 and isinstance(node, Word)):
                    for name in (node.field,) if isinstance(node, Many) else node.fields[:1]:
                        yield Expected(name, fields[name].vocabulary)
                elif left == 0 and isinstance(node, Keyword | Flag):
                    yield Expected("", (node.word,))
