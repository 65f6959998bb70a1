"""The dispatcher: from a request to its response, for every operation alike. No web framework.

Authentication, rate limit, authorisation, precondition, the call, then the response; problems are
told as problem documents. A request with an Idempotency-Key may be sent again (idempotency): what
it did is done once.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any
from urllib.parse import quote, unquote

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, to_json

from answers.answer import Answered, Telling
from answers.context import Caller, StoreContext
from answers.declaration import Operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import LONGEST_PART
from answers.problems import Problem
from answers.review.entries import entries
from engines.kernel.box.kit import SAID_NOW
from engines.kernel.messages.catalogue import Phrase, Spoken
from engines.kernel.messages.errors import MessageError
from engines.kernel.messages.unsafe_text import harmful_in
from engines.kernel.values.structs import evolve
from referee.record.entries import PLAYER
from referee.table.bench import IdempotencyKeyReused, VersionConflict
from referee.untrusted.safe_json import UnsafeJson, read_json
from referee.untrusted.work_budget import OverBudget
from service import problems
from service.auth import AccessControl, Principal
from service.conditional import (
    caching,
    content_tag,
    matches,
    not_modified,
    version_seen,
    version_tag,
)
from service.csrf import check_origin
from service.device import COOKIE, as_cookie, role_for, roles_of, tokens_of, with_role
from service.http_messages import HttpRequest, HttpResponse
from service.negotiation import LONGEST_HEADER, MINIMAL, voice_for, wants_no_sentences
from service.problems import STATUSES, HttpRefusal
from service.rate_limit import KnownAddresses, SharedTokenBuckets, TokenBuckets
from service.routing import Ask, OnStep, carry_out, unheard
from service.settings import Settings
from service.shared_state import SharedState

COOKIE_AGE = 30 * 24 * 3600
TRIES = 8
MISSED = 50
"""A conflict lists so many missed entries; all of them are at ``/entries``."""
_KEY = re.compile(r"[A-Za-z0-9_:-]{1,100}")
_ESCAPES = re.compile(rb"\\(r(?:\\n)?|.)", re.DOTALL)
_LONG = "0" * 24
"""A key that brings a player's token when it is sent again is as long as one made by chance."""
_LISTS = re.compile(r"\b(list|Sequence)\[")
_SAFE = ("GET", "HEAD")
log = logging.getLogger("referee.service")


