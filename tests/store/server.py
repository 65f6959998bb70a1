"""A PostgreSQL of our own, on a socket in a temporary folder, for as long as a test runs."""

from __future__ import annotations

import ctypes
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.waiting import PATIENCE

LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1

BINARIES = "/usr/lib/postgresql"
OWNER = "owner"
QUICK = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "autovacuum": "off",
    "max_wal_size": "256MB",
    "logging_collector": "off",
}
"""Nothing here concerns durability: a store refuses a server that could lose entries."""


class NoServer(Exception):
    """PostgreSQL cannot be had here."""


def binaries() -> Path:
    """Debian's programs, the newest version; elsewhere those that the shell would find."""
    found = sorted(Path(BINARIES).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    elsewhere = shutil.which("initdb")
    if found:
        return found[-1].parent
    if elsewhere is not None:
        return Path(elsewhere).parent
    raise NoServer("there are no PostgreSQL programs on this computer")


def somebody() -> dict[str, Any]:
    """PostgreSQL does not run as root: who runs it instead."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise NoServer("there is no user but root to run PostgreSQL")


def end_with_the_parent() -> None:
    """Where Linux can tell, a server does not outlive a run of the tests that was killed."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


class PostgresServer:
    """One server that can be killed and started again."""

    def __init__(
        self,
        folder: Path,
        *,
        standby_of: PostgresServer | None = None,
        restored_from: Path | None = None,
        **settings: str,
    ) -> None:
        self.folder = folder
        self._bin = binaries()
        self._runner = somebody()
        self._settings = {**QUICK, **settings, "unix_socket_directories": str(folder)}
        self._process: subprocess.Popen[bytes] | None = None
        self.own(folder)
        if restored_from is not None:
            self._restore(restored_from)
        elif standby_of is None:
            how = ("-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions")
            self._run("initdb", "-D", str(self._data), "-U", OWNER, "--no-sync", *how)
        else:
            where = ("-h", str(standby_of.folder), "-U", OWNER)
            self._run("pg_basebackup", "-D", str(self._data), "--no-sync", "-R", "-cfast", *where)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def url(
        self, schema: str | None = None, user: str = OWNER, *, others: Sequence[PostgresServer] = ()
    ) -> str:
        """A store of its own; a new schema unless one is named."""
        schema = schema or f"s{secrets.token_hex(6)}"
        hosts = ",".join(str(server.folder) for server in (self, *others))
        return f"postgresql://{user}@/postgres?host={hosts}&schema={schema}"

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows that the server answers its owner with."""
        import psycopg

        address = f"host={self.folder} user={OWNER} dbname=postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        options = [f"-c{name}={value}" for name, value in self._settings.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self._data, *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                preexec_fn=end_with_the_parent,
                **self._runner,
            )
        self._wait_until_ready()

    def kill(self) -> None:
        """End everything at once, as a crash of the computer would."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def kill_a_session(self, chance: random.Random) -> None:
        """One process that serves a client: the server ends the others then, and recovers."""
        found = "SELECT pid FROM pg_stat_activity WHERE application_name = 'referee'"
        if sessions := self.execute(found):
            with suppress(ProcessLookupError):
                os.kill(chance.choice(sessions)[0], signal.SIGKILL)
            self._wait_until_ready()

    def stop(self) -> None:
        """An immediate stop: nothing is finished or written down."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(PATIENCE)
            self._process = None

    def _restore(self, base: Path) -> None:
        """A base backup that is to be brought forward by the log, as the settings say."""
        shutil.copytree(base, self._data)
        (self._data / "recovery.signal").touch()
        rights = self.folder / "rights"
        rights.write_text("local all all trust\n")
        self._settings["hba_file"] = str(rights)
        self.own(self.folder)

    def own(self, folder: Path) -> None:
        """Everything below belongs to whoever runs the server."""
        if self._runner:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, self._runner["user"], self._runner["group"])

    def _wait_until_ready(self) -> None:
        import psycopg

        assert self._process is not None
        deadline = monotonic() + PATIENCE
        while True:
            try:
                self.execute("SELECT 1")
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or monotonic() > deadline:
                    raise NoServer((self.folder / "log").read_text()) from error
                sleep(0.02)
            else:
                return

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._bin / program, *words], capture_output=True, cwd=self.folder, **self._runner
        )
        if done.returncode != 0:
            raise NoServer(done.stderr.decode())


@contextmanager
def running_server(
    *,
    standby_of: PostgresServer | None = None,
    restored_from: Path | None = None,
    **settings: str,
) -> Iterator[PostgresServer]:
    """A server in a folder that goes away with it."""
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as name:
        server = PostgresServer(
            Path(name), standby_of=standby_of, restored_from=restored_from, **settings
        )
        server.start()
        try:
            yield server
        finally:
            server.stop()
