"""Who is first, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.tournament import knockout
from referee.tournament.errors import NotPossible
from referee.tournament.ranking.sheet import score_sheet
from referee.tournament.ranking.tiebreaks import TIE_BREAKS, Book, Term, TieBreak
from referee.tournament.state import Tournament


@dataclass(frozen=True)
class Row:
    rank: int
    """Tied players share a rank, and the next ranks stay empty."""
    player: str
    values: tuple[Fraction, ...]
    """One for each column."""
    final: int | None = None
    """The place in the finals, which goes before everything else."""


@dataclass(frozen=True)
class Standings:
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    rounds: int
    """How many rounds they count."""

    def row(self, player: str) -> Row:
        for row in self.rows:
            if row.player == player:
                return row
        raise NotPossible("unknown_player", player=player)


@dataclass(frozen=True)
class Part:
    """One column of one player: the value and the terms it is made of."""

    column: str
    value: Fraction
    terms: tuple[Term, ...]
    tied_with: tuple[str, ...]
    """With whom the player was level when this column was asked."""


@dataclass(frozen=True)
class Why:
    row: Row
    parts: tuple[Part, ...]


def standings(tournament: Tournament, through: int | None = None) -> Standings:
    """The standings now, or after an earlier round (with today's corrections)."""
    book = _book(tournament, through)
    columns = _columns(tournament)
    ranked = _rank(book, columns)
    if through is None:
        ranked = _finalists_first(ranked, final_places(tournament))
    return Standings(tuple(column.id for column in columns), tuple(ranked), book.rounds)


def why(tournament: Tournament, player: str, through: int | None = None) -> Why:
    """Every point and tie-break of a player, from the results by number."""
    book = _book(tournament, through)
    row = standings(tournament, through).row(player)
    parts = []
    group: Sequence[str] = tuple(book.sheet)
    for column, value in zip(_columns(tournament), row.values, strict=True):
        terms = column.derivation(book, player, group)
        others = tuple(other for other in group if other != player)
        parts.append(Part(column.id, value, tuple(terms), others))
        values = column.values(book, group)
        group = [other for other in group if values[other] == value]
    return Why(row, tuple(parts))


def _book(tournament: Tournament, through: int | None) -> Book:
    rounds = tournament.rounds_of("main")
    if through is not None:
        rounds = tuple(round for round in rounds if round.number <= through)
    return Book(tournament, score_sheet(tournament, rounds))


def _columns(tournament: Tournament) -> tuple[TieBreak, ...]:
    names: tuple[str, ...] = tournament.plan.tie_breaks
    if tournament.knockout_rules("main") is not None:
        names = ("KO", *names)
    return tuple(TIE_BREAKS[name] for name in names)


def _rank(book: Book, columns: Sequence[TieBreak]) -> list[Row]:
    """Split the field at each column in turn; whoever cannot be told apart shares a rank."""
    values: dict[str, list[Fraction]] = {player: [] for player in book.sheet}
    groups = [sorted(book.sheet, key=lambda player: book.tournament.players[player].number)]
    for column in columns:
        split: list[list[str]] = []
        for group in groups:
            found = column.values(book, group)
            for player in group:
                values[player].append(found[player])
            best_first = sorted(set(found.values()), reverse=column.better == "more")
            split += [[p for p in group if found[p] == value] for value in best_first]
        groups = split
    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [Row(rank, player, tuple(values[player])) for player in group]
    return rows


def _finalists_first(rows: list[Row], places: dict[str, int]) -> list[Row]:
    """The finals decide among the finalists; everybody else follows as ranked before."""
    ahead = [
        Row(places[row.player], row.player, row.values, places[row.player])
        for row in rows
        if row.player in places
    ]
    behind = [row for row in rows if row.player not in places]
    ranks = [row.rank for row in behind]
    return sorted(ahead, key=lambda row: row.rank) + [
        Row(len(ahead) + 1 + ranks.index(row.rank), row.player, row.values) for row in behind
    ]


def final_places(tournament: Tournament) -> dict[str, int]:
    """Places of the finalists, once the finals have a result; ties go to the better seed."""
    if tournament.finals is None:
        return {}
    seeds = tournament.finals.players
    style = tournament.finals.started.style
    marks = dict.fromkeys(seeds, 0)
    decided = False
    for round in tournament.rounds_of(style):
        for table in round.draw.tables:
            result = round.result(table.number)
            if result is None:
                continue
            decided = True
            through = knockout.advancing(tournament, round, table, result.outcome)
            for player, place in zip(table.seats, result.outcome.places, strict=True):
                marks[player] += place if style == "top_table" else -(player in through)
        for player in round.draw.free:
            marks[player] -= 1
    if not decided:
        return {}
    order = sorted(seeds, key=lambda player: (marks[player], seeds.index(player)))
    return {player: place for place, player in enumerate(order, 1)}