@dataclass(frozen=True)
class Dispatcher:
    """Dispatches the requests to one store: access control, rate limits, operation, response."""

    access_control: AccessControl
    settings: Settings
    reads: TokenBuckets
    address_reads: TokenBuckets
    writes: TokenBuckets
    wrong_codes: TokenBuckets
    registrations: TokenBuckets
    known: KnownAddresses = field(default_factory=KnownAddresses)

    @classmethod
    def of(
        cls, store_context: StoreContext, settings: Settings, state: SharedState | None = None
    ) -> Dispatcher:
        limits, state = settings.limits, state or SharedState()

        def buckets(kind: str, a_second: float, size: float | None = None) -> TokenBuckets:
            size = a_second * limits.burst_seconds if size is None else size
            if state.is_shared:
                return SharedTokenBuckets(a_second, size, kind=kind, state=state)
            return TokenBuckets(a_second, size)

        return cls(
            AccessControl(store_context),
            settings,
            buckets("reads", limits.reads_a_second),
            buckets("address reads", limits.reads_a_second_of_address),
            buckets("writes", limits.writes_a_second),
            buckets("codes", limits.wrong_codes_a_minute / 60, limits.wrong_codes_a_minute),
            buckets(
                "registrations", limits.registrations_a_minute / 60, limits.registrations_a_minute
            ),
            KnownAddresses(state=state),
        )

    # one request

    def reply(
        self,
        route: Operation,
        received: HttpRequest,
        on_step: OnStep = unheard,
        principal: Principal | None = None,
    ) -> HttpResponse:
        """The response to a request; an error becomes a problem document.

        ``principal``: who asks, where another process has authenticated them.
        """
        voice = self._voice(received)
        try:
            principal = principal or self._principal(route, received)
            return private(self._reply(route, received, principal, voice, on_step), received)
        except Exception as error:
            return self.refusal(error, voice, received)

    def _principal(self, route: Operation, received: HttpRequest) -> Principal:
        if route.signs == "in":
            return self._newcomer(received)
        if route.signs == "up":
            return self._signing_up(received)
        if "code" in received.path:
            self._count_code(received)
        return self.principal(received, writes=route.method not in _SAFE)

    def _reply(
        self,
        route: Operation,
        received: HttpRequest,
        principal: Principal,
        voice: Voice,
        on_step: OnStep,
    ) -> HttpResponse:
        path = received.path
        if max(map(len, path.values()), default=0) > LONGEST_PART:
            raise HttpRefusal("not_found", "no_such_page")
        caller = self.access_control.caller(principal, route.name, path, voice)
        stream = path.get("game") or path.get("tournament") or path.get("season")
        key = said_key = _key(received.headers.get("idempotency-key"))
        if key is not None and not route.key_as_said:
            key = self._salted(key, stream or "")
        seen = version_seen(received.headers.get("if-match")) if route.writes else None
        if stream is not None:
            store_context = caller.store_context.expecting(stream, seen, key)
            caller = replace(caller, store_context=store_context)
        caller = caller.keyed(key if route.writes else None)
        said = what_is_said(route, received)
        last = None if route.writes and seen is None else self._last(caller, path)
        tag = version_tag(route, caller, path, said, last) if route.reads else None
        if tag is not None and matches(received.headers.get("if-none-match"), tag):
            return not_modified(tag)
        ask = Ask(caller, path, received.content if route.takes_file else b"", on_step)
        behind = seen is not None and last != seen
        try:
            answered = _carried_out(route, ask, said, tries=1 if seen is not None else TRIES)
            if behind and "game" in path and _is_illegal(answered):
                raise self._out_of_date(path["game"], seen or 0)
        except VersionConflict as error:
            return self._missed(error, caller, path, seen, voice)
        except MessageError as error:
            if isinstance(error, IdempotencyKeyReused):
                error.facts["key"] = said_key
            if not ask.told:
                raise
            return self.refusal(error, voice, received, told=_done(ask, voice))
        if isinstance(answered, Answered) and ask.told:
            answered = answered.with_text(_behind(ask, answered))
        if route.writes:
            last = self._reached(caller, path)
        return self._answer(route, received, answered, last, tag, voice)

    def _salted(self, key: str, stream: str) -> str:
        """The idempotency key as it is recorded, with a salt.

        Entries are hashed, and everything else in one can be guessed. Without a salt, whoever sees
        a hash could try out what the entry says.
        """
        salt = hmac.digest(self._salt, f"{stream} {key}".encode(), "sha256").hex()
        return f"{key}-{salt[:24]}"

    @cached_property
    def _salt(self) -> bytes:
        return self.access_control.store_context.access.salt()

    def _voice(self, received: HttpRequest) -> Voice:
        """The localiser of a response, which also knows people's names."""
        return self.by_name(voice_for(received))

    def by_name(self, voice: Voice) -> Voice:
        return evolve(
            voice, name_of=lambda person: self.access_control.store_context.people.name(person)
        )

    def admit(self, received: HttpRequest, operation: str) -> Caller:
        """Authenticate and authorise what is no operation: a live stream, or the metrics."""
        voice = self._voice(received)
        principal = self.principal(received, writes=False)
        return self.access_control.caller(principal, operation, received.path, voice)

    def admit_again(self, received: HttpRequest, operation: str) -> Caller:
        """The same while a stream is open; it does not count against the rate limit."""
        bearer = bearer_of(received.headers)
        if bearer is not None:
            principal = self.access_control.authenticate(bearer, received.address)
        else:
            principal = self._of_device(received) or Principal(received.address)
        return self.access_control.caller(
            self._speaking(principal, received), operation, received.path, voice_for(received)
        )

    def _speaking(self, principal: Principal, received: HttpRequest) -> Principal:
        """Impersonation, where the header ``Referee-As`` asks for it."""
        if speaker := received.headers.get("referee-as"):
            return self.access_control.impersonate(principal, unquote(speaker[:LONGEST_HEADER]))
        return principal

    def principal(self, received: HttpRequest, *, writes: bool) -> Principal:
        """Authenticate by bearer token or cookie, and count the request against the rate limit.

        A write by cookie is accepted only from a page of our own Origin (CSRF).
        """
        bearer, cookie = bearer_of(received.headers), received.cookies.get(COOKIE)
        if writes and bearer is None:
            self._check_origin(received, strictly=cookie is not None)
        try:
            principal = self.access_control.authenticate(bearer, received.address)
        except HttpRefusal:
            self._wait_your_turn(self.writes, f"unknown {received.address}")
            raise
        if bearer is None and cookie is not None:
            # A cookie outlives what it was for: whoever has such a one is a passer-by.
            principal = self._of_device(received) or principal
        if principal.has_token:
            self.known.add(received.address)
        reads = self.reads if principal.has_token else self.address_reads
        self._wait_your_turn(self.writes if writes else reads, principal.id)
        return self._speaking(principal, received)

    def _check_origin(self, received: HttpRequest, *, strictly: bool = False) -> None:
        check_origin(received, strictly=strictly, allowed=self.settings.origins)

    def _of_device(self, received: HttpRequest) -> Principal | None:
        return role_for(self.access_control, received) if COOKIE in received.cookies else None

    def roles(self, received: HttpRequest) -> list[Principal]:
        """The principals of the device, the current one first."""
        access = self.access_control.store_context.access
        return [role for _, role in roles_of(access, received)]

    def _newcomer(self, received: HttpRequest) -> Principal:
        """Whoever has a code is nobody yet, whatever they were before.

        Wrong codes are counted, so that strangers do not try them out. Where people are let in
        already nobody is kept waiting: one who tries out codes would lock a whole hall out, and
        at hundreds a second finds none of a hundred good ones in a day (one in 10^11 is good).
        """
        self._check_origin(received)
        self._count_code(received)
        return Principal(received.address)

    def _count_code(self, received: HttpRequest) -> None:
        if received.address not in self.known:
            self._wait_your_turn(self.wrong_codes, received.address)

    def _signing_up(self, received: HttpRequest) -> Principal:
        """Whoever registers themselves is nobody yet; but a phone that is a player's at another
        event says by that who its owner is."""
        self._check_origin(received)
        if len(received.headers.get("idempotency-key") or _LONG) < len(_LONG):
            raise HttpRefusal("misused", "guessable_key", least=len(_LONG))
        self._count_code(received)
        self._wait_your_turn(self.registrations, received.address)
        players = [role.person for role in self.roles(received) if role.role == PLAYER]
        return Principal(received.address, person=players[0] if players else "anonymous")

    def _wait_your_turn(self, buckets: TokenBuckets, principal: str) -> None:
        if seconds := buckets.take(principal):
            wait = str(int(seconds) + 1)
            raise HttpRefusal("too_often", "too_often", {"Retry-After": wait}, seconds=wait)

    # replies

    def _unnamed(self) -> tuple[Phrase, ...]:
        """A warning where pseudonyms are shown; why is for the house (``doctor``) alone."""
        lost = self.access_control.store_context.names_lost
        return () if lost is None else (Phrase("people.unnamed"),)

    def _answer(
        self,
        route: Operation,
        received: HttpRequest,
        answered: Answered[Any] | File,
        last: int | None,
        tag: str | None,
        voice: Voice,
    ) -> HttpResponse:
        if route.signs == "in" or "code" in received.path:
            self.wrong_codes.give_back(received.address)  # it was a good one
        if isinstance(answered, File):
            tag = tag or content_tag(last, answered.content)
            if matches(received.headers.get("if-none-match"), tag):
                return not_modified(tag)
            return _file(answered, tag)
        if answered.outcome == "illegal" and route.writes:
            return _illegal(route, answered, voice)
        headers = {"Content-Language": voice.lang, "Referee-Outcome": answered.outcome, **caching()}
        tersely = route.writes and wants_no_sentences(received)
        if tersely:
            headers["Preference-Applied"] = MINIMAL
        content = told(route, answered, voice, last, tersely=tersely, besides=self._unnamed())
        if route.method == "GET":
            tag = tag or content_tag(last, content)
            headers |= {"ETag": tag, **_next(route, answered, received)}
            if matches(received.headers.get("if-none-match"), tag):
                return not_modified(tag)
        if route.signs in ("in", "up"):
            access = self.access_control.store_context.access
            tokens = with_role(access, received, answered.plain()["token"])
            headers["Set-Cookie"] = self.cookie(tokens, received.secure)
        if route.signs == "out":
            access = self.access_control.store_context.access
            tokens = [token for token, _ in roles_of(access, received)]
            headers["Set-Cookie"] = self.cookie(tokens, received.secure)
        return HttpResponse(200, content, "application/json", headers)

    def cookie(self, tokens: list[str], secure: bool) -> str:
        """The ``Set-Cookie`` header with the tokens of a device; without any, it expires."""
        age = COOKIE_AGE if tokens else 0
        kept = f"{COOKIE}={as_cookie(tokens)}"
        parts = [kept, "Path=/", f"Max-Age={age}", "HttpOnly", "SameSite=Lax"]
        return "; ".join([*parts, "Secure"] if secure or self.settings.tls else parts)

    def _explained(self, error: BaseException, received: HttpRequest | None) -> BaseException:
        """Whoever was taken off the list of an event is told so at its pages. Their token ended,
        but proves that they had it: nobody else learns anything."""
        if received is None or getattr(error, "kind", "") != "unknown_visitor":
            return error
        store_context, event = self.access_control.store_context, received.path.get("tournament")
        if event is None:
            return error
        for secret in filter(None, (bearer_of(received.headers), *tokens_of(received))):
            ended = store_context.access.revoked_pass_of(secret)
            if ended is None or (ended.role, ended.scope) != (PLAYER, event):
                continue
            now = store_context.desk.load(event).now
            waiting = {each.player for each in now.waiting_list}
            if ended.person not in now.players and ended.person not in waiting:
                return HttpRefusal("unknown_visitor", "taken_off_the_list", event=now.name)
        return error

    def refusal(
        self, error: BaseException, voice: Voice, received: HttpRequest | None = None, **more: Any
    ) -> HttpResponse:
        """The problem document of an error; internal details go to the log, not to the client."""
        error = self._explained(error, received)
        if isinstance(error, MemoryError):
            error = OverBudget("too_much_memory")
        headers = dict(error.headers) if isinstance(error, HttpRefusal) else {}
        try:
            kind, problem = problems.told(error, voice)
        except Exception as fault:
            kind, error = "internal", fault
        if kind == "internal":
            id = secrets.token_hex(4)
            log.error("%s", id, exc_info=error)
            kind, problem = problems.told(problems.fault(error, id), voice)
        elif isinstance(error, MessageError) and not isinstance(error, HttpRefusal):
            more = {**_recorded(error), **more}
        if kind == "unavailable":
            headers.setdefault("Retry-After", "1")
        return refused(kind, problem, voice, headers, **more)

    def _missed(
        self,
        error: VersionConflict,
        caller: Caller,
        path: Mapping[str, str],
        seen: int | None,
        voice: Voice,
    ) -> HttpResponse:
        missed: list[Any] = []
        if seen is not None and "game" in path:
            here = replace(caller, store_context=self.access_control.store_context)
            missed = entries(here, path["game"], after=seen, most=MISSED).plain()["entries"]
        return self.refusal(error, voice, missed=missed)

    # versions

    def _out_of_date(self, game: str, seen: int) -> VersionConflict:
        """A conflict instead of “illegal”: the client judged by an older version of the game."""
        kinds = [
            entry.data.KIND
            for entry in self.access_control.store_context.bench.game(game).entries[seen + 1 :]
        ]
        return VersionConflict("someone_else", entries=len(kinds), kinds=kinds[:5])

    def _last(self, caller: Caller, path: Mapping[str, str]) -> int | None:
        """The version of the game, tournament or season of this request.

        Read before the answer is made, so that the ETag never claims a newer version than was
        shown.
        """
        if "game" in path:
            return caller.whole(path["game"]).version
        if "tournament" in path:
            return len(caller.store_context.desk.load(path["tournament"]).told) - 1
        if "season" in path:
            return len(caller.store_context.store.read(path["season"])) - 1
        return None

    def _reached(self, caller: Caller, path: Mapping[str, str]) -> int | None:
        """The version after this request: its last entry, or the latest one if it wrote none."""
        if "game" not in path:
            return self._last(caller, path)
        game, own = caller.bench.game(path["game"]), caller.store_context.reached
        if own is None:
            return game.version
        key = game.entries[own].key
        rest = takewhile(lambda entry: entry.key.startswith(f"{key}."), game.entries[own + 1 :])
        return own + len(list(rest))


