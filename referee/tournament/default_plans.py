"""The usual rules of each format, for organisers who do not write a plan of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from engines.kernel.registry import load_engine
from referee.tournament.plan import Match, Plan

POINTS_BY_PLACE = (8, 4, 2, 0)
"""Four, two, one and no point at a table of four, in half points."""
NEW_EDITION = "2026-03-01"
"""From this day on FIDE counts unplayed rounds by the edition of 2026."""
FOR_DUELS = ("PTS", "DE", "BH/C1", "BH", "SB", "WIN", "LOT")
FOR_A_ROBIN = ("PTS", "DE", "SB", "WIN", "LOT")
FOR_MATCHES = ("PTS", "OMW", "GW", "OGW", "LOT")
FOR_BOARDS = ("PTS", "GP", "DE", "BH/C1", "SB", "LOT")
AS_AT_THE_OLYMPIAD = ("PTS", "EMGSB/C1", "GP", "BH/C1", "LOT")
FOR_A_ROBIN_OF_MATCHES = ("PTS", "GP", "DE", "SB", "LOT")
A_ROBIN_AS_AT_THE_OLYMPIAD = ("PTS", "EMGSB", "GP", "DE", "LOT")
FOR_TABLES = ("PTS", "FIRSTS", "SHARE", "SCORE", "OPP", "LOT")
FOR_TEAMS = ("PTS", "LADDER", "ATT", "LOT")

Model = Literal["olympiad"]
"""Another event whose rules an organiser takes over, as far as nothing else is said."""

FORMATS = (
    *("swiss", "round_robin", "knockout", "double_elimination"),
    *("pods", "league", "duplicate", "ladder"),
)


def edition_on(day: str) -> str:
    """The edition of FIDE's tie-breaks that is in force on a day (``2026-03-01``)."""
    return "fide_2026" if day >= NEW_EDITION else "fide_2024"


def points_at(size: int) -> tuple[int, ...]:
    """The default points at a table of a size: the same curve from first to last, so that neither
    a small table nor a big one is worth more; rounded to half points."""
    last = len(POINTS_BY_PLACE) - 1
    found = []
    for place in range(size):
        at = Fraction(place * last, max(1, size - 1))
        below = min(int(at), last - 1)
        one, other = POINTS_BY_PLACE[below], POINTS_BY_PLACE[below + 1]
        found.append(int(one + (other - one) * (at - below) + Fraction(1, 2)))
    return tuple(found)


def usual_plan(
    game: str,
    format: str,
    rounds: int,
    options: Mapping[str, Any] | None = None,
    like: Model | None = None,
    **more: Any,
) -> Plan:
    """A plan with the default seats, points and tie-breaks, or with those of a model; ``more``
    replaces what it names.

    ``options`` are those of the format: ``twice``, ``counted``, ``deals``…
    """
    given: dict[str, Any] = {
        "games": (game,),
        "format": {"kind": format, **_usual_options(format, rounds), **(options or {})},
        "rounds": rounds,
    }
    if like == "olympiad":
        more = _as_at_the_olympiad(format, more)
    given |= more
    given.setdefault("seats", _seats(given["games"], format))
    given.setdefault("scoring", _scoring(given))
    given.setdefault("tie_breaks", _tie_breaks(given))
    return Plan.model_validate(given)


def _as_at_the_olympiad(format: str, more: Mapping[str, Any]) -> dict[str, Any]:
    """FIDE’s rules for its teams: two points for a match, one and half of the boards for a bye."""
    match = dict(more.get("match") or {})
    usual = Match.olympiad(match.get("games", 4)).model_dump()
    robin = format == "round_robin"
    return {
        "scoring": {"kind": "duel", "win": 4, "draw": 2, "loss": 0, "bye": 2, "half_bye": 2},
        "tie_breaks": A_ROBIN_AS_AT_THE_OLYMPIAD if robin else AS_AT_THE_OLYMPIAD,
        **more,
        "match": {**usual, **match, "boards": True},
    }


def _usual_options(format: str, rounds: int) -> dict[str, Any]:
    return {"counted": max(1, rounds * 2 // 3)} if format == "league" else {}


def _seats(games: Sequence[str], format: str) -> dict[str, int]:
    if format in ("duplicate", "ladder"):
        return {"least": 1, "most": 1, "preferred": 1}
    if format in ("swiss", "round_robin", "knockout", "double_elimination"):
        return {"least": 2, "most": 2, "preferred": 2}
    sizes = [load_engine(game).seats for game in games]
    return usual_seats(max(size[0] for size in sizes), min(size[1] for size in sizes))


def usual_seats(least: int, most: int) -> dict[str, int]:
    """How many sit at a table of several, where a game is for so many: four, if it can be."""
    least = max(least, min(3, most))
    return {"least": least, "most": most, "preferred": max(least, min(4, most))}


def _scoring(given: dict[str, Any]) -> dict[str, Any]:
    most = given["seats"]["most"]
    if most == 1:
        measures = [{"name": "won"}, {"name": "level"}]
        return {"kind": "ladder", "measures": measures}
    if most == 2:
        return {"kind": "duel"}
    sizes = range(max(2, given["seats"]["least"]), most + 1)
    return {
        "kind": "places",
        "places": POINTS_BY_PLACE,
        "by_size": {str(size): points_at(size) for size in sizes if size != len(POINTS_BY_PLACE)},
        "bye": POINTS_BY_PLACE[1],
    }


def _tie_breaks(given: dict[str, Any]) -> tuple[str, ...]:
    most = given["seats"]["most"]
    if most == 1:
        return FOR_TEAMS
    if most > 2:
        return FOR_TABLES
    robin = given["format"]["kind"] == "round_robin"
    match = given.get("match")
    if match is None:
        return FOR_A_ROBIN if robin else FOR_DUELS
    if robin:
        return FOR_A_ROBIN_OF_MATCHES
    return FOR_BOARDS if Match.model_validate(match).boards else FOR_MATCHES
