"""The scribe's notation: one grammar for all games, read and written.

``[SEAT] verb arguments…``. A single action needs no quoting in a shell; in files and in
the scribe's shell several actions stand on a line, separated by ``;``, and `` # `` begins
a comment. Case and accents do not matter. What cannot be read as it stands is read as people
say things (``loosely.py``), where that can only mean one action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, permutations
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from msgspec import Struct
from pydantic import TypeAdapter, ValidationError

from engines.kernel.messages.catalogue import (
    LANGUAGES,
    Catalogue,
    Language,
    Phrase,
    Spoken,
    Verbatim,
    normalize,
)
from engines.kernel.messages.errors import ParseError, close_to, first_mistake, hint
from engines.kernel.notation.free_text import FreeText, plain_name, tidied
from engines.kernel.rules.actions import Action, Opening, refuse_harmful

MAX_LINE = 1000
"""Characters of one action as it is typed."""
MAX_JSON = 200_000
"""Characters of a declared position: that is a file, not a line."""

_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
_JSON = r"(?s)^\s*(?:([A-Ha-h])\s+)?(\w+)\s+(\{.*)$"
_SEAT = re.compile(r"^[A-Ha-h]$")
_FIELD = re.compile(r"\{([a-z_]+)\}")
_BLANK = r"[A-Z][A-Z_]+"
_KEYWORD = r"(?<![\w@])[a-z_]+(?!\w)"
_LETTERS = r"(\d(?=.$))?([^\W\d_]{1,20})"
"""Things of a single letter, several at once, or one with its number."""

_WORDS_OF_A_NAME = 4
_PARTS_CHANGED_OVER = 4

Players = Callable[[], Mapping[str, str]]
"""Names of players, folded, and the seats they have."""
_Meant = Callable[[str], tuple[str, ...]]
_IsKeyword = Callable[[str, str], bool]
"""Whether a word, as it was typed, is this keyword."""
_Spell = Callable[["_Speller", str], Any]


class Notation:
    """Reads and writes the actions of one game."""

    def __init__(self, actions: Sequence[type[Action]], words: Catalogue) -> None:
        self._words = words
        self._grammars = {action: _Grammar(action) for action in actions}
        self._verbs: dict[str, list[tuple[type[Action], _Form]]] = {}
        self._as_json: dict[str, type[Action]] = {}
        self._canonical: list[Typed] = []
        for action, grammar in self._grammars.items():
            for head, form in grammar.entrances():
                self._verbs.setdefault(normalize(head), []).append((action, form))
            if grammar.as_json:
                names = (action.verb_of(), *action.french)
                self._as_json.update(dict.fromkeys(map(normalize, names), action))
            if action.bare:
                self._canonical += [Typed(head) for head, _ in grammar.entrances()]
            else:
                self._canonical.append(_verb(action))

    # reading

    def split(self, line: str, players: Players | None = None) -> list[str]:
        """The single actions of a line; comments are dropped."""
        return [text for part in self.parts(line, players) for text in self.apart(part)]

    def parts(self, line: str, players: Players | None = None) -> list[str]:
        """What stands between the semicolons of a line, without its comment.

        ``players`` gives the names that may be said for a seat, if one may have been said.
        """
        refuse_harmful(line, allowed="\t")
        if self._json_action(line) is not None:
            return [line.strip()]
        plain = _COMMENT.sub("", line)
        parts = [part for part in (piece.strip() for piece in plain.split(";")) if part]
        return [self._with_seats(part, players) for part in parts] if players else parts

    def _with_seats(self, part: str, players: Players) -> str:
        """The letters of seats for names of players: of whoever acts, and of others in the line."""
        part = self._with_seat(part, players)
        if len(part) > MAX_LINE or self.reads(part):
            return part
        seats = players()
        words = [seats.get(normalize(word.rstrip(",")), word) for word in part.split()]
        named = " ".join([part.split()[0], *words[1:]])
        return named if self.reads(named) else part

    def _with_seat(self, part: str, players: Players) -> str:
        """The letter of a seat for the name of a player that the line begins with."""
        words = part.split()
        if normalize(words[0]) in self._verbs or _SEAT.match(words[0].rstrip(":,")):
            return part
        for end in range(min(len(words) - 1, _WORDS_OF_A_NAME), 0, -1):
            seat = players().get(normalize(" ".join(words[:end]).rstrip(":,")))
            if seat is not None:
                rest = words[end + 1 :] if words[end] == ":" else words[end:]
                return " ".join([seat, *rest])
        return part

    def apart(self, part: str) -> list[str]:
        """One action; those that were said at once, if it cannot be a single one."""
        if len(part) > MAX_LINE or self._is_plain(part):
            return [part]
        may_be_several = "," in part or self._is_long(part.split())
        if not may_be_several or self.reads(part):
            return [part]
        return self._repeated(part) or self._listed(part) or [part]

    def _is_long(self, words: list[str]) -> bool:
        """Whether the words are enough for two actions of the verb."""
        if len(words) < 3 or not self._lengths:
            return False
        _, said = self._seat(tidied(words))
        length = self._lengths.get(normalize(said[0])) if said else None
        return length is not None and len(said) - 1 >= 2 * length.start

    def _is_plain(self, text: str) -> bool:
        """Whether it is an action as the notation writes it: most lines are."""
        try:
            self._lately(text)
        except ParseError:
            return False
        return True

    def reads(self, text: str) -> bool:
        """Whether a text is one action."""
        try:
            self.read(text)
        except ParseError:
            return False
        return True

    def _repeated(self, part: str) -> list[str]:
        """``drop S E`` is ``drop S`` and ``drop E``, where it can be taken apart in one way."""
        seat, said = self._seat(tidied(part.split()))
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
            return self._plainly(text.split()).several
        except ParseError:
            return False

    def _listed(self, part: str) -> list[str]:
        """``step c3, pick``: where every piece between commas can be read."""
        pieces = [piece for piece in map(str.strip, part.split(",")) if piece]
        if len(pieces) < 2 or not all(map(self.reads, pieces)):
            return []
        return pieces

    def read(self, text: str) -> Action:
        """One action. Raises ``ParseError`` with what is wrong and what was expected."""
        text = text.strip()
        refuse_harmful(text, allowed="\t")
        if (as_json := self._json_action(text)) is not None:
            return as_json
        if len(text) > MAX_LINE:
            raise ParseError("line_too_long", length=len(text), limit=MAX_LINE)
        try:
            return self._lately(text)
        except ParseError:
            words = text.split()
            if (tidy := tidied(words)) == words:
                if (meant := self._loosely(words)) is None:
                    raise
                return meant
        return self.read(" ".join(tidy))

    @cached_property
    def _lately(self) -> Callable[[str], Action]:
        """What was read just now: a line is looked at when it is split, and when it is heard."""
        return lru_cache(maxsize=32)(lambda text: self._plainly(text.split()))

    def _plainly(self, words: list[str]) -> Action:
        seat, words = self._seat(words)
        if not words:
            raise ParseError("nothing_said")
        entries = self._verbs.get(normalize(words[0]))
        if entries is None:
            likely = map(self._verb_meant, close_to(normalize(words[0]), self._verbs))
            near = tuple(dict.fromkeys(likely))
            told = hint(near, self._canonical)
            raise ParseError("unknown_verb", word=Verbatim(words[0]), near=near, hint=told)
        return self._match(entries, words, seat)

    def _verb_meant(self, head: str) -> Typed:
        """A verb that may have been meant: in each language the one that is most like it."""
        action = self._verbs[head][0][0]
        french = next((verb for verb in action.french if normalize(verb) == head), None)
        if action.bare:
            return Typed(head)
        usual = _verb(action)
        return Typed(head, usual.french) if french is None else Typed(usual, french)

    def _loosely(self, words: list[str]) -> Action | None:
        """The one action that can be meant by words that nothing is written with."""
        seat, said = self._seat(words)
        if not said:
            return None
        before = [] if seat is None else [seat]
        for ways in (
            self._variants(said),
            self._with_a_keyword(said),
            self._in_another_order(said),
        ):
            spoken = ([*before, *variant] for variant in ways)
            found = self._all_that_is_read(each for each in spoken if each != words)
            if found:
                return found[0] if len(found) == 1 else None
        return self._confirmed(before, said)

    def _all_that_is_read(self, ways: Iterable[list[str]]) -> list[Action]:
        """The different actions that some words can be, two at most."""
        found: list[Action] = []
        for words in ways:
            try:
                meant = self._plainly(words)
            except ParseError:
                continue
            if meant not in found:
                found.append(meant)
            if len(found) > 1:
                break
        return found

    def _with_a_keyword(self, said: list[str]) -> Iterator[list[str]]:
        """The words with the one keyword that their form has and nobody has said.

        Who begins is never left out of an opening.
        """
        for action, form in self._verbs.get(normalize(said[0]), ()):
            if issubclass(action, Opening):
                return
            literals = [node.word for node in form.nodes if isinstance(node, _Literal)]
            if len(literals) == 1 and not any(self._keyword(word, literals[0]) for word in said):
                for index in range(1, len(said)):
                    if self._is_a_value(said[index]):
                        yield [*said[:index], literals[0], *said[index:]]

    def _in_another_order(self, said: list[str]) -> Iterator[list[str]]:
        """The words with the parts that begin with a keyword changed over: ``give … pay …``."""
        entries = self._verbs.get(normalize(said[0]), ())
        keywords = {word for _, form in entries for word in _keywords(form.nodes)}
        starts = [
            place
            for place, typed in enumerate(said)
            if place and any(self._is_keyword(typed, word) for word in keywords)
        ]
        if 1 < len(starts) <= _PARTS_CHANGED_OVER:
            ends = [*starts[1:], len(said)]
            parts = [said[start:end] for start, end in zip(starts, ends, strict=True)]
            for order in permutations(parts):
                yield [*said[: starts[0]], *chain.from_iterable(order)]

    def _is_a_value(self, word: str) -> bool:
        """Whether it names something, and is no chance word that a field would take as well."""
        known = self._meant(word) or normalize(word) in self._values
        return bool(known or _SEAT.match(word) or re.search(r"\d", word))

    @cached_property
    def _values(self) -> frozenset[str]:
        grammars = self._grammars.values()
        fields = (field for grammar in grammars for field in grammar.fields.values())
        return frozenset(normalize(word) for field in fields for word in field.vocabulary)

    def _confirmed(self, before: list[str], said: list[str]) -> Action | None:
        """An action followed by what it brings anyway: ``swap feather for crystal``."""
        for *line, last in self._variants(said):
            small = line[-1:] and normalize(line[-1]) in self._loose.small
            found = self._all_that_is_read([[*before, *(line[:-1] if small else line)]])
            if found and any(
                found[0].brings(word) for word in (normalize(last), *self._meant(last))
            ):
                return found[0]
        return None

    def _variants(self, said: list[str]) -> Iterator[list[str]]:
        """Other words for an action; only where a name comes first, it may be of several words."""
        if (entries := self._verbs.get(normalize(said[0]))) is not None:
            written = {word for _, form in entries for word in _keywords(form.nodes)}

            def tells(typed: str) -> bool:
                return any(self._is_keyword(typed, word) for word in written)

            yield from ([said[0], *rest] for rest in self._loose.variants(said[1:], tells))
            return
        for first, *rest in filter(None, self._loose.variants(said)):
            yield from (
                [head, *rest] for head in self._meant(first) if normalize(head) in self._verbs
            )

    @cached_property
    def _loose(self) -> FreeText:
        names = {plain_name(name): name for name in self._terms}
        for grammar in self._grammars.values():
            for field in grammar.fields.values():
                names.update({plain_name(word): word for word in field.vocabulary})
        entry = self._words.entry("notation.small") or {}
        small = {normalize(word) for lang in LANGUAGES for word in entry.get(lang, "").split()}
        return FreeText(names, frozenset(small))

    @cached_property
    def _lengths(self) -> dict[str, range]:
        """The verbs that may be said several times at once, and how many words follow them."""
        found: dict[str, range] = {}
        for head, entries in self._verbs.items():
            forms = [form.nodes for action, form in entries if action.several]
            if forms:
                found[head] = range(max(1, min(map(_least, forms))), max(map(_most, forms)) + 1)
        return found

    def _seat(self, words: list[str]) -> tuple[str | None, list[str]]:
        if len(words) > 1 and _SEAT.match(words[0]):
            named = normalize(words[1]) in self._verbs
            if named or normalize(words[0]) not in self._verbs:
                return words[0].upper(), words[1:]
        return None, words

    def _match(
        self, entries: list[tuple[type[Action], _Form]], words: list[str], seat: str | None
    ) -> Action:
        for action, form in entries:
            rest = words if action.bare and form.has_head else words[1:]
            for captured in form.fits(rest, self._is_keyword):
                try:
                    return self._build(action, captured, seat)
                except ParseError:
                    continue
        raise self._misread(entries, words, seat)

    def _misread(
        self, entries: list[tuple[type[Action], _Form]], words: list[str], seat: str | None
    ) -> ParseError:
        """Why none of these forms gives an action."""
        problem: ParseError | None = None
        stuck: list[_Stuck] = []
        for action, form in entries:
            rest = words if action.bare and form.has_head else words[1:]
            for captured in form.match(rest, self._is_keyword, stuck):
                try:
                    self._build(action, captured, seat)
                except ParseError as error:
                    problem = _likelier(problem, error, words)
        cut_short = any(left == 0 for left, *_ in stuck)
        if problem is None or (problem.key == "not_a_pair" and cut_short):
            usages = tuple(dict.fromkeys(form.usage(action) for action, form in entries))
            flaw = _misfit(words, stuck)
            problem = ParseError("usage", verb=Verbatim(words[0]), usages=usages, problem=flaw)
        problem.facts |= _example(entries[0][0])
        return problem

    def _build(self, action: type[Action], captured: dict[str, Any], seat: str | None) -> Action:
        grammar = self._grammars[action]
        values: dict[str, Any] = {} if seat is None else {"by": seat}
        for name, text in captured.items():
            values[name] = grammar.fields[name].read(text, self._spelled)
        try:
            return action.model_validate(values)
        except ValidationError as error:
            raise self._bad_value(action, error) from None

    @cached_property
    def _terms(self) -> dict[str, tuple[str, ...]]:
        return self._words.aliases()

    def _meant(self, word: str) -> tuple[str, ...]:
        """What the name of a component stands for."""
        return self._terms.get(normalize(word), ())

    @cached_property
    def _spelled(self) -> _Spell:
        """What a word stands for in a field; remembered, also what is to be said against it."""

        @lru_cache(maxsize=4096)
        def spelling(speller: _Speller, word: str) -> tuple[Any, tuple[str, dict[str, Any]] | None]:
            try:
                return speller.spell(word, self._meant), None
            except ParseError as problem:
                return None, (problem.key, problem.facts)

        def spelled(speller: _Speller, word: str) -> Any:
            value, problem = spelling(speller, word)
            if problem is not None:
                raise ParseError(problem[0], **problem[1])
            return value

        return spelled

    @cached_property
    def _is_keyword(self) -> Callable[[str, str], bool]:
        return lru_cache(maxsize=4096)(self._keyword)

    def _keyword(self, typed: str, keyword: str) -> bool:
        if normalize(typed) == keyword:
            return True
        entry = self._words.entry(f"keyword.{keyword}")
        return entry is not None and any(
            normalize(typed) == normalize(alias)
            for lang in LANGUAGES
            for alias in entry[lang].split()
        )

    def _json_action(self, text: str) -> Action | None:
        found = re.match(_JSON, text) if "{" in text else None
        if found is None:
            return None
        seat, head, rest = found.groups()
        if len(text) > MAX_JSON:
            raise ParseError("line_too_long", length=len(text), limit=MAX_JSON)
        action = self._as_json.get(normalize(head))
        if action is None:
            return None
        try:
            said = action.model_validate_json(rest)
        except ValidationError as error:
            raise self._bad_value(action, error) from None
        refuse_harmful(said.model_dump())
        return said.model_copy(update={"by": seat.upper()}) if seat else said

    def _bad_value(self, action: type[Action], error: ValidationError) -> ParseError:
        wrong = first_mistake(error, self._words)
        field = wrong.place or action.verb_of()
        if wrong.said is None:
            return ParseError("bad_parts", field=field, problem=wrong.problem)
        return ParseError(
            "bad_value", field=field, value=Verbatim(wrong.said), problem=wrong.problem
        )

    # writing

    def write_in(self, action: Action, lang: Language) -> str:
        """The line in the words of a language, as far as they are read as the same action."""
        line = self.write(action)
        if lang == "en" or self._grammars[type(action)].as_json:
            return line
        return self._in_french(line)

    @cached_property
    def _in_french(self) -> Callable[[str], str]:
        return lru_cache(maxsize=4096)(self._translated)

    def _translated(self, line: str) -> str:
        """All words in French; one by one, where that would be read as something else."""
        try:
            action = self.read(line)
        except ParseError:  # a line of which something is hidden
            return line
        seat, words = self._seat(line.split())
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
        return _in_french(word, self._words)

    def write(self, action: Action) -> str:
        """The canonical line: reading it gives the same action."""
        grammar = self._grammars[type(action)]
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
        """Whether a line may begin with this word."""
        return normalize(word) in self._verbs or normalize(word) in self._as_json

    def usages(self, action: type[Action]) -> tuple[Usage, ...]:
        """The forms with placeholders: ``step SOURCE to TO``."""
        grammar = self._grammars[action]
        if grammar.as_json:
            return (Usage(f"{action.verb_of()} {{…}}"),)
        return tuple(form.usage(action) for form in grammar.forms)

    def in_its_own_words(self, words: Sequence[str]) -> list[str]:
        """The beginning of a line with the verb as the notation writes it."""
        seat, said = self._seat(tidied(words))
        entries = self._verbs.get(normalize(said[0])) if said else None
        if entries and not entries[0][0].bare:
            said = [entries[0][0].verb_of(), *said[1:]]
        return said if seat is None else [seat, *said]

    def signs(self, action: type[Action]) -> tuple[str, ...]:
        """The words between the parts of an action that every line of it has."""
        forms = self._grammars[action].forms
        return tuple(node.word for node in forms[0].nodes if isinstance(node, _Literal))

    def sections(self, action: type[Action]) -> dict[str, Section | None]:
        """The keywords of an action, and what a field behind each takes; none behind a flag."""
        grammar = self._grammars[action]
        found: dict[str, Section | None] = {}
        for node in _flat(grammar.forms[0].nodes):
            if isinstance(node, _Literal | _Flag):
                found[node.word] = None
            elif found:
                name = node.field if isinstance(node, _Many) else node.fields[0]
                field = grammar.fields[name]
                found[[*found][-1]] = Section(field.vocabulary, field.counts)
        return found

    def expected(self, action: type[Action], said: Sequence[str]) -> Iterator[Expected]:
        """What may come next in a line of this action, of which so much has been said."""
        fields = self._grammars[action].fields
        for form in self._grammars[action].forms:
            stuck: list[_Stuck] = []
            for _ in form.match(list(said), self._is_keyword, stuck):
                pass
            for left, _, node in stuck:
                if isinstance(node, _Many) or (left == 0 and isinstance(node, _Glued)):
                    for name in (node.field,) if isinstance(node, _Many) else node.fields[:1]:
                        yield Expected(name, fields[name].vocabulary)
                elif left == 0 and isinstance(node, _Literal | _Flag):
                    yield Expected("", (node.word,))


class Section(NamedTuple):
    """What stands behind a keyword: one of these words; with none, a number or anything."""

    words: tuple[str, ...]
    is_number: bool


class Expected(NamedTuple):
    """What may come next: the words of a field; no field, if they are part of the form."""

    field: str
    words: tuple[str, ...]


class Typed(Verbatim):
    """A word that may be typed in a line: whoever speaks French is told the French one."""

    french: str | None

    def __new__(cls, word: str, french: str | None = None) -> Typed:
        typed = super().__new__(cls, word)
        typed.french = french
        return typed

    def said(self, words: Catalogue, lang: Language) -> str:
        return str(self) if lang == "en" else self.french or _named_in_french(self, words)


def _verb(action: type[Action]) -> Typed:
    return Typed(action.verb_of(), next(iter(action.french), action.verb_of()))


def _in_french(word: str, words: Catalogue) -> str:
    """A word of a line in French: of the form, or the name of something."""
    if (entry := words.entry(f"keyword.{word}")) is not None:
        return entry["fr"].split()[0]
    return _named_in_french(word, words)


def _named_in_french(word: str, words: Catalogue) -> str:
    seat, equals, value = word.partition("=")
    if equals and _SEAT.match(seat):
        has, at, place = value.partition("@")
        return f"{seat}={_named_in_french(has, words)}{at}{place}"
    name = words.term(word, "fr")
    return str(word) if _SEAT.match(word) or ";" in name or "," in name else _one_word(name)


class Usage(str, Spoken):
    """How an action is written: what is typed, and in capitals the fields to fill in."""

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
            return _in_french(match.group(), words) if known else match.group()

        verb = "" if self.verb is None else self.verb.said(words, lang)
        rest = self if self.verb is None else self.removeprefix(self.verb)
        return verb + re.sub(_BLANK, named, re.sub(_KEYWORD, typed, rest))


# The pattern language of ``Action.forms``.


class _Literal(Struct, frozen=True):
    word: str


class _Glued(Struct, frozen=True):
    """One word made of fields and fixed characters: ``{worker}[@{at}]``."""

    pattern: re.Pattern[str]
    parts: tuple[tuple[str, bool], ...]
    """Templates to write, in order; the flag says that a part is optional."""
    fields: tuple[str, ...]
    whole: bool
    """It is a field and nothing else."""


class _Many(Struct, frozen=True):
    field: str


class _Flag(Struct, frozen=True):
    field: str
    word: str


class _Optional(Struct, frozen=True):
    nodes: tuple[_Node, ...]


_Node = _Literal | _Glued | _Many | _Flag | _Optional
_Stuck = tuple[int, int, _Node | None]
"""How many words and how many parts of the form were left, and the part that was tried."""


class _Form:
    def __init__(self, text: str, *, has_head: bool = False) -> None:
        self.text = text
        self.has_head = has_head

    @cached_property
    def nodes(self) -> tuple[_Node, ...]:
        return _compile(self.text)

    @cached_property
    def _ways(self) -> tuple[_Way, ...] | None:
        """The form with and without its optional parts, in the order in which they are tried.

        None where a list is not at the end: then there are more ways to tell its words apart.
        """
        ways = tuple(_ways(self.nodes))
        if any(isinstance(node, _Many) for way in ways for node in way[:-1]):
            return None
        return tuple(map(_Way, ways))

    def fits(self, words: list[str], keyword: _IsKeyword) -> Iterator[dict[str, Any]]:
        """The fields that the words give: what ``match`` finds, without what it notes."""
        if self._ways is None:
            yield from self.match(words, keyword, [])
            return
        said = len(words)
        for way in self._ways:
            if way.length == said or (way.is_open and way.length < said):
                captured = way.fitted(words, keyword)
                if captured is not None:
                    yield captured

    def match(
        self, words: list[str], keyword: _IsKeyword, stuck: list[_Stuck]
    ) -> Iterator[dict[str, Any]]:
        """The fields that the words give; where they lead no further is noted in ``stuck``."""
        for index, captured in _match(self.nodes, words, 0, {}, keyword, stuck):
            if index == len(words):
                yield captured
            else:
                stuck.append((len(words) - index, 0, None))

    def write(self, action: Action, grammar: _Grammar) -> list[str] | None:
        said = {name for name in grammar.fields if grammar.is_said(action, name)}
        written: set[str] = set()
        words = _write(self.nodes, action, said, written)
        return words if words is not None and said <= written else None

    def usage(self, action: type[Action]) -> Usage:
        shown = re.sub(r"\{([a-z_]+)\?([a-z_]+)\}", r"\2", self.text)
        shown = re.sub(r"\{([a-z_]+)\?\}", r"\1", shown)
        shown = re.sub(r"\{([a-z_]+)\.\.\.\}", lambda m: m.group(1).upper() + "…", shown)
        shown = _FIELD.sub(lambda m: m.group(1).upper(), shown)
        if action.bare:
            return Usage(shown)
        return Usage(f"{action.verb_of()} {shown}".strip(), _verb(action))


class _Grammar:
    """The compiled notation of one action class."""

    def __init__(self, action: type[Action]) -> None:
        self.action = action
        self.as_json = action.forms == ("{json}",)
        tail = " [readings {readings...}] [kit {kit}]" if issubclass(action, Opening) else ""
        self.forms = (
            ()
            if self.as_json
            else tuple(_Form(form + tail, has_head=action.bare) for form in action.forms)
        )

    @cached_property
    def fields(self) -> dict[str, _Field]:
        return {
            name: _Field(name, info.annotation, info.metadata)
            for name, info in self.action.model_fields.items()
            if name not in ("verb", "by")
        }

    def entrances(self) -> Iterator[tuple[str, _Form]]:
        """Every first word that leads to a form."""
        if self.as_json:
            return
        for form in self.forms:
            for head in self._heads(form):
                yield head, form
        for text in self.action.also:
            head, _, rest = text.partition(" ")
            yield head, _Form(rest)

    def _heads(self, form: _Form) -> tuple[str, ...]:
        if not self.action.bare:
            return (self.action.verb_of(), *self.action.french)
        first = form.nodes[0]
        if not isinstance(first, _Glued):
            raise TypeError(f"{self.action.__name__}: a bare form begins with a field")
        return self.fields[first.fields[0]].vocabulary

    def is_said(self, action: Action, name: str) -> bool:
        info = type(action).model_fields[name]
        value = getattr(action, name)
        return bool(info.is_required() or value != info.get_default(call_default_factory=True))


class _Field:
    """How the words of one field become its value."""

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
        *key, item = (_Speller(name, kind) for kind in kinds)
        self._key = key[0] if key else item
        self._item = item
        self.vocabulary = item.vocabulary
        self.counts = bare is int

    def read(self, text: Any, spelled: _Spell) -> Any:
        if text is True:
            return True
        if self.shape == "list":
            return tuple(value for word in text for value in self._at_once(word, spelled))
        if self.shape == "dict":
            return dict(self._pair(word, spelled) for word in text)
        return spelled(self._item, text)

    def _at_once(self, word: str, spelled: _Spell) -> list[Any]:
        """One value; or several, where each is a single letter: ``ggw``, ``2g``."""
        try:
            return [spelled(self._item, word)]
        except ParseError:
            if not self._are_letters or (found := re.fullmatch(_LETTERS, word)) is None:
                raise
            count, letters = found.groups()
            return [spelled(self._item, letter) for letter in letters * int(count or 1)]

    @cached_property
    def _are_letters(self) -> bool:
        return bool(self.vocabulary) and all(len(word) == 1 for word in self.vocabulary)

    def _pair(self, word: str, spelled: _Spell) -> tuple[Any, Any]:
        key, sign, value = word.partition("=")
        if not sign or not key or not value:
            raise ParseError("not_a_pair", word=Verbatim(word), field=self.name)
        named = key.upper() if _SEAT.match(key) else key
        return spelled(self._key, named), spelled(self._item, value)


class _Speller:
    """Finds the value a word stands for: as it is, in another case, by its name, in French."""

    def __init__(self, field: str, kind: Any) -> None:
        self._field = field
        self._kind = kind
        self.vocabulary = _literals(kind)

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self._kind)

    def _spellings(self, word: str, meant: _Meant) -> Iterator[str]:
        yield from (word, word.lower(), word.upper())
        yield from meant(word)
        yield from (value for value in self.vocabulary if normalize(value) == normalize(word))

    def spell(self, word: str, meant: _Meant) -> Any:
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
    """What the type of a field itself says against a word."""
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
    """All words that a type allows; none where it allows others as well."""
    bare = _without_none(annotation)
    if get_origin(bare) is Literal:
        return tuple(str(value) for value in get_args(bare))
    if get_origin(bare) not in (Union, UnionType):
        return ()
    parts = [_literals(part) for part in get_args(bare)]
    return tuple(chain.from_iterable(parts)) if all(parts) else ()


def _compile(text: str) -> tuple[_Node, ...]:
    return tuple(_node(token) for token in _tokens(text))


def _tokens(text: str) -> Iterator[str]:
    """Words and whole optional parts; a bracket inside a word belongs to the word."""
    token, depth = "", 0
    for char in text:
        if char == " " and depth == 0:
            if token:
                yield token
            token = ""
            continue
        depth += (char == "[") - (char == "]")
        token += char
    if token:
        yield token


def _least(nodes: tuple[_Node, ...]) -> int:
    """The fewest words that a form can have."""
    return sum(not isinstance(node, _Optional) for node in nodes)


def _flat(nodes: tuple[_Node, ...]) -> Iterator[_Literal | _Glued | _Many | _Flag]:
    """The parts of a form, optional or not."""
    for node in nodes:
        if isinstance(node, _Optional):
            yield from _flat(node.nodes)
        else:
            yield node


def _keywords(nodes: tuple[_Node, ...]) -> Iterator[str]:
    """The words that are written as they are."""
    return (node.word for node in _flat(nodes) if isinstance(node, _Literal | _Flag))


def _most(nodes: tuple[_Node, ...]) -> int:
    """The most words that a form without lists can have."""
    return sum(_most(node.nodes) if isinstance(node, _Optional) else 1 for node in nodes)


def _node(token: str) -> _Node:
    if token.startswith("["):
        return _Optional(_compile(token[1:-1]))
    if found := re.fullmatch(r"\{([a-z_]+)\.\.\.\}", token):
        return _Many(found.group(1))
    if found := re.fullmatch(r"\{([a-z_]+)\?([a-z_]*)\}", token):
        return _Flag(found.group(1), found.group(2) or found.group(1))
    if "{" not in token:
        return _Literal(token)
    return _glued(token)


def _glued(token: str) -> _Glued:
    pieces = re.findall(r"\[[^\]]*\]|[^\[\]]+", token)
    pattern, parts, fields = "", [], []
    for piece in pieces:
        optional = piece.startswith("[")
        body = piece[1:-1] if optional else piece
        fields += _FIELD.findall(body)
        parts.append((body, optional))
        regex = ""
        for chunk in re.split(r"(\{[a-z_]+\})", body):
            if found := _FIELD.fullmatch(chunk):
                regex += f"(?P<{found.group(1)}>[^@=:/+#,]+)"
            else:
                regex += re.escape(chunk)
        pattern += f"(?:{regex})?" if optional else regex
    whole = len(fields) == 1 and token == f"{{{fields[0]}}}"
    if whole:
        pattern = f"(?P<{fields[0]}>.+)"
    return _Glued(re.compile(pattern), tuple(parts), tuple(fields), whole)


def _ways(nodes: tuple[_Node, ...]) -> Iterator[tuple[_Node, ...]]:
    if not nodes:
        yield ()
        return
    node, rest = nodes[0], nodes[1:]
    if isinstance(node, _Optional):
        yield from _ways((*node.nodes, *rest))
        yield from _ways(rest)
    else:
        yield from ((node, *way) for way in _ways(rest))


class _Way:
    """A form without optional parts: a word a part, or a list of them at its end."""

    def __init__(self, nodes: tuple[_Node, ...]) -> None:
        self._nodes = nodes
        self.length = len(nodes)
        self.is_open = bool(nodes) and isinstance(nodes[-1], _Many)
        names = [node.fields[0] for node in nodes if isinstance(node, _Glued) and node.whole]
        self._names = names if len(names) == self.length else None
        """The fields, if every word is one of its own."""

    def fitted(self, words: list[str], keyword: _IsKeyword) -> dict[str, Any] | None:
        """The fields that the words give, of which none is left over."""
        if self._names is not None:
            return dict(zip(self._names, words, strict=True))
        got: dict[str, Any] = {}
        for node, word in zip(self._nodes, words, strict=False):
            if isinstance(node, _Glued):
                if node.whole:
                    got[node.fields[0]] = word
                elif (found := node.pattern.fullmatch(word)) is None:
                    return None
                else:
                    said = found.groupdict().items()
                    got |= {name: text for name, text in said if text is not None}
            elif isinstance(node, _Many):
                got[node.field] = words[self.length - 1 :]
            elif isinstance(node, _Literal | _Flag):
                if not keyword(word, node.word):
                    return None
                if isinstance(node, _Flag):
                    got[node.field] = True
        return got


def _match(
    nodes: tuple[_Node, ...],
    words: list[str],
    index: int,
    got: dict[str, Any],
    keyword: _IsKeyword,
    stuck: list[_Stuck],
) -> Iterator[tuple[int, dict[str, Any]]]:
    if not nodes:
        yield index, got
        return
    node, rest = nodes[0], nodes[1:]
    if isinstance(node, _Optional):
        if index < len(words):
            yield from _match((*node.nodes, *rest), words, index, got, keyword, stuck)
        yield from _match(rest, words, index, got, keyword, stuck)
        return
    stuck.append((len(words) - index, len(rest), node))
    if index >= len(words):
        return
    word = words[index]
    if isinstance(node, _Literal):
        if keyword(word, node.word):
            yield from _match(rest, words, index + 1, got, keyword, stuck)
    elif isinstance(node, _Flag):
        if keyword(word, node.word):
            flagged = {**got, node.field: True}
            yield from _match(rest, words, index + 1, flagged, keyword, stuck)
    elif isinstance(node, _Many):
        for end in range(len(words), index if rest else len(words) - 1, -1):
            many = {**got, node.field: words[index:end]}
            yield from _match(rest, words, end, many, keyword, stuck)
    elif found := node.pattern.fullmatch(word):
        said = {name: text for name, text in found.groupdict().items() if text is not None}
        yield from _match(rest, words, index + 1, {**got, **said}, keyword, stuck)


def _likelier(one: ParseError | None, other: ParseError, words: Sequence[str]) -> ParseError:
    """Which of two objections is to what was meant: the one that comes later in the line.

    In the same place, the one that knows what would fit.
    """
    if one is None or _rank(other, words) > _rank(one, words):
        return other
    return one


def _rank(error: ParseError, words: Sequence[str]) -> tuple[int, bool]:
    """How far the words were understood, and whether it is known what should stand there."""
    said = str(error.facts.get("word", ""))
    place = next((i for i, word in enumerate(words) if said and said in word), len(words))
    return place, "expected" in error.facts


def _misfit(words: list[str], stuck: list[_Stuck]) -> Phrase:
    """What is missing at the end of a line, or the first word that leads nowhere."""
    words_left, parts_left = min(tried[:2] for tried in stuck)
    if words_left:
        return Phrase("form.misplaced", {"word": Verbatim(words[-words_left])})
    ends = (node for *at, node in stuck if at == [0, parts_left] and node is not None)
    return Phrase("form.part_missing", {"parts": tuple(dict.fromkeys(map(_blank, ends)))})


def _blank(node: _Node) -> Usage:
    """How a part of a form is shown to somebody who has left it out."""
    if isinstance(node, _Literal | _Flag):
        return Usage(node.word)
    if isinstance(node, _Many):
        return Usage(node.field.upper())
    return Usage("/".join(node.fields).upper() if isinstance(node, _Glued) else "")


def _one_word(name: str) -> str:
    return re.sub(r"\s+", "_", name.rstrip("!?… \u202f\u00a0"))


def _example(action: type[Action]) -> dict[str, Any]:
    """A table that can be opened, for whoever cannot write one."""
    if not issubclass(action, Opening):
        return {}
    try:
        return {"example": Verbatim(action.usual(2))}
    except ParseError:
        return {}


def _write(
    nodes: tuple[_Node, ...], action: Action, said: set[str], written: set[str]
) -> list[str] | None:
    """The words of these nodes, or None if a field they need is not said."""
    words: list[str] = []
    for node in nodes:
        if isinstance(node, _Literal):
            words.append(node.word)
        elif isinstance(node, _Optional):
            inner: set[str] = set()
            optional = _write(node.nodes, action, said, inner)
            if optional is not None:
                words += optional
                written |= inner
        elif isinstance(node, _Flag):
            if not getattr(action, node.field):
                return None
            words.append(node.word)
            written.add(node.field)
        elif isinstance(node, _Many):
            if node.field not in said:
                return None
            words += _many_words(getattr(action, node.field))
            written.add(node.field)
        else:
            word = ""
            for template, optional_part in node.parts:
                names = _FIELD.findall(template)
                if not said.issuperset(names):
                    if optional_part:
                        continue
                    return None
                word += _FIELD.sub(lambda m: str(getattr(action, m.group(1))), template)
                written.update(names)
            words.append(word)
    return words


def _many_words(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={item}" for key, item in value.items()]
    return [str(item) for item in value]
