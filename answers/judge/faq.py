"""A game's rules as one document for publishers and rules editors: the questions that the rulebook
leaves open, every clause, what was ruled on each, and an index by component."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, Local, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.judge.precedents import RulingAnswer, known_book, ruling_answer
from answers.limits import RulesText
from answers.permissions import EVERYBODY
from answers.review.stats import Selection, statistics
from answers.rulebooks.games import game_name
from answers.rulebooks.printing import printed
from answers.rulebooks.rules import ClauseAnswer, ReadingAnswer, readings, rules
from answers.rulebooks.rules_diff import RulesDiffAnswer, rules_diff
from engines.kernel import Engine
from engines.kernel.messages.catalogue import LANGUAGES, Language, normalize
from engines.kernel.registry import load_engine
from referee.errors import NotFound


class FaqQuestion(Data):
    """What the rulebook leaves open."""

    reading: ReadingAnswer
    disputes: int | None
    """How often its clauses were disputed here; None for who may not count."""
    tables: dict[str, int] | None = None
    """How many tables here have read it so, by answer; None for who may not count."""
    rulings: list[str]
    """References of the rulings about it."""


class FaqClause(Data):
    clause: ClauseAnswer
    rulings: list[RulingAnswer]


class FaqComponent(Data):
    """An entry of the index."""

    component: dict[str, str]
    clauses: dict[str, list[str]]
    """Those that name it, by language: a word may mean more in one than in the other."""


class FaqChanges(Data):
    """What is new since an earlier edition of the document, or of its clauses."""

    clauses: RulesDiffAnswer
    """Which are new, gone or worded otherwise."""
    questions: list[str]
    """Readings that were not asked then; none where the earlier file tells none."""
    rulings: list[str]


class FaqAnswer(Data):
    game: str
    version: str
    since: FaqChanges | None = None
    """What has changed since the earlier edition that was sent along, if one was."""
    questions: list[FaqQuestion]
    """The most disputed first."""
    clauses: list[FaqClause]
    index: list[FaqComponent]


@operation("faq", "GET /engines/{engine}/faq", grant=EVERYBODY, scope="token", slow=True)
def faq(caller: Caller, game: str, *, old: Local[str] = "") -> Answered[FaqAnswer]:
    """Open questions, clauses and rulings of a game, as far as the caller may know them."""
    found = _faq(caller, game, old)
    return Answered(lambda: found, lambda voice: markdown(voice, found).splitlines())


@operation(
    "faq-file",
    "GET /engines/{engine}/faq/{format}",
    grant=EVERYBODY,
    scope="token",
    file=NAMED_BY_FUNCTION,
    slow=True,
)
def faq_file(caller: Caller, game: str, format: str = "html", *, old: Local[str] = "") -> File:
    """The same as a file: ``html``, ``md`` or ``pdf``."""
    if format not in WRITERS:
        raise NotFound("no_such_format", format=format, formats=list(WRITERS))
    made = WRITERS[format](caller.voice, _faq(caller, game, old))
    content = made if isinstance(made, bytes) else made.encode()
    return File(f"{game}-faq-{caller.voice.lang}.{format}", content)


@operation(
    "faq-since",
    "POST /engines/{engine}/faq/{format}",
    grant=EVERYBODY,
    scope="token",
    kind="try",
    file=NAMED_BY_FUNCTION,
    slow=True,
)
def faq_since(caller: Caller, game: str, format: str, old: RulesText) -> File:
    """The same, with what has changed since an earlier edition: its clauses, or that document."""
    return faq_file(caller, game, format, old=old)


def _since(found: FaqAnswer, old: str) -> FaqChanges:
    clauses = rules_diff(found.game, old).data
    before = read_faq(old)
    asked = {each.reading.id for each in before.questions} if before is not None else None
    ruled = {one for each in before.questions for one in each.rulings} if before else set()
    ruled |= {one.reference for each in before.clauses for one in each.rulings} if before else set()
    now = {one.reference: None for each in found.clauses for one in each.rulings}
    return FaqChanges(
        clauses=clauses,
        questions=[
            each.reading.id
            for each in found.questions
            if asked is not None and each.reading.id not in asked
        ],
        rulings=[] if before is None else [one for one in now if one not in ruled],
    )


def read_faq(text: str) -> FaqAnswer | None:
    """An earlier edition of the document, as data; None for a file of clauses alone."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        said = from_json(text)
        return FaqAnswer.model_validate(said.get("data", said))
    except (ValidationError, ValueError, AttributeError):
        return None


