"""A naive season beside the real one: who is who, who is listed, who plays for whom, who is ahead.

The model keeps one set of names for each person, and counts with lists. It is written from
``docs/run-a-season.md`` and driven at random.
"""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from referee.season.errors import SeasonRefused
from referee.season.events import (
    KINDS,
    EventAdded,
    EventPoints,
    EventRemoved,
    Listed,
    PlacePoints,
    PlayersListed,
    PlayerUnlisted,
    SeasonEvent,
    SeasonPlayersMerged,
    SeasonRevised,
    SeasonRules,
    TeamNamed,
)
from referee.season.office import Computed, SeasonOffice
from referee.season.ratings import rated_games, ratings
from referee.season.standings import season_standings
from referee.season.state import Season, apply
from referee.store import open_store
from referee.table.bench import Bench
from referee.tournament.desk import Desk, LoadedTournament
from referee.tournament.events import PenaltyGiven
from referee.tournament.held_back import without
from referee.tournament.values import PlayerId
from tests.season.test_season import loaded, same_deal, season
from tests.tournament.generator import player_id
from tests.tournament.hosting import Hall, Places, tables_of_four

PEOPLE = [player_id(number) for number in range(5)]
CLUBS = ("North", "South", "")
person = st.sampled_from(PEOPLE[:4])
team = st.builds(
    lambda one, who: TeamNamed(team=one, players=tuple(who)), person, st.lists(person, max_size=2)
)
merge = st.builds(
    lambda one, two: SeasonPlayersMerged(player=one, merged=two, reason="x"), person, person
)
NAMING: dict[type[SeasonEvent], st.SearchStrategy[SeasonEvent]] = {
    PlayersListed: st.builds(
        lambda one, club: PlayersListed(players=(Listed(player=one, club=club),)),
        person,
        st.sampled_from(CLUBS),
    ),
    PlayerUnlisted: st.builds(lambda one: PlayerUnlisted(player=one, reason="x"), person),
    TeamNamed: team,
    SeasonPlayersMerged: merge,
}
"""What names people, by its kind."""
events = st.one_of(*NAMING.values(), team, merge)


PERSON = json.dumps(TypeAdapter(PlayerId).json_schema()["pattern"])
"""How the schema of an event says that a field is a person."""


class Book:
    """Who is one person, with the club of who is listed and the players of who is a team."""

    def __init__(self) -> None:
        self.names = [{one} for one in PEOPLE]
        self.called = {one: one for one in PEOPLE}
        self.clubs: dict[str, str] = {}
        self.teams: dict[str, list[str]] = {}

    def who(self, name: str) -> str:
        (found,) = (names for names in self.names if name in names)
        return next(one for one in found if self.called[one] == one)

    def side(self, name: str) -> list[str]:
        return self.teams.get(self.who(name), [self.who(name)])

    def tell(self, event: SeasonEvent) -> None:
        match event:
            case PlayersListed():
                for each in event.players:
                    self.clubs[self.who(each.player)] = each.club
            case PlayerUnlisted():
                del self.clubs[self.who(event.player)]
            case TeamNamed():
                team, players = self.who(event.team), [self.who(one) for one in event.players]
                self.teams.pop(team, None)
                if players:
                    self.teams[team] = players
            case SeasonPlayersMerged():
                kept, gone = self.who(event.player), self.who(event.merged)
                both = [names for names in self.names if kept in names or gone in names]
                self.names = [names for names in self.names if names not in both]
                self.names.append(set().union(*both))
                self.called[gone] = kept
                if gone in self.clubs:
                    club = self.clubs.pop(gone)
                    self.clubs[kept] = self.clubs.get(kept) or club
                for team, players in self.teams.items():
                    self.teams[team] = [kept if one == gone else one for one in players]


def both(told: list[SeasonEvent]) -> tuple[Season, Book]:
    """The season and the book after what was possible of this."""
    now, book = season(), Book()
    for event in told:
        with suppress(SeasonRefused):
            now = apply(now, event)
            book.tell(event)
    return now, book


@given(st.lists(events, min_size=3, max_size=16))
@example(
    [
        PlayersListed(players=(Listed(player=PEOPLE[0]), Listed(player=PEOPLE[1], club="North"))),
        SeasonPlayersMerged(player=PEOPLE[0], merged=PEOPLE[1], reason="x"),
    ]
)
@settings(max_examples=300, deadline=None)
def test_whatever_is_merged_listed_and_named_everybody_is_one_person(
    told: list[SeasonEvent],
) -> None:
    now, book = both(told)
    assert dict(now.listed) == book.clubs
    for one in PEOPLE:
        assert now.person(one) == book.who(one)
        assert list(now.side(one)) == book.side(one)
    for team, players in book.teams.items():
        assert len({*players}) == len(players), "nobody plays twice for a team"
        assert not {*players} & {*book.teams}, f"the players of {team} are no teams"


