"""What another process does at the desk of a tournament, until it is killed."""

from __future__ import annotations

import random
from multiprocessing.connection import Connection

from referee.store import open_store
from referee.table.bench import Bench, By
from referee.tournament.desk import Desk
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import (
    Event,
    Outcome,
    ResultCorrected,
    RoundClosed,
    RoundReopened,
    RoundStarted,
)


def enter_results_until_killed(url: str, cup_id: str, acknowledged: Connection, seed: int) -> None:
    """Results, corrections of all tables at once, rounds closed, reopened and paired."""
    chance = random.Random(seed)
    desk = Desk(Bench(open_store(url)), seeds=lambda: chance.randrange(2**32))
    for count in range(1_000_000):
        key = f"w{seed}-{count}"
        act(desk, cup_id, key, chance)
        for told in desk.known(cup_id, key):
            acknowledged.send((told.number, told.key))


def act(desk: Desk, cup_id: str, key: str, chance: random.Random) -> None:
    """One thing that is possible now, under a key."""
    now = desk.load(cup_id).now
    round = now.open_round
    if round is None and len(now.rounds) < 6:
        desk.pair(cup_id, by=By(ORGANISER, key))
    elif round is None:
        number = chance.randint(1, len(now.rounds))
        desk.tell(
            cup_id, RoundReopened(round=number, reason="a slip turned up"), by=By(ORGANISER, key)
        )
    elif not round.started:
        desk.tell(cup_id, RoundStarted(round=round.number), by=By(ORGANISER, key))
    elif round.waiting:
        outcome = Outcome(places=chance.choice([(1, 2), (2, 1), (1, 1)]))
        desk.enter_result(
            cup_id, round.number, round.waiting[0], outcome, "slip", by=By(ORGANISER, key)
        )
    elif chance.random() < 0.5:
        desk.tell(
            cup_id, *corrections(round.number, len(round.draw.tables), key), by=By(ORGANISER, key)
        )
    else:
        desk.tell(cup_id, RoundClosed(round=round.number), by=By(ORGANISER, key))


def corrections(number: int, tables: int, reason: str) -> list[Event]:
    """The results of all tables at once: a whole that must not be torn."""
    return [
        ResultCorrected(round=number, table=table, outcome=Outcome(places=(1, 2)), reason=reason)
        for table in range(1, tables + 1)
    ]
