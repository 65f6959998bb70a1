"""Publish/subscribe for live streams: one thread tails the store, feeds fan its entries out.

A feed renders an entry once for all subscribers with the same view and language. Back-pressure:
subscribers pull from their feed, so that a slow one delays nobody; one that falls too far behind
is disconnected, and resumes with the id of the last event it has seen.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import contextmanager
from itertools import takewhile
from threading import Event, Lock, Thread
from time import monotonic, time
from typing import TYPE_CHECKING, Any, NamedTuple

from answers.context import Caller
from answers.i18n import Voice
from answers.play.info import ended_by, result_of
from answers.review.entries import entry_rows
from answers.tournament.broadcast import broadcast
from engines.kernel import Flaw, ParseError
from referee.record.entries import KINDS, ONLOOKERS, SPECTATOR
from referee.secrecy.redaction import seen
from referee.store.envelopes import StoreError
from referee.table.unreadable import is_unreadable
from referee.tournament.events import PenaltyGiven, PointPenaltyCancelled
from service.auth import AccessControl, Principal
from service.metrics import Metrics
from service.problems import HttpRefusal
from service.settings import Settings
from service.shared_state import SharedState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.record.game import Game
    from referee.store.envelopes import Stored
    from referee.store.subscription import Follower
    from referee.tournament import desk

CALLS = frozenset(KINDS) - {"logged", "noted", "unnoted", "signed", "sealed"}
"""Kinds of entries that are reported to judges."""
HALL_CALLS = frozenset(("judge_called", "call_taken", "call_answered", "zones_set"))
"""The same for the events of a tournament."""
TICK = 1.0
"""Poll interval in seconds where no notification of the store says that there is something new:
a broadcast delay that runs out, or a store that could not be read."""
BATCH = 500
BREATH = 0.1
"""Seconds between two wakings of the subscribers of a feed where entries come in a burst."""
LOOK_AROUND = 0.1
"""Seconds between two looks at what the other workers tell."""
COUNTED_EVERY = 5.0
"""Seconds after which readers of a broadcast are told how many they are, if that has changed."""
_BROADCAST = "broadcast"
_ALL, _WATCHING = "all", "watching"
"""Under which all streams are counted, and those of all spectators."""
log = logging.getLogger("referee.service")


class ServerSentEvent(NamedTuple):
    """An event in the wire format of SSE."""

    id: int
    content: bytes


class Rendered(NamedTuple):
    """The events after an id that a subscriber may see by now."""

    events: Sequence[ServerSentEvent]
    waits: bool = False
    """Whether more may become visible as time passes, though nothing more is stored."""


Render = Callable[[int], Rendered]
"""Renders what comes after an id; called in a thread."""


def event(kind: str, id: int, data: Any) -> ServerSentEvent:
    return ServerSentEvent(id, f"id: {id}\nevent: {kind}\ndata: {_json(data)}\n\n".encode())


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Feed:
    """The latest events of one stream, rendered for one view and language, and its subscribers."""

    def __init__(self, render: Render, last: int, keep: int) -> None:
        self._render, self._keep = render, keep
        self.last = last
        """The last event that was told here."""
        self._rows: deque[ServerSentEvent] = deque(maxlen=keep)
        self._floor = last
        self._lock = asyncio.Lock()
        self._stale = True  # something may have been stored since ``last`` was looked up
        self._changed = asyncio.Event()
        self._touched = 0.0
        self._soon: asyncio.TimerHandle | None = None
        self.asked_again = 0
        """Counts up when somebody's access may have ended, so that subscribers are asked again."""
        self.ticking = False
        """Whether something is held back, for which it looks again as time passes."""
        self.readers = 0
        self._caught_up = 0.0

    def touch(self) -> None:
        """Wake the subscribers: something was stored, or time has passed."""
        self._touched = monotonic()
        self._stale = True
        self._changed.set()
        self._changed = asyncio.Event()

    def touch_soon(self) -> None:
        """The same, at once if all was quiet: in a burst, one waking tells several entries."""
        if self._soon is not None:
            return
        wait = self._touched + BREATH - monotonic()
        if wait <= 0:
            self.touch()
        else:
            self._soon = asyncio.get_running_loop().call_later(wait, self._touch_now)

    def _touch_now(self) -> None:
        self._soon = None
        self.touch()

    def ask_again(self) -> None:
        """Wake the subscribers to check their access again."""
        self.asked_again += 1
        self.touch()

    async def behind(self, id: int, came: int) -> Sequence[ServerSentEvent]:
        """The events after this id, so far, to who ``came`` when that was the last one told here.

        What was told before is rendered anew: it may have been told under other rules, or of a
        game that has gone back since.
        """
        async with self._lock:
            if self._stale:
                self._stale = False
                await self._catch_up()
        if id < max(self._floor, came):
            return (await asyncio.to_thread(self._render, id)).events
        newest_first = takewhile(lambda told: told.id > id, reversed(self._rows))
        return [*newest_first][::-1]

    async def wait(self, seconds: float) -> None:
        """Wait until something may be new, at most so many seconds."""
        changed = self._changed
        soon = self.ticking or self._stale  # the store could not be read: it may be back
        try:
            async with asyncio.timeout(min(seconds, TICK) if soon else seconds):
                await changed.wait()
        except TimeoutError:
            # Time has passed for all who wait: only one of them looks.
            passed = asyncio.get_running_loop().time() - self._caught_up
            self._stale = self._stale or (self.ticking and passed >= TICK * 0.9)

    async def _catch_up(self) -> None:
        self._caught_up = asyncio.get_running_loop().time()
        try:
            new, self.ticking = await asyncio.to_thread(self._render, self.last)
        except StoreError:
            self._stale = True
            return
        for told in new:
            if len(self._rows) == self._keep:
                self._floor = self._rows[0].id
            self._rows.append(told)
            self.last = told.id


