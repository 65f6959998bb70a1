"""A device with several roles, and the one that lies on the table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from httpx2 import Response
from hypothesis import given
from hypothesis import strategies as st

from answers.context import Caller, StoreContext
from answers.tournament import results
from referee.store.sidecars.access import Access
from service.device import COOKIE, MOST_ROLES, as_cookie, roles_of, switched, with_role
from service.http_messages import HttpRequest
from service.pages.rendering import PAGES
from tests.deep import few_or_many
from tests.opening import new_table
from tests.proofs.twins import TWINS
from tests.service.conftest import API, HERE, Club, embedded
from tests.service.test_twins import NAMES, alike
from tests.tournament.asking import Stand, swiss

OF_THE_DEVICE = re.compile(
    r'data-roles="[^"]*"|<form method="post" action="/me/switch".*?</form>'
    r'|<p class="notice">You can look at this box[^<]*</p>',
    re.S,
)
"""What a page says of the roles of a device, or says where no other of them may more."""


def join(club: Club, role: str, scope: str) -> None:
    """A browser takes a code; its cookies are kept by the client."""
    _, letters = club.store_context.access.make_code(
        role, scope, "anonymous", once=True, lifetime=timedelta(hours=1)
    )
    reply = club.client.post(f"{API}/join", json={"code": letters}, headers=HERE)
    assert reply.status_code == 200, reply.text


def who(club: Club, path: str = "/me", **more: str) -> str:
    role: str = club.client.get(API + path, headers=more).json()["data"]["role"]
    return role


def opened(club: Club, game: str = "pebbles", line: str = "A B first A") -> str:
    return new_table(Caller(club.store_context), game, line)


def role_ids(club: Club) -> dict[str, str]:
    """The roles of this device by name, as the page lists them."""
    rows = re.findall(r"<li[^>]*><p><strong>.*?</li>", club.client.get("/me").text, re.S)
    named = [re.search(r"<strong>(.*?)</strong>.*?value=\"(.*?)\"", row, re.S) for row in rows]
    return {row[1]: row[2] for row in named if row is not None}


def test_a_new_role_throws_no_other_away(club: Club) -> None:
    one, two = opened(club), opened(club)
    join(club, "organiser", "")
    join(club, "seat:A", one)
    join(club, "seat:B", two)
    said = {"lines": ["take 1"]}
    logged = club.client.post(f"{API}/games/{one}/actions", json=said, headers=HERE)
    assert logged.status_code == 200
    assert club.store_context.bench.game(one).entries[-1].role == "seat:A"
    assert club.client.get(f"/games/{two}/seat").status_code == 200
    assert set(re.findall(r'href="/games/([^/"]+)', club.client.get("/").text)) == {one, two}
    assert set(role_ids(club)) == {"organiser", "seat A", "seat B"}


@pytest.mark.parametrize("roles", few_or_many(1, 7))
def test_each_role_of_a_device_sees_what_it_would_see_alone(
    make_club: Callable[..., Club], roles: int
) -> None:
    """On all pages, beside a role that has ended; home and the tables have what they all have."""
    bench, game = TWINS["broom_service"][0]("fw hw mw")
    context = StoreContext(bench.store, bench)
    club, other = make_club(context), opened(make_club(context))
    events = [Stand(swiss(), "Ana", "Bo", store_context=context) for _ in range(2)]
    names = {
        **NAMES, "game": game, "tournament": events[0].id, "player": "1", "round": "1",
        "table": "1", "person": "pana", "engine": "pebbles", "kit": "base",
    }  # fmt: skip
    roles_held = (
        ("seat:A", game),
        ("seat:B", game),
        ("seat:B", other),
        ("judge", ""),
        ("spectator", ""),
    )
    given = [context.access.give(role, scope, "anonymous") for role, scope in roles_held]
    given += [context.access.give("player", each.id, [*each.now.players][-1]) for each in events]

    def page(place: str, headers: dict[str, str]) -> Response:
        reply = club.client.get(place, headers=headers, follow_redirects=False)
        club.client.cookies.clear()
        return reply

    def told(reply: Response) -> str:
        return " ".join(OF_THE_DEVICE.sub("", alike(reply.text)).split())

    compared = 0
    for number, placed in enumerate(PAGES.values()):
        if placed.name in ("home", "play", "me") or not is_filled(placed.path, names):
            continue
        place = placed.path.format(**names)
        for token, secret in (given * 2)[number % len(given) :][:roles]:
            others = [each for _, each in given if each != secret]
            alone = page(place, {"Cookie": f"{COOKIE}={secret}"})
            shared = page(place, {**club.device(*others, secret), "Referee-Role": token.id})
            assert shared.status_code == alone.status_code, (place, token.role)
            if alone.status_code == 200:  # a refusal names the other roles that may
                compared += 1
                assert told(shared) == told(alone), (place, token.role)
    assert compared > 5 * roles
    own = [secret for token, secret in given if token.role.startswith(("seat", "player"))]
    links = [
        set(
            re.findall(r'href="(/(?:games|tournaments)/[^"]+)"', page("/", club.device(*held)).text)
        )
        for held in (own, *([secret] for secret in own))
    ]
    assert len(links[0]) >= 4
    assert links[0] == set().union(*links[1:])


def is_filled(path: str, names: dict[str, str]) -> bool:
    return {*re.findall("{([a-z]+)}", path)} <= names.keys()


def test_a_switch_changes_the_role_and_a_page_keeps_to_its_own(club: Club) -> None:
    game = opened(club)
    join(club, "organiser", "")
    join(club, "seat:A", game)
    assert who(club) == "seat:A"
    ids = role_ids(club)
    switch = {"role": ids["organiser"], "to": "/new"}
    reply = club.client.post("/me/switch", data=switch, headers=HERE, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/new")
    assert who(club) == "organiser"
    assert who(club, **{"Referee-Role": ids["seat A"]}) == "seat:A"
    said = {"lines": ["take 1"]}
    mine = {**HERE, "Referee-Role": ids["seat A"]}
    club.client.post(f"{API}/games/{game}/actions", json=said, headers=mine)
    assert club.store_context.bench.game(game).entries[-1].role == "seat:A"


def test_whoever_opened_the_house_is_asked_for_a_name_and_comments_under_it(club: Club) -> None:
    event = Stand(swiss(1), "Ana", "Bo", store_context=club.store_context).id
    join(club, "organiser", "")
    asked = ("/", "/me", f"/tournaments/{event}/screens")
    assert all('action="/me/name"' in club.client.get(path).text for path in asked)
    remark = f"{API}/tournaments/{event}/broadcast/comments"
    assert club.client.post(remark, json={"text": "hm"}, headers=HERE).status_code == 400
    named = {"name": "  Kim <b> ", "to": asked[2]}
    other = {"Origin": "http://elsewhere"}
    assert club.client.post("/me/name", data=named, headers=other).status_code == 403
    reply = club.client.post("/me/name", data=named, headers=HERE, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, asked[2])
    assert not any('action="/me/name"' in club.client.get(path).text for path in asked)
    assert "Kim &lt;b&gt;" in club.client.get("/").text
    assert club.client.post(remark, json={"text": "hm"}, headers=HERE).status_code == 200
    kept = [each for each in club.store_context.access.passes() if each.revoked is None]
    assert [club.store_context.people.name(each.person) for each in kept] == ["Kim <b>"]


def test_another_site_cannot_switch(club: Club) -> None:
    join(club, "organiser", "")
    join(club, "seat:A", opened(club))
    switch = {"role": role_ids(club)["organiser"]}
    other = {"Origin": "http://elsewhere"}
    assert club.client.post("/me/switch", data=switch, headers=other).status_code == 403
    assert who(club) == "seat:A"


def test_each_role_is_signed_out_of_by_itself(club: Club) -> None:
    game = opened(club)
    join(club, "organiser", "")
    join(club, "seat:A", game)
    ids = role_ids(club)
    club.client.post("/leave", data={"role": ids["organiser"]}, headers=HERE)
    assert set(role_ids(club)) == {"seat A"}
    gone = {**HERE, "Referee-Role": ids["organiser"]}
    said = {"lines": ["take 1"]}
    refused = club.client.post(f"{API}/games/{game}/actions", json=said, headers=gone)
    assert refused.status_code == 401, "what was said in one role is not said in another"
    club.client.post("/leave", data={"role": ids["seat A"]}, headers=HERE)
    assert "referee" not in club.client.cookies


def test_a_lost_phone_is_put_out_and_the_other_roles_stay(club: Club) -> None:
    club.keeps_cookies = True
    one, two = opened(club), opened(club)
    join(club, "seat:A", one)
    join(club, "seat:B", two)
    listed = club.get("/access", "table", scope=one).json()["data"]["tokens"]
    (lost,) = [row["id"] for row in listed if row["role"] == "seat:A"]
    assert club.ask("DELETE", f"/access/{lost}", "table", scope=two).status_code == 404
    assert club.ask("DELETE", f"/access/{lost}", "table", scope=one).status_code == 200
    assert set(role_ids(club)) == {"seat B"}


def test_the_same_role_again_replaces_its_token(club: Club) -> None:
    game = opened(club)
    join(club, "seat:A", game)
    join(club, "seat:A", game)
    assert len(role_ids(club)) == 1
    assert len([each for each in club.store_context.access.passes() if each.scope == game]) == 1


def test_a_device_has_so_many_roles_and_no_more(club: Club) -> None:
    games = [opened(club) for _ in range(MOST_ROLES + 2)]
    for game in games:
        join(club, "seat:A", game)
    assert club.client.get("/me").text.count("<strong>") == MOST_ROLES
    assert club.client.get(f"/games/{games[-1]}/seat").status_code == 200


USES = st.lists(
    st.tuples(st.sampled_from(["joins", "switches"]), st.integers(0, MOST_ROLES + 1)), min_size=5
)


@given(USES)
def test_a_device_keeps_the_roles_that_were_used_last(steps: list[tuple[str, int]]) -> None:
    """The current one first, then in the order in which they were current."""
    access = Access(None)
    cookie, used, ids = "", list[int](), dict[int, str]()
    for step, number in [*(("joins", first) for first in range(3)), *steps]:
        sent = HttpRequest("POST", {}, (), {}, {COOKIE: cookie}, b"", "here", False)
        if step == "joins":
            role, token = access.give("seat:A", f"game-{number}", "anonymous")
            ids[number] = role.id
            cookie = as_cookie(with_role(access, sent, token))
        else:
            number = used[number % len(used)]
            cookie = as_cookie(switched(access, sent, ids[number]))
        used = [number, *(each for each in used if each != number)][:MOST_ROLES]
        kept = HttpRequest("GET", {}, (), {}, {COOKIE: cookie}, b"", "here", False)
        scopes = [role.scope for _, role in roles_of(access, kept)]
        assert scopes == [f"game-{each}" for each in used]


# the device on the table


def test_what_the_table_logs_is_recorded_as_the_scribes(club: Club) -> None:
    game = opened(club)
    said = {"lines": ["take 1"]}
    assert club.post(f"/games/{game}/actions", "table", said, scope=game).status_code == 200
    last = club.store_context.bench.game(game).entries[-1]
    assert (last.role, last.by) == ("scribe", "ptable")
    assert club.get("/me", "table", scope=game).json()["data"]["role"] == "table"


@pytest.mark.parametrize("played", ["hw", "wf"])
def test_a_move_logged_in_the_open_is_recorded_and_tells_nothing_of_the_hand(
    played: str, make_club: Callable[..., Club]
) -> None:
    """B holds the one and not the other: to the table they are the same."""
    bench, game = TWINS["broom_service"][0]("hw mw vd")
    club = make_club(StoreContext(bench.store, bench))
    asked = club.post(f"/games/{game}/check", "table", {"lines": [f"B {played} brave"]}, scope=game)
    assert asked.status_code == 403, "a question is no event"
    said = {"lines": [f"B {played} brave"]}
    reply = club.post(f"/games/{game}/actions", "table", said, scope=game)
    heard = reply.json()["data"]
    assert (reply.status_code, heard["verdict"], heard["stands"]) == (200, "legal", False)
    assert heard["disputes"] == []
    words = set(re.findall(r"[a-z]+", reply.text))
    assert words.isdisjoint({"mw", "vd"}), "B holds these as well"
    judged = club.get(f"/games/{game}/moves", "judge").json()["data"]["moves"][-1]
    assert judged["outcome"] == ("legal" if played == "hw" else "illegal")


def test_the_page_of_the_table_offers_what_is_possible_as_far_as_everybody_sees(
    make_club: Callable[..., Club],
) -> None:
    bench, game = TWINS["broom_service"][0]("hw mw vd")
    club = make_club(StoreContext(bench.store, bench))

    def page(role: str) -> dict[str, Any]:
        token = {"Authorization": f"Bearer {club.token(role, game)}"}
        shown = club.client.get(f"/games/{game}", headers=token).text
        return {**embedded(shown), "tells": shown.count('data-do="tell-here"')}

    on_table, all_seen = page("table"), page("scribe")
    assert (on_table["on_table"], all_seen["on_table"]) == (True, False)
    assert on_table["lines"] == all_seen["lines"] != [], "nothing is secret yet"
    assert (on_table["tells"], all_seen["tells"]) == (0, 0)
    club.post(f"/games/{game}/actions", "scribe", {"lines": ["C end", "B end"]})
    held = {f"B {role} {how}" for role in ("hw", "mw", "vd") for how in ("brave", "coward")}
    assert set(page("scribe")["lines"]) == held, "what B holds, and nothing else"
    assert set(page("table")["lines"]) > held, "every role that B may hold"


@pytest.mark.parametrize("role", ["judge", "scribe", "organiser"])
def test_the_table_lets_nobody_see_more_than_itself(role: str, club: Club) -> None:
    game = opened(club)
    said = {"role": role, "scope": game}
    refused = club.post("/access/codes", "table", said, scope=game)
    assert (refused.status_code, refused.json()["code"]) == (403, "may_not_give")
    for other in ("seat:A", "table", "spectator"):
        made = club.post("/access/codes", "table", {"role": other, "scope": game}, scope=game)
        assert made.status_code == 200, other


def test_the_table_is_a_seat_without_a_phone_for_what_one_entry_needs(
    make_club: Callable[..., Club],
) -> None:
    """Of every operation and page at a table it asks two as that seat; with the seat's own device
    there it asks none, nor does anybody who is not on the table."""
    club, game, ids = held_on_the_table(make_club)
    seat_b = {"Referee-Role": f"{ids['the table']}:B"}

    def refused(path: str, role: str) -> bool:
        reply = club.client.get(path, headers={"Referee-Role": role})
        return reply.status_code in (403, 404)

    for path in ("moves", "state", "info", "entries", "picture", "trays", "exports/text"):
        assert refused(f"{API}/games/{game}/{path}", f"{ids['the table']}:B"), path
    for placed in PAGES.values():
        if "{game}" in placed.path and not placed.public:
            shown_as = placed.path.format(game=game, **NAMES)
            assert refused(shown_as, f"{ids['the table']}:B"), placed.path
    asked = f"{API}/games/{game}/options"
    assert club.client.get(asked, headers=seat_b).status_code == 200
    for other in (f"{ids['the table']}:A", f"{ids['the table']}:Q", f"{ids['organiser']}:B"):
        assert refused(asked, other), "A has a phone, nobody sits at Q, the organiser is elsewhere"
    elsewhere = opened(club)
    for path in (f"{API}/games/{elsewhere}/options", f"{API}/games/game-nowhere/options"):
        assert refused(path, f"{ids['the table']}:B"), "it lies on one table alone"
    assert club.store_context.access.devices("seat:B", game) == 0, "it leaves no role behind"
    before = club.store_context.bench.game(game).version
    club.store_context.access.revoke(ids["the table"])
    assert club.client.get(asked, headers=seat_b).status_code == 401, (
        "with the table's role it ends"
    )
    origin = {**seat_b, "Origin": "http://testserver"}
    late = club.client.post(
        f"{API}/games/{game}/actions", json={"lines": ["B next"]}, headers=origin
    )
    assert (late.status_code, club.store_context.bench.game(game).version) == (401, before)


INVITERS = {
    "table": 403,
    "scribe": 200,
    "seat:B": 403,
    "seat:A": 200,
    "judge": 200,
    "organiser": 200,
}


@pytest.mark.parametrize(("inviter", "status"), INVITERS.items())
@pytest.mark.parametrize("lost", [False, True])
def test_a_seat_that_is_taken_is_shared_by_its_own_device_or_a_judge(
    inviter: str, status: int, lost: bool, club: Club
) -> None:
    """Nor by signing its device out first; and who joins is told of, on the seat's page too. It is
    nothing to other seats, nor to those of another table."""
    game, elsewhere = opened(club), opened(club)
    said = {"role": "seat:A", "scope": game}
    others = [
        club.post("/access/codes", "organiser", {"role": role, "scope": scope}).json()["data"]
        for role, scope in (("seat:B", game), ("seat:A", elsewhere), ("seat:B", elsewhere))
    ]
    early = [club.post("/access/codes", "table", said, scope=game).json()["data"] for _ in "abcd"]
    first = club.post("/join", said={"code": early[1]["code"]}).json()["data"]
    for code in early:
        assert club.post("/join", said={"code": code["code"]}).status_code == 403
    if lost:
        assert club.ask("DELETE", f"/access/{first['id']}", "table", scope=game).status_code == 200
    scope = game if inviter.startswith(("seat", "table")) else ""
    made = club.post("/access/codes", inviter, said, scope=scope)
    assert made.status_code == status, made.text
    for code in others:
        assert club.post("/join", said={"code": code["code"]}).status_code == 200
    before = club.store_context.bench.game(game).version
    if status != 200:
        assert made.json()["code"] == ("may_not_give" if inviter == "seat:B" else "seat_taken")
        return
    second = club.post("/join", said={"code": made.json()["data"]["code"]}).json()["data"]
    (told,) = club.store_context.bench.game(game).entries[before + 1 :]
    assert (told.role, told.data.KIND, told.data.text) == (
        "seat:A", "noted", "Another device has joined seat A.",
    )  # fmt: skip
    page = club.client.get(
        f"/games/{game}/seat", headers={"Authorization": f"Bearer {second['token']}"}
    ).text
    assert ("devices are signed in at your seat" in page) is (not lost or inviter == "seat:A")


def test_the_scribe_of_a_table_with_a_judge_shares_no_seat(club: Club) -> None:
    game = opened(club)
    said = {"role": "seat:A", "scope": game}
    club.post("/access/tokens", "judge", said)
    club.post(f"/games/{game}/notes", "judge", {"on": "0", "text": "here"})
    refused = club.post("/access/codes", "scribe", said)
    assert (refused.status_code, refused.json()["code"]) == (403, "seat_taken")


def test_a_device_that_signs_itself_out_leaves_its_seat_free(club: Club) -> None:
    game = opened(club)
    said = {"role": "seat:A", "scope": game}
    given = club.post("/access/tokens", "judge", said).json()["data"]["token"]
    club.client.delete(f"{API}/me", headers={"Authorization": f"Bearer {given}"})
    assert club.post("/access/codes", "table", said, scope=game).status_code == 200


@pytest.mark.parametrize("scope", ["the event", ""])
@pytest.mark.parametrize("lost", [False, True])
def test_who_plays_an_event_on_a_phone_has_a_device_at_their_table(
    make_club: Callable[..., Club], scope: str, lost: bool
) -> None:
    """Their role is the event's, and no seat's: the table opens nothing of theirs by that."""
    event = Stand(swiss(), "Ana", "Bo")
    event.start()
    game = event.ask(results.open_table, 1).data.game
    club = make_club(event.caller.store_context)
    access, seats = club.store_context.access, club.store_context.bench.game(game).seats
    token, _ = access.give("player", event.id if scope else "", seats["A"])
    if lost:
        assert access.revoke(token.id)
    table, secret = access.give("table", game, "anonymous")
    for seat, status in {"A": 403, "B": 200}.items():
        held = {**club.device(secret), "Referee-Role": f"{table.id}:{seat}"}
        asked = club.client.get(f"{API}/games/{game}/options", headers=held)
        assert asked.status_code == status, asked.text
        said = {"role": f"seat:{seat}", "scope": game}
        invited = club.post("/access/codes", "table", said, scope=game)
        assert invited.status_code == status, invited.text
    made = club.post("/access/codes", "judge", {"role": "seat:A", "scope": game}).json()["data"]
    assert club.post("/join", said={"code": made["code"]}).status_code == 200
    noted = club.store_context.bench.game(game).entries[-1]
    assert noted.data.text == "Another device has joined seat A."


def test_a_table_is_the_table_of_one_game(make_club: Callable[..., Club]) -> None:
    club = make_club()
    refused = club.post("/access/codes", "organiser", {"role": "table"})
    assert refused.json()["code"] == "seat_of_which_game"


def held_on_the_table(make_club: Callable[..., Club]) -> tuple[Club, str, dict[str, str]]:
    """A tablet that lies on a table with hidden hands, and holds more: what it joined as last is
    the organiser's role; and its roles by name."""
    bench, game = TWINS["broom_service"][0]("fw hw mw")
    club = make_club(StoreContext(bench.store, bench))
    club.keeps_cookies = True
    for role, scope in (("seat:A", game), ("table", game), ("judge", ""), ("organiser", "")):
        join(club, role, scope)
    return club, game, role_ids(club)


