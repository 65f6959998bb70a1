"""Whatever the document of the API allows to be asked is answered as it says, and by no fault."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from answers.context import open_store_context
from answers.tournament.lifecycle import create
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from service.app import make_app
from service.openapi import BASE, LIVE, document
from service.settings import Settings
from tests.opening import new_table
from tests.service.conftest import PLENTY
from tests.waiting import PATIENCE

TRIES = 4 * int(os.environ.get("REFEREE_CHAOS", "1"))
FEW = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@cache
def store_context() -> tuple[object, str, str, str]:
    """A house with a game and a tournament, and the token of its organiser."""
    made = open_store_context("memory:")
    from answers.context import Caller

    organiser = Caller(made, Author(role="organiser"))
    opened = new_table(organiser, "pebbles", "A B first A")
    event = create(organiser, "Spring", usual_plan("pebbles", "swiss", 3)).data.tournament
    _, token = made.access.give("organiser", "", "anonymous")
    app = make_app(made, Settings(limits=PLENTY, any_host=True))
    return app, opened, event, token


def told() -> dict[str, object]:
    """The document without what never ends, nor what would end the house."""
    full = document("en")
    paths = {
        f"{BASE}{path}": methods
        for path, methods in full["paths"].items()
        if path not in LIVE.values()
    }
    return {**full, "paths": paths, "servers": [{"url": "/"}]}


app, GAME, TOURNAMENT, TOKEN = store_context()
schema = schemathesis.openapi.from_dict(told())
schema.app = app


@schema.parametrize()
@FEW
def test_every_request_of_the_document_is_answered_as_it_says(case: schemathesis.Case) -> None:
    ask(case)


@pytest.mark.deep
@schema.parametrize()
@settings(FEW, max_examples=TRIES)
def test_more_requests_of_the_document_are_answered_as_it_says(case: schemathesis.Case) -> None:
    ask(case)


def ask(case: schemathesis.Case) -> None:
    names = {"game": GAME, "tournament": TOURNAMENT, "engine": "pebbles"}
    for name, made_up in (case.path_parameters or {}).items():
        if name in names and len(made_up) % 4:
            case.path_parameters[name] = names[name]
    case.headers["Authorization"] = f"Bearer {TOKEN}"
    case.cookies.clear()
    case.call_and_validate(checks=CHECKS, timeout=PATIENCE)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
