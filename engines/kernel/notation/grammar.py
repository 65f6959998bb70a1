"""The pattern language of ``Action.forms``: compiled, matched against words, and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from engines.kernel.notation.fields import Field
from engines.kernel.notation.usage import Usage, typed_verb
from engines.kernel.rules.actions import Action, Opening

FIELD = re.compile(r"\{([a-z_]+)\}")
IsKeyword = Callable[[str, str], bool]
"""Whether a word, as it was typed, is this keyword."""


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
        return _compile(self.text)

    @cached_property
    def _ways(self) -> tuple[_Way, ...] | None:
        """The alternatives of the form, with and without each optional part, in matching order.

        None where a list is not at the end: such a form needs backtracking (``match``).
        """
        ways = tuple(_ways(self.nodes))
        if any(isinstance(node, Many) for way in ways for node in way[:-1]):
            return None
        return tuple(map(_Way, ways))

    def fits(self, words: list[str], keyword: IsKeyword) -> Iterator[dict[str, Any]]:
        """The same captures as ``match``, faster, but it does not note where matching got stuck."""
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
        self, words: list[str], keyword: IsKeyword, stuck: list[Stuck]
    ) -> Iterator[dict[str, Any]]:
        """The captured fields of every way to match; dead ends go to ``stuck``, for hints."""
        for index, captured in _match(self.nodes, words, 0, {}, keyword, stuck):
            if index == len(words):
                yield captured
            else:
                stuck.append((len(words) - index, 0, None))

    def write(self, action: Action, grammar: Grammar) -> list[str] | None:
        said = {name for name in grammar.fields if grammar.is_said(action, name)}
        written: set[str] = set()
        words = _write(self.nodes, action, said, written)
        return words if words is not None and said <= written else None

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

    def __init__(self, action: type[Action]) -> None:
        self.action = action
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
            name: Field(name, info.annotation, info.metadata)
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

    def is_said(self, action: Action, name: str) -> bool:
        info = type(action).model_fields[name]
        value = getattr(action, name)
        return bool(info.is_required() or value != info.get_default(call_default_factory=True))


def _compile(text: str) -> tuple[Node, ...]:
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


def _node(token: str) -> Node:
    if token.startswith("["):
        return OptionalPart(_compile(token[1:-1]))
    if found := re.fullmatch(r"\{([a-z_]+)\.\.\.\}", token):
        return Many(found.group(1))
    if found := re.fullmatch(r"\{([a-z_]+)\?([a-z_]*)\}", token):
        return Flag(found.group(1), found.group(2) or found.group(1))
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
            if found := FIELD.fullmatch(chunk):
                regex += f"(?P<{found.group(1)}>[^@=:/+#,]+)"
            else:
                regex += re.escape(chunk)
        pattern += f"(?:{regex})?" if optional else regex
    whole = len(fields) == 1 and token == f"{{{fields[0]}}}"
    if whole:
        pattern = f"(?P<{fields[0]}>.+)"
    return Word(re.compile(pattern), tuple(parts), tuple(fields), whole)


def fewest_words(nodes: tuple[Node, ...]) -> int:
    """The minimum number of words of a form."""
    return sum(not isinstance(node, OptionalPart) for node in nodes)


def most_words(nodes: tuple[Node, ...]) -> int:
    """The maximum number of words of a form without lists."""
    return sum(most_words(node.nodes) if isinstance(node, OptionalPart) else 1 for node in nodes)


def flat(nodes: tuple[Node, ...]) -> Iterator[Keyword | Word | Many | Flag]:
    """All parts of a form, with those inside optional parts."""
    for node in nodes:
        if isinstance(node, OptionalPart):
            yield from flat(node.nodes)
        else:
            yield node


def keywords(nodes: tuple[Node, ...]) -> Iterator[str]:
    """The fixed words of a form."""
    return (node.word for node in flat(nodes) if isinstance(node, Keyword | Flag))


def _ways(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    if not nodes:
        yield ()
        return
    node, rest = nodes[0], nodes[1:]
    if isinstance(node, OptionalPart):
        yield from _ways((*node.nodes, *rest))
        yield from _ways(rest)
    else:
        yield from ((node, *way) for way in _ways(rest))


class _Way:
    """One alternative of a form with its optional parts resolved: one word per part.

    Only the last part may be a list. Such a form is matched without backtracking.
    """

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self._nodes = nodes
        self.length = len(nodes)
        self.is_open = bool(nodes) and isinstance(nodes[-1], Many)
        names = [node.fields[0] for node in nodes if isinstance(node, Word) and node.whole]
        self._names = names if len(names) == self.length else None
        """The fields, if every word is one of its own."""

    def fitted(self, words: list[str], keyword: IsKeyword) -> dict[str, Any] | None:
        """The captured fields; None unless every word is used."""
        if self._names is not None:
            return dict(zip(self._names, words, strict=True))
        got: dict[str, Any] = {}
        for node, word in zip(self._nodes, words, strict=False):
            if isinstance(node, Word):
                if node.whole:
                    got[node.fields[0]] = word
                elif (found := node.pattern.fullmatch(word)) is None:
                    return None
                else:
                    said = found.groupdict().items()
                    got |= {name: text for name, text in said if text is not None}
            elif isinstance(node, Many):
                got[node.field] = words[self.length - 1 :]
            elif isinstance(node, Keyword | Flag):
                if not keyword(word, node.word):
                    return None
                if isinstance(node, Flag):
                    got[node.field] = True
        return got


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
    if isinstance(node, Keyword):
        if keyword(word, node.word):
            yield from _match(rest, words, index + 1, got, keyword, stuck)
    elif isinstance(node, Flag):
        if keyword(word, node.word):
            flagged = {**got, node.field: True}
            yield from _match(rest, words, index + 1, flagged, keyword, stuck)
    elif isinstance(node, Many):
        for end in range(len(words), index if rest else len(words) - 1, -1):
            many = {**got, node.field: words[index:end]}
            yield from _match(rest, words, end, many, keyword, stuck)
    elif found := node.pattern.fullmatch(word):
        said = {name: text for name, text in found.groupdict().items() if text is not None}
        yield from _match(rest, words, index + 1, {**got, **said}, keyword, stuck)


def _write(
    nodes: tuple[Node, ...], action: Action, said: set[str], written: set[str]
) -> list[str] | None:
    """The words of these nodes, or None if a field they need has no value."""
    words: list[str] = []
    for node in nodes:
        if isinstance(node, Keyword):
            words.append(node.word)
        elif isinstance(node, OptionalPart):
            inner: set[str] = set()
            optional = _write(node.nodes, action, said, inner)
            if optional is not None:
                words += optional
                written |= inner
        elif isinstance(node, Flag):
            if not getattr(action, node.field):
                return None
            words.append(node.word)
            written.add(node.field)
        elif isinstance(node, Many):
            if node.field not in said:
                return None
            words += _many_words(getattr(action, node.field))
            written.add(node.field)
        else:
            word = ""
            for template, optional_part in node.parts:
                names = FIELD.findall(template)
                if not said.issuperset(names):
                    if optional_part:
                        continue
                    return None
                word += FIELD.sub(lambda m: str(getattr(action, m.group(1))), template)
                written.update(names)
            words.append(word)
    return words


def _many_words(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={item}" for key, item in value.items()]
    return [str(item) for item in value]
