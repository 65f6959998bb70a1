"""Whatever is answered with the same ETag is the same answer, also after a name or time changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest

from answers.declaration import Operation
from answers.operations import routes
from tests.service.conftest import Club
from tests.service.test_twins import NAMES

OF_A_GAME = [route for route in routes() if route.about == "game" and route.reads]


def addresses(route: Operation, game: str) -> Iterator[str]:
    for format in ("md", "text", "csv", "svg") if "format" in route.names else ("",):
        names = {**NAMES, "game": game, "format": format}
        path = route.path.format(**{name: names[name] for name in route.names})
        asks = {"why": "line=1", "diff": "start=0", "choices": "prefix=A"}.get(route.name, "")
        yield f"{path}?{asks}"
        if "names" in (route.says.model_fields if route.says else ()):
            yield f"{path}?{asks}&names=true"


@pytest.fixture
def told_of(club: Club, game: str) -> dict[str, str]:
    """Whoever an answer may name: seated from the start, seated since, and of no seat."""

    def done(path: str, said: dict[str, object], role: str = "judge") -> None:
        reply = club.post(f"/games/{game}/{path}", role, said)
        assert reply.status_code == 200, reply.text

    done("corrections", {"number": 0, "seats": {"B": "Bo"}})
    people = club.store_context.people
    ana, bo, jo = people.find("Ana")[0], people.find("Bo")[0], people.add("Jo")
    done("clock", {"seconds": 300})
    done("notes", {"on": "1", "text": "well"})
    for person in (ana, bo, jo):
        _, club.tokens["scribe", ""] = club.store_context.access.give("scribe", "", person)
        done("notes", {"on": "1", "text": "by somebody"}, "scribe")
    done("disputes", {"number": 1, "text": "hm"})
    done("rulings", {"reason": "so", "dispute": "d1", "remedy": "stands"})
    return {"Ana": ana, "Bo": bo, "Jo": jo}


@pytest.mark.parametrize("route", OF_A_GAME, ids=lambda route: route.name)
def test_an_etag_changes_with_what_is_answered(
    route: Operation, club: Club, game: str, told_of: dict[str, str]
) -> None:
    people, bench = club.store_context.people, club.store_context.bench

    @contextmanager
    def renamed(name: str) -> Iterator[None]:
        people.rename(told_of[name], "Zoe")
        yield
        people.rename(told_of[name], name)

    @contextmanager
    def later() -> Iterator[None]:
        now = datetime.fromisoformat(bench.now()) + timedelta(minutes=1)
        with patch.object(bench, "_clock", lambda: f"{now:%FT%T.000Z}"):
            yield

    for address in addresses(route, game):
        first = club.get(address, "judge")
        for change in (*map(renamed, told_of), later()):
            with change:
                second = club.get(address, "judge")
            assert first.status_code == second.status_code
            if first.status_code == 200 and _body(first.content) != _body(second.content):
                assert first.headers["etag"] != second.headers["etag"], address
            if tag := second.headers.get("etag"):
                again = club.get(address, "judge", headers={"If-None-Match": tag})
                assert again.status_code in (200, 304)


def _body(content: bytes) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return content
