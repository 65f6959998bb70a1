"""Clauses and readings of a game, and the games there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from answers.answer import Answered, Data
from answers.declaration import Local, operation
from answers.i18n import Voice, columns
from answers.limits import Search
from answers.permissions import EVERYBODY
from answers.problems import problem_of
from engines.kernel import Audit, Clause, Engine
from engines.kernel.messages.catalogue import LANGUAGES, Language, normalize
from engines.kernel.registry import broken_games, load_engine, sound_engines
from referee.errors import NotFound


class ClauseAnswer(Data):
    id: str
    kind: str
    section: str
    en: str
    fr: str
    because: list[dict[str, str]]
    """The sentences that tell a breach, by language."""
    reason: dict[str, str] | None
    """Why it is not checked, by language."""
    readings: list[str]


class RulesAnswer(Data):
    game: str
    clauses: list[ClauseAnswer]


class ReadingAnswer(Data):
    id: str
    ambiguity: str
    question: dict[str, str]
    values: dict[str, dict[str, str]]
    default: str
    why: dict[str, str]
    clauses: list[str]
    contested: bool
    """The rulebook contradicts itself, and every table is asked."""
    changeable: str
    played_with: list[str]
    """The words of the opening that it matters with, any of them; always where none is named."""
    players: list[int]
    """The numbers of players that it matters to; all of them where it is empty."""
    affects: str
    since: str
    """The version of the engine that brought it; empty if it was always there."""
    before: str
    """What earlier engines did, if not the default."""


class ReadingsAnswer(Data):
    game: str
    readings: list[ReadingAnswer]


class AuditRow(Data):
    name: str
    usage: dict[str, str]
    """How it is typed, by language, what is to be filled in in capitals."""
    meaning: dict[str, str]


class AuditsAnswer(Data):
    game: str
    clause: str | None
    """What a difference is a matter of."""
    audits: list[AuditRow]


class EngineRow(Data):
    engine: str
    name: str
    version: str
    seats: tuple[int, int]
    clauses: int
    readings: int


class BrokenEngineRow(Data):
    """A plug-in that is left out because it cannot be loaded."""

    engine: str
    package: str
    place: str
    """File and line."""
    why: str


class EngineListAnswer(Data):
    engines: list[EngineRow]
    broken: list[BrokenEngineRow] = []


class VerbRow(Data):
    forms: list[str]
    french: list[str]
    meaning: str


class EngineInfoAnswer(Data):
    engine: str
    version: str
    edition: str
    seats: tuple[int, int]
    kits: list[str]
    verbs: dict[str, VerbRow]


@operation("rules", "GET /engines/{engine}/rules", grant=EVERYBODY, scope="public")
def rules(
    game: str,
    *,
    clause: Search | None = None,
    search: Search | None = None,
    details: Local[bool] = True,
) -> Answered[RulesAnswer]:
    """Clauses by the rulebook's headings: all, one, those that begin so or have these words."""
    engine = load_engine(game)
    found = _found(engine, clause, search)

    def render(voice: Voice) -> Iterator[str]:
        section = None
        for each in found:
            if each.section != section:
                section = each.section
                yield voice.mark("bold", section)
            yield f"  {each.id}  {each.say(voice.lang)}"
            if clause is not None or details:
                yield from _details(voice, engine, each)

    def data() -> RulesAnswer:
        return RulesAnswer(game=engine.id, clauses=[_clause(engine, each) for each in found])

    return Answered(data, render)


def _found(engine: Engine[Any, Any], clause: str | None, search: str | None) -> list[Clause]:
    clauses = list(engine.clauses.values())
    if clause is not None:
        wanted = clause.upper()
        exactly = [each for each in clauses if each.id == wanted]
        clauses = exactly or [each for each in clauses if each.id.startswith(wanted)]
        if not clauses:
            raise NotFound("no_such_clause", clause=clause)
    if search is not None:
        words = normalize(search).split()
        texts = [normalize(f"{each.id} {each.en} {each.fr} {each.section}") for each in clauses]
        clauses = [
            each
            for each, text in zip(clauses, texts, strict=True)
            if all(word in text for word in words)
        ]
        if not clauses:
            raise NotFound("nothing_found", words=search)
    return clauses


def _details(voice: Voice, engine: Engine[Any, Any], clause: Clause) -> Iterator[str]:
    yield f"      {voice.say('rules.kind', kind=voice.say(f'kind.{clause.kind}'))}"
    if clause.reason is not None:
        yield f"      {clause.reason.say(voice.lang)}"
    for reading in engine.readings.values():
        if clause.id in reading.clauses:
            yield f"      {voice.say('rules.reading', reading=reading.id)}"
            yield f"        {reading.question.say(voice.lang)}"


def _clause(engine: Engine[Any, Any], clause: Clause) -> ClauseAnswer:
    reason = clause.reason
    return ClauseAnswer.made_of(
        clause,
        because=[{lang: each.say(lang) for lang in LANGUAGES} for each in clause.because or ()],
        reason=None if reason is None else {lang: reason.say(lang) for lang in LANGUAGES},
        readings=[each.id for each in engine.readings.values() if clause.id in each.clauses],
    )


