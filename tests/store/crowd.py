"""Several programs that write through everything, and what must be there afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.context import ForkServerContext
from threading import Thread
from time import monotonic, sleep

from referee.store import open_store
from referee.store.hash_chain import find_break
from tests.store.test_crashes import Acknowledged, assert_batches_are_whole, drain
from tests.store.writers import append_through_everything
from tests.waiting import PATIENCE

WRITERS = tuple(f"game-{number}" for number in range(4))


@contextmanager
def busy_writers(
    url: str,
    processes: ForkServerContext,
    streams: Sequence[str] = WRITERS,
    pause: float = 0.0,
) -> Iterator[Acknowledged]:
    """Scribes who write all the time; what they had acknowledged is complete at the end."""
    acknowledged: Acknowledged = {}
    receiver, sender = processes.Pipe(duplex=False)
    end = processes.Event()
    scribes = [
        processes.Process(target=append_through_everything, args=(url, stream, sender, end, pause))
        for stream in streams
    ]
    for scribe in scribes:
        scribe.start()
    sender.close()
    listening = Thread(target=lambda: acknowledged.update(drain(receiver)))
    listening.start()
    try:
        yield acknowledged
    finally:
        end.set()
        for scribe in scribes:
            scribe.join(PATIENCE)
            scribe.kill()
        listening.join(PATIENCE)
    assert [scribe.exitcode for scribe in scribes] == [0] * len(scribes)


def until_more(acknowledged: Acknowledged, count: int) -> None:
    """Wait until the writers have got on."""
    wanted, deadline = len(acknowledged) + count, monotonic() + PATIENCE
    while len(acknowledged) < wanted:
        assert monotonic() < deadline, "the writers do not get on"
        sleep(0.005)


def assert_nothing_lost_or_doubled(url: str, acknowledged: Acknowledged) -> None:
    store = open_store(url)
    followed = store.follow(0, limit=10**6)
    assert [number for number, _ in followed] == list(range(1, len(followed) + 1))
    stored = {(entry.stream, entry.seq): entry.head for _, entry in followed}
    assert len(stored) == len(followed)
    assert acknowledged.items() <= stored.items()
    written = {stream for stream, _ in acknowledged}
    for stream in store.streams():
        entries = store.read(stream)
        assert find_break(stream, entries) is None
        if stream in written:
            assert_batches_are_whole(entries)
    store.close()
