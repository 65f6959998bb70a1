"""The way from a node to its database, through which a test can put its scissors."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path

MOST = 1 << 16


class Cable:
    """Takes connections on this computer and carries them to a server's socket."""

    def __init__(self, target: Path) -> None:
        self._target = str(target)
        self._flows = threading.Event()
        self._flows.set()
        self._whole = True
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._take, daemon=True).start()

    def cut(self) -> None:
        """Every connection ends at once, and no new one is made."""
        self._whole = False
        with self._lock:
            ends, self._ends = self._ends, set()
        for end in ends:
            _hang_up(end)

    def freeze(self) -> None:
        """Whatever is sent stays on the way: nobody is told that nobody listens."""
        self._flows.clear()

    def mend(self) -> None:
        """As before; what stayed on the way arrives after all."""
        self._whole = True
        self._flows.set()

    def close(self) -> None:
        self.mend()
        self._door.close()
        self.cut()

    def _take(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            if not self._whole:
                _hang_up(near)
                continue
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self._target)
            except OSError:
                _hang_up(near)
                continue
            with self._lock:
                self._ends |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(MOST):
                self._flows.wait()
                sink.sendall(content)
        _hang_up(sink)
        _hang_up(source)
        with self._lock:
            self._ends -= {source, sink}


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
