"""Pair a round, explain it, change it by hand, and verify it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from engines.kernel.values.structs import evolve
from referee.tournament import knockout
from referee.tournament.errors import NotPossible
from referee.tournament.events import RoundPaired, Table
from referee.tournament.fold import check_next_round, swapped
from referee.tournament.pairing import dutch, finals, pods, round_robin, swiss
from referee.tournament.pairing.criteria import Costs, Duels, Meeting, Tables, total
from referee.tournament.pairing.entrants import Entrant, RoundEntrants, field_of
from referee.tournament.pairing.seating import duel_order, seat_order, table_numbers
from referee.tournament.plan import DoubleElimination, Knockout, Pods, RoundRobin, Swiss
from referee.tournament.ranking.points import POINT
from referee.tournament.splitmix import SplitMix64
from referee.tournament.state import Draw, Round, Tournament

Seated = list[tuple[Entrant, ...]]


class Proposal(Struct):
    """The result of a pairing method: tables best first, seats in order."""

    algorithm: str
    version: int
    tables: Seated
    byes: list[Entrant] = field(default_factory=list)
    free: list[Entrant] = field(default_factory=list)
    seeding: tuple[str, ...] = ()
    input_hash: str | None = None
    """Where something else than the field was looked at."""
    third_place: tuple[Entrant, ...] = ()
    """Of the tables, the one of the losers of the semi-finals."""


# Pairing --------------------------------------------------------------------------------------


def pair(tournament: Tournament, number: int, seed: int) -> RoundPaired:
    """The pairing of a round; idempotent: a round that is paired already is returned."""
    if 1 <= number <= len(tournament.rounds):
        return tournament.rounds[number - 1].paired
    check_next_round(tournament, number)
    seen = field_of(tournament, number)
    return compute(tournament, seen, seed, _method_now(tournament, seen))


METHOD = swiss.VERSION
"""One number for all that decides a pairing: see docs/pairing.md."""
_MATCHED = ("swiss-matching", "robin-matching", "double-knockout")


def _method_of(paired: RoundPaired) -> int:
    """The method version of a paired round.

    Before version 3, pairings without a matching were always recorded as version 1.
    """
    version = paired.version
    if version == 1 and paired.algorithm not in _MATCHED:
        return 2
    return version if version in swiss.METHODS or version == pods.SPREAD else METHOD


def _method_now(tournament: Tournament, seen: RoundEntrants) -> int:
    """The method of a round that is paired today: another where small tables go around."""
    spreads = _rule_for(tournament) is _pods and pods.uneven(seen) > 0
    return pods.SPREAD if spreads else METHOD


def _unmatched(method: int) -> int:
    """The version to record for a pairing without a matching."""
    return method if method >= 3 else 1


def compute(
    tournament: Tournament, seen: RoundEntrants, seed: int, method: int = METHOD
) -> RoundPaired:
    """Compute the pairing for this field and seed; deterministic."""
    if not seen.entrants:
        raise _nobody_to_pair(tournament, seen)
    proposal = _rule_for(tournament)(tournament, seen, seed, method)
    if not proposal.tables:
        raise _nobody_to_pair(tournament, seen)
    by_standings = tournament.plan.table_numbers == "by_standings"
    numbers = table_numbers(proposal.tables, method, by_standings=by_standings)
    tables = sorted(zip(numbers, proposal.tables, strict=True), key=lambda table: table[0])
    return RoundPaired(
        round=seen.round,
        algorithm=proposal.algorithm,
        version=proposal.version,
        seed=seed,
        input_hash=proposal.input_hash or seen.input_hash(method),
        tables=tuple(Table(number=at, seats=_ids(seats)) for at, seats in tables),
        byes=_ids(proposal.byes),
        free=_ids(proposal.free),
        seeding=proposal.seeding,
        third_place=next((at for at, seats in tables if seats == proposal.third_place), None),
    )


def _nobody_to_pair(tournament: Tournament, seen: RoundEntrants) -> NotPossible:
    waiting = sum(player.status == "registered" for player in tournament.players.values())
    if waiting:
        return NotPossible("check_in_first", waiting=waiting)
    here, least = len(seen.entrants), seen.seats.least
    if tournament.knockout_rules(tournament.stage) is not None:
        left = len(knockout.survivors(tournament))
        if left > here:
            return NotPossible("knockout_waits", left=left, here=here, round=seen.round)
        least = 2
    return NotPossible("nobody_to_pair", left=here, least=least)


def _ids(entrants: Iterable[Entrant]) -> tuple[str, ...]:
    return tuple(entrant.id for entrant in entrants)


Rule = Callable[[Tournament, RoundEntrants, int, int], Proposal]


def _rule_for(tournament: Tournament) -> Rule:
    if tournament.stage == "top_table":
        return _top_table
    if tournament.knockout_rules(tournament.stage) is not None:
        return _knockout
    return _RULES[tournament.plan.format.kind]


def _swiss(tournament: Tournament, seen: RoundEntrants, seed: int, method: int) -> Proposal:
    format = tournament.plan.format
    if isinstance(format, Swiss) and format.system == "dutch":
        found = dutch.pair(tournament, seen, seed)
        return Proposal(
            found.algorithm, method, found.tables, found.byes, input_hash=found.input_hash
        )
    tables, byes = swiss.pair(seen, seed, method)
    return Proposal(swiss.ALGORITHM, method, tables, byes)


def _round_robin(tournament: Tournament, seen: RoundEntrants, seed: int, method: int) -> Proposal:
    plan = tournament.plan.format
    listed = seen.seeding if seen.round > 1 else _ids(SplitMix64(seed).shuffled(seen.entrants))
    new = [entrant.id for entrant in seen.entrants if entrant.id not in listed]
    if not listed or len(new) > len(listed) % 2:
        return _everyone_by_matching(seen, seed, method)
    listed = (*listed, *new)
    if seen.round > round_robin.rounds_needed(
        len(listed), twice=isinstance(plan, RoundRobin) and plan.twice
    ):
        raise NotPossible("robin_is_complete", count=seen.round - 1)
    answer = Proposal(round_robin.ALGORITHM, _unmatched(method), [], seeding=listed)
    for one, two in round_robin.schedule(listed, seen.round):
        here = tuple(seen.by_id[player] for player in (one, two) if player in seen.by_id)
        if len(here) == 2:
            answer.tables.append(here)
        elif one is None or two is None:
            answer.free += here
        else:
            answer.byes += here
    return answer


def _everyone_by_matching(seen: RoundEntrants, seed: int, method: int) -> Proposal:
    """A round robin whose players have changed: match those who have not met, ignoring points."""
    flat = evolve(seen, entrants=tuple(evolve(entrant, points=0) for entrant in seen.entrants))
    tables, byes = swiss.pair(flat, seed, method)
    return Proposal("robin-matching", method, tables, byes)


def _knockout(tournament: Tournament, seen: RoundEntrants, seed: int, method: int) -> Proposal:
    if len(seen.entrants) < 2:
        if seen.round_in_stage == 1 or len(knockout.survivors(tournament)) > 1:
            raise _nobody_to_pair(tournament, seen)
        raise NotPossible("knockout_is_over", player=seen.entrants[0].id)
    rules = tournament.knockout_rules(tournament.stage) or Knockout()
    dice = SplitMix64(seed)
    if isinstance(rules, DoubleElimination):
        return _double_elimination(tournament, seen, dice, method)
    rank = {player: at for at, player in enumerate(seen.seeding)}
    alive = sorted(seen.entrants, key=lambda entrant: rank[entrant.id])
    if rules.lives == 2:
        by_losses = tuple(evolve(entrant, points=-entrant.lost * POINT) for entrant in alive)
        tables, left = swiss.pair(evolve(seen, entrants=by_losses), seed, method)
        return Proposal("double-knockout", method, tables, free=left, seeding=seen.seeding)
    answer = Proposal("knockout", _unmatched(method), [], seeding=seen.seeding)
    third = [entrant for entrant in alive if entrant.lost] if rules.third_place else []
    alive = [entrant for entrant in alive if entrant not in third]
    if seen.seats.most == 2:
        meetings = list(knockout.bracket_tables(seen.seeding, _ids(alive), seen.round_in_stage))
    elif len(alive) < seen.seats.least:  # a final, if the game can be played by so few
        meetings = [_ids(alive)]
    else:
        plan, out = pods.sizes(len(alive), seen.seats)
        meetings = [(entrant.id,) for entrant in alive[:out]]
        meetings += knockout.snake(_ids(alive[out:]), plan)
    for meeting in meetings:
        here = tuple(seen.by_id[player] for player in meeting)
        if len(here) == 1:
            answer.free += here
        else:
            answer.tables.append(_in_seats(here, dice, method))
    if third:
        answer.third_place = _in_seats(third, dice, method)
        answer.tables.append(answer.third_place)
    return answer


def _double_elimination(
    tournament: Tournament, seen: RoundEntrants, dice: SplitMix64, method: int
) -> Proposal:
    """What the bracket says; everybody who is still in must be there, at a table or waiting."""
    due = knockout.course(tournament, tournament.stage).due
    if len(knockout.survivors(tournament)) > len(seen.entrants):
        raise _nobody_to_pair(tournament, seen)
    tables = [
        _in_seats([seen.by_id[player] for player in match.players if player], dice, method)
        for match in due
    ]
    seated = {entrant.id for table in tables for entrant in table}
    free = [entrant for entrant in seen.entrants if entrant.id not in seated]
    return Proposal(
        "double-elimination", _unmatched(method), tables, free=free, seeding=seen.seeding
    )


def _in_seats(players: Sequence[Entrant], dice: SplitMix64, method: int) -> tuple[Entrant, ...]:
    if len(players) == 2:
        return duel_order(players[0], players[1], dice, method)
    return seat_order(players, dice)


def _pods(tournament: Tournament, seen: RoundEntrants, seed: int, method: int) -> Proposal:
    by_standings = _by_standings(tournament)
    dice = SplitMix64(seed)
    version = _unmatched(method)
    if method >= 3:
        schedule = pods.scheduled_tables(
            seen, seed, by_standings=by_standings, rounds=tournament.plan.rounds
        )
        exact, listed = schedule or (None, ())
    else:
        exact, listed = None if by_standings else pods.exact_tables(seen), ()
    if exact is not None:
        seated = [seat_order(table, dice) for table in exact]
        return Proposal(pods.EXACT, version, seated, seeding=listed)
    tables, byes = pods.pair(seen, seed, method, by_standings=by_standings)
    seated = [_in_seats(table, dice, method) for table in tables]
    return Proposal(pods.ALGORITHM, version, seated, byes)


def _by_standings(tournament: Tournament) -> bool:
    plan = tournament.plan.format
    return isinstance(plan, Pods) and plan.by_standings and tournament.stage == "main"


def _one_each(tournament: Tournament, seen: RoundEntrants, seed: int, method: int) -> Proposal:
    teams = sorted(seen.entrants, key=lambda entrant: entrant.number)
    return Proposal("one-each", _unmatched(method), [(team,) for team in teams])


def _top_table(tournament: Tournament, seen: RoundEntrants, seed: int, method: int) -> Proposal:
    return Proposal(finals.ALGORITHM, _unmatched(method), [finals.top_table(seen, seed)])


_RULES: dict[str, Rule] = {
    "swiss": _swiss,
    "round_robin": _round_robin,
    "pods": _pods,
    "league": _pods,
    "duplicate": _one_each,
    "ladder": _one_each,
}


# Explaining -----------------------------------------------------------------------------------


class Priced(Struct, frozen=True):
    """A draw with its cost by criterion and by table."""

    draw: Draw
    costs: Costs
    meetings: tuple[Meeting, ...]


class Explanation(Struct, frozen=True):
    criteria: tuple[str, ...]
    chosen: Priced
    asked: Priced | None = None

    @property
    def decided_by(self) -> str | None:
        """The first criterion in which the two draws differ."""
        if self.asked is None:
            return None
        both = zip(self.criteria, self.chosen.costs, self.asked.costs, strict=True)
        return next((name for name, mine, other in both if mine != other), None)


def explain(
    tournament: Tournament, number: int, chosen: Draw, asked: Draw | None = None
) -> Explanation:
    """Compare the cost of a draw with that of another one that was asked for."""
    method = _method_at(tournament, number)
    return _compare(tournament, _seen_at(tournament, number), chosen, asked, method)


def met_before(tournament: Tournament, number: int) -> dict[str, frozenset[str]]:
    """By player of a round: whom they had met when it was paired."""
    seen = _seen_at(tournament, number)
    ids = {entrant.number: entrant.id for entrant in seen.entrants}
    return {
        entrant.id: frozenset(ids[other] for other in entrant.met if other in ids)
        for entrant in seen.entrants
    }


def _method_at(tournament: Tournament, number: int) -> int:
    """The method version of a paired round, or the current one for a round not paired yet."""
    if 1 <= number <= len(tournament.rounds):
        return _method_of(tournament.rounds[number - 1].paired)
    return _method_now(tournament, _seen_at(tournament, number))


def _compare(
    tournament: Tournament, seen: RoundEntrants, chosen: Draw, asked: Draw | None, method: int
) -> Explanation:
    costs = _costs(tournament, seen, method)
    return Explanation(
        costs.criteria,
        _priced(seen, costs, chosen),
        _priced(seen, costs, asked) if asked is not None else None,
    )


def _seen_at(tournament: Tournament, number: int) -> RoundEntrants:
    """The input of the pairing of a round, then or now."""
    if 1 <= number <= len(tournament.rounds):
        tournament = tournament.rounds[number - 1].before
    return field_of(tournament, number)


def _costs(tournament: Tournament, seen: RoundEntrants, method: int) -> Duels | Tables:
    if seen.seats.most == 2:
        return Duels(seen, method)
    most = pods.uneven(seen) if method >= pods.SPREAD else 0
    return Tables(seen, by_standings=_by_standings(tournament), most=most)


def _priced(seen: RoundEntrants, costs: Duels | Tables, draw: Draw) -> Priced:
    meetings = [
        Meeting(table.seats, False, _table_costs(costs, [seen.by_id[p] for p in table.seats]))
        for table in draw.tables
    ]
    meetings += [Meeting((p,), True, costs.bye(seen.by_id[p])) for p in draw.byes]
    return Priced(draw, total((m.costs for m in meetings), costs.criteria), tuple(meetings))


def _table_costs(costs: Duels | Tables, players: Sequence[Entrant]) -> Costs:
    if isinstance(costs, Duels):
        return costs.meeting(players[0], players[1])
    return costs.meeting(players)


def swap(draw: Draw, a: str, b: str) -> Draw:
    """The draw with two players exchanged; ``explain`` shows what that costs."""
    return swapped(draw, a, b)


def asked_for(tournament: Tournament, number: int, chosen: Draw, a: str, b: str) -> Draw:
    """The best draw in which two players meet: the answer to “why do they not meet?”."""
    table = chosen.table_of.get(a)
    if table is not None and b in table.seats:
        return chosen
    seen, method = _seen_at(tournament, number), _method_at(tournament, number)
    costs = _costs(tournament, seen, method)
    draws = [
        swapped(chosen, mover, other)
        for mover, target in ((a, b), (b, a))
        for other in (chosen.table_of[target].seats if target in chosen.table_of else ())
        if other != target
    ]
    if isinstance(costs, Duels) and tournament.plan.format.kind == "swiss":
        draws.append(_forced(seen, costs, chosen, (a, b), method))
    if not draws:
        raise NotPossible("not_in_the_draw", player=a)
    return min(draws, key=lambda draw: _priced(seen, costs, draw).costs)


def _forced(
    seen: RoundEntrants, costs: Duels, chosen: Draw, given: tuple[str, str], method: int
) -> Draw:
    """The cheapest pairing that contains a given pair."""
    a, b = given
    for player in given:
        if player not in seen.by_id:
            raise NotPossible("not_in_the_draw", player=player)
    rest = [entrant for entrant in seen.entrants if entrant.id not in given]
    meetings, byes = swiss.match(rest, costs)
    meetings.append((seen.by_id[a], seen.by_id[b]))
    numbers = [table.number for table in chosen.tables]
    return Draw(
        tuple(
            Table(number=number, seats=_ids(duel_order(one, two, SplitMix64(0), method)))
            for number, (one, two) in zip(numbers, meetings, strict=True)
        ),
        _ids(byes),
    )


# Checking -------------------------------------------------------------------------------------


REMARKS = frozenset(
    {
        "changed_by_hand", "arranged_by_hand", "dispute_open", "scores_missing",
        "scores_contradict", "lot_again", "table_waits", "finalist_replaced", "apart_met",
    }
)  # fmt: skip


class PairingProblem(Struct, frozen=True):
    """``key`` names a message of ``words.toml`` (``problem.<key>``)."""

    round: int
    key: str
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def is_remark(self) -> bool:
        """Whether it is only worth a remark: somebody decided so, with a reason."""
        return self.key in REMARKS


def check_tournament(tournament: Tournament) -> list[PairingProblem]:
    found = [
        problem for round in tournament.rounds for problem in check_round(tournament, round.number)
    ]
    for player, other in finals.overtaken(tournament):
        facts = {"player": player, "other": other}
        found.append(PairingProblem(len(tournament.rounds_of("main")), "finalist_overtaken", facts))
    found += _substitutes(tournament)
    return found


def _substitutes(tournament: Tournament) -> Iterator[PairingProblem]:
    """Who came into the finals for somebody else has that player's seed."""
    if tournament.finals is None:
        return
    for player, substitute in tournament.finals.substitutes.items():
        rank = finals.rank_at_the_cut(tournament.finals, substitute)
        if substitute in tournament.finals.players:
            seed = tournament.finals.players.index(substitute) + 1
            facts = {"player": player, "substitute": substitute, "seed": seed, "rank": rank}
            yield PairingProblem(len(tournament.rounds_of("main")), "finalist_replaced", facts)


