"""Limits and admissions, asked at random, against a model that keeps a naive book of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from answers.context import open_store_context
from answers.operations import OPERATIONS
from referee.archive.read_models import keeping_views
from service.auth import AccessControl, Principal
from service.client_timeouts import Neighbours
from service.dispatch import Dispatcher
from service.event_hub import EventHub
from service.http_messages import HttpRequest
from service.metrics import Metrics
from service.problems import HttpRefusal
from service.rate_limit import KNOWN_SECONDS, KnownAddresses, TokenBuckets
from service.settings import Limits, Settings
from tests.service.conftest import Club

LIMITS = Limits(
    reads_a_second=2,
    reads_a_second_of_address=4,
    writes_a_second=1,
    burst_seconds=2,
    wrong_codes_a_minute=6,
    streams=5,
    streams_of_one=2,
    streams_of_address=3,
    streams_to_watch=4,
)
TOKENS = ("t0", "t1", "t2")
ADDRESSES = ("10.0.0.1", "10.0.0.2")


@dataclass
class Pot:
    """So many may come at once, and one more each so many seconds."""

    size: int
    a_second: Fraction
    used: list[Fraction] = field(default_factory=list)
    """When each of those that are used up comes back, the first one first."""

    def take(self, now: Fraction) -> bool:
        self.used = [back for back in self.used if back > now]
        if len(self.used) >= self.size:
            return False
        start = self.used[-1] if self.used else now
        self.used.append(start + 1 / self.a_second)
        return True

    def give_back(self) -> None:
        self.used.pop()


class LimitsMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.now = Fraction(0)
        self.store_context = open_store_context("memory:")
        self.lists = ExitStack()
        self.lists.enter_context(keeping_views(self.store_context.store))

        def buckets(a_second: float, size: float) -> TokenBuckets:
            return TokenBuckets(a_second, size, clock=lambda: float(self.now))

        chosen = Settings(hosts=("here",), limits=LIMITS)
        access_control = AccessControl(self.store_context)
        self.service = Dispatcher(
            access_control,
            chosen,
            buckets(2, 4),
            buckets(4, 8),
            buckets(1, 2),
            buckets(0.1, 6),
            buckets(1, 60),
            KnownAddresses(clock=lambda: float(self.now)),
        )
        self.hub = EventHub(access_control, chosen, Metrics())
        self.pots: dict[str, Pot] = {}
        self.streams: list[tuple[str, str, bool, ExitStack]] = []
        self.revoked: set[str] = set()
        self.known: dict[str, Fraction] = {}

    @initialize()
    def begin(self) -> None:
        self.given = {
            name: self.store_context.access.give("organiser", "", name) for name in TOKENS
        }
        _, self.code = self.store_context.access.make_code("spectator", "", "anonymous", once=False)

    def teardown(self) -> None:
        for *_, stream in self.streams:
            stream.close()
        self.lists.close()

    def pot(self, kind: str, who: str) -> Pot:
        sizes = {"reads": (4, 2), "address": (8, 4), "writes": (2, 1), "codes": (6, "1/10")}
        size, a_second = sizes[kind]
        return self.pots.setdefault(f"{kind} {who}", Pot(size, Fraction(a_second)))

    def ask(self, operation: str, address: str, token: str | None = None, body: bytes = b"") -> int:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        asked = HttpRequest("GET", {}, [], headers, {}, body, address, False)
        return self.service.reply(OPERATIONS[operation], asked).status

    @rule(quarters=st.integers(1, 200))
    def time_goes_on(self, quarters: int) -> None:
        self.now += Fraction(quarters, 4)

    @rule(name=st.sampled_from(TOKENS), address=st.sampled_from(ADDRESSES))
    def read_with_a_token(self, name: str, address: str) -> None:
        if name in self.revoked:
            expected = 401 if self.pot("writes", f"unknown {address}").take(self.now) else 429
        else:
            self.known[address] = self.now
            expected = 200 if self.pot("reads", name).take(self.now) else 429
        assert self.ask("games", address, self.given[name][1]) == expected

    @rule(address=st.sampled_from(ADDRESSES))
    def read_without_one(self, address: str) -> None:
        expected = 200 if self.pot("address", address).take(self.now) else 429
        assert self.ask("games", address) == expected

    @rule(address=st.sampled_from(ADDRESSES), good=st.booleans(), times=st.integers(1, 8))
    def join(self, address: str, good: bool, times: int) -> None:
        for _ in range(times):
            pot = self.pot("codes", address)
            expected = 429
            seen = self.known.get(address)
            if seen is not None and self.now - seen < KNOWN_SECONDS:
                expected = 200 if good else 403
                if good and pot.used:
                    pot.give_back()
            elif pot.take(self.now):
                expected = 200 if good else 403
                if good:
                    pot.give_back()
            said = json.dumps({"code": self.code if good else "AAAA-AAAA"}).encode()
            assert self.ask("join", address, body=said) == expected

    @rule(name=st.sampled_from(TOKENS))
    def revoke(self, name: str) -> None:
        assert self.store_context.access.revoke(self.given[name][0].id) == (
            name not in self.revoked
        )
        self.revoked.add(name)

    @rule(
        name=st.sampled_from((*TOKENS, "")),
        address=st.sampled_from(ADDRESSES),
        plays=st.booleans(),
    )
    def open_a_stream(self, name: str, address: str, plays: bool) -> None:
        role = "seat:A" if plays and name else "spectator"
        principal = Principal(name, role, scope="") if name else Principal(address)
        watching = [at for _, at, watches, _ in self.streams if watches]
        allowed = len(self.streams) < LIMITS.streams and (
            role != "spectator"
            or (
                len(watching) < LIMITS.streams_to_watch
                and watching.count(address) < LIMITS.streams_of_address
            )
        )
        if name:
            own = sum(who == name for who, *_ in self.streams)
            allowed = allowed and own < LIMITS.streams_of_one
        stream = ExitStack()
        if allowed:
            stream.enter_context(self.hub.reading(principal, address))
            self.streams.append((name, address, role == "spectator", stream))
        else:
            with pytest.raises(HttpRefusal):
                stream.enter_context(self.hub.reading(principal, address))

    @precondition(lambda self: self.streams)
    @rule(data=st.data())
    def leave_a_stream(self, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(self.streams) - 1))
        self.streams.pop(at)[3].close()
        assert self.hub.metrics.streams == len(self.streams)


LimitsMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestLimits = LimitsMachine.TestCase


class Line:
    """A connection that is idle or busy."""

    def __init__(self) -> None:
        self.is_idle, self.dropped = True, False

    def drop(self) -> None:
        self.dropped = True


class ConnectionsMachine(RuleBasedStateMachine):
    """One address never has more than its share, and who asks is never dropped for who idles."""

    def __init__(self) -> None:
        super().__init__()
        self.neighbours = Neighbours(3)
        self.here: dict[str, list[Line]] = {address: [] for address in ADDRESSES}

    @rule(address=st.sampled_from(ADDRESSES))
    def connect(self, address: str) -> None:
        newcomer, there = Line(), self.here[address]
        idle = [line for line in there if line.is_idle]
        leaving = None if len(there) < 3 else idle[0] if idle else newcomer
        self.neighbours.add(address, newcomer)
        there.append(newcomer)
        if leaving is not None:
            there.remove(leaving)
        assert [line.dropped for line in (*there, *filter(None, [leaving]))] == [
            *(False for _ in there),
            *(True for _ in filter(None, [leaving])),
        ]
        assert self.neighbours.count(address) == len(there) <= 3

    @precondition(lambda self: any(self.here.values()))
    @rule(data=st.data(), leaves=st.booleans())
    def ask_or_leave(self, data: st.DataObject, leaves: bool) -> None:
        address = data.draw(st.sampled_from([a for a, there in self.here.items() if there]))
        line = data.draw(st.sampled_from(self.here[address]))
        if leaves:
            self.neighbours.remove(address, line)
            self.here[address].remove(line)
        else:
            line.is_idle = not line.is_idle


ConnectionsMachine.TestCase.settings = settings(max_examples=60, deadline=None)
TestConnections = ConnectionsMachine.TestCase


@given(st.lists(st.integers(0, 2), min_size=20, max_size=60))
def test_a_refused_request_neither_costs_nor_brings_anything(eighths: list[int]) -> None:
    now = Fraction(0)
    buckets, pot = TokenBuckets(2, 4, clock=lambda: float(now)), Pot(4, Fraction(2))
    for wait in eighths:
        now += Fraction(wait, 8)
        retry_after = buckets.take("somebody")
        assert (retry_after == 0) == pot.take(now)
        assert 0 <= retry_after <= 0.5


def test_a_hall_of_phones_behind_one_address_is_let_in() -> None:
    limits = Limits()
    hub = EventHub(AccessControl(open_store_context("memory:")), Settings(limits=limits), Metrics())
    with ExitStack() as open_streams:
        for _ in range(500):
            open_streams.enter_context(hub.reading(Principal("192.0.2.7"), "192.0.2.7"))
    assert limits.reads_a_second_of_address * limits.burst_seconds >= 500
    assert limits.connections_of_address >= 3 * 500
    assert limits.connections_of_address < limits.connections
    assert limits.streams_of_address <= limits.streams_to_watch < limits.streams
    assert limits.streams - limits.streams_to_watch >= 500


@pytest.mark.parametrize("signed_in", [True, False])
def test_who_tries_out_codes_is_kept_waiting_and_does_not_lock_a_hall_out(
    make_club: Callable[..., Club], signed_in: bool
) -> None:
    """Good codes behind the address of somebody who has none."""
    club = make_club(limits=Limits(wrong_codes_a_minute=6))
    _, code = club.store_context.access.make_code("spectator", "", "anonymous", once=False)
    if signed_in:
        club.get("/games", "organiser")

    def joins(said: str) -> int:
        return club.post("/join", said={"code": said}).status_code

    assert {joins("AAAA-AAAA") for _ in range(20)} == ({403} if signed_in else {403, 429})
    assert joins(code) == (200 if signed_in else 429)


def test_spectators_leave_live_places_to_who_plays() -> None:
    hub = EventHub(AccessControl(open_store_context("memory:")), Settings(), Metrics())
    with ExitStack() as open_streams:
        for host in range(3):
            for _ in range(1000):
                with suppress(HttpRefusal):
                    watching = hub.reading(Principal(f"192.0.2.{host}"), f"192.0.2.{host}")
                    open_streams.enter_context(watching)
        assert hub.metrics.streams == Limits().streams_to_watch
        player = Principal("t1", "player", "tournament-1", "pana")
        open_streams.enter_context(hub.reading(player, "192.0.2.0"))