def _faq(caller: Caller, game: str, old: str = "") -> FaqAnswer:
    found = _now(caller, game)
    return found.model_copy(update={"since": _since(found, old)}) if old else found


def _now(caller: Caller, game: str) -> FaqAnswer:
    engine = load_engine(game)
    book = [ruling_answer(*each) for each in known_book(caller, game)]
    counted = _counts(caller, game)
    questions = [
        FaqQuestion(
            reading=reading,
            disputes=None
            if counted is None  # a dispute may name several of its clauses, and is counted once
            else max((counted.disputed.get(clause, 0) for clause in reading.clauses), default=0),
            tables=None if counted is None else counted.chosen(reading),
            rulings=[
                ruling.reference
                for ruling in book
                if reading.id in ruling.readings
                or not set(reading.clauses).isdisjoint(ruling.clauses)
            ],
        )
        for reading in readings(game).data.readings
    ]
    questions.sort(key=lambda each: (-(each.disputes or 0), -len(each.rulings)))
    clauses = rules(game).data.clauses
    return FaqAnswer(
        game=game,
        version=engine.version,
        questions=questions,
        clauses=[
            FaqClause(clause=each, rulings=[one for one in book if each.id in one.clauses])
            for each in clauses
        ],
        index=[*_index(engine, clauses)],
    )


class _Counts(NamedTuple):
    """How often each clause was disputed, and each answer chosen."""

    disputed: Mapping[str, int]
    tables: Mapping[str, int]
    """By ``reading=value``, as statistics name it."""

    def chosen(self, reading: ReadingAnswer) -> dict[str, int]:
        return {value: self.tables.get(f"{reading.id}={value}", 0) for value in reading.values}


def _counts(caller: Caller, game: str) -> _Counts | None:
    """A seat may not count: games in play would be told."""
    if caller.viewer is not None:
        return None
    counted = statistics(caller, Selection(engine=game)).data
    tables = Counter[str]()
    for group in counted.groups:
        if group.by == "reading":
            tables[group.name] += group.games
    return _Counts({each.clause: each.disputed for each in counted.clauses}, tables)


def _index(engine: Engine[Any, Any], clauses: list[ClauseAnswer]) -> Iterator[FaqComponent]:
    """Components that clauses name: other terms (what is owed, why something is declined, the four
    winds) are words of sentences, and "est" is in every other French one."""
    sheet = engine.kit_sheet(None)
    names = {
        tuple(engine.words.term(word, lang) for lang in LANGUAGES)
        for word in sorted(_said_in(engine.read_kit(sheet).model_dump(mode="json")))
        if f"term.{word}" in engine.words
    }
    for name in sorted(names):
        component: dict[str, str] = dict(zip(LANGUAGES, name, strict=True))
        found = {
            lang: [each.id for each in clauses if _named(word, getattr(each, lang))]
            for lang, word in component.items()
        }
        if any(found.values()):
            yield FaqComponent(component=component, clauses=found)


def _said_in(box: Any) -> Iterator[str]:
    """Every word of a box's data, names of fields too."""
    if isinstance(box, dict):
        yield from box
        box = [*box.values()]
    if isinstance(box, list):
        for each in box:
            yield from _said_in(each)
    elif isinstance(box, str):
        yield box


_ARTICLE = re.compile(r"^(?:an?|the|l[ea]s?|une?|des|du|de|en|[ld]['’])(?:\s+|(?<=['’]))", re.I)


def _in_order(found: FaqAnswer, lang: Language) -> list[tuple[str, list[str]]]:
    """The index in the words and the alphabet of a language; articles do not count."""
    entries: dict[str, dict[str, None]] = {}
    for each in found.index:
        if named := each.clauses[lang]:
            entries.setdefault(each.component[lang], {}).update(dict.fromkeys(named))
    words = sorted(entries, key=lambda word: normalize(_ARTICLE.sub("", word)))
    return [(word, [*entries[word]]) for word in words]


def _named(word: str, text: str) -> bool:
    """Whether a text names it, in the singular or the plural."""
    return re.search(rf"\b{re.escape(normalize(word))}(s|es|x)?\b", normalize(text)) is not None


# as a document


