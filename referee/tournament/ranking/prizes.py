"""Standings of a section, and who gets which prize."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from referee.tournament.events import Prize
from referee.tournament.ranking.standings import RankedRow, standings
from referee.tournament.state import Tournament


class SectionRow(NamedTuple):
    rank: int
    """Among those of the section; its row has the rank in the event."""
    row: RankedRow


def section_rows(
    tournament: Tournament, rows: Iterable[RankedRow], section: str
) -> list[SectionRow]:
    """The rows of the members; who is level in the event is level here."""
    members = [row for row in rows if section in tournament.players[row.player].sections]
    ranks = [row.rank for row in members]
    return [SectionRow(1 + ranks.index(row.rank), row) for row in members]


def section_ranks(tournament: Tournament, rows: Sequence[RankedRow]) -> dict[str, dict[str, int]]:
    """Of every player who belongs to sections: the rank in each of them."""
    ranks: dict[str, dict[str, int]] = {}
    for section in tournament.sections:
        for rank, row in section_rows(tournament, rows, section):
            ranks.setdefault(row.player, {})[section] = rank
    return ranks


class Award(NamedTuple):
    prize: Prize
    players: tuple[str, ...]
    """Several are level after all tie-breaks and share it; nobody has come so far down."""


class _Ranking:
    """The places of one ranking, taken from the first on by whoever is not passed over."""

    def __init__(self, rows: Iterable[RankedRow]) -> None:
        level = groupby(rows, key=lambda row: row.rank)
        self._groups = iter([tuple(row.player for row in group) for _, group in level])
        self._taken = 0
        self._group: tuple[str, ...] = ()

    def at(self, place: int, passed_over: Container[str]) -> tuple[str, ...]:
        """Who takes a place, and shares it; places are asked for in their order."""
        while self._taken < place:
            group = next(self._groups, None)
            if group is None:
                return ()
            self._group = tuple(player for player in group if player not in passed_over)
            self._taken += len(self._group)
        return self._group


def awards(tournament: Tournament) -> list[Award]:
    """Prizes are given in the declared order. Whoever has one, or a share of one, is passed over
    in every other ranking, unless somebody may get several."""
    declared, ranked = tournament.prizes, standings(tournament)
    if not any(any(round.results.values()) for round in tournament.rounds):
        return [Award(prize, ()) for prize in declared.prizes]
    rankings = {"": _Ranking(ranked.rows)}
    winners: set[str] = set()
    found = []
    for prize in declared.prizes:
        if prize.section not in rankings:
            members = section_rows(tournament, ranked.rows, prize.section)
            rankings[prize.section] = _Ranking(each.row for each in members)
        players = rankings[prize.section].at(prize.place, () if declared.several else winners)
        winners.update(players)
        found.append(Award(prize, players))
    return found
