"""Two tables that differ in a secret of A answer everybody else alike, wherever they are asked."""

from __future__ import annotations

import asyncio
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any

import pytest
from starlette.applications import Starlette

from answers.context import Caller, StoreContext
from answers.declaration import Operation
from answers.judge import faq
from answers.operations import routes
from answers.review import photos
from answers.rulebooks import wording
from answers.rulebooks.box_tour import add_photo
from answers.rulebooks.boxes import tell
from engines.kernel.registry import load_engine
from referee.judging.disputes import dispute
from referee.record.game import seal_digest
from referee.table.author import Author
from service.pages.rendering import PAGES
from tests.cli.transcripts import normal
from tests.photos import art, jpeg_of, png
from tests.proofs.test_discretion import GUESSES, HEADS, LINES, READINGS, discussed
from tests.proofs.twins import TWINS, Make, asked_at, parts
from tests.service.conftest import API, Club
from tests.waiting import awaited

pytestmark = pytest.mark.usefixtures("strangers_games")
TOKEN = re.compile(r'(?<=data-role=")t[a-z2-7]{8}|(?<=name="role" value=")t[a-z2-7]{8}')
"""As whom a page was made: no two devices have the same."""
DIGEST = re.compile('"[0-9a-f]{20}"')
"""Of a page, which names the device that it was made for."""
OWN = ("x-request-id", "date", "content-security-policy", "content-length")
OTHERS = ("seat:B", "spectator", "table")
"""Everybody but A and those who see everything."""
NAMES = {
    "dispute": "d1",
    "ruling": "r1",
    "penalty": "x1",
    "secret": "s1",
    "note": "n1",
    "photo": "f1",
    "of": "pnobody",
}
THINGS = {
    "benevolent": ("leaf", "amber"),
    "broom_service": ("fw", "fg"),
    "bloody_grove": ("EB1", "b3"),
    "smugglers": ("chest",),
    "dunes": ("drop",),
}
HANDS = png(20, 10), png(20, 11)
"""Of A, at each of two tables: somebody else may have the same picture."""
CORNERS = "".join(f"&corners={share}" for share in (0, 0, 9999, 0, 9999, 9999, 0, 9999))
SALT = "0" * 32
LAST = (("log", "table"), ("finish", "table"), ("reopen", "table"))
"""What changes the game for all questions that follow."""
Question = tuple[Operation, str, Any, str]
FORMATS = ("record", "text", "svg", "md", "csv", "bgstats", "playthrough")


def alike(text: str) -> str:
    for head in HEADS:
        text = head.sub("HEAD", text)
    return normal(TOKEN.sub("TOKEN", text))


def said(operation: str, engine: str, game: str) -> Iterator[dict[str, Any]]:
    """What is said to each operation that takes something; and nothing at all."""
    line = LINES[engine]
    (reading, value) = READINGS[engine].split("=")
    told: dict[str, list[dict[str, Any]]] = {
        "check": [
            {"lines": [line]},
            {"lines": [f"B{line[1:]}"]},
            {"lines": [line], "stands": True},
        ],
        "log": [
            {"lines": [line]},
            {"lines": [line], "stands": True},
            {"lines": [line[2:]]},
            {"lines": [line], "after": 0},
            *({"lines": [guess], "stands": True} for guess in GUESSES[engine]),
        ],
        "correct": [{"number": 1, "lines": [line], "dry_run": True}],
        "adjust": [{"changes": {"players": {"B": {"vp": 1}}}, "reason": "hm"}],
        "note-add": [{"on": "1", "instead": [line]}, {"on": "1", "text": "well"}],
        "dispute-open": [{"number": 1, "text": "hm"}],
        "what-if": [{"readings": {reading: value}}],
        "kit-declare": [{"path": "rounds", "value": 4, "dry_run": True}],
        "undo": [{}, {"count": 2}],
        "ruling-issue": [{"reason": "so", "dry_run": True}],
        "secret-seal": [
            {"seat": "B", "what": "plan", "digest": seal_digest(game, "B", "plan", SALT, ["c1"])},
            {"seat": "A", "what": "plan", "digest": "0" * 64},
        ],
        "secret-open": [{"salt": SALT, "words": ["c1"]}, {"salt": SALT, "words": ["c2"]}],
        "sign": [
            {
                "at": "2026-01-31T18:30:00.000Z",
                "entry": 1,
                "head": "0" * 64,
                "key": "1" * 64,
                "signature": "2" * 128,
            }
        ],
        "clock-set": [{"seconds": 600}],
        "finish": [{"yes": True}],
        "reopen": [{"reason": "hm"}],
    }
    yield from told.get(operation, [])
    if operation != "reopen":
        yield {}


