"""Localisation of tournament answers: messages, numbers, headed columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from answers.answer import Answered, Data, Outcome, Telling
from answers.i18n import Voice, answers_words, columns, words_on_top
from engines.kernel.messages.catalogue import Catalogue, Phrase, Spoken, Verbatim
from referee.tournament.ranking.points import decimal, in_points, units

CATALOGUES = ("referee.tournament", "answers.tournament")

D = TypeVar("D", bound=Data)


def desk_words() -> Catalogue:
    words = answers_words()
    for package in CATALOGUES:
        words = words_on_top(package, words)
    return words


def fluent(voice: Voice) -> Voice:
    """The same voice, which also knows the words of tournaments."""
    for package in CATALOGUES:
        voice = voice.falling_back_to(package)
    return voice


def answered(
    made: Callable[[], D],
    told: Telling,
    outcome: Outcome = "done",
    warnings: Iterable[Spoken] = (),
) -> Answered[D]:
    """An answer that is told with the words of the desk."""
    return Answered(made, lambda voice: told(fluent(voice)), outcome, tuple(warnings))


def said(key: str, /, **facts: Any) -> Phrase:
    """A sentence of the desk, to be told by whoever knows the language."""
    return Phrase(key, facts, desk_words())


def figure(voice: Voice, value: Fraction | int, digits: int = 2) -> str:
    """A number as people of that language write it."""
    return decimal(value, digits).replace(".", voice.say("tournament.decimal_mark"))


def points(voice: Voice, halves: int) -> str:
    return figure(voice, in_points(units(halves)))


def short(tournament_id: str) -> str:
    return tournament_id.removeprefix("tournament-")


def headed(voice: Voice, head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Columns under a headline."""
    lines = columns([tuple(head), *(tuple(row) for row in rows)])
    return [voice.mark("bold", lines[0]), *lines[1:]]


def quoted(voice: Voice, text: str) -> str:
    return voice.say("quoted", text=Verbatim(text))


def measure_name(voice: Voice, name: str) -> str:
    """A measure of the ladder in words, where we have some."""
    known = f"measure.{name}"
    return voice.say(known) if known in voice.words else name
