"""The pages over HTTP: routes of FastAPI around what ``service.pages`` shows."""

from __future__ import annotations

import gzip
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from pkgutil import walk_packages
from urllib.parse import parse_qs, quote, urlsplit

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from answers.operations import OPERATIONS
from referee.record.entries import PLAYER
from service import pages
from service.auth import JOINING, Principal
from service.conditional import matches
from service.dispatch import Dispatcher
from service.http_messages import HttpRequest
from service.negotiation import language_of
from service.pages import joining
from service.pages.docs import FIRST, docs_file
from service.pages.error_page import problem_page
from service.pages.home import page_of
from service.pages.page_context import Guest
from service.pages.rendering import LOOKS, PAGES, Placed, Shown, render, safe_redirect
from service.pages.static_files import static
from service.pages.study_upload import opened
from service.problems import Refused, voice_in

LANGUAGE, LOOK, WIDE = "language", "look", "wide"
YEAR = 365 * 24 * 3600
MOST_FIELDS = 40
Receiving = Callable[[Request, int], Awaitable[HttpRequest]]
Endpoint = Callable[[Request], Awaitable[Response]]
_SQUEEZED = ("text/", "image/svg", "application/json")


def add_pages(app: FastAPI, service: Dispatcher, receive: Receiving) -> None:
    for module in walk_packages(pages.__path__, f"{pages.__name__}."):
        import_module(module.name)
    for placed in PAGES.values():
        twin = "/home" if placed.path == "/" else placed.path
        for path, as_data in ((f"{twin}.json", True), (placed.path, False)):
            endpoint = _endpoint(service, receive, placed, as_data=as_data)
            app.add_api_route(path, endpoint, methods=["GET", "HEAD"])
    _add_files(app)
    _add_docs(app, service, receive)
    _add_switches(app)
    _add_joining(app, service, receive)
    _add_opened(app, service, receive)


def _endpoint(
    service: Dispatcher, receive: Receiving, placed: Placed, *, as_data: bool
) -> Endpoint:
    async def answer(request: Request) -> Response:
        received = await receive(request, 0)
        return await run_in_threadpool(_shown, service, placed, request, received, as_data)

    return answer


def _shown(
    service: Dispatcher, placed: Placed, request: Request, received: HttpRequest, as_data: bool
) -> Response:
    try:
        guest = _guest(service, request, received)
        shown = placed.show(guest)
    except Exception as error:
        if as_data:
            reply = service.refusal(error, voice_in(language_of(received)))
            return Response(reply.content, reply.status, dict(reply.headers), reply.media)
        return refused_page(service, received, error)
    if as_data:
        return _page(request, shown.it.model_dump_json().encode(), "application/json")
    return _page(request, _set(received, shown, guest), "text/html; charset=utf-8")


def _guest(
    service: Dispatcher, request: Request, received: HttpRequest, *, writes: bool = False
) -> Guest:
    visitor = service.visitor(received, writes=writes)
    if "game" in received.path:
        visitor = service.door.seated(visitor, received.path["game"])
    return Guest(
        service.door,
        visitor,
        voice_in(language_of(received)),
        received.path,
        dict(received.query),
        str(request.base_url).rstrip("/"),
        wide=received.cookies.get(WIDE) == "yes",
    )


def _set(received: HttpRequest, shown: Shown, guest: Guest | None) -> bytes:
    look = received.cookies.get(LOOK, "")
    return render(
        shown,
        voice_in(language_of(received)),
        role=guest.role if guest is not None and guest.visitor.has_token else "",
        look=look if look in LOOKS else LOOKS[0],
        guest=guest,
    )


def refused_page(service: Dispatcher, received: HttpRequest, error: BaseException) -> Response:
    """A page that says why there is none."""
    voice = voice_in(language_of(received))
    reply = service.refusal(error, voice)
    content = _set(received, problem_page(reply, voice), None)
    kept = {name: value for name, value in reply.headers.items() if name != "WWW-Authenticate"}
    return Response(content, reply.status, kept, "text/html; charset=utf-8")