def _heading(voice: Voice, found: FaqAnswer) -> str:
    return voice.say("faq.title", game=game_name(voice, found.game))


def _answer(voice: Voice, question: FaqQuestion, value: str) -> str:
    """An answer, whether it is the usual one, and how many tables have chosen it."""
    reading = question.reading
    told = [reading.values[value][voice.lang]]
    told += [voice.say("rules.default")] if value == reading.default else []
    if question.tables is not None and any(question.tables.values()):
        told.append(f"({voice.say('faq.tables', count=question.tables[value])})")
    return " ".join(told)


class _Change(NamedTuple):
    """Something that an earlier edition had not, or had otherwise."""

    what: str
    gone: list[str] = []
    new: list[str] = []


def _changes(voice: Voice, found: FaqAnswer) -> list[_Change]:
    if found.since is None:
        return []
    clauses = found.since.clauses
    told = []
    for key in ("added", "removed", "changed"):
        for one in getattr(clauses, key):
            said = next((each for each in one.changes if each.lang == voice.lang), None)
            if said is None and not one.moved_from:
                continue  # only its other language was changed
            what = voice.say(f"rules_diff.{key}", clause=one.id, section=one.section)
            if one.moved_from:
                what = f"{what} – {voice.say('rules_diff.moved', section=one.moved_from)}"
            told.append(_Change(what, *((said.gone, said.new) if said else ())))
    for each in found.questions:
        if each.reading.id in found.since.questions:
            asked = each.reading.question[voice.lang]
            told.append(_Change(voice.say("faq.new_question"), new=[asked]))
    ruled = {one.reference: one for each in found.clauses for one in each.rulings}
    for reference in found.since.rulings:
        told.append(_Change(voice.say("faq.new_ruling"), new=[_ruled(voice, ruled[reference])]))
    return [*told, _Change(voice.say("rules_diff.same", count=clauses.same))]


def _counted(voice: Voice, question: FaqQuestion) -> str:
    told = [] if question.disputes is None else [voice.say("faq.disputes", count=question.disputes)]
    return " · ".join([*told, voice.say("faq.rulings", count=len(question.rulings))])


def _ruled(voice: Voice, ruling: RulingAnswer) -> str:
    parts = (
        voice.day(ruling.date),
        voice.say(f"remedied.{ruling.remedy}"),
        ruling.reason,
        ruling.authority,
        ruling.source,
        ruling.reference,
    )
    told = " · ".join(part for part in parts if part)
    by = ruling.overturned_by
    return f"{told} ({voice.say('ruling.overturned', by=by)})" if by else told


def _by_sections(found: FaqAnswer) -> Mapping[str, list[FaqClause]]:
    sections: dict[str, list[FaqClause]] = {}
    for each in found.clauses:
        sections.setdefault(each.clause.section, []).append(each)
    return sections


_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~])")


def _plain(text: str) -> str:
    """Text that Markdown must not read as markup."""
    return _MARKUP.sub(r"\\\1", text.replace("\n", " "))


def markdown(voice: Voice, found: FaqAnswer) -> str:
    lines = [f"# {_plain(_heading(voice, found))}", ""]
    changes = _changes(voice, found)
    lines += [f"## {voice.say('faq.since')}", ""] if changes else []
    for change in changes:
        lines.append(f"- {_plain(change.what)}")
        lines += [f"  - ~~{_plain(text)}~~" for text in change.gone]
        lines += [f"  - **{_plain(text)}**" for text in change.new]
    lines += [""] * bool(changes) + [f"## {voice.say('faq.questions')}", ""]
    for question in found.questions:
        reading = question.reading
        lines += [f"### {_plain(reading.question[voice.lang])}", ""]
        lines += [f"- {_plain(_answer(voice, question, value))}" for value in reading.values]
        lines += ["", _plain(reading.why[voice.lang]), ""]
        lines += [f"{', '.join(reading.clauses)} · {_counted(voice, question)}", ""]
    lines += [f"## {voice.say('faq.clauses')}", ""]
    for section, clauses in _by_sections(found).items():
        lines += [f"### {_plain(section)}", ""]
        for each in clauses:
            lines.append(f"- **{each.clause.id}** {_plain(getattr(each.clause, voice.lang))}")
            lines += [f"  - {_plain(_ruled(voice, ruling))}" for ruling in each.rulings]
        lines.append("")
    lines += [f"## {voice.say('faq.index')}", ""]
    lines += [
        f"- {voice.say('faq.entry', word=_plain(word), clauses=', '.join(named))}"
        for word, named in _in_order(found, voice.lang)
    ]
    return "\n".join(lines) + "\n"


