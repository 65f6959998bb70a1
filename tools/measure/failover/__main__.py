"""``make failover``: leaders killed under load, then a restore to a point in time.

Two PostgreSQL nodes under Patroni with a synchronous standby, as ``service/deploy`` sets them up,
four programs that append and a node of the service whose tables write and listen. Every other
time the leader's computer is gone, Patroni and all; else its server crashes. Nothing that was
acknowledged may be missing or be there twice, and every chain must hold.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from referee.store import open_store
from referee.store.hash_chain import find_break
from referee.store.maintenance.init import init
from tests.service.killing import writing
from tests.service.running import Running, start
from tests.store.crowd import assert_nothing_lost_or_doubled, busy_writers, until_more
from tests.store.server import NoServer, running_server
from tests.store.test_crashes import Acknowledged
from tools.measure.failover.cluster import PASSWORD, Cluster, Member, until

SCHEMA = "club"
TABLE = {"game": "benevolent", "table": "A=blue B=red first A"}
PAUSE = 0.02
"""Seconds that each program rests between two appends: tables do not write all the time."""


@dataclass
class Moment:
    """What was acknowledged when, to be restored."""

    at: str
    acknowledged: Acknowledged


@dataclass
class Seconds:
    """How long it took, by kind of kill."""

    crashed: list[float] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.measure.failover", description=__doc__)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--keep", type=Path, help="a new folder that stays, with all logs")
    asked = parser.parse_args(words)
    try:
        with folder_for(asked.keep) as folder, Cluster(folder) as cluster:
            rehearse(cluster, asked.kills)
    except NoServer as error:
        print(f"nothing was tried: {error}", file=sys.stderr)
        return 1
    return 0


@contextmanager
def folder_for(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="failover-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def rehearse(cluster: Cluster, kills: int) -> None:
    leader = cluster.wait_until_whole()
    init(cluster.url("owner", SCHEMA), writers=["scribe"])
    leader.execute(f"ALTER ROLE scribe PASSWORD '{PASSWORD}'")
    url = cluster.url("scribe", SCHEMA)
    base = cluster.base_backup(leader)
    print(f"{leader.name} leads, its standby confirms; a base backup is made", flush=True)
    took = Seconds()
    processes = multiprocessing.get_context("forkserver")
    with node(cluster.folder, url) as service:
        games = [service.ask("POST", "/games", TABLE)[1]["data"]["game"] for _ in range(2)]
        with (
            writing((service.port,), service.token, games, url) as clients,
            busy_writers(url, processes, pause=PAUSE) as acknowledged,
        ):
            until_more(acknowledged, 20)
            for number in range(1, kills + 1):
                kill_a_leader(cluster, acknowledged, number, took)
                if number == (kills + 1) // 2:
                    moment = remember(cluster, acknowledged)
            until_more(acknowledged, 20)
        assert_nothing_lost_or_doubled(url, acknowledged)
    notes = sum(len(client.acknowledged) for client in clients)
    print(f"{len(acknowledged)} entries and {notes} notes over HTTP were acknowledged: "
          "0 lost, 0 doubled, every chain holds")  # fmt: skip
    for what, seconds in vars(took).items():
        if seconds:
            least, most = min(seconds), max(seconds)
            print(f"  {what}: {least:.1f} to {most:.1f} s, median {median(seconds):.1f}")
    restore(cluster, base, url, moment)


@contextmanager
def node(folder: Path, url: str) -> Iterator[Running]:
    own: dict[str, Any] = {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    running = start(url, **own)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()


def kill_a_leader(cluster: Cluster, acknowledged: Acknowledged, number: int, took: Seconds) -> None:
    """From the kill to the next acknowledged entry, and to two nodes again."""
    leader: Member = cluster.wait_until_whole()
    until_more(acknowledged, 20)
    killed = monotonic()
    leader.kill() if number % 2 else leader.kill_server()
    until_more(acknowledged, 10)
    back = monotonic() - killed
    (took.gone if number % 2 else took.crashed).append(back)
    rejoins = monotonic()
    if number % 2:
        leader.start()
    new = cluster.wait_until_whole()
    whole = monotonic() - rejoins
    took.whole.append(whole)
    what = "the computer is gone" if number % 2 else "the server has crashed"
    print(f"{number}. {leader.name}, {what}: writing again after {back:.1f} s, "
          f"{new.name} leads, two nodes after {whole:.1f} s", flush=True)  # fmt: skip


def remember(cluster: Cluster, acknowledged: Acknowledged) -> Moment:
    before = dict(acknowledged)
    ((at,),) = cluster.wait_until_whole().execute("SELECT clock_timestamp()::text")
    until_more(acknowledged, 20)
    return Moment(at, before)


def restore(cluster: Cluster, base: Path, url: str, moment: Moment) -> None:
    """The base backup, brought forward by the archived log to that moment; and no further."""
    leader = cluster.wait_until_whole()
    ((last,),) = leader.execute("SELECT pg_walfile_name(pg_switch_wal())")
    until(f"{last} in the archive", lambda: (cluster.archive / last).exists())
    begun = monotonic()
    with running_server(
        restored_from=base,
        restore_command=f'cp "{cluster.archive}/%f" "%p"',
        recovery_target_time=moment.at,
        recovery_target_action="promote",
        archive_mode="off",
        port="5432",
        max_connections="300",
    ) as server:
        until(
            "the end of the recovery",
            lambda: server.execute("SELECT pg_is_in_recovery()") == [(False,)],
        )
        took = monotonic() - begun
        now, then = open_store(url), open_store(server.url(SCHEMA))
        everything, restored = now.follow(0, 10**6), then.follow(0, 10**6)
        assert restored == everything[: len(restored)], "another past"
        assert len(restored) < len(everything), "nothing was left out"
        stored = {(entry.stream, entry.seq): entry.head for _, entry in restored}
        assert moment.acknowledged.items() <= stored.items()
        for stream in then.streams():
            assert find_break(stream, then.read(stream)) is None
        streams = len(then.streams())
        now.close()
        then.close()
    told = f"{len(restored)} of {len(everything)} entries, all {len(moment.acknowledged)}"
    print(f"restored to {moment.at} in {took:.1f} s: {told} acknowledged until then")
    print(f"  {streams} chains hold")


if __name__ == "__main__":
    sys.exit(main())