def has_token(received: HttpRequest) -> bool:
    """Whether a request carries credentials, so that its response is private."""
    return bearer_of(received.headers) is not None or COOKIE in received.cookies


def private(reply: HttpResponse, received: HttpRequest) -> HttpResponse:
    """No cache may keep a response to a request with credentials: phones are lent."""
    if not has_token(received):
        return reply
    return replace(reply, headers={**reply.headers, "Cache-Control": "no-store"})


def _carried_out(
    route: Operation, ask: Ask, said: BaseModel | None, tries: int
) -> Answered[Any] | File:
    """Call the operation; without If-Match, retry after a version conflict.

    What was done in part is retried only with an idempotency key.
    """
    ask.told.clear()
    try:
        return carry_out(route, ask, said)
    except VersionConflict as error:
        if tries <= 1 or ("recorded" in error.facts and ask.caller.key is None):
            raise
    return _carried_out(route, ask, said, tries - 1)


def _done(ask: Ask, voice: Voice) -> list[str]:
    return [line for telling in ask.told for line in telling(voice)]


def _behind(ask: Ask, answered: Answered[Any]) -> Telling:
    """The lines of what was done so far, then those of the answer."""
    return lambda voice: [*_done(ask, voice), *answered.lines(voice)]


def _is_illegal(answered: Answered[Any] | File) -> bool:
    return isinstance(answered, Answered) and answered.outcome == "illegal"


