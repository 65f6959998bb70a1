"""Words a clause and the facts of a verdict; every interface uses the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, Self

from msgspec import Struct

from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import (
    NOBODY,
    Catalogue,
    Language,
    Names,
    Phrase,
    Spoken,
    Verbatim,
    blanks,
)
from engines.kernel.rules.clauses import Text
from engines.kernel.rules.hearing import Consulted, Finding, Point, Verdict


def clause_text(
    engine: Engine[Any, Any],
    clause_id: str,
    lang: Language,
    readings: Mapping[str, str] | None = None,
) -> str:
    """What a clause says under the readings in force."""
    clause = engine.clauses.get(clause_id)
    return clause.say(lang, readings) if clause is not None else ""


def readings_named(
    engine: Engine[Any, Any],
    asked: Iterable[str],
    clauses: Iterable[str],
    readings: Mapping[str, str],
) -> list[str]:
    """Readings that were asked for, and those by which a clause says something unusual."""
    told = (engine.clauses[clause] for clause in clauses if clause in engine.clauses)
    worded = filter(None, (clause.worded_by(readings) for clause in told))
    unusual = (name for name in worded if readings[name] != engine.readings[name].default)
    return list(dict.fromkeys((*asked, *unusual)))


class ReadingInWords(Struct, Spoken, frozen=True):
    """A reading as people say it: the question that the rulebook leaves open, and its answer."""

    question: Text
    answer: Text | None = None

    def said(self, words: Catalogue, lang: Language) -> str:
        asked = self.question.say(lang)
        return asked if self.answer is None else f"{asked} {self.answer.say(lang)}"


def reading_in_words(engine: Engine[Any, Any], name: str, value: str) -> Spoken:
    """A reading for a message; one that this engine does not know is called as it is written."""
    reading = engine.readings.get(name)
    if reading is None or value not in reading.values:
        return Verbatim(f"{name}={value}")
    return ReadingInWords(reading.question, reading.values[value])


class RecordedLine(Verbatim):
    """A line of the record; a message has it in the notation of its language."""

    engine: Engine[Any, Any]

    def __new__(cls, line: str, engine: Engine[Any, Any]) -> Self:
        made = super().__new__(cls, line)
        made.engine = engine
        return made

    def said(self, words: Catalogue, lang: Language) -> str:
        return self.engine.text.told_in(str(self), lang)


class DatumInWords(Struct, Spoken, frozen=True):
    """A datum of the box in the words of its game, as far as it has them."""

    path: str
    words: Catalogue

    def said(self, words: Catalogue, lang: Language) -> str:
        labels = ("box", "term", "fact")
        return self.words.datum(self.path, lang) or self.words.path(self.path, lang, labels)


class ValueInWords(Struct, Spoken, frozen=True):
    """The value of a datum in the words of its game."""

    value: Any
    words: Catalogue

    def said(self, words: Catalogue, lang: Language) -> str:
        return self.words.show(self.value, lang)


def datum_in_words(engine: Engine[Any, Any], path: str, value: Any) -> dict[str, Spoken]:
    """A datum and its value, as the facts of a message."""
    words = engine.words
    return {"path": DatumInWords(path, words), "value": ValueInWords(value, words)}


def weighed(verdict: Verdict) -> Iterator[tuple[Consulted, Literal["held", "broken", "effect"]]]:
    """Every clause that was consulted, in order, with its outcome."""
    broken = {point.clause for point in verdict.breaches}
    for consulted in verdict.consulted:
        if consulted.effect:
            if consulted.held:
                yield consulted, "effect"
        else:
            breaks = not consulted.held and consulted.clause in broken
            yield consulted, "broken" if breaks else "held"


def because(
    engine: Engine[Any, Any], point: Point | Finding, lang: Language, names: Names = NOBODY
) -> str:
    """The facts of a breach, a claim or a finding as a sentence."""
    clause = engine.clauses.get(point.clause)
    sentences = clause.because if clause is not None else None
    return _told(engine.words.naming(names), sentences, point.facts, lang)


def effect_told(
    engine: Engine[Any, Any], point: Point, lang: Language, names: Names = NOBODY
) -> str:
    """The facts of an automatic effect as a sentence."""
    clause = engine.clauses.get(point.clause)
    sentences = clause.told if clause is not None else None
    return _told(engine.words.naming(names), sentences, point.facts, lang)


def sentence_for(sentences: tuple[Text, ...], facts: Mapping[str, Any]) -> Text | None:
    """The sentence whose facts are all given and not empty; else one whose facts are given."""
    known = [one for one in sentences if blanks(one.en) <= facts.keys()]
    telling = (one for one in known if not any(_is_empty(facts[name]) for name in blanks(one.en)))
    return next(telling, known[-1] if known else None)


def _is_empty(value: Any) -> bool:
    return value is None or value is False or (not isinstance(value, int) and not value)


def _told(
    words: Catalogue,
    sentences: tuple[Text, ...] | None,
    facts: Mapping[str, Any],
    lang: Language,
) -> str:
    if sentences is None:
        return ", ".join(_one_by_one(words, facts, lang))
    sentence = sentence_for(sentences, facts)
    told = words.fill(sentence.say(lang), lang, **facts) if sentence is not None else ""
    for name, value in facts.items():
        if value and (key := f"also.{name}") in words:
            also = words.say(key, lang, **facts)
            told = words.say("added", lang, told=Verbatim(told), also=Verbatim(also))
    return told


def difference(
    engine: Engine[Any, Any], finding: Finding, entries: str, lang: Language, names: Names = NOBODY
) -> str | None:
    """A count that differs accuses nobody: when it was last right, and what has touched it since.

    None for a finding of another kind. ``entries`` are those of the finding, as text.
    """
    if finding.clause != engine.rules.audits.clause or "stated" not in finding.facts:
        return None
    known = "counted.never" if finding.since is None else "counted.right"
    last = Phrase(known, {"since": finding.since})
    touched = Phrase(
        "counted.touched" if finding.entries else "counted.untouched", {"entries": entries}
    )
    return engine.words.naming(names).say(
        "counted.differs", lang, **{**finding.facts, "last": last, "touched": touched}
    )


def _one_by_one(words: Catalogue, facts: Mapping[str, Any], lang: Language) -> Iterator[str]:
    """Fallback for a clause without a sentence: lists each fact with its name.

    The acting seat is known from the line, and empty facts are left out.
    """
    for name, value in facts.items():
        if value is None or name == "seat":
            continue
        if isinstance(value, str) and (key := f"told.{name}") in words:
            yield words.say(key, lang, **{name: value})
            continue
        label = words.say(f"fact.{name}", lang) if f"fact.{name}" in words else name
        text = words.fact(name, value, lang)
        yield words.say("labelled", lang, label=Verbatim(label), text=Verbatim(text))
