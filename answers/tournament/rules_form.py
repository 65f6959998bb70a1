"""What the form of an event's rules offers for a game: piles to deal from, measures of teams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from answers.answer import Data
from answers.i18n import Voice
from answers.rulebooks.opening_form import FormQuestion
from answers.tournament.i18n import measure_name
from engines.kernel import Opening
from engines.kernel.registry import load_engine

MEASURES = ("won", "level", "score")
"""By which results of teams are compared in most cooperative games."""


class PileChoice(Data):
    """Something that is drawn or turned up in a game, of which a deal may fix the order."""

    pile: str
    text: str
    items: list[str]
    """What may be drawn at first, where the game can say it: each thing once."""


class MeasureChoice(Data):
    """By what results of teams may be compared."""

    name: str
    text: str
    engines: list[str]
    """An option of these games; of none, it suits all."""


def measures(voice: Voice, options: Mapping[str, Sequence[FormQuestion]]) -> list[MeasureChoice]:
    """Those that suit every game, then what the opening of a game grades."""
    graded = [
        MeasureChoice(name=option.about, text=option.text, engines=[game])
        for game, asked in options.items()
        for option in asked
        if option.kind in ("one", "number") and option.about not in MEASURES
    ]
    usual = [MeasureChoice(name=name, text=measure_name(voice, name), engines=[])
             for name in MEASURES]  # fmt: skip
    return [*usual, *graded]


def plays_together(game: str) -> bool:
    """Whether the whole table wins or loses, so that nobody there beats anybody else."""
    return load_engine(game).cooperative


def piles(voice: Voice, game: str) -> list[PileChoice]:
    """Whatever a table observes: a pile is named by the verb that logs a draw from it."""
    return list(_piles(voice, game))


def _piles(voice: Voice, game: str) -> Iterator[PileChoice]:
    engine = load_engine(game)
    opening = engine.read(engine.opening.usual(engine.seats[0]))
    assert isinstance(opening, Opening)
    setting = engine.setting(opening, engine.kit_sheet(None), ())
    state = engine.open(setting, opening).state
    for action in engine.actions:
        named = [
            field
            for field, info in action.model_fields.items()
            if field not in ("verb", "by") and info.is_required()
        ]
        verb = action.verb_of()
        if not action.observes or not named or f"verb.{verb}" not in engine.words:
            continue
        text = engine.words.say(f"verb.{verb}", voice.lang)
        if len(named) == 1:
            items = [choice.word for choice in engine.options.choices(setting, state, verb)]
            yield PileChoice(pile=verb, text=text, items=items)
        for field in named[1:]:
            yield PileChoice(pile=f"{verb}.{field}", text=text, items=[])
