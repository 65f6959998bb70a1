"""What the form of an event's rules offers: piles to deal from, measures of teams, and what is
as usual where nothing is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from answers.answer import Data
from answers.i18n import Voice
from answers.rulebooks.opening_form import FormQuestion
from answers.tournament.i18n import measure_name
from answers.tournament.lifecycle import points_in_words, tie_break_names
from engines.kernel import Opening
from engines.kernel.registry import load_engine
from referee.tournament.default_plans import FORMATS, usual_plan, usual_seats
from referee.tournament.plan import Deal

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


class UsualRules(Data):
    """What holds in an event where its organiser says nothing else."""

    points: str
    order: str


class Usual(Data):
    seats: dict[str, list[int]]
    """At least, preferably and at most so many at a table, by what the games allow: ``2-5``."""
    rules: dict[str, UsualRules]
    """By format, with ``/games``, ``/boards`` or ``/olympiad`` of a match; ``tables/3-5`` where
    several sit."""


def usual(voice: Voice, game: str) -> Usual:
    """Computed by the usual plans themselves; ``game`` is any, as no such rule depends on it."""
    dealt = {"deals": [Deal(name="1", game=game, piles={"draw": ("1",)}).ref]}
    matches: dict[str, dict[str, Any]] = {
        "": {},
        "/games": {"match": {"games": 3}},
        "/boards": {"match": {"games": 4, "boards": True}},
        "/olympiad": {"like": "olympiad"},
    }
    rules: dict[str, UsualRules] = {}
    for format in FORMATS:
        options = dealt if format == "duplicate" else {}
        seats = {} if format not in ("pods", "league") else {"seats": _range(2, 2)}
        for suffix, match in matches.items():
            if not match or format not in ("duplicate", "ladder"):
                rules[format + suffix] = _usual(voice, game, format, options, {**seats, **match})
    ranges = list(combinations_with_replacement(range(2, 9), 2))
    for least, most in ranges:
        if most > 2:
            found = _usual(voice, game, "pods", {}, {"seats": _range(least, most)})
            rules[f"tables/{least}-{most}"] = found
    seated = {f"{least}-{most}": usual_seats(least, most) for least, most in ranges}
    order = ("least", "preferred", "most")
    return Usual(
        seats={sizes: [seats[name] for name in order] for sizes, seats in seated.items()},
        rules=rules,
    )


def _range(least: int, most: int) -> dict[str, int]:
    return {"least": least, "most": most, "preferred": least}


def _usual(
    voice: Voice, game: str, format: str, options: Mapping[str, Any], more: Mapping[str, Any]
) -> UsualRules:
    plan = usual_plan(game, format, 1, options, **more)
    names = tie_break_names(voice)
    order = " · ".join(names[column] for column in plan.tie_breaks)
    return UsualRules(points=points_in_words(voice, plan), order=order)


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
