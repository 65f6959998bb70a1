"""The desk over a store: streams, idempotence, tables as games, rulings, checks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from engines.kernel import ParseError
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, NotAllowed, NotFound
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue
from referee.record.game import Game
from referee.store import open_store
from referee.store.hash_chain import find_break
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.table.lifecycle import close, hold, reopen
from referee.table.openings import open_game
from referee.table.play import log
from referee.tournament import table_games
from referee.tournament.consistency import inspect
from referee.tournament.deals import shuffled_deal
from referee.tournament.default_plans import FORMATS, usual_plan, usual_seats
from referee.tournament.desk import Desk, LoadedTournament
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import (
    ByeRequested,
    CheckedIn,
    Created,
    DealRevealed,
    Dropped,
    Event,
    FromGame,
    Late,
    Outcome,
    PlayersMerged,
    ReadingRuled,
    Registered,
    ResultReported,
    Revised,
    RoundArranged,
    RoundClosed,
    RoundPaired,
    RoundStarted,
    StartWithdrawn,
    Swapped,
    Table,
)
from referee.tournament.fold import fold
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import Deal
from referee.tournament.ranking.standings import standings
from tests.tournament.generator import KINDS, generate, player_id

PEBBLES = "A B first A"
SCRIBE = Author(role="scribe")
JUDGE = Author(role="judge")


def desk_over(url: str) -> Desk:
    ids, keys, games, moments = count(2), count(), count(2), count()

    def clock() -> str:
        return f"2026-01-01T{next(moments) // 3600 % 24:02}:00:00.{next(moments) % 1000:03}Z"

    def name(number: int) -> str:
        return "".join("abcdefghijklmnop"[int(digit)] for digit in str(number))

    bench = Bench(open_store(url), clock=clock, ids=lambda: f"game-{name(next(games))}")
    return Desk(
        bench,
        clock=clock,
        keys=lambda: f"desk-{next(keys)}-{id(bench)}",
        ids=lambda: f"tournament-{name(next(ids))}",
        seeds=lambda: 7,
    )


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = desk_over("memory:")
    yield made
    made.bench.store.close()


def cup(desk: Desk, players: int = 4, game: str = "pebbles", **more: object) -> str:
    hosted = desk.create("Spring Cup", usual_plan(game, "swiss", 2, **more))
    for number in range(players):
        player = player_id(number)
        desk.tell(hosted.id, Registered(player=player, rating=2000 - number))
        desk.tell(hosted.id, CheckedIn(player=player))
    return hosted.id


def started(desk: Desk, cup_id: str) -> int:
    _, round = desk.pair(cup_id)
    desk.tell(cup_id, RoundStarted(round=round.number))
    return round.number


def play_out(desk: Desk, game: str) -> None:
    """Pebbles to the end: whoever is to act takes the first thing that is allowed."""
    record = desk.bench.game(game)
    while not record.state.over:
        record = log(desk.bench, game, record.engine.options(record.setting, record.state)[0]).game
    close(desk.bench, game)


def test_what_is_told_is_stored_chained_and_folds_to_the_same_tournament(desk: Desk) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    for table in desk.load(cup_id).now.round(number).draw.tables:
        outcome = Outcome(places=(1, 2))
        desk.enter_result(cup_id, number, table.number, outcome, "paper slip")
    desk.tell(cup_id, RoundClosed(round=number))
    rows = desk.bench.store.read(cup_id)
    assert find_break(cup_id, rows) is None
    hosted = desk.load(cup_id)
    assert fold(hosted.events) == hosted.now
    assert json.loads(rows[0].body)["kind"] == Created.KIND
    assert inspect(desk, cup_id) == []


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_a_simulated_event_told_step_by_step_reads_back_from_the_store(
    tmp_path: Path, seed: int
) -> None:
    """Drops, late entries, corrections, reopened rounds; every format."""
    url = f"sqlite://{tmp_path / 'games.db'}"
    events = [_as_a_real_reading(event) for event in generate(seed, KINDS[seed])]
    desk = desk_over(url)
    created = events[0]
    assert isinstance(created, Created)
    cup_id = desk.adopt([created]).id
    for event in events[1:]:
        desk.tell(cup_id, event)
    fresh = desk_over(url)
    assert fresh.load(cup_id).events == events
    assert fresh.load(cup_id).now == fold(events)
    problems = inspect(fresh, cup_id)
    invented = [problem for problem in problems if problem.key == "game_unproven"]
    assert len(invented) == sum(
        isinstance(entered[-1].source, FromGame)
        for round in fold(events).rounds
        for entered in round.results.values()
    )
    assert [problem for problem in problems if problem not in invented] == check_tournament(
        fold(events)
    )


def _as_a_real_reading(event: Event) -> Event:
    if not isinstance(event, ReadingRuled):
        return event
    name, reading = next(iter(load_engine(event.game).readings.items()))
    return event.model_copy(update={"reading": name, "value": reading.default})


def test_a_past_state_can_be_shown(desk: Desk) -> None:
    cup_id = cup(desk, players=3)
    hosted = desk.load(cup_id)
    assert len(hosted.at(2).players) == 1
    assert hosted.at(len(hosted.told) - 1) == hosted.now
    with pytest.raises(NotPossible):
        hosted.at(len(hosted.told))


def test_a_repeated_request_changes_nothing(desk: Desk) -> None:
    cup_id = cup(desk, players=0)
    for _ in range(2):
        desk.tell(cup_id, Registered(player="pa"), by=By(ORGANISER, "from-a-phone"))
    assert len(desk.load(cup_id).told) == 2


def test_pairing_twice_is_pairing_once(desk: Desk) -> None:
    cup_id = cup(desk)
    _, first = desk.pair(cup_id, seed=1)
    _, again = desk.pair(cup_id, seed=2)
    _, named = desk.pair(cup_id, 1, seed=3)
    assert first == again == named
    kinds = [type(event) for event in desk.load(cup_id).events]
    assert kinds.count(RoundPaired) == 1


def test_an_event_that_is_refused_is_not_stored(desk: Desk) -> None:
    cup_id = cup(desk)
    before = desk.load(cup_id)
    with pytest.raises(NotPossible):
        desk.tell(cup_id, Registered(player="pz"), RoundClosed(round=1))
    assert desk.load(cup_id) == before


def test_a_scribe_enters_results_and_pairs_nothing(desk: Desk) -> None:
    cup_id = cup(desk)
    with pytest.raises(NotAllowed) as refused:
        desk.pair(cup_id, by=By(SCRIBE))
    assert refused.value.facts["roles"] == ["organiser"]
    number = started(desk, cup_id)
    desk.enter_result(cup_id, number, 1, Outcome(places=(1, 2)), "paper slip", by=By(SCRIBE))


def test_two_desks_at_one_store_do_not_overwrite_each_other(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'games.db'}"
    one, two = desk_over(url), desk_over(url)
    cup_id = cup(one)
    stale = two.load(cup_id)
    one.tell(cup_id, Registered(player="pz"))
    two.load = lambda _: stale  # type: ignore[method-assign]
    with pytest.raises(Conflicting):
        two.tell(cup_id, Registered(player="py"))


def test_a_desk_that_was_killed_goes_on_where_the_store_stands(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'games.db'}"
    first = desk_over(url)
    cup_id = cup(first)
    number = started(first, cup_id)
    heard, _ = first.open_table(cup_id, number, 1, PEBBLES)
    play_out(first, heard.game.id)
    first.bench.store.close()

    second = desk_over(url)
    assert second.collect(cup_id, number) == [1]
    assert second.collect(cup_id, number) == []
    _, new = second.open_table(cup_id, number, 1)
    assert not new


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        ({"readings": {"pebbles": {"nonsense": "x"}}}, ParseError),
        ({"house_rules": {"pebbles": ("PEB-NO-1",)}}, NotFound),
        ({"readings": {"benevolent": {"hoard_take": "all"}}}, NotPossible),
    ],
)
def test_a_plan_that_no_table_could_follow_is_refused(
    desk: Desk, plan: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        desk.create("Cup", usual_plan("pebbles", "swiss", 2, **plan))
    assert desk.all() == []


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        ({"readings": {"pebbles": {"nonsense": "x"}}}, ParseError),
        ({"readings": {"pebbles": {"last_pebble": "draws"}}}, ParseError),
        ({"house_rules": {"pebbles": ("PEB-NO-1",)}}, NotFound),
        ({"presets": {"benevolent": {"kit": "own"}}}, NotPossible),
    ],
)
def test_a_plan_is_revised_only_to_one_that_its_tables_can_follow(
    desk: Desk, plan: dict[str, object], error: type[Exception]
) -> None:
    hosted = desk.create("Cup", usual_plan("pebbles", "swiss", 2))
    with pytest.raises(error):
        desk.tell(hosted.id, Revised(plan=usual_plan("pebbles", "swiss", 2, **plan), reason="x"))
    assert desk.load(hosted.id).now.plan == hosted.now.plan


def test_a_plan_is_not_revised_to_more_seats_than_the_game_has(desk: Desk) -> None:
    seats = {"least": 3, "most": 5, "preferred": 4}
    hosted = desk.create("Cup", usual_plan("pebbles", "swiss", 2))
    revised = Revised(plan=usual_plan("pebbles", "pods", 2, seats=seats), reason="more came")
    with pytest.raises(NotPossible) as refused:
        desk.tell(hosted.id, revised)
    assert refused.value.key == "seats_of_the_game"


def test_seats_must_fit_the_game(desk: Desk) -> None:
    seats = {"least": 3, "most": 5, "preferred": 4}
    with pytest.raises(NotPossible) as refused:
        desk.create("Cup", usual_plan("bloody_grove", "pods", 2, seats=seats))
    assert refused.value.key == "seats_of_the_game"


SIZES = ("least", "most", "preferred")


@pytest.mark.parametrize(
    ("least", "most", "format", "key"),
    [
        (3, 6, "swiss", "seats_beyond_duels"),
        (3, 6, "round_robin", "seats_beyond_duels"),
        (3, 4, "pods", None),
        (2, 4, "swiss", None),
    ],
)
def test_a_game_for_more_than_two_is_told_of_larger_tables(
    least: int, most: int, format: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = SimpleNamespace(seats=(least, most), readings={}, clauses={})
    monkeypatch.setattr(table_games, "load_engine", lambda name: engine)
    seats = usual_seats(least, most) if format == "pods" else dict.fromkeys(SIZES, 2)
    plan = usual_plan("pebbles", format, 2, seats=seats)
    if key is None:
        table_games.check_plan(plan)
        return
    with pytest.raises(NotPossible) as refused:
        table_games.check_plan(plan)
    assert refused.value.key == key


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "duplicate"])
def test_every_format_has_usual_rules(desk: Desk, format: str) -> None:
    game = "bethel_woods" if format == "ladder" else "broom_service"
    assert desk.create("Cup", usual_plan(game, format, 3)).now.plan.format.kind == format


# tables are games


def test_a_table_opens_a_record_with_the_published_rules(desk: Desk) -> None:
    plan = {
        "readings": {"benevolent": {"hoard_take": "all"}},
        "house_rules": {"benevolent": ("BEN-MOVE-3",)},
    }
    cup_id = cup(desk, game="benevolent", **plan)
    number = started(desk, cup_id)
    heard, new = desk.open_table(cup_id, number, 2)
    again, new_again = desk.open_table(cup_id, number, 2)
    assert (new, new_again, again.game.id) == (True, False, heard.game.id)
    table = desk.load(cup_id).now.round(number).table(2)
    assert tuple(heard.game.seats.values()) == table.seats
    assert heard.game.setting.readings["hoard_take"] == "all"
    assert heard.game.opened.house_rules == ("BEN-MOVE-3",)
    assert heard.game.opened.tournament == f"{cup_id}/r1/t2"
    assert inspect(desk, cup_id) == []


def test_presets_set_the_options_of_every_table(desk: Desk) -> None:
    presets = {"broom_service": {"side": "back", "variants": "storm", "removed": "3"}}
    seats = {"least": 3, "most": 5, "preferred": 4}
    hosted = desk.create("C", usual_plan("broom_service", "pods", 1, presets=presets, seats=seats))
    for number in range(4):
        desk.tell(hosted.id, Registered(player=player_id(number)))
        desk.tell(hosted.id, CheckedIn(player=player_id(number)))
    started(desk, hosted.id)
    opening = desk.open_table(hosted.id, 1, 1)[0].game.steps[0].action
    assert opening is not None
    told = opening.model_dump()
    assert (told["side"], told["variants"], told["removed"]) == ("back", ("storm",), 3)
    with pytest.raises(NotPossible):
        desk.create(
            "C", usual_plan("broom_service", "pods", 1, presets={"broom_service": {"x": "y"}})
        )


def test_no_table_opens_before_its_round_has_started(desk: Desk) -> None:
    cup_id = cup(desk)
    desk.pair(cup_id)
    with pytest.raises(NotPossible) as refused:
        desk.open_table(cup_id, 1, 1, PEBBLES)
    assert refused.value.key == "not_started"


def test_the_result_is_taken_from_the_closed_record(desk: Desk) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    game = desk.open_table(cup_id, number, 1, PEBBLES)[0].game
    with pytest.raises(NotPossible) as refused:
        desk.take_result(cup_id, number, 1)
    assert refused.value.key == "game_goes_on"
    play_out(desk, game.id)
    game = desk.bench.game(game.id)
    hosted = desk.take_result(cup_id, number, 1)
    entered = hosted.now.round(number).result(1)
    assert entered is not None
    assert entered.source == FromGame(game=game.id, entry=game.version)
    assert game.closed is not None
    winner = game.closed.places[0][0]
    assert entered.outcome.places["AB".index(winner)] == 1
    best = standings(hosted.now).rows[0].player
    assert best == game.seats[winner]
    assert desk.take_result(cup_id, number, 1) == hosted


def test_a_record_closed_without_a_result_must_be_entered_by_hand(desk: Desk) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    game = desk.open_table(cup_id, number, 1, PEBBLES)[0].game
    close(desk.bench, game.id, reason="time is up")
    assert desk.collect(cup_id, number) == []
    with pytest.raises(NotPossible) as refused:
        desk.take_result(cup_id, number, 1)
    assert refused.value.key == "game_has_no_result"


def test_players_who_changed_places_get_a_record_of_their_own(desk: Desk) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    first = desk.open_table(cup_id, number, 1, PEBBLES)[0].game
    one, two = desk.load(cup_id).now.round(number).draw.tables
    desk.tell(cup_id, Swapped(round=number, a=one.seats[0], b=two.seats[0], reason="wrong seats"))
    with pytest.raises(NotPossible) as refused:
        desk.open_table(cup_id, number, 1)
    assert refused.value.key == "seats_changed"
    second, _ = desk.open_table(cup_id, number, 1, PEBBLES, again=True)
    assert second.game.id != first.id
    [latest] = desk.latest_at(cup_id, number, 1)
    assert latest is second.game


@pytest.mark.parametrize("since", ["swapped", "arranged", "paired anew"])
def test_a_record_tells_nothing_of_those_who_sit_there_since(desk: Desk, since: str) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    for table in (1, 2):
        play_out(desk, desk.open_table(cup_id, number, table, PEBBLES)[0].game.id)
    one, two = desk.load(cup_id).now.round(number).draw.tables
    others = Table(number=1, seats=one.seats[::-1])
    changed: dict[str, list[Event]] = {
        "swapped": [Swapped(round=number, a=one.seats[0], b=one.seats[1], reason="seats")],
        "arranged": [RoundArranged(round=number, tables=(others, two), reason="seats")],
        "paired anew": [
            StartWithdrawn(round=number, reason="seats"),
            Swapped(round=number, a=one.seats[1], b=one.seats[0], reason="seats"),
            RoundStarted(round=number),
        ],
    }
    desk.tell(cup_id, *changed[since])
    told: list[str] = []
    assert desk.collect(cup_id, number, unproven=lambda error: told.append(error.key)) == [2]
    assert told == ["seats_changed"]
    with pytest.raises(NotPossible) as refused:
        desk.take_result(cup_id, number, 1)
    assert refused.value.key == "seats_changed"
    for outcome in (Outcome(places=(1, 2)), Outcome(places=(2, 1))):
        report = ResultReported(round=number, table=1, player=one.seats[1], outcome=outcome)
        desk.tell(cup_id, report, by=By(Author(one.seats[1], "player")))
    [record] = desk.latest_at(cup_id, number, 1)
    assert record.closed is not None
    lost = Outcome(places=(2, 1) if record.closed.places[0] == ["A"] else (1, 2))
    entered = desk.enter_result(cup_id, number, 1, lost, "paper slip").now.round(number).result(1)
    assert entered is not None
    assert entered.outcome == lost
    assert not [problem for problem in inspect(desk, cup_id) if not problem.is_remark]


def test_a_record_goes_on_and_counts_for_who_its_player_turned_out_to_be(desk: Desk) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    game = desk.open_table(cup_id, number, 1, PEBBLES)[0].game
    desk.tell(cup_id, Registered(player="pzz"), Late(player="pzz"))
    desk.tell(cup_id, PlayersMerged(player="pzz", merged=game.seats["B"], reason="the same"))
    assert desk.open_table(cup_id, number, 1)[0].game.id == game.id
    play_out(desk, game.id)
    assert desk.collect(cup_id, number) == [1]
    ranked = {row.player: row.values[0] for row in standings(desk.load(cup_id).now).rows}
    closed = desk.bench.game(game.id).closed
    assert closed is not None
    assert (ranked["pzz"] > 0) == (list(closed.places[0]) == ["B"])


@pytest.mark.parametrize(
    ("game", "format"),
    [
        ("benevolent", "swiss"),
        ("bloody_grove", "swiss"),
        ("roundforest", "swiss"),
        ("broom_service", "pods"),
        ("bethel_woods", "ladder"),
    ],
)
def test_a_table_opens_as_usual_where_nobody_says_otherwise(
    desk: Desk, game: str, format: str
) -> None:
    hosted = desk.create("Cup", usual_plan(game, format, 2, check_in=False))
    for number in range(4):
        desk.tell(hosted.id, Registered(player=player_id(number)))
    number = started(desk, hosted.id)
    seated = desk.load(hosted.id).now.round(number).table(1)
    heard, new = desk.open_table(hosted.id, number, 1)
    assert (heard.accepted, new) == (True, True)
    assert list(heard.game.seats.values()) == list(seated.seats)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_team_may_be_of_any_size_the_game_takes(desk: Desk, players: int) -> None:
    hosted = desk.create("Woods", usual_plan("bethel_woods", "ladder", 1, check_in=False))
    desk.tell(hosted.id, Registered(player="pa"))
    number = started(desk, hosted.id)
    heard, _ = desk.open_table(hosted.id, number, 1, players=players)
    assert len(heard.game.setting.seats) == players


# judges


def test_disputes_of_all_tables_are_on_one_list(desk: Desk) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    for table in (1, 2):
        game = desk.open_table(cup_id, number, table, PEBBLES)[0].game
        log(desk.bench, game.id, "A take 1")
        dispute(desk.bench, game.id, 1, text=f"at {table}", seat="B")
    found = [(c.round, c.table, c.dispute.text) for c in desk.concerns(cup_id) if c.dispute]
    assert found == [(1, 1, "at 1"), (1, 2, "at 2")]


def test_a_ruling_on_a_reading_reaches_every_table_from_then_on(desk: Desk) -> None:
    cup_id = cup(desk, game="benevolent")
    number = started(desk, cup_id)
    open_before = desk.open_table(cup_id, number, 1)[0].game
    assert open_before.setting.readings["grey_count"] != "flat"
    told = desk.rule_reading(cup_id, "benevolent", "grey_count", "flat", "as asked", by=By(JUDGE))
    assert told == [open_before.id]
    assert desk.bench.game(open_before.id).setting.readings["grey_count"] == "flat"
    opened_after = desk.open_table(cup_id, number, 2)[0].game
    assert opened_after.setting.readings["grey_count"] == "flat"
    events = len(desk.load(cup_id).told)
    assert desk.rule_reading(cup_id, "benevolent", "grey_count", "flat", "again") == []
    assert len(desk.load(cup_id).told) == events
    assert inspect(desk, cup_id) == []


def test_a_ruling_that_was_cut_short_reaches_the_table_when_it_is_continued(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup_id = cup(desk, game="benevolent")
    number = started(desk, cup_id)
    game = desk.open_table(cup_id, number, 1)[0].game
    with monkeypatch.context() as cut:
        cut.setattr(desk.bench, "tell", _fails)
        with pytest.raises(OSError, match="power"):
            desk.rule_reading(cup_id, "benevolent", "grey_count", "flat", "as asked")
    with pytest.raises(NotAllowed, match="judge_only"):
        desk.open_table(cup_id, number, 1, by=By(SCRIBE))
    assert desk.open_table(cup_id, number, 1)[0].game.setting.readings["grey_count"] == "flat"
    record = desk.bench.game(game.id)
    assert record.setting.readings["grey_count"] == "flat"
    assert {entry.role for entry in record.entries} == {"organiser"}
    assert desk.open_table(cup_id, number, 1, by=By(SCRIBE))[0].game.id == game.id


def _fails(*_: object, **__: object) -> None:
    raise OSError("power cut")


# checks


def test_an_altered_stream_is_found(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    desk = desk_over(f"sqlite://{file}")
    cup_id = cup(desk)
    desk.bench.store.close()
    with sqlite3.connect(file) as db:
        db.execute("DROP TRIGGER entries_no_update")
        changed = db.execute(
            "UPDATE entries SET state = CAST(replace(CAST(state AS TEXT), '2000', '2999') AS BLOB) "
            "WHERE originator_version = 1"
        )
        assert changed.rowcount == 1
    problems = inspect(desk_over(f"sqlite://{file}"), cup_id)
    assert [(problem.key, problem.facts["event"]) for problem in problems] == [("chain_broken", 2)]


def test_a_record_reopened_after_its_result_is_found(desk: Desk) -> None:
    cup_id = cup(desk)
    number = started(desk, cup_id)
    game = desk.open_table(cup_id, number, 1, PEBBLES)[0].game
    play_out(desk, game.id)
    desk.take_result(cup_id, number, 1)
    assert inspect(desk, cup_id) == []
    reopen(desk.bench, game.id, reason="miscounted", by=By(JUDGE))
    assert [problem.key for problem in inspect(desk, cup_id)] == ["game_is_open"]


def test_a_table_that_did_not_follow_the_published_rules_is_found(desk: Desk) -> None:
    cup_id = cup(desk, game="benevolent", readings={"benevolent": {"hoard_take": "all"}})
    started(desk, cup_id)
    open_game(desk.bench, "benevolent", "table A=blue B=red first A", tournament=f"{cup_id}/r1/t1")
    problems = inspect(desk, cup_id)
    assert [(p.key, p.facts["readings"]) for p in problems] == [("other_rules", ["hoard_take"])]


# duplicate deals


def duplicate(desk: Desk) -> tuple[LoadedTournament, DealRevealed]:
    tokens = [f"{kind}{value}" for kind in "MSDE" for value in range(1, 7)]
    deal = shuffled_deal("first", "bethel_woods", {"draw": tokens}, seed=5)
    deals = (deal.ref.model_dump(),)
    plan = usual_plan("bethel_woods", "duplicate", 1, {"deals": deals})
    hosted = desk.create("Woods", plan)
    for team in ("pa", "pb"):
        desk.tell(hosted.id, Registered(player=team), CheckedIn(player=team))
    started(desk, hosted.id)
    return hosted, DealRevealed(deal=deal)


def test_every_table_must_draw_what_the_deal_gives(desk: Desk) -> None:
    hosted, revealed = duplicate(desk)
    drawn = revealed.deal.piles["draw"]
    desk.tell(hosted.id, revealed)
    for table, tokens in ((1, drawn[:2]), (2, (drawn[0], drawn[2]))):
        game, _ = desk.open_table(hosted.id, 1, table, players=2)
        for line in ("A char harris", "B char linny", *(f"draw {t}" for t in tokens)):
            log(desk.bench, game.game.id, line, stands=True, by=By(JUDGE))
    found = [(c.table, c.deviation) for c in desk.concerns(hosted.id) if c.deviation]
    assert [(table, d.position, d.drawn, d.expected) for table, d in found] == [
        (2, 2, drawn[2], drawn[1])
    ]
    assert [problem.key for problem in inspect(desk, hosted.id)] == ["deal_departed"]


def departed(desk: Desk, hosted: LoadedTournament, deal: Deal, *more: str) -> Game:
    """The table of the first team: its second draw is not the deal's."""
    game = desk.open_table(hosted.id, 1, 1, players=2)[0].game
    first, _, third, *_ = deal.piles["draw"]
    for line in ("A char harris", "B char linny", f"draw {first}", f"draw {third}", *more):
        assert log(desk.bench, game.id, line, stands=True).accepted
    return desk.bench.game(game.id)


