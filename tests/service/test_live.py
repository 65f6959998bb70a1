"""Live streams of a real service: no gap, no repeat, whoever writes; and an end that waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from threading import Event as ThreadEvent
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.context import Caller, open_store_context
from answers.play.actions import log
from answers.play.lifecycle import hold, resume
from referee.store.envelopes import StoreError
from referee.store.witness import START, Checkpoint
from referee.table.author import Author
from service.auth import AccessControl, Principal
from service.event_hub import Feed, Rendered, ServerSentEvent, _of_store, event
from service.problems import HttpRefusal
from service.settings import Limits
from service.sse import AccessVersion, as_whom, still_admitted
from tests.opening import new_table
from tests.service.conftest import Club
from tests.service.running import Running, events, serving
from tests.waiting import PATIENCE, awaited


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture
def game(service: Running) -> str:
    said = {"game": "benevolent", "table": "A=blue B=red first A"}
    status, body = service.ask("POST", "/games", said)
    assert status == 200, body
    name: str = body["data"]["game"]
    return name


def texts(found: list[tuple[int, dict[str, Any]]]) -> list[str | None]:
    return [data["text"] for _, data in found]


def test_what_is_logged_is_told_at_once(service: Running, game: str) -> None:
    with service.listening(f"/games/{game}/events") as stream:
        assert stream.status == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        service.ask("POST", f"/games/{game}/actions", {"lines": ["forest S1A S2A"]})
        ((id, data),) = events(stream, 1)
    assert (id, data["kind"], data["text"]) == (1, "logged", "forest S1A S2A")
    assert data["told"] == "#1 The forest is laid: S1A and S2A"


def test_who_comes_back_misses_nothing_and_hears_nothing_twice(service: Running, game: str) -> None:
    service.ask("POST", f"/games/{game}/actions", {"lines": ["forest S1A S2A"]})
    heard: list[int] = []
    last = -1
    for number in range(3):
        service.ask("POST", f"/games/{game}/notes", {"on": "1", "text": f"note {number}"})
        with service.listening(f"/games/{game}/events", last) as stream:
            service.ask("POST", f"/games/{game}/notes", {"on": "1", "text": "meanwhile"})
            expected = 2 + 2 * (number + 1) - len(heard)
            heard += [id for id, _ in events(stream, expected)]
        last = heard[-1]
    assert heard == list(range(8))


@pytest.mark.parametrize("seen", [None, 0, 2])
@pytest.mark.parametrize("begun", [None, -1, 0, 1])
def test_who_comes_back_goes_on_behind_what_was_seen_last_wherever_it_began(
    service: Running, game: str, begun: int | None, seen: int | None
) -> None:
    """A browser that reconnects asks for the same address, and says what it has seen."""
    service.ask("POST", f"/games/{game}/actions", {"lines": ["forest S1A S2A"]})
    for number in range(2):
        service.ask("POST", f"/games/{game}/notes", {"on": "1", "text": f"note {number}"})
    last = 3
    path = f"/games/{game}/events" + ("" if begun is None else f"?after={begun}")
    after = seen if seen is not None else begun if begun is not None else last
    with service.listening(path, seen) as stream:
        service.ask("POST", f"/games/{game}/notes", {"on": "1", "text": "meanwhile"})
        told = [id for id, _ in events(stream, last + 1 - after)]
    assert told == list(range(after + 1, last + 2))


@pytest.mark.parametrize("path", ["/games/{game}/events", "/events"])
def test_who_has_seen_more_than_there_is_hears_what_comes_next(
    service: Running, game: str, path: str
) -> None:
    """As after a restored backup: it is not kept waiting for a number that is far away."""
    with service.listening(path.format(game=game), 9999) as stream:
        service.ask("POST", f"/games/{game}/hold", {})
        ((_, told),) = events(stream, 1)
    assert told["kind"] == "held"


def test_what_other_programs_write_is_told_too(service: Running, tmp_path_factory: Any) -> None:
    folder = next(tmp_path_factory.getbasetemp().glob("service*"))
    store_context = open_store_context(f"sqlite://{folder}/games.db")
    scribe = Caller(store_context)
    opened = new_table(scribe, "benevolent", "A=blue B=red first A")
    with service.listening(f"/games/{opened}/events") as stream:
        log(scribe, opened, ["forest S1A S2A"])
        assert texts(events(stream, 1)) == ["forest S1A S2A"]
    store_context.store.close()


def metrics(service: Running) -> str:
    connection = HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    connection.request("GET", "/api/metrics", headers={"Authorization": f"Bearer {service.token}"})
    told = connection.getresponse().read().decode()
    connection.close()
    return told


def test_a_stream_that_is_open_is_not_a_request_under_way(service: Running, game: str) -> None:
    with service.listening(f"/games/{game}/events") as stream:
        stream.readline()
        deadline = monotonic() + PATIENCE
        while "referee_streams 1\n" not in (told := metrics(service)):  # one before may be closing
            assert monotonic() < deadline, told
    assert "referee_requests_under_way 1\n" in told, "the one that asks"


def test_judges_hear_the_calls_of_all_tables(service: Running, game: str) -> None:
    service.ask("POST", f"/games/{game}/actions", {"lines": ["forest S1A S2A"]})
    with service.listening("/events") as stream:
        service.ask("POST", f"/games/{game}/disputes", {"number": 1, "text": "hm"})
        service.ask("POST", f"/games/{game}/hold", {})
        heard = events(stream, 2)
    assert [(data["game"], data["kind"]) for _, data in heard] == [
        (game, "disputed"),
        (game, "held"),
    ]
    with service.listening("/events", heard[0][0]) as stream:
        assert events(stream, 1) == heard[1:]


def test_a_judge_hears_a_call_behind_more_moves_than_are_read_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.event_hub.BATCH", 3)
    store_context = open_store_context("memory:")
    scribe = Caller(store_context)
    opened = new_table(scribe, "pebbles", "A B first A")
    render = _of_store(
        AccessControl(store_context), Caller(store_context, Author("pjudge", "judge"))
    )
    (first,) = render(0).events
    for _ in range(8):
        log(scribe, opened, ["take 1"])
        assert render(first.id) == Rendered([])
    hold(scribe, opened)
    (told,) = render(first.id).events
    assert b'"held"' in told.content


@pytest.mark.parametrize("start", range(7))
def test_judges_hear_the_same_calls_behind_an_entry_whoever_came_before_them(
    start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers of one channel come back with any id, in any order."""
    monkeypatch.setattr("service.event_hub.BATCH", 2)
    store_context = open_store_context("memory:")
    access_control = AccessControl(store_context)
    scribe, judge = Caller(store_context), Caller(store_context, Author("pjudge", "judge"))
    opened = new_table(scribe, "pebbles", "A B first A")
    log(scribe, opened, ["take 1"])
    hold(scribe, opened)
    resume(scribe, opened)
    log(scribe, opened, ["take 1", "take 2"])
    end = store_context.store.position()
    together = _of_store(access_control, judge)
    for after in (start, *range(end + 1), *reversed(range(end + 1))):
        assert together(after) == _of_store(access_control, judge)(after), after
        calls = [number for number, entry in store_context.store.follow(after)
                 if not entry.topic.startswith("logged@")]  # fmt: skip
        assert [told.id for told in together(after).events][:2] == calls[:2]


