"""Registration over HTTP: a stranger with the link, by form or by program; what is refused."""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.tournament import events
from service.rate_limit import KnownAddresses
from service.settings import Limits
from tests.cli.transcripts import run
from tests.service.conftest import API, Club

HERE = {"Origin": "http://testserver"}


def event(club: Club, **told: Any) -> tuple[str, str]:
    """An event whose registration is open, and its link."""
    said = {"name": "Spring", "game": "pebbles"}
    at = club.post("/tournaments", "organiser", said).json()["data"]["tournament"]
    opened = club.post(f"/tournaments/{at}/registration", "organiser", {"open": True, **told})
    assert opened.status_code == 200, opened.text
    code = club.get(f"/tournaments/{at}/registration", "organiser").json()["data"]["code"]
    return at, f"/register/{at}/{code}"


def fill(there: Club, link: str, **told: str) -> Any:
    page = there.client.get(link)
    key = re.search('name="key" value="([a-f0-9]+)"', page.text)
    sent = {"key": key[1] if key else "", **told}
    return there.client.post(link, data=sent, headers=HERE, follow_redirects=False)


def test_a_form_leads_to_the_page_of_the_new_player_and_home_finds_it_again(club: Club) -> None:
    _, link = event(club, capacity=2)
    reply = fill(club, link, name="Ana")
    assert reply.status_code == 303, reply.text
    place = reply.headers["location"]
    page = club.client.get(place).text
    assert "You are registered, number 1." in page
    assert place in club.client.get("/").text
    assert place in club.client.get(link).text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_whoever_is_taken_off_the_list_is_told_so_and_nobody_else(club: Club, lang: str) -> None:
    at, link = event(club)
    told = {"en": "no longer on the list of players of Spring", "fr": "plus sur la liste"}[lang]
    said = {"Accept-Language": lang}
    place = fill(club, link, name="Ana").headers["location"]
    player = place.rpartition("/")[2]
    assert club.client.get(place, headers=said).status_code == 200
    known = club.client.cookies["referee"]
    club.post(f"/tournaments/{at}/players/unregister", "organiser", {"name": player})
    other, _ = event(club)
    club.client.cookies.clear()
    shown = {**said, "Cookie": f"referee={known}"}
    mine = club.client.get(place, headers=shown)
    assert mine.status_code == 401
    assert told in html.unescape(mine.text)
    data = club.client.get(f"{API}/tournaments/{at}", headers=shown)
    assert (data.status_code, told in data.json()["detail"]) == (401, True)
    elsewhere = club.client.get(f"/tournaments/{other}", headers=shown)  # it was never theirs
    assert told not in html.unescape(elsewhere.text)
    for guessed in ("", known[:-1] + ("A" if known[-1] != "A" else "B"), player):
        cookie = {"Cookie": f"referee={guessed}"} if guessed else {}
        page = club.client.get(place, headers={**said, **cookie})
        assert page.status_code == 401
        assert told not in html.unescape(page.text)
        assert "Spring" not in page.text


def test_one_device_may_register_a_family(club: Club) -> None:
    _, link = event(club)
    places = [fill(club, link, name=name).headers["location"] for name in ("Ana", "Bo")]
    shown = club.client.get(link).text
    assert all(place in shown for place in places)
    assert club.client.get("/me").text.count("<strong>") == 2


def test_what_is_not_taken_comes_back_with_what_was_typed(club: Club) -> None:
    _, link = event(club, asks=["last_name", "club"])
    fill(club, link, name="Ana", last_name="Sol")
    again = fill(club, link, name="Ana", last_name="Sol", club="<b>North</b>")
    assert again.status_code == 409
    assert 'value="&lt;b&gt;North&lt;/b&gt;"' in again.text
    assert 'name="namesake"' in again.text
    other = fill(club, link, name="Ana", last_name="Sol", namesake="yes")
    assert other.status_code == 303


def test_a_form_sent_twice_registers_once(club: Club) -> None:
    at, link = event(club)
    sent = {"key": "ab12" * 6, "name": "Ana"}
    replies = [
        club.client.post(link, data=sent, headers=HERE, follow_redirects=False) for _ in range(2)
    ]
    assert len({reply.headers["location"] for reply in replies}) == 1
    assert len(club.store_context.desk.load(at).now.players) == 1