def queries(route: Operation, engine: str) -> Iterator[str]:
    line = LINES[engine].replace(" ", "+")
    if route.name == "trial":
        yield from (f"?lines={line}", f"?lines={line}&at=1", f"?lines=B{line[1:]}")
    if route.name == "why":
        yield from ("?line=1", f"?line={line}", f"?line={line}&at=1", f"?line=B{line[1:]}")
    elif route.name == "choices":
        yield from (f"?prefix={'+'.join(LINES[engine].split()[:count])}" for count in range(4))
    elif route.name == "could-hold":
        yield from (f"?seat=A&thing={thing}" for thing in THINGS[engine])
    elif route.name == "diff":
        yield "?start=0"
    else:
        yield ""
    if "view" in (route.says.model_fields if route.says else ()):
        start = "start=0&" if route.name == "diff" else ""
        yield from (f"?{start}view={view}" for view in ("public", "seat:B", "seat:A", "judge"))
    if route.name in ("state", "options", "picture", "reached"):
        yield "?at=1"


def requests(route: Operation, game: str, engine: str) -> Iterator[tuple[str, Any]]:
    formats = FORMATS if "format" in route.names else ("",)
    for format in formats:
        names = {**NAMES, "game": game, "format": format}
        path = route.path.format(**{name: names[name] for name in route.names})
        if route.asks_in_query:
            yield from ((path + query, None) for query in queries(route, engine))
        elif route.takes_file:
            yield from ((path + query, sent) for query, sent in files(route.name))
        else:
            yield from ((path, body) for body in said(route.name, engine, game))


def files(operation: str) -> Iterator[tuple[str, bytes]]:
    """What is sent to each operation that takes a file: its query and the file."""
    if operation == "photo-add":
        yield from (("?only=B", png(20, 9)), ("?caption=hm", HANDS[0]), ("?only=A", HANDS[1]))
    elif operation in ("sight", "sight-audit"):
        after = art(1, (480, 384))
        before = jpeg_of(after)
        after.paste((20, 20, 20), (200, 150, 250, 200))
        yield f"?split={len(before)}{CORNERS}", before + jpeg_of(after)
    yield "", b""


def photographed(club: Club, game: str, hand: bytes, secret: str) -> None:
    """A has photographed her hand: another one at each table."""
    caller = Caller(club.store_context, Author("pana", "seat:A"))
    photos.add(caller, game, hand, only="A", caption=secret)


def make_clubs(
    make: Make, one: str, other: str, make_club: Callable[..., Club]
) -> tuple[list[Club], str]:
    """A service with each of the twins, and the game that both have."""
    clubs = []
    for secret, hand in zip((one, other), HANDS, strict=True):
        bench, game = make(secret)
        discussed(bench, game)
        clubs.append(make_club(StoreContext(bench.store, bench)))
        photographed(clubs[-1], game, hand, secret)
    return clubs, game


def questions(game: str, engine: str) -> list[Question]:
    """All that can be asked over HTTP, by everybody but A; what the table logs comes in the end."""
    asked = [
        (route, path, body, role)
        for route in routes()
        if route.about == "game" and route.name != "game-rules"
        if not route.name.startswith("access-")
        for path, body in requests(route, game, engine)
        for role in OTHERS
        if not (role == "seat:B" and route.name == "log" and _own(body))
        # what a seat does itself calls a judge: test_hidden_hands.py
    ]
    return sorted(
        asked, key=lambda each: (order := (each[0].name, each[3])) in LAST and LAST.index(order) + 1
    )


def _own(body: Any) -> bool:
    return any(not line.startswith("A ") for line in body.get("lines", ()))


def routes_are_alike(clubs: list[Club], game: str, asked: Iterable[Question]) -> None:
    for route, path, body, role in asked:
        one, other = (answer(club, route, path, role, game, body) for club in clubs)
        assert one == other, (route.name, path, body, role)


