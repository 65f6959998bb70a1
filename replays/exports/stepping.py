"""What the script that steps through a game needs, on live pages and in an exported one."""

from __future__ import annotations

from importlib import resources
from itertools import pairwise
from typing import Any, NamedTuple

from engines.kernel.messages.catalogue import Language
from referee.record.game import Game

SCRIPT, STYLE = "stepping.js", "stepping.css"
_WORDS = (
    *("first", "back", "next", "last", "turn_back", "turn_on", "round_back", "round_on"),
    *("matter_back", "matter_on", "play", "pause", "speed", "slider", "round", "scores", "opening"),
)


class ScoreAt(NamedTuple):
    """The points after an action, and the round it belongs to."""

    number: int
    round: int | None
    points: dict[str, int]


def score_rows(game: Game) -> list[ScoreAt]:
    """The opening, and every action that changes the points or begins a round."""
    rows: list[ScoreAt] = []
    for step in game.steps:
        round, points = game.engine.score(step.state)
        if not rows or (round, dict(points)) != rows[-1][1:]:
            rows.append(ScoreAt(step.number or 0, round, dict(points)))
    return rows


def rounds_of(game: Game) -> dict[int, int | None]:
    """The round in which each action that counts happened, where the game counts rounds."""
    return {
        after.number: game.engine.holdings.round(before.state)
        for before, after in pairwise(game.steps)
        if after.number is not None
    }


def stepping_words(lang: Language) -> dict[str, str]:
    from replays.exports.story import words

    return {key: words().say(f"stepping.{key}", lang) for key in _WORDS}


def scores_shown(game: Game, names: dict[str, str]) -> dict[str, Any]:
    """The points as the chart draws them; ``names``: of the seats, as far as they may be told."""
    rows = [row._asdict() for row in score_rows(game)]
    return {"scores": rows, "colours": dict(game.colours), "names": names}


def stepping_file(name: str) -> str:
    return resources.files("replays.exports").joinpath(name).read_text("utf-8")