def test_a_tournament_is_told_too(service: Running) -> None:
    said = {"name": "Spring", "game": "benevolent"}
    tournament = service.ask("POST", "/tournaments", said)[1]["data"]["tournament"]
    with service.listening(f"/tournaments/{tournament}/events") as stream:
        said = {"players": [{"name": "Ana"}]}
        service.ask("POST", f"/tournaments/{tournament}/players", said)
        ((id, data),) = events(stream, 1)
    assert (id, data["kind"]) == (1, "player_registered")


def test_a_stream_is_for_those_who_may_look(service: Running, game: str) -> None:
    said = {"role": "spectator", "scope": game}
    spectator = service.ask("POST", "/access/tokens", said)[1]["data"]["token"]
    with service.listening(f"/games/{game}/events", token=spectator) as stream:
        assert stream.status == 200
    for path in ("/events", "/games/game-zzzzzzzz/events"):
        with service.listening(path, token=spectator) as stream:
            assert stream.status in (403, 404)
    with service.listening(f"/games/{game}/events", token="nonsense") as stream:
        assert stream.status == 401


def test_spectators_hear_it_later(service: Running, game: str) -> None:
    service.ask("PATCH", f"/games/{game}/access", {"delay_seconds": 2})
    said = {"role": "spectator", "scope": game}
    spectator = service.ask("POST", "/access/tokens", said)[1]["data"]["token"]
    with (
        service.listening(f"/games/{game}/events", 0, token=spectator) as later,
        service.listening(f"/games/{game}/events", 0) as now,
    ):
        at = monotonic()
        service.ask("POST", f"/games/{game}/actions", {"lines": ["forest S1A S2A"]})
        events(now, 1)
        assert texts(events(later, 1)) == ["forest S1A S2A"]
        assert monotonic() - at > 1


