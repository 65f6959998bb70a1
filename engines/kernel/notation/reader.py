"""The scribe's notation: one grammar for all games, read and written.

``[SEAT] verb arguments…``. A single action needs no quoting in a shell; in files and in
the scribe's shell several actions stand on a line, separated by ``;``, and `` # `` begins
a comment. Case and accents do not matter. What cannot be read as it stands is read as people
say things, where that can only mean one action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice, permutations
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from engines.kernel.messages.catalogue import LANGUAGES, Catalogue, Language, Verbatim, normalize
from engines.kernel.messages.errors import ParseError, close_to, first_mistake, hint
from engines.kernel.notation.grammar import (
    Flag,
    Form,
    Grammar,
    IsKeyword,
    Keyword,
    Many,
    Stuck,
    Word,
    misfit,
)
from engines.kernel.notation.usage import SEAT, SEATS, Typed, Usage, in_french, typed_verb
from engines.kernel.rules.actions import (
    Action,
    Audit,
    Opening,
    by_one_name,
    refuse_beyond_limits,
    refuse_harmful,
)

MAX_LINE = 1000
"""Characters of one action as it is typed."""
MAX_JSON = 200_000
"""Characters of a declared position: that is a file, not a line."""
MOST_VARIANTS = 96
"""With more variants than this, a line counts as ambiguous."""
LINES_KEPT = 4096

_JSON = re.compile(r"(?s)^\s*(?:([A-Ha-h])\s+)?(\w+)\s+(\{.*)$")
_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
_WORDS_OF_A_NAME = 4
_LONGEST_NAME = 6
_PARTS_CHANGED_OVER = 4
_APART = re.compile(r"[^a-z0-9]+")
_ELIDED = re.compile(r"(?i)(?:[dl]|qu)['’](?=\w)")
_ARROW = re.compile(r"->|=>|→")
_COMMA = re.compile(r"(@-?\d+,-?\d+)|,")
"""The one between two coordinates, ``a1@0,-1``, is part of their name."""
_ONE_LETTER = re.compile(r"[A-Za-z]")

Players = Callable[[], Mapping[str, str]]
"""Names of players, normalized, and the seats they have."""
Entries = Sequence[tuple[type[Action], Form]]
"""The actions and forms that may begin with a word."""


class Section(NamedTuple):
    """What may follow a keyword: one of these words; if there are none, a number or any word."""

    words: tuple[str, ...]
    is_number: bool


class Expected(NamedTuple):
    """A completion: the words a field accepts; an empty field name for a fixed word."""

    field: str
    words: tuple[str, ...]


class LineReader:
    """Reads one action: as the notation writes it, else as people say it."""

    def __init__(self, actions: Sequence[type[Action]], words: Catalogue) -> None:
        self.words = words
        self.grammars = {action: Grammar(action, self.meant) for action in actions}
        self.verbs: dict[str, list[tuple[type[Action], Form]]] = {}
        self._as_json: dict[str, type[Action]] = {}
        self._canonical: list[Typed] = []
        for action, grammar in self.grammars.items():
            for head, form in grammar.entrances():
                self.verbs.setdefault(normalize(head), []).append((action, form))
            if grammar.as_json:
                names = (action.verb_of(), *action.french)
                self._as_json.update(dict.fromkeys(map(normalize, names), action))
            if action.bare:
                self._canonical += [Typed(head) for head, _ in grammar.entrances()]
            else:
                self._canonical.append(typed_verb(action))

    def read(self, text: str) -> Action:
        """One action. Raises ``ParseError`` with what is wrong and what was expected."""
        text = text.strip()
        refuse_harmful(text, allowed="\t")
        if (as_json := self.json_action(text)) is not None:
            return as_json
        if len(text) > MAX_LINE:
            raise ParseError("line_too_long", length=len(text), limit=MAX_LINE)
        try:
            return self._recent(text)
        except ParseError:
            words = text.split()
            if (tidy := tidied(words)) == words:
                if (meant := self.spoken(words)) is None:
                    raise
                return meant
        return self.read(" ".join(tidy))

    def meaning(self, text: str) -> Action | None:
        """The action that a text parses to, if it does."""
        try:
            return self.read(text)
        except ParseError:
            return None

    def reads(self, text: str) -> bool:
        """Whether a text parses as one action."""
        return self.meaning(text) is not None

    # as the notation writes it

    def exact(self, words: list[str], *, verbatim: bool = False) -> Action:
        """The action of a line in the exact notation, by the verbs and forms of the game.

        ``verbatim`` keeps colours as they are typed, as engines before 1.4 did.
        """
        seat, words = self.seat_of(words)
        if not words:
            raise ParseError("nothing_said")
        if not verbatim:
            words = [self._in_stored_colour(word) for word in words]
        if not (entries := self._entries(words[0])):
            likely = map(self._verb_meant, close_to(normalize(words[0]), self.verbs))
            near = tuple(dict.fromkeys(likely))
            likely_verb = hint(near, self._canonical)
            raise ParseError("unknown_verb", word=Verbatim(words[0]), near=near, hint=likely_verb)
        return self._match(entries, words, seat)

    def _in_stored_colour(self, word: str) -> str:
        """``A=rouge@a1`` with the colour as records keep it."""
        seat, sign, has = word.partition("=")
        if not sign or not SEAT.match(seat):
            return word
        colour, at, place = has.partition("@")
        return f"{seat}={self._colours.get(normalize(colour), colour)}{at}{place}"

    @cached_property
    def _colours(self) -> dict[str, str]:
        """Normalized names of the players' colours in any language."""
        return {
            normalize(name): key.removeprefix("colour.")
            for key in self.words
            if key.startswith("colour.")
            for name in (self.words.entry(key) or {}).values()
        }

    @cached_property
    def _recent(self) -> Callable[[str], Action]:
        """An LRU cache: a line is read when it is split, judged and told, and the same lines come
        again in every game."""
        return lru_cache(maxsize=LINES_KEPT)(lambda text: self.exact(text.split()))

    def exact_or_none(self, words: Iterable[str]) -> Action | None:
        try:
            return self._recent(" ".join(words))
        except ParseError:
            return None

    def _entries(self, head: str) -> Entries:
        return self.verbs.get(normalize(head), ())

    def _verb_meant(self, head: str) -> Typed:
        """A suggestion for a mistyped verb, with its likeliest form in each language."""
        action = self.verbs[head][0][0]
        french = next((verb for verb in action.french if normalize(verb) == head), None)
        if action.bare:
            return Typed(head)
        usual = typed_verb(action)
        return Typed(head, usual.french) if french is None else Typed(usual, french)

    def seat_of(self, words: list[str]) -> tuple[str | None, list[str]]:
        """The seat that a line begins with, if it does, and the words behind it."""
        if len(words) > 1 and SEAT.match(words[0]):
            named = normalize(words[1]) in self.verbs
            if named or normalize(words[0]) not in self.verbs:
                return words[0].upper(), words[1:]
        return None, words

    def _match(self, entries: Entries, words: list[str], seat: str | None) -> Action:
        """The action of the first form that fits; else the likeliest mistake is raised."""
        problem: ParseError | None = None
        stuck: list[Stuck] = []
        for action, form in entries:
            rest = words if form.has_head else words[1:]
            for captured in form.match(rest, self.is_keyword, stuck):
                try:
                    return self._build(action, captured, seat)
                except ParseError as error:
                    problem = _likelier(problem, error, words)
        cut_short = any(left == 0 for left, *_ in stuck)
        if problem is None or (problem.key == "not_a_pair" and cut_short):
            usages = tuple(dict.fromkeys(form.usage(action) for action, form in entries))
            flaw = misfit(words, stuck)
            problem = ParseError("usage", verb=Verbatim(words[0]), usages=usages, problem=flaw)
        problem.facts |= _example(entries[0][0])
        raise problem

    def _build(self, action: type[Action], captured: dict[str, Any], seat: str | None) -> Action:
        fields = self.grammars[action].fields
        values: dict[str, Any] = {} if seat is None else {"by": seat}
        values |= {name: fields[name].read(text) for name, text in captured.items()}
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
    def is_keyword(self) -> IsKeyword:
        """Whether a word as it was typed is a keyword in either language, memoized."""

        @lru_cache(maxsize=4096)
        def is_keyword(typed: str, keyword: str) -> bool:
            entry = self.words.entry(f"keyword.{keyword}") or {}
            aliases = (alias for lang in LANGUAGES for alias in entry.get(lang, "").split())
            return normalize(typed) in (keyword, *map(normalize, aliases))

        return is_keyword

    def json_action(self, text: str) -> Action | None:
        """A declared position, which is written as data; None for any other line."""
        matched = _JSON.match(text) if "{" in text else None
        if matched is None:
            return None
        seat, head, data = matched.groups()
        if len(text) > MAX_JSON:
            raise ParseError("line_too_long", length=len(text), limit=MAX_JSON)
        kind = self._as_json.get(normalize(head))
        if kind is None:
            return None
        try:
            action = kind.model_validate_json(data)
        except ValidationError as error:
            raise self._bad_value(kind, error) from None
        _refuse_two_names(action, data)
        refuse_harmful(said := action.model_dump())
        refuse_beyond_limits(said)
        return action.model_copy(update={"by": seat.upper()}) if seat else action

    def _bad_value(self, action: type[Action], error: ValidationError) -> ParseError:
        wrong = first_mistake(error, self.words)
        field = wrong.place or action.verb_of()
        if wrong.said is None:
            return ParseError("bad_parts", field=field, problem=wrong.problem)
        return ParseError(
            "bad_value", field=field, value=Verbatim(wrong.said), problem=wrong.problem
        )

    # as people say it

    def spoken(self, words: list[str]) -> Action | None:
        """The one action that these words can mean; None if there is none, or more than one.

        Synonyms, another order of the parts, a keyword that is missing, an outcome that is told.
        """
        seat, line = self.seat_of(words)
        if not line:
            return None
        before = [] if seat is None else [seat]
        for ways in (
            self._in_another_order(line),  # first: it leaves out no word
            self._variants(line),
            self._with_a_keyword(line),
        ):
            spoken = ([*before, *variant] for variant in ways)
            actions = self._distinct(variant for variant in spoken if variant != words)
            if actions:
                return actions[0] if len(actions) == 1 else None
        return self._confirmed(before, line)

    def _distinct(self, variants: Iterable[list[str]]) -> list[Action]:
        """The distinct actions that variants parse to; stops at two, which is ambiguous."""
        actions: list[Action] = []
        for meant in map(self.exact_or_none, variants):
            if meant is not None and meant not in actions:
                actions.append(meant)
            if len(actions) > 1:
                break
        return actions

    def _with_a_keyword(self, line: list[str]) -> Iterator[list[str]]:
        """Insert the form's only keyword at every place where it may have been left out.

        Who begins is never left out of an opening.
        """
        for action, form in self._entries(line[0]):
            if issubclass(action, Opening):
                return
            literals = [node.word for node in form.nodes if isinstance(node, Keyword)]
            if len(literals) == 1 and not any(self.is_keyword(word, literals[0]) for word in line):
                for index in range(1, len(line)):
                    if self._is_a_value(line[index]):
                        yield [*line[:index], literals[0], *line[index:]]

    def _in_another_order(self, line: list[str]) -> Iterator[list[str]]:
        """Swap the parts that begin with a keyword: ``give … pay …``."""
        begins = self._keywords_behind(line[0])
        starts = [place for place, typed in enumerate(line) if place and begins(typed)]
        if 1 < len(starts) <= _PARTS_CHANGED_OVER:
            ends = [*starts[1:], len(line)]
            parts = [line[start:end] for start, end in zip(starts, ends, strict=True)]
            for order in permutations(parts):
                yield [*line[: starts[0]], *chain.from_iterable(order)]

    def _keywords_behind(self, verb: str) -> Callable[[str], bool]:
        """Tells the words that are keywords of a form of this verb."""
        written = {word for _, form in self._entries(verb) for word in form.keywords}
        return lambda typed: any(self.is_keyword(typed, word) for word in written)

    def _is_a_value(self, word: str) -> bool:
        """Whether it names something of the game, and is not just accepted by an open field."""
        known = self.meant(word) or normalize(word) in self._values
        return bool(known or SEAT.match(word) or re.search(r"\d", word))

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        """All words of all fields."""
        grammars = self.grammars.values()
        fields = (field for grammar in grammars for field in grammar.fields.values())
        return tuple(dict.fromkeys(word for field in fields for word in field.vocabulary))

    @cached_property
    def _values(self) -> frozenset[str]:
        return frozenset(map(normalize, self._vocabulary))

    def _confirmed(self, before: list[str], line: list[str]) -> Action | None:
        """Drop words that only repeat the outcome: ``swap feather for crystal``."""
        for *words, last in self._variants(line):
            small = words[-1:] and normalize(words[-1]) in self.free_text.small
            action = self.exact_or_none([*before, *(words[:-1] if small else words)])
            if action is not None and any(
                action.brings(word) for word in (normalize(last), *self.meant(last))
            ):
                return action
        return None

    def _variants(self, line: list[str]) -> Iterator[list[str]]:
        """Other words for an action; only where a name comes first, it may be of several words."""
        head, *rest = line
        if self._entries(head):
            variants = self.free_text.variants(rest, self._keywords_behind(head))
            yield from ([head, *variant] for variant in variants)
            return
        for first, *others in filter(None, self.free_text.variants(line)):
            yield from ([verb, *others] for verb in self.meant(first) if self._entries(verb))

    @cached_property
    def free_text(self) -> FreeText:
        names = {plain_name(name): name for name in self.terms}
        names |= {plain_name(word): word for word in self._vocabulary}
        entry = self.words.entry("notation.small") or {}
        small = {normalize(word) for lang in LANGUAGES for word in entry.get(lang, "").split()}
        return FreeText(names, frozenset(small))