def test_another_site_registers_nobody(club: Club) -> None:
    at, link = event(club)
    for ask in (
        lambda: club.client.post(link, data={"name": "Ana"}, headers={"Origin": "http://evil"}),
        lambda: club.client.post(
            f"{API}{link}", json={"name": "Ana"}, headers={"Origin": "http://evil"}
        ),
    ):
        assert ask().status_code == 403
    assert not club.store_context.desk.load(at).now.players


@pytest.mark.parametrize(
    "told",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"name": "x" * 41},
        {"name": "a\u0000b"},
        {"name": "a\u202eb"},
        {"name": ["Ana"]},
        {"name": "Ana", "role": "organiser"},
        {"name": "Ana", "person": "pnobody"},
        {"name": "Ana", "club": "x" * 81},
        {"name": "Ana", "federation": "<b>"},
        {"name": "Ana", "licence": "1" * 12},
    ],
)
def test_hostile_registrations_are_refused_and_nothing_is_kept(club: Club, told: Any) -> None:
    at, link = event(club, asks=["club", "federation", "licence"])
    before = len(club.store_context.people.everybody())
    reply = club.client.post(f"{API}{link}", json=told, headers=HERE)
    assert 400 <= reply.status_code < 500, reply.text
    assert not club.store_context.desk.load(at).now.players
    assert len(club.store_context.people.everybody()) == before


def test_one_address_registers_so_many_a_minute_and_others_go_on(
    make_club: Callable[..., Club],
) -> None:
    club = make_club(limits=Limits(registrations_a_minute=3))
    at, link = event(club)
    told = [
        club.client.post(f"{API}{link}", json={"name": f"P{n}"}, headers=HERE) for n in range(5)
    ]
    assert [reply.status_code for reply in told] == [200, 200, 200, 429, 429]
    assert "Retry-After" in told[-1].headers
    page = fill(club, link, name="Late")
    assert page.status_code == 429
    assert "Late" in page.text
    assert len(club.store_context.desk.load(at).now.players) == 3
    assert club.get(f"/tournaments/{at}", "organiser").status_code == 200


