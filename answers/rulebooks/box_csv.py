"""The data of a box as a spreadsheet: what is asked, what is known, and what was seen."""

from __future__ import annotations

import json
from functools import partial
from itertools import islice
from typing import Any

from answers.answer import Answered
from answers.box_words import question_label, title
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, Local, operation
from answers.file_answers import File
from answers.permissions import KEEPERS, TABLE
from answers.rulebooks import boxes
from engines.kernel import Verbatim
from engines.kernel.box.kit import PART
from engines.kernel.box.tour import Question, Stated, apart, spelled
from engines.kernel.rules.actions import by_one_name
from referee.errors import Unfit
from referee.untrusted.safe_csv import BadCsv, decoded, out_of_cell, read_rows, safe_csv
from referee.untrusted.safe_json import UnsafeJson, read_json

HEADINGS = ("path", "what", "value", "seen")
SEEN = "x"
MOST_ROWS = 3000
MOST_CHARACTERS = 1_000_000


@operation(
    "kit-csv",
    "GET /engines/{engine}/box/csv",
    grant=TABLE,
    scope="token",
    file=NAMED_BY_FUNCTION,
    etag="content",
)
def box_csv(caller: Caller, game: str, *, kit: boxes.BoxName = boxes.OWN) -> File:
    """Every question about a box: a row each, a cross where somebody has looked."""
    box, voice = boxes.own_box(caller, game, kit), caller.voice
    rows: list[tuple[str, ...]] = [HEADINGS]
    for page in box.tour.pages:
        place = title(voice, box.engine, page)
        for question in page.questions:
            what = f"{place}: {question_label(voice, box.engine, question)}"
            path = boxes.shown_path(box.tour.sheet, question.path)
            rows.append((path, what, _written(question), "" if question.open else SEEN))
    return File(f"{game}-box.csv", safe_csv(rows).encode())


@operation(
    "kit-csv-take",
    "POST /engines/{engine}/box/csv",
    grant=KEEPERS,
    upload="answers.requests.uploads:spreadsheet",
    answer="kit-told",
)
def take_csv(
    caller: Caller, game: str, content: Local[bytes], *, kit: boxes.BoxName = boxes.OWN
) -> Answered[boxes.BoxToldAnswer]:
    """Tell a box by a spreadsheet: rows with a cross, and rows whose value is another one.

    What borders on a region follows from its neighbours too: a row that says no more than the rows
    with a cross is nobody's word.
    """
    box = boxes.own_box(caller, game, kit)
    asked = {question.path: question for question in box.questions}
    rows = by_one_name(
        ((row[0], row) for row in _rows(content)), partial(boxes.asked_path, box.tour.sheet, asked)
    )
    said: dict[str, Any] = {}
    parts = dict(box.tour.stated)
    for datum, (path, value, seen) in rows.items():
        question = asked[datum]
        as_shown = _is_so(question, value)
        if seen and (question.open or not as_shown):
            read = question.value if as_shown else _read(question, path, value)
            said[datum] = boxes.checked_value(box, question, read)
            parts |= {datum: Stated(said[datum], "")} if PART in datum else {}
    tour = box.telling(parts).tour
    for datum, (path, value, seen) in rows.items():
        question = tour.question(datum) if PART in datum else asked[datum]
        if not seen and not _is_so(question, value):
            said[datum] = _read(question, path, value)
    return boxes.keep(caller, game, said, kit=kit)


def _is_so(question: Question, text: str) -> bool:
    """Whether a cell says what is known already, in whatever order."""
    known = _written(question)
    unordered = question.kind == "several" and not question.ordered
    return known == (" ".join(sorted(text.split())) if unordered else text)


def _rows(content: bytes) -> list[tuple[str, str, str]]:
    text = decoded(content)
    if len(text) > MOST_CHARACTERS:
        raise Unfit("bad_box_csv")
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        head, *rows = islice(read_rows(text, delimiter), MOST_ROWS + 1)
        columns = [[cell.strip() for cell in head].index(name) for name in ("path", "value")]
    except (BadCsv, ValueError):  # no heading row, or without these columns
        raise Unfit("bad_box_csv") from None
    seen = head.index("seen") if "seen" in head else len(head)
    told = [[out_of_cell(cell.strip()) for cell in row] for row in rows]
    return [
        (row[columns[0]], row[columns[1]], "".join(row[seen : seen + 1]))
        for row in told
        if len(row) > max(columns) and row[columns[0]]
    ]


def _written(question: Question) -> str:
    value = question.value
    if question.kind in ("several", "signs"):
        value = apart(question)
    if question.kind == "several" and not question.ordered:
        value = sorted(map(str, value))
    if isinstance(value, list | tuple):
        nested = any(isinstance(one, list | tuple) for one in value)
        return json.dumps(value) if nested else " ".join(map(str, value))
    return "" if value is None else str(value)


def _read(question: Question, path: str, text: str) -> Any:
    """A cell as a value; what is no choice is left to the check of the box."""
    words = text.split()
    if question.kind in ("several", "signs"):
        choices = {str(choice): choice for choice in question.choices}
        return spelled(question, [choices.get(word, word) for word in words])
    if question.kind == "one":
        return next((choice for choice in question.choices if str(choice) == text), text)
    if text.startswith("["):
        return _nested(path, text)
    if isinstance(question.value, list | tuple):
        return [_plain(word) for word in words]
    value = _plain(text)
    if question.kind == "number" and isinstance(value, str):
        raise Unfit("not_a_number_at", path=Verbatim(path), value=Verbatim(text[:40]))
    return value


def _nested(path: str, text: str) -> Any:
    """A list of lists, as JSON."""
    try:
        return read_json(text.encode())
    except UnsafeJson:
        raise Unfit("not_a_number_at", path=Verbatim(path), value=Verbatim(text[:40])) from None


def _plain(word: str) -> str | int:
    digits = word.removeprefix("-")
    return int(word) if digits.isdecimal() and len(digits) < 10 else word
