"""The notation of actions: the pattern language of ``Action.forms``, and the words of a field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Struct
from pydantic import TypeAdapter, ValidationError

from engines.kernel.messages.catalogue import Phrase, Verbatim, normalize
from engines.kernel.messages.errors import ParseError, close_to
from engines.kernel.notation.usage import SEAT, Typed, Usage, typed_verb
from engines.kernel.rules.actions import Action, Opening

SPELLINGS_KEPT = 1024
"""Size of the cache of each field's words."""
FIELD = re.compile(r"\{([a-z_]+)\}")
IsKeyword = Callable[[str, str], bool]
"""Whether a word, as it was typed, is this keyword."""
Meant = Callable[[str], tuple[str, ...]]
"""What the name of a component stands for."""
_COUNT = re.compile(r"[1-9]|1\d|20")
_LETTERS = re.compile(r"(\d(?=.$))?([^\W\d_]{1,20})")
"""Things of a single letter, several at once, or one with its number."""


# forms


class Keyword(Struct, frozen=True):
    """A fixed word of a form, such as ``to``."""

    word: str


class Word(Struct, frozen=True):
    """One word made of fields and fixed characters: ``{worker}[@{at}]``."""

    pattern: re.Pattern[str]
    parts: tuple[tuple[str, bool], ...]
    """Templates to write, in order; the flag says that a part is optional."""
    fields: tuple[str, ...]
    whole: bool
    """It is a field and nothing else."""


class Many(Struct, frozen=True):
    """A list: one or more words of the same field (``{tokens...}``)."""

    field: str


class Flag(Struct, frozen=True):
    """A fixed word that sets a boolean field if it is there (``{saddle?}``)."""

    field: str
    word: str


class OptionalPart(Struct, frozen=True):
    """Parts of a form that may be left out together (``[from {source}]``)."""

    nodes: tuple[Node, ...]


Node = Keyword | Word | Many | Flag | OptionalPart
Stuck = tuple[int, int, Node | None]
"""How many words and how many parts of the form were left, and the part that was tried."""


class Form:
    """One way to write the arguments of an action: parses words into fields, and writes them."""

    def __init__(self, text: str, *, has_head: bool = False) -> None:
        self.text = text
        self.has_head = has_head

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(map(_node, _tokens(self.text)))

    @cached_property
    def parts(self) -> tuple[Keyword | Word | Many | Flag, ...]:
        """All parts of the form, with those inside optional parts."""
        return tuple(_flat(self.nodes))

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """The fixed words of the form."""
        return tuple(part.word for part in self.parts if isinstance(part, Keyword | Flag))

    @property
    def lengths(self) -> range:
        """How many words a form without lists may have."""
        fewest = sum(not isinstance(node, OptionalPart) for node in self.nodes)
        return range(fewest, len(self.parts) + 1)

    def match(
        self, words: list[str], keyword: IsKeyword, stuck: list[Stuck]
    ) -> Iterator[dict[str, Any]]:
        """The captured fields of every way to match; dead ends go to ``stuck``, for hints."""
        for index, captured in _match(self.nodes, words, 0, {}, keyword, stuck):
            if index == len(words):
                yield captured
            else:
                stuck.append((len(words) - index, 0, None))

    def write(self, action: Action, filled: set[str]) -> list[str] | None:
        """The words of an action; None unless all of its ``filled`` fields have a place here."""
        written: set[str] = set()
        words = _write(self.nodes, action, filled, written)
        return words if words is not None and filled <= written else None

    def usage(self, action: type[Action]) -> Usage:
        shown = re.sub(r"\{([a-z_]+)\?([a-z_]+)\}", r"\2", self.text)
        shown = re.sub(r"\{([a-z_]+)\?\}", r"\1", shown)
        shown = re.sub(r"\{([a-z_]+)\.\.\.\}", lambda m: m.group(1).upper() + "…", shown)
        shown = FIELD.sub(lambda m: m.group(1).upper(), shown)
        if action.bare:
            return Usage(shown)
        return Usage(f"{action.verb_of()} {shown}".strip(), typed_verb(action))


class Grammar:
    """The compiled notation of one action class."""

    def __init__(self, action: type[Action], meant: Meant) -> None:
        self.action = action
        self._meant = meant
        self.as_json = action.forms == ("{json}",)
        tail = " [readings {readings...}] [kit {kit}]" if issubclass(action, Opening) else ""
        self.forms = (
            ()
            if self.as_json
            else tuple(Form(form + tail, has_head=action.bare) for form in action.forms)
        )

    @cached_property
    def fields(self) -> dict[str, Field]:
        return {
            name: Field(name, info.annotation, info.metadata, self._meant)
            for name, info in self.action.model_fields.items()
            if name not in ("verb", "by")
        }

    def entrances(self) -> Iterator[tuple[str, Form]]:
        """Every first word with which a form can begin."""
        if self.as_json:
            return
        for form in self.forms:
            for head in self._heads(form):
                yield head, form
        for text in self.action.also:
            head, _, rest = text.partition(" ")
            if (named := FIELD.fullmatch(head)) is None:
                yield head, Form(rest)
                continue
            for word in self.fields[named[1]].vocabulary:
                yield word, Form(text, has_head=True)

    def _heads(self, form: Form) -> tuple[str, ...]:
        if not self.action.bare:
            return (self.action.verb_of(), *self.action.french)
        first = form.nodes[0]
        if not isinstance(first, Word):
            raise TypeError(f"{self.action.__name__}: a bare form begins with a field")
        return self.fields[first.fields[0]].vocabulary

    def filled(self, action: Action) -> set[str]:
        """The fields that a line of this action must tell: all that are not as by default."""
        return {
            name
            for name in self.fields
            for info in (self.action.model_fields[name],)
            if info.is_required()
            or getattr(action, name) != info.get_default(call_default_factory=True)
        }


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


