"""Role × operation, cell by cell; and what a token is good for besides its role."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from answers.declaration import Operation, Resource
from answers.operations import BESIDE, OPERATIONS, roles_for, routes
from answers.permissions import EVERYBODY, NOBODY, PERSONAL, ROLES, Roles
from referee.record.entries import KINDS
from referee.record.permissions import ENTRY_LABELS
from service.auth import Principal, ReadOnlyAccess
from service.openapi import LIVE
from service.problems import HttpRefusal
from tests.service.conftest import Club

PAGE = Path(__file__).parents[2] / "docs" / "permissions.md"
NAMES = {
    "dispute": "d1", "ruling": "r1", "penalty": "x1", "secret": "s1", "note": "n1",
    "photo": "f1", "of": "pnobody",
    "format": "nonsense", "engine": "pebbles", "kit": "nonsense", "schema": "nonsense",
    "person": "pnobody", "token": "tnobody", "table": "1", "player": "1", "number": "1",
    "event": "tournament-nowhere", "code": "ABCD-EFGH",
    "paper": "nonsense", "collection": "nonsense", "chapter": "c1", "season": "season-nonsense",
    "webhook": "nonsense",
}  # fmt: skip


@pytest.fixture
def hall(club: Club) -> tuple[Club, str, str]:
    """A club with a game and a tournament."""
    said = {"game": "pebbles", "table": "A B first A"}
    game = club.post("/games", "organiser", said).json()["data"]["game"]
    said = {"name": "Spring", "game": "pebbles"}
    tournament = club.post("/tournaments", "organiser", said).json()["data"]["tournament"]
    return club, game, tournament


def address(route: Operation, game: str, tournament: str) -> str:
    names = {**NAMES, "game": game, "tournament": tournament}
    return route.path.format(**{name: names[name] for name in route.names})


MAY = {
    "organiser judge scribe table seat player spectator": """
        access-leave access-who audits cases check-position choices clock collection-file
        collection-list collection-show could-hold diff dispute-list engine-info engine-list
        entries export faq
        faq-file faq-since game-events game-kit game-rules games head health info join kit-asked
        kit-board-picture kit-check kit-key kit-list kit-piece kit-show moves note-list open
        options penalty-guide penalty-list photo photo-list picture picture-of position-trial
        reached readings ready replay rules rules-diff
        ruling-feed ruling-list ruling-show schema schema-show scores season-export
        season-info season-list season-player season-ratings season-standings secret-list state
        table-faces tournament-bracket tournament-broadcast tournament-broadcast-events
        tournament-entry tournament-registration tournament-sign-up tournament-boards
        tournament-clock tournament-events tournament-faces tournament-hall
        tournament-head tournament-info
        tournament-list tournament-paper
        tournament-penalties tournament-players tournament-prizes tournament-round
        tournament-standings tournament-teams
        tournament-why trays verify-record why""",
    "organiser judge scribe table seat": """
        access-code check dispute-close dispute-open hold kit-board kit-box kit-csv kit-page
        kit-photo kit-pieces kit-wording log note-add note-remove photo-add photo-erase
        position redo resume
        sight sight-audit sight-card sight-confirm table-pieces trial undo verify""",
    "organiser judge scribe seat": "sign",
    "organiser judge scribe seat player": """
        collection-edit collection-new collection-note collection-put collection-remove
        collection-unnote people-picture people-picture-erase""",
    "organiser judge scribe table": """
        access-list access-revoke adjust clock-set correct finish kit-declare reopen""",
    "organiser judge scribe": """
        access-give access-rules branch dispute-paper dispute-picture dispute-show export-chosen
        import kit-csv-take kit-cut kit-export kit-import kit-photo-add kit-photo-erase kit-place
        kit-told kit-wording-tell move-search new note-search ruling-case ruling-export stats
        stats-picture
        tournament-announce tournament-comment tournament-export tournament-invite tournament-result
        tournament-result-list tournament-results tournament-round-check-in tournament-sign
        tournament-table tournament-team-set tournament-wall what-if""",
    "organiser judge": """
        dispute-attend dispute-calls events hold-attend penalty-add penalty-cancel people-list
        player ruling-import ruling-issue seal-check seal-make tournament-bye tournament-byes
        tournament-call-answer tournament-call-take tournament-check tournament-clock-extend
        tournament-clock-pause tournament-clock-start tournament-clock-stop tournament-correct
        tournament-disputes tournament-drop tournament-feature tournament-history tournament-late
        tournament-lot tournament-merge tournament-move-up tournament-penalise
        tournament-penalty-cancel tournament-penalty-next tournament-reading tournament-return
        tournament-reveal tournament-line-ups-due
        tournament-round-close tournament-round-reopen tournament-seat tournament-start
        tournament-swap tournament-unstart tournament-zones verify-all what-if-all""",
    "organiser": """
        access-log doctor import-accept metrics people-erase people-rename people-show season-add
        season-merge season-new season-players-add season-players-remove season-remove
        season-revise season-team tournament-apart tournament-apart-end tournament-close
        tournament-edit tournament-explain
        tournament-finalist tournament-finals tournament-finals-cancel tournament-import
        tournament-fee tournament-hall-set tournament-seed tournament-keep-apart
        tournament-prizes-set tournament-move tournament-new tournament-pair tournament-picture
        tournament-picture-erase tournament-qualify tournament-register
        tournament-register-list tournament-registration-set tournament-reopen tournament-revise
        tournament-rules tournament-schedule tournament-take tournament-unpair
        tournament-zones-set webhook-add webhook-list webhook-remove webhook-try""",
    "organiser judge scribe player": "tournament-call tournament-check-in tournament-line-up",
    "organiser player": "tournament-report tournament-unregister",
    "scribe seat": "secret-open secret-seal",
    "seat": "confirm",
    "": """
        backup backup-rehearsed engine-check engine-new gallery keys-import keys-list keys-new
        keys-revoke keys-show keys-trust restore secret-show store-check store-copy
        store-init store-repair""",
}
"""Written by hand from docs/permissions.md and docs/roles.md, and not from the code."""
ROLES_OF = {name: set(roles.split()) for roles, names in MAY.items() for name in names.split()}


def test_each_operation_is_granted_to_the_roles_of_the_table_and_no_other() -> None:
    assert set(ROLES_OF) == {*OPERATIONS, *BESIDE}
    assert {name: set(roles_for(name)) for name in ROLES_OF} == ROLES_OF


def test_what_nobody_has_declared_is_nobodys(club: Club) -> None:
    assert roles_for("tournament-abolish") == frozenset()
    access_control = club.client.app.state.service.access_control  # type: ignore[attr-defined]
    token = access_control.authenticate(club.token("organiser", ""), "here")
    with pytest.raises(HttpRefusal, match="role_may_not"):
        access_control.authorize(token, "tournament-abolish", {})


@pytest.mark.parametrize("kind", [Operation, Resource])
def test_an_operation_without_a_grant_cannot_be_declared(kind: type[Resource]) -> None:
    said = {"name": "toy", "http": "GET /toys"}
    with pytest.raises(TypeError, match="grant"):
        kind(**said)  # type: ignore[arg-type]
    for nothing in (None, "everybody", frozenset(ROLES)):
        with pytest.raises(TypeError, match="who may ask"):
            kind(**said, grant=nothing)  # type: ignore[arg-type]
    assert kind(**said, grant=NOBODY).roles == frozenset()  # type: ignore[arg-type]
    assert kind(**said, grant=EVERYBODY).roles == frozenset(ROLES)  # type: ignore[arg-type]


def test_a_role_that_nobody_has_cannot_be_granted() -> None:
    with pytest.raises(ValueError, match="organizer"):
        Roles(frozenset({"organizer"}))


@pytest.mark.parametrize("role", ROLES)
def test_only_organisers_read_what_the_service_counts(role: str, club: Club) -> None:
    asked = club.client.get(
        "/api/metrics",
        headers={"Authorization": f"Bearer {club.token('seat:A' if role == 'seat' else role, '')}"},
    )
    assert asked.status_code == (200 if role == "organiser" else 403)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_is_let_ask_what_the_table_says_and_nothing_else(
    role: str, hall: tuple[Club, str, str]
) -> None:
    club, game, tournament = hall
    for route in routes():
        if route.name in ("join", "access-leave"):
            continue  # a code is a good one; and whoever has left asks nothing more
        path = address(route, game, tournament)
        nonsense = {"content": b"nonsense"} if not route.asks_in_query else {}
        scope = game if role in ("seat", "table") and route.about == "game" else ""
        reply = club.ask(
            route.method, path, "seat:A" if role == "seat" else role, scope=scope, **nonsense
        )
        refused = (
            (reply.status_code, reply.json().get("code")) == (403, "role_may_not")
            if ("json" in reply.headers.get("content-type", ""))
            else False
        )
        assert refused == (role not in ROLES_OF[route.name]), (route.name, reply.text)
        assert reply.status_code not in (401, 500)


def test_the_table_of_the_record_is_the_table_of_the_door() -> None:
    """Whoever may tell an entry in some circumstance may knock; the record decides the rest."""
    operations = {
        "opened": "new", "logged": "log", "taken_back": "undo", "restored": "redo",
        "corrected": "correct", "adjusted": "adjust", "kit_declared": "kit-declare",
        "held": "hold", "resumed": "resume", "clock_set": "clock-set", "disputed": "dispute-open",
        "dispute_closed": "dispute-close", "attended": "dispute-attend",
        "ruled": "ruling-issue", "penalised": "penalty-add",
        "penalty_cancelled": "penalty-cancel", "signed": "sign", "confirmed": "confirm",
        "sealed": "secret-seal", "unsealed": "secret-open", "noted": "note-add",
        "unnoted": "note-remove", "photographed": "photo-add", "photo_erased": "photo-erase",
        "seen": "sight-confirm",
        "closed": "finish", "reopened": "reopen",
    }  # fmt: skip
    assert set(operations) == {kind for kind, _ in ENTRY_LABELS} - {"reading_fixed", "reinstated"}
    for kind, operation in operations.items():
        ever = {
            word for grants in KINDS[kind].TOLD_BY.values() for g in grants for word in g.split()
        }
        if "scribe" in ever and kind not in PERSONAL:
            ever.add("table")  # what it writes is recorded as the scribe's
        assert roles_for(operation) == ever & set(ROLES), operation


def test_the_page_has_the_table_of_the_code() -> None:
    """``REFEREE_REWRITE=1`` writes its rows anew."""
    text, rows = PAGE.read_text("utf-8"), "\n".join(table())
    if os.environ.get("REFEREE_REWRITE"):
        text = re.sub(r"^\| `.*(\n\| `.*)*", lambda _: rows, text, count=1, flags=re.MULTILINE)
        PAGE.write_text(text, "utf-8")
    assert "\n".join(line for line in text.splitlines() if line.startswith("| `")) == rows


def table() -> list[str]:
    """The rows of the page: every operation, where it is asked, and by whom."""
    placed = [(r.name, r.method, r.path) for r in routes()]
    placed += [(operation, "GET", path) for operation, path in LIVE.items()]
    placed.sort(key=lambda place: (place[2], place[1]))
    return [
        f"| `{operation}` | `{method} {path}` | "
        + " | ".join("yes" if role in ROLES_OF[operation] else "–" for role in ROLES)
        + " |"
        for operation, method, path in placed
    ]


# scopes


def opened_in(club: Club, tournament: str) -> str:
    """The game of the first table of a tournament of two."""
    here = f"/tournaments/{tournament}"
    people = [{"name": name} for name in ("Ana", "Bo")]
    club.post(f"{here}/players", "organiser", {"players": people})
    club.post(f"{here}/players/check-in", "organiser", {"everybody": True})
    club.post(f"{here}/round/pairing", "organiser", {})
    club.post(f"{here}/round/start", "organiser", {})
    opened = club.post(f"{here}/tables/1", "scribe", {"table": "A B first A"}, scope=tournament)
    game: str = opened.json()["data"]["game"]
    return game


def test_a_token_of_one_game_says_nothing_about_others(hall: tuple[Club, str, str]) -> None:
    club, game, tournament = hall
    said = {"game": "pebbles", "table": "A B first A"}
    other = club.post("/games", "organiser", said).json()["data"]["game"]
    for role in ("judge", "scribe", "table", "seat:A", "spectator"):
        assert club.get(f"/games/{game}", role, scope=game).status_code == 200
        assert club.get(f"/games/{other}", role, scope=game).status_code == 404
        assert club.get(f"/tournaments/{tournament}", role, scope=game).status_code == 404
        listed = club.get("/games", role, scope=game).json()["data"]["games"]
        assert [row["game"] for row in listed] == [game]
        assert club.get("/people", role, scope=game).status_code == 403
    assert club.post("/games", "scribe", said, scope=game).status_code == 403


def test_a_token_of_a_tournament_is_good_for_its_tables(hall: tuple[Club, str, str]) -> None:
    club, game, tournament = hall
    here = f"/tournaments/{tournament}"
    table = opened_in(club, tournament)
    assert club.get(f"/games/{table}", "judge", scope=tournament).status_code == 200
    assert club.get(f"/games/{game}", "judge", scope=tournament).status_code == 404
    assert club.get(here, "seat:A", scope=table).status_code == 200
    assert club.post(f"{here}/close", "judge", scope=table).status_code == 404


def test_a_judge_of_an_event_has_its_calls_and_rulings_and_no_others(
    hall: tuple[Club, str, str],
) -> None:
    club, game, tournament = hall
    table = opened_in(club, tournament)
    club.ask("PATCH", f"/games/{game}/access", "scribe", json={"open_to": "everybody"})
    for each in (game, table):
        club.post(f"/games/{each}/actions", "scribe", {"lines": ["take 1"]})
        for _ in range(2):
            club.post(f"/games/{each}/disputes", "scribe", {"number": 1})
        said = {"reason": "So be it.", "dispute": "d1", "remedy": "stands"}
        assert club.post(f"/games/{each}/rulings", "judge", said).status_code == 200
    called = club.post(
        f"/tournaments/{tournament}/tables/1/call", "scribe", {"player": "Ana", "text": "hm"}
    )
    assert called.status_code == 200

    def waiting(scope: str) -> list[tuple[str, bool]]:
        calls = club.get("/calls", "judge", scope=scope).json()["data"]["calls"]
        return [(call["game"], call["call"] is not None) for call in calls]

    def ruled(scope: str) -> list[str]:
        rulings = club.get("/rulings", "judge", scope=scope).json()["data"]["rulings"]
        return sorted(ruling["reference"] for ruling in rulings)

    assert waiting("") == [(game, False), (table, False), ("", True)]
    assert waiting(tournament) == [(table, False), ("", True)]
    assert waiting(game) == [(game, False)]
    assert ruled("") == sorted([f"{game}/r1", f"{table}/r1"])
    assert ruled(tournament) == ruled(table) == [f"{table}/r1"]
    assert ruled(game) == [f"{game}/r1"]


HANDED_ON = {
    "organiser": "organiser judge scribe table seat:A seat:B spectator",
    "judge": "scribe table seat:A seat:B spectator",
    "scribe": "table seat:A seat:B spectator",
    "table": "table seat:A seat:B spectator",
    "seat:A": "seat:A",
    "seat:B": "seat:B",
    "spectator": "",
    "player": "",
}
"""Written by hand from docs/roles.md: what each role may hand on at its own table."""


@pytest.mark.parametrize("way", ["tokens", "codes"])
@pytest.mark.parametrize("role", HANDED_ON)
def test_nobody_hands_on_more_than_they_have(
    way: str, role: str, hall: tuple[Club, str, str]
) -> None:
    """Neither a higher role, nor at another table, nor for the whole house; nor, but for a judge,
    a seat at an event's table that somebody has."""
    club, _, tournament = hall
    game = opened_in(club, tournament)
    said = {"game": "pebbles", "table": "A B first A"}
    other = club.post("/games", "organiser", said).json()["data"]["game"]
    mine = {"player": tournament, "organiser": ""}.get(role, game)
    keeps = "tokens" not in way or role in ("organiser", "judge", "scribe")
    for given in HANDED_ON:
        may = keeps and given in HANDED_ON[role].split()
        has_seat = False
        for scope in (game, other, tournament, ""):
            reply = club.post(f"/access/{way}", role, {"role": given, "scope": scope}, scope=mine)
            where = scope or mine
            fits = where == mine or role == "organiser"
            of_a_game = given.startswith("seat:") or given == "table"
            fits = fits and not (of_a_game and not where.startswith("game-"))
            if has_seat and where == game and role == "scribe":
                assert (reply.status_code, reply.json()["code"]) == (403, "seat_taken")
                continue
            assert reply.is_success == (may and fits), (given, scope, reply.text)
            if reply.is_success:
                made = reply.json()["data"]
                assert (made["role"], made["scope"]) == (given, where)
                has_seat = has_seat or (way == "tokens" and given.startswith("seat:"))
    if role in ("judge", "scribe"):  # of an event: what they give is good for its tables
        for scope, status in ((game, 200), (other, 403)):
            said = {"role": "spectator", "scope": scope}
            reply = club.post(f"/access/{way}", role, said, scope=tournament)
            assert reply.status_code == status, reply.text


