"""HTTP middleware around the whole application.

It checks the Host header (DNS rebinding), refuses ambiguous lengths (request smuggling), adds
the security headers, answers other websites that may call the API (CORS), counts requests under
way and writes the access log.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from time import perf_counter

from service.asgi import Message, Receive, Scope, Send
from service.cross_origin import answer_to_preflight, headers_for, is_preflight, origin_of
from service.metrics import Metrics
from service.problems import MEDIA, STATUSES, HttpRefusal, document, told, voice_in
from service.settings import Settings

App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
IN_FRAMES = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The policy of the few pages that other sites may show in a frame."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
HSTS = (b"strict-transport-security", b"max-age=31536000")
_FRAMED = (b"content-security-policy", IN_FRAMES.encode())
_ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_CLOSE = {"Connection": "close"}
access_log = logging.getLogger("referee.access")


class HttpMiddleware:
    """ASGI middleware: runs on the event loop, before and after every request."""

    def __init__(self, app: App, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = perf_counter(), 0
        self.metrics.under_way += 1

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                self.metrics.under_way -= 1
                status = message["status"]
                message = {**message, "headers": self._headers(scope, message["headers"])}
            await send(message)

        try:
            if (refused := self._check(scope)) is not None:
                await _refuse(answered, refused)
            elif is_preflight(scope) and origin_of(scope, self.settings.origins):
                headers = answer_to_preflight()
                start = {"type": "http.response.start", "status": 204, "headers": headers}
                await answered(start)
                await answered({"type": "http.response.body", "body": b""})
            else:
                await self.app(scope, receive, answered)
        finally:
            if not status:  # it failed before there was a response: the server answers 500
                self.metrics.under_way -= 1
            self._log_access(scope, status or 500, perf_counter() - begun)

    def _check(self, scope: Scope) -> HttpRefusal | None:
        hosts, coding = _headers(scope, b"host"), _headers(scope, b"transfer-encoding")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            # A proxy in front may have read another one: the connection cannot be trusted.
            return HttpRefusal("misused", "other_host", _CLOSE, host=", ".join(hosts)[:60])
        if not {".", ".."}.isdisjoint(scope["path"].split("/")):
            return HttpRefusal("not_found", "no_such_page")  # no address of ours leads upwards
        # Request smuggling: two readers of the same bytes must not see different requests.
        if coding and _headers(scope, b"content-length"):
            return HttpRefusal("misused", "two_lengths", _CLOSE)
        if coding and [each.lower() for each in coding] != ["chunked"]:
            return HttpRefusal("misused", "other_coding", _CLOSE, coding=", ".join(coding)[:60])
        return None

    def _is_ours(self, host: str) -> bool:
        name = host.rpartition(":")[0] if _has_port(host) else host
        return self.settings.any_host or name.lower() in self.settings.hosts

    def _headers(self, scope: Scope, given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        known = {name for name, _ in given}
        if _FRAMED in given:
            known.add(b"x-frame-options")
        if self.settings.origins:
            given = [*given, (b"vary", b"Origin")]
        if (origin := origin_of(scope, self.settings.origins)) is not None:
            given = [*given, *headers_for(origin)]
        wanted = [*_ENCODED, HSTS] if scope["scheme"] == "https" else _ENCODED
        return [*given, *(header for header in wanted if header[0] not in known)]

    def _log_access(self, scope: Scope, status: int, seconds: float) -> None:
        """The access log has the route template, never the URL: that may hold a join code."""
        route = scope.get("route")
        place = getattr(route, "path", "–")
        self.metrics.request(scope["method"], place, status, seconds)
        access_log.info("%s %s %d %.1f ms", scope["method"], place, status, seconds * 1000)


def _has_port(host: str) -> bool:
    return host.rpartition(":")[2].isdecimal() and not host.endswith("]")


def _headers(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


async def _refuse(send: Send, error: HttpRefusal) -> None:
    voice = voice_in("en")
    kind, problem = told(error, voice)
    body = json.dumps(document(kind, problem, voice)).encode()
    told_of = {"Content-Type": MEDIA, "Content-Length": str(len(body)), **error.headers}
    headers = [(name.lower().encode(), value.encode()) for name, value in told_of.items()]
    await send({"type": "http.response.start", "status": STATUSES[kind], "headers": headers})
    await send({"type": "http.response.body", "body": body})
