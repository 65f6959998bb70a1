"""Builds a tournament plan from command-line options or a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError

from cli.arguments import pairs
from engines.kernel import Phrase, Verbatim
from engines.kernel.box.kit import SAID_NOW
from engines.kernel.messages.errors import first_mistake
from referee.errors import Misused, Unfit
from referee.tournament.default_plans import FORMATS, usual_plan
from referee.tournament.errors import WORDS as TOURNAMENT_WORDS
from referee.tournament.plan import Deal, Plan
from referee.untrusted.safe_json import UnsafeJson, read_json
from referee.untrusted.safe_toml import read_limited, read_toml_file


def read_plan(file: str) -> Plan:
    """A plan written as TOML."""
    try:
        return Plan.model_validate(read_toml_file(file), context=SAID_NOW)
    except Unfit as error:
        problem = error.facts.get("problem")
        value = problem.facts.get("value", "") if isinstance(problem, Phrase) else ""
        if re.fullmatch(r"[0-9]+\.[0-9]+", str(value)):
            raise Unfit("points_in_halves", file=file, value=value) from None
        raise
    except ValidationError as error:
        raise Unfit("bad_file", file=file, problem=first_problem(error)) from None


def made_plan(games: Sequence[str], format: str, rounds: int, **settings: Any) -> Plan:
    """The default plan of a format with the given settings."""
    kind = format.replace("-", "_")
    if kind not in FORMATS:
        raise Misused(
            "no_such_tournament_format", option="--format", format=format, formats=FORMATS
        )
    given = {name: value for name, value in settings.items() if value not in (None, (), {}, [])}
    options = given.pop("options", {})
    try:
        return usual_plan(games[0], kind, rounds, options, games=tuple(games), **given)
    except ValidationError as error:
        raise _refusal(error, format) from None


_OPTIONS = {
    "games": "--of", "seats": "--seats", "tie_breaks": "--tie-break", "readings": "--reading",
    "house_rules": "--house-rule", "presets": "--preset", "penalties": "--penalty",
    "scoring": "--points", "measures": "--measure", "minutes": "--minutes", "on_time": "--on-time",
    "system": "--system", "accelerated": "--accelerated", "twice": "--twice", "deals": "--deal",
    "by_standings": "--mixed", "counted": "--counted", "third_place": "--third-place",
    "bye_boards": "--bye-boards", "no_show_boards": "--no-show-boards",
}  # fmt: skip
"""Which option says what stands in this field of a plan."""


def _refusal(error: ValidationError, format: str) -> Misused:
    """By the option that was given, as far as the fault is that of one."""
    first, mistake = error.errors()[0], first_mistake(error, TOURNAMENT_WORDS)
    fields = (_OPTIONS[part] for part in reversed(first["loc"]) if part in _OPTIONS)
    option = next(fields, None)
    if option is None:
        return Misused("bad_plan", problem=mistake.phrase)
    if first["type"] == "literal_error":
        words = [Verbatim(word) for word in str(mistake.problem.facts["expected"]).split(", ")]
        return Misused("what_counts", option=option, word=mistake.said, words=words)
    if first["type"] == "extra_forbidden":
        return Misused("option_not_for_format", option=option, format=format)
    return Misused("bad_option", option=option, problem=mistake.problem)


def first_problem(error: ValidationError) -> Phrase:
    return first_mistake(error, TOURNAMENT_WORDS).phrase


def read_seats(text: str) -> dict[str, int]:
    """``4``, ``3-5`` or ``3-5/4``: from, to, preferred."""
    match = re.fullmatch(r"(\d)(?:-(\d))?(?:/(\d))?", text)
    if match is None:
        raise Misused("bad_seats", text=text)
    least, most, preferred = (int(part) if part else None for part in match.groups())
    assert least is not None
    most = most or least
    return {"least": least, "most": most, "preferred": preferred or min(most, max(least, 4))}


def read_halves(text: str) -> int:
    """``1``, ``0.5`` or ``½`` points, in half points."""
    plain = text.strip().replace(",", ".").replace("½", ".5")
    match = re.fullmatch(r"(\d{0,3})(?:\.([05]))?", plain)
    if match is None or not plain:
        raise Misused("bad_points", text=text)
    return 2 * int(match[1] or 0) + (match[2] == "5")


def read_points(text: str, seats_most: int) -> dict[str, Any]:
    """``4-2-1-0`` by place, ``3-1-0`` for win, draw and loss of a duel, or ``game``."""
    if text == "game":
        return {"kind": "game"}
    halves = [read_halves(part) for part in text.split("-")]
    if seats_most != 2:
        return {"kind": "places", "places": halves}
    if len(halves) != 3:
        raise Misused("bad_points", text=text)
    win, draw, loss = halves
    return {"kind": "duel", "win": win, "draw": draw, "loss": loss, "bye": win, "half_bye": draw}


def read_measures(words: Iterable[str]) -> dict[str, Any]:
    """``won`` counts upwards, ``losses:fewer`` downwards."""
    measures = []
    for text in words:
        name, _, better = text.partition(":")
        measures.append({"name": name, "better": better or "more"})
    return {"kind": "ladder", "measures": measures}


def read_penalties(words: Iterable[str]) -> list[dict[str, Any]]:
    """``warning``, ``loss of a game=1``: levels of the guide, and the points that each costs."""
    levels = []
    for text in words:
        name, _, points = text.partition("=")
        levels.append({"name": name.strip(), "halves": read_halves(points) if points else 0})
    return levels


def by_game(words: Sequence[str], games: Sequence[str]) -> dict[str, dict[str, str]]:
    """``game.name=value``; with a single game its name can be left out."""
    values: dict[str, dict[str, str]] = {}
    for name, value in pairs(words).items():
        game, dot, rest = name.partition(".")
        if not dot and len(games) != 1:
            raise Misused("which_game_of_plan", word=name, games=games)
        values.setdefault(game if dot else games[0], {})[rest if dot else name] = value
    return values


def read_deal(file: str) -> Deal:
    """A deal as JSON; one that somebody meddled with has another digest."""
    try:
        return Deal.model_validate(read_json(read_limited(file)))
    except UnsafeJson as error:
        raise Unfit("bad_file", file=file, problem=error.phrase) from None
    except ValidationError as error:
        raise Unfit("bad_file", file=file, problem=first_problem(error)) from None
