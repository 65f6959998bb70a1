"""Points and tie-breaks. Each is a list of terms and a way to sum them up, so that the value
in the standings and its derivation can never disagree.

Duels follow the tie-break regulations of FIDE (C.07): direct encounter article 6, Buchholz
article 8, Sonneborn-Berger article 9, cuts article 14, rounds not played article 16.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Literal

from msgspec import Struct

from engines.kernel.values.structs import evolve
from referee.tournament import knockout
from referee.tournament.plan import DuelScoring, LadderScoring, PlaceScoring
from referee.tournament.ranking.points import POINT, in_points, ladder_key, shared, units
from referee.tournament.ranking.score_sheet import (
    ATTENDED,
    OPEN,
    REQUESTED,
    VOLUNTARY,
    Line,
    Sheet,
    counted_rounds,
    penalty_units,
)
from referee.tournament.state import Lot, Round, Tournament

FLOOR = Fraction(33, 100)
"""No rate of matches or games won counts for less."""


class Term(Struct, frozen=True):
    """One number that enters a value: from which round and event, because of whom."""

    amount: Fraction
    kind: str
    round: int | None = None
    event: int | None = None
    others: tuple[str, ...] = ()
    counted: bool = True


class ScoreBook:
    """The score sheet with what several tie-breaks need."""

    def __init__(self, tournament: Tournament, sheet: Sheet) -> None:
        self.tournament = tournament
        self.plan = tournament.plan
        self.sheet = {
            player: tuple(line for line in lines if line.kind not in OPEN)
            for player, lines in sheet.items()
        }
        self.predetermined = self.plan.format.kind == "round_robin"
        self.rounds = max((len(lines) for lines in sheet.values()), default=0)

    @cached_property
    def win(self) -> int:
        scoring = self.plan.scoring
        if isinstance(scoring, DuelScoring):
            return units(scoring.win)
        if isinstance(scoring, PlaceScoring):
            return units(scoring.table(2)[0])
        return POINT

    @cached_property
    def draw(self) -> int:
        scoring = self.plan.scoring
        if isinstance(scoring, DuelScoring):
            return units(scoring.draw)
        if isinstance(scoring, PlaceScoring):
            return shared(scoring.table(2), 1, 2)
        return POINT // 2

    @cached_property
    def games(self) -> int:
        """How often anybody could play: rounds with an opponent."""
        return max((sum(bool(line.opponents) for line in lines) for lines in self.sheet.values()),
                   default=0)  # fmt: skip

    @cached_property
    def scored(self) -> dict[str, int]:
        """What everybody's rounds brought, before penalties."""
        return {player: sum(line.points for line in lines) for player, lines in self.sheet.items()}

    @cached_property
    def adjusted(self) -> dict[str, int]:
        """Scores as they enter the tie-breaks of opponents: a bye asked for after the last round
        in which a player was available counts as a draw (16.3)."""
        if self.predetermined:
            return self.scored
        return {player: self._adjusted(lines) for player, lines in self.sheet.items()}

    def _adjusted(self, lines: Sequence[Line]) -> int:
        last = max((line.round for line in lines if line.kind not in VOLUNTARY), default=0)
        return sum(
            self.draw if line.kind in REQUESTED and line.round > last else line.points
            for line in lines
        )

    def was_played(self, line: Line) -> bool:
        """In a schedule fixed in advance forfeits count like games."""
        return line.kind == "played" or (self.predetermined and bool(line.opponents))


# What each counts -----------------------------------------------------------------------------


def _points(book: ScoreBook, player: str) -> list[Term]:
    counted = counted_rounds(book.plan, book.sheet[player])
    terms = [
        Term(in_points(line.points), line.kind, line.round, line.event, line.opponents,
             line.round in counted)
        for line in book.sheet[player]
    ]  # fmt: skip
    if carried := book.tournament.players[player].carried:
        terms.insert(0, Term(in_points(units(carried)), "carried"))
    terms += [
        Term(-in_points(units(p.halves)), "penalty", event=p.event)
        for p in book.tournament.penalties
        if p.player == player and p.halves and p.cancelled is None
    ]  # everybody reads this: of warnings and what was cancelled only those hear who may
    return terms


