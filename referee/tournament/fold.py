"""Folds events into the state of a tournament. Pure: the same events, the same tournament.

Any past state is ``fold(events[:n])``; ``fold(rest, start)`` goes on from a state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import NODEFAULT
from msgspec.structs import fields

from engines.kernel import evolve
from referee.tournament import events
from referee.tournament.clock import RoundClock
from referee.tournament.errors import NotPossible
from referee.tournament.knockout import advancing
from referee.tournament.plan import (
    DoubleElimination,
    DuelScoring,
    Duplicate,
    Elimination,
    Ladder,
    Match,
    PlaceScoring,
    SeatRange,
    Swiss,
)
from referee.tournament.state import (
    Apart,
    Call,
    Comment,
    Draw,
    Entered,
    Finals,
    Lot,
    Penalty,
    Player,
    PlayerReport,
    Round,
    Ruling,
    Status,
    Team,
    Tournament,
    Waiting,
)
from referee.tournament.values import Unplayed, read_moment

E = TypeVar("E", bound=events.Event)
Step = Callable[[Tournament, Any], Tournament]
_STEPS: dict[type[events.Event], Step] = {}
_AFTER_THE_END = (
    events.TournamentReopened
    | events.Vouched
    | events.Commented
    | events.WallTurned
    | events.Announced
)
"""What can still be told of a closed tournament: none of it changes how it ended."""


def fold(history: Iterable[events.Event], start: Tournament | None = None) -> Tournament:
    """The tournament after these events; raises at the first that is not possible."""
    tournament = start
    for event in history:
        tournament = apply(tournament, event)
    if tournament is None:
        raise NotPossible("not_created")
    return tournament


def states(history: Iterable[events.Event]) -> Iterator[Tournament]:
    """The state after each event, one by one."""
    tournament: Tournament | None = None
    for event in history:
        tournament = apply(tournament, event)
        yield tournament


def apply(tournament: Tournament | None, event: events.Event) -> Tournament:
    if tournament is None:
        if not isinstance(event, events.Created):
            raise NotPossible("not_created")
        return Tournament(name=event.name, plan=event.plan)
    if isinstance(event, events.Created):
        raise NotPossible("created_already")
    if tournament.closed and not isinstance(event, _AFTER_THE_END):
        raise NotPossible("tournament_closed")
    after = _STEPS[type(event)](tournament, event)
    return evolve(after, last=tournament.last + 1)


def _step(kind: type[E]) -> Callable[[Callable[[Tournament, E], Tournament]], Step]:
    def register(function: Callable[[Tournament, E], Tournament]) -> Step:
        _STEPS[kind] = function
        return function

    return register


def _require(holds: bool, key: str, /, **facts: Any) -> None:
    if not holds:
        raise NotPossible(key, **facts)


# The plan -------------------------------------------------------------------------------------


@_step(events.Revised)
def _revise(now: Tournament, event: events.Revised) -> Tournament:
    if now.rounds:
        same = now.plan.model_copy(update={"rounds": event.plan.rounds})
        _require(same == event.plan, "plan_is_fixed")
        _require(event.plan.rounds >= len(now.rounds), "rounds_are_paired", count=len(now.rounds))
    return evolve(now, plan=event.plan)


@_step(events.ReadingRuled)
def _rule_reading(now: Tournament, event: events.ReadingRuled) -> Tournament:
    _require(event.game in now.plan.games, "not_played_here", game=event.game)
    return evolve(now, rulings=(*now.rulings, Ruling(now.last + 1, event)))


# Players --------------------------------------------------------------------------------------


def _with_player(now: Tournament, player: Player, **changes: Any) -> Tournament:
    return evolve(now, players={**now.players, player.id: evolve(player, **changes)})


@_step(events.Registered)
def _register(now: Tournament, event: events.Registered) -> Tournament:
    _require(event.player not in now.players, "registered_already", player=event.player)
    _in_no_team(now, event.player)
    _require(now.finals is None, "finals_are_on")
    if now.rounds:
        _require(not isinstance(now.plan.format, Elimination), "no_late_entry")
    player = Player(
        id=event.player,
        number=now.numbered + 1,
        club=event.club,
        rating=event.rating,
        seed=event.seed,
        fixed_table=event.fixed_table,
        sections=tuple(dict.fromkeys(event.sections)),
        qualified=event.qualified,
    )
    if player.carried:
        dutch = isinstance(now.plan.format, Swiss) and now.plan.format.system == "dutch"
        _require(isinstance(now.plan.scoring, DuelScoring | PlaceScoring), "points_of_a_game")
        _require(not dutch, "points_into_dutch")
    waiting = tuple(each for each in now.waiting_list if each.player != event.player)
    now = evolve(now, numbered=player.number, waiting_list=waiting)
    if now.plan.check_in or now.rounds:
        now = _with_player(now, player)
    else:
        now = _with_player(now, player, status="present", came=True)
    return _few_sections(now) if event.sections else now


def _few_sections(now: Tournament) -> Tournament:
    _require(
        len(now.sections) <= events.MOST_SECTIONS, "too_many_sections", most=events.MOST_SECTIONS
    )
    return now


@_step(events.RegistrationSet)
def _set_registration(now: Tournament, event: events.RegistrationSet) -> Tournament:
    _require(not (event.open and now.rounds), "registration_over")
    return evolve(now, registration=event)


@_step(events.SignedUp)
def _sign_up(now: Tournament, event: events.SignedUp) -> Tournament:
    _require(now.registration is not None and now.registration.open, "registration_closed")
    _require(not now.rounds, "registration_over")
    _require(not _waits(now, event.player), "registered_already", player=event.player)
    _in_no_team(now, event.player)
    if now.places_left and not now.waiting_list:
        return _register(now, events.Registered(player=event.player, club=event.club))
    _require(event.player not in now.players, "registered_already", player=event.player)
    _require(len(now.waiting_list) < events.MOST_WAITING, "waiting_list_full")
    return evolve(now, waiting_list=(*now.waiting_list, Waiting(event.player, event.club)))


def _waits(now: Tournament, player: str) -> bool:
    return any(each.player == player for each in now.waiting_list)


@_step(events.MovedUp)
def _move_up(now: Tournament, event: events.MovedUp) -> Tournament:
    for each in now.waiting_list:
        if each.player == event.player:
            return _register(now, events.Registered(player=each.player, club=each.club))
    raise NotPossible("does_not_wait", player=event.player)


@_step(events.PlayerEdited)
def _edit(now: Tournament, event: events.PlayerEdited) -> Tournament:
    player = now.player(event.player)
    told = event.model_dump(exclude={"player"}, exclude_none=True)
    _require(bool(told), "nothing_to_edit", player=event.player)
    for number in ("seed", "fixed_table"):
        if number in told:
            told[number] = told[number] or None
    if "sections" in told:
        told["sections"] = tuple(dict.fromkeys(told["sections"]))
        return _few_sections(_with_player(now, player, **told))
    return _with_player(now, player, **told)


@_step(events.FeeMarked)
def _mark_fee(now: Tournament, event: events.FeeMarked) -> Tournament:
    player = now.player(event.player)
    _require(player.paid != event.paid, "fee_marked_already", player=event.player)
    return _with_player(now, player, paid=event.paid)


@_step(events.PlayerUnregistered)
def _unregister(now: Tournament, event: events.PlayerUnregistered) -> Tournament:
    if _waits(now, event.player):
        waiting = tuple(each for each in now.waiting_list if each.player != event.player)
        return evolve(now, waiting_list=waiting)
    now.player(event.player)
    seated = any(event.player in set(round.draw.players) for round in now.rounds)
    _require(not seated, "has_played", player=event.player)
    told_of = {penalty.player for penalty in now.penalties} | set(_drawn_or_seeded(now))
    _require(event.player not in told_of, "has_a_past", player=event.player)
    rest = {player.id: player for player in now.players.values() if player.id != event.player}
    checked_in = {number: here - {event.player} for number, here in now.checked_in.items()}
    now = evolve(now, players=rest, checked_in=checked_in)
    return _teams_renamed(now, lambda team: team if team != event.player else None)


def _drawn_or_seeded(now: Tournament) -> Iterator[str]:
    """Everybody in a lot, in finals, or in the seeding of a schedule."""
    for lot in now.lots:
        yield from lot.order
    yield from _seeded(now)


def _seeded(now: Tournament) -> Iterator[str]:
    for round in now.rounds:
        yield from round.paired.seeding
    if now.finals is not None:
        yield from (*now.finals.started.players, *now.finals.players)


_UNSAID = {each.name: each.default for each in fields(Player) if each.default is not NODEFAULT}
"""What a registration has of itself where nobody has told anything: of two, the other's counts."""
_MERGED_ALWAYS = ("came", "sections", "paid")


