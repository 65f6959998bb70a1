"""The pages over HTTP: Starlette routes around what ``service.pages`` shows."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import sha256
from importlib import import_module
from pkgutil import walk_packages
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from answers.operations import OPERATIONS
from engines.kernel.messages.errors import MessageError
from engines.kernel.values.numbers import whole_number
from referee.record.entries import PLAYER, TABLE_DEVICE
from service import asgi, pages
from service.auth import Principal
from service.conditional import matches
from service.csrf import check_origin
from service.device import COOKIE, FOR_MORE, ROLE_HEADER, switched
from service.dispatch import Dispatcher, has_token
from service.http_messages import HttpRequest, HttpResponse
from service.middleware import IN_FRAMES
from service.negotiation import language_of
from service.pages import joining
from service.pages.docs import FIRST, docs_file
from service.pages.home import page_of
from service.pages.installing import manifest
from service.pages.page_context import PageContext
from service.pages.rendering import (
    LOOKS,
    PAGES,
    Placed,
    Shown,
    render,
    safe_redirect,
    spoken_in_the_browser,
)
from service.pages.static_files import static
from service.pages.study_upload import opened
from service.pages.tournament import register
from service.problems import HttpRefusal, voice_in
from service.strangers import Strangers
from service.thread_pool import ThreadPool

LANGUAGE, LOOK, WIDE = "language", "look", "wide"
YEAR = 365 * 24 * 3600
MOST_FIELDS = 40
HTML = "text/html; charset=utf-8"
Endpoint = Callable[[Request], Awaitable[Response]]
_COMPRESSED = ("text/", "image/svg", "application/json")
_HEAD = ("type", "method", "scheme", "server", "path", "query_string", "headers")
"""What a page reads of a request, as another process can be told it."""


def page_routes(service: Dispatcher, threads: ThreadPool, strangers: Strangers) -> list[Route]:
    for module in walk_packages(pages.__path__, f"{pages.__name__}."):
        import_module(module.name)
    kept = PublicPages()
    return [
        *(Route(each.path, _endpoint(service, threads, each, kept)) for each in PAGES.values()),
        Route("/situations/{engine}", _moved_to_trying),
        Route("/static/{name}", _static),
        Route("/sw.js", _service_worker),
        Route("/manifest.webmanifest", _manifest),
        Route("/words/{group}", _words),
        *_docs_routes(service, threads),
        Route("/language/{lang}", _choose_language),
        Route("/look/{look}", _choose_look),
        *_joining_routes(service, threads),
        _study_route(service, threads, strangers),
    ]


def _endpoint(
    service: Dispatcher, threads: ThreadPool, placed: Placed, kept: PublicPages
) -> Endpoint:
    async def answer(request: Request) -> Response:
        asked = await _received(request)
        work = partial(_shown, service, placed, request, asked)
        if placed.public:
            work = partial(_shown_to_all, service, placed, request, as_stranger(asked), kept)
        try:
            found = await threads.run_for(_gone(request), work, slow=placed.slow)
        except MessageError as error:
            return refused_page(service, asked, error)
        return found or Response(status_code=asgi.NOBODY_READS)

    return answer


async def _moved_to_trying(request: Request) -> Response:
    """Links that people have kept."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/try/{quote(request.path_params['engine'])}{query}", 308)


def _gone(request: Request) -> Callable[[], Awaitable[object]]:
    return partial(asgi.disconnected, request.receive)


async def _received(request: Request, limit: int = 0) -> HttpRequest:
    return await asgi.received(request.scope, request.receive, limit)


def _shown(
    service: Dispatcher, placed: Placed, request: Request, received: HttpRequest
) -> Response:
    try:
        page_context = _page_context(service, request, received)
        content = _set(received, placed.show(page_context), page_context, page_context.roles)
    except Exception as error:
        known = isinstance(error, MessageError) and COOKIE in received.cookies
        others = _others(service, placed, request, received) if known else []
        return refused_page(service, received, error, others, safe_redirect(request.url.path))
    return _page(request, received, content)


def _others(
    service: Dispatcher, placed: Placed, request: Request, received: HttpRequest
) -> list[Principal]:
    """The roles of this device that may open a page which was refused, without a page of each."""
    able = []
    for role in service.roles(received):
        asked = replace(received, headers={**received.headers, ROLE_HEADER: role.id + FOR_MORE})
        try:
            placed.show(_page_context(service, request, asked))
        except MessageError:
            continue
        able.append(role)
    return able


