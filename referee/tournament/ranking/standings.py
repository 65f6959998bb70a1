"""Standings: the ranking, and how it is derived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from engines.kernel.values.structs import evolve
from referee.tournament import knockout
from referee.tournament.errors import NotPossible
from referee.tournament.ranking.score_sheet import score_sheet
from referee.tournament.ranking.tiebreaks import (
    TIE_BREAKS,
    ScoreBook,
    Term,
    TieBreak,
    third_place_term,
)
from referee.tournament.state import Round, Tournament

AT_HAND = 8
"""Cache size: standings of so many states are kept."""


class RankedRow(Struct, frozen=True):
    rank: int
    """Tied players share a rank, and the next ranks stay empty."""
    player: str
    values: tuple[Fraction, ...]
    """One for each column."""
    final: int | None = None
    """The place in the finals, which goes before everything else."""


class Standings(Struct, frozen=True):
    """The ranked table of a tournament after some rounds: a row a player, best first."""

    columns: tuple[str, ...]
    rows: tuple[RankedRow, ...]
    rounds: int
    """How many rounds they count."""
    unfinished: bool = False
    """Whether the last of them waits for results."""
    with_finals: bool = False

    def row(self, player: str) -> RankedRow:
        for row in self.rows:
            if row.player == player:
                return row
        raise NotPossible("unknown_player", player=player)


class ExplainedColumn(Struct, frozen=True):
    """One column of one player: the value and the terms it is made of."""

    column: str
    value: Fraction
    terms: tuple[Term, ...]
    tied_with: tuple[str, ...]
    """With whom the player was level when this column was asked."""


class RankExplanation(Struct, frozen=True):
    row: RankedRow
    parts: tuple[ExplainedColumn, ...]
    final: tuple[Term, ...] = ()
    """What the place in the finals was made of."""


class _Same:
    """A cache key that compares a state by identity: equality would compare whole tournaments."""

    __slots__ = ("state",)

    def __init__(self, state: Tournament) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.state is other.state

    def __hash__(self) -> int:
        return id(self.state)


def standings(tournament: Tournament, through: int | None = None) -> Standings:
    """The standings now, or after an earlier round (with today's corrections)."""
    return _standings(_Same(tournament), through)


@lru_cache(AT_HAND)
def _standings(same: _Same, through: int | None) -> Standings:
    tournament = same.state
    places = final_places(tournament) if through is None else {}
    ranked = main_standings(tournament, through)
    if not places:
        return ranked
    rows = _finalists_first(list(ranked.rows), places)
    return evolve(ranked, rows=tuple(rows), with_finals=True)


def main_standings(tournament: Tournament, through: int | None = None) -> Standings:
    """The standings of the main rounds, without the finals."""
    rounds = _main_rounds(tournament, through)
    book = _book(_Same(tournament), through)
    columns = _columns(tournament)
    started = [round for round in rounds if round.started]
    return Standings(
        tuple(column.id for column in columns),
        tuple(_rank(book, columns)),
        book.rounds,
        unfinished=bool(started and started[-1].waiting),
    )


def why(tournament: Tournament, player: str, through: int | None = None) -> RankExplanation:
    """Derive every point and tie-break of a player from the numbered results."""
    book = _book(_Same(tournament), through)
    ranked = standings(tournament, through)
    row = ranked.row(player)
    values = {each.player: each.values for each in ranked.rows}
    parts = []
    group: Sequence[str] = tuple(book.sheet)
    for at, (column, value) in enumerate(zip(_columns(tournament), row.values, strict=True)):
        terms = column.derivation(book, player, group)
        others = tuple(other for other in group if other != player)
        parts.append(ExplainedColumn(column.id, value, tuple(terms), others))
        group = [other for other in group if values[other][at] == value]
    final = tuple(_final_terms(tournament, player)) if row.final is not None else ()
    return RankExplanation(row, tuple(parts), final)


@lru_cache(AT_HAND)
def _book(same: _Same, through: int | None) -> ScoreBook:
    tournament = same.state
    return ScoreBook(tournament, score_sheet(tournament, _main_rounds(tournament, through)))


def _main_rounds(tournament: Tournament, through: int | None) -> tuple[Round, ...]:
    rounds = tournament.rounds_of("main")
    return tuple(round for round in rounds if through is None or round.number <= through)


def _columns(tournament: Tournament) -> tuple[TieBreak, ...]:
    names: tuple[str, ...] = tournament.plan.tie_breaks
    if tournament.knockout_rules("main") is not None:
        names = ("KO", *names)
    return tuple(TIE_BREAKS[name] for name in names)


def _rank(book: ScoreBook, columns: Sequence[TieBreak]) -> list[RankedRow]:
    """Rank by one column after the other; players who are equal in all share a rank."""
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
    rows: list[RankedRow] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [RankedRow(rank, player, tuple(values[player])) for player in group]
    return rows


def _finalists_first(rows: list[RankedRow], places: dict[str, int]) -> list[RankedRow]:
    """Rank the finalists by the finals; everybody else follows as ranked before."""
    ahead = [
        RankedRow(places[row.player], row.player, row.values, places[row.player])
        for row in rows
        if row.player in places
    ]
    behind = [row for row in rows if row.player not in places]
    ranks = [row.rank for row in behind]
    return sorted(ahead, key=lambda row: row.rank) + [
        RankedRow(len(ahead) + 1 + ranks.index(row.rank), row.player, row.values) for row in behind
    ]


def final_places(tournament: Tournament) -> dict[str, int]:
    """Places of the finalists, once the finals have a result.

    Ties go to the better seed; who did not come is behind who did.
    """
    if tournament.finals is None:
        return {}
    seeds = tournament.finals.players
    terms = {player: list(_final_terms(tournament, player)) for player in seeds}
    if not any(term.kind != "free" for found in terms.values() for term in found):
        return {}
    knockout_stage = tournament.finals.started.style != "top_table"

    def key(player: str) -> tuple[Fraction, bool, Fraction, int]:
        found = terms[player]
        missing = not found or found[-1].kind == "forfeit_loss"
        amount = sum((term.amount for term in found), Fraction(0))
        went_on = -amount if knockout_stage else Fraction(0)
        return (went_on, missing, amount, seeds.index(player))

    return {player: place for place, player in enumerate(sorted(seeds, key=key), 1)}


def _final_terms(tournament: Tournament, player: str) -> Iterator[Term]:
    """The terms of a final place: by round, the place at a top table, or 1 for advancing."""
    assert tournament.finals is not None
    style = tournament.finals.started.style
    rules, lost = tournament.knockout_rules(style), 0
    for round in tournament.rounds_of(style):
        third = third_place_term(tournament, round, player)
        if third is not None:
            yield third
            continue
        if player in round.draw.free:
            yield Term(Fraction(1), "free", round.number, round.event)
        table = round.draw.table_of.get(player)
        entered = round.result(table.number) if table is not None else None
        if table is None or entered is None:
            continue
        seat = table.seats.index(player)
        amount = entered.outcome.places[seat]
        kind = "played" if seat in entered.outcome.here else "forfeit_loss"
        if rules is not None:
            through = knockout.advancing(tournament, round, table, entered.outcome)
            lost += knockout.lives_lost(rules, through, player)
            amount = int(player in through or lost < rules.lives)
            kind = "through" if amount else "out" if kind == "played" else kind
        others = tuple(other for other in table.seats if other != player)
        yield Term(Fraction(amount), kind, round.number, entered.event, others)
