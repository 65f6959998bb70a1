"""The resident: a program that has started once, and carries out commands in children of its own.

It holds code and catalogues, never a store, a game or a name: a child opens what it needs and
ends with its command. It ends by itself when nobody has asked for some minutes, or when a file of
its code has changed.
"""

from __future__ import annotations

import gc
import marshal
import os
import socket
import sys
import time
from array import array
from importlib import import_module
from pathlib import Path

from cli import warm

IDLE = 600.0
"""Seconds without a request after which it ends."""
LOOKING = 5.0
"""Seconds after which it looks whether it is still the one that is asked."""
PRELOADED = (
    "cli.main", "cli.session", "cli.errors", "cli.commands.log", "cli.commands.check",
    "cli.commands.state", "cli.commands.options", "cli.commands.why", "cli.commands.undo",
    "cli.commands.moves", "cli.commands.info", "cli.commands.games", "cli.commands.tournament",
    "referee.store.urls", "referee.store.sqlite.recorder", "referee.archive.read_models",
)  # fmt: skip
Request = tuple[str, list[str], dict[str, str], str, int]
"""Identity, words, environment, folder and file mask of whoever asks."""
_NO_CHILD = bytes(4)


def main(where: str, idle: float = IDLE) -> int:
    """Answer until nobody asks any more."""
    if not warm.is_private(os.path.dirname(where)):
        return 1
    os.chdir("/")
    _prepare()
    listening = _bound(where)
    if listening is None:
        return 0
    own = _inode(where)
    written = _written()
    gc.collect()
    gc.freeze()
    listening.settimeout(min(idle, LOOKING))
    asked = time.monotonic()
    while time.monotonic() - asked < idle and _inode(where) == own and _written() == written:
        try:
            way, _ = listening.accept()
        except TimeoutError:
            continue
        with way:
            _answer(way, listening, stale=_written() != written)
        _reap()
        asked = time.monotonic()
    if _inode(where) == own:
        os.unlink(where)
    return 0


def _inode(where: str) -> int | None:
    return os.stat(where).st_ino if os.path.exists(where) else None


def _prepare() -> None:
    """Have at hand what most commands need."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    for name in PRELOADED:
        import_module(name)
    from cli.i18n import program_words
    from engines.kernel.messages.catalogue import LANGUAGES
    from engines.kernel.registry import engine_ids, load_engine

    for game in engine_ids():
        load_engine(game)
    for lang in LANGUAGES:
        program_words().say("labelled", lang, label="", text="")
    _play_a_little()


def _play_a_little() -> None:
    """Models and catalogues are made when they are first used: by a table that nobody keeps."""
    from answers.context import Caller, open_house
    from answers.i18n import Voice
    from answers.play import actions, opening, options, views
    from cli.commands.demo import SETUP, TABLE
    from referee.record.fold import fold

    caller = Caller(open_house("memory:"))
    opened = opening.open_table(caller, "benevolent", TABLE).data
    assert isinstance(opened, opening.NewAnswer)
    for answered in (
        actions.log(caller, opened.game, SETUP),
        actions.check(caller, opened.game, ["A step a3"]),
        views.state(caller, opened.game),
        options.options(caller, opened.game),
    ):
        answered.lines(Voice("fr"))
    fold(opened.game, caller.house.store.read(opened.game))


def _bound(where: str) -> socket.socket | None:
    """A socket that only this user can reach; None if another resident was quicker."""
    made = f"{where}.{os.getpid()}"
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(made)
    os.chmod(made, 0o600)
    listening.listen(64)
    try:
        os.link(made, where)
    except FileExistsError:
        listening.close()
        return None
    finally:
        os.unlink(made)
    return listening


def _written() -> dict[str, int]:
    """When each file of our code, and each place of packages, was last written."""
    root = Path(__file__).parents[1]
    files = {
        file
        for module in list(sys.modules.values())
        if (file := getattr(module, "__file__", None)) and Path(file).is_relative_to(root)
    }
    places = {*files, *(place for place in sys.path if os.path.isdir(place))}
    return {place: _time(place) for place in places}


def _time(place: str) -> int:
    try:
        return os.stat(place).st_mtime_ns
    except OSError:
        return 0


def _answer(way: socket.socket, listening: socket.socket, *, stale: bool) -> None:
    """Carry out a request in a child, unless anything is odd."""
    way.settimeout(5.0)
    try:
        request, streams = _request(way)
    except (OSError, ValueError, EOFError, TypeError):
        return
    try:
        if stale or request[0] != warm.identity() or not _is_ours(way):
            way.sendall(_NO_CHILD)
            return
        child = os.fork()
        if child:
            return
        listening.close()
        _carry_out(way, request, streams)
    finally:
        for stream in streams:
            os.close(stream)


def _is_ours(way: socket.socket) -> bool:
    """Whether it is the same user who asks, as the system says."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    told = array("i", way.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return told[1] == os.getuid()


def _request(way: socket.socket) -> tuple[Request, list[int]]:
    head, streams, _, _ = socket.recv_fds(way, 4, 3)
    size = int.from_bytes(head, "big")
    if len(head) != 4 or len(streams) != 3 or size > warm.LONGEST:
        for stream in streams:
            os.close(stream)
        raise ValueError
    request = marshal.loads(warm.received(way, size))
    return request, list(streams)


def _carry_out(way: socket.socket, request: Request, streams: list[int]) -> None:
    """In the child: become the program that was asked for, and end."""
    code = 1
    try:
        _, words, environment, folder, mask = request
        way.sendall(os.getpid().to_bytes(4, "big"))
        way.settimeout(None)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.chdir(folder)
        os.umask(mask)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = words
        _speak_through_streams()
        code = _run()
        way.sendall((code & 0xFF).to_bytes(4, "big"))
    finally:
        os._exit(code)


def _speak_through_streams() -> None:
    """As Python opens them when it starts."""
    told = sys.stdin.encoding, sys.stdout.encoding, sys.stderr.encoding
    sys.stdin = open(0, encoding=told[0], closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=told[1], closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding=told[2], closefd=False)  # noqa: SIM115
    if "random" in sys.modules:
        import random

        random.seed()


def _run() -> int:
    from cli.main import run

    try:
        run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except KeyboardInterrupt:
        code = 130
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 120
    return code


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
