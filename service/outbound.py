"""Requests to addresses that organisers have named, kept away from what is inside the house (SSRF).

The name is resolved here, every address that it has is checked, and the connection is made to one
that was checked, so that the name cannot mean another one a moment later.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPException
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from threading import Timer
from urllib.parse import urljoin, urlsplit

from referee.errors import Misused

PATIENCE = 10.0
"""Seconds for one request, whatever the other side does meanwhile."""
MOST_REDIRECTS = 3
KEEP_THE_METHOD = (307, 308)
"""Redirects that are followed: the others would make a GET of it."""
GONE = 410
Network = IPv4Network | IPv6Network
Networks = Sequence[Network]
_NAT64 = IPv6Network("64:ff9b::/96")


class NotDelivered(Exception):
    """Why something has not arrived, as ``webhook.problem_…`` words it."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def networks_of(places: Sequence[str]) -> tuple[Network, ...]:
    """The addresses and networks inside the house that may be told of events."""
    found = []
    for place in places:
        try:
            found.append(ip_network(place.strip(), strict=False))
        except ValueError:
            raise Misused("bad_webhook", place=place[:80]) from None
    return tuple(found)


def post(address: str, content: bytes, headers: Mapping[str, str], allowed: Networks = ()) -> None:
    """Send something to an address; ``NotDelivered`` unless it is taken there."""
    for _ in range(MOST_REDIRECTS + 1):
        status, location = _posted(address, content, headers, allowed)
        if 200 <= status < 300:
            return
        if status == GONE:
            raise NotDelivered("gone")
        if not 300 <= status < 400:
            raise NotDelivered(f"status {status}")
        if status not in KEEP_THE_METHOD or not location:
            break
        address = urljoin(address, location)
    raise NotDelivered("redirect")


def _posted(
    address: str, content: bytes, headers: Mapping[str, str], allowed: Networks
) -> tuple[int, str]:
    """Status, and where it leads on."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise NotDelivered("redirect") from None
    if parts.scheme not in ("http", "https") or not host:
        raise NotDelivered("redirect")
    places = checked(host, port, secure=parts.scheme == "https", allowed=allowed)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _CheckedConnection(places, host, port, secure=parts.scheme == "https")
    too_long = Timer(PATIENCE, connection.abandon)
    too_long.daemon = True
    too_long.start()
    try:
        connection.request("POST", path, content, dict(headers))
        reply = connection.getresponse()
        return reply.status, reply.getheader("Location", "")
    except ssl.SSLCertVerificationError:
        raise NotDelivered("certificate") from None
    except TimeoutError:
        raise NotDelivered("timeout") from None
    except (OSError, HTTPException, ValueError):
        raise NotDelivered("timeout" if connection.abandoned else "unreachable") from None
    finally:
        too_long.cancel()
        connection.close()


def checked(host: str, port: int, *, secure: bool, allowed: Networks) -> list[str]:
    """The addresses that a host has now. If one of them is inside the house and not
    allowed, none is used: which one is meant would be the other side's choice."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotDelivered("unreachable") from None
    places = list(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in found))
    inside = [place for place in places if not is_outside(ip_address(place))]
    if any(not _is_allowed(ip_address(place), allowed) for place in inside):
        raise NotDelivered("inside")
    if not secure and len(inside) < len(places):
        raise NotDelivered("not_secure")
    return places


def is_outside(place: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the whole internet, and leads to none of the house."""
    if isinstance(place, IPv6Address) and (meant := _embedded(place)) is not None:
        return is_outside(meant)
    return place.is_global and not place.is_multicast and not place.is_reserved


def _embedded(place: IPv6Address) -> IPv4Address | None:
    """The address of the older kind that one of the newer kind leads to."""
    if place in _NAT64:
        return IPv4Address(int(place) & 0xFFFFFFFF)
    return place.ipv4_mapped or place.sixtofour or (place.teredo[1] if place.teredo else None)


def _is_allowed(place: IPv4Address | IPv6Address, allowed: Networks) -> bool:
    mapped = place.ipv4_mapped if isinstance(place, IPv6Address) else None
    meant = mapped or place
    return any(meant.version == each.version and meant in each for each in allowed)


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


class _CheckedConnection(HTTPConnection):
    """To an address that was checked, in the name of the host."""

    def __init__(self, places: Sequence[str], host: str, port: int, *, secure: bool) -> None:
        super().__init__(host, port, timeout=PATIENCE)
        self._places, self._secure = places, secure
        self.abandoned = False
        self.default_port = 443 if secure else 80

    def connect(self) -> None:
        *others, last = self._places
        for place in others:
            with suppress(OSError):
                self.sock = socket.create_connection((place, self.port), PATIENCE / 2)
                break
        else:
            self.sock = socket.create_connection((last, self.port), PATIENCE)
        if self._secure:
            self.sock = _context().wrap_socket(self.sock, server_hostname=self.host)

    def abandon(self) -> None:
        """End it from another thread: a byte now and then does not hold it open."""
        self.abandoned = True
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)
