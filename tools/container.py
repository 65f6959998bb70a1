"""``make container``: build the image, run it alone and by its compose file, and ask whether it is
ready.

Where there is neither podman nor docker it says that the image is untested here, and that is all.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools import ROOT, run

IMAGE = "localhost/referee-check"
PORT = 18420
SOON = 90.0
COMPOSE = ROOT / "service" / "deploy" / "compose.yaml"


class Bad(Exception):
    """The image is not to be used."""


def tool() -> str | None:
    """The container tool of this computer that answers; a program alone is not enough."""
    for name in ("podman", "docker"):
        if shutil.which(name) and run(name, "info", timeout=SOON).returncode == 0:
            return name
    return None


def done(*command: str | Path, **more: object) -> str:
    ended = run(*command, cwd=ROOT, **more)
    if ended.returncode:
        raise Bad(f"{' '.join(map(str, command))}:\n{ended.stdout}{ended.stderr}")
    return str(ended.stdout)


def is_ready() -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/ready") as reply:
        return bool(reply.status == 200)
    return False


def wait_until_ready(what: str) -> None:
    until = time.monotonic() + SOON
    while not is_ready():
        if time.monotonic() > until:
            raise Bad(f"{what}: not ready after {SOON:.0f} s")
        time.sleep(0.5)


@contextmanager
def alone(program: str) -> Iterator[None]:
    """One container, as docs/install.md starts it."""
    name = "referee-check"
    done(program, "run", "-d", "--rm", "--name", name, "-p", f"{PORT}:8420", IMAGE)
    try:
        yield
    finally:
        run(program, "rm", "-f", name)


@contextmanager
def composed(compose: list[str]) -> Iterator[None]:
    """The services of the compose file."""
    env = {**os.environ, "REFEREE_PORT": str(PORT)}
    file = [*compose, "-p", "referee-check", "-f", str(COMPOSE)]
    done(*file, "up", "-d", "--build", env=env)
    try:
        yield
    finally:
        run(*file, "down", "-v", cwd=ROOT)


def compose_of(program: str) -> list[str] | None:
    for command in ([program, "compose"], [f"{program}-compose"]):
        if shutil.which(command[0]) and run(*command, "version").returncode == 0:
            return command
    return None


def main() -> int:
    program = tool()
    if program is None:
        print("container: untested here, there is neither podman nor docker")
        return 0
    try:
        flags = ("--format", "docker") if program == "podman" else ()
        done(program, "build", *flags, "-f", "service/Containerfile", "-t", IMAGE, ".")
        with alone(program):
            wait_until_ready("the container")
        print(f"container: built and ready with {program}")
        compose = compose_of(program)
        if compose is None:
            print("compose: untested here, there is no compose for it")
            return 0
        with composed(compose):
            wait_until_ready("the compose file")
        print(f"compose: ready with {' '.join(compose)}")
    except Bad as problem:
        print(f"container: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