def told(
    route: Operation,
    answered: Answered[Any],
    voice: Voice,
    last: int | None,
    *,
    tersely: bool = False,
    besides: Sequence[Spoken] = (),
) -> bytes:
    """The JSON body of an answer: the data, as on the command line, and its sentences."""
    return _json(
        {
            "ok": answered.outcome == "done",
            "schema": f"referee/{route.schema}@1",
            "data": answered.data,
            "told": [] if tersely else answered.lines(voice),
            "warnings": [voice.spoken(warning) for warning in (*answered.warnings, *besides)],
            "version": last,
        }
    )


def refused(
    kind: Any, problem: Problem, voice: Voice, headers: Mapping[str, str], **more: Any
) -> HttpResponse:
    body = problems.document(kind, problem, voice, **more)
    told = {"Content-Language": voice.lang, "Cache-Control": "no-store", **headers}
    return HttpResponse(STATUSES[kind], _json(body), problems.MEDIA, told)


def _illegal(route: Operation, answered: Answered[Any], voice: Voice) -> HttpResponse:
    """Status 422: an action that the rules refuse, with verdict, clause, facts, alternatives."""
    data, lines = answered.plain(), answered.lines(voice)
    clause = str(data.get("clause") or "illegal")
    problem = Problem("illegal", clause, "\n".join(lines), {})
    more = {"schema": f"referee/{route.schema}@1", "data": data, "told": lines}
    return refused("illegal", problem, voice, {}, **more)


