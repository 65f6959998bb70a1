"""The clock of a table: nothing but the record starts and stops it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Conflicting, Misused, NotFound, RefereeError
from referee.proof.verify import verify
from referee.record.clocks import new_clock
from referee.record.entries import ClockSet, Logged, TakenBack
from referee.record.fold import fold
from referee.record.game import Game
from referee.store import open_store
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume, set_clock
from referee.table.openings import open_game
from referee.table.play import log
from replays.gallery import sample

BEGIN = datetime.fromisoformat("2026-01-01T12:00:00.000Z")


class Hall:
    """A table with a clock on the wall that is set by hand."""

    def __init__(self) -> None:
        self.now = BEGIN
        self.bench = Bench(open_store("memory:"), clock=self.time)
        self.id = open_game(self.bench, "pebbles", "table A B first A").game.id

    def time(self) -> str:
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def set(self, **rule: Any) -> None:
        set_clock(self.bench, self.id, ClockSet(**rule))

    @property
    def game(self) -> Game:
        return self.bench.game(self.id)

    @property
    def left(self) -> dict[str, float]:
        clock = self.game.clock
        assert clock is not None
        return {who: left.total_seconds() for who, left in clock.left_at(self.time()).items()}


@pytest.fixture
def hall() -> Hall:
    return Hall()


def test_time_runs_for_whoever_is_to_act(hall: Hall) -> None:
    hall.set(seconds=600)
    hall.wait(20)
    assert hall.left == {"A": 580, "B": 600}
    log(hall.bench, hall.id, "take 1")
    hall.wait(5)
    assert hall.left == {"A": 580, "B": 595}
    undo(hall.bench, hall.id)
    hall.wait(1)
    assert hall.left == {"A": 579, "B": 595}


def test_whose_turn_is_over_gets_the_increment_and_gives_it_back_with_the_turn(hall: Hall) -> None:
    hall.set(seconds=600, increment=15)
    hall.wait(20)
    log(hall.bench, hall.id, "take 1")
    assert hall.left == {"A": 595, "B": 600}
    undo(hall.bench, hall.id)
    assert hall.left == {"A": 580, "B": 600}
    redo(hall.bench, hall.id)
    hall.wait(5)
    log(hall.bench, hall.id, "take 2")
    assert hall.left == {"A": 595, "B": 610}
    hold(hall.bench, hall.id)
    resume(hall.bench, hall.id)
    assert hall.left == {"A": 595, "B": 610}


def test_time_does_not_run_while_the_game_is_held_pending_or_closed(hall: Hall) -> None:
    hall.set(seconds=600)
    hold(hall.bench, hall.id)
    hall.wait(100)
    resume(hall.bench, hall.id)
    hall.wait(1)
    assert hall.left == {"A": 599, "B": 600}
    for line in ("take 2", "take 1", "take 3"):
        log(hall.bench, hall.id, line)
    correct(hall.bench, hall.id, 2, ["take 3"])
    assert hall.game.waiting == [3]
    before = hall.left
    hall.wait(50)
    assert hall.left == before
    correct(hall.bench, hall.id, 3, remove=1)
    close(hall.bench, hall.id, reason="supper")
    before = hall.left
    hall.wait(1000)
    assert hall.left == before
    reopen(hall.bench, hall.id, reason="on")
    hall.wait(2)
    assert hall.left == {**before, "A": before["A"] - 2}


def test_time_that_is_up_is_less_than_nothing_and_more_can_be_given(hall: Hall) -> None:
    hall.set(seconds=60)
    hall.wait(75)
    assert hall.left["A"] == -15
    hall.set(seat="A", given=30)
    assert hall.left == {"A": 15, "B": 60}
    hall.set(given=-5)
    assert hall.left == {"A": 10, "B": 55}


def test_a_clock_that_is_set_anew_or_taken_away_forgets_the_old_one(hall: Hall) -> None:
    hall.set(seconds=60)
    hall.wait(30)
    hall.set(seconds=600, at_zero="judge")
    assert hall.left == {"A": 600, "B": 600}
    hall.set(seconds=0)
    assert hall.game.clock is None


def test_all_seats_share_the_clock_of_a_round(hall: Hall) -> None:
    hall.set(seconds=60, per="round")
    log(hall.bench, hall.id, "take 1")
    hall.wait(10)
    assert hall.left == {"all": 50}
    with pytest.raises(Conflicting):
        hall.set(seat="A", given=5)


def test_every_round_has_its_time_from_the_beginning() -> None:
    played = sample("broom_service")
    opening, *lines = [played.engine.text(step.action) for step in played.steps if step.action]
    rounds = [played.engine.score(step.state)[0] for step in played.steps]
    hall = Hall()
    hall.id = open_game(hall.bench, "broom_service", opening).game.id
    hall.set(seconds=6000, per="round")
    lefts = []
    for line in lines[: rounds.index(2)]:
        hall.wait(1)
        log(hall.bench, hall.id, line)
        lefts.append(hall.left["all"])
    assert lefts[-1] == 6000
    assert 5000 < lefts[-2] < 6000


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({"given": 5}, Conflicting),
        ({"seconds": 0}, Conflicting),
        ({}, Misused),
        ({"seconds": 60, "given": 5}, Misused),
        ({"seconds": 60, "seat": "A"}, Misused),
        ({"seconds": 60, "per": "round", "increment": 5}, Misused),
        ({"seconds": 0, "increment": 5}, Misused),
    ],
)
def test_a_clock_is_told_something_that_it_can_do(
    hall: Hall, said: dict[str, Any], refused: type[Exception]
) -> None:
    with pytest.raises(refused):
        hall.set(**said)
    assert hall.game.version == 0


def test_time_is_given_to_those_who_sit_at_the_table(hall: Hall) -> None:
    hall.set(seconds=60)
    with pytest.raises(NotFound):
        hall.set(seat="H", given=5)


DEEDS: dict[str, Callable[[Hall, int], Any]] = {
    "log": lambda hall, n: log(hall.bench, hall.id, f"take {1 + n % 3}"),
    "undo": lambda hall, n: undo(hall.bench, hall.id),
    "hold": lambda hall, n: hold(hall.bench, hall.id),
    "resume": lambda hall, n: resume(hall.bench, hall.id),
    "set": lambda hall, n: hall.set(seconds=n * 60, per=("seat", "round")[n % 2]),
    "increments": lambda hall, n: hall.set(seconds=n * 60 + 60, increment=n),
    "give": lambda hall, n: hall.set(given=n or 1, seat=("A", "B", None)[n % 3]),
    "close": lambda hall, n: close(hall.bench, hall.id, reason="late"),
    "reopen": lambda hall, n: reopen(hall.bench, hall.id, reason="on"),
}


def running(game: Game) -> set[str]:
    stopped = game.held is not None or game.closed is not None
    return set() if stopped else {*game.state.agenda.seats}


def counted(game: Game, stored: Any) -> dict[str, float] | None:
    """The same, told naively: every gap between two entries is counted where it belongs."""
    left: dict[str, float] | None = None
    shared, latest, increment = False, game.entries[0].at, 0
    for place, entry in enumerate(game.entries[1:], start=1):
        before = fold(game.id, stored[:place])
        gone = datetime.fromisoformat(entry.at) - datetime.fromisoformat(latest)
        latest = entry.at
        if left is not None and before.held is None and before.closed is None:
            acting = before.state.agenda.seats
            for each in ["all"] * bool(acting) if shared else acting:
                left[each] -= gone.total_seconds()
        data = entry.data
        if left is not None and not shared:
            now = fold(game.id, stored[: place + 1])
            was, is_now = (running(each) for each in (before, now))
            if isinstance(data, Logged):
                for each in was - is_now:
                    left[each] += increment
            elif isinstance(data, TakenBack):
                for each in is_now - was:
                    left[each] -= increment
        if isinstance(data, ClockSet) and data.seconds is not None:
            shared, increment = data.per == "round", data.increment
            whose = ["all"] if shared else ["A", "B"]
            left = dict.fromkeys(whose, data.seconds) if data.seconds else None
        elif isinstance(data, ClockSet) and left is not None:
            for each in left if data.seat is None else [data.seat]:
                left[each] += data.given
    return left


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([*DEEDS, "log", "set"]), st.integers(0, 9), st.integers(0, 90)),
        max_size=14,
    )
)
def test_whatever_happens_every_second_is_somebodys_or_nobodys(
    deeds: list[tuple[str, int, int]],
) -> None:
    hall = Hall()
    hall.set(seconds=300)
    for deed, number, seconds in deeds:
        hall.wait(seconds)
        try:
            DEEDS[deed](hall, number)
        except RefereeError:
            continue
    game = hall.game
    stored = hall.bench.store.read(game.id)
    found = game.clock and {
        who: left.total_seconds() for who, left in game.clock.left_at(game.clock.since).items()
    }
    assert found == counted(game, stored)
    assert fold(game.id, stored).clock == game.clock
    assert verify(game.id, stored).ok


@given(st.lists(st.tuples(st.integers(-400, 600), st.sampled_from(["A", "B"])), max_size=12))
def test_a_wall_clock_that_is_set_back_costs_nobody_time_twice(
    told: list[tuple[int, str]],
) -> None:
    """One seat runs at a time: all that is charged is the time by which the wall clock advanced."""
    now = latest = BEGIN
    clock = new_clock(ClockSet(seconds=3600), 0, as_text(now), ["A", "B"], None)
    clock = clock.ticked(as_text(now), ["A"], None)
    for seconds, seat in told:
        now += timedelta(seconds=seconds)
        latest = max(latest, now)
        clock = clock.ticked(as_text(now), [seat], None)
    left = clock.left_at(as_text(now))
    charged = sum((timedelta(seconds=3600) - one for one in left.values()), timedelta())
    assert charged == latest - BEGIN


def as_text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