def test_a_token_is_good_for_as_many_days_as_were_said(hall: tuple[Club, str, str]) -> None:
    club, game, _ = hall
    ends = []
    for days in (None, 1, 3):
        said = {"role": "scribe", "scope": game, **({"days": days} if days else {})}
        ends.append(club.post("/access/tokens", "organiser", said).json()["data"]["expires"])
    assert ends[0] is None
    assert ends[1] < ends[2]


@pytest.mark.parametrize(
    ("open_to", "read", "listed"),
    [("members", 401, False), ("link", 200, False), ("everybody", 200, True)],
)
def test_a_game_is_open_to_whom_it_says(
    open_to: str, read: int, listed: bool, hall: tuple[Club, str, str]
) -> None:
    club, game, _ = hall
    ruled = club.ask("PATCH", f"/games/{game}/access", "scribe", json={"open_to": open_to})
    assert ruled.json()["data"]["open_to"] == open_to
    assert club.get(f"/games/{game}").status_code == read
    found = [row["game"] for row in club.get("/games").json()["data"]["games"]]
    assert found == ([game] if listed else [])
    assert club.post(f"/games/{game}/actions", said={"lines": ["take 1"]}).status_code == 401


def test_who_looks_on_from_elsewhere_is_a_spectator(hall: tuple[Club, str, str]) -> None:
    club, game, _ = hall
    said = {"game": "pebbles", "table": "A B first A"}
    other = club.post("/games", "organiser", said).json()["data"]["game"]
    club.ask("PATCH", f"/games/{other}/access", "organiser", json={"open_to": "link"})
    reply = club.get(f"/games/{other}/moves", "judge", scope=game)
    assert ".public." in reply.headers["etag"]
    assert club.get(f"/games/{other}/state?view=judge", "judge", scope=game).status_code == 403
    assert club.post(f"/games/{other}/hold", "judge", scope=game).status_code == 404


