"""boardgame.io's own server on this computer, in memory: how many moves a second it takes.

It is installed into a folder of this run by npm, if node and npm are there.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("boardgame.io@0.50.2", "socket.io-client@4")
HERE = Path(__file__).parent
INSTALLING, STARTING = 120, 30


class PeerSpeed(NamedTuple):
    a_second: float
    processor: float
    """Seconds of its processor for a move: on a busy computer, what can be compared."""


def spent_by(process: int) -> float:
    """Seconds of the processor that a process has had so far, its threads included (Linux)."""
    told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def peer_speed(folder: Path, tables: int, seconds: float) -> PeerSpeed | None:
    """None where it cannot be started."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return None
    for file in HERE.glob("peer_*.js"):
        shutil.copy(file, folder)
    installed = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", *PACKAGES],
        cwd=folder,
        capture_output=True,
        timeout=INSTALLING,
    )
    if installed.returncode:
        return None
    port = _free_port()
    server = subprocess.Popen(
        ["node", "peer_server.js", str(port)], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        if "ready" not in server.stdout.readline():
            return None
        begun = spent_by(server.pid)
        told = subprocess.run(
            ["node", "peer_client.js", str(port), str(tables), str(seconds)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=seconds + STARTING,
        )
        if told.returncode:
            return None
        a_second = float(told.stdout.split()[-1])
        return PeerSpeed(a_second, (spent_by(server.pid) - begun) / (a_second * seconds))
    finally:
        server.kill()
        server.wait()


def _free_port() -> int:
    with socket.socket() as access_control:
        access_control.bind(("127.0.0.1", 0))
        port: int = access_control.getsockname()[1]
        return port
