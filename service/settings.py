"""Settings and limits of a service."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path


@dataclass(frozen=True)
class Limits:
    """Limits for one principal, and for all of them together."""

    body: int = 64 * 1024
    file: int = 8 * 1024 * 1024
    """Bytes of a request body that is a file."""
    reads_a_second: float = 50
    writes_a_second: float = 20
    burst_seconds: float = 4
    """Size of a token bucket: so many seconds' worth of requests may come at once."""
    reads_a_second_of_address: float = 500
    """The same of all who come from one address without a token: a hall behind one router."""
    wrong_codes_a_minute: int = 300
    """Join codes that are not good, from one address. Good ones are not counted."""
    registrations_a_minute: int = 60
    """People who register themselves, or try to, from one address."""
    streams: int = 3000
    streams_of_one: int = 20
    """Live streams that one principal with a token may hold open."""
    streams_of_address: int = 1000
    """Live streams to the spectators behind one address."""
    streams_to_watch: int = 2500
    """Live streams to spectators: the other places are for who plays, writes or judges."""
    connections: int = 4000
    connections_of_address: int = 2000
    """Of one address; behind a proxy all have the same, and this does not apply."""
    behind: int = 256
    """Back-pressure: a subscriber that is so many events behind is disconnected."""


@dataclass(frozen=True)
class Settings:
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    """Allowed values of the Host header."""
    origins: tuple[str, ...] = ()
    """Other websites whose pages may call the API (CORS)."""
    webhooks_inside: tuple[IPv4Network | IPv6Network, ...] = ()
    """Networks inside the house that may be told of events; outside of it all may."""
    tls: bool = False
    proxied: bool = False
    """A reverse proxy in front tells the client's address and scheme."""
    limits: Limits = Limits()
    ping: float = 15.0
    """Keep-alive: seconds after which a silent stream sends a comment."""
    warm: bool = False
    """Cache warm-up: games that are being played are loaded when the service has started."""
    docs: Path | None = None
    """The documentation as a site, shown under ``/docs``."""
    club: str = ""
    """What the house calls itself, at the head of every page."""
    any_host: bool = False