def test_at_a_table_with_one_scribe_seats_do_not_log(hall: tuple[Club, str, str]) -> None:
    club, game, _ = hall
    said = {"lines": ["take 1"]}
    club.ask("PATCH", f"/games/{game}/access", "scribe", json={"seats_log": False})
    refused = club.post(f"/games/{game}/actions", "seat:A", said, scope=game)
    assert (refused.status_code, refused.json()["code"]) == (403, "scribe_logs")
    assert club.post(f"/games/{game}/actions", "scribe", said).status_code == 200
    club.ask("PATCH", f"/games/{game}/access", "scribe", json={"seats_log": True})
    other = club.post(f"/games/{game}/actions", "seat:A", {"lines": ["B take 2"]}, scope=game)
    assert (other.status_code, other.json()["code"]) == (403, "own_seat_only")
    own = club.post(f"/games/{game}/actions", "seat:A", {"lines": ["take 2"]}, scope=game)
    assert (own.status_code, own.json()["code"]) == (422, "PEB-TURN-1"), "it speaks for itself"
    assert club.post(
        f"/games/{game}/actions", "seat:B", {"lines": ["take 2"]}, scope=game
    ).is_success


def test_seats_agree_over_the_api(hall: tuple[Club, str, str]) -> None:
    club, game, _ = hall
    club.post(f"/games/{game}/finish", "scribe", {"reason": "late"})
    assert not club.post(f"/games/{game}/confirmations", "seat:A", scope=game).json()["data"][
        "agreed"
    ]
    assert club.post(f"/games/{game}/confirmations", "seat:B", scope=game).json()["data"]["agreed"]
    assert club.post(f"/games/{game}/confirmations", "judge").status_code == 403
    assert club.get(f"/games/{game}", "spectator", scope=game).json()["data"]["agreed"]