def test_whatever_a_tablet_holds_it_shows_what_everybody_may_know_of_its_table(
    make_club: Callable[..., Club],
) -> None:
    """The table's role wins, whichever page or route is asked, in whatever role a page was made."""
    club, game, ids = held_on_the_table(make_club)
    alone = {"Authorization": f"Bearer {club.token('table', game)}"}
    paths = [placed.path for placed in PAGES.values() if "{game}" in placed.path]
    pages = [path.format(game=game, **NAMES) for path in paths]
    asked = [
        f"/games/{game}/{what}" for what in ("moves", "state", "entries", "picture", "why?line=2")
    ]
    asked += [f"/games/{game}/exports/{each}" for each in ("text", "record", "md", "svg")]
    asked += [f"/games/{game}/moves?view=judge", "/moves?words=hand"]
    for place in (*pages, *(API + path for path in asked)):
        told = shown(club.client.get(place, headers=alone))
        for role in (None, *ids.values()):
            reply = club.client.get(place, headers={"Referee-Role": role} if role else {})
            if "/games/" in place:
                assert shown(reply) == told, (place, role)
            else:
                assert reply.status_code == 403, (place, role)
    judge = {"Authorization": f"Bearer {club.token('judge')}"}
    differ = [
        place
        for place in pages
        if shown(club.client.get(place, headers=judge)) != shown(club.client.get(place))
    ]
    assert f"/games/{game}" in differ


