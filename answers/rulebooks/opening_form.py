"""The form of a new table: every choice of a game's opening as a question, taken from its data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from answers.answer import Data
from answers.box_words import word
from answers.i18n import Voice
from answers.rulebooks.setup_questions import SetupQuestion, asked_of, takes_several
from engines.kernel import Engine, Reading
from engines.kernel.registry import load_engine


class FormChoice(Data):
    piece: str
    """What it adds to the opening line, or the value of a reading."""
    text: str
    colour: str = ""


class FormQuestion(Data):
    about: str
    text: str
    kind: Literal["one", "several", "flag", "number"]
    choices: list[FormChoice]
    usual: str
    """The piece of whoever chooses nothing."""
    seat: str = ""


class FormReading(Data):
    id: str
    text: str
    why: str
    """Why the usual answer is the usual one."""
    choices: list[FormChoice]
    """The usual one first."""
    early: bool
    """It is asked before all others: the rules contradict themselves, or it is fixed from the
    opening on."""
    played_with: list[str] = []
    """It matters where one of these is chosen; always where nothing is named."""


def questions(voice: Voice, engine_id: str, players: int) -> list[FormQuestion]:
    """Who has which colour, who begins, and what else the opening of the game may say."""
    engine = load_engine(engine_id)
    asked = [_question(voice, engine, players, one) for one in asked_of(engine, players)]
    return [*asked, *_numbers(voice, engine)]


def readings(voice: Voice, engine_id: str, players: int | None = None) -> list[FormReading]:
    """What the rulebook leaves open for so many, those first that every table is asked."""
    rows = [
        _reading(voice, one)
        for one in load_engine(engine_id).readings.values()
        if players is None or not one.players or players in one.players
    ]
    return sorted(rows, key=lambda row: not row.early)


def _question(
    voice: Voice, engine: Engine[Any, Any], players: int, one: SetupQuestion
) -> FormQuestion:
    if one.seat:
        place = _place(engine, players, one.seat)
        choices = [
            FormChoice(
                piece=f"{one.seat}={value}{place}", text=word(voice, engine, value), colour=value
            )
            for value in one.choices
        ]
        usual = f"{one.seat}={one.usual}{place}"
        return FormQuestion(
            about=one.about, text="", kind="one", choices=choices, usual=usual, seat=one.seat
        )
    flag = one.choices == (one.about,)
    several = not flag and one.about != "first" and takes_several(engine, one.about)
    begins = "" if flag or several else f"{one.about} "
    choices = [
        FormChoice(
            piece=f"{begins}{value}",
            text=value if one.about == "first" else word(voice, engine, value),
        )
        for value in one.choices
    ]
    kind: Literal["one", "several", "flag"] = "flag" if flag else "several" if several else "one"
    usual = "" if one.usual is None else f"{begins}{one.usual}"
    text = "" if one.about == "first" else _called(voice, engine, one.about)
    return FormQuestion(about=one.about, text=text, kind=kind, choices=choices, usual=usual)


def _numbers(voice: Voice, engine: Engine[Any, Any]) -> Iterator[FormQuestion]:
    for keyword, behind in engine.notation.sections(engine.opening).items():
        if behind is not None and behind.is_number:
            text = _called(voice, engine, keyword)
            yield FormQuestion(about=keyword, text=text, kind="number", choices=[], usual="")


def _called(voice: Voice, engine: Engine[Any, Any], keyword: str) -> str:
    """A keyword of the opening as a person would ask for it."""
    for key in (f"asked.{keyword}", f"keyword.{keyword}"):
        if key in engine.words:
            return engine.words.say(key, voice.lang)
    return keyword


def opening_option(voice: Voice, engine_id: str, option: str, value: str) -> str:
    """What every table of an event opens with, as people say it: ``Level: hard``."""
    engine = load_engine(engine_id)
    called = _called(voice, engine, option)
    if value == "true":
        return called
    values = (
        value
        if value.isdecimal()
        else ", ".join(word(voice, engine, each) for each in value.split("+"))
    )
    return voice.labelled(called, values)


def _place(engine: Engine[Any, Any], players: int, seat: str) -> str:
    """Where the pieces of a seat usually begin, as it stands behind their colour."""
    said = engine.opening.usual(players).split()
    own = next((each for each in said if each.startswith(f"{seat}=")), "")
    _, at, place = own.partition("@")
    return at + place


def _reading(voice: Voice, one: Reading) -> FormReading:
    return FormReading(
        id=one.id,
        text=one.question.say(voice.lang),
        why=one.why.say(voice.lang),
        choices=[
            FormChoice(piece=value, text=text.say(voice.lang)) for value, text in one.values.items()
        ],
        early=one.contested or one.affects == "view" or one.changeable == "opening",
        played_with=[*one.played_with],
    )
