"""A delay is a shift: whoever looks on with one is told now what others were told that long ago.

The same table is asked at every moment without a delay, and in the end with every delay that leads
back to that moment. Every operation that reads is asked, as it is declared: a new one too.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.operations import routes
from answers.review import photos
from referee.judging.disputes import attend, dispute, withdraw
from referee.judging.rulings import Decision, cancel_penalty, fix_reading, issue, penalise
from referee.record.entries import KINDS, ClockSet, Confirmed, SealedValue, Seen, Unsealed
from referee.record.game import seal_digest
from referee.store import open_store
from referee.store.sidecars.access import AccessPolicy
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume, set_clock
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from referee.tournament.desk import Desk
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import (
    ByHand,
    CheckedIn,
    Event,
    LotDrawn,
    Outcome,
    PenaltyGiven,
    PointPenaltyCancelled,
    Registered,
    ResultCorrected,
    ResultEntered,
    RoundClosed,
    RoundReopened,
    RoundStarted,
    TournamentClosed,
    TournamentReopened,
    WallTurned,
)
from referee.tournament.pairing.rounds import pair
from service.auth import AccessControl, Principal
from tests.photos import png
from tests.service.conftest import Club
from tests.service.test_delayed_twins import NOW_TOLD, asked
from tests.service.test_twins import events, sent_as
from tests.tournament.hosting import duels

BEGUN = datetime(2026, 1, 2, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
BEFORE = timedelta(milliseconds=1)
JO, BO = By(JUDGE), By(Author("pbo", "seat:B"))
NOT_WRITTEN = {"signed"}
"""A signature needs a key; what it adds is a line of the record like any other."""
SALT = "0" * 32
OF_THE_RULES = {"access-who", "game-rules", "health"}
"""What tells the delay itself, or that there is something of which nothing is told."""
LIVE = re.compile('"live": ?(true|false)')
"""Whoever waits is told when a clock was read; what it shows at this moment goes on without it."""
ASKED_EACH = 2
"""So many of all moments are asked of each operation, others of the next."""
Step = Callable[[Caller, str], object]


def on(bench_act: Callable[..., object], *said: Any, by: By = JO, **more: Any) -> Step:
    return lambda caller, game: bench_act(caller.bench, game, *said, by=by, **more)


def writes(*data: Callable[[str, Any], Any], by: By = JO) -> Step:
    def written(caller: Caller, game: str) -> None:
        now = caller.bench.game(game)
        caller.bench.tell(now, [each(game, now) for each in data], by)

    return written


STORY: tuple[Step, ...] = (
    on(log, "take 2"),
    on(log, "take 1"),
    on(undo),
    on(redo),
    on(annotate, 1, Annotation("or so")),
    on(remove_note, "n1"),
    on(correct, 2, ["take 3"]),
    on(log, "take 3", stands=True),
    on(dispute, 1, text="hm", by=BO),
    on(attend, "d1"),
    on(issue, Decision("so be it", "taken_back", dispute="d1")),
    on(issue, Decision("after all", overturns="r1")),
    on(dispute, 1, text="again", by=BO),
    on(withdraw, "d2"),
    on(penalise, "A", "warning", "slow"),
    on(cancel_penalty, "x1", "mistaken"),
    on(hold, reason="tea"),
    on(resume),
    on(set_clock, ClockSet(seconds=600)),
    on(adjust, {"heap": 3}, "lost", stands=True),
    on(declare_kit, "heap", 11, "counted"),
    on(fix_reading, "last_pebble", "loses"),
    lambda caller, game: photos.add(caller, game, png(), caption="the heap"),
    lambda caller, game: photos.erase(caller, game, "f1"),
    writes(lambda game, now: Seen(numbers=(1,), confirmed=True)),
    writes(lambda game, now: Confirmed(seat="B", seq=now.version, head=now.head), by=BO),
    writes(
        lambda game, now: SealedValue(
            id="s1", seat="B", what="plan", digest=seal_digest(game, "B", "plan", SALT, ["x"])
        ),
        by=BO,
    ),
    writes(lambda game, now: Unsealed(id="s1", salt=SALT, value=["x"]), by=BO),
    on(close, reason="late"),
    on(annotate, 1, Annotation("long ago")),
    on(reopen, reason="not yet"),
    on(log, "take 1", stands=True),
)


class Clock:
    """The moment of everybody here: of who writes, and of who asks."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> str:
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    @contextmanager
    def stands(self) -> Iterator[None]:
        with ExitStack() as stack:
            for place in (
                "service.broadcast_delay",
                "answers.known_games",
                "referee.tournament.held_back",
            ):
                later = stack.enter_context(patch(f"{place}.datetime", wraps=datetime))
                later.now.side_effect = lambda tz: self.now
            yield


