"""Result slips: parses results as people write them, and checks them for contradictions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal

from pydantic import ValidationError

from answers.i18n import Voice
from answers.tournament.context import DeskCall
from answers.tournament.i18n import measure_name
from answers.tournament.match_slips import check_finished, match_text, read_games
from answers.tournament.round_view import TableAnswer, outcome_text, seated, short_result
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.errors import first_mistake
from referee.errors import Conflicting, Misused
from referee.tournament.errors import WORDS, NotPossible
from referee.tournament.events import GameResult, Outcome, match_places, seat_index, seat_letter
from referee.tournament.organiser_warnings import contradict, wanted_points
from referee.tournament.plan import LadderScoring, Match, Plan

PAPER = "slip"
"""Why a result is not taken from a record, where its table has none."""

_SCORE = re.compile(r"(.+)=(-?[0-9]+)")
_WHOLE = re.compile(r"-?[0-9]+")
_TIMED_OUT = "time"


def asks_for(plan: Plan) -> Literal["places", "points", "measures"]:
    """What a slip must tell of a table: what the plan counts."""
    if isinstance(plan.scoring, LadderScoring):
        return "measures"
    return "points" if plan.scoring.kind == "game" or wanted_points(plan) else "places"


@dataclass(frozen=True)
class Slip:
    """A result as people write it down.

    ``places``: ``["B", "A=C", "D"]``, a place a word, tied seats joined; a single seat that is
    not named is last. ``A=12`` are the points of a seat: with those of everybody here nothing
    else need be said. Instead of its letter, a seat may be called by the name of who sits there.
    """

    places: Sequence[str] = ()
    scores: Sequence[str] = ()
    """``A=12`` of every seat."""
    absent: Sequence[str] = ()
    measures: Sequence[int] | None = None
    games: str = ""
    """A match: how many games each has won (``2-1``), or who won each (``ABA``). The first may
    also stand alone where places do; at boards the second."""
    tie_order: str = ""
    timed_out: bool = False
    anyway: bool = False
    """Also if points are missing, or say something else than the places."""

    @property
    def is_empty(self) -> bool:
        return not (self.places or self.scores or self.absent or self.measures or self.games)


def read_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a list of results that say something, by number."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.partition("#")[0].strip():
            yield number, line


def read_line(line: str, *, anyway: bool = False) -> tuple[int, Slip]:
    """The table of a line and its slip: ``3 B A``, ``4 A=40 B=38 C=55``, ``5 A -B`` (B did not
    come), ``6 1 14`` (measures), ``7 2-1`` (a match), ``8 AB=A`` (boards).

    ``time`` says that time was up; what follows a ``#`` is for people.
    """
    try:
        table, *told = shlex.split(line, comments=True)
    except ValueError:
        table, told = "", []
    if not table.isdecimal() or not told:
        raise Misused("bad_slip_line", text=line)
    absent = [word[1:] for word in told if re.fullmatch(r"-[^0-9].*", word)]
    measures = [int(word) for word in told if _WHOLE.fullmatch(word)]
    places = [
        word
        for word in told
        if word[1:] not in absent and not _WHOLE.fullmatch(word) and normalize(word) != _TIMED_OUT
    ]
    timed_out = any(normalize(word) == _TIMED_OUT for word in told)
    slip = Slip(places, (), absent, measures or None, timed_out=timed_out, anyway=anyway)
    return int(table), slip


def slip_telling(outcome: Outcome) -> Slip:
    """A slip that tells this result: what somebody confirms."""
    if outcome.games:
        return Slip(
            absent=outcome.absent,
            tie_order="".join(outcome.tie_order),
            timed_out=outcome.timed_out,
            games="".join(outcome.games),
        )
    here = [(outcome.places[seat], seat_letter(seat)) for seat in outcome.here]
    tied = groupby(sorted(here), key=lambda each: each[0])
    groups = ["=".join(letter for _, letter in group) for _, group in tied]
    scores = outcome.scores or ()
    return Slip(
        places=groups,
        scores=[f"{seat_letter(seat)}={points}" for seat, points in enumerate(scores)],
        absent=outcome.absent,
        measures=outcome.measures,
        tie_order="".join(outcome.tie_order),
        timed_out=outcome.timed_out,
    )


class OutcomeText:
    """Results of one tournament, told to people; plan and results as answers have them."""

    def __init__(self, voice: Voice, plan: Mapping[str, Any]) -> None:
        self._voice, self._plan = voice, Plan.model_validate(plan)

    @property
    def asks_for(self) -> Literal["places", "points", "measures"]:
        return asks_for(self._plan)

    @property
    def boards(self) -> int:
        """At how many boards teams meet; 0 where people play for themselves."""
        return self._plan.boards

    @property
    def measures(self) -> dict[str, str]:
        """What the result of a team is measured by, each with what it is called."""
        scoring = self._plan.scoring
        listed = scoring.measures if isinstance(scoring, LadderScoring) else ()
        return {each.name: measure_name(self._voice, each.name) for each in listed}

    def told(self, outcome: Mapping[str, Any], table: TableAnswer) -> str:
        """By the names of those who sit at the table."""
        names = [each.name for each in table.seats]
        return outcome_text(self._voice, self._plan, Outcome.model_validate(outcome), names)

    def short(self, outcome: Mapping[str, Any]) -> str:
        """``1–0``, ``12–9``; of more than two their places."""
        return short_result(self._voice, self._plan, Outcome.model_validate(outcome))

    def by_seat(self, outcome: Mapping[str, Any]) -> dict[str, str]:
        """At a table of more than two, everybody's place by seat, and the points where they are
        told: what stands beside a name."""
        told = Outcome.model_validate(outcome)
        if len(told.places) < 3 or told.measures is not None:
            return {}
        scores = told.scores or ("",) * len(told.places)
        return {
            seat_letter(seat): f"{place}. {score}".rstrip() if seat in told.here else "–"
            for seat, (place, score) in enumerate(zip(told.places, scores, strict=True))
        }

    def so_far(self, games: Sequence[GameResult]) -> str:
        """How a match stands; empty where nothing is told of it."""
        return match_text(self._voice, self._plan.match, tuple(games)) if games else ""

    @staticmethod
    def slip(outcome: Mapping[str, Any]) -> dict[str, Any]:
        """The same as a request says it."""
        return asdict(slip_telling(Outcome.model_validate(outcome)))


def outcome_of(context: DeskCall, number: int, table: int, slip: Slip) -> Outcome:
    """The result that a slip tells of a table; refused where it contradicts itself."""
    seats = context.now.round(number).table(table).seats

    def letter(word: str) -> str:
        return _letter(context, seats, word)

    letters = [seat_letter(seat) for seat in range(len(seats))]
    absent = tuple(dict.fromkeys(letter(one) for word in slip.absent for one in word.split(",")))
    match = context.now.match_at(context.now.round(number), len(seats))
    if match is not None and (slip.games or not absent):
        outcome = _match_outcome(match, table, slip, absent)
        if match.boards and not slip.anyway:
            _check_boards(context, number, table, outcome)
        return outcome
    if slip.games:
        raise NotPossible("one_game_each", table=table)
    told = [*slip.places, *slip.scores]
    points: dict[str, int] = {}
    for found in filter(None, map(_SCORE.fullmatch, told)):
        if points.setdefault(letter(found[1]), int(found[2])) != int(found[2]):
            raise Misused("score_twice", seat=letter(found[1]), word=found[0])
    unread = [word for word in slip.scores if not _SCORE.fullmatch(word)]
    if unread:
        raise Misused("bad_score", word=unread[0])
    groups = [
        [letter(one) for one in word.split("=") if one]
        for word in slip.places
        if not _SCORE.fullmatch(word)
    ]
    told_of = {*(one for group in groups for one in group), *(one for one in points if points[one])}
    if not (slip.anyway or told_of.isdisjoint(absent)):
        names = [context.name(seats[seat_index(one)]) for one in absent if one in told_of]
        raise Conflicting("result_of_absent", table=table, names=names, confirm="anyway")
    here = [one for one in letters if one not in absent]
    if points and not set(here) <= set(points):
        raise Misused("score_of_everybody", seats=len(here))
    ordered = _groups(letters, here, groups, points, alone=bool(slip.measures))
    outcome = _outcome(
        places=_places(letters, [*ordered, [one for one in absent if one in letters]]),
        scores=tuple(points.get(one, 0) for one in letters) if points else None,
        absent=absent,
        timed_out=slip.timed_out,
        measures=tuple(slip.measures) if slip.measures else None,
        tie_order=tuple(letter(one) for one in slip.tie_order.replace(",", "")),
    )
    if not slip.anyway:
        _check(context, table, outcome)
    return outcome


def _match_outcome(match: Match, table: int, slip: Slip, absent: tuple[str, ...]) -> Outcome:
    """What a slip tells of a match."""
    listed = slip.games or " ".join(slip.places)
    games = read_games(match, listed, listed=bool(slip.games))
    gone = {"A": (2, 1), "B": (1, 2)}.get("".join(absent), (1, 1))
    if not slip.anyway:
        check_finished(match, table, games, timed_out=slip.timed_out or bool(absent))
    return _outcome(
        places=gone if absent else match_places(games),
        absent=absent,
        games=games,
        timed_out=slip.timed_out,
        tie_order=tuple(slip.tie_order.upper().replace(",", "")),
    )


def _check_boards(context: DeskCall, number: int, table: int, outcome: Outcome) -> None:
    """Where a team has nobody at a board, the other one wins it."""
    for letter, team in zip("AB", context.now.round(number).table(table).seats, strict=True):
        sitting = len(context.now.line_up(number, team))
        for board, game in enumerate(outcome.games, start=1):
            if 0 < sitting < board and game in (letter, "="):
                raise Conflicting(
                    "nobody_at_board", table=table, board=board, team=context.name(team)
                )


def _outcome(**told: Any) -> Outcome:
    try:
        return Outcome(**told)
    except ValidationError as error:
        problem = first_mistake(error, WORDS).phrase
        raise Misused("bad_outcome", problem=problem) from None


def _check(context: DeskCall, table: int, outcome: Outcome) -> None:
    columns = wanted_points(context.now.plan)
    if columns and outcome.scores is None and len(outcome.here) > 1:
        raise Conflicting("points_wanted", table=table, columns=columns)
    if contradict(outcome):
        raise Conflicting("places_against_points", table=table, confirm="anyway")
    if outcome.scores is not None and min(outcome.scores) < 0:
        least = min(outcome.scores)
        raise Conflicting("points_below_zero", table=table, points=least, confirm="anyway")


def _groups(
    letters: Sequence[str],
    here: Sequence[str],
    groups: Sequence[Sequence[str]],
    points: Mapping[str, int],
    *,
    alone: bool,
) -> list[list[str]]:
    """Seats that are here, place by place: as named, then by points."""
    named = [letter for group in groups for letter in group]
    if len(set(named)) != len(named) or not set(named) <= set(letters):
        listed = " ".join("=".join(group) for group in groups)
        raise Misused("bad_places", places=listed, seats=letters)
    rest = [letter for letter in here if letter not in named]
    told = [[one for one in group if one in here] for group in groups]
    if not points:
        if len(rest) > 1 and not alone:
            raise Misused("place_of_everybody", seats=rest)
        return [group for group in [*told, rest] if group]
    by_points = sorted(rest, key=lambda one: -points[one])
    return [*told, *(list(tied) for _, tied in groupby(by_points, key=lambda one: points[one]))]


def _places(letters: Sequence[str], groups: Sequence[Sequence[str]]) -> tuple[int, ...]:
    by_seat: dict[str, int] = {}
    for group in groups:
        by_seat |= dict.fromkeys(group, len(by_seat) + 1)
    return tuple(by_seat[letter] for letter in letters)


def _letter(context: DeskCall, seats: Sequence[str], word: str) -> str:
    """A seat by its letter, or by the name of its player or the beginning of that name.

    A letter alone is no beginning of a name: it would be a seat that the table does not have.
    """
    if len(word) == 1 and word.upper() in map(seat_letter, range(len(seats))):
        return word.upper()
    names = [normalize(context.name(player)) for player in seats]
    found = [seat for seat, name in enumerate(names) if name == normalize(word)]
    if not found and len(word) > 1:
        found = [seat for seat, name in enumerate(names) if name.startswith(normalize(word))]
    if len(found) != 1:
        raise Misused("not_at_this_table", word=word, sitting=seated(context, seats))
    return seat_letter(found[0])