def _opponents_scores(book: ScoreBook, player: str) -> list[Term]:
    """Buchholz: the scores of the opponents; for a round not played that of a dummy (16.4)."""
    return [
        Term(in_points(score), line.kind, line.round, line.event, _known(book, line))
        for line, score in _contributions(book, player)
    ]


def _known(book: ScoreBook, line: Line) -> tuple[str, ...]:
    return line.opponents if book.was_played(line) else ()


def _contributions(book: ScoreBook, player: str) -> list[tuple[Line, int]]:
    return [
        (line, book.adjusted[line.opponents[0]] if book.was_played(line)
         else _dummy(book, player, line))
        for line in book.sheet[player]
        if line.opponents or not book.predetermined
    ]  # fmt: skip


def _dummy(book: ScoreBook, player: str, line: Line) -> int:
    score = book.scored[player] - penalty_units(book.tournament, book.tournament.players[player])
    if book.plan.unplayed_rounds == "fide_2024":
        return score
    if line.opponents:
        return min(score, book.adjusted[line.opponents[0]])
    return min(score, book.draw * book.rounds)


def _cut(
    low: int,
    high: int = 0,
    of: Callable[[ScoreBook, str], list[Term]] = _opponents_scores,
) -> Callable[[ScoreBook, str], list[Term]]:
    """Without the opponents of the least scores, and of equal ones without the least value; of
    voluntarily unplayed rounds the least goes first (16.5). A median goes without the highest as
    well."""

    def terms(book: ScoreBook, player: str) -> list[Term]:
        found = of(book, player)
        scores = [
            (score, term.amount)
            for (_, score), term in zip(_contributions(book, player), found, strict=True)
        ]
        left = list(range(len(found)))
        cut = []
        for _ in range(min(low, len(left))):
            voluntary = [at for at in left if found[at].kind in VOLUNTARY and not found[at].others]
            cut.append(min(voluntary or left, key=scores.__getitem__))
            left.remove(cut[-1])
        for _ in range(min(high, len(left))):
            cut.append(max(left, key=scores.__getitem__))
            left.remove(cut[-1])
        for at in cut:
            found[at] = evolve(found[at], counted=False)
        return found

    return terms


def _progressive(book: ScoreBook, player: str) -> list[Term]:
    """The points after each round, added up."""
    so_far, terms = 0, []
    for line in book.sheet[player]:
        so_far += line.points
        terms.append(Term(in_points(so_far), line.kind, line.round, line.event))
    return terms


def _koya(book: ScoreBook, player: str) -> list[Term]:
    """Points against opponents who have scored at least half of what they could."""
    return [
        Term(in_points(line.points), line.kind, line.round, line.event, line.opponents,
             2 * book.scored[line.opponents[0]] >= book.win * book.games)
        for line in book.sheet[player]
        if line.opponents
    ]  # fmt: skip


def _sonneborn_berger(book: ScoreBook, player: str) -> list[Term]:
    return [
        Term(in_points(score) * in_points(line.points), line.kind, line.round, line.event,
             _known(book, line))
        for line, score in _contributions(book, player)
    ]  # fmt: skip


def _board_points_by_opponent(book: ScoreBook, player: str) -> list[Term]:
    """Sonneborn-Berger for teams: the match points of every opponent times the board points scored
    against them."""
    return [
        Term(in_points(score) * (line.games.points if line.games is not None else 0), line.kind,
             line.round, line.event, _known(book, line))
        for line, score in _contributions(book, player)
    ]  # fmt: skip


def _wins(book: ScoreBook, player: str) -> list[Term]:
    return [
        Term(Fraction(1), line.kind, line.round, line.event, line.opponents)
        for line in book.sheet[player]
        if (line.place == 1 and line.tied == 1 if line.kind == "played" else
            line.points == book.win)
    ]  # fmt: skip


