"""Requests and replies: statuses, keys, versions, languages, problem documents."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import answers
from answers.context import Caller, open_store_context
from answers.declaration import Operation, answer_type
from answers.operations import OPERATIONS, answer_schema, routes
from answers.play.opening import open_table
from referee.table.author import By
from referee.tournament.default_plans import usual_plan
from referee.tournament.plan import Plan
from service.negotiation import language
from service.settings import Limits
from tests.service.conftest import API, Club

ONLY_ON_THE_COMMAND_LINE = {
    "engine-check": "an author asks it of a game on the own machine, and it takes its time",
    "engine-new": "it writes files",
    "keys-new": "private keys never reach the server",
    "keys-list": "keys are kept where one signs and checks",
    "keys-show": "keys are kept where one signs and checks",
    "keys-trust": "whom to trust is decided where one checks",
    "keys-revoke": "whom to trust is decided where one checks",
    "keys-import": "whom to trust is decided where one checks",
    "secret-show": "value and salt stay with the seat that has sealed them",
    "gallery": "it writes files",
    "backup": "it writes a file where the store is",
    "backup-rehearsed": "it writes files where the store is",
    "restore": "a store that is served is not replaced",
    "store-init": "a store is made where it is to be",
    "store-check": "it reads the files of a store",
    "store-copy": "it writes another store",
    "store-repair": "it writes a mended copy beside the store",
}


def test_every_operation_is_asked_at_both_doors_or_has_a_reason() -> None:
    here = {name for name, operation in OPERATIONS.items() if not operation.http}
    assert here == set(ONLY_ON_THE_COMMAND_LINE)


def test_no_function_that_answers_a_caller_is_without_a_route() -> None:
    """Also those that share an answer with others: each is called by some route."""
    called = {function for each in routes() for function in (each.function, each.run)}
    answering = {f"{each.__module__}:{each.__name__}": each for each in answering_functions()}
    unasked = {name for name, function in answering.items() if function not in called}
    assert unasked == WITHOUT_A_ROUTE


WITHOUT_A_ROUTE = {
    "answers.rulebooks.boxes:keep",  # it is "tell" of the paths of records
    "answers.proof.commitments:show",  # sealed values never reach the server
    "answers.rulebooks.boxes:vouch",  # asked as a flag: declare_and_keep
    "answers.tournament.lifecycle:adopt",  # asked as a file: adopt_log
}


def answering_functions() -> Iterator[Callable[..., Any]]:
    for found in pkgutil.walk_packages(answers.__path__, "answers."):
        module = import_module(found.name)
        for name, function in vars(module).items():
            own = inspect.isfunction(function) and function.__module__ == found.name
            if own and not name.startswith("_"):
                told = str(function.__annotations__.get("return", ""))
                first = next(iter(function.__annotations__), "")
                if told.startswith("Answered[") and first in ("caller", "context"):
                    yield function


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda each: each.name)
def test_operations_with_an_answer_of_the_same_name_answer_the_same(operation: Operation) -> None:
    """A command and a service too, where they call different functions."""
    if operation.file:
        return
    named = OPERATIONS.get(operation.schema)
    assert operation.answers == answer_type(operation.run)
    if named is not None and named.schema == operation.schema:
        assert operation.answers == named.answers


def test_a_legal_line_is_answered_with_data_and_sentences(club: Club, game: str) -> None:
    reply = club.post(f"/games/{game}/actions", "scribe", {"lines": ["A step c2"]})
    assert reply.status_code == 200
    body = reply.json()
    assert (body["ok"], body["schema"]) == (True, "referee/log@1")
    Draft202012Validator(answer_schema(OPERATIONS["log"].run)).validate(body["data"])
    assert any("Ana places a step on c2" in line for line in body["told"])
    assert body["version"] == club.get(f"/games/{game}", "scribe").json()["version"]


def test_an_action_may_be_told_as_data(club: Club, game: str) -> None:
    options = club.get(f"/games/{game}/options", "scribe").json()["data"]["options"]
    said = {"lines": [options[0]["action"]]}
    reply = club.post(f"/games/{game}/actions", "scribe", said)
    assert reply.json()["data"]["action"] == options[0]["action"]


def test_an_illegal_line_is_422_with_clause_facts_and_what_would_be_legal(
    club: Club, game: str
) -> None:
    reply = club.post(f"/games/{game}/actions", "scribe", {"lines": ["A step a3"]})
    body = reply.json()
    assert (reply.status_code, reply.headers["content-type"]) == (422, "application/problem+json")
    assert (body["code"], body["data"]["clause"]) == ("BEN-MOVE-3", "BEN-MOVE-3")
    assert body["data"]["try"] == ["A step b1", "A step c2"]
    assert "BEN-MOVE-3" in body["detail"]


def test_whether_something_would_be_legal_is_a_question_and_answered(club: Club, game: str) -> None:
    reply = club.post(f"/games/{game}/check", "scribe", {"lines": ["A step a3"]})
    assert (reply.status_code, reply.json()["ok"]) == (200, False)
    assert club.get(f"/games/{game}/why?line=A+step+a3", "scribe").status_code == 200


def test_what_cannot_be_read_is_400_with_what_was_meant(club: Club, game: str) -> None:
    reply = club.post(f"/games/{game}/actions", "scribe", {"lines": ["A stpe c2"]})
    assert (reply.status_code, reply.json()["code"]) == (400, "unknown_verb")
    assert "step" in reply.json()["detail"]


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b'{"lines": ["A"], "lines": ["B"]}', b'{"lines": [1.5]}', b'"\xff"', b"[" * 99],
)
def test_hostile_json_is_400(content: bytes, club: Club, game: str) -> None:
    reply = club.ask("POST", f"/games/{game}/actions", "scribe", content=content)
    assert (reply.status_code, reply.headers["content-type"]) == (400, "application/problem+json")


@pytest.mark.parametrize(
    "said", [{"linse": ["A"]}, {}, {"lines": []}, {"lines": ["A"], "after": -1}]
)
def test_what_does_not_fit_the_model_is_400(said: dict[str, object], club: Club, game: str) -> None:
    assert club.post(f"/games/{game}/actions", "scribe", said).status_code == 400


def test_a_plan_is_limited_at_the_door_and_read_from_a_record(club: Club) -> None:
    plan = usual_plan("benevolent", "swiss", 3).model_dump(mode="json")
    many, long = ["BEN-MOVE-1"] * 201, ["BEN-MOVE-" + "1" * 40]
    for rules, problem in ((many, "at most 200 are allowed"), (long, "longer than 40 characters")):
        longer = plan | {"house_rules": {"benevolent": rules}}
        assert Plan.model_validate(longer).house_rules["benevolent"] == tuple(rules)
        reply = club.post("/tournaments", "organiser", {"name": "Autumn", "plan": longer})
        assert reply.status_code == 400
        assert "house_rules · benevolent" in reply.json()["detail"]
        assert problem in reply.json()["detail"]
    assert club.get("/tournaments", "organiser").json()["data"]["tournaments"] == []


def test_what_is_not_there_is_404(club: Club) -> None:
    assert club.get(f"/games/{'z' * 201}", "organiser").json()["code"] == "no_such_page"
    assert club.get("/games/game-zzzzzzzz", "scribe").status_code == 404
    assert club.get("/games/nonsense", "organiser").status_code == 404
    assert club.get("/nowhere", "organiser").json()["code"] == "no_such_page"
    assert club.ask("PUT", "/games", "organiser").status_code == 405


@pytest.mark.parametrize("upwards", ["..%2f..%2f", "..%2f", "%2e%2e/x", "x/%2e/"])
@pytest.mark.parametrize("below", ["/rules/", "/docs/", "/static/", "/api/v1/games/", "/games/"])
def test_no_address_leads_upwards(club: Club, below: str, upwards: str) -> None:
    reply = club.client.get(below + upwards, follow_redirects=False)
    assert (reply.status_code, reply.json()["code"]) == (404, "no_such_page")


def test_without_a_token_it_is_401_whether_the_game_is_there_or_not(club: Club, game: str) -> None:
    here, nowhere = (club.get(f"/games/{name}") for name in (game, "game-zzzzzzzz"))
    assert (here.status_code, here.json()) == (401, nowhere.json())
    assert here.headers["www-authenticate"] == "Bearer"
    bad = club.get("/games", headers={"Authorization": "Bearer nonsense"})
    assert (bad.status_code, bad.json()["code"]) == (401, "bad_token")


# keys and versions


def test_at_the_desk_it_is_409_as_well(club: Club) -> None:
    made = {"name": "Spring", "game": "pebbles"}
    cup = club.post("/tournaments", "organiser", made).json()["data"]["tournament"]
    key, path = {"Idempotency-Key": "tablet-17"}, f"/tournaments/{cup}/players"
    said = {"players": [{"name": "Eva"}]}
    first = club.post(path, "organiser", said, headers=key)
    again = club.post(path, "organiser", said, headers=key)
    other = club.post(path, "organiser", {"players": [{"name": "Flo"}]}, headers=key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["data"]["events"] == first.json()["data"]["events"]
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")


@pytest.mark.parametrize("path", ["actions", "notes", "disputes", "undo", "hold"])
def test_whoever_has_not_seen_the_last_entry_is_told_what_was_missed(
    path: str, club: Club, game: str
) -> None:
    seen = club.get(f"/games/{game}", "scribe").json()["version"]
    club.post(f"/games/{game}/actions", "scribe", {"lines": ["A step c2"]})
    said = {
        "actions": {"lines": ["A swap feather"]},
        "notes": {"on": "1", "text": "hm"},
        "disputes": {"number": 1},
        "undo": {},
        "hold": {},
    }[path]
    late = club.post(f"/games/{game}/{path}", "scribe", said, headers={"If-Match": f'"{seen}"'})
    assert (late.status_code, late.json()["code"]) == (409, "someone_else")
    assert [row["text"] for row in late.json()["missed"]] == ["A step c2"]
    now = {"If-Match": f'"{seen + 1}.judge.en"'}
    assert club.post(f"/games/{game}/{path}", "scribe", said, headers=now).status_code == 200


def test_several_lines_are_judged_against_one_version(club: Club, game: str) -> None:
    seen = club.get(f"/games/{game}", "scribe").json()["version"]
    said = {"lines": ["A step c2", "A swap feather"]}
    told = {"If-Match": f'"{seen}"', "Idempotency-Key": "k"}
    first = club.post(f"/games/{game}/actions", "scribe", said, headers=told)
    assert (first.status_code, first.json()["version"]) == (200, seen + 2)
    again = club.post(f"/games/{game}/actions", "scribe", said, headers=told)
    assert (again.status_code, again.json()["version"]) == (200, seen + 2)


def test_a_batch_that_was_cut_short_goes_on_where_it_stopped(club: Club, game: str) -> None:
    """The first line was recorded under its key, and the answer was lost."""
    from answers.context import Caller
    from referee.table.author import Author
    from referee.table.bench import line_key
    from referee.table.play import log

    seen = club.get(f"/games/{game}", "scribe").json()["version"]
    author = Author("pscribe", "scribe")
    salted = club.client.app.state.service._salted("k", game)  # type: ignore[attr-defined]
    key = line_key(salted, lines=2)
    log(Caller(club.store_context).bench, game, "A step c2", by=By(author, key))
    said = {"lines": ["A step c2", "A swap feather"]}
    told = {"If-Match": f'"{seen}"', "Idempotency-Key": "k"}
    reply = club.post(f"/games/{game}/actions", "scribe", said, headers=told)
    assert (reply.status_code, reply.json()["version"]) == (200, seen + 2)


def test_a_short_line_with_a_key_means_the_same_whenever_it_is_said(club: Club) -> None:
    """What may be short depends on the table, which is another one when it is said again."""
    said = {"game": "broom_service", "table": "A=red B=blue C=green first A side front"}
    game = club.post("/games", "organiser", said).json()["data"]["game"]
    lines = {"lines": ["cloud 11 22", "cloud 33 21"]}
    told = {"Idempotency-Key": "clouds"}
    first = club.post(f"/games/{game}/actions", "scribe", lines, headers=told)
    assert first.status_code == 200, first.text
    again = club.post(f"/games/{game}/actions", "scribe", lines, headers=told)
    assert again.json()["data"]["notation"] == first.json()["data"]["notation"] == "cloud c04 h21"
    assert again.json()["version"] == first.json()["version"] == 4
    other = {"lines": ["cloud 22 22", "cloud 33 21"]}
    assert club.post(f"/games/{game}/actions", "scribe", other, headers=told).status_code == 409


@pytest.mark.parametrize(("name", "value"), [("If-Match", "forty"), ("Idempotency-Key", "a b")])
def test_headers_that_make_no_sense_are_400(name: str, value: str, club: Club, game: str) -> None:
    told = {name: value}
    said = {"lines": ["A step c2"]}
    assert club.post(f"/games/{game}/actions", "scribe", said, headers=told).status_code == 400


@pytest.mark.parametrize("last", ["²", "--1", "1.5", "", " ", "x", "9" * 13])
def test_a_stream_that_is_resumed_at_no_number_is_refused(last: str, club: Club, game: str) -> None:
    reply = club.get(f"/games/{game}/events", "judge", params={"after": last})
    assert reply.status_code == 400, reply.text
    assert reply.json()["code"] == "bad_last_event"


def test_another_method_is_405_with_those_that_are_allowed(club: Club, game: str) -> None:
    reply = club.ask("DELETE", f"/games/{game}/actions", "judge")
    assert reply.status_code == 405
    assert reply.headers["allow"] == "POST"
    assert reply.json()["code"] == "not_this_way"


def test_what_has_not_changed_is_304(club: Club, game: str) -> None:
    for path in ("", "/state", "/moves", "/options", "/notes", "/picture"):
        first = club.get(f"/games/{game}{path}", "scribe")
        tag = first.headers["etag"]
        again = club.get(f"/games/{game}{path}", "scribe", headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    club.post(f"/games/{game}/actions", "scribe", {"lines": ["A step c2"]})
    now = club.get(f"/games/{game}/state", "scribe", headers={"If-None-Match": tag})
    assert now.status_code == 200


def test_a_tag_names_entry_view_and_language(club: Club, game: str) -> None:
    version = club.get(f"/games/{game}", "scribe").json()["version"]
    french = {"Accept-Language": "fr"}
    scribe = club.get(f"/games/{game}/moves", "scribe")
    assert scribe.headers["etag"].startswith(f'"{version}.judge.en.')
    seat = club.get(f"/games/{game}/moves", "seat:B", scope=game, headers=french)
    assert seat.headers["etag"].startswith(f'"{version}.seat:B.fr.')


def test_a_renamed_player_is_seen_at_once(club: Club, game: str) -> None:
    tag = club.get(f"/games/{game}", "scribe").headers["etag"]
    club.ask("PATCH", "/people/Ana", "organiser", json={"name": "Ana B."})
    again = club.get(f"/games/{game}", "scribe", headers={"If-None-Match": tag})
    assert again.json()["data"]["seats"]["A"] == "Ana B."


# lists, languages, files


def test_a_list_comes_in_pages(club: Club) -> None:
    """Of every size, full or not at the end; no page leads to an empty one."""
    for _ in range(5):
        club.post("/games", "organiser", {"game": "pebbles", "table": "A B first A"})
    for most in (1, 2, 3, 4, 5, 6):
        reply = club.get(f"/games?most={most}&engine=pebbles", "organiser")
        pages = [reply.json()["data"]]
        while "link" in reply.headers and len(pages) <= 5:
            reply = club.get(reply.headers["link"].split(">")[0].strip("<"), "organiser")
            pages.append(reply.json()["data"])
        seen = [row["game"] for page in pages for row in page["games"]]
        assert len({*seen}) == len(seen) == 5
        assert [page["total"] for page in pages] == [5] * -(-5 // most)


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [("fr", "fr"), ("fr-CH, en;q=0.5", "fr"), ("en, fr;q=0.9", "en"), ("de", "en"), ("", "en"),
     ("de, fr;q=0.4, en;q=0.3", "fr"), ("fr;q=x", "en")],
)  # fmt: skip
def test_answers_and_problems_speak_the_language_that_is_asked_for(
    accepted: str, lang: str, club: Club, game: str
) -> None:
    told = {"Accept-Language": accepted}
    done = club.get(f"/games/{game}/head", "scribe", headers=told)
    assert done.headers["content-language"] == lang
    assert ("entrées" in done.json()["told"][1]) == (lang == "fr")
    missing = club.get("/games/game-zzzzzzzz", "scribe", headers=told)
    assert (missing.json()["title"] == "Introuvable") == (lang == "fr")


SPACE = st.sampled_from(("", " ", "\t"))
TAG = st.sampled_from(("en", "fr", "FR", "en-GB", "fr-CH", "EN-us", "de", "fry", "eno", "*"))
WEIGHT = st.sampled_from(
    (None, "1", "1.0", "1.000", "0.9", "0.90", "0.5", "0.123", "0.", "0", "0.0", "0.000")
)
LIKED = st.lists(st.tuples(TAG, WEIGHT, SPACE, SPACE, st.sampled_from("qQ")), max_size=6)


@given(LIKED)
@settings(max_examples=300)
def test_the_language_is_the_one_liked_best_however_it_is_written(
    liked: list[tuple[str, str | None, str, str, str]],
) -> None:
    """As RFC 9110 says; of equally liked ones the first, nothing that is refused, else English."""
    header = ",".join(
        f"{before}{tag}" + ("" if weight is None else f"{after};{before}{q}={weight}{after}")
        for tag, weight, before, after, q in liked
    )
    said = [(tag.lower().split("-")[0], float(weight or 1)) for tag, weight, *_ in liked]
    named = [lang for lang, _ in said]
    order = sorted(("en", "fr"), key=lambda lang: named.index(lang) if lang in named else 99)

    def weight_of(lang: str) -> float:
        means = lang if lang in named else "*"
        return max((weight for tag, weight in said if tag == means), default=0)

    best = max(weight_of("en"), weight_of("fr"))
    wanted = next(lang for lang in order if weight_of(lang) == best) if best else "en"
    assert language(header) == wanted, header


def test_files_come_with_their_kind_and_run_nothing(club: Club, game: str) -> None:
    for format, media in (("record", "application/x-ndjson"), ("svg", "image/svg+xml")):
        reply = club.get(f"/games/{game}/exports/{format}", "scribe")
        assert reply.headers["content-type"].startswith(media)
        assert "sandbox" in reply.headers["content-security-policy"]
    page = club.get(f"/games/{game}/exports/html", "scribe")
    assert "sandbox" in page.headers["content-security-policy"]


def test_a_record_goes_out_and_comes_in_again(
    club: Club, game: str, make_club: Callable[..., Club]
) -> None:
    from answers.context import open_store_context

    record = club.get(f"/games/{game}/exports/record", "scribe").content
    other = make_club(open_store_context("memory:"))
    taken = other.ask("POST", "/imports", "organiser", content=record)
    assert taken.json()["data"]["games"][0]["game"] == game
    mangled = record.replace(b"c1", b"c2", 1)
    assert other.ask("POST", "/imports", "organiser", content=mangled).status_code == 400


# what every reply has


def test_every_reply_has_the_headers_of_a_careful_house(club: Club, game: str) -> None:
    for reply in (club.get(f"/games/{game}", "scribe"), club.get("/nowhere"), club.get("/games/x")):
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "same-origin"


def test_another_host_name_is_refused(club: Club) -> None:
    for host in ("evil.example", "testserver.evil.example", "", "testserver:x"):
        reply = club.get("/engines", headers={"Host": host})
        assert (reply.status_code, reply.json()["code"]) == (400, "other_host")
    assert club.get("/engines", headers={"Host": "testserver:8000"}).status_code == 200


def test_a_large_body_is_413_and_a_file_may_be_larger(make_club: Callable[..., Club]) -> None:
    club = make_club(limits=Limits(body=1000, file=2000))
    said = {"game": "pebbles", "title": "x" * 1500}
    assert club.post("/games", "organiser", said).status_code == 413
    assert club.ask("POST", "/imports", "organiser", content=b"x" * 1500).status_code == 400
    assert club.ask("POST", "/imports", "organiser", content=b"x" * 2500).status_code == 413


@pytest.mark.usefixtures("standing_clock")
def test_who_asks_too_often_is_told_when_to_come_back(make_club: Callable[..., Club]) -> None:
    club = make_club(limits=Limits(reads_a_second=1, burst_seconds=3))
    replies = [club.get("/games", "judge") for _ in range(5)]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 429, 429]
    assert int(replies[-1].headers["retry-after"]) >= 1
    assert club.get("/games", "organiser").status_code == 200, "others are not concerned"


def test_a_fault_tells_nobody_how_the_house_is_built(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **options: object) -> None:
        raise RuntimeError("a secret of the house")

    monkeypatch.setattr(club.store_context.bench, "game", broken)
    reply = club.get(f"/games/{game}", "organiser")
    assert (reply.status_code, reply.json()["code"]) == (500, "wrong")
    assert "secret" not in reply.text
    assert "Traceback" not in reply.text


def test_a_store_that_cannot_be_reached_is_503(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.store.envelopes import StoreError

    def full(*args: object, **options: object) -> None:
        raise StoreError("disk_full", path="games.db")

    monkeypatch.setattr("referee.store.event_store.Store.append", full)
    reply = club.post(f"/games/{game}/actions", "scribe", {"lines": ["A step c2"]})
    assert (reply.status_code, reply.json()["code"]) == (503, "disk_full")
    assert club.get(f"/games/{game}/state", "scribe").status_code == 200


# the document


def test_the_document_is_openapi_and_names_every_operation(club: Club) -> None:
    told = club.get("/api/openapi.json").json()
    assert told["openapi"] == "3.1.0"
    named = {o["operationId"] for methods in told["paths"].values() for o in methods.values()}
    assert named >= {each.name for each in routes()}
    for schema in told["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for methods in told["paths"].values():
        for operation in methods.values():
            declared = OPERATIONS.get(operation["operationId"])
            writes = declared is not None and declared.writes
            assert ("422" in operation["responses"]) == writes


def test_the_page_needs_nothing_from_elsewhere(club: Club) -> None:
    for lang in ("en", "fr"):
        page = club.get("/api/docs", headers={"Accept-Language": lang}).text
        assert f'lang="{lang}"' in page
        assert "://" not in page
        assert "<script" not in page
        assert all(f'id="{name}"' in page for name in (each.name for each in routes()))
    assert club.get("/api/docs.css").headers["content-type"].startswith("text/css")


def test_health_readiness_and_measures(club: Club, game: str) -> None:
    assert club.get("/api/health").json() == {"status": "ok"}
    assert club.get("/api/ready").json()["entries"] > 0
    assert club.get("/api/metrics").status_code == 401
    assert club.get("/api/metrics", "scribe").status_code == 403
    club.get(f"/games/{game}", "scribe")
    told = club.get("/api/metrics", "organiser").text
    assert f'route="{API}/games/{{game}}",status="200"' in told
    assert game not in told


def test_a_whole_tournament_is_run_over_the_api(club: Club) -> None:
    made = club.post(
        "/tournaments", "organiser", {"name": "Spring", "game": "pebbles", "rounds": 1}
    ).json()
    here = f"/tournaments/{made['data']['tournament']}"
    people = [{"name": name} for name in ("Ana", "Bo", "Cy", "Di")]
    assert club.post(f"{here}/players", "organiser", {"players": people}).status_code == 200
    assert club.post(f"{here}/players/check-in", "judge", {"everybody": True}).status_code == 200
    paired = club.post(f"{here}/round/pairing", "organiser", {"seed": 7})
    assert len(paired.json()["data"]["tables"]) == 2
    assert club.post(f"{here}/round/start", "judge").status_code == 200
    opened = club.post(f"{here}/tables/1", "scribe", {"table": "A B first A"})
    assert opened.status_code == 200, opened.text
    for table in (1, 2):
        said = {"places": ["A"], "reason": "on paper"}
        assert club.post(f"{here}/tables/{table}/result", "judge", said).status_code == 200
    assert club.post(f"{here}/round/close", "judge").status_code == 200
    standings = club.get(f"{here}/standings", "spectator", scope=here.rpartition("/")[2])
    assert len(standings.json()["data"]["rows"]) == 4
    stale = {"If-Match": '"0"'}
    late = club.post(f"{here}/close", "organiser", headers=stale)
    assert (late.status_code, late.json()["code"]) == (409, "someone_else")
    assert club.post(f"{here}/close", "organiser").status_code == 200


def test_what_is_illegal_only_because_somebody_was_quicker_is_a_conflict(
    club: Club, game: str
) -> None:
    seen = {"If-Match": f'"{club.store_context.bench.game(game).version}"'}
    assert club.post(f"/games/{game}/actions", "scribe", {"lines": ["A step c2"]}).json()["ok"]
    late = club.post(f"/games/{game}/actions", "scribe", {"lines": ["A step b1"]}, headers=seen)
    assert late.status_code == 409
    assert [entry["text"] for entry in late.json()["missed"]] == ["A step c2"]


@pytest.mark.parametrize(
    ("prefer", "told"),
    [
        ("return=minimal", False),
        ("respond-async, Return=Minimal; wait=1", False),
        ("return=representation", True),
    ],
)
def test_who_prefers_little_is_answered_without_sentences_but_told_why_not(
    club: Club, game: str, prefer: str, told: bool
) -> None:
    minimal = {"Prefer": prefer}
    note = {"on": "0", "text": "hm"}
    answer = club.post(f"/games/{game}/notes", "scribe", note, headers=minimal)
    assert (answer.status_code, bool(answer.json()["told"])) == (200, told)
    assert ("preference-applied" in answer.headers) is not told
    assert answer.json()["data"]
    illegal = {"lines": ["A pick"]}
    refused = club.post(f"/games/{game}/actions", "scribe", illegal, headers=minimal)
    assert (refused.status_code, bool(refused.json()["told"])) == (422, True)


def test_names_that_cannot_be_read_are_named_once_in_every_answer(
    make_club: Callable[..., Club], tmp_path: Path
) -> None:
    """Whoever asks sees pseudonyms and hears why; of the file only the house is told."""
    here = open_store_context(f"sqlite://{tmp_path}/games.db")
    opened = open_table(Caller(here), "benevolent", "A=blue B=red first A", players={"A": "Ana"})
    here.close()
    (tmp_path / "games.people.db").write_bytes(b"noise" * 2000)
    game, club = opened.data.game, make_club()
    for path in ("/games", f"/games/{game}", f"/games/{game}/moves"):
        reply = club.get(path, "organiser")
        assert reply.json()["warnings"] == [
            "the names cannot be read, people are shown by pseudonyms"
        ]
        assert "Ana" not in reply.text
        assert str(tmp_path) not in reply.text
