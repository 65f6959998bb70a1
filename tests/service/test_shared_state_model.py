"""What workers share, told by several of them at random, against one naive book of it all."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from answers.context import open_store_context
from service import rate_limit
from service.dispatch import Dispatcher
from service.rate_limit import KNOWN_SECONDS, KnownAddresses, SharedTokenBuckets, TokenBuckets
from service.settings import Settings
from service.shared_state import SharedState
from tests.service.test_limits_model import Pot

WORKERS = 3
MOST = {"all": 6, "ana": 2, "at 10.0.0.1": 3}
NAMES = st.sets(st.sampled_from([*MOST]), min_size=1)
RATES = {"reads": (Fraction(2), 4), "writes": (Fraction(1, 4), 2), "codes": (Fraction(1, 10), 6)}
worker = st.integers(0, WORKERS - 1)
game = st.sampled_from(("game-a", "game-b"))
seat = st.sampled_from("AB")
who = st.sampled_from(("ana", "bo"))


class Workers(RuleBasedStateMachine):
    """Each worker has a state of its own on the same file; what one tells, all count with."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="state-"))
        self.states = [SharedState(self.folder / "state") for _ in range(WORKERS)]
        for number, state in enumerate(self.states, 1):
            state._worker = number  # as if each were a process

    def teardown(self) -> None:
        for state in self.states:
            state.close()
        shutil.rmtree(self.folder)


class StreamsMachine(Workers):
    def __init__(self) -> None:
        super().__init__()
        self.streams: list[tuple[int, frozenset[str]]] = []
        self.present: set[tuple[int, str, str]] = set()

    @rule(at=worker, names=NAMES)
    def open_a_stream(self, at: int, names: set[str]) -> None:
        open_now = Counter(name for _, held in self.streams for name in held)
        fits = all(open_now[name] < MOST[name] for name in names)
        assert self.states[at].open_stream({name: MOST[name] for name in names}) == fits
        if fits:
            self.streams.append((at, frozenset(names)))

    @precondition(lambda self: self.streams)
    @rule(data=st.data())
    def close_a_stream(self, data: st.DataObject) -> None:
        at, names = self.streams.pop(data.draw(st.integers(0, len(self.streams) - 1)))
        self.states[at].close_stream(names)

    @rule(at=worker, name=st.sampled_from([*MOST]))
    def count(self, at: int, name: str) -> None:
        """However many are open somewhere: where that is the most, no other, else one more."""
        open_now = sum(name in held for _, held in self.streams)
        assert not self.states[at].open_stream({name: open_now})
        assert self.states[at].open_stream({name: open_now + 1})
        self.states[at].close_stream([name])

    @rule(at=worker, game=game, seat=seat, comes=st.booleans())
    def come_or_go(self, at: int, game: str, seat: str, comes: bool) -> None:
        if comes:
            self.states[at].enter(game, seat)
            self.present.add((at, game, seat))
        else:
            self.states[at].leave(game, seat)
            self.present.discard((at, game, seat))

    @rule(at=worker)
    def look_around(self, at: int) -> None:
        expected: dict[str, frozenset[str]] = {}
        for other, table, sits in self.present:
            if other != at:
                expected[table] = expected.get(table, frozenset()) | {sits}
        assert self.states[at].present_elsewhere() == expected

    @rule(at=worker, by=worker)
    def die(self, at: int, by: int) -> None:
        self.states[by].forget(at + 1)
        self.streams = [one for one in self.streams if one[0] != at]
        self.present = {one for one in self.present if one[0] != at}


class LimitsMachine(Workers):
    def __init__(self) -> None:
        super().__init__()
        self.now = Fraction(0)
        self.buckets = self.made_buckets()
        self.known = [KnownAddresses(lambda: float(self.now), state=state) for state in self.states]
        self.pots: dict[tuple[str, str], Pot] = {}
        self.seen: dict[str, Fraction] = {}
        self.sweeps = mock.patch.object(rate_limit, "SWEEP_EVERY", 2)
        self.sweeps.start()

    def clock(self) -> float:
        return float(self.now)

    def made_buckets(self) -> dict[tuple[int, str], TokenBuckets]:
        return {
            (number, kind): SharedTokenBuckets(
                float(rate), size, self.clock, kind=kind, state=state
            )
            for number, state in enumerate(self.states)
            for kind, (rate, size) in RATES.items()
        }

    def teardown(self) -> None:
        self.sweeps.stop()
        super().teardown()

    @rule(eighths=st.integers(1, 40))
    def time_goes_on(self, eighths: int) -> None:
        self.now += Fraction(eighths, 8)

    @rule(at=worker, kind=st.sampled_from([*RATES]), who=who, times=st.integers(1, 8))
    def take(self, at: int, kind: str, who: str, times: int) -> None:
        rate, size = RATES[kind]
        pot = self.pots.setdefault((kind, who), Pot(size, rate))
        for _ in range(times):
            assert (self.buckets[at, kind].take(who) == 0) == pot.take(self.now)

    @rule(at=worker, kind=st.sampled_from([*RATES]), who=who)
    def take_and_get_back(self, at: int, kind: str, who: str) -> None:
        """As with a good code: whoever else asks meanwhile, it costs nothing."""
        rate, size = RATES[kind]
        pot = self.pots.setdefault((kind, who), Pot(size, rate))
        if pot.take(self.now):
            assert self.buckets[at, kind].take(who) == 0
            self.buckets[at, kind].give_back(who)
            pot.give_back()

    @rule(at=worker, address=who)
    def somebody_good_asks(self, at: int, address: str) -> None:
        self.known[at].add(address)
        self.seen[address] = self.now

    @rule(at=worker, address=who, hours=st.sampled_from((0, 0, 1)))
    def is_it_known(self, at: int, address: str, hours: int) -> None:
        self.now += hours * Fraction(int(KNOWN_SECONDS))
        seen = self.seen.get(address)
        if seen is None or self.now - seen >= KNOWN_SECONDS:
            assert address not in self.known[at]
        elif self.now - seen < KNOWN_SECONDS - 1:  # it is not told again within a second
            assert address in self.known[at]


class OneWorkerMachine(LimitsMachine):
    """The same limits where there is one worker, whose threads count in its memory."""

    def made_buckets(self) -> dict[tuple[int, str], TokenBuckets]:
        made = {
            kind: TokenBuckets(float(rate), size, self.clock)
            for kind, (rate, size) in RATES.items()
        }
        return {(number, kind): made[kind] for number in range(WORKERS) for kind in RATES}


StreamsMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)
TestStreams = StreamsMachine.TestCase
LimitsMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestLimits = LimitsMachine.TestCase
OneWorkerMachine.TestCase.settings = LimitsMachine.TestCase.settings
TestLimitsOfOneWorker = OneWorkerMachine.TestCase


def test_the_threads_of_one_worker_take_from_one_bucket() -> None:
    buckets = TokenBuckets(1, 100, lambda: 0.0)
    with ThreadPoolExecutor(8) as pool:
        waits = [*pool.map(lambda _: buckets.take("ana"), range(400))]
    assert sum(wait == 0 for wait in waits) == 100


@pytest.mark.parametrize("path", [None, "state"])
def test_a_service_counts_with_its_other_workers_if_it_has_any(
    path: str | None, tmp_path: Path
) -> None:
    state = SharedState(None if path is None else tmp_path / path)
    service = Dispatcher.of(open_store_context("memory:"), Settings(), state)
    for buckets in (service.reads, service.address_reads, service.writes, service.wrong_codes):
        assert isinstance(buckets, SharedTokenBuckets) is (path is not None)