OF_PEOPLE = [kind for kind in KINDS.values() if PERSON in json.dumps(kind.model_json_schema())]


@pytest.mark.parametrize("kind", OF_PEOPLE, ids=lambda kind: kind.KIND)
@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_whoever_was_merged_is_meant_under_the_old_name_too(
    kind: type[SeasonEvent], data: st.DataObject
) -> None:
    now, _ = both(data.draw(st.lists(events, min_size=2, max_size=8)))
    event = data.draw(NAMING[kind])
    told = event.model_dump_json()
    for one in PEOPLE:
        told = told.replace(f'"{one}"', f'"{now.person(one)}"')
    assert outcome(now, event) == outcome(now, kind.model_validate_json(told))


def outcome(now: Season, event: SeasonEvent) -> Season | str:
    try:
        return apply(now, event)
    except SeasonRefused as refused:
        return refused.key


# who is ahead

RESULTS = st.lists(
    st.tuples(
        st.permutations([1, 2, 3, 4]) | st.lists(st.integers(1, 4), min_size=4, max_size=4),
        st.sampled_from((1, 1, 1, 2, 3)),
        st.sampled_from((True, True, True, False)),
    ),
    min_size=1,
    max_size=4,
)
"""An event: everybody's place at its only table, its weight, whether its round is closed."""
RULES = st.builds(
    SeasonRules,
    points=st.sampled_from((PlacePoints(places=(5, 3, 2), others=1), EventPoints())),
    counted=st.sampled_from((1, 2, 3, None)),
    listed_only=st.booleans(),
    points_for=st.sampled_from((None, "everybody", "seated")),
)


def ranks(drawn: list[int]) -> Places:
    """1 for the best, level ones alike."""
    return tuple(1 + sum(other < one for other in drawn) for one in drawn)


def held(number: int, drawn: list[int], closed: bool) -> LoadedTournament:
    hall = Hall(tables_of_four(rounds=1), 4)
    if closed:
        places = dict(zip(PEOPLE, ranks(drawn), strict=False))
        hall.play(lambda table: tuple(places[player] for player in table.seats))
    else:
        hall.start()
    return loaded(hall, f"tournament-{'abcdefgh'[number] * 8}", number + 1)


WHICH = st.integers(0, 1)
TOLD = st.one_of(
    events,
    st.builds(lambda rules: SeasonRevised(rules=rules, reason="x"), RULES),
    st.builds(lambda at, weight: ("counts", at, weight), WHICH, st.integers(1, 3)),
    st.builds(lambda at: ("goes", at, 0), WHICH),
    st.builds(lambda at, halves: ("fined", at, halves), WHICH, st.integers(1, 4)),
)