def shown(reply: Response) -> str:
    """An answer without what the device says of its roles; of a page what its scripts read, its
    board and its record."""
    text = alike(reply.text)
    if not reply.headers["content-type"].startswith("text/html") or 'id="data"' not in text:
        return text if "<html" not in text else str(reply.status_code)
    data = {name: value for name, value in embedded(text).items() if name not in ("keeps", "again")}
    parts = re.findall(r'<(?:section|div|ol)[^>]* id="(?:board|record|hands|lines)".*', text)
    return json.dumps([data, parts])


def test_more_is_chosen_before_everybodys_eyes_and_ends_with_the_page(
    make_club: Callable[..., Club],
) -> None:
    club, game, ids = held_on_the_table(make_club)
    first = club.client.get(f"/games/{game}").text
    assert embedded(first)["on_table"]
    more = f"/games/{game}?as={ids['organiser']}:more"
    assert more in first
    shown = club.client.get(more).text
    assert not embedded(shown)["on_table"]
    assert f'data-role="{ids["organiser"]}:more"' in shown
    assert "This page shows the secrets of all players." in shown
    asked = {"Referee-Role": f"{ids['organiser']}:more"}
    assert who_sees(club, game, asked) == "judge"
    assert who_sees(club, game, {}) == "public"
    assert embedded(club.client.get(f"/games/{game}").text)["on_table"]