def test_a_departure_from_the_deal_is_a_dispute_of_the_record(desk: Desk) -> None:
    hosted, revealed = duplicate(desk)
    desk.reveal_deal(hosted.id, revealed.deal)
    _, second, third, *_ = revealed.deal.piles["draw"]
    game = departed(desk, hosted, revealed.deal)
    (dispute,) = desk.dispute_departures(game, SCRIBE)
    assert (dispute.cause, dispute.numbers) == ("deal", (4,))
    assert third in dispute.text
    assert second not in dispute.text, "the seats can read their record"
    assert desk.dispute_departures(desk.bench.game(game.id), SCRIBE) == []
    (concern,) = desk.concerns(hosted.id)
    assert concern.dispute == dispute
    assert concern.deviation is not None
    assert concern.deviation.expected == second


def test_a_deal_that_is_opened_later_disputes_what_was_drawn_before(desk: Desk) -> None:
    hosted, revealed = duplicate(desk)
    game = departed(desk, hosted, revealed.deal)
    close(desk.bench, game.id, reason="time is up")
    assert list(desk.concerns(hosted.id)) == []
    (dispute,) = desk.reveal_deal(hosted.id, revealed.deal, by=By(ORGANISER, "k"))
    assert desk.bench.game(game.id).open_disputes() == [dispute]
    told = len(desk.load(hosted.id).told)
    assert desk.reveal_deal(hosted.id, revealed.deal, by=By(ORGANISER, "k")) == []
    assert desk.reveal_deal(hosted.id, revealed.deal) == []
    assert len(desk.load(hosted.id).told) == told