def _opponents_wins(book: ScoreBook, player: str) -> list[Term]:
    return [
        Term(_win_rate(book, other), line.kind, line.round, line.event, (other,))
        for line in book.sheet[player]
        if line.kind == "played"
        for other in line.opponents
    ]


def _win_rate(book: ScoreBook, player: str) -> Fraction:
    there = sum(line.kind != "zero_bye" for line in book.sheet[player])
    if not there or not book.win:
        return FLOOR
    return max(FLOOR, Fraction(book.scored[player], book.win * there))


def _games_won(book: ScoreBook, player: str) -> list[Term]:
    """Games won in matches, or at the boards of a team; a drawn one is half."""
    return [
        Term(line.games.points, line.kind, line.round, line.event, line.opponents)
        for line in book.sheet[player]
        if line.games is not None
    ]  # fmt: skip


def _parts_of_games(book: ScoreBook, player: str) -> list[Term]:
    """What the games of every match brought of all that a player's games could have brought, by
    the points of a match won or drawn."""
    told = [(line, line.games) for line in book.sheet[player] if line.games is not None]
    most = book.win * sum(games.played for _, games in told)
    return [
        Term(Fraction(games.won * book.win + games.drawn * book.draw, most), line.kind,
             line.round, line.event, line.opponents)
        for line, games in told
        if most
    ]  # fmt: skip


def _game_rate(terms: Sequence[Term]) -> Fraction:
    return max(FLOOR, _sum(terms))


def _opponents_games(book: ScoreBook, player: str) -> list[Term]:
    return [
        Term(_game_rate(_parts_of_games(book, other)), line.kind, line.round, line.event, (other,))
        for line in book.sheet[player]
        if line.kind == "played"
        for other in line.opponents
    ]


def _played(
    amount: Callable[[Line], Fraction | int | None],
) -> Callable[[ScoreBook, str], list[Term]]:
    """Terms from the rounds that were played, where there is an amount."""

    def terms(book: ScoreBook, player: str) -> list[Term]:
        return [
            Term(Fraction(value), line.kind, line.round, line.event, line.opponents)
            for line in book.sheet[player]
            if line.kind == "played" and (value := amount(line)) is not None
        ]

    return terms


def _opponents_points(book: ScoreBook, player: str) -> list[Term]:
    return [
        Term(in_points(book.scored[other]), line.kind, line.round, line.event, (other,))
        for line in book.sheet[player]
        if line.kind == "played"
        for other in line.opponents
    ]


def _attended(book: ScoreBook, player: str) -> list[Term]:
    return [
        Term(Fraction(1), line.kind, line.round, line.event)
        for line in book.sheet[player]
        if line.kind in ATTENDED
    ]


def third_place_term(tournament: Tournament, round: Round, player: str) -> Term | None:
    """What playing for third place is worth, beside a round survived: half of one for who wins.

    It is theirs too whose opponent could not come to that table any more.
    """
    if round.third_place is None:
        if knockout.playing_for_third(round.before) != (player,):
            return None
        return Term(Fraction(1, 2), "third_place", round.number, round.event)
    table = round.table(round.third_place)
    entered = round.result(table.number)
    if player not in table.seats or entered is None:
        return None
    won = player in knockout.advancing(tournament, round, table, entered.outcome)
    amount, kind = (Fraction(1, 2), "third_place") if won else (Fraction(0), "fourth_place")
    others = tuple(other for other in table.seats if other != player)
    return Term(amount, kind, round.number, entered.event, others)