def pages_are_alike(clubs: list[Club], game: str, asked: Iterable[tuple[str, str]]) -> None:
    seen = 0
    for place, role in asked:
        one, other = (page(club, place, role, game) for club in clubs)
        assert one == other, (place, role)
        seen += one.startswith("200")
    assert seen


def pages(game: str) -> list[tuple[str, str]]:
    of_games = [placed.path for placed in PAGES.values() if "{game}" in placed.path]
    paths = [path.format(game=game, **NAMES) for path in of_games]
    places = [f"{path}{more}" for path in paths for more in ("", "?at=1")]
    return [(place, role) for place in places for role in OTHERS]


@pytest.mark.parametrize(("name", "part"), parts())
def test_no_route_and_no_stream_tells_the_twins_apart(
    name: str, part: int, make_club: Callable[..., Club]
) -> None:
    clubs, game = make_clubs(*TWINS[name], make_club)
    engine = clubs[0].store_context.bench.game(game).engine.id
    streams_are_alike(clubs, game)
    asked = questions(game, engine)
    assert len(asked) > 100
    routes_are_alike(clubs, game, asked_at(name, asked, part))
    streams_are_alike(clubs, game)
    again = [each for each in asked if each[0].method == "GET"]
    routes_are_alike(clubs, game, asked_at(name, again, part))
    pages_are_alike(clubs, game, asked_at(name, pages(game), 3 * part))


def streams_are_alike(clubs: list[Club], game: str) -> None:
    for role in OTHERS:
        one, other = (events(club, game, role) for club in clubs)
        assert one == other, role
        assert one.count("event: entry") == clubs[0].store_context.bench.game(game).version + 1


@pytest.mark.parametrize(("name", "part"), parts())
def test_no_page_tells_the_twins_apart(
    name: str, part: int, make_club: Callable[..., Club]
) -> None:
    clubs, game = make_clubs(*TWINS[name], make_club)
    pages_are_alike(clubs, game, asked_at(name, pages(game), part))


def page(club: Club, path: str, role: str, game: str) -> str:
    reply = club.client.get(path, headers={"Authorization": f"Bearer {club.token(role, game)}"})
    assert reply.status_code < 500, (path, reply.text)
    return received(reply)


def received(reply: Any) -> str:
    """All of a reply but what every reply has of its own."""
    kept = {
        name: DIGEST.sub("DIGEST", text) for name, text in reply.headers.items() if name not in OWN
    }
    return f"{reply.status_code} {alike(json.dumps(kept))} {alike(reply.text)}"


def sent_as(body: Any) -> dict[str, Any]:
    """How a client is told to send it: nothing, a file or data."""
    return {} if body is None else {"content" if isinstance(body, bytes) else "json": body}


def answer(club: Club, route: Operation, path: str, role: str, game: str, body: Any) -> str:
    key = {"Idempotency-Key": "twins-1"} if route.key_as_said else {}
    reply = club.ask(route.method, path, role, scope=game, headers=key, **sent_as(body))
    assert reply.status_code < 500, (route.name, reply.text)
    return received(reply)


def events(
    club: Club, game: str, role: str, scope: str | None = None, last: int | None = None
) -> str:
    """All that a stream from the beginning tells so far, up to its ``last`` entry."""
    app = club.client.app
    assert isinstance(app, Starlette)
    token = club.token(role, game if scope is None else scope)
    last = club.store_context.bench.game(game).version if last is None else last
    told = awaited(_read(app, f"{API}/games/{game}/events", token, f"id: {last}\n".encode()))
    return alike(told)


async def _read(app: Starlette, path: str, token: str, until: bytes) -> str:
    received, done = bytearray(), asyncio.Event()
    headers = {"host": "testserver", "authorization": f"Bearer {token}", "last-event-id": "-1"}
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path,
        "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1), "server": ("testserver", 80),
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        await done.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        received.extend(message.get("body", b""))
        if until in received:
            done.set()

    await asyncio.wait_for(app(scope, receive, send), 30)
    return received.decode()


def test_the_judge_is_told_them_apart(make_club: Callable[..., Club]) -> None:
    """The comparison would notice."""
    make, *secrets = TWINS["a chosen hand"]
    told = []
    for secret in secrets:
        bench, game = make(secret)
        club = make_club(StoreContext(bench.store, bench))
        told.append(alike(club.get(f"/games/{game}/moves", "judge").text))
        told.append(events(club, game, "judge"))
    assert told[0] != told[2]
    assert told[1] != told[3]
    assert json.loads(told[0])["ok"]