def test_many_readers_and_writers_hear_every_entry_once(service: Running, game: str) -> None:
    service.ask("POST", f"/games/{game}/actions", {"lines": ["forest S1A S2A"]})
    heard: dict[int, list[int]] = {}

    def listen(number: int) -> None:
        with service.listening(f"/games/{game}/events", 1) as stream:
            ready.wait()
            heard[number] = [id for id, _ in events(stream, 20)]

    def write() -> None:
        for _ in range(5):
            noted = service.ask("POST", f"/games/{game}/notes", {"on": "1", "text": "hm"})
            assert noted[0] == 200, noted

    ready = threading.Barrier(9)
    readers = [threading.Thread(target=listen, args=(number,)) for number in range(8)]
    for reader in readers:
        reader.start()
    ready.wait(PATIENCE)
    writers = [threading.Thread(target=write) for _ in range(4)]
    for thread in writers:
        thread.start()
    for thread in (*writers, *readers):
        thread.join(PATIENCE)
    assert set(map(tuple, heard.values())) == {tuple(range(2, 22))}
    assert len(heard) == 8


def test_the_end_waits_for_what_goes_on_and_lets_readers_go(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        said = {"game": "benevolent", "table": "A=blue B=red first A"}
        game = service.ask("POST", "/games", said)[1]["data"]["game"]
        with service.listening(f"/games/{game}/events") as stream:
            stream.readline()
            assert service.stop() == 0
            assert stream.read().strip() in (b"", b"id: 0")


# channels


def rendered(rows: list[ServerSentEvent], waits: bool = False) -> Callable[[int], Rendered]:
    return lambda after: Rendered([told for told in rows if told.id > after], waits)


def test_a_channel_renders_an_entry_once_for_all_its_readers() -> None:
    calls = []
    rows = [event("entry", number, {}) for number in range(3)]

    def render(after: int) -> Rendered:
        calls.append(after)
        return rendered(rows)(after)

    async def read() -> None:
        channel = Feed(render, -1, 10)
        channel.touch()
        for _ in range(50):
            assert [told.id for told in await channel.behind(-1, -1)] == [0, 1, 2]
        assert [told.id for told in await channel.behind(1, -1)] == [2]

    awaited(read())
    assert calls == [-1]


def test_what_was_stored_before_the_first_reader_subscribed_is_told() -> None:
    """Between the look at the stream and the subscription nobody is woken for it."""

    async def read() -> None:
        channel = Feed(rendered([event("entry", 5, {})]), 4, 10)
        assert [told.id for told in await channel.behind(4, -1)] == [5]

    awaited(read())


def test_entries_that_nobody_follows_are_counted_and_the_next_are_told(
    make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.event_hub.TICK", 0.01)
    monkeypatch.setattr("referee.store.subscription.BATCH", 2)
    club = make_club()
    hub = club.client.app.state.hub  # type: ignore[attr-defined]
    said = {"game": "pebbles", "table": "A B first A"}
    before = hub.metrics.events
    games = [club.post("/games", "organiser", said).json()["data"]["game"] for _ in range(7)]
    deadline = monotonic() + PATIENCE
    while hub.metrics.events < before + 7:
        assert monotonic() < deadline
    with ExitStack() as stack:
        feed = stack.enter_context(hub.subscribe((games[0],), lambda: Feed(rendered([]), 0, 5)))
        touched = feed._touched
        club.post(f"/games/{games[0]}/notes", "organiser", {"on": "0", "text": "hm"})
        while feed._touched == touched or hub.metrics.events < before + 8:
            assert monotonic() < deadline
    assert hub.metrics.events == before + 8


def test_a_channel_forgets_what_is_long_ago_and_tells_it_from_the_store() -> None:
    rows = [event("entry", number, {}) for number in range(30)]

    async def read() -> None:
        channel = Feed(rendered(rows), -1, 10)
        channel.touch()
        assert [told.id for told in await channel.behind(25, -1)] == [26, 27, 28, 29]
        assert [told.id for told in await channel.behind(-1, -1)] == list(range(30))

    awaited(read())


def test_a_channel_whose_store_was_away_looks_again_by_itself() -> None:
    answers = iter([StoreError("unreachable", path=""), Rendered([event("entry", 0, {})])])

    def render(after: int) -> Rendered:
        answer = next(answers)
        if isinstance(answer, StoreError):
            raise answer
        return answer

    async def read() -> None:
        channel = Feed(render, -1, 10)
        channel.touch()
        assert await channel.behind(-1, -1) == []
        await channel.wait(10 * PATIENCE)
        assert [told.id for told in await channel.behind(-1, -1)] == [0]

    awaited(read())


def test_a_stream_shows_that_it_is_alive_however_often_it_looks(
    make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = make_club().client.app.state.hub  # type: ignore[attr-defined]
    monkeypatch.setattr("service.event_hub.TICK", 0.001)
    hub.settings = replace(hub.settings, ping=0.05)

    async def first() -> bytes:
        sign: bytes = await anext(hub.follow(Feed(rendered([], waits=True), -1, 5), -1))
        return sign

    assert awaited(first()).startswith(b":")


@pytest.mark.parametrize(
    ("error", "kept"),
    [(StoreError("unreachable", path=""), True), (HttpRefusal("role", "x"), False)],
)
def test_a_reader_is_kept_while_nothing_is_known_against_it_but_told_nothing(
    error: Exception, kept: bool
) -> None:
    async def admitted() -> None:
        version = AccessVersion(lambda: Checkpoint(2, START))
        asked = still_admitted(version, refuse, ("judge", "", "p1"), Checkpoint(1, START))
        assert await asked(b": alive") is kept
        assert await asked(b"id: 1") is False

    def refuse() -> tuple[str, ...]:
        raise error

    awaited(admitted())


def test_what_goes_wrong_where_a_reader_is_asked_again_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def asked() -> None:
        version = AccessVersion(lambda: Checkpoint(2, START))
        admitted = still_admitted(version, fail, ("judge", "", "p1"), Checkpoint(1, START))
        assert await admitted(b"id: 1") is False

    def fail() -> tuple[str, ...]:
        raise RuntimeError("a mistake of ours")

    awaited(asked())
    assert "a mistake of ours" in caplog.text


@given(st.lists(st.sampled_from(("change", "tell", "refuse", "let in")), max_size=12))
def test_a_reader_is_asked_again_whenever_access_has_changed_and_never_else(
    steps: list[str],
) -> None:
    """Beside the simplest of all: whoever is let in now is told."""
    let_in, number, asked = True, 1, 0

    def admit() -> tuple[str, ...]:
        nonlocal asked
        asked += 1
        if not let_in:
            raise HttpRefusal("role", "x")
        return as_whom(judge)

    async def follow() -> None:
        nonlocal let_in, number
        version = AccessVersion(lambda: Checkpoint(number, START))
        admitted = still_admitted(version, admit, as_whom(judge), await version.now())
        known = number
        for step in steps:
            if step == "tell":
                before = asked
                assert await admitted(b"id: 1") is let_in
                assert asked - before == (known != number)
                if not let_in:
                    return
                known = number
            else:
                number += 1
                let_in = let_in if step == "change" else step == "let in"

    judge = Caller(open_store_context("memory:"), Author("p1", "judge"))
    awaited(follow())


def test_many_who_ask_at_once_share_one_look_that_is_not_older_than_their_question() -> None:
    number, looks, begun, goes_on = 1, 0, ThreadEvent(), ThreadEvent()

    def look() -> Checkpoint:
        nonlocal looks
        looks += 1
        found = Checkpoint(number, START)
        begun.set()
        goes_on.wait(PATIENCE)
        return found

    async def ask() -> None:
        nonlocal number
        version = AccessVersion(look)
        early = [asyncio.create_task(version.now()) for _ in range(20)]
        await asyncio.to_thread(begun.wait, PATIENCE)
        number = 2
        late = [asyncio.create_task(version.now()) for _ in range(20)]
        await asyncio.sleep(0)
        early[0].cancel()
        goes_on.set()
        assert {found.number for found in await asyncio.gather(*early[1:])} == {1}
        assert {found.number for found in await asyncio.gather(*late)} == {2}
        assert looks == 2

    awaited(ask())


def test_a_reader_that_is_too_far_behind_is_let_go(make_club: Callable[..., Club]) -> None:
    club = make_club(limits=Limits(behind=5))
    hub = club.client.app.state.hub  # type: ignore[attr-defined]
    rows = [event("entry", number, {}) for number in range(30)]

    async def read() -> list[bytes]:
        channel = Feed(rendered(rows), -1, 5)
        channel.touch()
        return [content async for content in hub.follow(channel, -1)]

    (told,) = awaited(read())
    given = [b"id: %d\n" % number for number in range(5)]
    assert [line for line in told.splitlines(keepends=True) if line in given] == given
    assert told.count(b"id: ") == 5, "the reader asks for the rest"
    assert club.client.app.state.metrics.dropped == 1  # type: ignore[attr-defined]


def test_a_burst_wakes_the_readers_together_and_a_quiet_hour_at_once() -> None:
    rows: list[ServerSentEvent] = []

    async def woken() -> list[int]:
        feed, told, last = Feed(rendered(rows), -1, 50), [], -1
        for number in range(20):
            rows.append(event("entry", number, {}))
            feed.touch_soon()
        while last < 19:
            new = await feed.behind(last, -1)
            told += [len(new)] if new else []
            last = new[-1].id if new else last
            await feed.wait(PATIENCE)
        return told

    told = awaited(woken())
    assert sum(told) == 20
    assert len(told) <= 2, "the first at once, all others together"


def test_one_visitor_has_so_many_streams(make_club: Callable[..., Club]) -> None:
    club = make_club(limits=Limits(streams=4, streams_of_one=2, streams_of_address=3))
    hub = club.client.app.state.hub  # type: ignore[attr-defined]

    def reading(name: str, address: str) -> AbstractContextManager[None]:
        principal = Principal(address) if name == "" else Principal(name, scope="game-a")
        reading: AbstractContextManager[None] = hub.reading(principal, address)
        return reading

    cases = {
        "one token": [("ana", "1"), ("ana", "2"), ("ana", "3")],
        "one address": [("ana", "1"), ("bo", "1"), ("", "1"), ("", "1")],
        "all together": [("ana", "1"), ("", "1"), ("", "2"), ("bo", "2"), ("cy", "3")],
    }
    for called, visitors in cases.items():
        with ExitStack() as open_streams:
            for each in visitors[:-1]:
                open_streams.enter_context(reading(*each))
            with pytest.raises(HttpRefusal), reading(*visitors[-1]):
                pytest.fail(called)
    with reading("ana", "1"):
        pass


def test_streams_that_were_followed_and_left_leave_nothing_behind(
    make_club: Callable[..., Club],
) -> None:
    club = make_club()
    hub = club.client.app.state.hub  # type: ignore[attr-defined]

    def sizes() -> list[int]:
        counted = hub._state.rows("SELECT * FROM streams UNION ALL SELECT * FROM present")
        return [len(each) for each in (hub._feeds, hub._by_stream, counted, hub._present)]

    before = sizes()
    for number in range(50):
        game = f"game-{number}"
        keys = [(game, view, lang) for view in ("public", "seat:A") for lang in ("en", "fr")]
        with ExitStack() as reading:
            for key in [*keys, keys[0]]:
                reading.enter_context(hub.reading(Principal(f"visitor {number}"), "1"))
                reading.enter_context(hub.subscribe(key, lambda: Feed(rendered([]), -1, 5)))
                reading.enter_context(hub.present(game, "A"))
            assert sizes() == [4, 1, 4, 1], "by address, who watch, all; and presence"
    assert sizes() == before == [0, 0, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_a_seat_is_present_while_any_of_its_devices_follows(
    make_club: Callable[..., Club], seed: int
) -> None:
    """Phones and tablets that come and go in any order, here and as other workers are told."""
    random = Random(seed)
    hub = make_club().client.app.state.hub  # type: ignore[attr-defined]
    open_devices: list[tuple[str, str, ExitStack]] = []
    for _ in range(60):
        if open_devices and random.random() < 0.5:
            open_devices.pop(random.randrange(len(open_devices)))[2].close()
        else:
            game, seat = random.choice(("game-1", "game-2")), random.choice("ABC")
            device = ExitStack()
            device.enter_context(hub.present(game, seat))
            open_devices.append((game, seat, device))
        there = sorted({(game, seat) for game, seat, _ in open_devices})
        told = hub._state.rows("SELECT game, seat FROM present ORDER BY game, seat")
        assert [tuple(row) for row in told] == there
        for game in ("game-1", "game-2"):
            assert hub.seats_present(game) == [seat for at, seat in there if at == game]
    for _, _, device in open_devices:
        device.close()


def test_a_feed_is_kept_as_long_as_anybody_follows_it(make_club: Callable[..., Club]) -> None:
    hub = make_club().client.app.state.hub  # type: ignore[attr-defined]
    english, french = ("game-1", "public", "en"), ("game-1", "public", "fr")

    def make() -> Feed:
        return Feed(rendered([]), -1, 5)

    with hub.subscribe(english, make) as first:
        with hub.subscribe(french, make), hub.subscribe(english, make) as again:
            assert again is first
        first._stale = False
        hub._stored({"game-1"}, 1)
        assert first._stale, "it is still told of what is stored"


def test_opening_a_stream_takes_one_token_of_the_rate_limit(
    make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    club = make_club()
    service = club.client.app.state.service  # type: ignore[attr-defined]
    taken: list[str] = []
    take = type(service.reads).take
    monkeypatch.setattr(
        type(service.reads), "take", lambda self, who: taken.append(who) or take(self, who)
    )
    monkeypatch.setattr("service.event_hub.EventHub.reading", _no_room)
    assert club.get("/events", "judge").status_code == 429
    assert len(taken) == 1


def _no_room(*_: object) -> Any:
    raise HttpRefusal("too_often", "too_many_streams")


def test_only_get_opens_a_stream(make_club: Callable[..., Club]) -> None:
    reply = make_club().ask("HEAD", "/events", "judge")
    assert (reply.status_code, reply.headers["allow"]) == (405, "GET")