def _rounds_survived(book: ScoreBook, player: str) -> list[Term]:
    """Knock-out: every round after which the player was still in."""
    tournament = book.tournament
    rules = tournament.knockout_rules("main")
    lost, terms = 0, []
    for round in tournament.rounds_of("main"):
        third = third_place_term(tournament, round, player)
        if third is not None:
            terms.append(third)
            continue
        table = round.draw.table_of.get(player)
        result = round.result(table.number) if table is not None else None
        if table is not None and result is not None:
            through = knockout.advancing(tournament, round, table, result.outcome)
            lost += knockout.lives_lost(rules, through, player)
            if rules is not None and lost < rules.lives:
                terms.append(Term(Fraction(1), "through", round.number, result.event, table.seats))
        elif player in round.draw.free:
            terms.append(Term(Fraction(1), "free", round.number, round.event))
    return terms


# Values that depend on who is tied ------------------------------------------------------------


def _encounters(book: ScoreBook, player: str, group: Sequence[str]) -> list[Term]:
    return [
        Term(in_points(line.points), line.kind, line.round, line.event, line.opponents)
        for line in book.sheet[player]
        if book.was_played(line) and line.opponents[0] in group
    ]


def _direct_encounter(book: ScoreBook, group: Sequence[str]) -> dict[str, Fraction]:
    """The place in a table of the tied players alone; 0 if it separates nobody."""
    places = dict.fromkeys(group, 0)
    _separate(book, list(group), 1, places)
    if len(set(places.values())) == 1:
        return dict.fromkeys(group, Fraction(0))
    return {player: Fraction(place) for player, place in places.items()}


def _separate(book: ScoreBook, group: list[str], first: int, places: dict[str, int]) -> None:
    scores, most = {}, {}
    for player in group:
        against: dict[str, list[Fraction]] = {}
        for term in _encounters(book, player, group):
            against.setdefault(term.others[0], []).append(term.amount)
        means = (sum(games, Fraction(0)) / len(games) for games in against.values())
        score = sum(means, Fraction(0))
        missing = 0 if book.predetermined else len(group) - 1 - len(against)
        scores[player], most[player] = score, score + missing * in_points(book.win)
    split = _all_met(group, scores) if most == scores else _safe_leaders(group, scores, most)
    for tied in split:
        if len(tied) in (1, len(group)):
            places.update(dict.fromkeys(tied, first))
        else:
            _separate(book, tied, first, places)
        first += len(tied)


def _all_met(group: list[str], scores: dict[str, Fraction]) -> list[list[str]]:
    values = sorted(set(scores.values()), reverse=True)
    return [[player for player in group if scores[player] == value] for value in values]


def _safe_leaders(
    group: list[str], scores: dict[str, Fraction], most: dict[str, Fraction]
) -> list[list[str]]:
    """Not all have met: who would lead whatever the missing games brought is ahead (6.2)."""
    rest = sorted(group, key=lambda player: (-scores[player], -most[player]))
    ahead = []
    while len(rest) > 1 and scores[rest[0]] > max(most[player] for player in rest[1:]):
        ahead.append([rest.pop(0)])
    return [*ahead, rest]


def _lot_for(book: ScoreBook, group: Sequence[str]) -> Lot | None:
    """The last lot that was drawn among all the tied players."""
    drawn = reversed(book.tournament.lots)
    return next((lot for lot in drawn if set(group) <= set(lot.order)), None)


def _lot(book: ScoreBook, group: Sequence[str]) -> dict[str, Fraction]:
    """The place in the lot; 0 if none was drawn."""
    lot = _lot_for(book, group)
    return {player: Fraction(lot.order.index(player) + 1 if lot else 0) for player in group}


def _lot_drawn(book: ScoreBook, player: str, group: Sequence[str]) -> list[Term]:
    lot = _lot_for(book, group)
    if lot is None:
        return []
    place = Fraction(lot.order.index(player) + 1)
    return [Term(place, "lot", event=lot.event, others=lot.order)]


def _best_results(book: ScoreBook) -> dict[str, tuple[int, ...]]:
    """Everybody's best result on the ladder; greater is better."""
    scoring = book.plan.scoring
    if not isinstance(scoring, LadderScoring):
        return {}
    return {
        player: max(ladder_key(scoring, line.measures) for line in lines if line.measures)
        for player, lines in book.sheet.items()
        if any(line.measures for line in lines)
    }