@_step(events.PlayersMerged)
def _merge(now: Tournament, event: events.PlayersMerged) -> Tournament:
    if event.merged in now.team_of:
        return _merge_members(now, event)
    kept, gone = now.player(event.player), now.player(event.merged)
    _require(kept.id != gone.id, "merge_with_oneself", player=kept.id)
    _require(gone.id not in set(_seeded(now)), "in_a_schedule", player=gone.id)
    played = set()
    for round in now.rounds:
        places = {kept.id, gone.id} & set(round.draw.players)
        _require(len(places) < 2, "both_played", player=kept.id, other=gone.id, round=round.number)
        if places:
            played.add(round.number)
    one = {gone.id: kept.id}
    away = {at: counts for at, counts in {**gone.away, **kept.away}.items() if at not in played}
    rest = {player.id: player for player in now.players.values() if player.id != gone.id}
    merging = _UNSAID if event.completes else _MERGED_ALWAYS
    told = {name: getattr(gone, name) for name in merging if getattr(kept, name) == _UNSAID[name]}
    told |= {"status": _status_of_both(kept, gone), "away": away}
    rest[kept.id] = evolve(kept, **told)
    now = _teams_renamed(now, lambda team: one.get(team, team))
    merged = evolve(
        now,
        players=rest,
        rounds=tuple(
            evolve(
                round,
                draw=_renamed(round.draw, one),
                merged={**{entry: one.get(p, p) for entry, p in round.merged.items()}, **one},
                swaps=tuple((one.get(a, a), one.get(b, b)) for a, b in round.swaps),
                joined=frozenset(one.get(player, player) for player in round.joined),
                reports={
                    table: {one.get(player, player): told for player, told in reports.items()}
                    for table, reports in round.reports.items()
                },
            )
            for round in now.rounds
        ),
        penalties=tuple(
            evolve(penalty, player=one.get(penalty.player, penalty.player))
            for penalty in now.penalties
        ),
        apart=tuple(
            evolve(each, players=tuple(dict.fromkeys(one.get(p, p) for p in each.players)))
            for each in now.apart
        ),
        calls=tuple(evolve(call, player=one.get(call.player, call.player)) for call in now.calls),
        lots=tuple(
            lot._replace(order=tuple(dict.fromkeys(one.get(p, p) for p in lot.order)))
            for lot in now.lots
        ),
        checked_in={
            number: frozenset(one.get(player, player) for player in here)
            for number, here in now.checked_in.items()
        },
    )
    return _seat_teams(merged)