def _page(request: Request, content: bytes, media: str) -> Response:
    headers = {
        "ETag": f'"{sha256(content).hexdigest()[:20]}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Accept-Language, Cookie, Accept-Encoding",
    }
    return _sent(request, content, media, headers)


def _sent(request: Request, content: bytes, media: str, headers: Mapping[str, str]) -> Response:
    """A reply that is not sent again to who has it, and squeezed for who can take it."""
    if matches(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=dict(headers))
    if media.startswith(_SQUEEZED) and "gzip" in request.headers.get("accept-encoding", ""):
        squeezed = gzip.compress(content, 5, mtime=0)
        return Response(squeezed, 200, {**headers, "Content-Encoding": "gzip"}, media)
    return Response(content, 200, dict(headers), media)


def _add_files(app: FastAPI) -> None:
    @app.get("/static/{name}")
    async def file(request: Request, name: str) -> Response:
        found = static(name)
        if found is None:
            return Response(status_code=404)
        headers = {"ETag": found.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        return _sent(request, found.content, found.media, headers)


def _add_docs(app: FastAPI, service: Dispatcher, receive: Receiving) -> None:
    """The documentation: for everybody, as the files of the pages are."""
    folder = service.settings.docs

    async def first(request: Request) -> Response:
        """In the language of who comes."""
        received = await receive(request, 0)
        if folder is None:
            return _no_docs(service, request, received, "no_docs")
        place = f"/docs/fr/{FIRST}" if language_of(received) == "fr" else f"/docs/{FIRST}"
        return RedirectResponse(place, 303, {"Vary": "Accept-Language, Cookie"})

    async def file(request: Request, path: str) -> Response:
        received = await receive(request, 0)
        if folder is None:
            return _no_docs(service, request, received, "no_docs")
        name = f"{path}{FIRST}" if path.endswith("/") else path
        found = await run_in_threadpool(docs_file, folder, name)
        if found is None:
            return _no_docs(service, request, received, "no_such_page")
        headers = {
            "ETag": found.tag,
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
            "Content-Security-Policy": found.policy,
        }
        return _sent(request, found.content, found.media, headers)

    for path, endpoint in (("/docs", first), ("/docs/", first), ("/docs/{path:path}", file)):
        app.add_api_route(path, endpoint, methods=["GET", "HEAD"])


def _no_docs(service: Dispatcher, request: Request, received: HttpRequest, key: str) -> Response:
    """A page for people, a problem for programs."""
    missing = Refused("not_found", key)
    if "text/html" in request.headers.get("accept", ""):
        return refused_page(service, received, missing)
    reply = service.refusal(missing, voice_in(language_of(received)))
    return Response(reply.content, reply.status, dict(reply.headers), reply.media)


def _add_switches(app: FastAPI) -> None:
    """Language and look are the browser's own: a cookie each, and back to the page."""

    def chosen(request: Request, name: str, value: str) -> Response:
        response = RedirectResponse(_came_from(request), 303)
        response.set_cookie(name, value, max_age=YEAR, samesite="lax", path="/")
        return response

    @app.get("/language/{lang}")
    async def language(request: Request, lang: str) -> Response:
        return chosen(request, LANGUAGE, "fr" if lang == "fr" else "en")

    @app.get("/look/{look}")
    async def look(request: Request, look: str) -> Response:
        return chosen(request, LOOK, look if look in LOOKS else LOOKS[0])


def _came_from(request: Request) -> str:
    """The page of ours that led here; home, if it is none."""
    place = urlsplit(request.headers.get("referer", ""))
    if place.netloc != request.headers.get("host"):
        return "/"
    return safe_redirect(f"{place.path}?{place.query}" if place.query else place.path)


def _add_joining(app: FastAPI, service: Dispatcher, receive: Receiving) -> None:
    async def typed(request: Request) -> Response:
        """A code that was typed: on to its own page, where the button is."""
        received = await receive(request, service.settings.limits.body)
        said = _fields(received.content).get("code", "")
        letters = re.sub(r"[^A-Za-z0-9]", "", said)[:40]
        return RedirectResponse(f"/join/{letters}" if letters else "/join", 303)

    async def join(request: Request) -> Response:
        """The button of the page: the code becomes a cookie."""
        received = await receive(request, service.settings.limits.body)
        reply = await run_in_threadpool(service.join, OPERATIONS[JOINING], received)
        if reply.status != 200:
            voice = voice_in(language_of(received))
            content = _set(received, problem_page(reply, voice), None)
            return Response(content, reply.status, dict(reply.headers), "text/html; charset=utf-8")
        place = joining.led_to(reply.content, lambda visitor: _where(service, visitor, received))
        return RedirectResponse(place, 303, {"Set-Cookie": reply.headers["Set-Cookie"]})

    @app.get("/j/{code}/qr.svg")
    async def scanned(request: Request, code: str) -> Response:
        drawn = joining.drawn_code(str(request.base_url), code)
        return Response(drawn, headers={"Cache-Control": "no-store"}, media_type="image/svg+xml")

    @app.get("/tournaments/{tournament}/players/{player}/qr.svg")
    async def badge(request: Request, tournament: str, player: str) -> Response:
        """What a player shows at the desk: the address of the own page."""
        place = f"tournaments/{quote(tournament[:60])}/players/{quote(player[:40])}"
        drawn = joining.drawn_address(f"{request.base_url}{place}")
        return Response(drawn, headers={"Cache-Control": "no-store"}, media_type="image/svg+xml")

    app.add_api_route("/join", typed, methods=["POST"])
    for path in ("/join/{code}", "/j/{code}"):
        app.add_api_route(path, join, methods=["POST"])


def _add_opened(app: FastAPI, service: Dispatcher, receive: Receiving) -> None:
    limit = service.settings.limits.file

    @app.post("/study")
    async def studied(request: Request) -> Response:
        """A file, as it is or in the field of a form; what is asked of it stands in the address."""
        try:
            received = await receive(request, limit)
        except Refused as error:
            voice = voice_in("fr" if request.cookies.get(LANGUAGE) == "fr" else "en")
            reply = service.refusal(error, voice)
            content = render(problem_page(reply, voice), voice, role="", look=LOOKS[0])
            return Response(content, reply.status, media_type="text/html; charset=utf-8")
        return await run_in_threadpool(_studied, service, request, received)


def _studied(service: Dispatcher, request: Request, received: HttpRequest) -> Response:
    content, asked = received.content, dict(received.query)
    if received.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        fields = _fields(content)
        content = fields.pop("record", "").replace("\r\n", "\n").encode()
        asked |= fields
    try:
        guest = _guest(service, request, replace(received, query=[*asked.items()]), writes=True)
        shown = opened(guest, content)
    except Exception as error:
        return refused_page(service, received, error)
    return _page(request, _set(received, shown, guest), "text/html; charset=utf-8")


def _fields(content: bytes) -> dict[str, str]:
    """The fields of a form; one that no page of ours has sent says nothing."""
    try:
        said = parse_qs(content.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[0] for name, values in said.items()}


def _where(service: Dispatcher, visitor: Principal, received: HttpRequest) -> str:
    """The page of whoever has just come in."""
    voice = voice_in(language_of(received))
    guest = Guest(service.door, visitor, voice, received.path, {}, "")
    if visitor.role == PLAYER:
        return f"/tournaments/{visitor.scope}/players/{visitor.person}"
    if visitor.scope.startswith("tournament-"):
        return f"/tournaments/{visitor.scope}"
    return page_of(guest, visitor.scope) if visitor.scope.startswith("game-") else "/"
