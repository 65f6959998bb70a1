"""What is written about a game: clauses, words, readings, kits, and what its Python names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from engines.kernel import LANGUAGES, Engine, ParseError
from engines.kernel.box.kit import PROVENANCES
from engines.kernel.messages.catalogue import blanks
from engines.kernel.messages.errors import first_mistake
from engines.kernel.messages.package_data import read_tables
from engines.kernel.rules.clauses import Clause, Reading, Text
from referee.game_check.defects import Defect, wrong
from referee.game_check.sources import Sources

UNNAMED = ("principle", "unchecked")
"""Kinds of clauses that no rule needs to name: other clauses show them, or nobody can."""


IMPURE = {
    "random": "imports_chance",
    "secrets": "imports_chance",
    "uuid": "imports_chance",
    "time": "imports_clock",
    "datetime": "imports_clock",
}
"""What rules may not ask: chance is seen and logged, and a record is read at any time."""


def check_files(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    """Every file can be read, and every entry of it has what it needs.

    What this finds keeps the engine from being used at all: nothing else is asked before it is
    mended.
    """
    yield from _entries(sources, "clauses.toml", Clause)
    yield from _entries(sources, "readings.toml", Reading)
    try:
        words = engine.words
    except (ValueError, AttributeError, TypeError) as error:
        yield _unreadable(sources, "words.toml", error)
    else:
        for key in words:
            for lang in LANGUAGES:
                if not str((words.entry(key) or {}).get(lang, "")).strip():
                    place = sources.heading("words.toml", key)
                    yield wrong("no_language", place, name=key, language=lang)
    yield from _kits(engine, sources)


def _entries(sources: Sources, file: str, model: type[Clause] | type[Reading]) -> Iterator[Defect]:
    try:
        tables = read_tables(sources.package, file)
    except ValueError as error:
        yield _unreadable(sources, file, error)
        return
    for key, entry in tables.items():
        for name, language in _empty(entry, key):
            yield wrong("no_language", sources.heading(file, key), name=name, language=language)
        try:
            model.model_validate({"id": key, **entry})
        except ValidationError as error:
            mistake = first_mistake(error)
            place = sources.heading(file, key)
            *_, last = ("", *mistake.place.split("."))
            missing = error.errors()[0]["type"] == "missing"
            if missing and last in LANGUAGES:
                name = f"{key} {mistake.place.removesuffix(last)}".strip(" .")
                yield wrong("no_language", place, name=name, language=last)
            else:
                yield wrong("bad_entry", place, name=key, problem=mistake.phrase)


def _empty(entry: Any, name: str) -> Iterator[tuple[str, str]]:
    """Texts that are written and say nothing."""
    if isinstance(entry, Mapping):
        for key, value in entry.items():
            if key in LANGUAGES and isinstance(value, str) and not value.strip():
                yield name, key
            yield from _empty(value, f"{name} {key}")


def _unreadable(sources: Sources, file: str, error: Exception) -> Defect:
    place, _ = sources.heading(file, "")
    told = re.search(r"line (\d+)", str(error))
    problem = str(error).removeprefix(f"{place}: ")
    return wrong("unreadable", (place, int(told[1]) if told else None), problem=problem)


def _kits(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    try:
        kits = engine.kits
    except (ValueError, KeyError) as error:
        folder, _ = sources.heading("kits", "")
        yield wrong("unreadable", (folder, None), problem=str(error))
        return
    if not kits:
        yield wrong("no_kit", (sources.heading("kits", "")[0], None))
    for name, sheet in kits.items():
        file = f"kits/{name}.toml"
        try:
            kit = engine.read_kit(sheet)
        except (ParseError, ValueError) as error:
            problem = error.phrase if isinstance(error, ParseError) else str(error)
            yield wrong("bad_kit", sources.heading(file, "kit"), kit=name, problem=problem)
            continue
        if kit.game != engine.id:
            place = sources.heading(file, "game")
            yield wrong("other_game", place, kit=name, game=engine.id, written=kit.game)
        for datum in sheet.datums():
            if datum.provenance not in PROVENANCES or not datum.source:
                place = sources.heading(file, datum.path)
                yield wrong("no_source", place, datum=datum.path, known=PROVENANCES)


def check_written(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    """What the Python names exists, and what the files say is named and said alike."""
    checks: tuple[Callable[[Engine[Any, Any], Sources], Iterator[Defect]], ...] = (
        check_clauses_named,
        check_sentences,
        check_facts_told,
        check_readings,
        check_duties,
        check_actions,
        check_words,
        check_imports,
    )
    for check in checks:
        yield from check(engine, sources)


def check_clauses_named(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    named = {each.word for each in sources.clauses}
    for word, place in sources.clauses:
        if word not in engine.clauses:
            yield wrong("unknown_clause", place, clause=word)
    for clause in engine.clauses.values():
        if clause.id not in named and clause.kind not in UNNAMED:
            yield wrong(
                "unused_clause", sources.heading("clauses.toml", clause.id), clause=clause.id
            )
        for other in clause.settled_by:
            if other not in engine.clauses:
                place = sources.heading("clauses.toml", clause.id)
                yield wrong("unknown_clause", place, clause=other)


def check_imports(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    for word, place in sources.imports:
        if word in IMPURE:
            yield wrong(IMPURE[word], place, module=word)


def check_sentences(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    """Every ``{word}`` of a sentence is a fact that a rule gives, the same in both languages."""
    for clause in engine.clauses.values():
        place = sources.heading("clauses.toml", clause.id)
        if clause.en == clause.fr:
            yield wrong("same_texts", place, name=clause.id)
        for which in ("because", "told"):
            sentences: tuple[Text, ...] = getattr(clause, which) or ()
            for sentence in sentences:
                if blanks(sentence.en) != blanks(sentence.fr):
                    told = {"name": f"{clause.id} {which}", "en": _braced(blanks(sentence.en))}
                    yield wrong("other_blanks", place, **told, fr=_braced(blanks(sentence.fr)))
            yield from _untold(engine, sources, clause, which, sentences)
        for reading, texts in clause.under.items():
            for value, text in texts.items():
                if blanks(text.en) != blanks(text.fr):
                    name = f"{clause.id} {reading}={value}"
                    told = {"en": _braced(blanks(text.en)), "fr": _braced(blanks(text.fr))}
                    yield wrong("other_blanks", place, name=name, **told)
            known = engine.readings.get(reading)
            if known is None:
                yield _unknown(engine.readings, "unknown_reading", place, reading)
            for value in texts.keys() - (known.values.keys() if known else texts.keys()):
                told = {"reading": reading, "value": value}
                yield wrong(
                    "unknown_value", place, **told, known=tuple(known.values if known else ())
                )


def _untold(
    engine: Engine[Any, Any],
    sources: Sources,
    clause: Clause,
    which: str,
    sentences: tuple[Text, ...],
) -> Iterator[Defect]:
    """Sentences that no application of their clause can fill, where all of them can be seen."""
    applied = [
        each
        for each in sources.applications
        if each.clause == clause.id and (each.how == "effect") == (which == "told")
    ]
    if not applied or clause.id not in sources.applied_openly:
        return
    given = frozenset[str]().union(*(each.facts for each in applied))
    for sentence in sentences:
        wanted = blanks(sentence.en)
        if any(wanted <= each.facts for each in applied):
            continue
        place = sources.heading("clauses.toml", clause.id)
        missing = wanted - given or wanted
        told = {"clause": clause.id, "facts": _braced(missing), "given": _braced(given)}
        yield wrong("unknown_fact" if given else "no_facts", place, **told)


def check_facts_told(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    """What a rule gives is told by a sentence: never as a list of names and values."""
    for clause_id, how, facts, is_open, place in sources.applications:
        clause = engine.clauses.get(clause_id)
        if clause is None or is_open or facts <= {"seat"}:
            continue
        which = "told" if how == "effect" else "because"
        sentences: tuple[Text, ...] | None = getattr(clause, which)
        fits = sentences is not None and any(blanks(one.en) <= facts for one in sentences)
        if not fits and sentences != ():
            yield wrong("facts_untold", place, clause=clause_id, which=which, given=_braced(facts))


def _braced(names: set[str] | frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "–"


def check_readings(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    for word, place in sources.readings:
        if word not in engine.readings:
            yield _unknown(engine.readings, "unknown_reading", place, word)
    for reading in engine.readings.values():
        for clause in reading.clauses:
            if clause not in engine.clauses:
                place = sources.heading("readings.toml", reading.id)
                yield wrong("unknown_clause", place, clause=clause)


def _unknown(
    known: Mapping[str, Any], key: str, place: tuple[str, int | None], name: str
) -> Defect:
    return wrong(key, place, name=name, known=tuple(known) or ("–",))


def check_duties(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    known = {kind: None for kind in engine.rules.duties if kind}
    for word, place in sources.duties:
        if word not in known:
            yield _unknown(known, "unknown_duty", place, word)


def check_actions(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    """Whatever may be due can be said, heard and offered."""
    rules, audited = engine.rules, engine.actions[-1]
    due = {action: None for kind, actions in rules.duties.items() for action in actions}
    for action in (*due, *engine.actions):
        place = sources.definition(action.__name__)
        if action is engine.opening:
            continue
        if action not in engine.actions:
            yield wrong("not_an_action", place, action=action.__name__)
        elif action not in rules.reducers and action is not audited:
            yield wrong("not_heard", place, action=action.__name__)
        elif action not in due and action is not audited:
            yield wrong("never_due", place, action=action.__name__)
    offerable = {action for kind, actions in rules.duties.items() if kind for action in actions}
    for action in due:
        if action in offerable and action.enumerable and action not in rules.offered:
            yield wrong("not_offered", sources.definition(action.__name__), action=action.__name__)


def check_words(engine: Engine[Any, Any], sources: Sources) -> Iterator[Defect]:
    """Duties and verbs have names, sentences that are said exist, and both languages fit."""
    place, _ = sources.heading("words.toml", "")
    wanted = {"game": None} | {f"duty.{kind}": None for kind in engine.rules.duties if kind}
    wanted |= {f"verb.{action.verb_of()}": None for action in (engine.opening, *engine.actions)}
    for key in wanted:
        if key not in engine.words:
            yield wrong("no_words", (place, None), key=key)
    for word, where in sources.sentences:
        if word not in engine.words:
            yield wrong("no_words", where, key=word)
    for key in engine.words:
        entry = engine.words.entry(key) or {}
        english, french = blanks(entry["en"]), blanks(entry["fr"])
        if english != french:
            heading = sources.heading("words.toml", key)
            told = {"name": key, "en": _braced(english), "fr": _braced(french)}
            yield wrong("other_blanks", heading, **told)
        for one in ("en_one", "fr_one"):
            counted = blanks(entry.get(one, "{count}")) | {"count"}
            if one in entry and counted != english | {"count"}:
                heading = sources.heading("words.toml", key)
                told = {"name": f"{key} {one}", "en": _braced(counted), "fr": _braced(english)}
                yield wrong("other_blanks", heading, **told)
            if one not in entry and {"en_one", "fr_one"} & entry.keys():
                heading = sources.heading("words.toml", key)
                yield wrong("no_singular", heading, name=key, wanted=one)
