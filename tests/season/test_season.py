"""Seasons: what counts, what follows from the log of results, and who may read it."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import pytest

from answers.season import lifecycle
from answers.season.context import SeasonCall
from answers.tournament import players
from referee.errors import NotAllowed
from referee.season.events import (
    KINDS,
    EloRules,
    EventAdded,
    EventPoints,
    EventRemoved,
    Listed,
    PlayersListed,
    SeasonCreated,
    SeasonEvent,
    SeasonPlayersMerged,
    SeasonRules,
    TeamNamed,
    read_event,
)
from referee.season.office import SeasonOffice
from referee.season.ratings import MU, SIGMA, Ratings, rated_games, ratings
from referee.season.standings import season_standings
from referee.season.state import Season, apply, fold
from referee.store import open_store
from referee.table.author import Author, By
from referee.table.bench import Bench, IdempotencyKeyReused
from referee.tournament.desk import Desk, LoadedTournament, RecordedEvent
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import (
    FromGame,
    Outcome,
    ResultCorrected,
    ResultEntered,
    ResultReported,
    RoundClosed,
    RoundReopened,
)
from referee.tournament.plan import Deal, Duplicate, LadderScoring, Measure, Plan, SeatRange
from tests.tournament.asking import Stand, swiss
from tests.tournament.generator import player_id
from tests.tournament.hosting import SLIP, Hall, better_rated_wins, duels, tables_of_four

A, B, C, D = (player_id(number) for number in range(4))


def loaded(hall: Hall, name: str = "tournament-aaaaaaaa", day: int = 1) -> LoadedTournament:
    told = tuple(
        RecordedEvent(number, f"2026-01-{day:02}T10:00:00.{number:03}Z", "anonymous", "organiser",
                      f"k{number}", event)
        for number, event in enumerate(hall.events)
    )  # fmt: skip
    return LoadedTournament(name, hall.now, told, f"head of {name} {len(told)}")


def season(*events: LoadedTournament, **rules: object) -> Season:
    now = fold([SeasonCreated(name="Year", rules=SeasonRules(**rules))])  # type: ignore[arg-type]
    for hosted in events:
        now = apply(now, EventAdded(tournament=hosted.id))
    return now


def played(rounds: int, players: int = 4, plan: Plan | None = None) -> Hall:
    hall = Hall(plan or duels(rounds=rounds), players)
    for _ in range(rounds):
        hall.play(better_rated_wins)
    return hall


# standings


def test_who_is_level_shares_the_rank_and_the_next_stays_empty() -> None:
    hall = Hall(duels(rounds=1), 4)
    hall.play(lambda table: (1, 1))
    rows = season_standings(season(loaded(hall)), [loaded(hall)])
    assert [row.rank for row in rows] == [1, 1, 1, 1]
    assert {row.total for row in rows} == {Fraction(25)}


def test_points_go_to_whoever_sat_at_a_table_unless_the_season_counts_everybody() -> None:
    """One has a bye and one did not come; a season that says nothing is one of before."""
    hall = Hall(duels(rounds=1), 5)
    first, second = hall.start().tables
    hall.result(1, first.number, 1, 2, absent=("B",))
    hall.result(1, second.number, 1, 2)
    hall.tell(RoundClosed(round=1))
    came = {first.seats[0], *second.seats}
    everybody = {player_id(number) for number in range(5)}
    ranked = {
        told: {row.player: row.total for row in
               season_standings(season(loaded(hall), points_for=told), [loaded(hall)])}
        for told in (None, "everybody", "seated")
    }  # fmt: skip
    assert {*ranked[None]} == {*ranked["everybody"]} == everybody
    assert ranked["seated"] == {player: ranked[None][player] for player in came}


# ratings


def elo_by_hand(games: list[tuple[str, str, float]], start: float, k: float) -> dict[str, float]:
    """Elo as its formula stands in the books, written independently."""
    found: dict[str, float] = {}
    for one, other, score in games:
        a, b = found.get(one, start), found.get(other, start)
        expected = 1 / (1 + 10 ** ((b - a) / 400))
        found[one], found[other] = a + k * (score - expected), b - k * (score - expected)
    return found


def test_elo_of_duels_is_what_the_formula_says() -> None:
    hosted = loaded(played(3))
    now = season(hosted, elo=EloRules(start=1400, k=20))
    games = [
        (rated.sides[0].entry, rated.sides[1].entry, float(rated.sides[0].place == 1))
        for rated in rated_games(now, [hosted])
    ]
    expected = elo_by_hand(games, 1400, 20)
    found = ratings(now, [hosted]).skills
    assert len(games) == 6
    assert {player: skill.elo for player, skill in found.items()} == pytest.approx(expected)


def test_a_duel_is_rated_as_the_model_of_the_paper_says() -> None:
    """Plackett-Luce of Weng and Lin 2011 for two players who are both new, worked out by hand."""
    hosted = loaded(played(1, players=2))
    found = ratings(season(hosted), [hosted])
    sigma2 = SIGMA**2 + (MU / 300) ** 2  # with the drift before each game
    c = (2 * sigma2 + 2 * (MU / 6) ** 2) ** 0.5
    gain = sigma2 / c * 0.5
    assert found.skills[A].mu == pytest.approx(MU + gain)
    assert found.skills[B].mu == pytest.approx(MU - gain)
    assert found.skills[A].sigma < SIGMA


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_whoever_is_placed_better_gains_and_everybody_is_surer_afterwards(size: int) -> None:
    plan = duels(rounds=1) if size == 2 else tables_of_four(rounds=1)
    found = ratings(season(), [hosted := loaded(played(1, size, plan))])
    assert len(hosted.now.rounds[0].draw.tables) == 1
    order = sorted(found.skills, key=lambda player: -found.skills[player].mu)
    assert order == [player_id(number) for number in range(size)]
    assert all(skill.sigma < SIGMA for skill in found.skills.values())
    assert all((skill.elo is None) == (size > 2) for skill in found.skills.values())


def test_every_change_goes_on_from_the_one_before() -> None:
    """Before, after and why: the chain of a player's games has no gap, and ends at the rating."""
    events = [loaded(played(3), f"tournament-{letter * 8}", day) for day, letter in
              enumerate("abc", 1)]  # fmt: skip
    found = ratings(season(*events), events)
    for player, skill in found.skills.items():
        chain = found.of(player)
        assert chain[0].before.mu == MU
        assert chain[0].before.games == 0
        assert chain[-1].after == skill
        assert all(one.after == other.before for one, other in itertools.pairwise(chain))
        assert len(chain) == skill.games


