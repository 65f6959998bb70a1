"""What a clause and its facts say, in words: the same wherever a verdict is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.kernel.engine import Engine
from engines.kernel.hearing import Finding, Point
from engines.kernel.words import Language, Phrase, Verbatim


def clause_text(engine: Engine[Any, Any], clause_id: str, lang: Language) -> str:
    clause = engine.clauses.get(clause_id)
    return clause.say(lang) if clause is not None else ""


def because(engine: Engine[Any, Any], point: Point | Finding, lang: Language) -> str:
    """The facts of a point as a sentence, or one by one where the clause has no sentence."""
    clause = engine.clauses.get(point.clause)
    if clause is None or clause.because is None:
        return ", ".join(_facts_told(engine, point.facts, lang))
    told = engine.words.fill(clause.because.say(lang), lang, **point.facts)
    for name, value in point.facts.items():
        if value is True and (key := f"also.{name}") in engine.words:
            also = engine.words.say(key, lang, **point.facts)
            told = engine.words.say("added", lang, told=Verbatim(told), also=Verbatim(also))
    return told


def difference(
    engine: Engine[Any, Any], finding: Finding, entries: str, lang: Language
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
    return engine.words.say(
        "counted.differs", lang, **{**finding.facts, "last": last, "touched": touched}
    )


def _facts_told(
    engine: Engine[Any, Any], facts: Mapping[str, Any], lang: Language
) -> Iterator[str]:
    """Facts of a refusal: what there is nothing of is left out, and so is a seat in its turn."""
    for name, value in facts.items():
        if value is None or (name == "seat" and value == facts.get("turn")):
            continue
        key = f"told.{name}"
        if isinstance(value, str) and key in engine.words:
            yield engine.words.say(key, lang, **{name: value})
        else:
            yield facts_line(engine, {name: value}, lang)


def facts_line(engine: Engine[Any, Any], facts: Mapping[str, Any], lang: Language) -> str:
    """Every fact with its name."""
    told = []
    for name, value in facts.items():
        key = f"fact.{name}"
        label = engine.words.say(key, lang) if key in engine.words else name
        text = engine.words.fact(name, value, lang)
        told.append(engine.words.say("labelled", lang, label=Verbatim(label), text=Verbatim(text)))
    return ", ".join(told)
