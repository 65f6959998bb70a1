"""Audits: what is counted at the table, compared with what the log says.

A game declares what can be counted (``rules.counts``) and says what it is in a state. How a
subject is typed, compared and followed back to the actions that touched it is told here, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from msgspec import Struct

from engines.kernel.messages.catalogue import (
    LANGUAGES,
    Catalogue,
    Language,
    Phrase,
    Spoken,
    Verbatim,
    normalize,
)
from engines.kernel.messages.errors import ParseError, close_to, hint
from engines.kernel.rules.actions import Audit
from engines.kernel.rules.hearing import Hearing, Moment, RuleContext, Verdict
from engines.kernel.values.structs import evolve

SEAT = "seat"
"""The blank that every game has: it takes the seats of the table."""

Values = Collection[str] | Callable[[Any, RuleContext[Any]], Collection[str]]
"""What may fill a blank: always the same, or what ``(state, table)`` has."""
Counted = Callable[..., int | str | None]
Examined = Callable[[Any, str, Hearing[Any]], None]

_BLANK = re.compile(r"\{([a-z_]+)\}")
_NUMBER = re.compile(r"-?[0-9]+")
_LONGEST_NAME = 4
_NAMED_BY = ("term", "fact", "keyword", "alias")
"""The parts of a catalogue that know how a word of a subject is called."""


class Subject(Struct, Spoken, frozen=True):
    """Something that can be audited, as the game declares it."""

    pattern: str
    """How it is written: ``river {gift}``."""
    blanks: Mapping[str, Values]
    count: Counted | None = None
    """``(state, table, *blanks)``: what it is; ``None`` where the box does not tell."""
    examine: Examined | None = None
    """``(state, stated, rule)``: for what is no count, and proves clauses of its own."""
    listed: bool = False
    """Whether what is stated is a list of words, in any order."""
    when: Callable[[str], bool] | None = None
    """Selects the subject by the stated value, where several share a pattern."""
    stated: Values | None = None
    """The words that can be stated of it; none: it is a whole number."""

    @property
    def name(self) -> str:
        """Its name in the catalogue: the message ``audit.<name>``."""
        fixed = [word for word in self.pattern.split() if not _BLANK.fullmatch(word)]
        return "_".join(fixed) or _BLANK.findall(self.pattern)[-1]

    def usage(self, words: Catalogue, lang: Language) -> str:
        """How it is typed in a language, the blanks in capitals."""
        return " ".join(shown(word, words, lang) for word in self.pattern.split())

    def said(self, words: Catalogue, lang: Language) -> str:
        return self.usage(words, lang)

    def filled(
        self,
        state: Any,
        table: RuleContext[Any],
        seats: Sequence[str],
        words: Catalogue,
        lang: Language,
    ) -> Iterator[list[str]]:
        """Enumerate all the ways to type it in a language at this table."""
        parts = [
            (shown(part, words, lang),)
            if (blank := _BLANK.fullmatch(part)) is None
            else self._known(blank[1], state, table, seats)
            for part in self.pattern.split()
        ]
        yield from map(list, product(*parts))

    def _known(
        self, blank: str, state: Any, table: RuleContext[Any], seats: Sequence[str]
    ) -> Collection[str]:
        values = seats if blank == SEAT else self.blanks[blank]
        return values(state, table) if callable(values) else values

    def vocabulary(self, state: Any, table: RuleContext[Any]) -> Collection[str]:
        """The words that may be stated, for a subject that is not counted."""
        words = self.stated or ()
        return words(state, table) if callable(words) else words


class Asked(Struct, frozen=True):
    """A parsed audit, normalized to the words of the game."""

    subject: Subject
    words: tuple[str, ...]
    values: tuple[str, ...]
    """What fills the blanks."""
    stated: tuple[str, ...]

    def count(self, state: Any, table: RuleContext[Any]) -> str | None:
        counter = self.subject.count
        found = None if counter is None else counter(state, table, *self.values)
        return None if found is None else str(found)

    def is_right(self, derived: str | None) -> bool:
        return derived is None or derived == " ".join(self.stated)


class Audits:
    """Everything that can be audited in a game, in the order of its declaration."""

    def __init__(self, clause: str | None) -> None:
        self.clause = clause
        self.subjects: list[Subject] = []

    @property
    def usages(self) -> tuple[Subject, ...]:
        """The syntax of every subject, one for each way of typing it."""
        return tuple({subject.pattern: subject for subject in self.subjects}.values())

    def hear(self, asked: Asked, state: Any, rule: Hearing[Any]) -> None:
        """Compare the stated value with the derived one.

        A difference proves that something earlier was played, or logged, wrongly.
        """
        if asked.subject.examine is not None:
            asked.subject.examine(state, " ".join(asked.stated), rule)
            return
        derived = asked.count(state, rule)
        if derived is None:
            rule.warn("not_counted", subject=" ".join(asked.words))
        if self.clause is not None and not asked.is_right(derived):
            stated = " ".join(asked.stated)
            rule.proves(self.clause, subject=" ".join(asked.words), stated=stated, derived=derived)

    def understand(
        self,
        audit: Audit,
        state: Any,
        table: RuleContext[Any],
        seats: Sequence[str],
        words: Catalogue,
        *,
        strict: bool = True,
    ) -> Asked:
        """Parse an audit, in any case and language.

        ``strict`` also checks that the stated value is possible. Older records hold audits that
        were never checked for that.
        """
        said = [*audit.subject, audit.value]
        for subject in self.subjects:
            pattern = subject.pattern.split()
            if subject.when is not None and not subject.when(normalize(audit.value)):
                continue
            found, rest = _found(subject, pattern, said, state, table, seats, words)
            if len(found) < len(pattern) or not rest:
                continue
            values = tuple(
                word for word, part in zip(found, pattern, strict=True) if _BLANK.match(part)
            )
            asked = Asked(subject, found, values, tuple(map(_plain, rest)))
            asked = _stated(asked, state, table, words)
            if len(asked.stated) > 1 and not subject.listed:
                continue
            if strict:
                _check_stated(asked, state, table)
            return asked
        told = Phrase("form.known", {"known": self.usages})
        raise ParseError("unknown_subject", subject=Verbatim(" ".join(audit.subject)), hint=told)

    def traced(
        self,
        audit: Audit,
        verdict: Verdict,
        moments: Sequence[Moment[Any]],
        table: RuleContext[Any],
        seats: Sequence[str],
        words: Catalogue,
    ) -> Verdict:
        """The verdict on an audit: when the count was last right, and what has touched it since."""

        def understood(action: Audit, state: Any) -> Asked:
            return self.understand(action, state, table, seats, words, strict=False)

        asked = understood(audit, moments[-1].state)
        entries: list[int] = []
        since: int | None = None
        for before, moment in pairwise(moments):
            if isinstance(moment.action, Audit):
                other = understood(moment.action, moment.state)
                same = (other.subject, other.words) == (asked.subject, asked.words)
                if same and other.is_right(other.count(moment.state, table)):
                    entries.clear()
                    since = moment.number
            elif moment.number and (
                asked.count(before.state, table) != asked.count(moment.state, table)
            ):
                entries.append(moment.number)
        findings = tuple(
            finding._replace(entries=tuple(entries), since=since)
            if finding.clause == self.clause and not finding.entries
            else finding
            for finding in verdict.findings
        )
        return evolve(verdict, findings=findings)


def as_understood(audit: Audit, asked: Asked) -> Audit:
    """The normalized audit action, as it is stored."""
    *subject, value = (*asked.words, *asked.stated)
    if (tuple(subject), value) == (audit.subject, audit.value):
        return audit
    return audit.model_copy(update={"subject": tuple(subject), "value": value})


def _found(
    subject: Subject,
    pattern: list[str],
    said: list[str],
    state: Any,
    table: RuleContext[Any],
    seats: Sequence[str],
    words: Catalogue,
) -> tuple[tuple[str, ...], list[str]]:
    """Match the typed words against a pattern, up to the first that does not fit; and the rest."""
    found: list[str] = []
    for part in pattern:
        known: Collection[str] = (part,)
        if blank := _BLANK.fullmatch(part):
            known = subject._known(blank[1], state, table, seats)
        meant, used = _called(said, known, words)
        if meant is None:
            break
        found.append(meant)
        said = said[used:]
    return tuple(found), said


def _called(
    said: Sequence[str], known: Collection[str], words: Catalogue
) -> tuple[str | None, int]:
    """The word of the game with whose name these words begin, and how many words the name has."""
    for used in range(min(_LONGEST_NAME, len(said)), 0, -1):
        typed = "_".join(said[:used])
        meant = next((one for one in known if is_called(one, typed, words)), None)
        if meant is not None:
            return meant, used
    return None, 1


def is_called(word: str, typed: str, words: Catalogue) -> bool:
    """Whether a typed word means this word of the game: itself, or its name in any language."""
    typed = normalize(typed).replace("-", "_")
    return typed == normalize(word) or any(
        typed == normalize(name).replace(" ", "_").replace("-", "_") for name in _names(word, words)
    )


def _names(word: str, words: Catalogue) -> Iterator[str]:
    """What a word of the game is called, and what several of it are called."""
    for part in _NAMED_BY:
        if (entry := words.entry(f"{part}.{word}")) is not None:
            for lang in LANGUAGES:
                yield from entry[lang].split("|")
    if (several := words.entry(f"thing.{word}")) is not None:
        yield from (several[lang].removeprefix("{count} ") for lang in LANGUAGES)


def _plain(word: str) -> str:
    word = word.rstrip(",")
    return str(int(word)) if _NUMBER.fullmatch(word) else word.lower()


def _stated(asked: Asked, state: Any, table: RuleContext[Any], words: Catalogue) -> Asked:
    """Normalize the stated values to the words of the game."""
    derived = asked.count(state, table)
    known = [] if derived is None else derived.split()
    known += asked.subject.vocabulary(state, table)
    said, stated = list(asked.stated), []
    while said:
        meant, used = _called(said, known, words)
        stated.append(_pair_meant(said[0], words) if meant is None else meant)
        del said[:used]
    return evolve(asked, stated=tuple(sorted(stated)))


def _pair_meant(word: str, words: Catalogue) -> str:
    """``face=back`` in the words of the game, whatever language names the two."""
    if "=" not in word:
        return word
    names = words.aliases()
    sides = (names.get(normalize(side), (side,)) for side in word.split("="))
    return "=".join(meant[0] for meant in sides)


def _check_stated(asked: Asked, state: Any, table: RuleContext[Any]) -> None:
    """Refuse a value that is not a number, or that nothing in the box shows: a typing mistake."""
    subject = asked.subject
    if subject.examine is not None or subject.when is not None:
        return
    if subject.stated is None:
        for word in asked.stated:
            if not _NUMBER.fullmatch(word):
                raise ParseError("no_count", subject=" ".join(asked.words), word=Verbatim(word))
        return
    known = sorted(subject.vocabulary(state, table))
    for word in asked.stated:
        if word not in known:
            near = close_to(word, known)
            raise ParseError("never_seen", word=Verbatim(word), near=near, hint=hint(near, known))


def shown(word: str, words: Catalogue, lang: Language) -> str:
    """A word or placeholder of a subject, as it is typed in a language."""
    blank = _BLANK.fullmatch(word)
    if "=" in word:
        return "=".join(shown(side, words, lang) for side in word.split("="))
    if blank is None:
        named = (words.entry(f"{part}.{word}") for part in _NAMED_BY)
        return next((e[lang].replace(" ", "_") for e in named if lang != "en" and e), word)
    told = (words.entry(f"{part}.{blank[1]}") for part in ("argument", "fact"))
    name = next((entry[lang] for entry in told if entry), blank[1])
    return name.upper().replace(" ", "-")
