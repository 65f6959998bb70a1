"""Message catalogues: every word a user sees, English and French side by side."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Literal
from unicodedata import bidirectional

from msgspec import Struct, field

from engines.kernel.messages.unsafe_text import visible

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = ("en", "fr")
Entry = Mapping[str, str]
Names = Mapping[str, str]
"""The names of people by seat, as far as they may be told."""
NOBODY: Names = {}

ISOLATE, END = "\u2068", "\u2069"
"""Around text whose direction is its own."""
MINUS = "−"
_OF_FILES = frozenset(("file", "files", "folder", "path", "store"))
_AUDITED = ("subject", "stated", "derived")
_VOWELS = frozenset(("a", "ae", "e", "i", "o", "oe", "u"))
_PLACEHOLDER = re.compile(r"\{([a-z_]+)(?::([^|{}]*)\|([^|{}]*))?\}")
"""``{steps}`` is the fact, ``{steps:step|steps}`` the word for so many."""
_ELIDING = re.compile(r"\b([Dd]e|[Qq]ue|[Ll]orsque|[Pp]uisque) (?=\{([a-z_]+)\})")
"""The French words that lose their last letter before the name of a person."""


@lru_cache(maxsize=4096)
def normalize(text: str) -> str:
    """Fold case and strip accents: words are compared in this form."""
    text = text.replace("œ", "oe").replace("Œ", "oe").replace("’", "'")
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


def blanks(template: str) -> set[str]:
    """The names of the placeholders in a template."""
    return {match[1] for match in _PLACEHOLDER.finditer(template)}


def is_singular(value: Any, lang: Language) -> bool:
    """Whether a number takes the singular; a collection counts by its length."""
    several = isinstance(value, Collection) and not isinstance(value, str)
    count = len(value) if several else abs(value) if isinstance(value, int) else 1
    return count < 2 if lang == "fr" else count == 1


def isolated(text: str) -> str:
    """A fact in a script that runs from right to left, set apart from the words around it.

    Else its neighbours, a clock or a comma, jump to its other side.
    """
    if text.isascii() or not any(bidirectional(letter) in ("R", "AL") for letter in text):
        return text
    return text if text.startswith(ISOLATE) else f"{ISOLATE}{text}{END}"


class Catalogue:
    """Sentences by key. ``say`` fills in the named facts and translates those that are terms.

    A catalogue file holds one table per key: ``[a.key]  en = "…"  fr = "…"``, with
    ``en_one`` / ``fr_one`` for the singular where the fact ``count`` decides.
    ``term.<word>`` keys name components: they are looked up for facts given as words;
    ``letter.<fact>`` names a fact that is a letter and yet no seat, ``datum.<path>`` a datum of
    the box, ``count.<word>`` what an audit counts.
    """

    def __init__(
        self,
        entries: Mapping[str, Entry],
        *fallbacks: Catalogue,
        names: Names = NOBODY,
        package: str = "",
    ) -> None:
        self._entries = entries
        self._package = package
        self._fallbacks = fallbacks
        self._known = lru_cache(maxsize=2048)(self._found)
        self._said = lru_cache(maxsize=4096, typed=True)(self._say)
        self.names = names
        """Who sits where: a fact that is the letter of a seat is told by the name."""

    def naming(self, names: Names) -> Catalogue:
        """The same messages, about people who are called by their names."""
        return Catalogue({}, self, names=names) if names else self

    def includes(self, package: str) -> bool:
        """Whether it says what a package says, itself or as a fallback."""
        return self._package == package or any(one.includes(package) for one in self._fallbacks)

    def __contains__(self, key: str) -> bool:
        return self.entry(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def entry(self, key: str) -> Entry | None:
        return self._known(key)

    def _found(self, key: str) -> Entry | None:
        found = self._entries.get(key)
        for words in self._fallbacks:
            if found is not None:
                break
            found = words.entry(key)
        return found

    def say(self, key: str, lang: Language, /, **facts: Any) -> str:
        for fact in facts.values():
            if type(fact) is not str and type(fact) is not int:
                return self._say(key, lang, **facts)
        return self._said(key, lang, **facts)

    def _say(self, key: str, lang: Language, /, **facts: Any) -> str:
        entry = self.entry(key)
        if entry is None:
            raise KeyError(f"no message {key!r}")
        return self.fill(self._template(entry, lang, facts.get("count")), lang, **facts)

    def fill(self, template: str, lang: Language, /, **facts: Any) -> str:
        """Put facts into a template, in words of the language.

        ``{steps:step|steps}`` is a word in the singular or the plural, by a number or a list.
        """
        if lang == "fr":
            template = _ELIDING.sub(lambda found: self._elided(found, facts), template)

        def told(match: re.Match[str]) -> str:
            name, one, many = match.groups()
            if name not in facts:
                return match.group(0)
            if one is None:
                return isolated(self.fact(name, facts[name], lang))
            return one if is_singular(facts[name], lang) else many

        return _PLACEHOLDER.sub(told, template)

    def _elided(self, found: re.Match[str], facts: Mapping[str, Any]) -> str:
        """« de » before a fact: « d’ » before the name of a person that begins with a vowel."""
        fact = facts.get(found[2])
        first = next(iter(fact), None) if isinstance(fact, tuple | list | Mapping) else fact
        if not isinstance(first, str):
            return found[0]
        name = first if isinstance(first, PersonName) else self.names.get(first, "")
        return f"{found[1][:-1]}’" if _begins_with_vowel(name) else found[0]

    def term(self, word: str, lang: Language) -> str:
        """The name of a component; the word itself if the catalogue has none."""
        entry = self.entry(f"term.{word}")
        return entry[lang] if entry is not None else word

    def fact(self, name: str, value: Any, lang: Language) -> str:
        """Format a fact by its name; the subject of an audit is translated word by word.

        File names come from outside: their unsafe characters are shown by their codes.
        """
        if name in _OF_FILES:
            return visible(self.show(value, lang))
        if value and (letter := self.entry(f"letter.{name}")) is not None:
            several = value if isinstance(value, tuple | list) else (value,)
            told = (self.term(str(each), lang) for each in several)
            return ", ".join(letter[lang].format(letter=each) for each in told)
        if isinstance(value, Mapping) and value and f"share.{name}" in self:
            return ", ".join(self._shared(name, to, amount, lang) for to, amount in value.items())
        if name == "datum" and type(value) is str:
            return self.datum(value, lang) or value
        if name == "field" and type(value) is str:
            return self.path(value, lang, ("field", "fact", "term"))
        if name in _AUDITED and type(value) is str and f"term.{value}" not in self:
            words = value.split(" ")
            return self.audited(words, lang) if name == "subject" else self.counted(words, lang)
        return self.show(value, lang)

    def _shared(self, name: str, to: str, amount: Any, lang: Language) -> str:
        """How much somebody gets: ``share.toll``, or ``share.toll_reserve`` of a place."""
        key = own if (own := f"share.{name}_{to}") in self else f"share.{name}"
        return self.say(key, lang, amount=amount, to=to)

    def datum(self, path: str, lang: Language) -> str | None:
        """A datum of the box by its name: ``datum.chips_total``, or ``datum.chips_of`` for each."""
        table, _, which = path.rpartition(".")
        named, one_of = (f"datum.{part.replace('.', '_')}" for part in (path, f"{table}_of"))
        if named in self:
            return self.say(named, lang)
        return self.say(one_of, lang, which=which) if one_of in self else None

    def path(self, path: str, lang: Language, labels: Sequence[str]) -> str:
        """Where something is written, part by part, as far as these groups of keys label it."""
        return " · ".join(self._labelled(part, lang, labels) for part in path.split("."))

    def _labelled(self, part: str, lang: Language, labels: Sequence[str]) -> str:
        entries = (self.entry(f"{group}.{part}") for group in labels)
        entry = next(filter(None, entries), None)
        return self.names.get(part, part) if entry is None else entry[lang]

    def audited(self, words: Sequence[str], lang: Language) -> str:
        """What is counted: as ``count.<word>`` says it of ``{who}`` and ``{which}``.

        Without such a sentence it is named word by word, and belongs to whoever has it.
        """
        owned = len(words[0]) == 1 and words[0].isupper()
        owner = PersonName(self.names[words[0]]) if words[0] in self.names else Verbatim(words[0])
        rest = list(words[1:] if owned else words)
        if not rest:
            return owner
        if (word := next((word for word in rest if f"count.{word}" in self), None)) is not None:
            which = Verbatim(self.counted([each for each in rest if each != word], lang))
            return self.say(f"count.{word}", lang, who=owner, which=which)
        if len(words) == 1 and f"audit.{words[0]}" in self:
            return self.say(f"audit.{words[0]}", lang)
        thing = Verbatim(self.counted(rest, lang))
        return self.say("counted.of", lang, name=owner, thing=thing) if owned else thing

    def subject(self, words: Sequence[str]) -> Sequence[str]:
        """The words of an audit that say what is counted; of a list the rest is what was seen."""
        for number, word in enumerate(words, 1):
            if (entry := self.entry(f"count.{word}")) and "{which}" not in entry["en"]:
                return words[:number]
        return words

    def counted(self, words: Iterable[str], lang: Language) -> str:
        """What was counted, word by word."""
        return " ".join(self.names.get(word) or self._audited(word, lang) for word in words)

    def _audited(self, word: str, lang: Language) -> str:
        several = self.entry(f"thing.{word}")
        if several is not None and several[lang].startswith("{count} "):
            return several[lang].removeprefix("{count} ")
        entry = self.entry(f"term.{word}") or self.entry(f"fact.{word}")
        return entry[lang] if entry is not None else word

    def show(self, value: Any, lang: Language) -> str:
        """Format a fact of any type in a language."""
        if isinstance(value, bool):
            return self.term("yes" if value else "no", lang)
        if isinstance(value, Spoken):
            return value.said(self, lang)
        if isinstance(value, str):
            return self.names.get(value) or self._owned(value, lang) or self.term(value, lang)
        if isinstance(value, Mapping):
            shown = (f"{self.show(k, lang)} {self._inside(v, lang)}" for k, v in value.items())
            return ", ".join(shown) or self.term("none", lang)
        if isinstance(value, tuple | list | set | frozenset):
            return ", ".join(self.show(item, lang) for item in value) or self.term("none", lang)
        if isinstance(value, int) and value < 0:
            return f"{MINUS}{-value}"
        return self.term("none", lang) if value is None else str(value)

    def _owned(self, value: str, lang: Language) -> str | None:
        """``A:b1`` as the card of a person; none where nobody of that seat has a name."""
        seat, _, thing = value.partition(":")
        owner = self.names.get(seat) if thing else None
        if owner is None:
            return None
        name, thing = PersonName(owner), Verbatim(self.term(thing, lang))
        return self.say("counted.of", lang, name=name, thing=thing)

    def _inside(self, value: Any, lang: Language) -> str:
        shown = self.show(value, lang)
        return f"({shown})" if isinstance(value, Mapping) else shown

    def aliases(self) -> dict[str, tuple[str, ...]]:
        """Normalized French and English names of terms, to the words the notation may store.

        ``alias.<word>`` is a further name, read but never told; several are parted by ``|``.
        """
        found: dict[str, tuple[str, ...]] = {}
        for words in (self, *self._fallbacks):
            for key, entry in words._entries.items():
                kind, _, word = key.partition(".")
                if kind in ("term", "alias"):
                    names = [name for lang in LANGUAGES for name in entry[lang].split("|")]
                    for name in {normalize(name).replace(" ", "_"): None for name in names}:
                        found[name] = (*found.get(name, ()), word)
        return found

    def _template(self, entry: Entry, lang: Language, count: Any) -> str:
        if isinstance(count, int) and f"{lang}_one" in entry and is_singular(count, lang):
            return entry[f"{lang}_one"]
        return entry[lang]


class Speech(Struct, frozen=True, dict=True):
    """A catalogue in one language: with it a game tells and draws its states."""

    words: Catalogue
    lang: Language
    names: Names = NOBODY
    """Who sits where, as far as names may be shown."""

    def __contains__(self, key: str) -> bool:
        return key in self.words

    @cached_property
    def _naming(self) -> Catalogue:
        return self.words.naming(self.names)

    def say(self, key: str, /, **facts: Any) -> str:
        return self._naming.say(key, self.lang, **facts)

    def term(self, word: str) -> str:
        return self.words.term(word, self.lang)

    def sitting(self, seat: str, otherwise: str) -> str:
        """The name of the person at a seat; else a default."""
        return self.names.get(seat, otherwise)

    def show(self, value: Any) -> str:
        return self._naming.show(value, self.lang)


class Spoken:
    """Base of facts that format themselves."""

    __slots__ = ()

    def said(self, words: Catalogue, lang: Language) -> str:
        raise TypeError(f"{type(self).__name__} does not say how it is said")


class Verbatim(str, Spoken):
    """A word that is never translated: typed by somebody, or to be typed."""

    def said(self, words: Catalogue, lang: Language) -> str:
        return str(self)


class PersonName(Verbatim):
    """The name of a person: French says « d’Ana » and « de Bo »."""


def _begins_with_vowel(name: str) -> bool:
    """Whether French elides before it: d’Ana, d’Yves, but de Yann; before an h it need not."""
    first, second = (normalize(letter) for letter in (name[:1], name[1:2]))
    return first in _VOWELS or (first == "y" and second not in _VOWELS)


class Phrase(Struct, Spoken, frozen=True):
    """A message inside another one: what is wrong with a line, say."""

    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    words: Catalogue | None = None
    """The catalogue that has it, if it is not the one of the sentence around it."""

    def said(self, words: Catalogue, lang: Language) -> str:
        return (self.words or words).say(self.key, lang, **self.facts)


# dates as people of a language write them


def day_in_words(say: Callable[..., str], moment: str) -> str:
    """The date of an ISO 8601 moment."""
    year, month, day = moment[:10].split("-")
    name = Verbatim(say(f"month.{int(month)}"))
    key = "day_first" if day == "01" else "day"
    return say(key, day=int(day), month=name, year=int(year))


def moment_in_words(say: Callable[..., str], moment: str) -> str:
    """The date of an ISO 8601 moment, and its time of day."""
    hour, minute = moment[11:16].split(":")
    day = Verbatim(day_in_words(say, moment))
    return say("moment", day=day, hour=int(hour), minute=Verbatim(minute))
