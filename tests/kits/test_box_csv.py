"""A box as a spreadsheet: what goes out comes in again, and tells what the other doors tell."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from answers.context import Caller, open_store_context
from answers.rulebooks.box_csv import HEADINGS, box_csv, take_csv
from answers.rulebooks.boxes import keep, own_box, tell
from engines.kernel.box.tour import Question, spelled
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import sound_engines
from service.app import make_app
from service.settings import Settings
from tests.cli.conftest import as_newcomer
from tests.cli.transcripts import run


def caller() -> Caller:
    return Caller(open_store_context("memory:"))


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode())))


def written(rows: list[list[str]], delimiter: str = ",") -> bytes:
    made = StringIO()
    csv.writer(made, delimiter=delimiter).writerows(rows)
    return made.getvalue().encode()


@pytest.mark.parametrize("game", [engine.id for engine in sound_engines()])
def test_a_table_with_a_cross_in_every_row_confirms_the_whole_box(game: str) -> None:
    here = caller()
    rows = table(box_csv(here, game).content)
    if len(rows) == 1:
        pytest.skip("nothing of this box is assumed")
    before = own_box(here, game)
    crossed = [rows[0], *([*row[:3], "x"] for row in rows[1:])]
    assert take_csv(here, game, written(crossed, ";")).data.left == 0
    after = own_box(here, game)
    assert {path: said.value for path, said in after.tour.stated.items()} == {
        question.path: question.value for question in before.questions
    }
    assert all(row[3] == "x" for row in table(box_csv(here, game).content)[1:])


def test_what_differs_is_told_as_the_other_doors_tell_it() -> None:
    here, other = caller(), caller()
    rows = [
        [*HEADINGS],
        ["front.regions.F1.terrain", "", "hill", ""],
        ["front.borders#F1", "", "H1 M1", ""],
        ["front.towers.t05.vp", "", "7", ""],
        ["front.towers.t06.vp", "", "4", ""],  # as it is shown, and nobody has looked
        ["roles.hg.brave", "", "g o w", ""],
        ["scoring.lightning", "", "0 1 2 4 6 9 12 15 19 23 28 33 39", ""],
    ]
    take_csv(here, "broom_service", b"\xef\xbb\xbf" + written(rows))
    tell(
        other,
        "broom_service",
        {
            "front.regions.F1.terrain": "hill",
            "front.borders#F1": ["H1", "M1"],
            "front.towers.t05.vp": 7,
            "roles.hg.brave": [["g"], ["o"], ["w"]],
            "scoring.lightning": [0, 1, 2, 4, 6, 9, 12, 15, 19, 23, 28, 33, 39],
        },
    )
    told, meant = (c.store_context.boxes.seen("broom_service", "own") for c in (here, other))
    assert told == meant


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"name,value\r\nA,1\r\n",
        b"path,value\r\nfront.banners,green\r\n",
        b"path,value\r\nnowhere,1\r\n",
        b"path,value\r\nfront.regions.F1.terrain,lava\r\n",
        b"path,value\r\nfront.towers.t05.vp,=1+1\r\n",
        b"path,value\r\nfront.towers.t05.vp,99999999999999\r\n",
        b'path,value\r\n"front.towers.t05.vp,' + b"9" * 200_000,
    ],
)
def test_a_table_that_is_none_is_refused_and_nothing_is_kept(content: bytes) -> None:
    here = caller()
    with pytest.raises(MessageError):
        take_csv(here, "broom_service", content)
    assert own_box(here, "broom_service").tour.stated == {}


GAMES = [engine.id for engine in sound_engines()]
SEEDS = range(3)
SOME = 12
"""So many data are told."""


def seen_otherwise(question: Question, by_chance: Random) -> Any:
    """Another value that somebody could see there."""
    if question.kind == "number":
        return by_chance.randrange(10)
    if question.kind == "one":
        return by_chance.choice(question.choices)
    if question.kind == "several" and question.choices and not question.ordered:
        return spelled(question, by_chance.sample(question.choices, len(question.choices) // 2))
    return question.value


def some(here: Caller, game: str, seed: int) -> None:
    """Tell some of a box: what does not fit together is refused, and told as it is."""
    by_chance = Random(seed)
    asked = own_box(here, game).questions
    for question in by_chance.sample(asked, min(len(asked), SOME)):
        try:
            keep(here, game, {question.path: seen_otherwise(question, by_chance)})
        except MessageError:
            keep(here, game, {question.path: question.value})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_what_goes_out_comes_in_again_whatever_was_told(game: str, seed: int) -> None:
    here, there = caller(), caller()
    some(here, game, seed)
    content = box_csv(here, game).content
    take_csv(there, game, content)
    assert box_csv(there, game).content == content


@pytest.mark.parametrize("game", GAMES)
def test_page_and_command_line_write_and_read_the_same_table(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_newcomer(tmp_path, monkeypatch)
    stores = {door: open_store_context(f"sqlite://{tmp_path}/{door}.db") for door in DOORS}
    some(Caller(stores["page"]), game, 7)
    client = TestClient(make_app(stores["page"], Settings(hosts=("testserver",))))
    token = stores["page"].access.give("organiser", "", "porg")[1]
    place = f"/api/v1/engines/{game}/box/csv"
    headers = {"Authorization": f"Bearer {token}"}
    served = client.get(place, headers=headers).content
    out, code = run(f"referee --store {tmp_path}/page.db kit csv {game} -o box.csv")
    assert (code, (tmp_path / "box.csv").read_bytes()) == (0, served), out
    rows = table(served)
    crossed = written([rows[0], *([*row[:3], "x"] for row in rows[1:])])
    (tmp_path / "crossed.csv").write_bytes(crossed)
    out, code = run(f"referee --store {tmp_path}/terminal.db kit csv {game} crossed.csv")
    assert code == 0, out
    reply = client.post(place, headers=headers, content=crossed)
    assert reply.status_code == 200
    printed, code = run(f"referee --store {tmp_path}/terminal.db kit csv {game}")
    assert table(printed.encode()) == table(client.get(place, headers=headers).content)
    by_page, by_terminal = (own_box(Caller(stores[door]), game) for door in DOORS)
    assert {*by_page.tour.stated} == {*by_terminal.tour.stated}


DOORS = ("page", "terminal")