def test_rebuilt_from_the_log_the_ratings_are_the_same_to_the_last_bit() -> None:
    events = [loaded(played(3), f"tournament-{letter * 8}", day) for day, letter in
              enumerate("ab", 1)]  # fmt: skip
    now = season(*events)
    assert ratings(now, events) == ratings(now, [*reversed(events)])


def test_the_order_in_which_slips_reach_the_desk_changes_no_rating() -> None:
    def rated(turned: int) -> Ratings:
        hall = Hall(duels(rounds=1), 6)
        hall.start()
        for table in hall.now.rounds[0].draw.tables[::turned]:
            hall.result(1, table.number, *better_rated_wins(table))
        return ratings(season(), [loaded(hall)])

    assert rated(1).skills == rated(-1).skills


def test_a_result_that_is_corrected_at_the_desk_is_corrected_in_the_ratings() -> None:
    hall = played(1, players=2)
    before = ratings(season(), [loaded(hall)]).skills
    table = hall.now.rounds[0].draw.tables[0]
    places = tuple(3 - place for place in better_rated_wins(table))
    hall.tell(RoundReopened(round=1, reason="a slip was misread"))
    hall.tell(ResultCorrected(round=1, table=1, outcome=Outcome(places=places), reason="x"))
    after = ratings(season(), [loaded(hall)]).skills
    assert after[A].mu == before[B].mu
    assert after[B].elo == before[A].elo


