"""Two PostgreSQL nodes under Patroni, and etcd, on this computer alone and in one folder."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import psycopg

from tests.store.server import OWNER, NoServer, binaries, end_with_the_parent, somebody
from tests.waiting import PATIENCE

DEPLOY = Path(__file__).parents[3] / "service" / "deploy"
PASSWORD = "only-on-loopback"
ADDRESS = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port: int = probe.getsockname()[1]
        return port


def until(what: str, done: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What it gives once it gives something."""
    deadline = monotonic() + seconds
    while True:
        with suppress(psycopg.Error, OSError, ValueError):
            if (found := done()) is not None and found is not False:
                return found
        if monotonic() > deadline:
            raise TimeoutError(what)
        sleep(0.1)


class Program:
    """A program that is started, killed and started again, as somebody who is not root."""

    def __init__(self, folder: Path, words: list[str], environment: Mapping[str, str]) -> None:
        self.folder = folder
        self._words, self._runner = words, somebody()
        self._environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **environment}
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        if self._runner:
            os.chown(folder, self._runner["user"], self._runner["group"])

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._words,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=self._environment,
                start_new_session=True,
                preexec_fn=end_with_the_parent,
                **self._runner,
            )

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Member:
    """A database node: Patroni and the server that it looks after."""

    def __init__(self, name: str, cluster: Cluster) -> None:
        self.name = name
        self.folder = cluster.folder / name
        self.port, self._api = free_port(), free_port()
        own = {
            "NAME": name,
            "ETCD3_HOSTS": f"{ADDRESS}:{cluster.etcd_port}",
            "RESTAPI_LISTEN": f"{ADDRESS}:{self._api}",
            "RESTAPI_CONNECT_ADDRESS": f"{ADDRESS}:{self._api}",
            "POSTGRESQL_LISTEN": f"{ADDRESS}:{self.port}",
            "POSTGRESQL_CONNECT_ADDRESS": f"{ADDRESS}:{self.port}",
            "POSTGRESQL_DATA_DIR": str(self.folder / "data"),
            "POSTGRESQL_BIN_DIR": str(binaries()),
            "POSTGRESQL_PGPASS": str(self.folder / "pgpass"),
            "SUPERUSER_USERNAME": OWNER,
            "SUPERUSER_PASSWORD": PASSWORD,
            "REPLICATION_USERNAME": "replicator",
            "REPLICATION_PASSWORD": PASSWORD,
        }
        environment = {f"PATRONI_{key}": value for key, value in own.items()}
        environment["REFEREE_WAL_ARCHIVE"] = str(cluster.archive)
        self._patroni = Program(self.folder, [patroni(), str(cluster.settings)], environment)

    def start(self) -> None:
        self._patroni.start()

    def told(self) -> dict[str, Any]:
        """What Patroni says of all members."""
        with urlopen(f"http://{ADDRESS}:{self._api}/cluster", timeout=2) as reply:
            told: dict[str, Any] = json.loads(reply.read())
            return told

    def kill_server(self) -> None:
        """The server crashes; Patroni is still there and sees it."""
        for pid in self._server_pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """The computer is gone."""
        self._patroni.kill()
        self.kill_server()

    def _server_pids(self) -> list[int]:
        """The server and all its processes."""
        with suppress(OSError, ValueError):
            first = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
            return [first, *_children(first)]
        return []

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        address = f"host={ADDRESS} port={self.port} user={OWNER} password={PASSWORD}"
        with psycopg.connect(f"{address} dbname=postgres", autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


def _children(parent: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            pid, _, rest = status.read_text().partition(" (")
            if int(rest.rpartition(") ")[2].split()[1]) == parent:
                found.append(int(pid))
    return found


class Cluster:
    """Two members and one etcd: which of three computers fail is not tried here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archive = folder / "archive"
        self.etcd_port, peer_port = free_port(), free_port()
        peers, clients = f"http://{ADDRESS}:{peer_port}", f"http://{ADDRESS}:{self.etcd_port}"
        folder.chmod(0o755)
        self.archive.mkdir(mode=0o777)
        self.archive.chmod(0o777)
        self.settings = folder / "patroni.yml"
        deployed = (DEPLOY / "patroni.yml").read_text("utf-8")
        self.settings.write_text(deployed.replace("/etc/referee/", f"{DEPLOY}/"), "utf-8")
        self._etcd = Program(
            folder / "etcd",
            [program("etcd"), "--name=e1", f"--data-dir={folder}/etcd/data",
             f"--listen-client-urls={clients}", f"--advertise-client-urls={clients}",
             f"--listen-peer-urls={peers}", f"--initial-advertise-peer-urls={peers}",
             f"--initial-cluster=e1={peers}"],
            {"ETCD_UNSUPPORTED_ARCH": "arm64"} if os.uname().machine == "aarch64" else {},
        )  # fmt: skip
        self.members = [Member("db1", self), Member("db2", self)]

    def __enter__(self) -> Cluster:
        self._etcd.start()
        until("etcd", self._etcd_answers)
        for member in self.members:
            member.start()
        return self

    def __exit__(self, *_: object) -> None:
        for member in self.members:
            member.kill()
        self._etcd.kill()

    def _etcd_answers(self) -> bool:
        with urlopen(f"http://{ADDRESS}:{self.etcd_port}/health", timeout=2) as reply:
            return bool(json.loads(reply.read())["health"] == "true")

    def url(self, user: str, schema: str) -> str:
        hosts = ",".join(f"{ADDRESS}:{member.port}" for member in self.members)
        return f"postgresql://{user}:{PASSWORD}@{hosts}/postgres?schema={schema}"

    def roles(self) -> dict[str, str]:
        """Who is what, of those that run."""
        for member in self.members:
            with suppress(URLError, OSError, ValueError):
                return {
                    one["name"]: one["role"]
                    for one in member.told()["members"]
                    if one["state"] in ("running", "streaming")
                }
        return {}

    def wait_until_whole(self) -> Member:
        """A leader, and a standby that confirms; the leader."""

        def leader() -> Member | None:
            roles = self.roles()
            if sorted(roles.values()) != ["leader", "sync_standby"]:
                return None
            return next(each for each in self.members if roles[each.name] == "leader")

        found: Member = until("a leader with a standby that confirms", leader)
        return found

    def base_backup(self, leader: Member) -> Path:
        """A copy of the leader's files to restore from, without the log: that is archived."""
        base = self.folder / "base"
        done = subprocess.run(
            [binaries() / "pg_basebackup", "-D", base, "-h", ADDRESS, "-p", str(leader.port),
             "-U", "replicator", "-Xnone", "-cfast"],
            env={"PGPASSWORD": PASSWORD}, capture_output=True,
        )  # fmt: skip
        if done.returncode != 0:
            raise NoServer(done.stderr.decode())
        return base


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise NoServer(f"there is no {name} on this computer (Debian: apt install etcd-server)")
    return found


def patroni() -> str:
    """Patroni beside this Python, or the one that the shell would find: which of them can be run
    by somebody who is not root."""
    beside = Path(sys.executable).parent / "patroni"
    for found in filter(None, (str(beside) if beside.exists() else None, shutil.which("patroni"))):
        with suppress(OSError):
            if (
                subprocess.run([found, "--version"], capture_output=True, **somebody()).returncode
                == 0
            ):
                return found
    raise NoServer(
        "there is no Patroni that can be run here (Debian: apt install patroni python3-psycopg2 "
        "python3-etcd)"
    )