def test_an_event_has_only_so_many_strangers(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the desk has set no capacity; whoever is refused leaves no name behind."""
    monkeypatch.setattr(events, "MOST_PLAYERS", 3)
    monkeypatch.setattr(events, "MOST_WAITING", 2)
    at, link = event(club)
    kept = len(club.store_context.people.everybody())
    told = [
        club.client.post(f"{API}{link}", json={"name": f"P{n}"}, headers=HERE) for n in range(7)
    ]
    assert [reply.status_code for reply in told] == [200] * 5 + [409] * 2
    now = club.store_context.desk.load(at).now
    assert (len(now.players), len(now.waiting_list)) == (3, 2)
    assert len(club.store_context.people.everybody()) == kept + 5


def test_a_key_that_can_be_guessed_brings_nobody_a_token(club: Club) -> None:
    at, link = event(club)
    for key, status in (("tablet-17", 400), ("0123456789abcdef01234567", 200)):
        headers = {**HERE, "Idempotency-Key": key}
        for _ in range(2):
            reply = club.client.post(f"{API}{link}", json={"name": "Ana"}, headers=headers)
            assert reply.status_code == status, reply.text
    assert len(club.store_context.desk.load(at).now.players) == 1


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_wrong_links_are_counted_and_good_ones_are_not(
    make_club: Callable[..., Club], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KnownAddresses, "add", lambda *_: None)
    club = make_club(limits=Limits(wrong_codes_a_minute=3))
    at, link = event(club)

    def asked(place: str) -> int:
        sent = {"json": {"name": "Ana"}} if method == "POST" else {}
        reply = club.client.request(method, f"{API}{place}", headers=HERE, **sent)
        return reply.status_code

    assert [club.client.get(f"{API}{link}").status_code for _ in range(5)] == [200] * 5
    wrong = [asked(f"/register/{at}/ABCDEFGH") for _ in range(5)]
    assert wrong[3:] == [429, 429]
    assert 429 not in wrong[:3]


def test_a_stranger_sees_a_link_and_no_name(club: Club) -> None:
    at, link = event(club, capacity=2)
    for name in ("Zoltan", "Yolanda", "Xavier"):
        assert club.client.post(f"{API}{link}", json={"name": name}, headers=HERE).is_success
    club.client.cookies.clear()
    seen = [club.client.get(link).text, club.client.get(f"{API}{link}").text]
    assert "number 2 there" in seen[0]
    assert not any(name in text for text in seen for name in ("Zoltan", "Yolanda", "Xavier"))
    assert club.client.get(f"{API}/tournaments/{at}/registration").status_code == 401
    assert club.client.get(f"{API}/tournaments/{at}/players").status_code == 401
    wrong = link[:-4] + "AAAA"
    assert club.client.get(wrong).status_code == 404
    assert club.client.post(f"{API}{wrong}", json={"name": "W"}, headers=HERE).status_code == 404


def test_a_player_sees_the_own_place_and_no_waiting_list(club: Club) -> None:
    at, link = event(club, capacity=2)
    for name in ("Zoltan", "Yolanda", "Xavier"):
        token = club.client.post(f"{API}{link}", json={"name": name}, headers=HERE).json()["data"]
    bearer = {"Authorization": f"Bearer {token['token']}"}
    seen = club.client.get(f"{API}/tournaments/{at}/registration", headers=bearer).json()["data"]
    assert (seen["mine"], seen["waiting_list"], seen["code"]) == (
        {"number": None, "place": 1},
        [],
        "",
    )
    for path, said in (
        ("registration", {"open": False}),
        ("registration/place", {"name": "Xavier"}),
        ("players/unregister", {"name": "Zoltan"}),
    ):
        reply = club.client.post(f"{API}/tournaments/{at}/{path}", json=said, headers=bearer)
        assert reply.status_code == 403, (path, reply.text)


def test_the_whole_event_is_a_download_for_who_may_look(club: Club) -> None:
    at, link = event(club)
    club.client.post(f"{API}{link}", json={"name": "Zoltan"}, headers=HERE)
    club.client.cookies.clear()
    path = f"/tournaments/{at}/papers/event"
    assert club.get(path).status_code == 401
    reply = club.get(path, "spectator", scope=at)
    assert reply.status_code == 200
    assert "sandbox" in reply.headers["content-security-policy"]
    assert "Zoltan" in reply.text
    assert json.dumps(reply.text).count("http-equiv") == 1


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
LISTS = {
    "commas": "name,club,rating\nZoé Ash,Châtel,1500\nBo Young,,1400\n",
    "semicolons": "Nom;Prénom;Cote\nAsh;Zoé;1500\nYoung;Bo;1400\n",
    "tabs": "Prénom\tNom\tElo\nZoé\tAsh\t1500\nBo\tYoung\t1400\n",
    "FIDE": "012 Été\n"
    + "".join(
        f"001 {at:>4} f    {name:<33} {rating:>4} FRA\n"
        for at, (name, rating) in enumerate({"Ash, Zoé": 1500, "Young, Bo": 1400}.items(), 1)
    ),
}


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["Unix", "Windows", "Mac"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_file_is_read_alike_through_every_door(
    club: Club, tmp_path: Path, encoding: str, ending: str
) -> None:
    """Players through the desk's page and a command line; results from a file and a pipe."""
    file = tmp_path / "list.txt"
    shell = f"referee --store sqlite://{tmp_path}/games.db tournament"

    def made() -> tuple[str, str]:
        plan = {"name": "Spring", "game": "pebbles", "check_in": False}
        at = club.post("/tournaments", "organiser", plan).json()["data"]["tournament"]
        return at, f"{shell} -t {at}"

    def written(text: str) -> bytes:
        file.write_bytes(text.replace("\n", ending).encode(encoding))
        return file.read_bytes()

    for kind, text in LISTS.items():
        content = b64encode(written(text)).decode()
        by_page, (by_command, command) = made()[0], made()
        sent = club.post(f"/tournaments/{by_page}/players/list", "organiser", {"file": content})
        told, code = run(f"{command} players import {file}")
        assert (sent.status_code, code) == (200, 0), (kind, sent.text, told)
        for at in (by_page, by_command):
            rows = club.get(f"/tournaments/{at}/players", "organiser").json()["data"]["players"]
            found = {(row["name"], row["rating"]) for row in rows}
            assert found == {("Zoé Ash", 1500), ("Bo Young", 1400)}, kind
    written("# l’équipe\n1 A B\n")
    for at, given in ((by_page, str(file)), (by_command, f"- < {file}")):
        for words in ("players checkin --all", "pair", "start", f"results {given}"):
            told, code = run(f"{shell} -t {at} {words}")
            assert code == 0, told
