"""Knock-out: who goes on, and who meets whom in the bracket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from referee.tournament.double_bracket import BracketMatch, Source, bracket, matches_of
from referee.tournament.errors import NotPossible
from referee.tournament.events import Outcome, Table, seat_index
from referee.tournament.plan import DoubleElimination

if TYPE_CHECKING:
    from referee.tournament.plan import Elimination
    from referee.tournament.state import Draw, Round, Stage, Tournament


def advancing(
    tournament: Tournament, round: Round, table: Table, outcome: Outcome
) -> tuple[str, ...]:
    """Who advances from a table, best first. The plan's rule decides a tie at the cut."""
    rules = tournament.knockout_rules(round.stage)
    if rules is None:
        return table.seats
    going_on = 1 if is_final(round.draw) else rules.advance
    here = outcome.here
    if _tied_at(outcome, here, going_on):
        here = _untied(tournament, rules.on_tie, round, table, outcome, here)
    else:
        here.sort(key=lambda seat: outcome.places[seat])
    return tuple(table.seats[seat] for seat in here[:going_on])


def is_final(draw: Draw) -> bool:
    return len(draw.tables) == 1 and not draw.free


def final_table(tournament: Tournament, round: Round) -> int | None:
    """The table at which a knock-out or finals are decided, if that is in this round."""
    rules = tournament.knockout_rules(round.stage)
    if isinstance(rules, DoubleElimination):
        matches = course(tournament, round.stage).matches.values()
        finals = (each for each in matches if each.match.part == "final")
        return next((each.table for each in finals if each.round == round.number), None)
    deciding = [each.number for each in round.draw.tables if each.number != round.third_place]
    ends = (rules is not None or round.stage != "main") and not round.draw.free
    return deciding[0] if ends and len(deciding) == 1 else None


def _tied_at(outcome: Outcome, here: Sequence[int], going_on: int) -> bool:
    places = sorted(outcome.places[seat] for seat in here)
    return going_on < len(places) and places[going_on - 1] == places[going_on]


def _untied(
    tournament: Tournament, rule: str, round: Round, table: Table, outcome: Outcome,
    here: Sequence[int],
) -> list[int]:  # fmt: skip
    if rule == "replay":
        raise NotPossible("tie_is_replayed", round=round.number, table=table.number)
    if rule == "judge":
        ruled = [seat_index(letter) for letter in outcome.tie_order]
        if not ruled:
            raise NotPossible("judge_decides_tie", round=round.number, table=table.number)
        return sorted(
            here, key=lambda seat: (outcome.places[seat], seat not in ruled, ruled.index(seat)
                                    if seat in ruled else seat)
        )  # fmt: skip
    if rule == "later_seat":
        return sorted(here, key=lambda seat: (outcome.places[seat], -seat))
    seeding = seeding_of(tournament, round.stage)
    return sorted(here, key=lambda seat: (outcome.places[seat], seeding.index(table.seats[seat])))


def seeding_of(tournament: Tournament, stage: Stage) -> tuple[str, ...]:
    """The seeding of a knock-out, best first."""
    if stage != "main" and tournament.finals is not None:
        return tournament.finals.players
    rounds = tournament.rounds_of(stage)
    if rounds:
        return rounds[0].paired.seeding
    present = (player for player in tournament.players.values() if player.status == "present")
    return tuple(player.id for player in sorted(present, key=lambda player: player.seeding_key))


def losses(tournament: Tournament, stage: Stage) -> dict[str, int]:
    """How often each player has failed to advance."""
    rules = tournament.knockout_rules(stage)
    if isinstance(rules, DoubleElimination):
        return course(tournament, stage).lost
    lost = dict.fromkeys(seeding_of(tournament, stage), 0)
    for round in tournament.rounds_of(stage):
        for table in round.draw.tables:
            result = round.result(table.number)
            if result is None:
                continue
            through = advancing(tournament, round, table, result.outcome)
            for player in table.seats:
                lost[player] = lost.get(player, 0) + (player not in through)
    return lost


def lives_lost(rules: Elimination | None, through: Sequence[str], player: str) -> int:
    """What a table costs a player. Of a table of a double elimination to which nobody came nobody
    goes on, above or below."""
    both = isinstance(rules, DoubleElimination) and not through
    return 0 if player in through else 2 if both else 1


def survivors(tournament: Tournament) -> tuple[str, ...]:
    """Who is still in the knock-out, best seed first."""
    stage = tournament.stage
    rules = tournament.knockout_rules(stage)
    lost = losses(tournament, stage)
    lives = rules.lives if rules is not None else 1
    return tuple(
        player
        for player, times in lost.items()
        if times < lives and tournament.players[player].status == "present"
    )


def playing_for_third(tournament: Tournament) -> tuple[str, ...]:
    """The losers of the semi-finals who can play beside the final that is paired next."""
    stage = tournament.stage
    rules, rounds = tournament.knockout_rules(stage), tournament.rounds_of(stage)
    if rules is None or not rules.third_place or not rounds:
        return ()
    semi_finals = rounds[-1]
    draw = semi_finals.draw
    if len(draw.tables) != 2 or draw.free or semi_finals.third_place or semi_finals.waiting:
        return ()
    through: set[str] = set()
    for table in draw.tables:
        entered = semi_finals.result(table.number)
        assert entered is not None
        through |= set(advancing(tournament, semi_finals, table, entered.outcome))
    here = {player.id for player in tournament.available(len(tournament.rounds) + 1)}
    if not through <= here:
        return ()
    seated = (player for table in draw.tables for player in table.seats)
    return tuple(player for player in seated if player in here - through)