# Teams: a team is a player, and its people sit at the boards ------------------------------------


def _in_no_team(now: Tournament, person: str) -> None:
    team = now.team_of.get(person)
    _require(team is None, "in_a_team", player=person, team=team)


@_step(events.TeamSet)
def _set_team(now: Tournament, event: events.TeamSet) -> Tournament:
    _require(now.plan.boards > 0, "no_boards")
    team = now.player(event.player).id
    roster = Team(event.members, event.captain, event.away)
    known = now.team_of
    for person in roster.people:
        _require(
            known.get(person, team) == team, "in_a_team", player=person, team=known.get(person)
        )
        taken = person in now.players or _waits(now, person)
        _require(not taken, "plays_alone", player=person)
    now = evolve(now, teams={**now.teams, team: roster})
    planned = {
        number: {
            each: people
            for each, people in told.items()
            if each != team or _started(now, number) or set(people) <= set(roster.members)
        }
        for number, told in now.line_ups.items()
    }
    return _seat_teams(evolve(now, line_ups=planned))


def _started(now: Tournament, number: int) -> bool:
    return number <= len(now.rounds) and now.rounds[number - 1].started


@_step(events.LineUpSet)
def _set_line_up(now: Tournament, event: events.LineUpSet) -> Tournament:
    boards, team = now.plan.boards, now.player(event.player).id
    _require(boards > 0, "no_boards")
    members = set(now.teams[team].members if team in now.teams else ())
    if event.round <= len(now.rounds):
        round = now.round(event.round)
        _require(not round.closed, "round_is_closed", round=event.round)
        members |= set(round.line_ups.get(team, ()))
    for person in event.boards:
        _require(person in members, "not_in_the_team", player=person, team=team)
    _require(len(event.boards) <= boards, "too_many_boards", boards=boards, told=len(event.boards))
    if now.plan.match is not None and now.plan.match.roster_order and team in now.teams:
        told_at = [person for person in now.teams[team].members if person in event.boards]
        listed = [person for person in event.boards if person in told_at]
        _require(listed == told_at, "roster_order", team=team, players=told_at)
    told = {each: at for each, at in now.line_ups.get(event.round, {}).items() if each != team}
    if event.boards:
        told[team] = event.boards
    now = evolve(now, line_ups={**now.line_ups, event.round: told})
    return _seat_teams(now, anew=(event.round, team))


@_step(events.LineUpsDue)
def _set_line_ups_due(now: Tournament, event: events.LineUpsDue) -> Tournament:
    _require(now.plan.boards > 0, "no_boards")
    _require(not _started(now, event.round), "line_ups_stand", round=event.round)
    due = {number: until for number, until in now.line_ups_due.items() if number != event.round}
    if event.until is not None:
        due[event.round] = event.until
    return evolve(now, line_ups_due=due)


def _seat_teams(now: Tournament, anew: tuple[int, str] | None = None) -> Tournament:
    """The people of the teams at the boards of every round that is played: whoever sits there
    stays, but where it is told ``anew``."""
    for round in now.open_rounds:
        if round.started:
            seated = [
                team
                for table in round.draw.tables
                if now.plan.boards_at(len(table.seats))
                for team in table.seats
            ]
            line_ups = {
                team: people
                for team in seated
                if (
                    people := (() if (round.number, team) == anew else round.line_ups.get(team, ()))
                    or now.expected_line_up(round.number, team)
                )
            }
            if line_ups != round.line_ups:
                now = _with_round(now, round, line_ups=line_ups)
    return now


