"""Data of a box in words: of the guided tour, and of a refusal that rests on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from string import ascii_letters
from typing import Any

from answers.i18n import Voice
from engines.kernel import Engine, KitSheet
from engines.kernel.box.guide import Look
from engines.kernel.box.kit import PART
from engines.kernel.box.tour import Page, Question, Tour, apart
from engines.kernel.messages.catalogue import LANGUAGES, normalize
from engines.kernel.picture.chart import Chart

LETTERS = ascii_letters
"""What the questions of a page are called, on a screen as on paper."""


def word(voice: Voice, engine: Engine[Any, Any], key: str) -> str:
    """What a game calls something of its box; codes are called by themselves."""
    return engine.called(key).said(engine.words, voice.lang)


def as_chosen(engine: Engine[Any, Any], question: Question, value: Any) -> Any:
    """A value as boxes have it: its choices may be told by their names in either language."""
    if isinstance(value, list):
        return [as_chosen(engine, question, one) for one in value]
    if not isinstance(value, str) or value in question.choices:
        return value
    for choice in question.choices:
        called = engine.called(str(choice))
        if normalize(value) in {normalize(called.said(engine.words, lang)) for lang in LANGUAGES}:
            return choice
    return value


def title(voice: Voice, engine: Engine[Any, Any], page: Page) -> str:
    """Where a page looks."""
    return place(voice, engine, page.look)


def place(voice: Voice, engine: Engine[Any, Any], look: Look) -> str:
    chart = look.chart
    named = [look.spot or look.id] if look.id != chart else []
    parts = [chart, *named] if chart and chart not in named else named
    return _joined(voice, engine, parts)


def _joined(voice: Voice, engine: Engine[Any, Any], parts: Sequence[str]) -> str:
    """Parts of a path in words: a number says what there are so many of, where a game has words
    for it (``layout for 2 players``)."""
    found: dict[str, None] = {}
    for before, part in pairwise(("", *parts)):
        if part[:1].isdecimal() and (told := _numbered(voice, engine, "numbered", before, part)):
            found.pop(word(voice, engine, before), None)
            found[told] = None
        else:
            found[word(voice, engine, part)] = None
    return " · ".join(found)


def _numbered(
    voice: Voice, engine: Engine[Any, Any], group: str, of: str, number: str
) -> str | None:
    key = f"{group}.{of}"
    return engine.words.say(key, voice.lang, number=number) if key in engine.words else None


def chart_of(voice: Voice, engine: Engine[Any, Any], tour: Tour, page: Page) -> Chart:
    """The chart of a page with its places by their names."""
    chart = tour.chart(page.look.chart)
    return chart._replace(labels={place: word(voice, engine, place) for place in chart.places})


def items(page: Page) -> list[list[Question]]:
    """The questions of a page, those about one thing together."""
    return [list(group) for _, group in groupby(page.questions, key=lambda q: q.item)]


def item_label(voice: Voice, engine: Engine[Any, Any], question: Question) -> str:
    """The thing that a question is about."""
    key = question.item.partition(PART)[0].rpartition(".")[2]
    if question.listed:
        number = str(int(key) + 1)
        lists = reversed(question.item.split("."))
        told = (_numbered(voice, engine, "listed", part, number) for part in lists)
        return next(filter(None, told), number)
    return word(voice, engine, key)


def name_of(voice: Voice, engine: Engine[Any, Any], question: Question) -> str:
    """What is asked of the thing."""
    return word(voice, engine, question.name.replace(PART, "_of"))


def question_label(voice: Voice, engine: Engine[Any, Any], question: Question) -> str:
    """The thing, and what is asked of it."""
    if PART in question.path or not question.item:
        return name_of(voice, engine, question)
    return f"{item_label(voice, engine, question)}, {name_of(voice, engine, question)}"


def datum_words(voice: Voice, engine: Engine[Any, Any], sheet: KitSheet, path: str) -> str:
    """A datum of a box in words, and what the box shows there: ``F1, borders on (H1, P2)``."""
    question = question_at(engine, sheet, path)
    label = datum_label(voice, engine, question)
    return f"{label} ({value_words(voice, engine, question)})"


def datum_label(voice: Voice, engine: Engine[Any, Any], question: Question) -> str:
    """The thing and what is asked of it, where no page shows which thing is meant."""
    label = question_label(voice, engine, question)
    _, part, name = question.path.partition(PART)
    if part:
        return f"{word(voice, engine, name)}, {label}"
    if not question.listed and question.look is None:
        return label
    if question.look is not None:
        listed = place(voice, engine, question.look)
        things = {path.rpartition(".")[0].rpartition(".")[2] for path in question.look.paths}
        if len(things) == 1:  # only one thing is to be seen there: it has the name of the place
            return f"{listed}, {name_of(voice, engine, question)}"
    else:
        listed = _joined(voice, engine, question.item.split(".")[:-1])
    return f"{listed} · {label}"


def question_at(engine: Engine[Any, Any], sheet: KitSheet, path: str) -> Question:
    """The question about a datum that people name by this path."""
    return Tour(engine.kit_model, engine.guide, sheet).question(sheet.meant(path))


def value_words(voice: Voice, engine: Engine[Any, Any], question: Question) -> str:
    """What the box shows there, as far as anybody knows."""
    value = question.value
    if question.kind == "several":
        return ", ".join(_words(voice, engine, apart(question))) or voice.say("box.none")
    if question.kind == "signs" and not isinstance(value, str):
        return " ".join(_words(voice, engine, value))
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple):  # an outline: coordinates tell nobody
            return voice.say("box.as_drawn")
        return " ".join(_words(voice, engine, value))
    return word(voice, engine, str(value))


def _words(voice: Voice, engine: Engine[Any, Any], values: Any) -> Iterator[str]:
    return (word(voice, engine, str(one)) for one in values)