def as_stranger(received: HttpRequest) -> HttpRequest:
    """The same request by somebody without any token."""
    headers = {
        name: value
        for name, value in received.headers.items()
        if name not in ("authorization", "referee-as", ROLE_HEADER)
    }
    cookies = {name: value for name, value in received.cookies.items() if name != COOKIE}
    return replace(received, headers=headers, cookies=cookies)


class PublicPages:
    """Pages that look the same to everybody, rendered at most once a second for all of them.

    Single flight: of many who ask at once one renders, and the others wait for that.
    """

    LIFETIME = 1.0
    MOST = 256

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], KeptPage] = {}
        self._lock = Lock()

    def content(self, key: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                while len(self._kept) >= self.MOST:
                    self._kept.pop(next(iter(self._kept)))
                kept = self._kept[key] = KeptPage()
        with kept.rendering:
            if kept.content is None or monotonic() - kept.at >= self.LIFETIME:
                begun = monotonic()
                kept.content, kept.at = make(), begun
            return kept.content


class KeptPage:
    def __init__(self) -> None:
        self.rendering = Lock()
        self.content: bytes | None = None
        self.at = 0.0
        """When its rendering began: what was stored later may not be on it."""


def _shown_to_all(
    service: Dispatcher,
    placed: Placed,
    request: Request,
    received: HttpRequest,
    kept: PublicPages,
) -> Response:
    """The page as a stranger sees it. Whether they may see it is asked every time."""
    language, look = language_of(received), received.cookies.get(LOOK, "")
    key = (
        placed.name, tuple(sorted(received.path.items())), tuple(received.query), language, look,
        str(request.base_url),
    )  # fmt: skip
    try:
        page_context = _page_context(service, request, received)
        for operation in placed_operations(placed):
            service.access_control.authorize(page_context.principal, operation, received.path)

        content = kept.content(key, lambda: _set(received, placed.show(page_context), page_context))
    except Exception as error:
        return refused_page(service, received, error)
    answered = _page(request, received, content)
    if placed.framed:
        answered.headers["Content-Security-Policy"] = IN_FRAMES
        answered.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answered


def placed_operations(placed: Placed) -> tuple[str, ...]:
    """What a stranger must be allowed to ask for a public page."""
    return ("info",) if "{game}" in placed.path else ("tournament-info",)


def _page_context(
    service: Dispatcher,
    request: Request,
    received: HttpRequest,
    principal: Principal | None = None,
) -> PageContext:
    principal = principal or service.principal(received, writes=False)
    if "game" in received.path:
        principal = service.access_control.seated(principal, received.path["game"])
    return PageContext(
        service.access_control,
        principal,
        service.by_name(voice_in(language_of(received))),
        received.path,
        dict(received.query),
        str(request.base_url).rstrip("/"),
        wide=received.cookies.get(WIDE) == "yes",
        roles=tuple(service.roles(received)),
        club=service.settings.club,
        docs=service.settings.docs is not None,
    )


def _set(
    received: HttpRequest,
    shown: Shown,
    page_context: PageContext | None,
    roles: Iterable[Principal] | None = None,
) -> bytes:
    look = received.cookies.get(LOOK, "")
    return render(
        shown,
        voice_in(language_of(received)),
        role=page_context.role
        if page_context is not None and page_context.principal.has_token
        else "",
        look=look if look in LOOKS else LOOKS[0],
        page_context=page_context,
        roles=None if roles is None else [role.id for role in roles],
    )


def _problem(
    service: Dispatcher,
    reply: HttpResponse,
    others: Sequence[tuple[Principal, str]] = (),
    place: str = "/",
) -> Shown:
    """The page of a problem document: what is wrong, and where to go from here."""
    problem = json.loads(reply.content)
    told = {name: problem[name] for name in ("status", "detail")}
    club = service.settings.club
    return Shown("problem", problem["title"], **told, others=others, place=place, club=club)


def refused_page(
    service: Dispatcher,
    received: HttpRequest,
    error: BaseException,
    others: Sequence[Principal] = (),
    place: str = "/",
) -> Response:
    """The error page of a refused request; ``others`` are roles of the device that are not refused
    there: a tap opens it. Where it would show the table a secret, that is said before."""
    voice = voice_in(language_of(received))
    reply = service.refusal(error, voice, received)
    roles = service.roles(received)
    on_table = received.path.get("game") in {role.scope for role in roles if role.on_table}
    more = [(role, f"{place}?as={role.id}{FOR_MORE}" if on_table else "") for role in others]
    own = roles if COOKIE in received.cookies else None
    content = _set(received, _problem(service, reply, more, place), None, own)
    kept = {name: value for name, value in reply.headers.items() if name != "WWW-Authenticate"}
    return Response(content, reply.status, kept, HTML)


def _page(request: Request, received: HttpRequest, content: bytes) -> Response:
    headers = {
        "ETag": f'"{sha256(content).hexdigest()[:20]}"',
        "Cache-Control": "no-store" if has_token(received) else "private, no-cache",
        "Vary": "Accept-Language, Cookie, Accept-Encoding",
    }
    return _sent(request, content, HTML, headers)


def _sent(request: Request, content: bytes, media: str, headers: Mapping[str, str]) -> Response:
    """Conditional GET (304 if the ETag is the client's) and compression (gzip if it accepts it)."""
    if matches(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=dict(headers))
    if media.startswith(_COMPRESSED) and "gzip" in request.headers.get("accept-encoding", ""):
        compressed = _compressed(content)
        return Response(compressed, 200, {**headers, "Content-Encoding": "gzip"}, media)
    return Response(content, 200, dict(headers), media)


@lru_cache(64)
def _compressed(content: bytes) -> bytes:
    """Many readers are sent the same page at once."""
    return gzip.compress(content, 5, mtime=0)


async def _static(request: Request) -> Response:
    found = static(request.path_params["name"])
    if found is None:
        return Response(status_code=404)
    headers = {"ETag": found.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    return _sent(request, found.content, found.media, headers)


async def _service_worker(request: Request) -> Response:
    """At the top, so that it may serve all pages."""
    request.path_params["name"] = "sw.js"
    return await _static(request)


async def _manifest(request: Request) -> Response:
    voice = voice_in(language_of(await _received(request)))
    return _in_language(request, manifest(voice), "application/manifest+json")


async def _words(request: Request) -> Response:
    """Words of a script that is loaded when it is wanted; none of a group that there is not."""
    voice = voice_in(language_of(await _received(request)))
    found = spoken_in_the_browser(voice, request.path_params["group"])
    return _in_language(request, found, "application/json")


def _in_language(request: Request, found: Mapping[str, Any], media: str) -> Response:
    content = json.dumps(found, ensure_ascii=False).encode()
    headers = {
        "ETag": f'"{sha256(content).hexdigest()[:20]}"',
        "Cache-Control": "no-cache",
        "Vary": "Accept-Language, Cookie, Accept-Encoding",
    }
    return _sent(request, content, media, headers)


def _docs_routes(service: Dispatcher, threads: ThreadPool) -> list[Route]:
    """The documentation: for everybody, as the files of the pages are."""
    folder = service.settings.docs

    async def first(request: Request) -> Response:
        """Redirect to the documentation in the visitor's language."""
        asked = await _received(request)
        if folder is None:
            return _no_docs(service, request, asked, "no_docs")
        place = f"/docs/fr/{FIRST}" if language_of(asked) == "fr" else f"/docs/{FIRST}"
        return RedirectResponse(place, 303, {"Vary": "Accept-Language, Cookie"})

    async def file(request: Request) -> Response:
        path = request.path_params["path"]
        asked = await _received(request)
        if folder is None:
            return _no_docs(service, request, asked, "no_docs")
        name = f"{path}{FIRST}" if path.endswith("/") else path
        found = await threads.run(docs_file, folder, name)
        if found is None:
            return _no_docs(service, request, asked, "no_such_page")
        headers = {
            "ETag": found.tag,
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
            "Content-Security-Policy": found.policy,
        }
        return _sent(request, found.content, found.media, headers)

    return [Route("/docs", first), Route("/docs/", first), Route("/docs/{path:path}", file)]


def _no_docs(service: Dispatcher, request: Request, received: HttpRequest, key: str) -> Response:
    """404 as a page for browsers, as a problem document for programs."""
    missing = HttpRefusal("not_found", key)
    if "text/html" in request.headers.get("accept", ""):
        return refused_page(service, received, missing)
    reply = service.refusal(missing, voice_in(language_of(received)))
    return Response(reply.content, reply.status, dict(reply.headers), reply.media)


async def _choose_language(request: Request) -> Response:
    return _chosen(request, LANGUAGE, "fr" if request.path_params["lang"] == "fr" else "en")


async def _choose_look(request: Request) -> Response:
    look = request.path_params["look"]
    return _chosen(request, LOOK, look if look in LOOKS else LOOKS[0])


def _chosen(request: Request, name: str, value: str) -> Response:
    """Set language or theme as a cookie, and go back to the page."""
    response = RedirectResponse(_came_from(request), 303)
    response.set_cookie(name, value, max_age=YEAR, samesite="lax", path="/")
    return response


def _came_from(request: Request) -> str:
    """The page of ours that led here; home, if it is none: no open redirect by ``Referer``."""
    place = urlsplit(request.headers.get("referer", ""))
    if place.netloc != request.headers.get("host"):
        return "/"
    return safe_redirect(f"{place.path}?{place.query}" if place.query else place.path)


def _joining_routes(service: Dispatcher, threads: ThreadPool) -> list[Route]:
    limit = service.settings.limits.body

    async def typed(request: Request) -> Response:
        """Sign in with a typed join code: whoever typed it has pressed the button already."""
        asked = await _received(request, limit)
        said = _fields(asked.content).get("code", "")
        letters = re.sub(r"[^A-Za-z0-9]", "", said)[:40]
        if not letters:
            return RedirectResponse("/join", 303)
        return await threads.run(_joined, service, replace(asked, path={"code": letters}))

    async def join(request: Request) -> Response:
        """Sign in with the join code in the URL."""
        asked = await _received(request, limit)
        return await threads.run(_joined, service, asked)

    async def sign_up(request: Request) -> Response:
        """The form of somebody who registers themselves."""
        asked = await _received(request, limit)
        return await threads.run(_signed_up, service, request, asked)

    async def leave(request: Request) -> Response:
        """Sign out: revoke the token and clear the cookie."""
        asked = await _received(request, limit)
        if role := _fields(asked.content).get("role"):
            asked = replace(asked, headers={**asked.headers, ROLE_HEADER: role[:40]})
        reply = await threads.run(service.reply, OPERATIONS["access-leave"], asked)
        gone = service.cookie([], asked.secure) if reply.status == 401 else None
        cookie = reply.headers.get("Set-Cookie", gone)
        return RedirectResponse("/", 303, {"Set-Cookie": cookie} if cookie else {})

    async def switch(request: Request) -> Response:
        """Switch to another role of this device."""
        asked = await _received(request, limit)
        return await threads.run(_switched, service, asked)

    async def name(request: Request) -> Response:
        """Put a name to the role of this device."""
        asked = await _received(request, limit)
        return await threads.run(_named, service, asked)

    return [
        Route("/leave", leave, methods=["POST"]),
        Route("/me/name", name, methods=["POST"]),
        Route("/me/switch", switch, methods=["POST"]),
        Route("/j/{code}/qr.svg", _code_picture),
        Route("/tournaments/{tournament}/players/{player}/qr.svg", _badge),
        Route("/games/{game}/qr.svg", _moment_picture),
        Route("/join", typed, methods=["POST"]),
        *(Route(path, join, methods=["POST"]) for path in ("/join/{code}", "/j/{code}")),
        Route("/register/{event}/{code}", sign_up, methods=["POST"]),
        Route("/register/{event}/{code}/qr.svg", _registration_picture),
    ]


def _joined(service: Dispatcher, received: HttpRequest) -> Response:
    reply = _join(service, received)
    if reply.status != 200:
        content = _set(received, _problem(service, reply), None)
        return Response(content, reply.status, dict(reply.headers), HTML)
    asked = dict(received.query)
    if (game := asked.get("table")) and (laid := _laid_on_table(service, received, reply, game)):
        return RedirectResponse(f"/games/{game}", 303, {"Set-Cookie": laid})
    given = json.loads(reply.content)["data"]
    joined = Principal(given["id"], given["role"], given["scope"], given["person"])
    wanted = asked.get("to", "")
    place = safe_redirect(wanted) if wanted else _where(service, joined, received)
    return RedirectResponse(place, 303, {"Set-Cookie": reply.headers["Set-Cookie"]})


def _signed_up(service: Dispatcher, request: Request, received: HttpRequest) -> Response:
    """To the page of the new player; what was not taken comes back with what was typed."""
    told = _fields(received.content)
    headers = {**received.headers, "content-type": "application/json"}
    if key := re.sub("[^a-f0-9]", "", told.get("key", ""))[:40]:
        headers["idempotency-key"] = key
    content = json.dumps(register.said(told)).encode()
    reply = service.reply(
        OPERATIONS["tournament-sign-up"], replace(received, content=content, headers=headers)
    )
    answer = json.loads(reply.content)
    if reply.status == 200:
        given = answer["data"]
        place = f"/tournaments/{given['scope']}/players/{given['person']}"
        return RedirectResponse(place, 303, {"Set-Cookie": reply.headers["Set-Cookie"]})
    try:
        page_context = _page_context(service, request, received)
        shown = register.form(page_context, told, answer["detail"], answer["code"])
    except Exception as error:
        return refused_page(service, received, error)
    kept = {name: value for name, value in reply.headers.items() if name == "Retry-After"}
    headers = {"Cache-Control": "no-store", **kept}
    return Response(_set(received, shown, page_context), reply.status, headers, HTML)


def _join(service: Dispatcher, received: HttpRequest) -> HttpResponse:
    """Join as by the API; the code is in the URL of the page."""
    said = json.dumps({"code": received.path["code"]}).encode()
    asked = {**received.headers, "content-type": "application/json"}
    return service.reply(OPERATIONS["join"], replace(received, content=said, headers=asked))


def _laid_on_table(
    service: Dispatcher, received: HttpRequest, joined: HttpResponse, game: str
) -> str | None:
    """The cookie of a device that joins and becomes the table's own: that role comes first."""
    role = json.loads(joined.content)["data"]
    bearer = {**received.headers, "authorization": f"Bearer {role['token']}"}
    coming = replace(received, headers=bearer, cookies={COOKIE: _cookie(joined)})
    taken = _role_taken(service, coming, {"role": TABLE_DEVICE, "scope": game})
    return taken.headers.get("Set-Cookie")


def _cookie(reply: HttpResponse) -> str:
    return reply.headers["Set-Cookie"].partition(";")[0].partition("=")[2]


def _role_taken(
    service: Dispatcher, received: HttpRequest, said: Mapping[str, str]
) -> HttpResponse:
    """One more role for the device, which comes first: given by the role it has already."""
    headers = {**received.headers, "content-type": "application/json"}
    asking = replace(received, content=json.dumps(said).encode(), headers=headers, path={})
    made = service.reply(OPERATIONS["access-code"], asking)
    if made.status != 200:
        return made
    code = json.loads(made.content)["data"]["code"]
    return _join(service, replace(received, path={"code": code}))


def _named(service: Dispatcher, received: HttpRequest) -> Response:
    """The same role under a name: whoever opened the house came with a code that has none."""
    fields = _fields(received.content)
    try:
        check_origin(received, strictly=True)
    except HttpRefusal as error:
        return refused_page(service, received, error)
    role = next(iter(service.roles(received)), None)
    name, place = " ".join(fields.get("name", "").split()), safe_redirect(fields.get("to", ""))
    if role is None or not name:
        return RedirectResponse(place, 303)
    said = {"role": role.role, "scope": role.scope, "name": name}
    taken = _role_taken(service, received, said)
    if taken.status != 200:
        return Response(
            _set(received, _problem(service, taken), None), taken.status, media_type=HTML
        )
    return RedirectResponse(place, 303, {"Set-Cookie": taken.headers["Set-Cookie"]})


def _switched(service: Dispatcher, received: HttpRequest) -> Response:
    fields = _fields(received.content)
    id, wanted = fields.get("role", ""), fields.get("to", "")
    try:
        check_origin(received, strictly=True)
    except HttpRefusal as error:
        return refused_page(service, received, error)
    chosen = next((role for role in service.roles(received) if role.id == id), None)
    if chosen is None:
        return RedirectResponse("/me", 303)
    tokens = switched(service.access_control.store_context.access, received, id)
    place = safe_redirect(wanted) if wanted else _where(service, chosen, received)
    return RedirectResponse(place, 303, {"Set-Cookie": service.cookie(tokens, received.secure)})


async def _code_picture(request: Request) -> Response:
    return _qr(joining.drawn_code(str(request.base_url), request.path_params["code"]))


async def _badge(request: Request) -> Response:
    """What a player shows at the desk: the address of the own page."""
    tournament, player = (request.path_params[name] for name in ("tournament", "player"))
    place = f"tournaments/{quote(tournament[:60])}/players/{quote(player[:40])}"
    return _qr(joining.drawn_address(f"{request.base_url}{place}"))


async def _registration_picture(request: Request) -> Response:
    """The address under which people register, for a phone's camera."""
    place = register.path(request.path_params["event"], request.path_params["code"])
    return _qr(joining.drawn_address(f"{request.base_url}{place.removeprefix('/')}"))


async def _moment_picture(request: Request) -> Response:
    """The address of a moment of a game, for a phone's camera."""
    game, at = request.path_params["game"][:60], request.query_params.get("at", "")
    moment = f"?at={at}" if whole_number(at) is not None else ""
    return _qr(joining.drawn_address(f"{request.base_url}games/{quote(game)}/study{moment}"))


def _qr(drawn: bytes) -> Response:
    return Response(drawn, headers={"Cache-Control": "no-store"}, media_type="image/svg+xml")


def _study_route(service: Dispatcher, threads: ThreadPool, strangers: Strangers) -> Route:
    async def studied(request: Request) -> Response:
        """A file, as it is or in the field of a form; what is asked of it stands in the address."""
        try:
            asked = await _received(request, service.settings.limits.file)
        except HttpRefusal as error:
            voice = voice_in("fr" if request.cookies.get(LANGUAGE) == "fr" else "en")
            reply = service.refusal(error, voice)
            content = render(_problem(service, reply), voice, role="", look=LOOKS[0])
            return Response(content, reply.status, media_type=HTML)
        try:
            principal = await threads.run(service.principal, asked, writes=True)
            scope = {name: request.scope[name] for name in _HEAD}
            work = partial(_studied, scope, asked, principal)
            found = await strangers.run(asked.address, _gone(request), work)
        except MessageError as error:
            return refused_page(service, asked, error)
        if found is None:
            return Response(status_code=asgi.NOBODY_READS)
        return Response(found.content, found.status, dict(found.headers), found.media or None)

    return Route("/study", studied, methods=["POST"])


def _studied(
    scope: dict[str, Any], received: HttpRequest, principal: Principal, service: Dispatcher
) -> HttpResponse:
    """The page of a file, in the process for strangers."""
    page = _study_page(service, Request(scope), received, principal)
    return HttpResponse(page.status_code, bytes(page.body), "", dict(page.headers))


def _study_page(
    service: Dispatcher, request: Request, received: HttpRequest, principal: Principal
) -> Response:
    content, asked = received.content, dict(received.query)
    if received.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        fields = _fields(content)
        content = fields.pop("record", "").replace("\r\n", "\n").encode()
        asked |= fields
    try:
        page_context = _page_context(
            service, request, replace(received, query=[*asked.items()]), principal
        )
        shown = opened(page_context, content)
    except Exception as error:
        return refused_page(service, received, error)
    return _page(request, received, _set(received, shown, page_context))


def _fields(content: bytes) -> dict[str, str]:
    """Parse an HTML form; a malformed one is empty."""
    try:
        said = parse_qs(content.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[0] for name, values in said.items()}


def _where(service: Dispatcher, principal: Principal, received: HttpRequest) -> str:
    """The page that a principal starts at after signing in."""
    voice = voice_in(language_of(received))
    page_context = PageContext(service.access_control, principal, voice, received.path, {}, "")
    if principal.role == PLAYER:
        return f"/tournaments/{principal.scope}/players/{principal.person}"
    if principal.scope.startswith("tournament-"):
        return f"/tournaments/{principal.scope}"
    return page_of(page_context, principal.scope) if principal.scope.startswith("game-") else "/"