def check_round(tournament: Tournament, number: int) -> list[PairingProblem]:
    """All problems of a round, from the record alone; empty if there are none."""
    round = tournament.round(number)
    seen = field_of(round.before, number)
    found = [*_misplaced(tournament, round, seen), *_followers(tournament, round)]
    try:
        again = compute(round.before, seen, round.paired.seed, _method_of(round.paired))
    except NotPossible as error:
        return [*found, PairingProblem(number, "not_possible", {"why": error.key})]
    told = round.paired
    if told.input_hash != again.input_hash:
        found.append(PairingProblem(number, "inputs_differ"))
    if (told.algorithm, told.version) != (again.algorithm, again.version):
        found.append(
            PairingProblem(number, "other_algorithm", {"told": f"{told.algorithm} {told.version}"})
        )
    elif told != again:
        found.append(PairingProblem(number, "recomputed_differs", {"seed": told.seed}))
    found += _worse_than(round, seen, Draw(again.tables, again.byes, again.free))
    return found


def _misplaced(tournament: Tournament, round: Round, seen: RoundEntrants) -> list[PairingProblem]:
    """Everybody who could play must have exactly one place, at a table of an allowed size.

    If tables were arranged by hand, players may have joined, and those who left been removed.
    """
    number, seats = round.number, round.before.seats
    placed = list(round.draw.players)
    could = {round.merged.get(player, player) for player in seen.by_id} | round.joined
    if round.arranged:
        could -= {p for p in could - set(placed) if tournament.players[p].status != "present"}
    found = [
        PairingProblem(number, "seated_twice", {"player": player})
        for player in sorted({player for player in placed if placed.count(player) > 1})
    ]
    found += [
        PairingProblem(number, "left_out", {"player": p}) for p in sorted(could - set(placed))
    ]
    found += [
        PairingProblem(number, "cannot_play", {"player": p}) for p in sorted(set(placed) - could)
    ]
    final = round.before.knockout_rules(round.stage) is not None and knockout.is_final(round.draw)
    least = 2 if final else seats.least
    for table in round.draw.tables:
        if not least <= len(table.seats) <= seats.most and round.stage == "main":
            found.append(PairingProblem(number, "table_size", {"table": table.number}))
    return found