def _likelier(first: ParseError | None, other: ParseError, words: Sequence[str]) -> ParseError:
    """The more useful of two parse errors: the one further along the line.

    At the same word, the one that knows what was expected.
    """

    def rank(error: ParseError) -> tuple[int, bool]:
        named = str(error.facts.get("word", ""))
        place = next((i for i, word in enumerate(words) if named and named in word), len(words))
        return place, "expected" in error.facts

    return other if first is None or rank(other) > rank(first) else first


def _example(action: type[Action]) -> dict[str, Any]:
    """An example of an opening line, for an error message."""
    if not issubclass(action, Opening):
        return {}
    try:
        return {"example": Verbatim(action.usual(2))}
    except ParseError:
        return {}


def _refuse_two_names(action: Action, data: str) -> None:
    """Whatever the data of a position name is named once, in one way."""
    said = json.loads(data, object_pairs_hook=lambda pairs: by_one_name(pairs, str))
    fields = type(action).model_fields
    for field, told in said.items():
        kept = getattr(action, field)
        if isinstance(kept, Mapping) and len(kept) < len(told):
            alone = TypeAdapter(fields[field].rebuild_annotation()).validate_python
            meant = {name: next(iter(alone({name: value}))) for name, value in told.items()}
            by_one_name(told.items(), meant.__getitem__)


