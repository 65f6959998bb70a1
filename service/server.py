"""Running the service on uvicorn: sockets, signals, graceful shutdown."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from answers.context import StoreContext
from referee.errors import Conflicting, Misused, NotFound, Unfit
from service.app import make_app
from service.client_timeouts import HEAD, Listening, Neighbours
from service.cross_origin import check_origins
from service.event_hub import EventHub
from service.gc_tuning import GcFreezer
from service.middleware import App
from service.outbound import networks_of
from service.pages.docs import FIRST, built_here, is_site
from service.settings import Limits, Settings
from service.shared_state import SharedState
from service.thread_pool import ThreadPool

DRAIN = 10
"""Seconds that requests have to finish once the service is told to stop."""
SENDING = 1.0
"""Seconds that whoever is in the middle of a request then has to send the rest of it."""
BACKLOG = 2048
SPARE = 64
"""Open files besides connections."""
log = logging.getLogger("referee.service")


@dataclass(frozen=True)
class ListenAddress:
    """Where a service listens, and how it is reached."""

    port: int = 8420
    lan: bool = False
    cert: Path | None = None
    key: Path | None = None
    proxy: str | None = None
    """Addresses or networks of trusted proxies (``X-Forwarded-For``)."""
    names: tuple[str, ...] = ()
    """Additional host names; behind a proxy, the public ones."""
    origins: tuple[str, ...] = ()
    """Other websites whose pages may call the API."""
    webhooks: tuple[str, ...] = ()
    """Addresses and networks inside the house that may be told of events."""
    docs: Path | None = None
    """A folder with the documentation as a site; else that of the sources, if it was built."""
    club: str = ""

    @property
    def host(self) -> str:
        return "0.0.0.0" if self.lan else "127.0.0.1"

    @property
    def scheme(self) -> str:
        return "https" if self.cert is not None else "http"

    def addresses(self) -> list[str]:
        """Every host name that clients may use, the best first."""
        own = [*self.names, *(lan_addresses() if self.lan else ()), "127.0.0.1"]
        return list(dict.fromkeys(own))

    def link(self, address: str) -> str:
        """The URL for a host name; behind a proxy, which ends TLS, with the usual port."""
        if self.proxy is not None and address in self.names:
            return f"https://{address}"
        usual = 443 if self.scheme == "https" else 80
        port = "" if self.port == usual else f":{self.port}"
        return f"{self.scheme}://{address}{port}"


def lan_addresses() -> list[str]:
    """The addresses of this computer on its network. Connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found = [str(probe.getsockname()[0])]
        except OSError:
            found = []
    return [*found, socket.gethostname().lower()]


def settings_for(
    place: ListenAddress, limits: Limits | None = None, *, warm: bool = False
) -> Settings:
    hosts = ("127.0.0.1", "localhost", "[::1]", *(name.lower() for name in place.addresses()))
    return Settings(
        hosts=tuple(dict.fromkeys(hosts)),
        origins=place.origins,
        webhooks_inside=networks_of(place.webhooks),
        tls=place.cert is not None,
        proxied=place.proxy is not None,
        limits=limits or Limits(),
        warm=warm,
        docs=place.docs or built_here(),
        club=place.club,
    )


def listening(place: ListenAddress) -> tuple[socket.socket, ListenAddress]:
    """A listening socket, and the address with the port it has got."""
    _check_certificate(place.cert, place.key)
    _check_proxy(place.proxy)
    check_origins(place.origins)
    networks_of(place.webhooks)
    if place.docs is not None and not is_site(place.docs):
        raise NotFound("no_such_file", file=str(place.docs / FIRST))
    # Only a socket that is said to be TCP is told by asyncio not to hold small answers back.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((place.host, place.port))
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise Conflicting("port_taken", port=place.port) from None
        raise
    listener.listen(BACKLOG)
    return listener, replace(place, port=listener.getsockname()[1])


def _check_certificate(cert: Path | None, key: Path | None) -> None:
    """Check that TLS works with these files, before an address is printed."""
    for file in (cert, key):
        if file is not None and not file.is_file():
            raise NotFound("no_such_file", file=str(file))
    if cert is None:
        if key is not None:
            raise Misused("key_without_certificate")
        return
    try:
        # A key behind a password is refused: nobody is there to type it when a service starts.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: "")
    except ssl.SSLError:
        raise Unfit("bad_certificate", file=str(cert)) from None