def _followers(tournament: Tournament, round: Round) -> list[PairingProblem]:
    """In a knock-out only those who advanced may play; a correction may have changed who did."""
    rules = tournament.knockout_rules(round.stage)
    earlier = [r for r in tournament.rounds_of(round.stage) if r.number < round.number]
    if rules is None or not earlier:
        return []
    then = evolve(tournament, rounds=tournament.rounds[: round.number - 1])
    lost = knockout.losses(then, round.stage)
    return [
        PairingProblem(round.number, "was_out", {"player": player})
        for player in round.draw.players
        if lost.get(player, 0) >= rules.lives and player not in _for_third(round)
    ]


def _for_third(round: Round) -> tuple[str, ...]:
    return () if round.third_place is None else round.table(round.third_place).seats


def _worse_than(round: Round, seen: RoundEntrants, best: Draw) -> list[PairingProblem]:
    """A problem if the draw, with its swaps, costs more than the best one."""
    if not set(round.draw.players) <= set(seen.by_id):
        return [PairingProblem(round.number, "arranged_by_hand")] if round.arranged else []
    told = _compare(round.before, seen, best, round.draw, _method_of(round.paired))
    if told.asked is None or told.asked.costs <= told.chosen.costs:
        return []
    return [
        PairingProblem(
            round.number,
            "changed_by_hand" if round.swaps or round.arranged else "not_the_best",
            {"criterion": told.decided_by, "swaps": [list(swap) for swap in round.swaps]},
        )
    ]