def plain_name(text: str) -> str:
    """Normalize a name for comparison: spelling variants of ``jeton d'argent`` become equal."""
    return _APART.sub("_", normalize(text)).strip("_")


def tidied(words: Sequence[str]) -> list[str]:
    """Drop commas and the colon behind the seat; an arrow becomes ``to``."""
    spaced = _COMMA.sub(lambda comma: comma[1] or " ", _ARROW.sub(" to ", " ".join(words)))
    tidy = spaced.split()
    if len(tidy) > 1 and tidy[1] == ":":
        del tidy[1]
    if tidy and tidy[0].endswith(":"):
        tidy[0] = tidy[0].removesuffix(":")
    return [word for word in tidy if word]


class FreeText:
    """Rewords a line: names of several words (``silver token``), small words that may be left out.

    It is asked only where the words themselves cannot be read.
    """

    def __init__(self, names: Mapping[str, str], small: frozenset[str]) -> None:
        self._names = {name: word for name, word in names.items() if "_" in name}
        self.small = small

    def variants(
        self, words: Sequence[str], keywords: Callable[[str], bool] = lambda word: False
    ) -> list[list[str]]:
        """Enumerate rewordings of the words behind a verb; empty if there are too many.

        Before that it tries again with every name of several words taken as a whole. A keyword of
        the verb is not dropped as a small word, unless it comes first or beside another keyword.
        """
        known = [True, *map(keywords, words), False]
        telling = [
            here and not (before or after)
            for before, here, after in zip(known, known[1:], known[2:], strict=False)
        ]
        for names_first in (False, True):
            variants = self._from(words, 0, names_first, telling)
            listed = list(islice(variants, MOST_VARIANTS + 1))
            if len(listed) <= MOST_VARIANTS:
                return listed
        return []

    def _from(
        self, words: Sequence[str], index: int, names_first: bool, telling: Sequence[bool]
    ) -> Iterator[list[str]]:
        if index == len(words):
            yield []
            return
        for used, instead in self._steps(words, index, names_first):
            if instead or not telling[index]:
                for rest in self._from(words, index + used, names_first, telling):
                    yield [*instead, *rest]

    def _steps(
        self, words: Sequence[str], index: int, names_first: bool
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The ways to read on from here: how many words are consumed, and what replaces them."""
        word = words[index]
        for used in range(min(_LONGEST_NAME, len(words) - index), 0, -1):
            name = self._name(words[index : index + used])
            if name is not None and name != normalize(word):
                yield used, (name,)
                if names_first:
                    return
        yield 1, (word,)
        if _ELIDED.match(word):
            yield 1, (_spelled_out(word),)
        if self._says_nothing(words, index):
            yield 1, ()

    def _name(self, words: Sequence[str]) -> str | None:
        """The word of the notation for a name of several words."""
        if not all(word in "?!" or plain_name(word) for word in words):
            return None
        name = " ".join(words)
        return self._names.get(plain_name(name)) or self._names.get(plain_name(_spelled_out(name)))

    def _says_nothing(self, words: Sequence[str], index: int) -> bool:
        """Whether a small word may be dropped: not at the end, nor where it may name a seat."""
        word = words[index]
        if index + 1 >= len(words) or normalize(word) not in self.small:
            return False
        is_letter = _ONE_LETTER.fullmatch(word) is not None
        return not is_letter or not (word.isupper() or _ONE_LETTER.fullmatch(words[index + 1]))


def _spelled_out(text: str) -> str:
    """Without the elided French article at its beginning (``l'``, ``d'``)."""
    return _ELIDED.sub("", text, count=1) if _ELIDED.match(text) else text


class Notation(LineReader):
    """Reads and writes the actions of one game."""

    # several actions in a line

    def split(self, line: str, players: Players | None = None) -> list[str]:
        """The single actions of a line; comments are dropped."""
        return [text for part in self.parts(line, players) for text in self.apart(part)]

    def parts(self, line: str, players: Players | None = None) -> list[str]:
        """Split a line at its semicolons and drop the comment.

        With ``players``, names of players are replaced by their seats.
        """
        refuse_harmful(line, allowed="\t")
        if self.json_action(line) is not None:
            return [line.strip()]
        parts = [part for part in map(str.strip, _COMMENT.sub("", line).split(";")) if part]
        return [self._with_seats(part, players) for part in parts] if players else parts

    def _with_seats(self, part: str, players: Players) -> str:
        """Replace the names of players by their seats, for the acting seat and in the arguments.

        The words of a count seen at the table can be any: there names are looked for too.
        """
        part = self._with_seat(part, players)
        if len(part) > MAX_LINE:
            return part
        action = self.meaning(part)
        if action is not None and not isinstance(action, Audit):
            return part
        known = {} if action is None else self.terms
        seats = {name: seat for name, seat in players().items() if name not in known}
        first, *words = part.split()
        named = " ".join([first, *(seats.get(normalize(word.rstrip(",")), word) for word in words)])
        return named if self.reads(named) else part

    def _with_seat(self, part: str, players: Players) -> str:
        """Replace a player's name at the beginning of a line by the seat."""
        words = part.split()
        if self._entries(words[0]) or SEAT.match(words[0].rstrip(":,")):
            return part
        for end in range(min(len(words) - 1, _WORDS_OF_A_NAME), 0, -1):
            seat = players().get(normalize(" ".join(words[:end]).rstrip(":,")))
            if seat is not None:
                rest = words[end + 1 :] if words[end] == ":" else words[end:]
                return " ".join([seat, *rest])
        return part

    def apart(self, part: str) -> list[str]:
        """Split a part into several actions, if it cannot be parsed as one."""
        words = part.split()
        if len(part) > MAX_LINE or self.exact_or_none(words) is not None:
            return [part]
        may_be_several = "," in part or self._is_long(words)
        if not may_be_several or self.reads(part):
            return [part]
        return self._repeated(part) or self._listed(part) or [part]

    def _is_long(self, words: list[str]) -> bool:
        """Whether there are enough words for two actions of this verb."""
        if len(words) < 3 or not self._lengths:
            return False
        _, line = self.seat_of(tidied(words))
        lengths = self._lengths.get(normalize(line[0])) if line else None
        return lengths is not None and len(line) - 1 >= 2 * lengths.start

    def _repeated(self, part: str) -> list[str]:
        """``drop S E`` is ``drop S`` and ``drop E``, where it can be taken apart in one way."""
        seat, line = self.seat_of(tidied(part.split()))
        lengths = self._lengths.get(normalize(line[0])) if line else None
        if lengths is None:
            return []
        head = line[:1] if seat is None else [seat, line[0]]
        ways: list[list[list[str]]] = [[[]]]
        for end in range(1, len(line)):
            ending_here = []
            for start in range(max(0, end - lengths.stop + 1), end - lengths.start + 1):
                words = [*head, *line[start + 1 : end + 1]]
                action = self.exact_or_none(words) if ways[start] else None
                if action is not None and action.several:
                    ending_here += [[*before, " ".join(words)] for before in ways[start]]
            ways.append(ending_here[:2])
        return ways[-1][0] if len(ways[-1]) == 1 else []

    def _listed(self, part: str) -> list[str]:
        """Split at commas, if every piece parses: ``step c3, pick``."""
        pieces = [piece for piece in map(str.strip, part.split(",")) if piece]
        return pieces if len(pieces) > 1 and all(map(self.reads, pieces)) else []

    @cached_property
    def _lengths(self) -> dict[str, range]:
        """The verbs that may be repeated in one line, and how many words each takes."""
        lengths: dict[str, range] = {}
        for head, entries in self.verbs.items():
            if forms := [form.lengths for action, form in entries if action.several]:
                fewest = max(1, min(words.start for words in forms))
                lengths[head] = range(fewest, max(words.stop for words in forms))
        return lengths

    # writing

    def write_in(self, action: Action, lang: Language) -> str:
        """Translate the line of an action, as far as it still parses to the same action."""
        line = self.write(action)
        if lang == "en" or self.grammars[type(action)].as_json:
            return line
        return self._in_french(line)

    @cached_property
    def _in_french(self) -> Callable[[str], str]:
        return lru_cache(maxsize=4096)(self._translated)

    def _translated(self, line: str) -> str:
        """Translate into French; if that would parse differently, only the words that are safe."""
        if (action := self.meaning(line)) is None:  # a line of which something is hidden
            return line
        seat, words = self.seat_of(line.split())
        before = [] if seat is None else [seat]
        french = [in_french(word, self.words) for word in words]
        if not action.bare:
            french[0] = (*action.french, words[0])[0]

        def line_of(words: list[str]) -> str:
            return " ".join([*before, *words])

        if self.meaning(line_of(french)) == action:
            return line_of(french)
        for index, word in enumerate(french):
            tried = [*words[:index], word, *words[index + 1 :]]
            words = tried if self.meaning(line_of(tried)) == action else words
        return line_of(words)

    def write(self, action: Action) -> str:
        """The canonical line: reading it gives the same action."""
        grammar = self.grammars[type(action)]
        seat = [] if action.by is None else [action.by]
        if grammar.as_json:
            body = action.model_dump(mode="json", exclude={"verb", "by"}, exclude_defaults=True)
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
            return " ".join([*seat, action.verb_of(), text])
        verb = [] if action.bare else [action.verb_of()]
        filled = grammar.filled(action)
        for form in grammar.forms:
            if (words := form.write(action, filled)) is not None:
                return " ".join([*seat, *verb, *words])
        raise TypeError(f"no form of {type(action).__name__} can write {action!r}")

    # helping

    def knows(self, word: str) -> bool:
        """Whether this word is a verb, or may otherwise begin a line."""
        return normalize(word) in self.verbs or normalize(word) in self._as_json

    def usages(self, action: type[Action]) -> tuple[Usage, ...]:
        """The forms with placeholders: ``step SOURCE to TO``."""
        grammar = self.grammars[action]
        if grammar.as_json:
            return (Usage(f"{action.verb_of()} {{…}}"),)
        return tuple(form.usage(action) for form in grammar.forms)

    def in_its_own_words(self, words: Sequence[str]) -> list[str]:
        """The beginning of a line with the verb replaced by its stored spelling."""
        seat, line = self.seat_of(tidied(words))
        entries = self._entries(line[0]) if line else ()
        if entries and not entries[0][0].bare:
            line = [entries[0][0].verb_of(), *line[1:]]
        return line if seat is None else [seat, *line]

    def signs(self, action: type[Action]) -> tuple[str, ...]:
        """The fixed words that every line of an action has between its fields."""
        nodes = self.grammars[action].forms[0].nodes
        return tuple(node.word for node in nodes if isinstance(node, Keyword))

    def fixed_words(self, action: type[Action]) -> frozenset[str]:
        """The words that only join others in the lines of an action."""
        return frozenset(word for form in self.grammars[action].forms for word in form.keywords)

    def filled_by(self, action: type[Action], word: str) -> Iterator[str]:
        """The fields of an action that a word may fill in its lines.

        Numbers that say how many name no thing, and a letter that may be any seat's is a seat.
        """
        grammar = self.grammars[action]
        is_seat = SEAT.match(word) is not None
        for form in grammar.forms:
            for part in form.parts:
                if isinstance(part, Flag):
                    if part.word == word:
                        yield part.field
                    continue
                if isinstance(part, Many):
                    filled: Mapping[str, str | None] = {part.field: word}
                elif isinstance(part, Word) and (matched := part.pattern.fullmatch(word)):
                    filled = matched.groupdict()
                else:
                    continue
                field = next(iter(filled))
                says_whose = is_seat and all(map(grammar.fields[field].takes, SEATS))
                if field in action.amounts or says_whose:
                    continue
                if all(
                    text is None or grammar.fields[name].takes(text)
                    for name, text in filled.items()
                ):
                    yield field

    def sections(self, action: type[Action]) -> dict[str, Section | None]:
        """The keywords of an action, and what may follow each; None behind a flag."""
        grammar = self.grammars[action]
        sections: dict[str, Section | None] = {}
        for part in grammar.forms[0].parts:
            if isinstance(part, Keyword | Flag):
                sections[part.word] = None
            elif sections:
                field = grammar.fields[part.field if isinstance(part, Many) else part.fields[0]]
                sections[[*sections][-1]] = Section(field.vocabulary, field.counts)
        return sections

    def expected(self, action: type[Action], typed: Sequence[str]) -> Iterator[Expected]:
        """The completions for a line of this action, after the words typed so far."""
        fields = self.grammars[action].fields
        for form in self.grammars[action].forms:
            stuck: list[Stuck] = []
            for _ in form.match(list(typed), self.is_keyword, stuck):
                pass
            for left, _, node in stuck:
                if isinstance(node, Many) or (left == 0 and isinstance(node, Word)):
                    for name in (node.field,) if isinstance(node, Many) else node.fields[:1]:
                        yield Expected(name, fields[name].vocabulary)
                elif left == 0 and isinstance(node, Keyword | Flag):
                    yield Expected("", (node.word,))