def _recorded(error: MessageError) -> dict[str, Any]:
    """Which line of several failed, and which were recorded before it."""
    return {name: error.facts[name] for name in ("line", "recorded") if name in error.facts}


def _file(file: File, tag: str) -> HttpResponse:
    headers = {
        "Content-Disposition": f"inline; filename*=UTF-8''{quote(file.name)}",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "ETag": tag,
        **caching(),
    }
    return HttpResponse(200, file.content, file.media, headers)


def _json(data: Any) -> bytes:
    return to_json(data, by_alias=True)


def _next(route: Operation, answered: Answered[Any], received: HttpRequest) -> dict[str, str]:
    """Paging: the ``Link`` header to the next page of a list."""
    if not route.paged:
        return {}
    asked = dict(received.query)
    reached = int(asked.get("start", 0)) + len(getattr(answered.data, route.paged))
    if reached >= answered.data.total:
        return {}
    more = "&".join(
        f"{quote(name)}={quote(value)}" for name, value in {**asked, "start": str(reached)}.items()
    )
    return {"Link": f'</api/v1{route.path}?{more}>; rel="next"'}


# what a request says


def bearer_of(headers: Mapping[str, str]) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def _key(text: str | None) -> str | None:
    if text is not None and not _KEY.fullmatch(text):
        raise HttpRefusal("misused", "bad_key")
    return text


