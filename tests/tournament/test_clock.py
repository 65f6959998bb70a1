"""The time of a round: recorded, computed from what time it is, never acting by itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from engines.kernel import LANGUAGES
from referee.errors import NotAllowed
from referee.store import open_store
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.tournament.clock import RoundClock
from referee.tournament.desk import Desk
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    ClockExtended,
    ClockPaused,
    ClockStarted,
    ClockStopped,
    JudgeCalled,
    RoundClosed,
)
from referee.tournament.fold import fold
from tests.cli.transcripts import run
from tests.tournament.hosting import Hall, duels
from tests.tournament.test_commands import cup, said

NOON = datetime.fromisoformat("2026-03-01T12:00:00.000Z")


def at(minutes: float) -> str:
    """So many minutes after noon."""
    moment = NOON + timedelta(minutes=minutes)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def left(clock: RoundClock | None, minutes: float, table: int | None = None) -> float:
    assert clock is not None
    return clock.left(NOON + timedelta(minutes=minutes), table) / timedelta(minutes=1)


@pytest.fixture
def hall() -> Hall:
    hall = Hall(duels(), 4)
    hall.start()
    return hall


def clock(hall: Hall) -> RoundClock:
    found = hall.now.round(1).clock
    assert found is not None
    return found


def test_time_runs_is_interrupted_and_runs_on(hall: Hall) -> None:
    hall.tell(ClockStarted(round=1, at=at(0), minutes=60))
    assert left(clock(hall), 10) == 50
    assert clock(hall).ends() == NOON + timedelta(minutes=60)
    hall.tell(ClockPaused(round=1, at=at(20)))
    assert left(clock(hall), 500) == 40
    assert clock(hall).ends() is None
    hall.tell(ClockStarted(round=1, at=at(30)))
    assert left(clock(hall), 35) == 35
    assert clock(hall).ends() == NOON + timedelta(minutes=70)
    hall.tell(ClockStopped(round=1, at=at(40)))
    assert left(clock(hall), 500) == 30
    assert clock(hall).stopped
    hall.tell(ClockStarted(round=1, at=at(50)))
    assert left(clock(hall), 60) == 20
    assert hall.refolded() == hall.now


def test_a_clock_that_starts_later_takes_no_time_before(hall: Hall) -> None:
    hall.tell(ClockStarted(round=1, at=at(30), minutes=60))
    assert [left(clock(hall), minutes) for minutes in (0, 29, 30, 31)] == [60, 60, 60, 59]
    assert clock(hall).ends() == NOON + timedelta(minutes=90)
    hall.tell(ClockPaused(round=1, at=at(10)), ClockStarted(round=1, at=at(50)))
    assert left(clock(hall), 60) == 50


def test_the_time_of_a_call_is_given_to_its_table_once(hall: Hall) -> None:
    seats = {table.number: table.seats for table in hall.now.round(1).draw.tables}
    hall.tell(ClockStarted(round=1, at=at(0), minutes=60))
    calls = []
    for table in (2, 1, 2):
        hall.tell(JudgeCalled(round=1, table=table, player=seats[table][len(calls) // 2]))
        calls.append(hall.now.last)
    for call, table in zip(calls, (2, 1, 2), strict=True):
        with pytest.raises(NotPossible, match="no_such_call"):
            hall.tell(ClockExtended(round=1, minutes=4, table=3 - table, call=call))
        hall.tell(ClockExtended(round=1, minutes=4, table=table, call=call))
        with pytest.raises(NotPossible, match="given_back_already"):
            hall.tell(ClockExtended(round=1, minutes=4, table=table, call=call))
    assert [left(clock(hall), 0, table) for table in (1, 2)] == [64, 68]
    assert hall.refolded() == hall.now


def test_more_time_for_all_and_for_one_table(hall: Hall) -> None:
    hall.tell(ClockStarted(round=1, at=at(0), minutes=60))
    hall.tell(ClockExtended(round=1, minutes=5), ClockExtended(round=1, minutes=10, table=2))
    assert left(clock(hall), 0) == left(clock(hall), 0, 1) == 65
    assert left(clock(hall), 0, 2) == 75
    hall.tell(ClockExtended(round=1, minutes=-10, table=2))
    assert left(clock(hall), 0, 2) == 65


def test_a_clock_that_was_set_back_gives_no_time_back(hall: Hall) -> None:
    hall.tell(ClockStarted(round=1, at=at(10), minutes=60))
    assert left(clock(hall), 5) == 60
    hall.tell(ClockPaused(round=1, at=at(5)))
    assert left(clock(hall), 500) == 60


def test_when_time_is_up_nothing_happens_by_itself(hall: Hall) -> None:
    hall.tell(ClockStarted(round=1, at=at(0), minutes=60))
    before = hall.now
    assert left(clock(hall), 61) == -1
    assert hall.now == before
    for table in (1, 2):
        hall.result(1, table, 1, 2)
    hall.tell(RoundClosed(round=1))
    assert hall.now.round(1).closed


@pytest.mark.parametrize("moment", ["noon", "2026-13-01T12:00:00.000Z", "2026-03-01T12:00:00Z"])
def test_a_moment_is_written_in_one_way(moment: str) -> None:
    with pytest.raises(ValidationError):
        ClockPaused(round=1, at=moment)


def test_the_desk_says_what_time_it_is(tmp_path: Path) -> None:
    """The published minutes, the clock of the desk, and a judge or an organiser."""
    moments = [at(0)]
    bench = Bench(open_store("memory:"))
    desk = Desk(bench, clock=lambda: moments[-1])
    hall = Hall(duels(time={"minutes": 45, "on_time": "judge"}), 4)
    hall.start()
    cup_id = desk.adopt(hall.events).id
    desk.tell(cup_id, desk.clock_start(cup_id, 1))
    moments.append(at(15))
    with pytest.raises(NotAllowed):
        desk.tell(cup_id, ClockPaused(round=1, at=desk.moment()), by=By(Author(role="scribe")))
    desk.tell(cup_id, ClockPaused(round=1, at=desk.moment()), by=By(Author(role="judge")))
    moments.append(at(30))
    desk.tell(cup_id, desk.clock_start(cup_id, 1))
    moments.append(at(40))
    hosted = desk.load(cup_id)
    assert left(hosted.now.round(1).clock, 40) == 20
    assert fold(hosted.events) == hosted.now


# at the counter


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What time it is at the desk: the last one of the list."""
    told = [at(0)]
    monkeypatch.setenv("TZ", "UTC")
    made = Desk.__init__
    monkeypatch.setattr(
        Desk, "__init__", lambda desk, bench: made(desk, bench, clock=lambda: told[-1])
    )
    return told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_clock_is_shown_wherever_the_round_is(
    newcomer: Path, moments: list[str], lang: str
) -> None:
    cup(newcomer, more="--minutes 60 --on-time finish_the_turn")
    run("referee tournament pair")
    run("referee tournament start --clock")
    run("referee tournament clock extend 10 --table 2")
    moments.append(at(30.5))
    runs = {"en": "29:30 left, until 13:00", "fr": "encore 29:30, jusqu’à 13:00"}[lang]
    other = {"en": "39:30 left, until 13:10", "fr": "encore 39:30, jusqu’à 13:10"}[lang]
    for command in ("info", "tables", "clock show"):
        out, _ = run(f"referee tournament {command} --lang {lang}")
        assert runs in out, command
        assert other in out, command
    for paper in ("pairings", "slips"):
        page, _ = run(f"referee tournament print {paper} --lang {lang}")
        assert "13:00" in page
        assert "13:10" in page
        assert {"en": "the turn is finished", "fr": "on finit le tour"}[lang] in page
    moments.append(at(61))
    out, code = run(f"referee tournament tables --lang {lang}")
    assert code == 0
    assert {"en": "time is up since 1:00", "fr": "temps écoulé depuis 1:00"}[lang] in out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_clock_is_told_when_to_start_and_gives_back_what_a_call_cost(
    newcomer: Path, moments: list[str], lang: str
) -> None:
    cup(newcomer, more="--minutes 60")
    run("referee tournament pair")
    run("referee tournament start")
    assert run("referee tournament clock start --at noonish")[1] == 2
    assert run("referee tournament clock start --at 2026-03-03T12:00")[1] == 2
    out, _ = run(f"referee tournament clock start --at 2026-03-01T12:30 --lang {lang}")
    assert {"en": "starts at 12:30, for 1:00:00", "fr": "démarre à 12:30, pour 1:00:00"}[
        lang
    ] in out
    told = said("referee tournament clock show")["clock"]
    assert (told["left"], told["starts_in"], told["ends"]) == (
        3600, 1800, "2026-03-01T13:30:00+00:00"
    )  # fmt: skip
    moments.append(at(40))
    assert said("referee tournament clock show")["clock"]["starts"] is None
    called = [run(f"referee tournament call {table} --player Ana -m slow")[1] for table in (1, 2)]
    assert sorted(called) == [0, 5], "one of the two is hers"
    number = said("referee tournament info")["last_event"]
    moments.append(at(46.5))
    out, code = run(f"referee tournament clock extend --call {number}")
    assert (code, "50:30 left" in out) == (0, True), out
    for again in (f"--call {number}", "--call 9999", ""):
        assert run(f"referee tournament clock extend {again}")[1] != 0, again
    assert said("referee tournament clock show")["clock"]["tables"][0]["minutes"] == 67


