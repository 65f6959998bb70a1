"""The standings of a season: what every event counted, and which results count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from referee.season.events import PlacePoints, SeasonRules
from referee.season.state import Season
from referee.tournament.desk import LoadedTournament
from referee.tournament.ranking.score_sheet import score_sheet
from referee.tournament.ranking.standings import standings
from referee.tournament.ranking.tiebreaks import TIE_BREAKS, ScoreBook


class EventResult(Struct, frozen=True):
    """What a player did in one event, and what it is worth."""

    tournament: str
    place: int
    players: int
    """How many were ranked in the event."""
    weight: int
    points: Fraction
    """With the weight."""
    counted: bool
    """Whether it is among the best ones that count."""
    final: bool
    """Whether the event is closed, so that it will not change any more."""


class RankedMember(Struct, frozen=True):
    rank: int
    """Who is level shares a rank, and the next ranks stay empty."""
    player: str
    total: Fraction
    results: tuple[EventResult, ...]
    """In the order of the events."""


def season_standings(season: Season, events: Sequence[LoadedTournament]) -> list[RankedMember]:
    """Best total first; who is level is ordered by the best result, then the second best…"""
    found: dict[str, dict[str, EventResult]] = {}
    for hosted in events:
        for player, result in _results(season, hosted):
            known = found.setdefault(player, {})
            better = known.get(hosted.id)
            if better is None or result.points > better.points:
                known[hosted.id] = result
    rows = [
        _row(season.rules, player, [*results.values()])
        for player, results in found.items()
        if not season.rules.listed_only or player in season.listed
    ]
    return _ranked(rows)


def _results(season: Season, hosted: LoadedTournament) -> Iterable[tuple[str, EventResult]]:
    now = hosted.now
    if not any(round.closed for round in now.rounds):
        return
    ranking = standings(now)
    weight = season.events[hosted.id]
    worth = _worth(season.rules, hosted, {row.player: row.rank for row in ranking.rows})
    seated = _seated(hosted) if season.rules.points_for == "seated" else None
    for row in ranking.rows:
        if seated is not None and row.player not in seated:
            continue
        yield (
            season.person(row.player),
            EventResult(
                hosted.id,
                row.rank,
                len(ranking.rows),
                weight,
                weight * worth[row.player],
                True,
                now.closed,
            ),
        )


def _seated(hosted: LoadedTournament) -> set[str]:
    """Who sat at a table that has a result: not who never came, or had a bye and left."""
    return {
        table.seats[seat]
        for round in hosted.now.rounds
        for table in round.draw.tables
        if (entered := round.result(table.number)) is not None
        for seat in entered.outcome.here
    }


def _worth(
    rules: SeasonRules, hosted: LoadedTournament, ranks: Mapping[str, int]
) -> Mapping[str, Fraction]:
    if isinstance(rules.points, PlacePoints):
        places, others = rules.points.places, rules.points.others
        return {
            player: Fraction(places[rank - 1] if rank <= len(places) else others)
            for player, rank in ranks.items()
        }
    # Not a column of the standings: an event need not rank by its points.
    book = ScoreBook(hosted.now, score_sheet(hosted.now))
    return TIE_BREAKS["PTS"].values(book, [*ranks])


def _row(rules: SeasonRules, player: str, results: list[EventResult]) -> RankedMember:
    """Of equal results the earlier ones count."""
    best = sorted(results, key=lambda result: -result.points)[: rules.counted]
    kept = tuple(
        result if any(result is one for one in best) else _left_out(result) for result in results
    )
    return RankedMember(0, player, sum((one.points for one in best), Fraction()), kept)


def _left_out(result: EventResult) -> EventResult:
    return EventResult(
        result.tournament, result.place, result.players, result.weight, result.points, False,
        result.final,
    )  # fmt: skip


def _key(row: RankedMember) -> tuple[Fraction, list[Fraction]]:
    return -row.total, sorted(-result.points for result in row.results if result.counted)


def _ranked(rows: list[RankedMember]) -> list[RankedMember]:
    ordered = sorted(rows, key=lambda row: (_key(row), row.player))
    made: list[RankedMember] = []
    for _, level in groupby(ordered, key=_key):
        rank = len(made) + 1
        made += [RankedMember(rank, row.player, row.total, row.results) for row in level]
    return made
