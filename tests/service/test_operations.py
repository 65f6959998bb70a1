"""An operation that is declared is everywhere: as docs/add-an-operation.md says."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from answers.declaration import OF_THE_CALL, WHOLE, Operation, Params, request_model
from answers.i18n import Voice
from answers.operations import OPERATIONS, answers, roles_for, routes
from answers.permissions import EVERYBODY
from answers.request_names import PUBLISHED
from cli.remote.build_request import request
from cli.remote.caller import RemoteCaller
from cli.remote.http import Reply
from service.openapi import SUBJECTS, document
from service.routing import CONTEXT
from tests.fuzz.limits import unlimited
from tests.service.conftest import Club
from tests.service.toys import TOYS, toys


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Operation]:
    """The toy operation among all others."""
    monkeypatch.setitem(OPERATIONS, TOYS.name, TOYS)
    document.cache_clear()
    yield TOYS
    document.cache_clear()


def test_an_operation_that_is_declared_is_asked_over_http(
    declared: Operation, make_club: Callable[..., Club]
) -> None:
    club = make_club()
    said = {"game": "pebbles", "table": "A B first A"}
    game = club.post("/games", "organiser", said).json()["data"]["game"]
    reply = club.get(f"/games/{game}/toys/7?names=car&names=boat", "scribe")
    assert reply.status_code == 200, reply.text
    body = reply.json()
    assert body["schema"] == "referee/toys@1"
    assert body["data"] == {"game": game, "shelf": 7, "toys": ["car", "boat"]}
    assert body["told"] == ["7: car, boat"]
    assert reply.headers["etag"].startswith(f'"{body["version"]}.')
    assert club.get(f"/games/{game}/toys/seven", "scribe").status_code == 404
    assert club.get(f"/games/{game}/toys/7?names=a&names=b&names=c&names=d", "scribe").is_error


def test_its_grant_is_asked(declared: Operation, make_club: Callable[..., Club]) -> None:
    club = make_club()
    said = {"game": "pebbles", "table": "A B first A"}
    game = club.post("/games", "organiser", said).json()["data"]["game"]
    assert roles_for("toys") == {"organiser", "judge", "scribe"}
    refused = club.get(f"/games/{game}/toys/7", "seat:A", scope=game)
    assert (refused.status_code, refused.json()["code"]) == (403, "role_may_not")


def test_it_is_in_the_document_of_the_api_and_among_the_answers(
    declared: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Voice, "say", lambda self, key, **facts: key)  # it has no words
    told = document("en")["paths"]["/games/{game}/toys/{shelf}"]["get"]
    assert (told["operationId"], told["summary"]) == ("toys", "operation.toys")
    assert told["x-roles"] == ["organiser", "judge", "scribe"]
    assert [each["name"] for each in told["parameters"]] == ["game", "shelf", "names"]
    assert answers()["toys"] is toys
    assert declared in routes()


def test_the_remote_client_asks_it_there(declared: Operation) -> None:
    asked = []

    class Client:
        def ask(self, *said: object, **more: object) -> Reply:
            asked.append((*said, more))
            return Reply({"game": "game-a", "shelf": 7, "toys": []}, ["7: "], (), "done")

    caller = object.__new__(RemoteCaller)
    caller.__dict__.update(requests=Client(), voice=Voice())
    answered = caller.ask(toys, "game-a", 7, names=["car"])
    path = {"game": "game-a", "shelf": "7"}
    assert asked == [(TOYS.http, path, {"names": ["car"]}, {"key": None, "content": None})]
    assert answered.data.shelf == 7


def test_the_remote_client_says_what_the_service_reads_back() -> None:
    why = OPERATIONS["why"]
    asked = request(why, {"game_id": "game-a", "line": "A step c1", "at": 3})
    assert (asked.path, asked.said) == ({"game": "game-a"}, {"line": "A step c1", "at": 3})
    read = why.says
    assert read is not None
    assert issubclass(read, Params)
    assert read(**asked.said).to_args() == {"line": "A step c1", "at": 3}


# what holds for every declaration


@pytest.mark.parametrize("operation", routes(), ids=lambda each: each.name)
def test_whatever_a_request_names_is_a_parameter_of_the_function(operation: Operation) -> None:
    called = [operation.called(parameter) for parameter in operation.parameters]
    assert set(operation.names) <= set(called)
    if operation.says is None:
        return
    if not issubclass(operation.says, Params):
        assert WHOLE in called
    elif operation.says.to_args is Params.to_args:
        assert set(operation.says.model_fields) <= set(called)
    assert not set(operation.parameters) & CONTEXT.keys() & set(operation.names)


def test_what_comes_from_the_request_context_is_never_asked() -> None:
    assert CONTEXT.keys() | {"context"} == OF_THE_CALL


def test_every_number_list_and_text_of_a_request_has_limits() -> None:
    told = document("en")
    parts = told["components"]["schemas"]
    unbound = []
    for path in told["paths"].values():
        for asked in path.values():
            bodies = asked.get("requestBody", {}).get("content", {})
            said = {each["name"]: each["schema"] for each in asked["parameters"]}
            said |= {"body": bodies.get("application/json", {}).get("schema", {})}
            named = {"properties": said}
            unbound += [f"{asked['operationId']} {each}" for each in unlimited(named, parts)]
    assert unbound == []


def test_every_operation_field_and_parameter_of_the_document_says_what_it_means() -> None:
    """In a docstring under the field, or for all fields of its name in ``service/fields.toml``."""
    told, silent = document("en"), []
    listed = {
        each["operationId"]: each for path in told["paths"].values() for each in path.values()
    }
    for name, asked in listed.items():
        fields = {each["name"]: each["schema"] for each in asked["parameters"]}
        silent += [f"{name} {each}" for each in fields if not fields[each].get("description")]
        silent += [name] if not asked.get("description") else []
    parts = told["components"]["schemas"]
    for model, schema in parts.items():
        fields = schema.get("properties", {})
        silent += [f"{model}.{each}" for each in fields if not fields[each].get("description")]
    assert silent == []
    assert "`yes` closes all the same" in listed["finish"]["description"]
    assert "tied seats joined" in parts["ResultRequest"]["properties"]["places"]["description"]
    assert [each["name"] for each in told["tags"]] == list(SUBJECTS)


def test_fractions_are_said_to_be_fractions() -> None:
    def fractions(schema: Any, said: str = "") -> Iterator[str]:
        if isinstance(schema, dict):
            said += schema.get("description", "")
            if [each.get("type") for each in schema.get("prefixItems", ())] == ["integer"] * 2:
                yield said
            for each in schema.values():
                yield from fractions(each, said)
        elif isinstance(schema, list):
            for each in schema:
                yield from fractions(each, said)

    parts = document("en")["components"]["schemas"]
    for model in ("StandingsRow", "TermAnswer", "PartAnswer", "SeasonResult", "SeasonStandingsRow"):
        assert [*fractions(parts[model])], model
        assert all("fraction" in said for said in fractions(parts[model])), model


def test_the_name_of_a_component_is_that_of_its_class_wherever_its_file_stands() -> None:
    """No two classes share one: else both would be called by their modules."""
    names = document("en")["components"]["schemas"]
    models = {each.says for each in routes()} | {each.answers for each in routes()}
    classes = {each.__name__ for each in models if isinstance(each, type)}
    assert classes <= names.keys() | {each for each in classes if "-Input" in each}


def test_no_name_in_the_document_says_where_a_class_stands() -> None:
    assert [name for name in document("en")["components"]["schemas"] if "__" in name] == []


def test_every_name_that_was_published_is_still_that_of_a_request() -> None:
    for name, published in PUBLISHED.items():
        model = OPERATIONS[name].says
        assert model is not None
        assert model.__name__ == published


def test_an_address_with_a_word_goes_before_one_with_a_parameter() -> None:
    paths = [each.path for each in routes()]
    assert paths.index("/access/log") < paths.index("/access/{token}")


SERVICE = Path(__file__).parents[2] / "service"


@pytest.mark.parametrize("module", ["dispatch", "routing", "auth", "conditional", "app", "openapi"])
def test_no_operation_is_treated_apart_by_its_name(module: str) -> None:
    """What one of them needs besides is declared: the machinery asks the declaration."""
    tree = ast.parse((SERVICE / f"{module}.py").read_text("utf-8"))
    compared = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Attribute) and side.attr == "name"
    ]
    named = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "OPERATIONS"
    ]
    assert compared + named == []


def test_no_two_operations_have_the_same_name_or_address() -> None:
    assert len({each.http for each in routes()}) == len(routes())
    assert all(name == each.name for name, each in OPERATIONS.items())


@pytest.mark.parametrize("said", [{"kind": "write"}, {"http": "POST /toys", "kind": "read"}])
def test_a_method_that_does_not_fit_what_is_done_is_refused(said: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="does not"):
        Operation("toy", **{"http": "GET /toys", **said}, grant=EVERYBODY)  # type: ignore[arg-type]


def test_a_get_reads_and_whatever_else_there_is_writes() -> None:
    for method, kind in (
        ("GET", "read"),
        ("POST", "write"),
        ("PATCH", "write"),
        ("DELETE", "write"),
    ):
        assert Operation("toy", f"{method} /toys", grant=EVERYBODY).kind == kind


def test_what_is_local_no_request_can_set() -> None:
    assert "passphrase" in OPERATIONS["seal-make"].parameters
    assert set(OPERATIONS["seal-make"].asked) == {"title", "games"}
    assert OPERATIONS["verify-all"].says is None


def test_two_requests_of_one_name_are_one_or_refused() -> None:
    assert OPERATIONS["hold"].says is OPERATIONS["resume"].says
    with pytest.raises(TypeError, match="another request"):
        request_model("hold", {"reason": int})