def html(voice: Voice, found: FaqAnswer) -> bytes:
    """A page that needs nothing from any network and runs no script."""

    def link(clause: str) -> str:
        return f'<a href="#{clause}">{clause}</a>'

    def question(each: FaqQuestion) -> str:
        reading = each.reading
        answers = "".join(
            f"<li>{escape(_answer(voice, each, value))}</li>" for value in reading.values
        )
        return (
            f'<section id="{escape(reading.id)}"><h3>{escape(reading.question[voice.lang])}</h3>'
            f"<ul>{answers}</ul><p>{escape(reading.why[voice.lang])}</p>"
            f"<p>{', '.join(map(link, reading.clauses))} · {escape(_counted(voice, each))}</p>"
            "</section>"
        )

    def clause(each: FaqClause) -> str:
        ruled = "".join(f"<li>{escape(_ruled(voice, ruling))}</li>" for ruling in each.rulings)
        told = escape(getattr(each.clause, voice.lang))
        under = f"<ul>{ruled}</ul>" if ruled else ""
        return f'<dt id="{each.clause.id}">{each.clause.id}</dt><dd>{told}{under}</dd>'

    def changed(each: _Change) -> str:
        told = "".join(f"<p><del>{escape(text)}</del></p>" for text in each.gone)
        told += "".join(f"<p><ins>{escape(text)}</ins></p>" for text in each.new)
        return f"<dt>{escape(each.what)}</dt><dd>{told}</dd>"

    style = resources.files("answers.judge").joinpath("faq.css").read_text("utf-8")
    safe = b64encode(sha256(style.encode()).digest()).decode()
    title = escape(_heading(voice, found))
    body = [f"<h1>{title}</h1>"]
    if changes := _changes(voice, found):
        told = "".join(map(changed, changes))
        body.append(f"<h2>{escape(voice.say('faq.since'))}</h2><dl>{told}</dl>")
    body.append(f"<h2>{escape(voice.say('faq.questions'))}</h2>")
    body += map(question, found.questions)
    body.append(f"<h2>{escape(voice.say('faq.clauses'))}</h2>")
    for section, clauses in _by_sections(found).items():
        body.append(f"<h3>{escape(section)}</h3><dl>{''.join(map(clause, clauses))}</dl>")
    rows = "".join(
        f"<dt>{escape(word)}</dt><dd>{', '.join(map(link, named))}</dd>"
        for word, named in _in_order(found, voice.lang)
    )
    body.append(f"<h2>{escape(voice.say('faq.index'))}</h2><dl>{rows}</dl>")
    return (
        f'<!doctype html><html lang="{voice.lang}"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src 'sha256-{safe}'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{style}</style></head>"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    ).encode()


def pdf(voice: Voice, found: FaqAnswer) -> bytes:
    """On paper; all that is told arrives as data and is never read as markup."""
    data = {
        "lang": voice.lang,
        "title": _heading(voice, found),
        "since": voice.say("faq.since"),
        "changes": [each._asdict() for each in _changes(voice, found)],
        "headings": [voice.say(f"faq.{part}") for part in ("questions", "clauses", "index")],
        "questions": [
            {
                "question": each.reading.question[voice.lang],
                "answers": [_answer(voice, each, value) for value in each.reading.values],
                "why": each.reading.why[voice.lang],
                "told": f"{', '.join(each.reading.clauses)} · {_counted(voice, each)}",
            }
            for each in found.questions
        ],
        "sections": [
            {
                "heading": section,
                "clauses": [
                    {
                        "id": each.clause.id,
                        "text": getattr(each.clause, voice.lang),
                        "rulings": [_ruled(voice, ruling) for ruling in each.rulings],
                    }
                    for each in clauses
                ],
            }
            for section, clauses in _by_sections(found).items()
        ],
        "index": [[word, ", ".join(named)] for word, named in _in_order(found, voice.lang)],
    }
    return printed("faq.typ", data, "answers.judge")


WRITERS: Mapping[str, Callable[[Voice, FaqAnswer], str | bytes]] = {
    "html": html,
    "md": markdown,
    "pdf": pdf,
}
"""How the document is written, by the ending of its file."""