def told(club: Club, method: str, path: str, body: Any, role: str | None) -> str:
    reply = club.ask(method, path, role, **sent_as(body))
    assert reply.status_code < 500, (path, reply.text)
    text = LIVE.sub("LIVE", NOW_TOLD.sub("NOW", reply.text))
    return f"{reply.status_code} {text}"


def test_what_is_told_with_a_delay_was_told_that_long_ago_without_one(
    tmp_path: Path, make_club: Callable[..., Club]
) -> None:
    clock = Clock()
    store = open_store(f"sqlite://{tmp_path}/games.db")
    context = StoreContext(store, Bench(store, clock=clock))
    caller = Caller(context, JUDGE)
    game = open_game(context.bench, "pebbles", "table A B first A", by=By(SCRIBE)).game.id
    club = make_club(context)
    access = context.access
    access.set_rules(game, AccessPolicy("everybody"))
    reads = [route for route in routes() if not route.writes and route.name not in OF_THE_RULES
             and not ("tournament" in route.path or "season" in route.path)]  # fmt: skip
    questions = [
        (route, path, body, (None, "spectator")[place % 2])
        for place, route in enumerate(reads)
        for path, body in asked(route, "tournament-", game)
    ]
    moments: list[tuple[datetime, int]] = []
    then: dict[tuple[int, int], str] = {}
    heard: dict[int, str] = {}

    def chosen(place: int, moment: int) -> bool:
        listed = questions[place][1] in ("/games", "/rulings")
        return listed or (place * 7 + moment) % (len(STORY) + 1) < ASKED_EACH

    with clock.stands():
        for moment, step in enumerate((lambda caller, game: None, *STORY)):
            clock.now = BEGUN + moment * MINUTE
            step(caller, game)
            moments.append((clock.now, context.bench.game(game).version))
            for place, (route, path, body, role) in enumerate(questions):
                if chosen(place, moment):
                    then[place, moment] = told(club, route.method, path, body, role)
            if moment % 8 == 0:
                heard[moment] = events(club, game, "spectator", last=moments[-1][1])
        written = {entry.data.KIND for entry in context.bench.game(game).entries}
        assert written == {*KINDS} - NOT_WRITTEN
        end, answered = clock.now + 9 * MINUTE, 0
        for moment, (at, version) in enumerate(moments):
            seconds = int((end - at).total_seconds())
            behind = AccessPolicy("everybody", delay_entries=moments[-1][1] - version)
            late = AccessPolicy("everybody", delay_seconds=seconds)
            ways = (
                (end, late),  # exactly then
                (end + MINUTE - BEFORE, late),  # and just before the next
                (end, behind),
            )
            for way, (now, rules) in enumerate(ways):
                clock.now = now
                access.set_rules(game, rules)
                for place, (route, path, body, role) in enumerate(questions):
                    if chosen(place, moment) and (place + moment) % len(ways) == way:
                        shown = told(club, route.method, path, body, role)
                        assert shown == then[place, moment], (route.name, path, rules, now)
                        answered += shown.startswith("200")
                if moment in heard:
                    assert events(club, game, "spectator", last=version) == heard[moment], rules
    assert answered > 100


RESTING = (RoundClosed, RoundReopened, LotDrawn, TournamentClosed, TournamentReopened)
PLAYERS = ("pana", "pbo", "pcleo", "pdan")


