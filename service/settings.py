"""How a service is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Limits:
    """How much one visitor may ask for, and all of them together."""

    body: int = 64 * 1024
    file: int = 4 * 1024 * 1024
    """The body of a request that sends a file."""
    reads_a_second: float = 50
    writes_a_second: float = 20
    burst_seconds: float = 4
    """So many seconds' worth may come at once."""
    joins_a_minute: int = 10
    streams: int = 2000
    streams_of_one: int = 20
    """Live streams that one visitor may hold open."""
    connections: int = 4000
    behind: int = 256
    """A reader of a live stream that is so many events behind is dropped."""


@dataclass(frozen=True)
class Settings:
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    """The names that the service answers to."""
    tls: bool = False
    proxied: bool = False
    """What stands in front tells the visitor's address and scheme."""
    limits: Limits = Limits()
    ping: float = 15.0
    """Seconds after which a silent stream shows that it is alive."""
    warm: bool = False
    """The tables that are being played are read as soon as the service has started."""
    docs: Path | None = None
    """The documentation as a site, shown under ``/docs``."""
    any_host: bool = False
