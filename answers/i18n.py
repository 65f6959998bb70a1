"""Localisation of answers: language, message catalogues, inline style markup."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, field

from answers.hints import FOLLOWS, Hint, Hinting, unhinted
from engines.kernel.messages import catalogue
from engines.kernel.messages.package_data import read_words
from engines.kernel.values.structs import evolve

Mark = Callable[[str, str], str]
"""Gives a text a style: ``good``, ``bad``, ``unsure``, ``dim`` or ``bold``."""


def unmarked(style: str, text: str) -> str:
    return text


def unnamed(person: str) -> str | None:
    return None


_MARKED = re.compile("\ue000([a-z]+)\ue001(.*?)\ue002", re.DOTALL)


def marked(style: str, text: str) -> str:
    """Inline markup: wrap text in private-use code points that carry a style over HTTP.

    The service does not know whether its client has colours; ``shown`` turns the markers into them.
    """
    return f"\ue000{style}\ue001{text}\ue002"


_HINTED = re.compile("( ?)\ue003([a-z_.]+)\ue001([ -~]*)\ue002")


def hint_in_text(key: str, facts: Mapping[str, Any]) -> str:
    """A hint as data inside a text that goes over HTTP, for a program that words it itself."""
    return f"\ue003{key}\ue001{json.dumps(facts)}\ue002"


def shown(text: str, voice: Voice) -> str:
    """Replace what ``marked`` and ``hint_in_text`` have put into a text by what this output has."""

    def hinted(found: re.Match[str]) -> str:
        hint = voice.hint(found[2], **json.loads(found[3]))
        return found[1] + hint if hint else ""

    text = _HINTED.sub(hinted, text)
    return _MARKED.sub(lambda found: voice.mark(found[1], found[2]), text)


@cache
def answers_words() -> catalogue.Catalogue:
    """The catalogue of all answers."""
    return read_words("answers", read_words("referee", read_words("engines.kernel")))


@cache
def words_on_top(package: str, below: catalogue.Catalogue) -> catalogue.Catalogue:
    """A package's own catalogue with another as fallback."""
    return read_words(package, below)


@cache
def words_below(words: catalogue.Catalogue, package: str) -> catalogue.Catalogue:
    """A catalogue that falls back to a package's: the messages of a front end override it."""
    return catalogue.Catalogue({}, words, read_words(package))


class Voice(Struct, frozen=True):
    """Localiser: a language, its message catalogue, and how styles are marked.

    A style only repeats what the words say, so that nothing is lost without colours.
    """

    lang: catalogue.Language = "en"
    words: catalogue.Catalogue = field(default_factory=answers_words)
    mark: Mark = unmarked
    program: str | None = None
    """How this caller calls the referee again, where it is a program with commands."""
    thorough: bool = False
    """Whether also what goes without saying is said."""
    sentences: bool = False
    """Whether actions are told in sentences: people read them where nobody types notation."""
    hinting: Hinting = unhinted
    """How this front end words what could be done next."""
    name_of: Callable[[str], str | None] = unnamed
    """The name behind a pseudonym, where this front end may show it."""
    names: catalogue.Names = catalogue.NOBODY
    """Who sits where at the table that is told of (``at``)."""
    seats: Mapping[str, str] = catalogue.NOBODY
    """The pseudonyms that these names belong to: whoever is asked for again is not looked up."""
    own: str | None = None
    """The seat of the person who is spoken to, where it is one person."""

    def say(self, key: str, /, **facts: Any) -> str:
        said = self.words.say(key, self.lang, **facts)
        hint = self.hint(key, **facts) if key in FOLLOWS else ""
        return f"{said} {hint}" if hint else said

    def hint(self, key: str, /, **facts: Any) -> str:
        """What could be done next, in the words of this front end; empty where it shows none."""
        return self.hinting(Hint(key, facts))

    def spoken(self, fact: Any) -> str:
        """One fact as text: a nested message, a number, a list."""
        said = self.words.show(fact, self.lang)
        if isinstance(fact, catalogue.Phrase) and fact.key in FOLLOWS:
            hint = self.hint(fact.key, **fact.facts)
            return f"{said} {hint}" if hint else said
        return said

    def labelled(self, label: str, text: str) -> str:
        """``label: text`` with the punctuation of the language."""
        return self.say("labelled", label=catalogue.Verbatim(label), text=catalogue.Verbatim(text))

    def day(self, moment: str) -> str:
        """A date as people of that language write it."""
        return catalogue.day_in_words(self.say, moment)

    def moment(self, moment: str) -> str:
        """A date and the time of day."""
        return catalogue.moment_in_words(self.say, moment)

    def called(self, seat: str, seats: Mapping[str, str]) -> catalogue.Verbatim:
        """Whoever sits there, by name; by the letter of the seat where no name is known."""
        name = self.at(seats).names.get(seat)
        return catalogue.PersonName(name) if name else catalogue.Verbatim(seat)

    def at(self, seats: Mapping[str, str]) -> Voice:
        """The same localiser at a table: the people there are called by their names."""
        if seats is self.seats:
            return self
        known = {seat: self.name_of(person) for seat, person in seats.items()}
        names = {seat: name for seat, name in known.items() if name}
        return evolve(self, names=names, seats=seats)

    def to(self, seat: str | None) -> Voice:
        """The same localiser, speaking to whoever sits there; to nobody in particular if none."""
        return evolve(self, own=seat)

    def facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Facts as data, the messages among them in words."""
        return {
            name: self.spoken(fact) if isinstance(fact, catalogue.Spoken) else fact
            for name, fact in facts.items()
        }

    def knowing(self, package: str) -> Voice:
        """The same localiser with the catalogue of another package on top; once, however often a
        program that goes on asks."""
        if self.words.includes(package):
            return self
        return evolve(self, words=words_on_top(package, self.words))

    def falling_back_to(self, package: str) -> Voice:
        """The same localiser, which also knows what the catalogue of a package says."""
        if self.words.includes(package):
            return self
        return evolve(self, words=words_below(self.words, package))


def columns(rows: Iterable[tuple[str, ...]], gap: int = 2, widest: int | None = None) -> list[str]:
    """Text in aligned columns; a cell longer than ``widest`` does not widen its column."""
    table = [tuple(str(cell) for cell in row) for row in rows]
    if not table:
        return []
    widths = [
        max((len(row[i]) for row in table if widest is None or len(row[i]) <= widest), default=0)
        for i in range(len(table[0]))
    ]
    return [
        (" " * gap)
        .join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        .rstrip()
        for row in table
    ]