def _node(token: str) -> Node:
    if token.startswith("["):
        return OptionalPart(tuple(map(_node, _tokens(token[1:-1]))))
    if matched := re.fullmatch(r"\{([a-z_]+)\.\.\.\}", token):
        return Many(matched.group(1))
    if matched := re.fullmatch(r"\{([a-z_]+)\?([a-z_]*)\}", token):
        return Flag(matched.group(1), matched.group(2) or matched.group(1))
    if "{" not in token:
        return Keyword(token)
    return _glued(token)


def _glued(token: str) -> Word:
    pieces = re.findall(r"\[[^\]]*\]|[^\[\]]+", token)
    pattern, parts, fields = "", [], []
    for piece in pieces:
        optional = piece.startswith("[")
        body = piece[1:-1] if optional else piece
        fields += FIELD.findall(body)
        parts.append((body, optional))
        regex = ""
        for chunk in re.split(r"(\{[a-z_]+\})", body):
            if matched := FIELD.fullmatch(chunk):
                regex += f"(?P<{matched.group(1)}>[^@=:/+#,]+)"
            else:
                regex += re.escape(chunk)
        pattern += f"(?:{regex})?" if optional else regex
    whole = len(fields) == 1 and token == f"{{{fields[0]}}}"
    if whole:
        pattern = f"(?P<{fields[0]}>.+)"
    return Word(re.compile(pattern), tuple(parts), tuple(fields), whole)


def _flat(nodes: tuple[Node, ...]) -> Iterator[Keyword | Word | Many | Flag]:
    for node in nodes:
        if isinstance(node, OptionalPart):
            yield from _flat(node.nodes)
        else:
            yield node


def _match(
    nodes: tuple[Node, ...],
    words: list[str],
    index: int,
    got: dict[str, Any],
    keyword: IsKeyword,
    stuck: list[Stuck],
) -> Iterator[tuple[int, dict[str, Any]]]:
    if not nodes:
        yield index, got
        return
    node, rest = nodes[0], nodes[1:]
    if isinstance(node, OptionalPart):
        if index < len(words):
            yield from _match((*node.nodes, *rest), words, index, got, keyword, stuck)
        yield from _match(rest, words, index, got, keyword, stuck)
        return
    stuck.append((len(words) - index, len(rest), node))
    if index >= len(words):
        return
    word = words[index]
    if isinstance(node, Keyword | Flag):
        if keyword(word, node.word):
            flagged = {**got, node.field: True} if isinstance(node, Flag) else got
            yield from _match(rest, words, index + 1, flagged, keyword, stuck)
    elif isinstance(node, Many):
        for end in range(len(words), index if rest else len(words) - 1, -1):
            many = {**got, node.field: words[index:end]}
            yield from _match(rest, words, end, many, keyword, stuck)
    elif node.whole:
        yield from _match(rest, words, index + 1, {**got, node.fields[0]: word}, keyword, stuck)
    elif matched := node.pattern.fullmatch(word):
        values = {name: text for name, text in matched.groupdict().items() if text is not None}
        yield from _match(rest, words, index + 1, {**got, **values}, keyword, stuck)


def _write(
    nodes: tuple[Node, ...], action: Action, filled: set[str], written: set[str]
) -> list[str] | None:
    """The words of these nodes, or None if a field they need has no value."""
    words: list[str] = []
    for node in nodes:
        if isinstance(node, Keyword):
            words.append(node.word)
        elif isinstance(node, OptionalPart):
            inner: set[str] = set()
            optional = _write(node.nodes, action, filled, inner)
            if optional is not None:
                words += optional
                written |= inner
        elif isinstance(node, Flag):
            if not getattr(action, node.field):
                return None
            words.append(node.word)
            written.add(node.field)
        elif isinstance(node, Many):
            if node.field not in filled:
                return None
            value = getattr(action, node.field)
            pairs = isinstance(value, Mapping)
            words += [f"{key}={value[key]}" if pairs else str(key) for key in value]
            written.add(node.field)
        else:
            word = ""
            for template, optional_part in node.parts:
                names = FIELD.findall(template)
                if not filled.issuperset(names):
                    if optional_part:
                        continue
                    return None
                word += FIELD.sub(lambda m: str(getattr(action, m.group(1))), template)
                written.update(names)
            words.append(word)
    return words


