"""What the service sends names no command: neither its answers nor its pages.

Every reply to a test of the service is looked at (``Club.ask``); here are those that it takes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest

from answers.admin.access import role_name
from answers.declaration import Operation
from answers.hints import FOLLOWS
from answers.operations import answers, routes
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.errors import Misused, NotAllowed
from referee.secrecy.redaction import view_for
from service.pages.rendering import PAGES
from service.problems import told, voice_in
from tests.doors import OF_COMMANDS, of_commands
from tests.service.conftest import Club

ROLES = ("organiser", "seat:A")


def asked(club: Club, route: Operation, path: str, role: str, lang: str) -> Any:
    said = {} if route.method == "GET" else {"json": {}}
    scope = "game" if role == "seat:A" else ""
    told = {"Accept-Language": lang}
    return club.ask(route.method, path, role, scope=scope, headers=told, **said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_refusal_of_any_operation_names_a_command(lang: str, club: Club, game: str) -> None:
    """Asked for nothing, for what is not there, and by those who may not."""
    for route in routes():
        for known in (game, "game-aaaaaaaa"):
            path = route.path.replace("{game}", known)
            path = re.sub(r"\{\w+\}", "1", path.replace("{tournament}", "tournament-aaaaaaaa"))
            for role in ROLES:
                asked(club, route, path, role, lang)
    assert len(club.heard) > 300
    assert of_commands(club.heard) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_that_is_done_at_a_table_is_told_with_a_command(
    lang: str, club: Club, game: str
) -> None:
    told = {"Accept-Language": lang}
    at, judge = f"/games/{game}", {"role": "judge", "headers": told}

    def tell(place: str, said: dict[str, Any], role: str = "scribe") -> Any:
        return club.post(f"{at}{place}", role, said, headers=told)

    club.get("/games?player=Nobody", "scribe", headers=told)
    tell("/actions", {"lines": ["A step a3"]})
    tell("/actions", {"lines": ["A step c2"]})
    tell("/undo", {})
    tell("/undo", {"count": 99})
    tell("/redo", {})
    tell("/redo", {})
    tell("/actions", {"lines": ["A step a3"], "stands": True})
    tell("/corrections", {"number": 3, "lines": ["A step d1"]})
    tell("/corrections", {"number": 3, "lines": ["A step b1"]})
    tell("/actions", {"lines": ["A gather"]})
    tell("/finish", {})
    tell("/hold", {"reason": "tea"})
    tell("/actions", {"lines": ["A gather"]})
    tell("/resume", {})
    tell("/hold", {}, "judge")
    tell("/actions", {"lines": ["A gather"]})
    tell("/resume", {}, "judge")
    opened = tell("/disputes", {"number": 10, "text": "no", "holds": True}).json()
    tell("/actions", {"lines": ["A gather"]})
    dispute = opened["data"]["id"]
    club.get(f"{at}/disputes/{dispute}", **judge)
    said = {"dispute": dispute, "remedy": "taken_back", "reason": "so"}
    tell("/rulings", said, "judge")
    club.get(f"{at}/disputes/{dispute}", **judge)
    tell("/rulings", {**said, "remedy": "none", "overturns": "r1"}, "judge")
    tell("/secrets", {"seat": "A", "what": "hand", "digest": "0" * 64})
    for place in (
        "",
        "/state",
        "/options",
        "/moves",
        "/verification",
        "/head",
        "/secrets",
        "/clock",
    ):
        club.get(f"{at}{place}", **judge)
    tell("/finish", {"reason": "late", "yes": True}, "judge")
    tell("/actions", {"lines": ["A gather"]})
    club.get("/doctor", "organiser", headers=told)
    assert sum(len(each) for each in club.heard) > 2000
    assert of_commands(club.heard) == []


def event(club: Club, lang: str) -> Iterator[str]:
    """A tournament in which much goes as it should not; its id comes first."""
    told = {"Accept-Language": lang}
    club.get("/tournaments", "organiser", headers=told)
    made = club.post("/tournaments", "organiser", {"name": "Cup", "game": "benevolent"})
    at = f"/tournaments/{made.json()['data']['tournament']}"
    yield at

    def tell(place: str, said: dict[str, Any] | None = None, *, refused: bool = False) -> None:
        reply = club.post(f"{at}{place}", "organiser", said or {}, headers=told)
        assert reply.is_error == refused, reply.text

    tell("/round/pairing", refused=True)
    tell("/players", {"players": [{"name": name} for name in ("Ana", "Bo", "Cleo", "Dan", "Dam")]})
    tell("/round/pairing", refused=True)
    tell("/players/check-in", {"everybody": True})
    tell("/round/pairing", {"seed": 1})
    tell("/round/swap", {"a": "Ana", "b": "Cleo"})
    tell("/round/seating", {"names": ["Ana", "Dan"]})
    tell("/round/start")
    club.get(f"{at}/clock", "organiser", headers=told)
    tell("/players/drop", {"name": "Ana"})
    tell("/players/unregister", {"name": "Bo"}, refused=True)
    tell("/tables/1/result", {"places": ["A"]}, refused=True)
    tell("/tables/1/result", {"places": ["A", "B"], "reason": "slip"})
    tell("/tables/1/result", {"places": ["A", "B"], "reason": "slip"}, refused=True)
    tell("/tables/2/result", {"places": ["A", "B"], "reason": "slip"})
    tell("/round/close")
    tell("/finals", {"places": 3}, refused=True)
    tell("/finals", {"places": 2, "reason": "late", "lot": "7", "dry_run": True})
    for place in ("", "/players", "/standings", "/disputes", "/round", "/check"):
        club.get(f"{at}{place}", "organiser", headers=told)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_that_is_done_at_a_desk_is_told_with_a_command(lang: str, club: Club) -> None:
    assert len([*event(club, lang)]) == 1
    assert len(club.heard) > 30
    assert of_commands(club.heard) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_page_names_a_command(lang: str, club: Club, game: str) -> None:
    at = next(event(club, lang)).rpartition("/")[2]
    club.post(f"/games/{game}/disputes", "scribe", {"number": 3, "text": "no"})
    facts = {
        "game": game, "engine": "benevolent", "clause": "BEN-MOVE-3", "dispute": "d1",
        "ruling": "r1",
        "tournament": at, "round": "1", "table": "1", "player": "Ana", "person": "Ana",
        "code": "AAAA-AAAA", "event": at,
        "collection": "collection-aaaaaaaa", "season": "season-aaaaaaaa",
    }  # fmt: skip
    seen = 0
    for page in PAGES.values():
        for found in (facts, {**facts, "game": "game-aaaaaaaa", "tournament": "x", "engine": "x"}):
            for role in ("organiser", "scribe"):
                token = {"Authorization": f"Bearer {club.token(role)}", "Accept-Language": lang}
                reply = club.client.get(page.path.format(**found), headers=token)
                text = html.unescape(re.sub(r"<[^>]*>", " ", reply.text))
                assert OF_COMMANDS.search(text) is None, (page.name, OF_COMMANDS.search(text))
                seen += reply.status_code == 200
    assert seen > len(PAGES)


def test_a_program_that_words_hints_itself_gets_them_as_data(club: Club) -> None:
    """Only one that asks for them; the words are those of the program."""
    plain = club.get("/games", "scribe").json()["told"]
    asked = club.get("/games", "scribe", headers={"Referee-Voice": "hints"}).json()["told"]
    assert asked == [f"{plain[0]} \ue003games.none\ue001{{}}\ue002"]


def test_what_could_follow_is_something_that_can_be_asked() -> None:
    assert {*FOLLOWS.values()} <= {*answers(), *(each.name for each in routes())}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("view", ["judge", "public", "seat:B"])
def test_a_view_that_is_refused_is_named_in_words(lang: Language, view: str) -> None:
    refused = (
        NotAllowed("needs_judge_view", what="record", view=view),
        NotAllowed("view_too_wide", role="seat:A", view=view),
    )
    voice = voice_in(lang)
    for error in refused:
        _, problem = told(error, voice)
        assert role_name(voice, view) in problem.message
        assert of_commands([problem.message]) == []


def test_a_view_that_there_is_not_is_named_as_it_was_typed() -> None:
    with pytest.raises(Misused) as caught:
        view_for("judge", "seat:Z", "AB")
    assert "“seat:Z”" in told(caught.value, voice_in("en"))[1].message


def test_what_is_looked_for_would_be_found() -> None:
    named = ["no games yet: referee new GAME …", "give a reason (-m)", "add --yes"]
    named += ["as NAME:judge", "seat:A may not", "check REFEREE_STORE", "referee finish -m WHY"]
    assert of_commands(named) == named
    assert of_commands(["The referee says: illegal.", "Ana – a step", "A -B"]) == []
