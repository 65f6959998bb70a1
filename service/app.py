"""The application: routes of FastAPI around what ``service.answering`` does.

FastAPI and Starlette are known in this module, in ``service.streaming`` and in
``service.showing`` alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from answers.caller import House
from answers.voice import Voice
from service import document
from service.answering import Received, Reply, Service, language
from service.asking import ROUTES, Route
from service.live import Hub
from service.measures import Measures
from service.porch import Porch
from service.problems import Refused, voice_in
from service.routes import house as house_routes
from service.routes import judge, play, proof, review, rulebooks, tournament
from service.settings import Settings
from service.showing import add_pages, refused_page
from service.streaming import add_streams

ROUTED = (play, judge, proof, review, rulebooks, house_routes, tournament)
Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(house: House, settings: Settings | None = None) -> FastAPI:
    """The service of one house."""
    settings = settings or Settings()
    service, measures = Service.of(house, settings), Measures()
    hub = Hub(service.door, settings, measures)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        await hub.open()
        try:
            yield
        finally:
            await hub.close()

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=living)
    app.state.service, app.state.hub, app.state.measures = service, hub, measures
    for route in ROUTES.values():
        methods: list[str] = ["GET", "HEAD"] if route.method == "GET" else [route.method]
        app.add_api_route(document.BASE + route.path, _endpoint(service, route), methods=methods)
    add_streams(app, service, hub)
    _add_document(app)
    add_pages(app, service, receive)
    _add_health(app, service, measures)
    app.add_exception_handler(HTTPException, _not_here(service))
    app.add_middleware(Porch, settings=settings, measures=measures)
    return app


def _endpoint(service: Service, route: Route) -> Endpoint:
    limits = service.settings.limits
    limit = limits.file if route.takes_file else limits.body

    async def answer(request: Request) -> Response:
        try:
            received = await receive(request, limit)
        except Refused as error:
            return response(service.refusal(error, voice_of(request)))
        return response(await run_in_threadpool(service.reply, route, received))

    return answer


async def receive(request: Request, limit: int = 0) -> Received:
    """A request as the routes need it; one that is too large is not read to its end."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise Refused("too_large", "too_large", limit=limit)
    return Received(
        method=request.method,
        path=request.path_params,
        query=request.query_params.multi_items(),
        headers=request.headers,
        cookies=request.cookies,
        content=bytes(content),
        address=request.client.host if request.client else "unknown",
        secure=request.url.scheme == "https",
    )


def response(reply: Reply) -> Response:
    return Response(reply.content, reply.status, dict(reply.headers), reply.media or None)


def voice_of(request: Request) -> Voice:
    return voice_in(language(request.headers.get("accept-language", "")))


def _add_document(app: FastAPI) -> None:
    @app.get("/api/openapi.json")
    async def openapi(request: Request) -> Response:
        return JSONResponse(document.document(voice_of(request).lang), headers=_VARY)

    @app.get("/api/docs")
    async def page(request: Request) -> Response:
        text = document.page(voice_of(request).lang)
        return Response(text, headers=_VARY, media_type="text/html; charset=utf-8")

    @app.get("/api/docs.css")
    async def style(request: Request) -> Response:
        return Response(document.stylesheet(), media_type="text/css; charset=utf-8")


def _add_health(app: FastAPI, service: Service, measures: Measures) -> None:
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


def _not_here(service: Service) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def refuse(request: Request, error: Exception) -> Response:
        missing = Refused("not_found", "no_such_page")
        if isinstance(error, HTTPException) and error.status_code == 405:
            missing = Refused("misused", "not_this_way", method=request.method)
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return refused_page(service, await receive(request), missing)
        return response(service.refusal(missing, voice_of(request)))

    return refuse


_VARY = {"Vary": "Accept-Language"}
_NEVER = {"Cache-Control": "no-store"}
