"""Letting people in: tokens, codes, cookies, revocation, and the book of admissions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from httpx2 import Response

from answers.context import Caller, open_store_context
from referee.errors import Misused
from referee.store.sidecars import change_counter
from referee.store.sidecars.access import Access, AccessPolicy, digest_of
from service.auth import AccessControl, Principal
from service.cross_origin import check_origins
from service.settings import Limits
from tests.opening import new_table
from tests.service.conftest import API, Club


@pytest.fixture
def table(club: Club) -> str:
    said = {"game": "pebbles", "table": "A B first A"}
    game: str = club.post("/games", "organiser", said).json()["data"]["game"]
    return game


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_is_shown_once_and_kept_as_a_digest(club: Club, tmp_path: Path) -> None:
    given = club.post("/access/tokens", "organiser", {"role": "judge", "name": "Jo"}).json()["data"]
    assert len(given["token"]) == 22
    assert club.get("/me", headers=bearer(given["token"])).json()["data"]["name"] == "Jo"
    file = (tmp_path / "games.access.db").read_bytes()
    assert given["token"].encode() not in file
    assert digest_of(given["token"]).encode() in file
    assert given["token"] not in club.get("/access", "organiser").text


def test_what_is_written_with_a_token_is_by_its_person(club: Club, table: str) -> None:
    said = {"role": "scribe", "scope": table, "name": "Sam"}
    given = club.post("/access/tokens", "organiser", said).json()["data"]
    said = {"lines": ["take 1"]}
    club.post(f"/games/{table}/actions", said=said, headers=bearer(given["token"]))
    entry = club.store_context.bench.game(table).entries[-1]
    assert (entry.by, entry.role) == (given["person"], "scribe")


def test_a_revoked_token_lets_nobody_in(club: Club) -> None:
    given = club.post("/access/tokens", "organiser", {"role": "judge"}).json()["data"]
    assert club.get("/games", headers=bearer(given["token"])).status_code == 200
    assert club.ask("DELETE", f"/access/{given['id']}", "organiser").status_code == 200
    assert club.get("/games", headers=bearer(given["token"])).status_code == 401
    assert club.ask("DELETE", f"/access/{given['id']}", "organiser").status_code == 404


def test_a_token_that_has_expired_is_not_good(tmp_path: Path) -> None:
    from datetime import timedelta

    access = Access(None)
    _, old = access.give("judge", "", "anonymous", timedelta(seconds=-1))
    _, new = access.give("judge", "", "anonymous", timedelta(days=1))
    assert access.pass_of(old) is None
    assert access.pass_of(new) is not None
    assert len(access.passes()) == 1


def test_a_code_for_a_seat_is_used_once(club: Club, table: str) -> None:
    made = club.post("/access/codes", "scribe", {"role": "seat:A", "scope": table, "name": "Ana"})
    code = made.json()["data"]["code"]
    assert len(code.replace("-", "")) == 8
    first = club.post("/join", said={"code": code.lower().replace("-", " ")})
    assert (first.status_code, first.json()["data"]["role"]) == (200, "seat:A")
    assert club.post("/join", said={"code": code}).json()["code"] == "bad_code"


def test_a_code_for_spectators_is_used_until_it_is_revoked(club: Club, table: str) -> None:
    said = {"role": "spectator", "scope": table, "many": True}
    made = club.post("/access/codes", "scribe", said).json()["data"]
    for _ in range(3):
        assert club.post("/join", said={"code": made["code"]}).status_code == 200
    club.ask("DELETE", f"/access/{made['id']}", "scribe")
    assert club.post("/join", said={"code": made["code"]}).status_code == 403
    said = {"role": "seat:A", "scope": table, "many": True}
    assert club.post("/access/codes", "scribe", said).status_code == 400


@pytest.mark.usefixtures("standing_clock")
def test_wrong_codes_are_counted_and_good_ones_are_not(make_club: Callable[..., Club]) -> None:
    club = make_club(limits=Limits(wrong_codes_a_minute=3, writes_a_second=1000))
    _, code = club.store_context.access.make_code("spectator", "", "anonymous", once=False)
    good = [club.post("/join", said={"code": code}).status_code for _ in range(20)]
    assert good == [200] * 20
    wrong = [club.post("/join", said={"code": "AAAABBBB"}).status_code for _ in range(5)]
    assert wrong == [403] * 3 + [429] * 2


@pytest.mark.parametrize(
    ("role", "at_the_table", "status"), [("seat:A", False, 400), ("seat:H", True, 404)]
)
def test_nobody_is_given_a_seat_that_is_not_there(
    role: str, at_the_table: bool, status: int, club: Club, table: str
) -> None:
    said = {"role": role, "scope": table if at_the_table else ""}
    assert club.post("/access/codes", "organiser", said).status_code == status


def test_a_cookie_is_believed_only_on_our_own_pages(club: Club, table: str) -> None:
    code = club.post("/access/codes", "scribe", {"role": "seat:A", "scope": table}).json()["data"]
    joined = club.post("/join", said={"code": code["code"]})
    cookie = joined.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    club.keeps_cookies = True
    club.client.cookies.set("referee", joined.json()["data"]["token"])
    said = {"lines": ["take 1"]}
    for origin in ({}, {"Origin": "http://evil.example"}, {"Origin": "https://testserver"}):
        refused = club.post(f"/games/{table}/actions", said=said, headers=origin)
        assert (refused.status_code, refused.json()["code"]) == (403, "other_origin")
    own = {"Origin": "http://testserver"}
    assert club.post(f"/games/{table}/actions", said=said, headers=own).status_code == 200
    assert club.get(f"/games/{table}").status_code == 200, "reading needs no origin"


CLUB = "https://club.example"
OTHERS = (
    "https://evil.example", "http://club.example", "https://club.example:8443",
    "https://club.example.evil.example", "null", "*", "https://CLUB.example",
)  # fmt: skip


def test_only_named_websites_may_call_and_never_with_a_cookie(
    make_club: Callable[..., Club],
) -> None:
    club = make_club(origins=(CLUB,))
    table = new_table(Caller(club.store_context), "pebbles", "A B first A")
    club.ask("PATCH", f"/games/{table}/access", "scribe", json={"open_to": "everybody"})
    asks = {"Access-Control-Request-Method": "POST"}

    def allowed(answer: Response) -> str | None:
        assert "Origin" in answer.headers["vary"]
        assert "access-control-allow-credentials" not in answer.headers
        found: str | None = answer.headers.get("access-control-allow-origin")
        return found

    public, actions = f"/games/{table}", f"/games/{table}/actions"
    before = club.ask("OPTIONS", actions, headers={"Origin": CLUB, **asks})
    assert (before.status_code, allowed(before)) == (204, CLUB)
    assert "POST" in before.headers["access-control-allow-methods"]
    assert "authorization" in before.headers["access-control-allow-headers"].lower()
    assert allowed(club.get(public, headers={"Origin": CLUB})) == CLUB
    assert allowed(club.get("/people", headers={"Origin": CLUB})) == CLUB, "a refusal is read too"
    for other in OTHERS:
        assert allowed(club.get(public, headers={"Origin": other})) is None
        refused = club.ask("OPTIONS", actions, headers={"Origin": other, **asks})
        assert (refused.status_code, allowed(refused)) == (405, None)
    page = club.client.get("/", headers={"Origin": CLUB})
    assert allowed(page) is None, "pages are ours alone"
    said = {"lines": ["A take 1"]}
    speaks = {"Origin": CLUB, **bearer(club.token("scribe", ""))}
    told = club.post(actions, said=said, headers=speaks)
    assert (told.status_code, allowed(told)) == (200, CLUB)
    _, letters = club.store_context.access.make_code("seat:B", table, "anonymous", once=True)
    for origin, status in ((OTHERS[0], 403), (CLUB, 200)):
        joined = club.post("/join", said={"code": letters}, headers={"Origin": origin})
        assert joined.status_code == status
    club.keeps_cookies = True
    club.client.cookies.set("referee", joined.json()["data"]["token"])
    forged = club.post(actions, said={"lines": ["B take 2"]}, headers={"Origin": CLUB})
    assert (forged.status_code, forged.json()["code"]) == (403, "other_origin")


@pytest.mark.parametrize("origin", ["*", "null", "club.example", f"{CLUB}/", "ftp://a", ""])
def test_what_is_no_origin_is_refused_before_anything_listens(origin: str) -> None:
    with pytest.raises(Misused) as refused:
        check_origins((origin,))
    assert refused.value.key == "bad_origin"


def test_a_cookie_that_is_no_longer_good_is_as_none(club: Club, table: str) -> None:
    club.ask("PATCH", f"/games/{table}/access", "scribe", json={"open_to": "link"})
    club.keeps_cookies = True
    club.client.cookies.set("referee", "a-token-of-last-year")
    assert club.get(f"/games/{table}").status_code == 200
    assert club.get("/people").status_code == 401
    _, letters = club.store_context.access.make_code("judge", "", "anonymous", once=True)
    assert club.post("/join", said={"code": letters}).status_code == 200


def test_under_tls_the_cookie_is_secure(make_club: Callable[..., Club]) -> None:
    club = make_club(tls=True)
    _, letters = club.store_context.access.make_code("judge", "", "anonymous", once=True)
    assert "Secure" in club.post("/join", said={"code": letters}).headers["set-cookie"]


def test_a_scanned_code_becomes_a_cookie_by_a_button(club: Club) -> None:
    _, letters = club.store_context.access.make_code("judge", "", "anonymous", once=True)
    page = club.get(f"/j/{letters}")
    assert "<form" in page.text
    assert letters not in page.text
    club.keeps_cookies = True
    own = {"Origin": "http://testserver"}
    joined = club.ask("POST", f"/j/{letters}", headers=own, follow_redirects=False)
    assert joined.status_code == 303
    assert club.get("/me").json()["data"]["role"] == "judge"


def test_the_book_tells_who_was_let_in_and_who_was_not(club: Club, table: str) -> None:
    code = club.post(
        "/access/codes", "organiser", {"role": "seat:A", "scope": table, "name": "Ana"}
    )
    club.post("/join", said={"code": code.json()["data"]["code"]})
    club.post("/join", said={"code": "AAAABBBB"})
    rows = club.get("/access/log", "organiser").json()["data"]["admissions"]
    told = [(row["what"], row["role"], row["name"]) for row in rows]
    assert ("joined", "seat:A", "Ana") in told
    assert "refused" in [what for what, *_ in told]


def test_what_is_known_of_a_person_is_forgotten() -> None:
    access = Access(None)
    _, secret = access.give("judge", "", "pana")
    access.give("judge", "", "pbo")
    assert access.forget("pana") == 1
    assert access.pass_of(secret) is None
    assert [each.person for each in access.admissions()] == ["pbo"]


def test_rules_are_kept(tmp_path: Path) -> None:
    access = Access(tmp_path / "x.access.db")
    assert access.rules("game-a") == AccessPolicy()
    access.set_rules("game-a", AccessPolicy("link", 3, 60, False))
    access.close()
    assert Access(tmp_path / "x.access.db").rules("game-a") == AccessPolicy("link", 3, 60, False)


RULES = {
    "open_to": ("members", "link", "everybody"),
    "delay_entries": (0, 2),
    "delay_seconds": (0, 30),
    "seats_log": (False, True),
    "until_result": (False, True),
}


@pytest.mark.parametrize("seed", range(3))
def test_a_rule_that_is_left_out_stays_as_it_is(seed: int, club: Club, table: str) -> None:
    """Of each game for itself, whatever was told before and in which order."""
    said = {"game": "pebbles", "table": "A B first A"}
    other = club.post("/games", "organiser", said).json()["data"]["game"]
    chance, known = Random(seed), {table: AccessPolicy(), other: AccessPolicy()}
    for _ in range(12):
        game = chance.choice([table, other])
        names = chance.sample([*RULES], chance.randint(1, 2))
        change = {name: chance.choice(RULES[name]) for name in names}
        known[game] = known[game]._replace(**change)  # type: ignore[arg-type]
        reply = club.ask("PATCH", f"/games/{game}/access", "organiser", json=change)
        assert reply.status_code == 200, reply.text
        for each, rules in known.items():
            assert club.store_context.access.rules(each) == rules


def test_what_is_kept_about_a_person_is_told_and_erased_everywhere(club: Club) -> None:
    said = {"game": "pebbles", "table": "A B first A", "players": {"A": "Ana"}}
    game = club.post("/games", "organiser", said).json()["data"]["game"]
    said = {"role": "seat:A", "scope": game, "name": "Ana"}
    token = club.post("/access/tokens", "organiser", said).json()["data"]["token"]
    club.post(f"/games/{game}/notes", said={"on": "0", "text": "hm"}, headers=bearer(token))
    told = club.get("/people/Ana", "organiser").json()["data"]
    assert [(row["game"], row["seat"]) for row in told["seats"]] == [(game, "A")]
    assert told["entries"] == {game: 1}
    assert [row["role"] for row in told["tokens"]] == ["seat:A"]
    assert len(told["admissions"]) == 1
    erased = club.ask("DELETE", "/people/Ana", "organiser").json()["data"]
    assert erased["tokens"] == 1
    assert club.get("/me", headers=bearer(token)).status_code == 401
    assert "Ana" not in club.get("/access/log", "organiser").text
    assert club.get(f"/games/{game}", "organiser").json()["data"]["seats"]["A"] == told["person"]


def test_a_seat_speaks_with_its_own_person_on_every_device(club: Club, table: str) -> None:
    judge = club.store_context.people.add("Judge Dredd")
    own = club.store_context.people.add("Ana")
    _, club.tokens["seat:A", table] = club.store_context.access.give("seat:A", table, own)
    said = {"role": "seat:A", "name": "Judge Dredd"}
    made = club.post("/access/codes", "seat:A", said, scope=table).json()["data"]
    assert (made["person"], made["name"]) == (own, "Ana")
    joined = club.post("/join", said={"code": made["code"]}).json()["data"]
    assert joined["person"] == own
    assert len(club.store_context.people.everybody()) == len({own, judge}), "nobody new"


@pytest.mark.parametrize("role", ["scribe", "judge"])
def test_a_name_is_looked_up_within_the_scope_alone(role: str, club: Club, table: str) -> None:
    stranger = club.store_context.people.add("Judge Dredd")
    _, inside = club.store_context.access.give(
        "scribe", table, club.store_context.people.add("Sam")
    )
    who = club.client.get(f"{API}/me", headers={"Authorization": f"Bearer {inside}"}).json()["data"]
    for path in ("/access/codes", "/access/tokens"):
        said = {"role": "spectator", "name": "Judge Dredd", "scope": table}
        reply = club.post(path, role, said, scope=table)
        assert reply.status_code == 200, reply.text
        assert stranger not in reply.text
        said = {"role": "spectator", "name": "Sam", "scope": table}
        assert club.post(path, role, said, scope=table).json()["data"]["person"] == who["person"]


@pytest.mark.parametrize("role", ["organiser", "judge", "scribe", "seat:A", "spectator"])
def test_whoever_signs_out_is_nobody_any_more(role: str, club: Club, table: str) -> None:
    token = club.token(role, table)
    assert club.get(f"/games/{table}", role, scope=table).status_code == 200
    left = club.ask("DELETE", "/me", role, scope=table)
    assert left.status_code == 200, left.text
    assert "Max-Age=0" in left.headers["set-cookie"]
    assert club.get(f"/games/{table}", role, scope=table).status_code == 401
    assert club.store_context.access.pass_of(token) is None
    assert club.ask("DELETE", "/me").status_code == 401, "whoever is nobody has nothing to give"


def test_the_button_on_a_page_gives_the_cookie_back(club: Club, table: str) -> None:
    token = club.token("seat:A", table)
    club.client.cookies.set("referee", token)
    page = club.client.get(f"/games/{table}/seat")
    assert page.status_code == 200
    assert 'action="/leave"' in page.text
    origin = {"Origin": "http://testserver"}
    stranger = club.client.post(
        "/leave", headers={"Origin": "http://evil.example"}, follow_redirects=False
    )
    assert "set-cookie" not in stranger.headers
    assert club.store_context.access.pass_of(token) is not None
    left = club.client.post("/leave", headers=origin, follow_redirects=False)
    assert (left.status_code, left.headers["location"]) == (303, "/")
    assert "Max-Age=0" in left.headers["set-cookie"]
    assert club.store_context.access.pass_of(token) is None


def test_what_is_told_with_a_token_is_kept_in_no_cache(club: Club, table: str) -> None:
    club.ask("PATCH", f"/games/{table}/access", "scribe", json={"open_to": "everybody"})
    with_token = {"Authorization": f"Bearer {club.token('seat:A', table)}"}
    for path in (
        f"{API}/games/{table}",
        f"{API}/games/{table}/picture",
        f"/games/{table}/seat",
        f"/games/{table}/watch",
        "/",
    ):
        assert club.client.get(path, headers=with_token).headers["cache-control"] == "no-store"
        club.client.cookies.set("referee", club.token("seat:A", table))
        assert club.client.get(path).headers["cache-control"] == "no-store"
        club.client.cookies.clear()


@pytest.mark.parametrize(
    ("place", "inside"),
    [
        ("tournament-abcdefgh/r1/t1", True),
        ("tournament-abcdefghi/r1/t1", False),
        ("tournament-abcdefg/r1/t1", False),
        ("", False),
    ],
)
def test_a_seat_looks_into_its_own_event_only(
    place: str, inside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names of events may begin alike."""
    store_context = open_store_context("memory:")
    access_control = AccessControl(store_context)
    monkeypatch.setattr(access_control, "_place", lambda game: place)
    closed = AccessPolicy(open_to="members")
    for stream in ("tournament-abcdefgh", "game-hgfedcba"):
        store_context.access.set_rules(stream, closed)
    seat = Principal("somebody", "seat:A", "game-abcdefgh")
    assert access_control.reaches(seat, "tournament-abcdefgh", "") is inside
    organiser = Principal("somebody else", "organiser", "tournament-abcdefgh")
    assert access_control.reaches(organiser, "game-hgfedcba", place) is inside


def test_an_older_copy_of_the_tokens_lets_nobody_in(
    make_club: Callable[..., Club], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put back under a running service: a revoked token stays revoked."""
    monkeypatch.setattr(change_counter, "LOOK_EVERY", 0.0)
    club, file = make_club(), tmp_path / "games.access.db"
    club.post("/games", "organiser", {"game": "pebbles", "table": "A B first A"})
    given = club.post("/access/tokens", "organiser", {"role": "judge"}).json()["data"]
    before = file.read_bytes()
    club.ask("DELETE", f"/access/{given['id']}", "organiser")
    assert club.get("/games", headers=bearer(given["token"])).status_code == 401
    file.write_bytes(before)
    for path in ("/games", "/me", "/api/ready"):
        refused = club.get(path, headers=bearer(given["token"]))
        assert (refused.status_code, refused.json()["code"]) == (503, "older_copy")
