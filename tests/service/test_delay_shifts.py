"""A delay is a shift: whoever looks on with one is told now what others were told that long ago.

The same table is asked at every moment without a delay, and in the end with every delay that leads
back to that moment. Every operation that reads is asked, as it is declared: a new one too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from answers.context import Caller, StoreContext
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
from tests.photos import png
from tests.service.conftest import Club
from tests.service.test_delayed_twins import NOW_TOLD, asked
from tests.service.test_twins import events, sent_as

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
            for place in ("service.broadcast_delay", "answers.known_games"):
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
        return (place * 7 + moment) % (len(STORY) + 1) < ASKED_EACH

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