def _check_proxy(proxy: str | None) -> None:
    for address in proxy.split(",") if proxy is not None else ():
        try:
            ip_network(address.strip())
        except ValueError:
            raise Misused("bad_proxy", address=address.strip()) from None


def serve(
    store_context: StoreContext,
    place: ListenAddress,
    listener: socket.socket,
    *,
    limits: Limits | None = None,
    ready: Callable[[], None] = lambda: None,
    verbose: bool = False,
    cold: bool = False,
    state: SharedState | None = None,
) -> None:
    """Serve until a signal says to stop; requests that go on are finished first.

    After ``DRAIN`` seconds clients are disconnected and what still goes on is ended, but not in the
    middle of a write; a second signal ends the process at once.

    A ``cold`` service reads nothing before it is asked.
    """
    settings = settings_for(place, limits, warm=not cold)
    app = make_app(store_context, settings, state)
    _allow_files(settings.limits.connections + SPARE)
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")
    if (problem := store_context.people.problem) is not None:
        logging.getLogger("referee.service").warning(
            "the names cannot be read, people are shown by pseudonyms: %s", problem
        )
    config = configured(app, place, settings.limits)
    freezer = GcFreezer(app.state.metrics.gc_pause)
    HttpServer(config, app.state.hub, app.state.threads, freezer, ready).run(sockets=[listener])


def configured(app: App, place: ListenAddress, limits: Limits) -> uvicorn.Config:
    """The uvicorn configuration: timeouts, limits, proxy headers, TLS."""
    proxied = place.proxy is not None
    return uvicorn.Config(
        app,
        http=Listening if proxied else counting(limits.connections_of_address),
        h11_max_incomplete_event_size=HEAD,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=proxied,
        forwarded_allow_ips=place.proxy,
        ssl_certfile=place.cert,
        ssl_keyfile=place.key,
        limit_concurrency=limits.connections,
        timeout_graceful_shutdown=DRAIN,
        lifespan="on",
    )


def counting(most: int) -> type[asyncio.Protocol]:
    """The protocol class with a connection limit per address."""
    return type("Counted", (Listening,), {"neighbours": Neighbours(most)})


def _allow_files(wanted: int) -> None:
    """Raise the limit of open files: each connection is one, and the default is often 1024."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def drain_on_hangup(handle: Callable[[int, FrameType | None], None]) -> None:
    """SIGHUP (a closed terminal) shuts the service down gracefully, as SIGTERM does.

    Under ``nohup`` the signal stays ignored.
    """
    hangup = getattr(signal, "SIGHUP", None)
    in_main = threading.current_thread() is threading.main_thread()
    if hangup is not None and in_main and signal.getsignal(hangup) == signal.SIG_DFL:
        signal.signal(hangup, handle)


class HttpServer(uvicorn.Server):
    """A uvicorn server that ends the live streams before it waits for requests to finish."""

    def __init__(
        self,
        config: uvicorn.Config,
        hub: EventHub,
        threads: ThreadPool,
        freezer: GcFreezer,
        ready: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._hub, self._threads, self._freezer, self._ready = hub, threads, freezer, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        drain_on_hangup(self.handle_exit)
        self._freezer.begin()
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A stop signal is not an error: uvicorn must not raise it again at the end."""
        super().handle_exit(sig, frame)
        self._captured_signals.clear()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.end_streams()
        asyncio.get_running_loop().call_later(SENDING, self._end_unsent)
        await super().shutdown(sockets)
        self._freezer.end()
        if not await self._threads.close():
            log.warning("work that cannot be ended is left")
            os._exit(1)  # threads would be waited for; whatever was acknowledged is on the disk

    def _end_unsent(self) -> None:
        """Half a request is nobody's word yet: its connection is closed."""
        for connection in tuple(self.server_state.connections):
            cycle: Any = getattr(connection, "cycle", None)
            if cycle is not None and cycle.more_body and not cycle.response_complete:
                cycle.transport.close()
