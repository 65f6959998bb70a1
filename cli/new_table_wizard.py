"""Wizard of ``referee new``: asks for game, players, options and box at a terminal.

Typer brings its own copy of Click without ``Choice``: what is typed for a question with numbers is
checked here, and asked again in the user's language. Questions go to the standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import typer

from answers.box_words import word
from answers.rulebooks.boxes import OWN, club_kit
from answers.rulebooks.setup_questions import SetupQuestion, asked_of, opening_of
from cli.i18n import language, say, wrapped
from cli.session import Session
from engines.kernel import KitSheet, Reading, Verbatim
from engines.kernel.registry import load_engine, sound_engines


class SetUp(NamedTuple):
    """The answers of the wizard: game, opening line, names by seat, box."""

    game: str
    line: str
    players: dict[str, str]
    kit: str | None


def set_up(here: Session, game: str | None) -> SetUp:
    """Ask for the game, the seats, the names, the options of the opening, and the box."""
    game = game or _game()
    engine = load_engine(game)
    players = _players(*engine.seats)
    chosen: dict[SetupQuestion, str] = {}
    names: dict[str, str] = {}
    for asked in asked_of(engine, players):
        taken = {value for question, value in chosen.items() if question.seat}
        chosen[asked] = _chosen(here, game, asked, taken)
        if asked.seat:
            names |= _name(asked.seat)
    for seat in opening_of(engine, players, chosen).split()[:players]:
        if seat in "ABCDEFGH":
            names |= _name(seat)
    return SetUp(game, opening_of(engine, players, chosen), names, _box(here, game))


def _game() -> str:
    games = {engine.words.say("game", language()): engine.id for engine in sound_engines()}
    return games[choice(say("setting_up.game"), list(games))]


def _players(low: int, high: int) -> int:
    if low == high:
        return low
    asked = say("setting_up.players", low=low, high=high)
    return ask_number(asked, range(low, high + 1), low) or low


def _chosen(here: Session, game: str, asked: SetupQuestion, taken: set[str]) -> str:
    engine = load_engine(game)
    left = [value for value in asked.choices if not asked.seat or value not in taken]
    values = {word(here.voice, engine, value): value for value in left}
    usual = asked.usual if asked.usual in left else (left[0] if asked.seat else None)
    shown = word(here.voice, engine, usual) if usual else None
    return values.get(
        choice(_question(here, game, asked), list(values), shown, may_skip=not usual), ""
    )


def _question(here: Session, game: str, asked: SetupQuestion) -> str:
    if asked.seat:
        return say("setting_up.value", seat=asked.seat)
    if asked.about == "first":
        return say("setting_up.first")
    words = load_engine(game).words
    key = f"keyword.{asked.about}"
    named = words.say(key, language()) if key in words else asked.about
    return say("setting_up.keyword", keyword=Verbatim(named))


def _name(seat: str) -> dict[str, str]:
    asked = say("setting_up.name", seat=seat)
    name = str(typer.prompt(asked, default="", show_default=False, err=True)).strip()
    return {seat: name} if name else {}


def _box(here: Session, game: str) -> str | None:
    """Ask which box is used, if there are several, and say how many of its data are assumed."""
    engine = load_engine(game)
    own = here.caller.store_context.boxes.names(game) if here.caller.store_context.has_boxes else []
    names = [*(name for name in (OWN,) if name in own), *engine.kits]
    names += [name for name in own if name != OWN]
    kit = choice(say("setting_up.kit"), names) if len(names) > 1 else None
    sheet: KitSheet = club_kit(here.caller, engine, kit) or engine.kit_sheet(
        kit if kit in engine.kits else None
    )
    assumed = sum(datum.provenance == "assumed" for datum in sheet.datums())
    about = {"kit": Verbatim(str(sheet.content["kit"])), "count": assumed}
    for line in wrapped([say("setting_up.box", game=Verbatim(game), **about)]):
        typer.echo(line, err=True)
    return kit


def ask_reading(reading: Reading) -> str:
    """What the table plays where its rulebook contradicts itself; its default on Enter."""
    lang, values = language(), list(reading.values)
    question = say("new.contested", question=Verbatim(reading.question.say(lang)))
    meanings = [f"{value}: {meaning.say(lang)}" for value, meaning in reading.values.items()]
    return values[ask_which(question, meanings) or 0]


def choice(
    question: str, choices: Sequence[str], usual: str | None = None, *, may_skip: bool = False
) -> str:
    """One of several, by its number; Enter is the usual one, the first, or nothing."""
    standard = choices.index(usual) if usual in choices else 0
    picked = ask_which(question, choices, None if may_skip else standard)
    return "" if picked is None else choices[picked]


def ask_number(question: str, numbers: Sequence[int], default: int | None = None) -> int | None:
    """One of these numbers; Enter is the default, or None where there is none."""
    usual = "" if default is None else str(default)
    while True:
        typed = str(
            typer.prompt(question, default=usual, show_default=bool(usual), err=True)
        ).strip()
        if not typed and default is None:
            return None
        for number in numbers:
            if typed == str(number):
                return number
        typer.echo(say("new.which_of", numbers=list(numbers)), err=True)


def ask_which(question: str, choices: Sequence[str], default: int | None = 0) -> int | None:
    """The index of one of several lines, which are listed with numbers from 1 on."""
    typer.echo(question, err=True)
    for number, line in enumerate(choices, start=1):
        typer.echo(f"  {number}  {line}", err=True)
    usual = None if default is None else default + 1
    picked = ask_number(say("new.which"), range(1, len(choices) + 1), usual)
    return None if picked is None else picked - 1
