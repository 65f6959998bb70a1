"""A resident of the same user answers commands without starting anew: how it is asked.

Only what every Python has at hand is imported here: being quick is all that this is for. Whatever
is odd (another version, another owner, anything that is not as expected) is no error: the
program then starts as usual. The resident (``cli.resident``) holds code and no data; it carries
out a command in a process of its own, with the folder, the environment and the streams of
whoever has asked.
"""

from __future__ import annotations

import _socket
import marshal
import os
import signal
import sys
from array import array
from binascii import crc32

ASKED = "REFEREE_WARM"
ALONE = frozenset(
    [
        "play",
        "replay",
        "serve",
        "desk",
        "keys",
        "sign",
        "seal",
        "secret",
        "demo",
        "gallery",
        "backup",
        "restore",
        "store",
        "completion",
    ]
)
"""Commands that hold a terminal, ask for passphrases or take long: started as usual."""
_SPEAKING = ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONPATH")
"""What Python asks of the environment when it starts: each gets a resident of its own."""
_RESIDENT = (
    "import sys; sys.path[0] = sys.argv[1]; from cli.resident import main; main(sys.argv[2])"
)
PRIVATE = 0o077
LONGEST = 1 << 20


def answered() -> int | None:
    """The exit code, if a resident has carried out the command; None if it was not asked."""
    if os.environ.get(ASKED) != "1" or not hasattr(os, "fork") or not _fitting(sys.argv[1:]):
        return None
    try:
        folder = home()
        if not is_private(folder):
            return None
        where = socket_path(folder)
        if os.path.exists(where):
            return _asked(where)
        _start(where)
        return None
    except (OSError, ValueError, EOFError):
        return None


def _fitting(words: list[str]) -> bool:
    return "_REFEREE_COMPLETE" not in os.environ and not ALONE.intersection(words)


def home() -> str:
    """A folder that only this user may enter."""
    base = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("TMPDIR") or "/tmp"
    return os.path.join(base, f"referee-{os.getuid()}")


def is_private(folder: str) -> bool:
    if not os.path.lexists(folder):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    return found.st_uid == os.getuid() and not found.st_mode & PRIVATE and os.path.isdir(folder)


def identity() -> str:
    """Which program this is: its code, its Python, and how that was started."""
    flags = (sys.flags.optimize, sys.flags.utf8_mode, sys.flags.isolated)
    told = (sys.executable, sys.version, __file__, flags, *map(os.environ.get, _SPEAKING))
    return repr(told)


def socket_path(folder: str) -> str:
    return os.path.join(folder, f"{crc32(identity().encode()):08x}")


def _asked(where: str) -> int | None:
    way = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        way.connect(where)
    except ConnectionRefusedError:
        os.unlink(where)  # a resident that did not end well
        _start(where)
        return None
    mask = os.umask(0o077)
    os.umask(mask)
    request = marshal.dumps((identity(), sys.argv, dict(os.environ), os.getcwd(), mask))
    streams = array("i", (0, 1, 2))
    way.sendmsg(
        [len(request).to_bytes(4, "big")],
        [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams.tobytes())],
    )
    way.sendall(request)
    child = int.from_bytes(received(way, 4), "big")
    if not child:
        return None
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: os.kill(child, number))
    return int.from_bytes(received(way, 4), "big")


def received(way: _socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        part = way.recv(size - len(content))
        if not part:
            raise EOFError
        content += part
    return content


def _start(where: str) -> None:
    """Let a resident begin; this command does not wait for it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", _RESIDENT, os.path.dirname(os.path.dirname(__file__)), where],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, nothing, stream) for stream in (0, 1, 2)],
        setsid=True,
    )
    os.close(nothing)
