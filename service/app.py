"""The application: routes of FastAPI around what ``service.dispatch`` does.

FastAPI and Starlette are known in this module, in ``service.sse`` and in
``service.page_routes`` alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route as Place

from answers.context import StoreContext
from answers.i18n import Voice
from answers.operations import routes
from answers.operations.declaration import Operation
from engines.kernel.messages.catalogue import Language
from service import openapi
from service.asgi import Receive, Scope, Send, received, without_body
from service.cache_warmup import CacheWarmup
from service.dispatch import Dispatcher
from service.event_hub import EventHub
from service.http_messages import HttpRequest, HttpResponse
from service.metrics import Metrics
from service.middleware import HttpMiddleware
from service.negotiation import language_of
from service.page_routes import add_pages, refused_page
from service.problems import Refused, voice_in
from service.settings import Settings
from service.sse import add_streams
from service.thread_pool import Hands

QUICK, PATIENT = 12, 4
"""So many threads for what is asked; for what takes long, others, so that no table waits for it."""


def make_app(house: StoreContext, settings: Settings | None = None) -> FastAPI:
    """The service of one house."""
    settings = settings or Settings()
    service, measures = Dispatcher.of(house, settings), Metrics()
    hub = EventHub(service.door, settings, measures)
    quick, patient = Hands(QUICK), Hands(PATIENT)
    warming = CacheWarmup(house.bench, lambda: quick.busy or patient.busy)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        await hub.open()
        if settings.warm:
            warming.start()
        try:
            yield
        finally:
            warming.stop()
            await hub.close()
            quick.rest()
            patient.rest()

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=living)
    app.state.service, app.state.hub, app.state.measures = service, hub, measures
    for route in routes():
        endpoint = Endpoint(service, route, patient if route.slow else quick)
        app.routes.append(Place(endpoint.path, endpoint, methods=[route.method]))
    add_streams(app, service, hub)
    _add_document(app)
    add_pages(app, service, receive)
    _add_health(app, service, measures)
    app.add_exception_handler(HTTPException, _not_here(service))
    app.add_middleware(HttpMiddleware, settings=settings, measures=measures)
    return app


class Endpoint:
    """An operation as an application of its own: nothing stands between it and the server."""

    def __init__(self, service: Dispatcher, route: Operation, hands: Hands) -> None:
        self.path = openapi.BASE + route.path
        limits = service.settings.limits
        self._limit = limits.file if route.takes_file else limits.body
        self._service, self._route, self._hands = service, route, hands

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self
        try:
            asked = await received(scope, receive, self._limit)
        except Refused as error:
            reply = self._service.refusal(error, voice_in(_language(scope)))
        else:
            reply = await self._hands.do(partial(self._service.reply, self._route, asked))
        await _send(send, reply)


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


async def receive(request: Request, limit: int = 0) -> HttpRequest:
    """A request as the pages need it."""
    return await received(request.scope, request.receive, limit)


def response(reply: HttpResponse) -> Response:
    return Response(reply.content, reply.status, dict(reply.headers), reply.media or None)


def voice_of(request: Request) -> Voice:
    return voice_in(_language(request.scope))


def _add_document(app: FastAPI) -> None:
    @app.get("/api/openapi.json")
    async def document(request: Request) -> Response:
        return JSONResponse(openapi.document(voice_of(request).lang), headers=_VARY)

    @app.get("/api/docs")
    async def page(request: Request) -> Response:
        text = openapi.page(voice_of(request).lang)
        return Response(text, headers=_VARY, media_type="text/html; charset=utf-8")

    @app.get("/api/docs.css")
    async def style(request: Request) -> Response:
        return Response(openapi.stylesheet(), media_type="text/css; charset=utf-8")


def _add_health(app: FastAPI, service: Dispatcher, measures: Metrics) -> None:
    @app.get("/api/health")
    async def health(request: Request) -> Response:
        """The process answers."""
        return JSONResponse({"status": "ok"}, headers=_NEVER)

    @app.get("/api/ready")
    async def ready(request: Request) -> Response:
        """The store answers too."""
        try:
            entries = await run_in_threadpool(service.door.house.store.position)
        except Exception as error:
            return response(service.refusal(error, voice_of(request)))
        return JSONResponse({"status": "ok", "entries": entries}, headers=_NEVER)

    @app.get("/api/metrics")
    async def metrics(request: Request) -> Response:
        try:
            received = await receive(request)
            await run_in_threadpool(service.admit, received, "metrics")
        except Exception as error:
            return response(service.refusal(error, voice_of(request)))
        return Response(measures.text(), headers=_NEVER, media_type="text/plain; version=0.0.4")


def _not_here(service: Dispatcher) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def refuse(request: Request, error: Exception) -> Response:
        missing = Refused("not_found", "no_such_page")
        if isinstance(error, HTTPException) and error.status_code == 405:
            allowed = {"Allow": (error.headers or {}).get("Allow", "")}
            missing = Refused("not_this_way", "not_this_way", allowed, method=request.method[:20])
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return refused_page(service, await receive(request), missing)
        return response(service.refusal(missing, voice_of(request)))

    return refuse


_VARY = {"Vary": "Accept-Language"}
_NEVER = {"Cache-Control": "no-store"}
