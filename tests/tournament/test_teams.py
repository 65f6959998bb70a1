"""Teams at several boards: rosters, line-ups, and who did how at which board."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from referee.tournament import events as told
from referee.tournament.default_plans import usual_plan
from referee.tournament.errors import NotPossible
from referee.tournament.events import ByHand, Event, Outcome, match_places
from referee.tournament.plan import Match, Plan
from referee.tournament.ranking.boards import board_games, by_board, ranked
from tests.tournament.hosting import Hall, duels

TEAMS = [f"pteam{letter}" for letter in "abcde"]
PEOPLE = [f"pm{letter}" for letter in "abcdefghijkl"]
BOARDS = 3


def of_teams(boards: int = BOARDS, *, roster_order: bool = False, **more: Any) -> Plan:
    match = Match(games=boards, boards=True, roster_order=roster_order)
    return usual_plan("bloody_grove", "swiss", 9, check_in=False, match=match, **more)


class Binder:
    """What a captain's binder says: a page per team, and a page per round, written by hand."""

    def __init__(self, *, roster_order: bool = False) -> None:
        self.roster_order = roster_order
        self.rosters: dict[str, list[str]] = {}
        self.captains: dict[str, str | None] = {}
        self.away: dict[str, set[str]] = {}
        self.wishes: dict[tuple[int, str], list[str]] = {}
        self.sat: dict[int, dict[str, list[str]]] = {}
        """By round that has started: who really sat there."""
        self.tables: dict[int, dict[int, tuple[str, str]]] = {}
        self.closed: set[int] = set()
        self.games: dict[tuple[int, int], str] = {}
        self.due: dict[int, str | None] = {}

    def expected(self, number: int, team: str) -> list[str]:
        if wish := self.wishes.get((number, team)):
            return wish
        here = [m for m in self.rosters.get(team, ()) if m not in self.away.get(team, ())]
        return here[:BOARDS]

    def belongs(self, person: str) -> set[str]:
        """The teams with which somebody has anything to do."""
        found = {team for team, members in self.rosters.items() if person in members}
        found |= {team for team, captain in self.captains.items() if person == captain}
        return found | {
            team for page in self.sat.values() for team, people in page.items() if person in people
        }

    def sit_down(self, number: int) -> None:
        """Whoever is paired and has nobody at the boards yet sits down as expected; whoever is not
        paired any more gets up."""
        paired = {team for pair in self.tables[number].values() for team in pair}
        page = {team: people for team, people in self.sat[number].items() if team in paired}
        for team in paired - page.keys():
            if people := self.expected(number, team):
                page[team] = list(people)
        self.sat[number] = page

    def all_sit_down(self) -> None:
        for number in self.sat:
            if number not in self.closed:
                self.sit_down(number)

    # whether something may be told, and what it changes

    def may(self, event: Event, players: set[str]) -> bool:
        if isinstance(event, told.TeamSet):
            people = {*event.members, *([event.captain] if event.captain else [])}
            return event.player in players and all(
                self.belongs(person) <= {event.player} and person not in players
                for person in people
            )
        if isinstance(event, told.LineUpsDue):
            return event.round not in self.sat
        if isinstance(event, told.LineUpSet):
            known = {*self.rosters.get(event.player, ())}
            known |= {*self.sat.get(event.round, {}).get(event.player, ())}
            return (
                event.player in players
                and event.round not in self.closed
                and set(event.boards) <= known
                and len(event.boards) <= BOARDS
                and not (self.roster_order and self._crossed(event.player, event.boards))
            )
        assert isinstance(event, told.PlayersMerged)
        kept, gone = event.player, event.merged
        together = any(
            {kept, gone} <= set(people) for page in self.sat.values() for people in page.values()
        )
        return kept != gone and self.belongs(kept) == self.belongs(gone) and not together

    def _crossed(self, team: str, boards: Sequence[str]) -> bool:
        """Whether anybody sits behind somebody who stands below them in the roster."""
        roster = self.rosters.get(team, [])
        at = [roster.index(person) for person in boards if person in roster]
        return any(first > second for first, second in pairwise(at))

    def write(self, event: Event) -> None:
        if isinstance(event, told.TeamSet):
            self.rosters[event.player] = list(event.members)
            self.captains[event.player] = event.captain
            self.away[event.player] = set(event.away)
            for (number, team), people in list(self.wishes.items()):
                outdated = team == event.player and number not in self.sat
                if outdated and not set(people) <= set(event.members):
                    del self.wishes[number, team]
        elif isinstance(event, told.LineUpSet):
            self.wishes.pop((event.round, event.player), None)
            if event.boards:
                self.wishes[event.round, event.player] = list(event.boards)
            self.sat.get(event.round, {}).pop(event.player, None)
        elif isinstance(event, told.LineUpsDue):
            self.due[event.round] = event.until
        elif isinstance(event, told.PlayersMerged) and event.merged in PEOPLE:
            self._one_person(event.player, event.merged, event.completes)
        elif isinstance(event, told.PlayersMerged):
            self._one_team(event.player, event.merged)
        elif isinstance(event, told.PlayerUnregistered):
            self.rosters.pop(event.player, None)
            self.captains.pop(event.player, None)
            self.away.pop(event.player, None)
            self.wishes = {at: w for at, w in self.wishes.items() if at[1] != event.player}
        elif isinstance(event, told.RoundPaired):
            self.tables[event.round] = {t.number: (t.seats[0], t.seats[1]) for t in event.tables}
        elif isinstance(event, told.PairingWithdrawn):
            del self.tables[event.round]
        elif isinstance(event, told.RoundStarted):
            self.sat[event.round] = {}
        elif isinstance(event, told.StartWithdrawn):
            del self.sat[event.round]
        elif isinstance(event, told.Swapped):
            other = {event.a: event.b, event.b: event.a}
            self._rename_tables(event.round, other)
        elif isinstance(event, told.ResultEntered | told.ResultCorrected):
            self.games[event.round, event.table] = "".join(event.outcome.games)
        elif isinstance(event, told.RoundClosed):
            self.closed.add(event.round)
        elif isinstance(event, told.RoundReopened):
            self.closed.remove(event.round)
        self.all_sit_down()

    def _rename_tables(self, number: int, other: dict[str, str]) -> None:
        for table, (a, b) in self.tables[number].items():
            self.tables[number][table] = (other.get(a, a), other.get(b, b))

    def _one_person(self, kept: str, gone: str, completes: bool) -> None:
        pages = [*self.rosters.values(), *self.wishes.values()]
        for people in [*pages, *(each for page in self.sat.values() for each in page.values())]:
            if gone in people and kept in people:
                first = min(people.index(gone), people.index(kept))
                people[first] = kept
                people[:] = [
                    p for at, p in enumerate(people) if at == first or p not in (kept, gone)
                ]
            elif gone in people:
                people[people.index(gone)] = kept
        for team, captain in self.captains.items():
            self.captains[team] = kept if captain == gone else captain
            still = completes and {kept, gone} <= self.away[team]
            self.away[team] = self.away[team] - {kept, gone} | ({kept} if still else set())

    def _one_team(self, kept: str, gone: str) -> None:
        if gone in self.rosters:
            mine = self.rosters.setdefault(kept, [])
            mine += [person for person in self.rosters.pop(gone) if person not in mine]
            theirs = self.captains.pop(gone)
            self.captains[kept] = self.captains.get(kept) or theirs
            self.away[kept] = self.away.get(kept, set()) | self.away.pop(gone)
        for (number, team), wish in list(self.wishes.items()):
            if team == gone:
                del self.wishes[number, team]
                self.wishes.setdefault((number, kept), wish)
        for number in self.tables:
            self._rename_tables(number, {gone: kept})
        for page in self.sat.values():
            if gone in page:
                page[kept] = page.pop(gone)

    def scores(self) -> dict[str, tuple[int, int, int, int]]:
        """Won, drawn, lost, and won against nobody: with a pencil, board by board."""
        found: dict[str, list[int]] = {}
        for (number, table), games in self.games.items():
            first, second = self.tables[number][table]
            for board, game in enumerate(games):
                pair = [
                    dict(enumerate(self.sat[number].get(team, []))).get(board)
                    for team in (first, second)
                ]
                for mine, other, letter in ((*pair, "A"), (*reversed(pair), "B")):
                    if mine is None or (other is None and game != letter):
                        continue
                    line = found.setdefault(mine, [0, 0, 0, 0])
                    line[
                        3 if other is None else 1 if game == "=" else 0 if game == letter else 2
                    ] += 1
        return {person: (line[0], line[1], line[2], line[3]) for person, line in found.items()}