def test_a_departure_that_a_judge_has_ruled_upon_is_in_order(desk: Desk) -> None:
    hosted, revealed = duplicate(desk)
    desk.reveal_deal(hosted.id, revealed.deal)
    game = departed(desk, hosted, revealed.deal)
    (dispute,) = desk.dispute_departures(game)
    assert [problem.key for problem in inspect(desk, hosted.id)] == ["deal_departed"]
    decision = Decision(dispute=dispute.id, remedy="stands", reason="the bag was torn")
    issue(desk.bench, game.id, decision, by=By(JUDGE))
    assert inspect(desk, hosted.id) == []
    assert list(desk.concerns(hosted.id)) == []


def test_two_desks_that_find_the_same_departure_raise_one_dispute(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'games.db'}"
    one, two = desk_over(url), desk_over(url)
    hosted, revealed = duplicate(one)
    one.reveal_deal(hosted.id, revealed.deal)
    game = departed(one, hosted, revealed.deal)
    stale = two.bench.game(game.id)
    hold(one.bench, game.id, reason="a break")
    one.dispute_departures(game, SCRIBE)
    two.dispute_departures(stale, JUDGE)
    assert len(two.bench.game(game.id).disputes) == 1


def test_only_the_published_deal_can_be_opened(desk: Desk) -> None:
    hosted, revealed = duplicate(desk)
    other = revealed.deal.model_copy(update={"piles": {"draw": ("M1",)}})
    with pytest.raises(NotPossible) as refused:
        desk.tell(hosted.id, DealRevealed(deal=other))
    assert refused.value.key == "other_deal"


