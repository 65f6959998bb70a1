"""The score sheet: what every player scored in every round, and by which event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from engines.kernel.values.structs import evolve
from referee.tournament.events import Outcome, Table
from referee.tournament.plan import (
    DuelScoring,
    GameScoring,
    LadderScoring,
    League,
    Match,
    PlaceScoring,
    Plan,
    Scoring,
)
from referee.tournament.ranking.points import HALF, POINT, ladder_key, shared, units
from referee.tournament.state import Entered, Player, Round, Tournament

Kind = Literal[
    "played", "forfeit_win", "forfeit_loss", "bye", "full_bye", "half_bye", "zero_bye",
    "free", "pending",
]  # fmt: skip

OPEN: frozenset[Kind] = frozenset({"free", "pending"})
"""Rounds without information about a player."""
VOLUNTARY: frozenset[Kind] = frozenset({"half_bye", "zero_bye", "forfeit_loss"})
"""Rounds in which a player was not available."""
REQUESTED: frozenset[Kind] = frozenset({"half_bye", "zero_bye"})
ATTENDED: frozenset[Kind] = frozenset({"played", "forfeit_win", "bye"})
"""Rounds in which a player was there."""


class Line(Struct, frozen=True):
    """One round of one player."""

    round: int
    event: int
    """The event it follows from: the result, or the pairing for a round without one."""
    kind: Kind
    points: int = 0
    """In units."""
    table: int | None = None
    seat: int | None = None
    place: int | None = None
    tied: int = 1
    """How many share the place."""
    opponents: tuple[str, ...] = ()
    score: int | None = None
    share: Fraction | None = None
    """The part of all points of the table, times its seats: 1 is an equal part."""
    measures: tuple[int, ...] | None = None
    games: GamesOfMatch | None = None
    """Where matches are played: how the games of this one went."""


class GamesOfMatch(Struct, frozen=True):
    """The games of one match as one side sees them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> Fraction:
        return self.won + Fraction(self.drawn, 2)


Sheet = dict[str, tuple[Line, ...]]


def score_sheet(tournament: Tournament, rounds: Iterable[Round] | None = None) -> Sheet:
    """The lines of all players who took part, round by round; started main rounds only."""
    counted = tournament.rounds_of("main") if rounds is None else tuple(rounds)
    lines: dict[str, list[Line]] = {
        player.id: [] for player in tournament.players.values() if player.came
    }
    for round in counted:
        if round.started:
            told = _lines_of(tournament, round)
            for player, known in lines.items():
                line = told.get(player) or _away(tournament, round, player)
                known.append(_with_games(tournament.plan.match, round, line))
    return {player: tuple(known) for player, known in lines.items()}


def _away(tournament: Tournament, round: Round, player: str) -> Line:
    if tournament.knockout_rules(round.stage) is not None:
        return Line(round.number, round.event, "free")
    kind = tournament.players[player].away.get(round.number, "zero_bye")
    return Line(round.number, round.event, kind, _bye_points(tournament.plan.scoring, kind))


def _bye_points(scoring: Scoring, kind: Kind) -> int:
    if kind in ("bye", "full_bye"):
        return units(scoring.bye)
    return units(scoring.half_bye) if kind == "half_bye" else 0


def _lines_of(tournament: Tournament, round: Round) -> dict[str, Line]:
    scoring = tournament.plan.scoring
    lines: dict[str, Line] = {}
    for table in round.draw.tables:
        result = round.result(table.number)
        if result is None:
            lines.update(_pending(round, table))
        else:
            lines.update(_table_lines(scoring, round, table, result))
    if isinstance(scoring, LadderScoring):
        lines = match_points(scoring, lines)
    for player in round.draw.byes:
        lines[player] = Line(round.number, round.event, "bye", _bye_points(scoring, "bye"))
    for player in round.draw.free:
        lines[player] = Line(round.number, round.event, "free")
    return lines


def _pending(round: Round, table: Table) -> dict[str, Line]:
    return {
        player: Line(round.number, round.event, "pending", table=table.number, seat=seat)
        for seat, player in enumerate(table.seats)
    }