def test_spectators_wait_where_the_table_says_so(hall: tuple[Club, str, str]) -> None:
    club, game, _ = hall
    club.post(f"/games/{game}/actions", "scribe", {"lines": ["take 1", "take 2", "take 3"]})
    club.ask("PATCH", f"/games/{game}/access", "scribe", json={"delay_entries": 2})
    for path in ("moves", "steps", "entries", "state"):
        told = club.get(f"/games/{game}/{path}", "spectator", scope=game)
        assert told.json()["version"] == 1, path
        assert "take 3" not in told.text
        assert club.get(f"/games/{game}/{path}", "seat:A", scope=game).json()["version"] == 3
    why = club.get(f"/games/{game}/why?line=3", "spectator", scope=game)
    assert why.status_code == 404
    club.post(f"/games/{game}/finish", "scribe", {"reason": "late"})
    for said, version in (({}, 0), ({"until_result": True}, 4), ({"until_result": False}, 0)):
        said = {**said, "delay_seconds": 3600}
        club.ask("PATCH", f"/games/{game}/access", "scribe", json=said)
        told = club.get(f"/games/{game}/moves", "spectator", scope=game)
        assert (told.json()["version"], "take 3" in told.text) == (version, version == 4)


SAYING_A_NAME = {
    "tournament-register": lambda name: {"players": [{"name": name}]},
    "tournament-register-list": lambda name: {"players": [{"name": name}]},
    "tournament-late": lambda name: {"name": name},
    "access-code": lambda name: {"role": "scribe", "name": name},
    "access-give": lambda name: {"role": "judge", "name": name},
}