class EventHub:
    """The feeds of a service, and the thread that tails its store.

    Everything here is bounded by the streams that are open: the last subscriber takes its feed
    along, and the last feed the index entry of its stream.
    """

    def __init__(
        self,
        access_control: AccessControl,
        settings: Settings,
        metrics: Metrics,
        state: SharedState | None = None,
    ) -> None:
        self.access_control, self.settings, self.metrics = access_control, settings, metrics
        self._state = state or SharedState()
        self._feeds: dict[tuple[str, ...], Feed] = {}
        self._by_stream: dict[str, set[tuple[str, ...]]] = {}
        self._present: dict[str, Counter[str]] = {}
        """By game, how many devices of each seat follow it here."""
        self._elsewhere: dict[str, frozenset[str]] = {}
        """By game, the seats that follow it at other workers."""
        self._stop = Event()
        self._followed = Event()
        """Whether anybody follows anything: entries that nobody waits for wake nobody."""
        self.closing = asyncio.Event()
        self._thread: Thread | None = None
        self._follower: Follower | None = None
        self._access: tuple[object, ...] = ()
        self._held_back: dict[str, tuple[str, frozenset[int]]] = {}
        """By event that is followed, its head and what strangers were not told at the last look."""
        self._looked = 0.0

    # following

    async def open(self) -> None:
        store, loop = self.access_control.store_context.store, asyncio.get_running_loop()
        self.closing = asyncio.Event()
        self._follower = store.changes(store.position())
        self._thread = Thread(target=self._follow, args=(loop,), daemon=True, name="follower")
        self._thread.start()
        if self._state.is_shared:
            name = "other workers"
            Thread(target=self._look_around, args=(loop,), daemon=True, name=name).start()

    def end_streams(self) -> None:
        """Disconnect all subscribers; those who reconnect resume where they were."""
        self.closing.set()
        for feed in self._feeds.values():
            feed.touch()

    async def close(self) -> None:
        """End every stream, and stop the thread that tails the store."""
        self.end_streams()
        self._stop.set()
        self._followed.set()
        if self._follower is not None:
            await asyncio.to_thread(self._follower.close)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, 5.0)

    def _follow(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self._follower is not None
        found: tuple[tuple[int, Stored], ...] = ()
        while not self._stop.is_set():
            try:
                if self._access_changed() and not loop.is_closed():
                    loop.call_soon_threadsafe(self.ask_again)
                for tournament in self.released() if monotonic() - self._looked >= TICK else ():
                    if not loop.is_closed():
                        loop.call_soon_threadsafe(self._touch, tournament)
                if not found:
                    self._followed.wait(TICK)
                found = self._follower.wait(TICK if self._feeds else 0.0)
            except StoreError as error:
                log.warning("following the store: %s", error)
                self._stop.wait(TICK)
                continue
            if found and not loop.is_closed():
                streams = {entry.stream for _, entry in found}
                loop.call_soon_threadsafe(self._stored, streams, len(found))

    def released(self) -> list[str]:
        """The followed events of which more may be told than at the last look, as time has passed.

        Nobody waits for what a stranger is told: one look serves all who follow an event, however
        many feeds they have.
        """
        self._looked = monotonic()
        before, self._held_back = self._held_back, {}
        context = self.access_control.store_context
        if not context.access.delayed():
            return []
        stranger = self.access_control.stranger()
        for stream in filter(lambda each: each.startswith("tournament-"), [*self._by_stream]):
            try:
                hosted = context.desk.load(stream)
                self._held_back[stream] = hosted.head, stranger.held_back(hosted)
            except Exception:  # the thread serves every other stream too
                log.warning("what %s holds back cannot be read", stream, exc_info=True)
        return [
            stream
            for stream, (head, held_back) in self._held_back.items()
            if stream in before and (before[stream][0] != head or before[stream][1] - held_back)
        ]

    def _look_around(self, loop: asyncio.AbstractEventLoop) -> None:
        """Learn who is present at the other workers, and tell them the metrics of this one."""
        last, published = self._elsewhere, 0.0
        while not self._stop.wait(LOOK_AROUND):
            if (now := monotonic()) - published > TICK:
                published = now
                self._state.publish(self.metrics.text())
            found = self._state.present_elsewhere()
            if found != last and not loop.is_closed():
                last = found
                loop.call_soon_threadsafe(self._learn_presence, found)

    def _learn_presence(self, found: dict[str, frozenset[str]]) -> None:
        before, self._elsewhere = self._elsewhere, found
        for game in before.keys() | found.keys():
            if before.get(game) != found.get(game):
                self._touch(game)

    def _access_changed(self) -> bool:
        """Whether tokens or access rules have changed: open streams are authorised again then."""
        if not self._feeds:
            return False
        before, self._access = self._access, self.access_control.store_context.access.changes()
        return before != self._access

    def ask_again(self) -> None:
        """Have every open stream authorise its reader again."""
        for feed in list(self._feeds.values()):
            feed.ask_again()

    def _stored(self, streams: set[str], count: int) -> None:
        self.metrics.events += count
        for stream in (*streams, ""):
            for key in self._by_stream.get(stream, ()):
                self._feeds[key].touch_soon()

    # reading

    @contextmanager
    def reading(self, principal: Principal, address: str) -> Iterator[None]:
        """Count one more open stream of a principal, within the limits.

        A hall has many phones behind one address. Those who only look on are counted by it, and
        leave places to who plays, writes or judges: one prankster does not take them all.
        """
        limits = self.settings.limits
        most = {_ALL: limits.streams}
        if principal.role == SPECTATOR:
            most[f"at {address}"] = limits.streams_of_address
            most[_WATCHING] = limits.streams_to_watch
        if principal.has_token:
            most[principal.id] = limits.streams_of_one
        if not self._state.open_stream(most):
            raise HttpRefusal("too_often", "too_many_streams", {"Retry-After": "5"})
        self.metrics.streams += 1
        try:
            yield
        finally:
            self.metrics.streams -= 1
            self._state.close_stream(most)

    @contextmanager
    def present(self, game: str, seat: str | None) -> Iterator[None]:
        """Presence: while a seat follows its table, the others are told; nothing is recorded."""
        if seat is None:
            yield
            return
        seats = self._present.setdefault(game, Counter())
        seats[seat] += 1
        if seats[seat] == 1:
            self._state.enter(game, seat)
        self._touch(game)
        try:
            yield
        finally:
            seats[seat] -= 1
            if not seats[seat]:
                self._state.leave(game, seat)
            if not seats.total():
                self._present.pop(game, None)
            self._touch(game)

    def _touch(self, stream: str) -> None:
        for key in self._by_stream.get(stream, ()):
            self._feeds[key].touch()

    def seats_present(self, game: str) -> list[str]:
        return sorted({*+self._present.get(game, Counter()), *self._elsewhere.get(game, ())})

    @contextmanager
    def subscribe(self, key: tuple[str, ...], make: Callable[[], Feed]) -> Iterator[Feed]:
        """Subscribe to the feed with this key, whose first part is the stream.

        The feed is made for its first subscriber and dropped with its last one.
        """
        found = self._feeds.get(key)
        if found is None:
            found = self._feeds[key] = make()
            self._followed.set()
            self._by_stream.setdefault(key[0], set()).add(key)
        found.readers += 1
        try:
            yield found
        finally:
            found.readers -= 1
            if not found.readers:
                del self._feeds[key]
                if not self._feeds:
                    self._followed.clear()
                self._by_stream[key[0]].remove(key)
                if not self._by_stream[key[0]]:
                    del self._by_stream[key[0]]

    def viewers(self, tournament: str) -> int:
        """How many look at the broadcast of an event now."""
        keys = self._by_stream.get(tournament, ())
        return sum(self._feeds[key].readers for key in keys if key[1] == _BROADCAST)

    async def follow(
        self, feed: Feed, last: int, game: str | None = None, watched: str | None = None
    ) -> AsyncIterator[bytes]:
        """The events after an id, presence, and a keep-alive comment when there is nothing.

        Of a broadcast (``watched``) also how many look at it, now and then.

        Something empty comes when somebody's access has changed: whoever writes the stream asks
        then whether the reader is still let in, and writes nothing.
        """
        present: list[str] = []
        asked, came = feed.asked_again, feed.last
        now, ping = asyncio.get_running_loop().time, self.settings.ping
        spoke = now()
        viewers, counted = -1, 0.0
        while not self.closing.is_set():
            if asked != feed.asked_again:
                asked, came = feed.asked_again, feed.last
                yield b""
            if watched is not None and now() >= counted + COUNTED_EVERY:
                counted = now()
                if viewers != (count := self.viewers(watched)):
                    viewers = count
                    yield f"event: viewers\ndata: {json.dumps({'viewers': count})}\n\n".encode()
            if game is not None and present != (seats := self.seats_present(game)):
                present = seats
                yield f"event: presence\ndata: {json.dumps({'seats': seats})}\n\n".encode()
            try:
                new = await feed.behind(last, came)
            except StoreError:
                new = ()
            if len(new) > self.settings.limits.behind:
                yield b"".join(told.content for told in new[: self.settings.limits.behind])
                self.metrics.dropped += 1
                return
            if new:
                yield b"".join(told.content for told in new)
                last = new[-1].id
                spoke = now()
                continue
            await feed.wait(max(spoke + ping - now(), 0.0))
            if now() >= spoke + ping - 0.01:
                spoke = now()
                yield b": alive\n\n"

    # what is told

    # The key says all that decides what is told, but what each telling looks up anew: a reader of
    # whom it changes while they follow is sent away, and comes back to another feed.

    def of_game(self, caller: Caller, game_id: str) -> tuple[tuple[str, ...], Feed, int]:
        """Key and feed of a game as the caller may see it, and its last entry now."""
        game = caller.whole(game_id)
        view, looks_on = caller.view(game), caller.author.role in ONLOOKERS
        key = (game_id, view, caller.voice.lang, str(looks_on))
        return key, self._made(_of_game(caller, game_id, view), game.version), game.version

    def of_tournament(self, caller: Caller, tournament: str) -> tuple[tuple[str, ...], Feed, int]:
        last = len(self.access_control.store_context.desk.load(tournament).told) - 1
        role = caller.author.role
        key: tuple[str, ...] = (tournament, caller.voice.lang)
        if caller.waits_for_nothing(tournament):
            key += (role,)
        elif caller.store_context.access.delayed():  # who sits where counts
            key += (role, caller.author.person)
        return key, self._made(_of_tournament(caller, tournament), last), last

    def of_broadcast(self, caller: Caller, tournament: str) -> tuple[tuple[str, ...], Feed, int]:
        """That there is something new to see in a broadcast: for everybody what strangers see."""
        stranger = self.access_control.caller(
            Principal(_BROADCAST), "tournament-broadcast", {"tournament": tournament}, caller.voice
        )
        last = _milliseconds()
        render = _of_broadcast(stranger, tournament, last)
        return (tournament, _BROADCAST), self._made(render, last), last

    def of_store(self, caller: Caller) -> tuple[tuple[str, ...], Feed, int]:
        """The feed for judges: calls from all tables that they may see."""
        last = self.access_control.store_context.store.position()
        render = _of_store(self.access_control, caller)
        key = ("", caller.scope, caller.voice.lang, *sorted(caller.on_tables))
        return key, self._made(render, last), last

    def _made(self, render: Render, last: int) -> Feed:
        return Feed(render, last, self.settings.limits.behind)


def _of_game(caller: Caller, game_id: str, view: str) -> Render:
    def render(after: int) -> Rendered:
        whole = caller.bench.game(game_id)
        known = caller.latest(whole)
        waits = known.version < whole.version
        if known.version <= after:
            return Rendered((), waits)
        shown = seen(known, view)
        rows = entry_rows(shown, shown.entries[after + 1 :], caller.voice)
        told = [event("entry", row.entry, row.model_dump(mode="json")) for row in rows]
        ended = ended_by(known)
        return Rendered([_over(known, each) if each.id == ended else each for each in told], waits)

    return render


def _over(game: Game, entry: ServerSentEvent) -> ServerSentEvent:
    """That the game is over, in front of the entry that ended it. It has no number of its own: who
    is cut off between the two comes back behind neither, and hears both again."""
    result = result_of(game)
    data = {"game": game.id, "result": result and result.model_dump(mode="json")}
    over = f"event: over\ndata: {_json(data)}\n\n".encode()
    return ServerSentEvent(entry.id, over + entry.content)


def _of_tournament(caller: Caller, tournament: str) -> Render:
    def render(after: int) -> Rendered:
        hosted = caller.store_context.desk.load(tournament)
        told, held_back = hosted.told, caller.held_back(hosted)
        events = [
            event("event", one.number, _told_event(tournament, one, caller.voice))
            for one in told[after + 1 :]
            if one.number not in held_back and (caller.author.judges or not _is_warning(told, one))
        ]
        return Rendered(events)

    return render


def _is_warning(told: Sequence[desk.RecordedEvent], one: desk.RecordedEvent) -> bool:
    """Whether it is between a player and the judges: no points change."""
    given = one.event
    if isinstance(given, PointPenaltyCancelled):
        given = told[given.penalty].event
    return isinstance(given, PenaltyGiven) and not given.halves


def _milliseconds() -> int:
    return int(time() * 1000)


def _of_broadcast(stranger: Caller, tournament: str, start: int) -> Render:
    """Its events are numbered by the time, so that who comes back knows whether they missed one."""
    state, number, looked = "", start, 0.0
    lock = Lock()

    def render(after: int) -> Rendered:
        nonlocal state, number, looked
        with lock:
            if monotonic() - looked >= TICK / 2:
                looked = monotonic()
                found = broadcast(stranger, tournament).data.state
                if found != state:
                    state, number = found, max(number + 1, _milliseconds())
            news = [event("broadcast", number, {"state": state})] if number > after else []
            return Rendered(news, waits=True)

    return render


def _told_event(tournament: str, one: desk.RecordedEvent, voice: Voice) -> dict[str, Any]:
    """A tournament event as SSE, with its text."""
    return {
        "tournament": tournament,
        "event": one.number,
        "kind": one.event.KIND,
        "at": one.at,
        "told": voice.say(f"tournament.event_{one.event.KIND}"),
        "table": getattr(one.event, "table", None),
    }


def _of_store(access_control: AccessControl, caller: Caller) -> Render:
    quiet = (-1, -1)
    """``(after, position)``: the entries between hold no call, so a scan need not repeat them."""

    def render(after: int) -> Rendered:
        nonlocal quiet
        told: list[ServerSentEvent] = []
        position = quiet[1] if quiet[0] == after else after
        while len(told) < BATCH and (
            found := access_control.store_context.store.follow(position, BATCH)
        ):
            calls = (_call(access_control, caller, number, stored) for number, stored in found)
            told += [call for call in calls if call is not None]
            position = found[-1][0]
        if not told:
            quiet = (after, position)
        return Rendered(told)

    return render


def _call(
    access_control: AccessControl, caller: Caller, number: int, stored: Stored
) -> ServerSentEvent | None:
    """What an entry reports to judges, if anything."""
    kind = stored.topic.partition("@")[0]
    try:
        if stored.stream.startswith("game-") and kind in CALLS:
            return _call_of_game(
                access_control.store_context.bench.game(stored.stream), caller, number, stored
            )
        if stored.stream.startswith("tournament-") and kind in HALL_CALLS:
            return _call_of_hall(access_control, caller, number, stored)
    except (StoreError, Flaw, ParseError) as error:
        if not is_unreadable(error):
            raise
    return None  # a node of a newer version may tell of it


def _call_of_game(
    game: Game, caller: Caller, number: int, stored: Stored
) -> ServerSentEvent | None:
    if not caller.speaks_for(game.id, game.opened.tournament):
        return None
    shown = caller.shown(game)
    (row,) = entry_rows(shown, [shown.entries[stored.seq]], caller.voice)
    return event("call", number, {"game": game.id, **row.model_dump(mode="json")})


def _call_of_hall(
    access_control: AccessControl, caller: Caller, number: int, stored: Stored
) -> ServerSentEvent | None:
    if not caller.speaks_for(stored.stream):
        return None
    one = access_control.store_context.desk.load(stored.stream).told[stored.seq]
    return event("call", number, _told_event(stored.stream, one, caller.voice))