def who_sees(club: Club, game: str, headers: dict[str, str]) -> str:
    """The widest view that is given."""
    seen = club.client.get(f"{API}/games/{game}/moves?view=judge", headers=headers)
    return "judge" if seen.status_code == 200 else "public"


def test_a_page_that_another_role_of_the_device_may_open_opens_with_one_tap(
    make_club: Callable[..., Club],
) -> None:
    club, game, ids = held_on_the_table(make_club)
    switch = {"role": ids["the table"], "to": "/new"}
    refused = club.client.post("/me/switch", data=switch, headers=HERE)
    assert refused.status_code == 403
    forms = re.findall(r'name="role" value="(t\w+)"><input type="hidden" name="to" value="([^"]+)"',
                       refused.text)  # fmt: skip
    assert (ids["organiser"], "/new") in forms
    tapped = {"role": ids["organiser"], "to": "/new"}
    assert club.client.post("/me/switch", data=tapped, headers=HERE).status_code == 200
    own = club.client.get(f"/games/{game}/seat")
    assert own.status_code >= 400
    assert f"/games/{game}/seat?as={ids['seat A']}:more" in own.text
    assert "everyone there would see" in own.text
    club.client.cookies.clear()
    join(club, "spectator", game)
    assert "Open as" not in club.client.get("/new").text


def test_a_link_that_leads_to_the_table_lays_the_device_on_it(club: Club) -> None:
    game = opened(club)
    _, letters = club.store_context.access.make_code(
        "organiser", "", "anonymous", once=True, lifetime=timedelta(hours=1)
    )
    reply = club.client.post(f"/j/{letters}?table={game}", headers=HERE, follow_redirects=False)
    assert reply.headers["location"] == f"/games/{game}"
    assert list(role_ids(club)) == ["the table", "organiser"]
    assert embedded(club.client.get(f"/games/{game}").text)["on_table"]