def _ladder(book: ScoreBook, group: Sequence[str]) -> dict[str, Fraction]:
    """The place by everybody's best result; who has none is last."""
    best = _best_results(book)
    return {
        player: Fraction(1 + sum(key > best[player] for key in best.values()))
        if player in best
        else Fraction(len(best) + 1)
        for player in group
    }


def _ladder_results(book: ScoreBook, player: str, group: Sequence[str]) -> list[Term]:
    """Every measure of every result; those of the best count."""
    scoring = book.plan.scoring
    if not isinstance(scoring, LadderScoring):
        return []
    best = _best_results(book).get(player)
    return [
        Term(Fraction(value), measure.name, line.round, line.event,
             counted=ladder_key(scoring, line.measures) == best)
        for line in book.sheet[player]
        if line.measures
        for measure, value in zip(scoring.measures, line.measures, strict=True)
    ]  # fmt: skip


# The list -------------------------------------------------------------------------------------


def _sum(terms: Sequence[Term]) -> Fraction:
    return sum((term.amount for term in terms if term.counted), Fraction(0))


def _mean(terms: Sequence[Term]) -> Fraction:
    return _sum(terms) / len(terms) if terms else Fraction(0)


def _best(terms: Sequence[Term]) -> Fraction:
    return max((term.amount for term in terms), default=Fraction(0))


class TieBreak(Struct, frozen=True):
    """``terms`` of one player and how they become a value; or values ``among`` tied players,
    with the ``evidence`` for one of them."""

    id: str
    terms: Callable[[ScoreBook, str], list[Term]] = lambda book, player: []
    value: Callable[[Sequence[Term]], Fraction] = _sum
    among: Callable[[ScoreBook, Sequence[str]], dict[str, Fraction]] | None = None
    evidence: Callable[[ScoreBook, str, Sequence[str]], list[Term]] | None = None
    better: Literal["more", "fewer"] = "more"

    def values(self, book: ScoreBook, group: Sequence[str]) -> dict[str, Fraction]:
        if self.among is not None:
            return self.among(book, group)
        return {player: self.value(self.terms(book, player)) for player in group}

    def derivation(self, book: ScoreBook, player: str, group: Sequence[str]) -> list[Term]:
        if self.evidence is not None:
            return self.evidence(book, player, group)
        return self.terms(book, player)


TIE_BREAKS = {
    rule.id: rule
    for rule in (
        TieBreak("PTS", _points),
        TieBreak("DE", among=_direct_encounter, evidence=_encounters, better="fewer"),
        TieBreak("BH", _opponents_scores),
        TieBreak("BH/C1", _cut(1)),
        TieBreak("BH/C2", _cut(2)),
        TieBreak("BH/M1", _cut(1, 1)),
        TieBreak("PS", _progressive),
        TieBreak("KS", _koya),
        TieBreak("SB", _sonneborn_berger),
        TieBreak("WIN", _wins),
        TieBreak("OMW", _opponents_wins, _mean),
        TieBreak("GP", _games_won),
        TieBreak("GW", _parts_of_games, _game_rate),
        TieBreak("OGW", _opponents_games, _mean),
        TieBreak("EMGSB", _board_points_by_opponent),
        TieBreak("EMGSB/C1", _cut(1, of=_board_points_by_opponent)),
        TieBreak("FIRSTS", _played(lambda line: Fraction(line.place == 1, line.tied))),
        TieBreak("SHARE", _played(lambda line: line.share), _mean),
        TieBreak("SCORE", _played(lambda line: line.score)),
        TieBreak("OPP", _opponents_points, _mean),
        TieBreak("BEST", _played(lambda line: line.score), _best),
        TieBreak("ATT", _attended),
        TieBreak("LADDER", among=_ladder, evidence=_ladder_results, better="fewer"),
        TieBreak("LOT", among=_lot, evidence=_lot_drawn, better="fewer"),
        TieBreak("KO", _rounds_survived),
    )
}