@operation("readings", "GET /engines/{engine}/readings", grant=EVERYBODY, scope="public")
def readings(game: str, *, search: Search | None = None) -> Answered[ReadingsAnswer]:
    """The known ambiguities of a rulebook, and how each can be read."""
    engine = load_engine(game)
    found = [
        reading
        for reading in engine.readings.values()
        for asked in [" ".join([reading.id, *map(reading.question.say, LANGUAGES)])]
        if search is None or normalize(search) in normalize(asked)
    ]

    def render(voice: Voice) -> Iterator[str]:
        for reading in found:
            yield f"{voice.mark('bold', reading.id)}  {reading.question.say(voice.lang)}"
            for value, meaning in reading.values.items():
                usual = voice.say("rules.default") if value == reading.default else ""
                yield f"    {voice.labelled(value, meaning.say(voice.lang))} {usual}".rstrip()
            yield f"    {voice.say('rules.why', why=reading.why.say(voice.lang))}"

    def data() -> ReadingsAnswer:
        rows = [
            ReadingAnswer(**reading.model_dump(mode="json"), default=reading.default)
            for reading in found
        ]
        return ReadingsAnswer(game=engine.id, readings=rows)

    return Answered(data, render)


@operation("audits", "GET /engines/{engine}/audits", grant=EVERYBODY, scope="public")
def audits(game: str) -> Answered[AuditsAnswer]:
    """What can be counted at the table and compared with the log."""
    found = load_engine(game)

    def render(voice: Voice) -> list[str]:
        verb = Audit.verb_of() if voice.lang == "en" else Audit.french[0]
        return columns(
            (
                f"{verb} {each.usage(found.words, voice.lang)} {voice.say('rules.counted')}",
                found.words.say(f"audit.{each.name}", voice.lang),
            )
            for each in found.rules.audits.usages
        )

    def data() -> AuditsAnswer:
        rows = [
            AuditRow(
                name=each.name,
                usage={lang: each.usage(found.words, lang) for lang in LANGUAGES},
                meaning={lang: found.words.say(f"audit.{each.name}", lang) for lang in LANGUAGES},
            )
            for each in found.rules.audits.usages
        ]
        return AuditsAnswer(game=found.id, clause=found.rules.audits.clause, audits=rows)

    return Answered(data, render)


@operation("engine-list", "GET /engines", grant=EVERYBODY, scope="public")
def engines(lang: Language = "en") -> Answered[EngineListAnswer]:
    """The games that this installation can referee; the data names them in this language."""
    found, broken = sound_engines(), broken_games()

    def render(voice: Voice) -> list[str]:
        listed = columns(
            (
                engine.id,
                engine.words.say("game", voice.lang),
                engine.version,
                _seats(voice, engine),
                voice.say("engine.clauses", count=len(engine.clauses)),
            )
            for engine in found
        )
        return [*listed, *(problem_of(error, voice).message for error in broken.values())]

    def data() -> EngineListAnswer:
        rows = [
            EngineRow.made_of(
                engine,
                engine=engine.id,
                name=engine.words.say("game", lang),
                clauses=len(engine.clauses),
                readings=len(engine.readings),
            )
            for engine in found
        ]
        left_out = [
            BrokenEngineRow(
                engine=game, **{name: error.facts[name] for name in ("package", "place", "why")}
            )
            for game, error in broken.items()
        ]
        return EngineListAnswer(engines=rows, broken=left_out)

    return Answered(data, render)


@operation("engine-info", "GET /engines/{engine}", grant=EVERYBODY, scope="public")
def engine(game: str, lang: Language = "en") -> Answered[EngineInfoAnswer]:
    """One game: its edition, seats, kits, and how its actions are written."""
    found = load_engine(game)

    def render(voice: Voice) -> Iterator[str]:
        edition = found.edition_in(found.edition, voice.lang)
        yield f"{found.words.say('game', voice.lang)} · {found.version} · {edition}"
        yield _seats(voice, found)
        yield voice.say("engine.clauses", count=len(found.clauses))
        for action in (found.opening, *found.actions):
            verb = action.verb_of()
            aliases = f" ({', '.join(action.french)})" if action.french else ""
            meaning = _meaning(found, verb, voice.lang)
            yield f"  {voice.mark('bold', verb)}{aliases}  {meaning}".rstrip()
            for usage in found.notation.usages(action):
                yield f"      {found.words.show(usage, voice.lang)}"

    def data() -> EngineInfoAnswer:
        verbs = {
            action.verb_of(): VerbRow(
                forms=list(found.notation.usages(action)),
                french=list(action.french),
                meaning=_meaning(found, action.verb_of(), lang),
            )
            for action in (found.opening, *found.actions)
        }
        return EngineInfoAnswer.made_of(found, engine=found.id, kits=list(found.kits), verbs=verbs)

    return Answered(data, render)


def _meaning(engine: Engine[Any, Any], verb: str, lang: Language) -> str:
    key = f"verb.{verb}"
    return engine.words.say(key, lang) if key in engine.words else ""


def _seats(voice: Voice, engine: Engine[Any, Any]) -> str:
    low, high = engine.seats
    key = "engine.seats_exactly" if low == high else "engine.seats"
    return voice.say(key, low=low, high=high)