def test_who_did_not_come_plays_no_rated_game() -> None:
    hall = Hall(tables_of_four(rounds=1), 4)
    hall.start()
    outcome = Outcome(places=(1, 2, 3, 4), absent=("D",))
    hall.tell(ResultEntered(round=1, table=1, outcome=outcome, source=SLIP))
    came = {*hall.now.rounds[0].draw.tables[0].seats[:3]}
    found = ratings(season(), [loaded(hall)])
    assert {*found.skills} == came
    for player in came:
        (change,) = found.of(player)
        assert {other for other, _ in change.others} == came - {player}


def test_only_games_with_a_record_count_if_the_season_says_so() -> None:
    hall = Hall(duels(rounds=1), 6)
    hall.start()
    source = FromGame(game="game-aaaaaaaa", entry=9)
    outcome = Outcome(places=(1, 2))
    for table, told in ((1, SLIP), (2, source)):
        hall.tell(ResultEntered(round=1, table=table, outcome=outcome, source=told))
    for player in hall.now.rounds[0].draw.tables[2].seats:
        hall.tell(ResultReported(round=1, table=3, player=player, outcome=outcome))
    games = rated_games(season(rated="recorded"), [loaded(hall)])
    assert [(rated.table, rated.proof, rated.record) for rated in games] == [
        (2, "record", "game-aaaaaaaa")
    ]
    proofs = [rated.proof for rated in rated_games(season(), [loaded(hall)])]
    assert proofs == ["hand", "record", "agreed"]


@pytest.mark.parametrize(("team", "alone"), [(A, B), (B, A)])
def test_a_team_changes_the_ratings_of_its_players(team: str, alone: str) -> None:
    hosted = loaded(played(1, players=2))
    now = apply(season(hosted), TeamNamed(team=team, players=(C, D)))
    found = ratings(now, [hosted])
    assert {*found.skills} == {alone, C, D}
    best, last = (C, B) if team == A else (A, C)
    assert found.skills[best].mu > MU > found.skills[last].mu
    assert found.skills[C].elo is None, "a team against one player is no duel"
    assert [change.partners for change in found.of(C)] == [(D,)]
    assert [[other for other, _ in change.others] for change in found.of(alone)] == [[C, D]]


def same_deal(scores: dict[str, int], better: str = "more") -> Hall:
    """A round in which every team has played the same deal, with these scores."""
    deal = Deal(name="d1", game="bethel_woods", piles={"x": ("a", "b")})
    plan = Plan(
        games=("bethel_woods",),
        format=Duplicate(deals=(deal.ref,)),
        rounds=1,
        seats=SeatRange(least=1, most=1, preferred=1),
        scoring=LadderScoring(measures=(Measure(name="score", better=better),)),  # type: ignore[arg-type]
        tie_breaks=("PTS", "LADDER"),
    )
    hall = Hall(plan, len(scores))
    hall.start()
    for table in hall.now.rounds[0].draw.tables:
        outcome = Outcome(places=(1,), measures=(scores[table.seats[0]],))
        hall.tell(ResultEntered(round=1, table=table.number, outcome=outcome, source=SLIP))
    return hall


def test_teams_on_the_same_deal_are_compared_with_each_other() -> None:
    hall = same_deal({A: 10, B: 30, C: 10})
    found = ratings(season(), [loaded(hall)])
    places = {change.player: change.place for change in found.changes}
    assert places == {A: 2, B: 1, C: 2}
    assert found.skills[B].mu > MU > found.skills[A].mu == found.skills[C].mu


def test_entries_that_are_one_person_have_one_rating_and_one_total() -> None:
    events = [loaded(played(1, players=2)), loaded(played(1, players=2), "tournament-b", 2)]
    now = apply(season(*events), SeasonPlayersMerged(player=A, merged=B, reason="twice"))
    assert ratings(now, events).changes == (), "nobody plays against themselves"
    assert [row.player for row in season_standings(now, events)] == [A]