def _teams_renamed(now: Tournament, other: Callable[[str], str | None]) -> Tournament:
    """Rosters and line-ups under other teams; those of two become those of one, and without a team
    there are none."""
    teams: dict[str, Team] = {}
    for team, roster in sorted(now.teams.items(), key=lambda each: other(each[0]) != each[0]):
        kept = other(team)
        if kept is not None:
            first = teams.get(kept, Team(()))
            teams[kept] = Team(
                tuple(dict.fromkeys((*first.members, *roster.members))),
                first.captain or roster.captain,
                (*first.away, *roster.away),
            )
    if teams == now.teams and not now.line_ups:
        return now

    def renamed(told: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        moved = {kept: people for team, people in told.items() if (kept := other(team))}
        return {**moved, **{team: people for team, people in told.items() if other(team) == team}}

    return evolve(
        now,
        teams=teams,
        line_ups={number: renamed(told) for number, told in now.line_ups.items()},
        rounds=tuple(evolve(round, line_ups=renamed(round.line_ups)) for round in now.rounds),
    )


def _merge_members(now: Tournament, event: events.PlayersMerged) -> Tournament:
    """Two people of a team are one."""
    known = now.team_of
    kept, gone = event.player, event.merged
    _require(kept != gone, "merge_with_oneself", player=kept)
    _require(known.get(kept) == known[gone], "not_in_the_team", player=kept, team=known[gone])
    for round in now.rounds:
        for people in round.line_ups.values():
            both = {kept, gone} <= set(people)
            _require(not both, "both_played", player=kept, other=gone, round=round.number)

    def one(people: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(kept if person == gone else person for person in people))

    def of_all(told: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {team: one(people) for team, people in told.items()}

    def away(roster: Team) -> tuple[str, ...]:
        """Whoever is there under one name is there."""
        still = event.completes and {kept, gone} <= {*roster.away}
        return tuple(each for each in roster.away if each != gone and (each != kept or still))

    teams = {
        team: Team(
            one(roster.members),
            kept if roster.captain == gone else roster.captain,
            away(roster),
        )
        for team, roster in now.teams.items()
    }
    merged = evolve(
        now,
        teams=teams,
        line_ups={number: of_all(told) for number, told in now.line_ups.items()},
        rounds=tuple(
            evolve(
                round,
                line_ups=of_all(round.line_ups),
                merged={
                    **{entry: kept if p == gone else p for entry, p in round.merged.items()},
                    gone: kept,
                },
            )
            for round in now.rounds
        ),
    )
    return _seat_teams(merged)


@_step(events.PlayersKeptApart)
def _keep_apart(now: Tournament, event: events.PlayersKeptApart) -> Tournament:
    for player in event.players:
        now.player(player)
    _require(len(set(event.players)) == len(event.players), "apart_from_oneself")
    apart = Apart(now.last + 1, event.players, event.reason)
    return evolve(now, apart=(*now.apart, apart))


@_step(events.ApartWithdrawn)
def _withdraw_apart(now: Tournament, event: events.ApartWithdrawn) -> Tournament:
    known = {each.event: each for each in now.apart}
    _require(event.apart in known, "kept_nobody_apart", number=event.apart)
    _require(known[event.apart].withdrawn is None, "apart_withdrawn", number=event.apart)
    known[event.apart] = evolve(known[event.apart], withdrawn=event.reason)
    return evolve(now, apart=tuple(known.values()))


def _status_of_both(kept: Player, gone: Player) -> Status:
    """The status of two merged players: present if either is, else dropped if either is."""
    both = {kept.status, gone.status}
    known: tuple[Status, ...] = ("present", "dropped", "registered")
    return next(status for status in known if status in both)


@_step(events.CheckedIn)
def _check_in(now: Tournament, event: events.CheckedIn) -> Tournament:
    player = now.player(event.player)
    _require(player.status == "registered", "not_expected", player=event.player)
    _require(not now.rounds, "late_then", player=event.player)
    return _with_player(now, player, status="present", came=True)


@_step(events.RoundCheckedIn)
def _check_in_for_round(now: Tournament, event: events.RoundCheckedIn) -> Tournament:
    if event.round <= len(now.rounds):
        raise NotPossible("paired_already", round=event.round)
    for told in event.players:
        _require(now.player(told).status == "present", "not_here_at_all", player=told)
    here = now.checked_in.get(event.round, frozenset())
    return evolve(now, checked_in={**now.checked_in, event.round: here | set(event.players)})


@_step(events.Late)
def _arrive_late(now: Tournament, event: events.Late) -> Tournament:
    player = now.player(event.player)
    _require(player.status == "registered", "not_expected", player=event.player)
    _require(bool(now.rounds), "not_late", player=event.player)
    _require(not isinstance(now.plan.format, Elimination), "no_late_entry")
    return _join_in(now, player, event.missed)


def _join_in(now: Tournament, player: Player, missed: Unplayed) -> Tournament:
    """Mark a player present; the rounds missed so far count as declared."""
    away = {
        round.number: missed for round in now.rounds if player.id not in set(round.draw.players)
    }
    return _with_player(now, player, status="present", came=True, away={**away, **player.away})


@_step(events.Dropped)
def _drop(now: Tournament, event: events.Dropped) -> Tournament:
    player = now.player(event.player)
    _require(player.status != "dropped", "dropped_already", player=event.player)
    return _with_player(now, player, status="dropped")


@_step(events.Returned)
def _return(now: Tournament, event: events.Returned) -> Tournament:
    player = now.player(event.player)
    _require(player.status == "dropped", "not_dropped", player=event.player)
    _require(now.knockout_rules(now.stage) is None or not now.rounds, "no_late_entry")
    return _join_in(now, player, event.missed)


@_step(events.ByeRequested)
def _request_bye(now: Tournament, event: events.ByeRequested) -> Tournament:
    player = now.player(event.player)
    if event.round <= len(now.rounds):
        placed = set(now.round(event.round).draw.players)
        _require(player.id not in placed, "paired_already", round=event.round)
    return _with_player(now, player, away={**player.away, event.round: event.counts})


# Rounds ---------------------------------------------------------------------------------------


@_step(events.RoundPaired)
def _pair(now: Tournament, event: events.RoundPaired) -> Tournament:
    _require(event.round > len(now.rounds), "paired_already", round=event.round)
    check_next_round(now, event.round)
    draw = Draw(event.tables, event.byes, event.free)
    _check_draw(now, event.round, draw)
    if event.third_place is not None:
        rules = now.knockout_rules(now.stage)
        _require(rules is not None and rules.third_place, "no_third_place", round=event.round)
        _require(event.third_place in {table.number for table in draw.tables}, "no_such_table",
                 round=event.round, table=event.third_place)  # fmt: skip
    paired = Round(
        event.round,
        now.stage,
        now.last + 1,
        event,
        draw,
        before=now,
        third_place=event.third_place,
    )
    return evolve(now, rounds=(*now.rounds, paired))


def check_next_round(now: Tournament, number: int) -> None:
    """Refuse any round but the one that can be paired next."""
    _require(number == len(now.rounds) + 1, "not_next", round=number, next=len(now.rounds) + 1)
    waiting = now.open_round
    _require(waiting is None, "round_is_open", round=waiting.number if waiting else number)
    if now.finals is None and now.knockout_rules(now.stage) is None:
        _require(number <= now.plan.rounds, "no_more_rounds", count=now.plan.rounds)


def _check_draw(now: Tournament, number: int, draw: Draw) -> None:
    could_play = {player.id for player in now.available(number)}
    _check_places(now, number, draw, could_play)
    _check_tables(draw, now.seats)


def _check_places(now: Tournament, number: int, draw: Draw, could_play: Collection[str]) -> None:
    placed = list(draw.players)
    _require(bool(draw.tables), "nobody_to_pair", left=len(could_play), least=now.seats.least)
    for player in placed:
        _require(placed.count(player) == 1, "seated_twice", player=player)
    for player in placed:
        now.player(player)
        _require(player in could_play, "cannot_play", player=player, round=number)


def _check_tables(draw: Draw, allowed: SeatRange) -> None:
    numbers = [table.number for table in draw.tables]
    _require(len(set(numbers)) == len(numbers), "table_twice")
    least, most = min(2, allowed.most), allowed.most
    for table in draw.tables:
        seats = len(table.seats)
        _require(seats >= least, "table_too_small", table=table.number)
        _require(seats <= most, "table_too_big", table=table.number, seats=seats, most=most)


@_step(events.PairingWithdrawn)
def _withdraw_pairing(now: Tournament, event: events.PairingWithdrawn) -> Tournament:
    round = now.round(event.round)
    _require(event.round == len(now.rounds) and not round.started, "round_has_started",
             round=event.round)  # fmt: skip
    players = {player.id: _missing_no_more(round, player) for player in now.players.values()}
    return evolve(now, rounds=now.rounds[:-1], players=players)


def _missing_no_more(round: Round, player: Player) -> Player:
    """Forget an absence from a round that is paired anew, if it came after the first pairing."""
    then = round.before.players.get(player.id)
    if round.number not in player.away or (then is not None and round.number in then.away):
        return player
    return _plays_after_all(player, round.number)


def _with_round(now: Tournament, round: Round, **changes: Any) -> Tournament:
    at = round.number - 1
    return evolve(now, rounds=(*now.rounds[:at], evolve(round, **changes), *now.rounds[at + 1 :]))


def swapped(draw: Draw, a: str, b: str) -> Draw:
    """The draw with two players exchanged."""
    places = set(draw.players)
    for player in (a, b):
        _require(player in places, "not_in_the_draw", player=player)
    _require(a != b, "swap_with_oneself", player=a)
    return _renamed(draw, {a: b, b: a})


def _renamed(draw: Draw, other: Mapping[str, str]) -> Draw:
    """The seats with some players replaced."""

    def moved(players: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other.get(player, player) for player in players)

    return Draw(
        tuple(events.Table(number=t.number, seats=moved(t.seats)) for t in draw.tables),
        moved(draw.byes),
        moved(draw.free),
    )


@_step(events.Swapped)
def _swap(now: Tournament, event: events.Swapped) -> Tournament:
    round = now.round(event.round)
    _require(not round.closed, "round_is_closed", round=event.round)
    draw = swapped(round.draw, event.a, event.b)
    _check_meetings(now, round, draw)
    for player in (event.a, event.b):
        table = round.draw.table_of.get(player)
        if table is not None:
            _require(round.result(table.number) is None, "result_is_in", round=event.round,
                     table=table.number)  # fmt: skip
    swaps = (*round.swaps, (event.a, event.b))
    return _seat_teams(
        _with_round(now, round, draw=draw, swaps=swaps, reports=_still_told(round, draw))
    )


def _check_meetings(now: Tournament, round: Round, draw: Draw) -> None:
    """In a double elimination the bracket says who meets: only seats and tables change."""
    if isinstance(now.knockout_rules(round.stage), DoubleElimination):
        meet, met = (
            {frozenset(table.seats) for table in each.tables} for each in (draw, round.draw)
        )
        _require(meet == met, "fixed_bracket", round=round.number)


def _still_told(round: Round, draw: Draw) -> dict[int, Mapping[str, PlayerReport]]:
    """The reports of tables whose seats are unchanged."""
    same = {table.number for table in draw.tables if table in round.draw.tables}
    return {table: reports for table, reports in round.reports.items() if table in same}


@_step(events.RoundArranged)
def _arrange(now: Tournament, event: events.RoundArranged) -> Tournament:
    round = now.round(event.round)
    _require(not round.closed, "round_is_closed", round=event.round)
    draw = Draw(event.tables, event.byes, event.free)
    _check_meetings(now, round, draw)
    before, after = set(round.draw.players), set(draw.players)
    here = {player.id for player in now.players.values() if player.status == "present"}
    _check_places(now, event.round, draw, before | here)
    _check_tables(draw, now.plan.seats if round.stage == "main" else now.seats)
    for player in sorted(before - after):
        _require(player not in here, "left_without_a_place", player=player)
    for table in round.draw.tables:
        if round.results.get(table.number):
            _require(table in draw.tables, "result_is_in", round=event.round, table=table.number)
    joined = after - before
    if joined:
        _require(now.knockout_rules(round.stage) is None, "no_late_entry")
    players = {
        player.id: _plays_after_all(player, event.round) if player.id in joined else player
        for player in now.players.values()
    }
    now = _with_round(
        evolve(now, players=players),
        round,
        draw=draw,
        third_place=_still_there(round.third_place, draw),
        arranged=True,
        joined=round.joined | joined,
        reports=_still_told(round, draw),
    )
    return _seat_teams(now)


def _still_there(table: int | None, draw: Draw) -> int | None:
    return table if any(each.number == table for each in draw.tables) else None


def _plays_after_all(player: Player, number: int) -> Player:
    away = {at: counts for at, counts in player.away.items() if at != number}
    return evolve(player, away=away)


@_step(events.TablesAssigned)
def _assign_tables(now: Tournament, event: events.TablesAssigned) -> Tournament:
    round = now.round(event.round)
    _require(not round.started, "round_has_started", round=event.round)
    moves = dict(event.moves)
    for number in moves:
        round.table(number)
    tables = [
        events.Table(number=moves.get(table.number, table.number), seats=table.seats)
        for table in round.draw.tables
    ]
    _require(len({table.number for table in tables}) == len(tables), "table_twice")
    in_order = tuple(sorted(tables, key=lambda table: table.number))
    third = round.third_place
    return _with_round(
        now,
        round,
        draw=Draw(in_order, round.draw.byes, round.draw.free),
        third_place=None if third is None else moves.get(third, third),
    )


@_step(events.RoundStarted)
def _start_round(now: Tournament, event: events.RoundStarted) -> Tournament:
    round = now.round(event.round)
    _require(not round.started, "round_has_started", round=event.round)
    return _seat_teams(_with_round(now, round, started=True))


@_step(events.StartWithdrawn)
def _withdraw_start(now: Tournament, event: events.StartWithdrawn) -> Tournament:
    round = now.round(event.round)
    _require(round.started, "not_started", round=event.round)
    _require(event.round == len(now.rounds), "rounds_after_it", round=event.round)
    _require(not round.results, "results_are_in", round=event.round)
    return _with_round(now, round, started=False, clock=None, reports={}, line_ups={})


# The time of a round --------------------------------------------------------------------------


def _timed_round(now: Tournament, number: int) -> Round:
    round = now.round(number)
    _require(round.started, "not_started", round=number)
    _require(not round.closed, "round_is_closed", round=number)
    return round


def _clock_of(round: Round) -> RoundClock:
    if round.clock is None:
        raise NotPossible("no_clock", round=round.number)
    return round.clock


@_step(events.ClockStarted)
def _start_clock(now: Tournament, event: events.ClockStarted) -> Tournament:
    round = _timed_round(now, event.round)
    since = read_moment(event.at)
    if round.clock is None:
        if event.minutes is None:
            raise NotPossible("no_time_given", round=event.round)
        return _with_round(now, round, clock=RoundClock(event.minutes, since=since))
    _require(round.clock.since is None, "clock_runs", round=event.round)
    _require(event.minutes is None, "clock_was_set", round=event.round)
    return _with_round(now, round, clock=evolve(round.clock, since=since, stopped=False))


@_step(events.ClockPaused)
def _pause_clock(now: Tournament, event: events.ClockPaused) -> Tournament:
    round = _timed_round(now, event.round)
    clock = _clock_of(round)
    _require(clock.since is not None, "clock_stands", round=event.round)
    spent = clock.used(read_moment(event.at))
    return _with_round(now, round, clock=evolve(clock, spent=spent, since=None))


@_step(events.ClockExtended)
def _extend_clock(now: Tournament, event: events.ClockExtended) -> Tournament:
    round = _timed_round(now, event.round)
    clock = _clock_of(round)
    if event.table is None:
        minutes = clock.minutes + event.minutes
        _require(minutes >= 0, "less_than_no_time", minutes=clock.minutes)
        return _with_round(now, round, clock=evolve(clock, minutes=minutes))
    table = round.table(event.table).number
    if event.call is not None:
        now = _give_back(now, event.call, event.round, table)
    extra = clock.extra.get(table, 0) + event.minutes
    _require(clock.minutes + extra >= 0, "less_than_no_time", minutes=clock.minutes)
    return _with_round(now, round, clock=evolve(clock, extra={**clock.extra, table: extra}))


def _give_back(now: Tournament, number: int, round: int, table: int) -> Tournament:
    """The time that a call has cost its table, which is given once."""
    known = {call.event: call for call in now.calls}
    called = known.get(number)
    if called is None or (called.round, called.table) != (round, table):
        raise NotPossible("no_such_call", number=number)
    _require(not called.given_back, "given_back_already", number=number)
    known[number] = evolve(called, given_back=True)
    return evolve(now, calls=tuple(known.values()))


@_step(events.ClockStopped)
def _stop_clock(now: Tournament, event: events.ClockStopped) -> Tournament:
    round = _timed_round(now, event.round)
    clock = _clock_of(round)
    _require(not clock.stopped, "clock_is_stopped", round=event.round)
    spent = clock.used(read_moment(event.at))
    return _with_round(now, round, clock=evolve(clock, spent=spent, since=None, stopped=True))


# Results --------------------------------------------------------------------------------------


def _check_outcome(
    now: Tournament, round: Round, table: events.Table, outcome: events.Outcome
) -> None:
    seats, told = len(table.seats), len(outcome.places)
    _require(seats == told, "seats_differ", table=table.number, seats=seats, told=told)
    measures = getattr(now.plan.scoring, "measures", None)
    if measures is not None and not outcome.absent:
        told = len(outcome.measures or ())
        _require(told == len(measures), "measures_differ", expected=len(measures), told=told)
    if now.plan.scoring.kind == "game":
        _require(outcome.scores is not None, "scores_wanted", table=table.number)
    _check_games(now.match_at(round, seats), table, outcome)
    if outcome.timed_out:
        _require(now.plan.time is not None, "no_time_rule")
    advancing(now, round, table, outcome)


def _check_games(match: Match | None, table: events.Table, outcome: events.Outcome) -> None:
    """The games of a match are told, and none after it was won. Fewer may have been played: time
    was up, or they agreed. Where somebody did not come, none need be."""
    games = outcome.games
    if match is None:
        _require(not games, "one_game_each", table=table.number)
        return
    _require(bool(games or outcome.absent), "games_wanted", table=table.number, games=match.games)
    _require(len(games) <= match.games, "too_many_games", games=match.games, told=len(games))
    if match.boards:
        every = len(games) == match.games or bool(outcome.absent)
        _require(every, "game_of_every_board", games=match.games, told=len(games))
    else:
        before = games[:-1]
        won = max(before.count("A"), before.count("B"))
        _require(won < match.needed, "won_before", games=match.games, needed=match.needed)


def _open_result(
    now: Tournament, event: events.ResultEntered | events.ResultReported | events.ResultCorrected
) -> tuple[Round, events.Table]:
    round = now.round(event.round)
    _require(round.started, "not_started", round=event.round)
    _require(not round.closed, "round_is_closed", round=event.round)
    table = round.table(event.table)
    _check_outcome(now, round, table, event.outcome)
    return round, table


@_step(events.ResultEntered)
def _enter_result(now: Tournament, event: events.ResultEntered) -> Tournament:
    round, table = _open_result(now, event)
    _require(round.result(table.number) is None, "result_is_in", round=event.round,
             table=table.number)  # fmt: skip
    entered = Entered(now.last + 1, event.outcome, event.source)
    return _with_round(now, round, results={**round.results, table.number: (entered,)})


@_step(events.ResultReported)
def _report_result(now: Tournament, event: events.ResultReported) -> Tournament:
    round, table = _open_result(now, event)
    _check_sits(table, event.player)
    _require(round.result(table.number) is None, "result_is_in", round=event.round,
             table=table.number)  # fmt: skip
    told = {
        **round.reports.get(table.number, {}),
        event.player: PlayerReport(now.last + 1, event.outcome),
    }
    reports = {**round.reports, table.number: told}
    if set(told) != set(table.seats) or len({report.outcome for report in told.values()}) > 1:
        return _with_round(now, round, reports=reports)
    source = events.Agreed(reports=tuple(sorted(report.event for report in told.values())))
    entered = Entered(now.last + 1, event.outcome, source)
    results = {**round.results, table.number: (entered,)}
    return _with_round(now, round, reports=reports, results=results)


def _check_sits(table: events.Table, player: str) -> None:
    _require(player in table.seats, "sits_elsewhere", player=player, table=table.number)


@_step(events.JudgeCalled)
def _call_judge(now: Tournament, event: events.JudgeCalled) -> Tournament:
    _check_sits(now.round(event.round).table(event.table), event.player)
    called = Call(now.last + 1, event.round, event.table, event.player, event.text)
    waiting = [
        call
        for call in now.calls
        if (call.round, call.table, call.player) == (called.round, called.table, called.player)
        and call.answered is None
    ]
    _require(not waiting, "called_already", table=event.table)
    return evolve(now, calls=(*now.calls, called))


@_step(events.CallAnswered)
def _answer_call(now: Tournament, event: events.CallAnswered) -> Tournament:
    known = {call.event: call for call in now.calls}
    _require(event.call in known, "no_such_call", number=event.call)
    _require(known[event.call].answered is None, "answered_already", number=event.call)
    known[event.call] = evolve(known[event.call], answered=event.text)
    return evolve(now, calls=tuple(known.values()))


@_step(events.CallTaken)
def _take_call(now: Tournament, event: events.CallTaken) -> Tournament:
    """Who goes is the author of the event: there is nothing else to know."""
    known = {call.event: call for call in now.calls}
    _require(event.call in known, "no_such_call", number=event.call)
    _require(known[event.call].answered is None, "answered_already", number=event.call)
    return now


@_step(events.ZonesSet)
def _set_zones(now: Tournament, event: events.ZonesSet) -> Tournament:
    return evolve(now, zones=event.zones)


@_step(events.HallLaid)
def _lay_hall(now: Tournament, event: events.HallLaid) -> Tournament:
    return evolve(now, hall=event.rows)


@_step(events.ResultCorrected)
def _correct_result(now: Tournament, event: events.ResultCorrected) -> Tournament:
    round, table = _open_result(now, event)
    before = round.results.get(table.number)
    if before is None:
        raise NotPossible("no_result_to_correct", round=event.round, table=event.table)
    entered = Entered(now.last + 1, event.outcome, events.ByHand(reason=event.reason))
    return _with_round(now, round, results={**round.results, table.number: (*before, entered)})


@_step(events.RoundClosed)
def _close_round(now: Tournament, event: events.RoundClosed) -> Tournament:
    round = now.round(event.round)
    _require(round.started, "not_started", round=event.round)
    _require(not round.closed, "round_is_closed", round=event.round)
    if not isinstance(now.plan.format, Ladder):
        waiting = round.waiting
        _require(not waiting, "results_missing", round=event.round, tables=waiting,
                 count=len(waiting))  # fmt: skip
    return _with_round(now, round, closed=True, clock=None)


@_step(events.RoundReopened)
def _reopen_round(now: Tournament, event: events.RoundReopened) -> Tournament:
    round = now.round(event.round)
    _require(round.closed, "round_not_closed", round=event.round)
    return _seat_teams(_with_round(now, round, closed=False))


# Judges and the end ---------------------------------------------------------------------------


@_step(events.PenaltyGiven)
def _penalise(now: Tournament, event: events.PenaltyGiven) -> Tournament:
    now.player(event.player)
    given = Penalty(
        now.last + 1,
        event.player,
        event.halves,
        event.reason,
        event.clause,
        infringement=event.infringement,
        level=event.level,
        round=now.round_on.number if now.round_on else len(now.rounds),
    )
    return evolve(now, penalties=(*now.penalties, given))


@_step(events.PointPenaltyCancelled)
def _cancel_penalty(now: Tournament, event: events.PointPenaltyCancelled) -> Tournament:
    known = {penalty.event: penalty for penalty in now.penalties}
    _require(event.penalty in known, "gave_no_penalty", number=event.penalty)
    _require(known[event.penalty].cancelled is None, "cancelled_already", number=event.penalty)
    known[event.penalty] = evolve(known[event.penalty], cancelled=event.reason)
    return evolve(now, penalties=tuple(known.values()))


@_step(events.LotDrawn)
def _draw_lot(now: Tournament, event: events.LotDrawn) -> Tournament:
    for player in event.order:
        now.player(player)
    _require(len(set(event.order)) == len(event.order), "twice_in_the_lot")
    return evolve(now, lots=(*now.lots, Lot(now.last + 1, event.order)))


@_step(events.FinalsStarted)
def _start_finals(now: Tournament, event: events.FinalsStarted) -> Tournament:
    _require(now.finals is None, "finals_are_on")
    _require(bool(now.rounds) and now.open_round is None, "rounds_first")
    _require(len(set(event.players)) == len(event.players), "seated_twice", player=event.players)
    for player in event.players:
        status = now.player(player).status
        _require(status == "present", "cannot_play", player=player, round=len(now.rounds) + 1)
    if event.match is not None:
        _require(isinstance(now.plan.scoring, DuelScoring), "finals_of_duels")
        of_teams = now.plan.boards > 0 or event.match.boards
        _require(not of_teams or event.match == now.plan.match, "finals_of_duels")
    if event.style == "top_table":
        _require(len(event.players) <= event.seats.most, "top_table_too_big",
                 seats=len(event.players), most=event.seats.most)  # fmt: skip
    return evolve(now, finals=Finals(now.last + 1, event, len(now.rounds) + 1, before=now))


@_step(events.FinalsCancelled)
def _cancel_finals(now: Tournament, event: events.FinalsCancelled) -> Tournament:
    _require(now.finals is not None, "no_finals")
    played = [round.number for round in now.rounds if round.stage != "main" and round.started]
    _require(not played, "finals_are_played", round=played)
    return evolve(now, finals=None, rounds=now.rounds_of("main"))


@_step(events.FinalistReplaced)
def _replace_finalist(now: Tournament, event: events.FinalistReplaced) -> Tournament:
    if now.finals is None:
        raise NotPossible("no_finals")
    _require(event.player in now.finals.players, "no_finalist", player=event.player)
    substitute = now.player(event.substitute)
    _require(substitute.id not in now.finals.players, "is_a_finalist", player=substitute.id)
    _require(substitute.status == "present", "not_here_at_all", player=substitute.id)
    for round in now.rounds:
        seated = round.stage != "main" and event.player in set(round.draw.players)
        _require(not seated, "paired_in_finals", player=event.player, round=round.number)
    replaced = (*now.finals.replaced, (event.player, substitute.id))
    return evolve(now, finals=evolve(now.finals, replaced=replaced))


@_step(events.DealRevealed)
def _reveal_deal(now: Tournament, event: events.DealRevealed) -> Tournament:
    plan = now.plan.format
    published = plan.deals if isinstance(plan, Duplicate) else ()
    _require(event.deal.ref in published, "other_deal", deal=event.deal.name)
    return evolve(now, deals={**now.deals, event.deal.name: event.deal})


@_step(events.TournamentClosed)
def _close(now: Tournament, event: events.TournamentClosed) -> Tournament:
    waiting = now.open_round
    _require(waiting is None, "round_is_open", round=waiting.number if waiting else 0)
    return evolve(now, closed=True)


@_step(events.TournamentReopened)
def _reopen(now: Tournament, event: events.TournamentReopened) -> Tournament:
    _require(now.closed, "not_closed_yet")
    return evolve(now, closed=False)


@_step(events.Vouched)
def _vouch(now: Tournament, event: events.Vouched) -> Tournament:
    _require(event.seq == now.last, "signs_other_event", number=event.seq, last=now.last)
    return now


# The broadcast and the big screens ---------------------------------------------------------------


@_step(events.TablesFeatured)
def _feature(now: Tournament, event: events.TablesFeatured) -> Tournament:
    round = now.round(event.round)
    for table in event.tables:
        round.table(table)
    tables = tuple(dict.fromkeys(event.tables))
    return evolve(now, featured={**now.featured, event.round: tables})


@_step(events.ScheduleTold)
def _tell_schedule(now: Tournament, event: events.ScheduleTold) -> Tournament:
    return evolve(now, schedule=tuple(sorted(event.items, key=lambda item: item.at)))


@_step(events.PrizesDeclared)
def _declare_prizes(now: Tournament, event: events.PrizesDeclared) -> Tournament:
    return _few_sections(evolve(now, prizes=event))


@_step(events.Commented)
def _comment(now: Tournament, event: events.Commented) -> Tournament:
    if event.table is not None:
        _require(event.round is not None, "no_round_yet")
        now.round(event.round or 0).table(event.table)
    return evolve(now, comments=(*now.comments, Comment(now.last + 1, event)))


@_step(events.Announced)
def _announce(now: Tournament, event: events.Announced) -> Tournament:
    return evolve(now, announcement=event.text)


@_step(events.WallTurned)
def _turn_wall(now: Tournament, event: events.WallTurned) -> Tournament:
    return evolve(now, wall=event)
