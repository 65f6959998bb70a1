"""Lines that are tried: from a moment by who may see everything, from a position by anybody."""

from __future__ import annotations

import pytest

from answers.context import Caller
from referee.record.positions import declared_data
from replays.gallery import sample, samples
from tests.opening import new_table
from tests.pages.scenes import sample_lines
from tests.service.conftest import Club

TABLE = {"game": "benevolent", "table": "table A=blue B=red first A"}


@pytest.fixture
def game(club: Club) -> str:
    opening, _ = sample_lines("benevolent")
    return new_table(Caller(club.store_context), "benevolent", opening)


def test_nobody_needs_a_token_to_try_a_line_from_a_position(club: Club) -> None:
    said = {"position": TABLE, "lines": ["forest S1A S2A"]}
    reply = club.ask("POST", "/positions/trial", json=said)
    assert reply.status_code == 200
    tried = reply.json()["data"]
    assert [line["verdict"] for line in tried["lines"]] == ["legal"]
    assert tried["accepted"]
    assert tried["picture"].startswith("<svg")


def test_what_is_refused_ends_a_trial_and_is_an_answer_all_the_same(club: Club) -> None:
    said = {"position": TABLE, "lines": ["A pick", "forest S1A S2A"]}
    reply = club.ask("POST", "/positions/trial", json=said)
    assert reply.status_code == 200
    tried = reply.json()["data"]
    assert [line["verdict"] for line in tried["lines"]] == ["illegal"]
    assert not tried["accepted"]


def test_a_trial_writes_nothing(club: Club, game: str) -> None:
    before = len(club.store_context.bench.game(game).entries)
    reply = club.get(f"/games/{game}/trial?lines=forest+S1A+S2A", "scribe")
    assert reply.json()["data"]["lines"][0]["verdict"] == "legal"
    assert len(club.store_context.bench.game(game).entries) == before


def test_who_looks_on_tries_nothing(club: Club, game: str) -> None:
    assert club.get(f"/games/{game}/trial").status_code == 401
    assert club.get(f"/games/{game}/trial", "spectator").status_code == 403


@pytest.mark.parametrize("engine", samples())
def test_a_sample_game_tried_line_by_line_stands_where_its_record_stands(
    club: Club, engine: str
) -> None:
    """From the opening on, for every game: the trial goes the way of the record."""
    game = sample(engine)
    opening, *lines = [game.engine.text(step.action) for step in game.steps if step.action]
    position = {"game": engine, "table": opening, "kit": declared_data(game)}
    reply = club.ask("POST", "/positions/trial", json={"position": position, "lines": lines[:40]})
    tried = reply.json()["data"]
    end = game.steps[min(40, len(lines))]
    assert tried["accepted"]
    assert sorted(tried["words"]) == sorted(game.engine.describe(end.state, end.setting, "en"))