# the stream


@pytest.fixture
def office() -> SeasonOffice:
    store = open_store("memory:")
    return SeasonOffice(Desk(Bench(store)))


def test_a_season_is_folded_from_its_stream_and_told_once_for_each_key(
    office: SeasonOffice,
) -> None:
    made = office.create("Year", SeasonRules(), by=By(ORGANISER, "one"))
    assert office.create("Year", SeasonRules(), by=By(ORGANISER, "one")) == made
    event = EventAdded(tournament="tournament-aaaaaaaa")
    told = office.tell(made.id, event, by=By(ORGANISER, "two"))
    assert office.tell(made.id, event, by=By(ORGANISER, "two")) == told
    assert len(told.told) == 2
    with pytest.raises(IdempotencyKeyReused):
        office.tell(made.id, EventAdded(tournament="tournament-b"), by=By(ORGANISER, "two"))
    with pytest.raises(IdempotencyKeyReused):
        office.create("Other", SeasonRules(), by=By(ORGANISER, "one"))
    assert office.load(made.id).now == fold(one.event for one in told.told)


def test_nobody_but_an_organiser_tells_a_season(office: SeasonOffice) -> None:
    for role in ("judge", "scribe", "player", "spectator"):
        with pytest.raises(NotAllowed):
            office.create("Year", SeasonRules(), by=By(Author(role=role)))


@pytest.mark.parametrize(
    ("event", "key"),
    [
        (SeasonCreated(name="x", rules=SeasonRules()), "season_exists"),
        (EventAdded(tournament="tournament-a"), "event_counts_already"),
        (EventRemoved(tournament="tournament-b", reason="x"), "event_counts_not"),
        (TeamNamed(team=A, players=(A, B)), "team_of_others"),
        (TeamNamed(team=A, players=(B, B)), "team_of_others"),
        (TeamNamed(team=D, players=(C,)), "team_of_teams"),
        (SeasonPlayersMerged(player=A, merged=A, reason="x"), "merged_already"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(event: SeasonEvent, key: str) -> None:
    now = apply(season(), EventAdded(tournament="tournament-a"))
    now = apply(now, TeamNamed(team=C, players=(A, B)))
    with pytest.raises(NotPossible) as refused:
        apply(now, event)
    assert refused.value.key == key


def test_every_kind_is_read_back_as_it_was_written() -> None:
    for event in (
        SeasonCreated(name="Year", rules=SeasonRules(points=EventPoints(), counted=3)),
        EventAdded(tournament="tournament-a", weight=2),
        PlayersListed(players=(Listed(player=A, club="North"),)),
        TeamNamed(team=A, players=(B,)),
    ):
        data = json.loads(json.dumps(event.model_dump(mode="json")))
        assert read_event(event.KIND, event.SCHEMA, data) == event
    assert len(KINDS) == 8


@pytest.mark.parametrize("clubs", [*itertools.product(("", "North", "South"), repeat=2)])
@pytest.mark.parametrize("listed", ["", "East"])
def test_a_player_has_the_club_of_the_list_or_that_was_told_last(
    clubs: tuple[str, str], listed: str
) -> None:
    """In every event that counts, and in both, whichever was told to the season first."""
    first = Stand(swiss(), "Ana")
    second = Stand(swiss(), "Ana", store_context=first.caller.store_context)
    for stand, club in zip((first, second), clubs, strict=True):
        stand.ask(players.edit, "Ana", club=club)
    caller = first.caller
    year = lifecycle.create(caller, "Year").data.season
    (ana,) = first.now.players
    for stand in (first, second):
        lifecycle.add_event(caller, year, stand.id)
    if listed:
        lifecycle.list_players(caller, year, ["Ana"], club=listed)
    assert SeasonCall(caller, year).players[ana] == (listed or clubs[1] or clubs[0])