def _table_lines(scoring: Scoring, round: Round, table: Table, result: Entered) -> dict[str, Line]:
    outcome = result.outcome
    here = outcome.here
    alone = len(table.seats) > 1 and len(here) < 2
    lines = {}
    for seat, player in enumerate(table.seats):
        kind: Kind = "played"
        if seat not in here:
            kind = "forfeit_loss"
        elif alone:
            kind = "forfeit_win"
        place = outcome.places[seat]
        lines[player] = Line(
            round.number,
            result.event,
            kind,
            _points(scoring, outcome, seat, kind, len(here)),
            table=table.number,
            seat=seat,
            place=place,
            tied=outcome.places.count(place),
            opponents=tuple(
                other
                for place, other in enumerate(table.seats)
                if other != player and (kind != "played" or place in here)
            ),
            score=outcome.scores[seat] if outcome.scores and kind == "played" else None,
            share=_share(outcome, seat, here) if kind == "played" else None,
            measures=outcome.measures if kind == "played" else None,
        )
    return lines


def _with_games(match: Match | None, round: Round, line: Line) -> Line:
    """A line with the games of its match, where matches are played. One that nobody played is won,
    or lost, with as many games to nil as win a match, if the plan does not say otherwise."""
    if match is None:
        return line
    result = round.result(line.table) if line.table is not None else None
    games = result.outcome.games if result is not None else ()
    if line.kind in ("bye", "full_bye"):
        told = _unplayed(match, match.bye_boards)
    elif line.kind == "forfeit_win":
        told = _unplayed(match, match.no_show_boards)
    elif line.kind == "forfeit_loss":
        told = GamesOfMatch(lost=match.needed if match.no_show_boards is None else match.games)
    elif line.kind == "played" and line.seat is not None and games:
        mine, theirs = ("A", "B") if line.seat == 0 else ("B", "A")
        told = GamesOfMatch(games.count(mine), games.count("="), games.count(theirs))
    else:
        return line
    return evolve(line, games=told)


def _unplayed(match: Match, halves: int | None) -> GamesOfMatch:
    if halves is None:
        return GamesOfMatch(won=match.needed)
    won, drawn = divmod(halves, 2)
    return GamesOfMatch(won, drawn, match.games - won - drawn)


def _points(scoring: Scoring, outcome: Outcome, seat: int, kind: Kind, here: int) -> int:
    if kind == "forfeit_loss":
        return 0
    place = outcome.places[seat]
    tied = outcome.places.count(place)
    if isinstance(scoring, DuelScoring):
        if kind == "forfeit_win":
            return units(scoring.win)
        return units(scoring.draw if tied == 2 else scoring.win if place == 1 else scoring.loss)
    if kind == "forfeit_win":
        return units(scoring.bye)
    if isinstance(scoring, PlaceScoring):
        if place == 1 and tied > 1 and scoring.tied_first is not None:
            return units(scoring.tied_first)
        return shared(scoring.table(here), place, tied)
    if isinstance(scoring, GameScoring):
        return (outcome.scores or ())[seat] * POINT
    return 0


def _share(outcome: Outcome, seat: int, here: list[int]) -> Fraction | None:
    """Points in relation to an equal part; equal where points are negative or all zero."""
    if outcome.scores is None:
        return None
    scores = [outcome.scores[other] for other in here]
    if min(scores) < 0 or sum(scores) == 0:
        return Fraction(1)
    return Fraction(outcome.scores[seat] * len(here), sum(scores))


def penalty_units(tournament: Tournament, player: Player) -> int:
    return sum(
        units(penalty.halves)
        for penalty in tournament.penalties
        if penalty.player == player.id and penalty.cancelled is None
    )


def match_points(scoring: LadderScoring, lines: Mapping[str, Line]) -> dict[str, Line]:
    """A point for every team beaten on the same deal, half a point for every team equalled."""
    keys = {
        team: ladder_key(scoring, line.measures)
        for team, line in lines.items()
        if line.measures is not None
    }

    def points(team: str) -> int:
        mine = keys[team]
        others = [key for other, key in keys.items() if other != team]
        return sum(2 * HALF if mine > key else HALF if mine == key else 0 for key in others)

    return {
        team: evolve(line, points=points(team)) if team in keys else line
        for team, line in lines.items()
    }


def counted_rounds(plan: Plan, lines: Sequence[Line]) -> frozenset[int]:
    """The rounds that count: all, or the best of a league; of equals the earlier ones."""
    told = [line for line in lines if line.kind not in OPEN]
    if isinstance(plan.format, League):
        told = sorted(told, key=lambda line: (-line.points, line.round))[: plan.format.counted]
    return frozenset(line.round for line in told)