class Hall:
    """An event whose first two tables are recorded and over since long; the third is not."""

    def __init__(self, clock: Clock) -> None:
        store = open_store("memory:")
        self.context = StoreContext(store, Bench(store, clock=clock))
        self.desk = self.context.desk = Desk(self.context.bench, clock=clock)
        self.id = self.desk.create("Cup", duels(rounds=1)).id
        names = (*PLAYERS, "peve", "pfay")
        for kind in (Registered, CheckedIn):
            self.desk.tell(self.id, *(kind(player=name) for name in names))
        self.desk.tell(self.id, pair(self.desk.load(self.id).now, 1, seed=1))
        self.desk.tell(self.id, RoundStarted(round=1))
        for table in (1, 2):
            game = self.desk.open_table(self.id, 1, table, "A=blue B=red first A")[0].game.id
            close(self.context.bench, game, reason="late", by=JO)
        self.control = AccessControl(self.context)
        self.begun = len(self.desk.load(self.id).told)

    def some_event(self, rng: random.Random) -> Event:
        table, places = rng.randint(1, 3), rng.choice(((1, 2), (2, 1), (1, 1)))
        told = self.desk.load(self.id).told
        given = [each.number for each in told if isinstance(each.event, PenaltyGiven)]
        outcome = Outcome(places=places)
        return rng.choice(
            [
                *[ResultEntered(round=1, table=table, outcome=outcome, source=ByHand(reason="x"))]
                * 5,
                *[ResultCorrected(round=1, table=table, outcome=outcome, reason="so")] * 2,
                *[RoundClosed(round=1)] * 4,
                *[RoundReopened(round=1, reason="so")] * 2,
                LotDrawn(order=PLAYERS[:2], reason="a coin"),
                PenaltyGiven(player=rng.choice(PLAYERS), halves=1, reason="late"),
                PointPenaltyCancelled(penalty=rng.choice(given or [0]), reason="no"),
                *[TournamentClosed()] * 4,
                *[TournamentReopened(reason="so")] * 2,
                WallTurned(),
            ]
        )

    def held_back(self) -> frozenset[int]:
        path = {"tournament": self.id}
        caller = self.control.caller(Principal("x"), "tournament-events", path, Voice())
        return caller.held_back(self.desk.load(self.id))


def test_of_an_event_nothing_is_told_before_its_delay_and_all_when_it_is_over() -> None:
    """A result of a recorded table and points taken away when they are old enough; what rests on
    results when no result before it waits."""
    clock, reached = Clock(), Counter[str]()
    with clock.stands():
        for story in range(8):
            rng = random.Random(story)
            clock.now = BEGUN - timedelta(hours=9)
            hall = Hall(clock)
            clock.now = BEGUN
            for _ in range(45):
                clock.now += rng.choice((MINUTE, BEFORE, timedelta(milliseconds=700)))
                event = hall.some_event(rng)
                by = By(ORGANISER if "tournament" in event.KIND else JUDGE)
                try:
                    hall.desk.tell(hall.id, event, by=by)
                except NotPossible:
                    continue
            told = hall.desk.load(hall.id).told[hall.begun :]
            for minutes in (2, 9):
                delay = timedelta(minutes=minutes)
                rules = AccessPolicy("everybody", delay_seconds=60 * minutes)
                hall.context.access.set_rules(hall.id, rules)
                for last in rng.sample(told, min(4, len(told))):
                    for just in (timedelta(), -BEFORE):
                        clock.now = datetime.fromisoformat(last.at) + delay + just
                        since = clock.now - delay
                        young = [e for e in told if datetime.fromisoformat(e.at) > since]
                        results = {
                            each.number for each in young
                            if isinstance(each.event, ResultEntered | ResultCorrected)
                            and each.event.table < 3
                        }  # fmt: skip
                        resting = {
                            each.number for each in told
                            if isinstance(each.event, RESTING)
                            and any(number < each.number for number in results)
                        }  # fmt: skip
                        points = {
                            each.number for each in young
                            if isinstance(each.event, PenaltyGiven | PointPenaltyCancelled)
                        }  # fmt: skip
                        assert hall.held_back() == results | resting | points, (story, last, just)
                        reached.update(
                            told[number - hall.begun].event.KIND
                            for number in results | resting | points
                        )
            hall.context.close()
    assert set(reached) == {
        "result_entered", "result_corrected", "round_closed", "round_reopened", "lot_drawn",
        "penalty_given", "penalty_cancelled", "tournament_closed", "tournament_reopened",
    }, reached  # fmt: skip
