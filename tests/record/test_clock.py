"""The clock of a table: nothing but the record starts and stops it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Conflicting, Misused, NotFound, RefereeError
from referee.proof.verify import verify
from referee.record.clocks import new_clock
from referee.record.entries import ClockSet, Entry
from referee.record.fold import fold
from referee.record.game import Game
from referee.store import open_store
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume, set_clock
from referee.table.openings import OpeningRefused, open_game
from referee.table.play import log
from replays.gallery import sample

BEGIN = datetime.fromisoformat("2026-01-01T12:00:00.000Z")


class Hall:
    """A table with a clock on the wall that is set by hand."""

    def __init__(self, engine: str = "pebbles", opening: str = "table A B first A") -> None:
        self.now = BEGIN
        self.bench = Bench(open_store("memory:"), clock=self.time)
        table = open_game(self.bench, engine, opening)
        assert not isinstance(table, OpeningRefused)
        self.id = table.game.id

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
    opening, *lines = lines_of(played)
    rounds = [played.engine.score(step.state)[0] for step in played.steps]
    hall = Hall("broom_service", opening)
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


def lines_of(game: Game) -> list[str]:
    return [game.engine.text(step.action) for step in game.steps if step.action]


def hall_of(engine: str) -> Hall:
    """In the middle of a sample game, or at a table of pebbles, where every action ends a turn."""
    if engine == "pebbles":
        return Hall()
    opening, *lines = lines_of(sample(engine))
    hall = Hall(engine, opening)
    for line in lines[: len(lines) // 2]:
        log(hall.bench, hall.id, line)
    return hall


def some_action(hall: Hall, n: int) -> None:
    """What is legal there; a turn may go on behind it."""
    offered = hall.game.engine.options(hall.game.setting, hall.game.state)
    for action in offered[n % max(1, len(offered)) :][:1]:
        log(hall.bench, hall.id, action)


DEEDS: dict[str, Callable[[Hall, int], Any]] = {
    "log": some_action,
    "undo": lambda hall, n: undo(hall.bench, hall.id, 1 + n // 4),
    "redo": lambda hall, n: redo(hall.bench, hall.id, 1 + n // 4),
    "take out": lambda hall, n: correct(
        hall.bench, hall.id, max(1, hall.game.last_number - n // 3), remove=1
    ),
    "keep": lambda hall, n: [
        correct(hall.bench, hall.id, number, remove=0, keep=[number])
        for number in hall.game.waiting[:1]
    ],
    "hold": lambda hall, n: hold(hall.bench, hall.id),
    "resume": lambda hall, n: resume(hall.bench, hall.id),
    "set": lambda hall, n: hall.set(seconds=n * 60, per=("seat", "round")[n % 2]),
    "increments": lambda hall, n: hall.set(seconds=n * 60 + 60, increment=n),
    "give": lambda hall, n: hall.set(given=n or 1, seat=("A", "B", None)[n % 3]),
    "close": lambda hall, n: close(hall.bench, hall.id, reason="late"),
    "reopen": lambda hall, n: reopen(hall.bench, hall.id, reason="on"),
}


def turns_over(game: Game, begun: int) -> Counter[str]:
    """How often each seat's turn ended in the line that counts now, once the clock was set."""
    behind = max(place for place, step in enumerate(game.steps) if step.item.seq <= begun)
    acting = [{*step.state.agenda.seats} for step in game.steps[behind:]]
    return Counter(seat for before, after in pairwise(acting) for seat in before - after)


ClockDeeds = st.lists(
    st.tuples(
        st.sampled_from([*DEEDS, "log", "log", "log", "increments"]),
        st.integers(0, 9),
        st.integers(0, 90),
    ),
    max_size=24,
)


@pytest.mark.parametrize("engine", ["pebbles", "bethel_woods"])
@settings(max_examples=40)
@given(deeds=ClockDeeds)
def test_whatever_happens_every_second_is_somebodys_or_nobodys(
    engine: str, deeds: list[tuple[str, int, int]]
) -> None:
    counted_naively(engine, deeds)


@pytest.mark.parametrize("first", DEEDS)
def test_a_clock_counts_on_whatever_comes_behind_whatever(first: str) -> None:
    """Every deed behind every other, and then a turn taken back, of a turn that was over before."""
    for second in DEEDS:
        deeds = ("log", "log", first, second, "resume", "undo")
        counted_naively("pebbles", [(deed, 1, 5) for deed in deeds])


def counted_naively(engine: str, deeds: list[tuple[str, int, int]]) -> None:
    """The same, told naively: every wait is counted where it belongs, and at the end every turn
    that is over."""
    hall = hall_of(engine)
    hall.set(seconds=300, increment=7)
    set_at, left = hall.game.version, dict.fromkeys("AB", 300.0)
    for deed, number, seconds in deeds:
        game = hall.game
        hall.wait(seconds)
        if not (game.held or game.closed or game.pending):
            acting = game.state.agenda.seats
            for each in left.keys() & {*acting, *["all"] * bool(acting)}:
                left[each] -= seconds
        try:
            DEEDS[deed](hall, number)
        except RefereeError:
            continue
        match hall.game.entries[game.version + 1 :]:
            case [Entry(data=ClockSet(seconds=None, seat=seat, given=given))]:
                left.update((each, left[each] + given) for each in left if seat in (None, each))
            case [Entry(data=ClockSet(seconds=full, per=per))]:
                set_at, whose = hall.game.version, ["all"] if per == "round" else "AB"
                left = dict.fromkeys(whose, full) if full else {}
    game = hall.game
    if game.clock is None:
        assert not left
    else:
        turns, increment = turns_over(game, set_at), game.clock.rule.increment
        assert hall.left == {who: time + increment * turns[who] for who, time in left.items()}
    stored = hall.bench.store.read(game.id)
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