class Chance:
    """Makes up what is told next: mostly what could be, sometimes nonsense."""

    def __init__(self, hall: Hall, binder: Binder, seed: int) -> None:
        self.hall, self.binder, self.chance = hall, binder, Random(seed)

    def team(self) -> str:
        return self.chance.choice([*self.hall.now.players, self.chance.choice(TEAMS)])

    def some(self, people: Sequence[str], most: int) -> tuple[str, ...]:
        return tuple(self.chance.sample(people, self.chance.randint(0, min(most, len(people)))))

    def next(self) -> Event | None:
        kinds = [self.join, self.roster, self.roster, self.line_up, self.line_up, self.round,
                 self.deadline,
                 self.round, self.round, self.result, self.result, self.merge, self.leave,
                 self.swap, self.back]  # fmt: skip
        return self.chance.choice(kinds)()

    def join(self) -> Event:
        return told.Registered(player=self.chance.choice([*TEAMS, *TEAMS, PEOPLE[0]]))

    def roster(self) -> Event:
        team = self.team()
        own = self.binder.rosters.get(team, [])
        free = [p for p in PEOPLE if self.binder.belongs(p) <= {team}]
        pool = PEOPLE if self.chance.random() < 0.1 else sorted({*own, *free})
        members = self.some(pool, 5)
        captain = self.chance.choice([None, *pool])
        return told.TeamSet(player=team, members=members, captain=captain,
                            away=self.some(members, 1))  # fmt: skip

    def line_up(self) -> Event:
        team, last = self.team(), len(self.hall.now.rounds)
        number = self.chance.randint(max(1, last - 1), last + 2)
        own = self.binder.rosters.get(team, [])
        pool = PEOPLE if self.chance.random() < 0.1 else own
        return told.LineUpSet(round=number, player=team, boards=self.some(pool, BOARDS + 1))

    def deadline(self) -> Event:
        number = self.chance.randint(1, len(self.hall.now.rounds) + 2)
        until = self.chance.choice([None, "2026-03-01T12:00:00.000Z", "2026-03-01T13:45:00.000Z"])
        return told.LineUpsDue(round=number, until=until)

    def round(self) -> Event | None:
        now = self.hall.now
        on = now.round_on
        if on is None:
            here = [player.id for player in now.available(len(now.rounds) + 1)]
            self.chance.shuffle(here)
            tables = tuple(
                told.Table(number=at + 1, seats=(here[2 * at], here[2 * at + 1]))
                for at in range(len(here) // 2)
            )
            return told.RoundPaired(
                round=len(now.rounds) + 1, algorithm="by-hand", version=1, seed=1,
                input_hash="0" * 64, tables=tables, byes=tuple(here[2 * len(tables) :]),
            )  # fmt: skip
        if not on.started:
            return told.RoundStarted(round=on.number)
        return told.RoundClosed(round=on.number) if not on.waiting else self.result()

    def result(self) -> Event | None:
        on = self.hall.now.round_on
        if on is None:
            return None
        table = self.chance.choice(on.draw.tables)
        games: Any = tuple(self.chance.choices("AB=", k=BOARDS))
        outcome = Outcome(places=match_places(games), games=games)
        where: dict[str, Any] = {"round": on.number, "table": table.number, "outcome": outcome}
        if on.result(table.number) is None:
            return told.ResultEntered(**where, source=ByHand(reason="slip"))
        return told.ResultCorrected(**where, reason="misread")

    def merge(self) -> Event:
        of = [*self.hall.now.team_of] if self.chance.random() < 0.5 else TEAMS
        kept, gone = (self.chance.choice(of or TEAMS) for _ in "ab")
        completes = self.chance.random() < 0.5
        return told.PlayersMerged(player=kept, merged=gone, reason="the same", completes=completes)

    def leave(self) -> Event:
        return told.PlayerUnregistered(player=self.team())

    def swap(self) -> Event | None:
        on = self.hall.now.round_on
        if on is None:
            return None
        a, b = (self.chance.choice([*on.draw.players]) for _ in "ab")
        return told.Swapped(round=on.number, a=a, b=b, reason="both asked")

    def back(self) -> Event | None:
        """Something is undone."""
        now = self.hall.now
        if not now.rounds or self.chance.random() < 0.5:
            return None
        last = now.rounds[-1]
        if last.closed:
            return told.RoundReopened(round=last.number, reason="misread")
        if last.started:
            return told.StartWithdrawn(round=last.number, reason="too early")
        return told.PairingWithdrawn(round=last.number, reason="somebody came")


def check_alike(hall: Hall, binder: Binder) -> None:
    now = hall.now
    assert now.line_ups_due == {at: until for at, until in binder.due.items() if until}
    kept = {team: roster for team, roster in now.teams.items() if roster != type(roster)(())}
    assert {team: list(roster.members) for team, roster in now.teams.items()} == binder.rosters
    for team, roster in kept.items():
        assert roster.captain == binder.captains[team]
        assert set(roster.away) == binder.away[team]
    for round in now.rounds:
        for team in round.draw.players:
            sat = binder.sat[round.number].get(team, []) if round.started else None
            wanted = binder.expected(round.number, team) if sat is None else sat
            assert list(now.line_up(round.number, team)) == wanted, (round.number, team)
    for team in now.players:
        ahead = len(now.rounds) + 1
        assert list(now.line_up(ahead, team)) == binder.expected(ahead, team)
    games = list(board_games(now))
    scores = {s.person: (s.won, s.drawn, s.lost, s.unplayed) for s in ranked(games)}
    assert scores == binder.scores()
    assert all(now.team_of[game.person] == game.team for game in games)
    assert len({(person, team) for team, r in now.teams.items() for person in r.members}) == len(
        {person for r in now.teams.values() for person in r.members}
    ), "nobody is in two teams"


@pytest.mark.parametrize("seed", range(40))
def test_rosters_and_line_ups_are_as_in_the_binder_whatever_is_told(seed: int) -> None:
    ordered = seed % 2 == 1
    hall, binder = Hall(of_teams(roster_order=ordered)), Binder(roster_order=ordered)
    chance = Chance(hall, binder, seed)
    asked = (told.TeamSet, told.LineUpSet, told.LineUpsDue)
    for _ in range(150):
        event = chance.next()
        if event is None:
            continue
        of_people = isinstance(event, told.PlayersMerged) and event.merged in hall.now.team_of
        may = (
            binder.may(event, {*hall.now.players})
            if of_people or isinstance(event, asked)
            else None
        )
        try:
            hall.tell(event)
        except NotPossible:
            assert may is not True, event
            continue
        assert may is not False, event
        binder.write(event)
        check_alike(hall, binder)


def test_the_histories_do_everything_that_they_are_meant_to() -> None:
    """Otherwise the test above would say nothing."""
    seen: dict[str, int] = {}
    for seed in range(12):
        hall, binder = Hall(of_teams()), Binder()
        chance = Chance(hall, binder, seed)
        for _ in range(150):
            event = chance.next()
            try:
                hall.tell(*([event] if event else []))
            except NotPossible:
                continue
            if event is not None:
                people = isinstance(event, told.PlayersMerged) and event.merged in PEOPLE
                kind = f"{event.KIND}{' of people' if people else ''}"
                seen[kind] = seen.get(kind, 0) + 1
                binder.write(event)
        seen["boards"] = seen.get("boards", 0) + len(list(board_games(hall.now)))
    wanted = {"team_set", "line_up_set", "line_ups_due", "players_merged",
              "players_merged of people",
              "player_unregistered", "players_swapped", "result_corrected", "round_closed",
              "round_reopened", "start_withdrawn", "boards"}  # fmt: skip
    assert {kind for kind in wanted if seen.get(kind, 0) < 3} == set(), seen


def two_teams(**more: Any) -> Hall:
    hall = Hall(of_teams(**more))
    hall.tell(*(told.Registered(player=team) for team in TEAMS[:2]))
    hall.tell(
        told.TeamSet(player=TEAMS[0], members=tuple(PEOPLE[:4]), captain=PEOPLE[3]),
        told.TeamSet(player=TEAMS[1], members=tuple(PEOPLE[4:6])),
        told.RoundPaired(
            round=1, algorithm="by-hand", version=1, seed=1, input_hash="0" * 64,
            tables=(told.Table(number=1, seats=(TEAMS[0], TEAMS[1])),),
        ),
        told.RoundStarted(round=1),
    )  # fmt: skip
    return hall


def test_a_board_at_which_nobody_sits_is_won_without_a_game_and_a_match_nobody_played_counts_none(
) -> None:  # fmt: skip
    hall = two_teams()
    hall.result(1, 1, 1, 2, games=("A", "=", "A"))
    a, b, c = PEOPLE[:3]
    rows = {score.person: score for score in ranked(board_games(hall.now))}
    assert [(rows[p].points, rows[p].games) for p in (a, b, c)] == [
        (1, 1), (Fraction(1, 2), 1), (1, 0)
    ]  # fmt: skip
    assert rows[c].rank == rows[a].rank == 1
    assert [each.person for each in by_board(board_games(hall.now))[2]] == [b, PEOPLE[5]]
    outcome = Outcome(places=(1, 2), absent=("B",))
    hall.tell(told.ResultCorrected(round=1, table=1, outcome=outcome, reason="never came"))
    assert list(board_games(hall.now)) == []


def test_what_was_recorded_before_there_were_teams_is_written_as_it_was() -> None:
    plain = told.TeamSet(player=TEAMS[0], members=(PEOPLE[0],)).model_dump(mode="json")
    assert "away" not in plain
    hall = Hall(duels(check_in=False))
    hall.tell(told.Registered(player=TEAMS[0]))
    for event in (
        told.TeamSet(player=TEAMS[0], members=(PEOPLE[0],)),
        told.LineUpSet(round=1, player=TEAMS[0], boards=(PEOPLE[0],)),
    ):
        with pytest.raises(NotPossible) as refused:
            hall.tell(event)
        assert refused.value.key == "no_boards"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (told.TeamSet, {"members": (PEOPLE[0], PEOPLE[0])}),
        (told.TeamSet, {"members": (PEOPLE[0],), "away": (PEOPLE[1],)}),
        (told.TeamSet, {"members": tuple(f"p{'a' * n}" for n in range(1, 21)) + tuple(PEOPLE[:5])}),
        (told.TeamSet, {"members": ("Ana",)}),
        (told.LineUpSet, {"round": 1, "boards": (PEOPLE[0], PEOPLE[0])}),
        (told.LineUpSet, {"round": 0}),
        (told.LineUpSet, {"round": 1, "boards": tuple(PEOPLE[:10])}),
    ],
)
def test_nobody_is_named_twice_and_lists_have_limits(kind: Any, fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        kind(player=TEAMS[0], **fields)