def misfit(words: list[str], stuck: list[Stuck]) -> Phrase:
    """What is missing at the end of a line, or the first word that no form allows."""
    words_left, parts_left = min(tried[:2] for tried in stuck)
    if words_left:
        return Phrase("form.misplaced", {"word": Verbatim(words[-words_left])})
    ends = (node for *at, node in stuck if at == [0, parts_left] and node is not None)
    return Phrase("form.part_missing", {"parts": tuple(dict.fromkeys(map(_blank, ends)))})


def _blank(node: Node) -> Usage:
    """The placeholder shown for a missing part of a form."""
    if isinstance(node, Keyword | Flag):
        return Usage(node.word)
    if isinstance(node, Many):
        return Usage(node.field.upper())
    return Usage("/".join(node.fields).upper() if isinstance(node, Word) else "")


# fields


class Field:
    """Parses the words of one field into its value."""

    def __init__(self, name: str, annotation: Any, metadata: Sequence[Any], meant: Meant) -> None:
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
        *key, item = (Speller(name, kind, meant) for kind in kinds)
        self._key = key[0] if key else item
        self._item = item
        self.vocabulary = item.vocabulary
        self.counts = bare is int

    def read(self, text: Any) -> Any:
        if text is True:
            return True
        if self.shape == "list":
            words = self._counted_out(text) if self.vocabulary else text
            return tuple(value for word in words for value in self._at_once(word))
        if self.shape == "dict":
            return dict(map(self._pair, text))
        return self._item.spell(" ".join(text) if isinstance(text, list) else text)

    def takes(self, word: str) -> bool:
        """Whether a word, as records have it, is a value of this field."""
        try:
            return str(self._item.spell(word)) == word
        except ParseError:
            return False

    def _counted_out(self, words: Sequence[str]) -> Iterator[str]:
        """``2 green`` is ``green green``, where no word of the field is a number."""
        for count, word in zip(("", *words), words, strict=False):
            if _COUNT.fullmatch(word) and word is not words[-1] and word not in self.vocabulary:
                continue
            counts = _COUNT.fullmatch(count) and count not in self.vocabulary
            yield from (word,) * (int(count) if counts else 1)

    def _at_once(self, word: str) -> list[Any]:
        """One value; or several, where each is a single letter: ``ggw``, ``2g``."""
        try:
            return [self._item.spell(word)]
        except ParseError:
            if not self._are_letters or (matched := _LETTERS.fullmatch(word)) is None:
                raise
            count, letters = matched.groups()
            return [self._item.spell(letter) for letter in letters * int(count or 1)]

    @cached_property
    def _are_letters(self) -> bool:
        return bool(self.vocabulary) and all(len(word) == 1 for word in self.vocabulary)

    def _pair(self, word: str) -> tuple[Any, Any]:
        key, sign, value = word.partition("=")
        if not sign or not key or not value:
            raise ParseError("not_a_pair", word=Verbatim(word), field=self.name)
        return self._key.spell(key.upper() if SEAT.match(key) else key), self._item.spell(value)


class Speller:
    """Resolves a word to a value: exactly, in another case, by its name, or in French."""

    def __init__(self, field: str, kind: Any, meant: Meant) -> None:
        self._field = field
        self._kind = kind
        self._meant = meant
        self.vocabulary = _literals(kind)

    def spell(self, word: str) -> Any:
        value, problem = self._outcome(word)
        if problem is not None:
            raise ParseError(problem.key, **problem.facts)
        return value

    @cached_property
    def _outcome(self) -> Callable[[str], tuple[Any, ParseError | None]]:
        """The value of a word or what is wrong with it, memoized: both are as slow to find."""
        validate = TypeAdapter[Any](self._kind).validate_python

        @lru_cache(maxsize=SPELLINGS_KEPT)
        def outcome(word: str) -> tuple[Any, ParseError | None]:
            for spelling in self._spellings(word):
                try:
                    return validate(spelling), None
                except ValidationError as error:
                    if (objection := _own_objection(error)) is not None:
                        return None, objection
            return None, self._unknown(word)

        return outcome

    def _spellings(self, word: str) -> Iterator[str]:
        yield from (word, word.lower(), word.upper())
        yield from self._meant(word)
        yield from (value for value in self.vocabulary if normalize(value) == normalize(word))

    def _unknown(self, word: str) -> ParseError:
        if not self.vocabulary:
            return ParseError("odd_word", field=self._field, word=Verbatim(word))
        near = tuple(map(Typed, close_to(word, self.vocabulary)))
        likely_first = dict.fromkeys((*near, *map(Typed, self.vocabulary)))
        return ParseError(
            "bad_word",
            field=self._field,
            word=Verbatim(word),
            expected=tuple(likely_first)[:24],
            near=near,
        )


def _own_objection(error: ValidationError) -> ParseError | None:
    """The error message of the field's own type for a word, without what it was raised in."""
    raised = error.errors()[0].get("ctx", {}).get("error")
    return ParseError(raised.key, **raised.facts) if isinstance(raised, ParseError) else None


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