@given(st.lists(TOLD, min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_whatever_is_told_an_office_that_runs_says_what_one_opened_now_would(
    told: list[SeasonEvent | tuple[str, int, int]],
) -> None:
    """Of the season itself or at the desk of one of its events: nothing is out of date, whoever
    has asked before."""
    store = open_store("memory:")
    desk = Desk(Bench(store))
    halls = [desk.adopt(held(0, [at, 2, 3, 4], closed=True).events).id for at in (1, 3)]
    office = SeasonOffice(desk)
    year = office.create("Year", SeasonRules()).id
    office.tell(year, *(EventAdded(tournament=hall) for hall in halls))
    for each in told:
        office.computed(office.load(year))
        match each:
            case ("fined", at, halves):
                fine = PenaltyGiven(player=PEOPLE[at], halves=halves, reason="late")
                desk.tell(halls[at], fine)
            case ("counts", at, weight):
                with suppress(SeasonRefused):
                    office.tell(year, EventAdded(tournament=halls[at], weight=weight))
            case ("goes", at, _):
                with suppress(SeasonRefused):
                    office.tell(year, EventRemoved(tournament=halls[at], reason="x"))
            case _:
                assert isinstance(each, SeasonEvent)
                with suppress(SeasonRefused):
                    office.tell(year, each)
        for late, earlier in ((False, 0), (True, 0), (False, 1), (False, 0)):
            running = computed(office, year, late, earlier)
            anew = computed(SeasonOffice(Desk(Bench(store))), year, late, earlier)
            assert (running.standings, running.ratings) == (anew.standings, anew.ratings), each


def computed(office: SeasonOffice, year: str, late: bool, earlier: int) -> Computed:
    """As its keeper sees it, or an onlooker from whom the results of its events are held back;
    today, or as it was when a request that is repeated came first."""
    season = office.load(year)
    season = season.before(len(season.told) - earlier)
    return office.computed(season, [*map(unseen, office.events(season))] if late else None)


def unseen(event: LoadedTournament) -> LoadedTournament:
    first = min(one.event for all in event.now.rounds[-1].results.values() for one in all)
    return without(event, frozenset(range(first, len(event.told))))


def worth(rules: SeasonRules, places: Places, at: int) -> Fraction:
    """What a place of an event is worth, before its weight; places count in halves."""
    own = places[at]
    if isinstance(rules.points, PlacePoints):
        return Fraction([5, 3, 2, 1][own - 1])
    level = places.count(own)
    return Fraction(sum((4, 2, 1, 0)[own - 1 : own - 1 + level]), level)


def by_hand(
    now: Season, told: list[tuple[list[int], int, bool]]
) -> list[tuple[int, str, Fraction, list[tuple[Fraction, bool]]]]:
    """Rank, player, total, and what every result is worth and whether it counts."""
    results: dict[str, list[Fraction]] = {}
    for drawn, weight, closed in told:
        if closed:
            best: dict[str, Fraction] = {}
            for at, entry in enumerate(PEOPLE[:4]):
                points = weight * worth(now.rules, ranks(drawn), at)
                who = now.person(entry)
                best[who] = max(best.get(who, points), points)
            for who, points in best.items():
                results.setdefault(who, []).append(points)
    rows = []
    for who, points in results.items():
        if now.rules.listed_only and who not in now.listed:
            continue
        order = sorted(range(len(points)), key=lambda at: (-points[at], at))
        counts = order[: now.rules.counted]
        best_first = [points[at] for at in counts]
        rows.append((sum(best_first, Fraction()), best_first, who, counts, points))
    return sorted(
        (
            1 + sum((other[0], other[1]) > (row[0], row[1]) for other in rows),
            row[2],
            row[0],
            [(points, at in row[3]) for at, points in enumerate(row[4])],
        )
        for row in rows
    )


@given(RESULTS, RULES, st.sampled_from(PEOPLE[:4]), st.sampled_from(PEOPLE[:4]))
@settings(max_examples=150, deadline=None)
def test_the_standings_of_a_season_are_those_counted_by_hand(
    told: list[tuple[list[int], int, bool]], rules: SeasonRules, one: str, other: str
) -> None:
    hosted = [held(number, drawn, closed) for number, (drawn, _, closed) in enumerate(told)]
    now = season(**{name: getattr(rules, name) for name in SeasonRules.model_fields})
    for event, (_, weight, _) in zip(hosted, told, strict=True):
        now = apply(now, EventAdded(tournament=event.id, weight=weight))
    now = apply(now, PlayersListed(players=tuple(Listed(player=each) for each in PEOPLE[1:3])))
    if one != other:
        now = apply(now, SeasonPlayersMerged(player=one, merged=other, reason="x"))
    found = [
        (row.rank, row.player, row.total, [(one.points, one.counted) for one in row.results])
        for row in season_standings(now, hosted)
    ]
    assert found == by_hand(now, told)


SCORES = st.lists(st.integers(0, 3), min_size=2, max_size=5)


@given(SCORES, st.sampled_from(("more", "fewer")), st.lists(st.one_of(merge, team), max_size=4))
@settings(max_examples=60, deadline=None)
def test_on_the_same_deal_a_place_is_how_many_of_those_who_played_it_once_were_better(
    scores: list[int], better: str, told: list[SeasonEvent]
) -> None:
    now, book = both(told)
    entries = PEOPLE[: len(scores)]
    hosted = loaded(same_deal(dict(zip(entries, scores, strict=True)), better))
    once = [
        entry
        for entry in entries
        if not any({*book.side(entry)} & {*book.side(other)} for other in entries if other != entry)
    ]
    places = {
        one: 1 + sum(
            scores[entries.index(other)] > own if better == "more"
            else scores[entries.index(other)] < own
            for other in once
        )
        for one in once
        for own in [scores[entries.index(one)]]
    }  # fmt: skip
    found = [
        {each.entry: each.place for each in rated.sides} for rated in rated_games(now, [hosted])
    ]
    assert found == ([places] if len(once) > 1 else [])
    nobody_plays_against_themselves(now, hosted)


@given(st.permutations([1, 2, 3, 4]), st.lists(st.one_of(merge, team), max_size=4))
@settings(max_examples=60, deadline=None)
def test_a_table_is_rated_where_everybody_sat_once(
    drawn: list[int], told: list[SeasonEvent]
) -> None:
    now, book = both(told)
    hosted = held(0, drawn, closed=True)
    sat = [person for entry in PEOPLE[:4] for person in book.side(entry)]
    assert len(rated_games(now, [hosted])) == (len(sat) == len({*sat}))
    nobody_plays_against_themselves(now, hosted)


def nobody_plays_against_themselves(now: Season, hosted: LoadedTournament) -> None:
    changes = ratings(now, [hosted]).changes
    for change in changes:
        assert change.player not in [other for other, _ in change.others]
    assert len({change.player for change in changes}) == len(changes), "one game, one change"