@pytest.mark.parametrize("operation", SAYING_A_NAME)
def test_a_name_outside_ones_scope_is_not_looked_up(
    hall: tuple[Club, str, str], operation: str
) -> None:
    club, _, tournament = hall
    outside = club.store_context.people.add("Zoé Zimmer")
    route = OPERATIONS[operation]
    said = SAYING_A_NAME[operation]("Zoé Zimmer")
    if "tournament" not in route.names:
        said["scope"] = tournament
    asked = address(route, "", tournament)
    reply = club.ask(route.method, asked, "organiser", scope=tournament, json=said)
    entries = club.store_context.store.read(tournament)
    tokens = [each.person for each in club.store_context.access.passes()]
    codes = [each.person for each in club.store_context.access.codes()]
    assert outside not in reply.text + str([entry.body for entry in entries])
    assert outside not in (*tokens, *codes)
    assert reply.status_code in (200, 404), reply.text
    if reply.status_code == 200:
        assert len(club.store_context.people.find("Zoé Zimmer")) == 2


def test_a_name_within_ones_scope_is_looked_up(hall: tuple[Club, str, str]) -> None:
    club, _, tournament = hall
    path, said = f"/tournaments/{tournament}/players", {"players": [{"name": "Zoé"}]}
    assert club.ask("POST", path, "organiser", scope=tournament, json=said).status_code == 200
    again = club.ask("POST", path, "organiser", scope=tournament, json=said)
    assert again.json()["code"] == "registered_already"
    code = {"role": "scribe", "scope": tournament, "name": "Zoé"}
    club.ask("POST", "/access/codes", "organiser", scope=tournament, json=code)
    (zoe,) = club.store_context.people.find("Zoé")
    assert [each.person for each in club.store_context.access.codes()] == [zoe]


def test_of_a_file_everything_is_read_and_nothing_written(club: Club, game: str) -> None:
    """Whoever brings it: what writes is nobody's there, in the answer and on the page."""
    control = ReadOnlyAccess(club.store_context)
    for visitor in (Principal("192.0.2.1"), Principal("t1", "organiser", "")):
        reader = control.reader(visitor)
        for name, route in OPERATIONS.items():
            if route.about != "game":
                continue
            path = dict.fromkeys(route.names, "1") | {"game": game}
            assert control.may_ever(reader, name, path) == (
                not route.writes and "judge" in route.roles
            )
            if route.writes:
                with pytest.raises(HttpRefusal, match="role_may_not"):
                    control.authorize(reader, name, path)