def what_is_said(route: Operation, received: HttpRequest) -> BaseModel | None:
    """The body or the query, validated by the request model of the operation."""
    if route.says is None:
        return None
    if route.asks_in_query or route.takes_file:
        return route.says.model_validate(_query(route.says, received.query))
    media = received.headers.get("content-type", "application/json")
    if "json" not in media:
        raise HttpRefusal("unreadable", "not_json", problem=media[:60])
    content = _checked(received.content or b"{}")
    said = route.says.model_validate_json(content, context=SAID_NOW)
    told = said.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if wrong := list(_numbered(json.loads(content), told)):
        raise ValidationError.from_exception_data(route.says.__name__, wrong)
    return said


def _numbered(said: Any, told: Any, *place: str | int) -> Iterator[InitErrorDetails]:
    """Where true or false was said and a number was heard, which JSON keeps apart."""
    if isinstance(said, bool) and isinstance(told, int) and not isinstance(told, bool):
        yield InitErrorDetails(type="int_type", loc=place, input=said)
    elif isinstance(said, dict) and isinstance(told, dict):
        for name in said.keys() & told.keys():
            yield from _numbered(said[name], told[name], *place, name)
    elif isinstance(said, list) and isinstance(told, list):
        for index, (one, other) in enumerate(zip(said, told, strict=False)):
            yield from _numbered(one, other, *place, index)


def _query(model: type[BaseModel], pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The query as a dictionary: repeated names only where the model has a list."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        field = model.model_fields.get(name)
        if code := harmful_in([name, value], allowed="\t\n"):
            raise UnsafeJson("control_character", code=code)
        if field is not None and _LISTS.search(str(field.annotation)):
            found.setdefault(name, []).append(value)
        elif name in found:
            raise HttpRefusal("misused", "said_twice", name=name[:40])
        else:
            found[name] = value
    return found


def _checked(content: bytes) -> bytes:
    """The body, once it is known to be harmless; line ends of any system become newlines."""
    content = _ESCAPES.sub(lambda found: b"\\n" if found[1][:1] == b"r" else found[0], content)
    try:
        value = read_json(content, limit=max(len(content), 1))
    except UnsafeJson as error:
        raise HttpRefusal("unreadable", "not_json", problem=error.phrase) from None
    if not isinstance(value, dict):
        raise HttpRefusal("unreadable", "not_an_object")
    return content