MEMBERS = ("seat:A", "scribe", "judge", "organiser", "table")
OF_THE_BOOK = {"kit-wording", "kit-photo", "rulebook", "clause", "dispute"}
"""Answers and pages that show members what their rulebook itself says, and no others."""
WRITTEN = ("text", "svg", "md", "csv", "zip")


def worded(club: Club, engine: str, said: str, photo: bytes) -> None:
    """A club that keeps a sentence of its rulebook, and whose box can be exported."""
    caller = Caller(club.store_context, Author("porg", "organiser"))
    tell(caller, engine, {"front.towers.t05.vp": 2}, source="counted")
    clause = next(iter(load_engine(engine).clauses))
    wording.tell(caller, engine, clause, said)
    add_photo(caller, engine, photo, clause)


def of_the_house(game: str, engine: str, call: str) -> Iterator[tuple[str, str]]:
    """What is read of a game, its engine, the archive and its files, by its name."""
    clause = next(iter(load_engine(engine).clauses))
    names = {**NAMES, "game": game, "engine": engine, "clause": clause, "dispute": call}
    for route in routes():
        if route.name.startswith("access-") or route.method != "GET":
            continue
        if not set(route.names) <= {*names, "format"}:
            continue
        formats = (*WRITTEN, *faq.WRITERS) if "format" in route.names else ("",)
        for format in formats:
            path = API + route.path.format(**{**names, "format": format})
            asked = {
                "kit-wording": ("", f"?clause={clause}"),
                "kit-photo": (f"?page={clause}",),
                "kit-export": ("", "?pictures=true"),
            }.get(route.name, ("",))
            yield from ((route.name, path + more) for more in asked)
    for placed in PAGES.values():
        if set(re.findall(r"{(\w+)}", placed.path)) <= {*names}:
            yield placed.name, placed.path.format(**names)


def test_what_a_rulebook_itself_says_is_told_to_members_alone(
    make_club: Callable[..., Club],
) -> None:
    """Two clubs that keep other sentences of the same book are alike to everybody else, and in all
    that leaves the club: files, exported boxes, signed or not, and what is imported from them."""
    clubs, (make, secret, _), engine = [], TWINS["broom_service"], "broom_service"
    for said, photo in zip(("As printed.", "As otherwise printed."), HANDS, strict=True):
        bench, game = make(secret)
        discussed(bench, game)
        clause = next(iter(load_engine(engine).clauses))
        call = dispute(bench, game, 1, text="hm", clause=clause).game.disputes
        clubs.append(make_club(StoreContext(bench.store, bench)))
        worded(clubs[-1], engine, said, photo)
    differ: dict[str, set[str]] = {}
    asked = [*of_the_house(game, engine, list(call)[-1])]
    for role in (*MEMBERS, "spectator", "player", None):
        told = asked if role in ("organiser", "spectator") else of_the_book(asked)
        for name, path in told:
            one, other = (read_whole(club, path, role, game) for club in clubs)
            if one != other and legible(one) != legible(other):
                differ.setdefault(name, set()).add(str(role))
    judging = {"judge", "organiser", "scribe"}
    assert differ == {name: {*MEMBERS} for name in OF_THE_BOOK} | {"dispute": judging}


JPEG = b"\xff\xd8\xff"


def of_the_book(asked: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [each for each in asked if each[0] in OF_THE_BOOK]


def read_whole(club: Club, path: str, role: str | None, game: str) -> bytes:
    scope = "" if role in ("scribe", "judge", "organiser") else game
    headers = {} if role is None else {"Authorization": f"Bearer {club.token(role, scope)}"}
    reply = club.client.get(path, headers=headers)
    assert reply.status_code < 500, (path, reply.text)
    return reply.content


def legible(content: bytes) -> object:
    """What stands in a file, whenever it was made."""
    if content.startswith(JPEG):
        return content
    if not zipfile.is_zipfile(BytesIO(content)):
        return alike(content.decode("latin-1"))
    with zipfile.ZipFile(BytesIO(content)) as files:
        return [alike(files.read(name).decode("latin-1")) for name in files.namelist()]
