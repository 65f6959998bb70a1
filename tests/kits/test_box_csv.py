"""A box as a spreadsheet: what goes out comes in again, and tells what the other doors tell."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from answers.context import Caller, open_store_context
from answers.rulebooks.box_csv import HEADINGS, box_csv, take_csv
from answers.rulebooks.boxes import own_box, tell
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import sound_engines


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