def places_of(seeding: Sequence[str]) -> list[str | None]:
    """A bracket from top to bottom: 2, 4, 8… places, some of them empty."""
    size = 1
    while size < len(seeding):
        size *= 2
    return [seeding[seed] if seed < len(seeding) else None for seed in bracket(size)]


def bracket_tables(
    seeding: Sequence[str], alive: Sequence[str], round_in_stage: int
) -> Iterator[tuple[str, ...]]:
    """The next pairs of a bracket; a player without an opponent comes alone (a bye)."""
    still, places = set(alive), places_of(seeding)
    block = 2**round_in_stage
    for start in range(0, len(places), block):
        meeting = tuple(player for player in places[start : start + block] if player in still)
        if meeting:
            yield meeting


# Double elimination ---------------------------------------------------------------------------


class MatchSoFar(Struct):
    """A match of a double elimination, as far as it is known who meets there and how it ended."""

    match: BracketMatch
    players: tuple[str | None, str | None]
    """Who comes from each side; empty, if nobody does, and None as long as it is not known."""
    round: int | None = None
    table: int | None = None
    winner: str | None = None
    """Empty, if nobody goes on; None as long as it is open."""

    @property
    def can_be_played(self) -> bool:
        return self.winner is None and self.table is None and all(self.players)


class Course(Struct):
    """The matches of a double elimination by number, what they cost, and what is played next."""

    matches: dict[int, MatchSoFar]
    lost: dict[str, int]
    due: tuple[MatchSoFar, ...] = ()
    comes: dict[Source, str] = field(default_factory=dict)


def course(tournament: Tournament, stage: Stage, seeding: Sequence[str] | None = None) -> Course:
    """The bracket with all that has happened in it; ``seeding``: as it would be with others."""
    seeding = seeding_of(tournament, stage) if seeding is None else seeding
    matches = {match.number: MatchSoFar(match, (None, None)) for match in matches_of(len(seeding))}
    now = Course(matches, dict.fromkeys(seeding, 0))
    now.comes |= {Source("seed", at): player for at, player in enumerate(seeding, 1)}
    for round in tournament.rounds_of(stage):
        _go_on(now, round.before)
        tables = list(round.draw.tables)
        for each in sorted(now.due, key=lambda each: -_shared(each, tables)[0]):
            if tables:
                _play(tournament, now, each, round, tables.pop(_shared(each, tables)[1]))
    _go_on(now, tournament)
    return now


def _go_on(now: Course, then: Tournament) -> None:
    """Bring everybody to the next match; who has no opponent there goes on, who has left is out."""
    for each in now.matches.values():
        if each.winner is not None or each.table is not None:
            continue
        sides = (now.comes.get(side) for side in each.match.sides)
        one, other = ("" if side and _has_left(then, side) else side for side in sides)
        each.players = one, other
        if None not in each.players and not (one and other):
            _settle(now, each, one or other or "", "")
    waiting = [each for each in now.matches.values() if each.can_be_played]
    now.due = tuple(each for each in waiting if each.match.step == waiting[0].match.step)


def _has_left(then: Tournament, player: str) -> bool:
    return player in then.players and then.players[player].status == "dropped"


def _shared(each: MatchSoFar, tables: Sequence[Table]) -> tuple[int, int]:
    """How many of a match sit together at a table, and at which of them; after a correction
    somebody else may sit there."""
    shared = [len(set(table.seats) & set(each.players)) for table in tables]
    return max(shared, default=0), shared.index(max(shared)) if shared else 0


def _play(
    tournament: Tournament, now: Course, each: MatchSoFar, round: Round, table: Table
) -> None:
    each.round, each.table = round.number, table.number
    if set(table.seats) != set(each.players):
        one, other = sorted(table.seats, key=lambda player: now.lost.get(player, 0))
        each.players = one, other
    entered = round.result(table.number)
    if entered is None:
        return
    rules = tournament.knockout_rules(round.stage)
    through = advancing(tournament, round, table, entered.outcome)
    winner = through[0] if through else ""
    for player in table.seats:
        cost = lives_lost(rules, through, player)
        falls = each.match.part == "upper" or (_first_final(each) and player == each.players[0])
        now.lost[player] = now.lost.get(player, 0) if not cost else 1 if falls and winner else 2
    loser = next((player for player in table.seats if player != winner), "") if winner else ""
    _settle(now, each, winner, loser)


def _first_final(each: MatchSoFar) -> bool:
    return each.match.part == "final" and each.match.round == 1


def _settle(now: Course, each: MatchSoFar, winner: str, loser: str) -> None:
    each.winner = winner
    number = each.match.number
    decided = _first_final(each) and winner != each.players[1]
    now.comes[Source("winner", number)] = winner
    now.comes[Source("loser", number)] = "" if decided else loser


def snake(players: Sequence[str], sizes: Sequence[int]) -> list[tuple[str, ...]]:
    """Snake seeding: players are dealt to the tables to and fro, so that all are equally strong."""
    tables: list[list[str]] = [[] for _ in sizes]
    waiting = list(players)
    forth = True
    while waiting:
        open_tables = [at for at, size in enumerate(sizes) if len(tables[at]) < size]
        for at in open_tables if forth else reversed(open_tables):
            if waiting:
                tables[at].append(waiting.pop(0))
        forth = not forth
    return [tuple(table) for table in tables]
