"""Lines cut short, in lists of lines that are made up."""

from __future__ import annotations

import pytest

from engines.kernel.notation.abbreviations import (
    Line,
    PlacingShorthand,
    beginnings,
    forced,
    laid,
    only,
)

STEPS = [tuple(line.split()) for line in ("step c1", "step c1 to a3", "step a3 to c1", "swap hat")]
KEEP = [("keep",), ("keep", "coin"), ("keep", "silver_token")]
RUSES = [("ruse", "t1", "to", "B:o1@2"), ("ruse", "t11", "to", "B:o1@1")]


@pytest.mark.parametrize(
    ("lines", "typed", "meant"),
    [
        (STEPS, "sc1", "step c1"),
        (STEPS, "ST C1", "step c1"),
        (STEPS, "h", "swap hat"),
        (STEPS, "c1a", "step c1 to a3"),
        (STEPS, "a c", "step a3 to c1"),
        (STEPS, "s", None),
        (STEPS, "c1 x", None),
        (STEPS, "", None),
        (STEPS, "…", None),
        (KEEP, "k", "keep"),
        (KEEP, "kc", "keep coin"),
        (KEEP, "kst", "keep silver_token"),
        (RUSES, "t1o12", "ruse t1 to B:o1@2"),
        (RUSES, "t11", "ruse t11 to B:o1@1"),
        (RUSES, "t1", "ruse t1 to B:o1@2"),
        (RUSES, "ro1", None),
    ],
)
def test_the_one_line_that_begins_so_is_meant(
    lines: list[Line], typed: str, meant: str | None
) -> None:
    for order in (lines, lines[::-1]):
        line = only(beginnings(typed, order))
        assert (line and " ".join(line)) == meant


def test_a_line_that_leaves_nothing_out_comes_first() -> None:
    assert beginnings("e", [("fix", "E3"), ("end",)]) == [("end",)]


def test_what_all_lines_begin_with_is_forced() -> None:
    assert forced(STEPS[:3]) == ("step",)
    assert forced(STEPS) == ()
    assert forced([]) == ()


class Row:
    """Places a, b, c that are filled with tiles F01, F02 or W1, each with a side."""

    TILES = ("F01", "F02", "F12", "W1", "fern")

    def __init__(self, laid: tuple[str, ...] = ()) -> None:
        self.tiles = laid

    def offered(self, line: Line) -> dict[str, str]:
        words = ("n", "nw", "w") if len(line) > 2 else self.TILES
        return {word.lower(): word for word in words if word not in self.tiles}

    def after(self, line: Line) -> Row | None:
        whole = len(line) == 4 and line[2] not in self.tiles
        return Row((*self.tiles, line[2])) if whole else None

    def place(self) -> str | None:
        return "abc"[len(self.tiles)] if len(self.tiles) < 3 else None


ROW = PlacingShorthand("tile", Row.offered, Row.after, Row.place)


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("F01 n F02 w", ["tile a F01 n", "tile b F02 w"]),
        ("01nw02n", ["tile a F01 nw", "tile b F02 n"]),
        ("01n w1nw", ["tile a F01 n", "tile b W1 nw"]),
        ("01nw1nw", None),  # nobody can say whose the first w is
        ("f1", None),
        ("12n 12n", None),
        ("01n 02n 12n W1n", None),
        ("fe n", ["tile a fern n"]),
        ("01", None),
        ("", None),
    ],
)
def test_what_is_laid_goes_from_place_to_place(said: str, lines: list[str] | None) -> None:
    found = laid(Row(), said.split(), ROW)
    assert (found and [" ".join(line) for line in found]) == lines


def test_signs_between_parts_are_put_where_they_make_a_legal_line() -> None:
    def after(now: int, line: Line) -> int | None:
        return 1 if line == ("p", "x", "x", "/", "y", "/", "x") else None

    pyramid = PlacingShorthand("p", lambda now, line: {"x": "x", "y": "y"}, after, signs=("/", "/"))
    assert laid(0, ["xxyx"], pyramid) == [("p", "x", "x", "/", "y", "/", "x")]
    assert laid(0, ["xxyy"], pyramid) is None
