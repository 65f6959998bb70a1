"""The ASGI application: Starlette routes around what ``service.dispatch`` does.

Starlette is known in this module, in ``service.sse`` and in ``service.page_routes`` alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route as HttpRoute

from answers.context import StoreContext
from answers.declaration import Operation, named
from answers.i18n import Voice
from answers.operations import routes
from engines.kernel.messages.catalogue import Language
from engines.kernel.messages.errors import MessageError
from referee.archive.read_models import keeping_views
from service import openapi
from service.asgi import NOBODY_READS, Receive, Scope, Send, disconnected, received, without_body
from service.cache_warmup import CacheWarmup
from service.dispatch import Dispatcher
from service.event_hub import EventHub
from service.http_messages import HttpRequest, HttpResponse
from service.metrics import Metrics, summed
from service.middleware import HttpMiddleware
from service.negotiation import language_of
from service.page_routes import page_routes, refused_page
from service.problems import HttpRefusal, voice_in
from service.progress import Progress, wants_progress, watched
from service.settings import Settings
from service.shared_state import SharedState
from service.sse import stream_routes
from service.strangers import Strangers, answer_stranger
from service.thread_pool import ThreadPool
from service.webhooks import WebhookSender


def make_app(
    store_context: StoreContext, settings: Settings | None = None, state: SharedState | None = None
) -> Starlette:
    """The ASGI application that serves one store, with the state that other workers share."""
    settings, state = settings or Settings(), state or SharedState()
    service, metrics = Dispatcher.of(store_context, settings, state), Metrics()
    threads = ThreadPool.for_store(store_context.store.url)
    strangers = Strangers(store_context.store.url, settings)
    hub = EventHub(service.access_control, settings, metrics, state)
    sender = WebhookSender(service.access_control, settings.webhooks_inside)
    cache_warmup = CacheWarmup(store_context.bench, lambda: metrics.under_way > 0)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        threads.open()
        await hub.open()
        sender.start()
        if settings.warm:
            cache_warmup.start()
        try:
            with keeping_views(store_context.store):
                yield
        finally:
            cache_warmup.stop()
            await asyncio.to_thread(sender.stop)
            strangers.close()
            await threads.close()
            await hub.close()

    app = Starlette(
        routes=[
            *_operation_routes(service, threads, strangers),
            *stream_routes(service, hub, threads),
            *_document_routes(),
            *page_routes(service, threads, strangers),
            *_health_routes(service, metrics, state, threads),
        ],
        middleware=[Middleware(HttpMiddleware, settings=settings, metrics=metrics)],
        exception_handlers={HTTPException: _not_here(service), MessageError: _refused(service)},
        lifespan=lifespan,
    )
    app.state.service, app.state.hub, app.state.metrics = service, hub, metrics
    app.state.threads = threads
    return app


def _operation_routes(
    service: Dispatcher, threads: ThreadPool, strangers: Strangers
) -> list[HttpRoute]:
    return [
        HttpRoute(
            openapi.BASE + route.path,
            Endpoint(service, route, threads, strangers),
            methods=[route.method],
        )
        for route in routes()
    ]


class Endpoint:
    """One operation as an ASGI application: reads the request, runs it in a thread, responds."""

    def __init__(
        self, service: Dispatcher, route: Operation, threads: ThreadPool, strangers: Strangers
    ) -> None:
        limits = service.settings.limits
        self._limit = limits.file if route.takes_file else limits.body
        if route.largest:
            self._limit = max(self._limit, named(route.largest))
        self._service, self._route = service, route
        self._threads, self._strangers = threads, strangers
        self._run = threads.run_slow if route.slow else threads.run
        self._for_strangers = route.scope == "public" and route.kind == "try"
        self._has_progress = "on_step" in route.parameters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            asked = await received(scope, receive, self._limit)
        except HttpRefusal as error:
            reply = self._service.refusal(error, voice_in(_language(scope)))
        else:
            if self._has_progress:
                found = await self._watched(asked, receive, send)
            else:
                found = await self._replied(asked, receive)
            if found is None:
                return  # nobody is there any more, or all is said
            reply = found
        await _send(send, reply)

    async def _replied(self, asked: HttpRequest, receive: Receive) -> HttpResponse | None:
        gone = partial(disconnected, receive)
        if self._for_strangers:
            principal = await self._threads.run(self._service.principal, asked, writes=True)
            work = partial(answer_stranger, self._route.name, asked, principal)
            return await self._strangers.run(asked.address, gone, work)
        if self._route.writes:
            return await self._run(self._service.reply, self._route, asked)
        work_here = partial(self._service.reply, self._route, asked)
        return await self._threads.run_for(gone, work_here, slow=self._route.slow)

    async def _watched(
        self, asked: HttpRequest, receive: Receive, send: Send
    ) -> HttpResponse | None:
        progress, never = Progress(), asyncio.Event()
        work_here = partial(self._service.reply, self._route, asked, progress)
        work = self._threads.run_for(never.wait, work_here, slow=self._route.slow)
        return await watched(work, progress, receive, send, tells=wants_progress(asked))


async def _send(send: Send, reply: HttpResponse) -> None:
    told = dict(reply.headers)
    if reply.media:
        told["Content-Type"] = reply.media
    if reply.status != 304:
        told["Content-Length"] = str(len(reply.content))
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in told.items()]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.content})


def _language(scope: Scope) -> Language:
    return language_of(without_body(scope))


def response(reply: HttpResponse) -> Response:
    return Response(reply.content, reply.status, dict(reply.headers), reply.media or None)


def voice_of(request: Request) -> Voice:
    return voice_in(_language(request.scope))


def _document_routes() -> list[HttpRoute]:
    async def document(request: Request) -> Response:
        return JSONResponse(openapi.document(voice_of(request).lang), headers=_VARY)

    async def page(request: Request) -> Response:
        text = openapi.page(voice_of(request).lang)
        return Response(text, headers=_VARY, media_type="text/html; charset=utf-8")

    async def style(request: Request) -> Response:
        return Response(openapi.stylesheet(), media_type="text/css; charset=utf-8")

    return [
        HttpRoute("/api/openapi.json", document),
        HttpRoute("/api/docs", page),
        HttpRoute("/api/docs.css", style),
    ]


def _health_routes(
    service: Dispatcher, metrics: Metrics, state: SharedState, threads: ThreadPool
) -> list[HttpRoute]:
    async def health(request: Request) -> Response:
        """Liveness: the process answers."""
        return JSONResponse({"status": "ok"}, headers=_NEVER)

    async def ready(request: Request) -> Response:
        """Readiness: the store answers too, and so do the tokens."""
        try:
            entries = await threads.run(service.access_control.store_context.store.position)
            await threads.run(service.access_control.store_context.access.changes)
        except Exception as error:
            return response(service.refusal(error, voice_of(request)))
        return JSONResponse({"status": "ok", "entries": entries}, headers=_NEVER)

    async def exposition(request: Request) -> Response:
        try:
            asked = await received(request.scope, request.receive, 0)
            gone = partial(disconnected, request.receive)
            admit = partial(service.admit, asked, "metrics")
            if await threads.run_for(gone, admit) is None:
                return Response(status_code=NOBODY_READS)
        except Exception as error:
            return response(service.refusal(error, voice_of(request)))
        text = summed([metrics.text(), *state.metrics_elsewhere()])
        return Response(text, headers=_NEVER, media_type="text/plain; version=0.0.4")

    return [
        HttpRoute("/api/health", health),
        HttpRoute("/api/ready", ready),
        HttpRoute("/api/metrics", exposition),
    ]


def _not_here(service: Dispatcher) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def refuse(request: Request, error: Exception) -> Response:
        missing = HttpRefusal("not_found", "no_such_page")
        if isinstance(error, HTTPException) and error.status_code == 405:
            allowed = {"Allow": (error.headers or {}).get("Allow", "")}
            missing = HttpRefusal(
                "not_this_way", "not_this_way", allowed, method=request.method[:20]
            )
        return _refusal(service, request, missing)

    return refuse


def _refused(service: Dispatcher) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def refuse(request: Request, error: Exception) -> Response:
        return _refusal(service, request, error)

    return refuse


def _refusal(service: Dispatcher, request: Request, error: Exception) -> Response:
    """A page for browsers, a problem document for programs."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return refused_page(service, without_body(request.scope), error)
    return response(service.refusal(error, voice_of(request)))


_VARY = {"Vary": "Accept-Language"}
_NEVER = {"Cache-Control": "no-store"}