def test_the_clock_as_data(newcomer: Path, moments: list[str]) -> None:
    cup(newcomer)
    run("referee tournament pair")
    assert said("referee tournament tables")["clock"] is None
    run("referee tournament start")
    out, code = run("referee tournament clock start")
    assert (code, "how many minutes" in out) == (5, True)
    run("referee tournament clock start 30")
    run("referee tournament clock extend 5 --table 1")
    moments.append(at(31))
    told = said("referee tournament clock show")["clock"]
    assert (told["state"], told["left"], told["up"]) == ("running", -60, True)
    assert told["tables"] == [
        {"table": 1, "minutes": 35, "left": 240, "ends": "2026-03-01T12:35:00+00:00", "up": False}
    ]
    run("referee tournament clock extend 10 --less --table 1")
    run("referee tournament clock stop")
    told = said("referee tournament info")["clock"]
    assert (told["state"], told["ends"]) == ("stopped", None)
    assert told["tables"][0]["up"]


def test_the_papers_of_a_paused_round_say_no_time_of_day(
    newcomer: Path, moments: list[str]
) -> None:
    cup(newcomer, more="--minutes 60")
    run("referee tournament pair")
    page, _ = run("referee tournament print slips")
    assert "60 minutes" in page
    run("referee tournament start --clock")
    run('referee tournament clock pause -m "fire alarm"')
    page, _ = run("referee tournament print slips")
    assert "until" not in page
    assert "fire alarm" in run("referee tournament history")[0]
