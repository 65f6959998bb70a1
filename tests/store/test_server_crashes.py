"""A server killed, sessions thrown out, a primary lost, all while others write.

``REFEREE_CHAOS`` sets how often.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from time import monotonic, sleep

import pytest

from referee.store import StoreError, open_store
from referee.store.maintenance.health import doctor
from referee.store.maintenance.init import init
from tests.store.crowd import assert_nothing_lost_or_doubled, busy_writers, until_more
from tests.store.server import PostgresServer, running_server
from tests.waiting import PATIENCE

pytestmark = pytest.mark.xdist_group("server crashes")

KILLS = int(os.environ.get("REFEREE_CHAOS", "5"))


@pytest.fixture(scope="module")
def server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """One that may be killed: the other tests keep theirs."""
    with running_server() as server:
        yield server


@pytest.mark.deep
@pytest.mark.parametrize("way", ["everything killed", "stopped at once", "a session killed"])
def test_a_server_that_ends_at_any_moment_loses_nothing_it_acknowledged(
    server: PostgresServer, processes: ForkServerContext, way: str
) -> None:
    """As in a power cut, by an immediate stop, and by a crash of one session, which ends all."""
    url = server.url()
    init(url)
    chance = random.Random(way)
    with busy_writers(url, processes) as acknowledged:
        for _ in range(KILLS):
            until_more(acknowledged, 20)
            sleep(chance.uniform(0, 0.02))
            if way == "a session killed":
                server.kill_a_session(chance)
            else:
                server.kill() if way == "everything killed" else server.stop()
                server.start()
        until_more(acknowledged, 20)
    assert_nothing_lost_or_doubled(url, acknowledged)


def test_sessions_thrown_out_at_any_moment_lose_and_double_nothing(
    server: PostgresServer, processes: ForkServerContext
) -> None:
    url = server.url()
    init(url)
    thrown_out = 0
    with busy_writers(url, processes) as acknowledged:
        for _ in range(KILLS * 4):
            until_more(acknowledged, 5)
            thrown_out += len(
                server.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'referee' AND random() < 0.5"
                )
            )
        until_more(acknowledged, 20)
    assert thrown_out > KILLS
    assert_nothing_lost_or_doubled(url, acknowledged)


def test_a_server_that_is_away_is_told_and_forgotten_when_it_is_back(
    server: PostgresServer,
) -> None:
    url = server.url()
    init(url)
    store = open_store(url)
    changes = store.changes()
    server.kill()
    for _ in range(2):
        with pytest.raises(StoreError) as caught:
            store.position()
        assert caught.value.key in ("unreachable", "connection_lost")
    with pytest.raises(StoreError):
        changes.wait(PATIENCE)
    server.start()
    assert store.position() == 0
    assert changes.wait(0) == ()
    changes.close()
    store.close()


@pytest.mark.deep
def test_a_lost_primary_takes_nothing_along_that_a_standby_confirmed(
    postgres: PostgresServer, processes: ForkServerContext
) -> None:
    with running_server() as server, running_server(standby_of=server) as standby:
        url = server.url(others=[standby])
        init(url)
        levels = {check.name: check.message for check in doctor(url)}
        assert levels["standby"] == "doctor.standby_late"
        server.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        server.execute("SELECT pg_reload_conf()")
        deadline = monotonic() + PATIENCE
        while levels["standby"] != "doctor.standby_follows" and monotonic() < deadline:
            levels = {check.name: check.message for check in doctor(url)}
        assert levels["standby"] == "doctor.standby_follows"

        schema = url.rpartition("=")[2]
        with pytest.raises(StoreError) as caught:
            open_store(standby.url(schema))
        assert caught.value.key == "standby"
        assert {"standby": "store.standby"}.items() <= {
            check.name: check.message for check in doctor(standby.url(schema))
        }.items()

        with busy_writers(url, processes) as acknowledged:
            until_more(acknowledged, 40)
            server.kill()
            standby.execute("SELECT pg_promote()")
            until_more(acknowledged, 40)
        assert_nothing_lost_or_doubled(standby.url(schema), acknowledged)