def test_a_tournament_that_is_not_there_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.load("tournament-none")
    cup_id = cup(desk)
    assert desk.find(cup_id.removeprefix("tournament-")[:1]) == cup_id
    with pytest.raises(NotFound):
        desk.find("zzz")


def test_a_desk_keeps_only_the_tournaments_asked_for_last() -> None:
    """However many are looked at, memory stays bounded, and what was evicted is read again."""
    desk = Desk(Bench(open_store("memory:")), events_at_hand=30)
    cups = [cup(desk) for _ in range(8)]
    for _ in range(2):
        assert [len(hosted.told) for hosted in desk.all()] == [9] * 8
        assert desk._cache.weight <= 30
    assert len(desk._cache) == 3
    desk.tell(cups[0], Registered(player=player_id(9), rating=1000))
    assert len(desk.load(cups[0]).told) == 10
    assert desk.load(cups[0]) is desk.load(cups[0])


@pytest.mark.parametrize("asked_by", [(), ("kept",), ("merged",), ("kept", "merged")])
def test_withdrawing_a_pairing_forgets_no_bye_of_a_merged_entry(
    desk: Desk, asked_by: tuple[str, ...]
) -> None:
    cup_id = cup(desk, players=6)
    entries = {"kept": player_id(1), "merged": player_id(2)}
    for entry in asked_by:
        desk.tell(cup_id, ByeRequested(player=entries[entry], round=1, counts="half_bye"))
    for entry in entries.values():  # neither has a place, or they could not be one person
        desk.tell(cup_id, Dropped(player=entry))
    desk.pair(cup_id)
    one_person = PlayersMerged(player=entries["kept"], merged=entries["merged"], reason="twice")
    desk.tell(cup_id, one_person)
    for key in ("again", "again"):
        desk.unpair(cup_id, "anew", by=By(ORGANISER, key))
        now = desk.load(cup_id).now
        assert (1 in now.player(entries["kept"]).away) == bool(asked_by)
        assert now.rounds == ()
