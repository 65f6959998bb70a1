"""Every export beside a naive reading of the record: each row once, in order, and no other.

What a format says is compared with ``PlainHistory``, which reads the stored lines and knows no
export. The samples, which end, are read in the same way where a format needs a result.
"""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Opening, evolve
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.record.game import Game
from referee.table.author import By
from referee.table.notes import Annotation, annotate
from replays.exports.archive import write_sqlite
from replays.exports.chronicle import rearrangements
from replays.exports.pdf import sheet_data
from replays.exports.render_options import RenderOptions
from replays.exports.stepping import rounds_of, score_rows
from replays.exports.story import Story, words
from replays.formats import export_bytes
from replays.gallery import sample, samples
from tests.record.plain_history import PlainEvent, PlainHistory, PlainMove
from tests.record.random_tables import (
    GAMES,
    NAMES,
    SCRIBE,
    STEPS,
    STRAYED,
    RandomTable,
    Step,
    seeded_steps,
    table_of,
    ticking_bench,
    tried,
    with_toy,
)

STORIES = max(4, int(os.environ.get("REFEREE_CHAOS", "0")))
PRINTED = [name for name in GAMES if name != "toy"]
"""The toy has no name to print."""
BEGUN = st.integers(min_value=0, max_value=20)
OPTIONS = st.builds(
    RenderOptions,
    lang=st.sampled_from(LANGUAGES),
    names=st.sampled_from([{}, NAMES]),
    raw_csv=st.booleans(),
    view=st.sampled_from(["judge", "judge", "judge", "public", "seat:A", "seat:B"]),
)


@pytest.fixture(autouse=True)
def toy_is_a_game() -> Iterator[None]:
    with with_toy():
        yield


def plainly(table: RandomTable) -> PlainHistory:
    return PlainHistory(table.game, table.bench.store.read(table.id))


def said(key: str, lang: Language, **facts: Any) -> str:
    return words().say(key, lang, **facts)


def verdict_of(move: PlainMove, game: Game, lang: Language) -> str:
    """Today's: it stands, it was settled since, or as it was judged."""
    if move.stands:
        return said("status.stands", lang)
    if move.settled:
        told = re.escape(said(f"settled.{move.settled}", lang, by="BY"))
        return told.replace("BY", "#[0-9]+")
    return said(f"outcome.{move.outcome}", lang)


def facts_of(
    event: PlainEvent, game: Game, lang: Language, names: Mapping[str, str] = NAMES
) -> list[str]:
    """What its sentence must name: people by name, readings in words."""
    data = event.data
    keys = ("id", "reason", "text", *(("value",) if event.kind != "reading_fixed" else ()))
    told = [str(data[key]) for key in keys if data.get(key)]
    if event.kind == "reading_fixed":
        reading = game.engine.readings[data["reading"]]
        told += [reading.question.say(lang), reading.values[data["value"]].say(lang)]
    for numbers in (data.get("numbers"), data.get("remove"), data.get("keep")):
        told += [", ".join(f"#{number}" for number in numbers)] if numbers else []
    put_in = [f"#{one['number']}" for one in data.get("insert", ())]
    by_seat = event.kind == "disputed" and data.get("cause", "seat") == "seat"
    seat = data.get("seat") if by_seat or event.kind == "penalised" else None
    seats = [names.get(game.seats.get(seat, ""), seat)] if seat else []
    return [*told, *([", ".join(put_in)] if put_in else []), *seats]


# a spreadsheet


def in_a_cell(text: str, raw: bool) -> str:
    return f"'{text}" if not raw and text[:1] in ("=", "+", "-", "@") else text


@pytest.mark.parametrize("name", GAMES)
@tried(2 * STORIES)
@given(begun=BEGUN, steps=STEPS, options=OPTIONS)
def test_a_spreadsheet_has_every_row_once(
    name: str, begun: int, steps: list[Step], options: RenderOptions
) -> None:
    table = table_of(name, begun, steps)
    written = export_bytes(table.bench, table.game, "csv", options).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(written, newline="")))
    page = plainly(table).page()
    assert len(rows) == len(page)
    for row, line in zip(rows, page, strict=True):
        own = {"at": line.at, "by": options.names.get(line.by, line.by)}
        if isinstance(line, PlainEvent):
            shown = {**dict.fromkeys(row, ""), **own, "action": row["action"], "kind": line.kind}
            assert row == {key: in_a_cell(value, options.raw_csv) for key, value in shown.items()}
            facts = facts_of(line, table.game, options.lang, options.names)
            assert all(fact in row["action"] for fact in facts), (row, line)
            continue
        told = {
            **own, "number": str(line.number), "seat": line.seat or "",
            "action": table.game.engine.text.told_in(line.text, options.lang),
            "verdict": line.outcome,
            "stands": "yes" if line.stands else "",
            "clauses": " ".join(line.clauses), "status": line.status,
            "notes": "\n".join(line.notes), "kind": "action", "settled": line.settled,
        }  # fmt: skip
        if options.view != "judge":
            told = {**told, **{key: row[key] for key in ("action", "clauses", "notes", "settled")}}
        assert row == {key: in_a_cell(told[key], options.raw_csv) for key in row}


@pytest.mark.parametrize("name", PRINTED)
@tried(STORIES)
@given(begun=BEGUN, steps=STEPS, lang=st.sampled_from(LANGUAGES))
def test_markdown_and_the_score_sheet_have_every_line_once(
    name: str, begun: int, steps: list[Step], lang: Language
) -> None:
    table = table_of(name, begun, steps)
    game, plain = table.game, plainly(table)
    options = RenderOptions(lang=lang, names=NAMES)
    markdown = export_bytes(table.bench, game, "md", options).decode()
    rows = re.findall(r"^\| (\d*) ?\| (.*?) \| (.*?)\| (.*?)\| (.*?)\|$", markdown, re.MULTILINE)
    moved = evolve(options, rearranged=rearrangements(game, options.view))
    sheet: Any = sheet_data(Story(game, moved))
    page = plain.page()
    assert len(rows) == len(sheet["lines"]) == len(page)
    people = {seat: options.names[one] for seat, one in game.seats.items() if one in options.names}
    for row, printed, line in zip(rows, sheet["lines"], page, strict=True):
        number, text, verdict, clauses, notes = (part.strip() for part in row)
        if isinstance(line, PlainEvent):
            assert (number, verdict, clauses, notes) == ("", "", "", "")
            assert list(printed) == ["happened"]
            assert all(fact in printed["happened"] for fact in facts_of(line, game, lang))
            assert text == f"*{_escaped(printed['happened'])}*"
            continue
        counts = line.status == "counts"
        told = _escaped(game.engine.text.told_in(line.text, lang))
        assert (number, clauses) == (str(line.number), " ".join(line.clauses))
        assert text == (told if counts else f"~~{told}~~")
        today = verdict_of(line, game, lang)
        fate = "" if counts else f", {said(f'status.{line.status}', lang)}"
        assert re.fullmatch(today + re.escape(fate), verdict.replace("\\", ""))
        assert notes.count("<br>") == max(0, len(line.notes) - 1)
        assert printed["number"] == str(line.number)
        assert printed["text"] == game.engine.text.tell_line(line.text, lang, people)
        assert re.fullmatch(
            today if counts else said(f"status.{line.status}", lang), printed["verdict"]
        )
        assert printed["marked"] == (line.outcome != "legal" and line.settled != "cleared")
        assert (printed["gone"], printed["clauses"]) == (not counts, line.clauses)
        of_it = [note for note in plain.notes.values() if note["number"] == line.number]
        assert [one.split(" ")[0] for one in printed["notes"]] == [note["id"] for note in of_it]
        for one, note in zip(printed["notes"], of_it, strict=True):
            assert note.get("text", "") in one


@pytest.mark.parametrize("format", ["md", "csv", "text"])
@pytest.mark.parametrize("name", PRINTED)
def test_every_note_on_an_action_is_told_however_many_it_has(name: str, format: str) -> None:
    table = table_of(name, 3, [])
    wanted = []
    for number in (0, *table.game.numbers()[:2]):
        for word in ("first", "second", "third"):
            wanted.append(f"{word} of {number}")
            annotate(table.bench, table.id, number, Annotation(wanted[-1]), by=By(SCRIBE))
    written = export_bytes(table.bench, table.game, format, RenderOptions(names=NAMES)).decode()
    assert [note for note in wanted if note not in written] == []


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&$-])", r"\\\1", text)


# the page


def story_inside(page: bytes) -> Any:
    packed = re.search(rb'id="story">\s*([A-Za-z0-9+/=]+)', page)
    assert packed is not None
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))


@pytest.mark.parametrize("name", PRINTED)
def test_a_page_has_every_line_and_every_step_once(name: str) -> None:
    for seed in range(max(1, STORIES // 4)):
        table = table_of(name, 3 + 5 * seed, seeded_steps(seed, 16))
        game, plain = table.game, plainly(table)
        data = story_inside(export_bytes(table.bench, game, "html", RenderOptions(names=NAMES)))
        assert list(data["languages"]) == list(LANGUAGES)
        for lang in LANGUAGES:
            told = data["languages"][lang]
            _page_says(told, plain, game, lang)


def _page_says(told: Any, plain: PlainHistory, game: Game, lang: Language) -> None:
    current = [move for move in plain.in_order() if move not in plain.former_openings]
    counting = [move for move in current if move.status == "counts"]
    left = [move for move in current if move.status != "counts"]
    steps = [step for step in told["steps"] if step["number"] is not None]
    assert [step["number"] for step in steps] == [move.number for move in counting]
    assert [step["number"] for step in told["gone"]] == [move.number for move in left]
    for step, move in zip(steps, counting, strict=True):
        assert step["outcome"] == move.outcome
        assert [clause for clause, *_ in step["reasons"]] == move.clauses
        assert len(step["notes"]) == len(move.notes)
        assert re.fullmatch(verdict_of(move, game, lang), step["verdict"])
        assert step["fate"] == ""
    for step, move in zip(told["gone"], left, strict=True):
        assert said(f"status.{move.status}", lang) in step["fate"]
    page = plain.page()
    assert len(told["lines"]) == len(page)
    for line, expected in zip(told["lines"], page, strict=True):
        if isinstance(expected, PlainEvent):
            assert (line["happened"], line["seq"], line["after"]) == (
                expected.kind, expected.seq, expected.after,
            )  # fmt: skip
            assert all(fact in line["text"] for fact in facts_of(expected, game, lang))
            continue
        assert (line["label"], line["seat"], line["outcome"]) == (
            f"#{expected.number}", expected.seat, expected.outcome,
        )  # fmt: skip
        if expected.status == "counts":
            assert told["steps"][line["step"]]["number"] == expected.number
            assert line["gone"] is None
        else:
            assert line["step"] is None
            assert told["gone"][line["gone"]]["number"] == expected.number
            assert said(f"status.{expected.status}", lang) in line["extra"]


# the archive


def test_the_archive_has_every_row_of_every_game_once(tmp_path: Path) -> None:
    for seed in range(max(1, STORIES // 8)):
        _archived(tmp_path / f"{seed}.db", seed)


def _archived(file: Path, seed: int) -> None:
    def steps_of(at: int) -> list[Step]:
        """At every other table somebody else sits than when it was opened."""
        reseated: list[Step] = [("reseats", at, 0)] if at % 2 == 0 else []
        return [*reseated, *seeded_steps(seed * 50 + at, 24)]

    bench = ticking_bench()
    tables = [
        table_of(name, 4 + 3 * seed, [*steps_of(at), *STRAYED], bench)
        for at, name in enumerate(["pebbles", "toy", "benevolent", "broom_service", "pebbles"])
    ]
    write_sqlite(bench, RenderOptions(names=NAMES), file)
    found = sqlite3.connect(file)
    found.row_factory = sqlite3.Row

    def rows(table: str, game_id: str) -> list[dict[str, Any]]:
        query = f"select * from {table} where game_id = ? order by rowid"
        return [dict(row) for row in found.execute(query, [game_id])]

    ids = [row["id"] for row in found.execute("select id from games order by id")]
    assert ids == [table.id for table in tables]
    for table in tables:
        entries = [json.loads(row.body) for row in bench.store.read(table.id)]
        _game_is_archived(partial(rows, game_id=table.id), table.game, plainly(table), entries)
    found.close()


def _game_is_archived(rows: Any, game: Game, plain: PlainHistory, entries: Any) -> None:
    moves = [plain.moves[number] for number in sorted(plain.moves)]
    key = {"game_id": game.id}
    assert rows("actions") == [
        {
            **key, "number": m.number, "seq": m.seq, "seat": m.seat, "line": m.text,
            "verdict": m.outcome, "stands": int(m.stands), "status": m.status, "at": m.at,
        }
        for m in moves
    ]  # fmt: skip
    assert [(row["number"], row["clause"]) for row in rows("cited")] == [
        (move.number, clause) for move in moves for clause in dict.fromkeys(move.clauses)
    ]
    noted = {entry["data"]["id"]: entry for entry in entries if entry["kind"] == "noted"}
    assert rows("notes") == [
        {
            **key, "id": note["id"], "number": note["number"], "text": note.get("text", ""),
            "glyphs": " ".join(note.get("glyphs", ())), "tags": " ".join(note.get("tags", ())),
            "by": noted[note["id"]]["by"], "at": noted[note["id"]]["at"],
            "on_step": note.get("on"), "marks": " ".join(note.get("marks", ())),
            "arrows": " ".join(map(":".join, note.get("arrows", ()))),
            "clauses": " ".join(note.get("clauses", ())),
            "variation": "; ".join(
                game.engine.text(game.engine.text.load(said["action"]))
                for said in note.get("variation", ())
            ),
            "bookmark": int(note.get("bookmark", False)),
        }
        for note in plain.notes.values()
    ]  # fmt: skip
    assert [
        (row["id"], row["numbers"], row["seat"], row["clause"], row["cause"], row["text"])
        for row in rows("disputes")
    ] == [
        (
            one["id"], " ".join(map(str, one["numbers"])), one.get("seat"), one.get("clause"),
            one.get("cause", "seat"), one.get("text", ""),
        )
        for one in plain.disputes.values()
    ]  # fmt: skip
    ended = {e["data"]["id"]: "withdrawn" for e in entries if e["kind"] == "dispute_closed"}
    ended |= {one["dispute"]: id for id, one in plain.rulings.items() if one.get("dispute")}
    for row in rows("disputes"):
        left = not set(map(int, row["numbers"].split())) & {0, *plain.line}
        undone = "undone" if row["cause"] == "stands" and left else None
        assert row["ended_by"] == ended.get(row["id"], undone)
    assert [
        (row["id"], row["dispute"], row["remedy"], row["reason"]) for row in rows("rulings")
    ] == [
        (one["id"], one.get("dispute"), one.get("remedy", "none"), one["reason"])
        for one in plain.rulings.values()
    ]
    assert [
        (row["seq"], row["at"], row["by"], row["role"], row["kind"], json.loads(row["data"]))
        for row in rows("entries")
    ] == [(e["seq"], e["at"], e["by"], e["role"], e["kind"], e["data"]) for e in entries]
    seated = [entry["data"]["seats"] for entry in entries if entry["data"].get("seats")]
    people = seated[-1]
    assert [(row["seat"], row["person"], row["name"]) for row in rows("seats")] == [
        (seat, people.get(seat), NAMES.get(people.get(seat, ""))) for seat in game.setting.seats
    ]


# the text and the record


@pytest.mark.parametrize("name", PRINTED)
@tried(STORIES)
@given(begun=BEGUN, steps=STEPS)
def test_a_text_and_a_record_have_every_entry_in_the_order_of_recording(
    name: str, begun: int, steps: list[Step]
) -> None:
    table = table_of(name, begun, steps)
    stored = table.bench.store.read(table.id)
    entries = [json.loads(row.body) for row in stored]
    text = export_bytes(table.bench, table.game, "text", RenderOptions()).decode()
    _, told, envelopes = text.split("\n\n")
    heads = [line for line in told.splitlines() if not line.startswith("  ")]
    assert len(heads) == len(entries)
    for line, entry in zip(heads, entries, strict=True):
        kind, data = entry["kind"], entry["data"]
        if kind in ("opened", "logged"):
            sign = {"legal": ".", "illegal": "!", "undecided": "?"}[data["verdict"]["outcome"]]
            assert line.startswith(f"{data.get('number', 0)}{sign} ")
            broken = [one["clause"] for one in data["verdict"].get("breaches", ())]
            assert all(clause in line for clause in broken)
        else:
            assert re.match(rf"%=?{kind} ", f"{line} ")
    assert envelopes.splitlines()[1:] == [
        f"{e['seq']} {e['at']} {e['by']} {e['role']} {e['key']}" for e in entries
    ]
    record = export_bytes(table.bench, table.game, "record", RenderOptions())
    assert record.split(b"\n") == [*(row.body for row in stored), b""]


# what has ended


@pytest.mark.parametrize("name", ["pebbles", *samples()])
def test_a_play_for_bg_stats_says_who_sat_where_and_how_it_ended(name: str) -> None:
    """In the samples seat A begins, in that game of Pebbles seat B."""
    game = RandomTable(name, 99).game if name == "pebbles" else sample(name)
    result = game.engine.result(game.state)
    assert result is not None
    seats = list(game.setting.seats)
    people = {seat: f"Player {seat}" for seat in seats[1:]}
    written = export_bytes(
        None,  # type: ignore[arg-type]
        game, "bgstats",
        RenderOptions(names={game.seats[s]: n for s, n in people.items() if s in game.seats}),
    )  # fmt: skip
    data = json.loads(written)
    (play,) = data["plays"]
    assert [one["seatOrder"] for one in play["playerScores"]] == list(range(1, len(seats) + 1))
    opening = game.steps[0].action
    assert isinstance(opening, Opening)
    begins = opening.begins
    assert (begins == "B") == (name == "pebbles")
    first, last = (datetime.fromisoformat(game.entries[at].at) for at in (0, -1))
    assert abs(play["durationMin"] - (last - first).total_seconds() / 60) <= 0.5
    for seat, score, player in zip(seats, play["playerScores"], data["players"], strict=True):
        assert score["playerRefId"] == player["id"]
        better = [
            other
            for place in result.places
            for other in place
            if seat not in place and _place(result, other) < _place(result, seat)
        ]
        if result.won is None:
            assert score["rank"] == len(better) + 1
            assert score["winner"] == (not better)
        else:
            assert score["winner"] == result.won
        assert score["score"] == str(result.scores.get(seat, ""))
        assert score["startPlayer"] == (seat == begins)
        named = people.get(seat) if seat in game.seats else None
        assert (player["name"], player["isAnonymous"]) == (named or seat, named is None)


@pytest.mark.parametrize("name", samples())
def test_points_are_points_however_few(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No points and none at all are two things: a seat without a score has an empty one."""
    game = sample(name)
    first, *others = game.setting.seats
    result = game.engine.result(game.state)
    for points in (-3, 0, 1, 12):
        ended = evolve(result, scores=dict.fromkeys(others, points))
        monkeypatch.setattr(game.engine, "result", lambda state, ended=ended: ended)
        written = export_bytes(None, game, "bgstats", RenderOptions())  # type: ignore[arg-type]
        (play,) = json.loads(written)["plays"]
        told = dict(zip((first, *others), play["playerScores"], strict=True))
        assert told.pop(first)["score"] == ""
        assert {one["score"] for one in told.values()} <= {str(points)}


def _place(result: Any, seat: str) -> int:
    return next((at for at, place in enumerate(result.places) if seat in place), 99)


@pytest.mark.parametrize("name", samples())
def test_the_points_of_a_score_sheet_are_those_at_the_end_of_each_round(name: str) -> None:
    game = sample(name)
    sheet: Any = sheet_data(Story(game, RenderOptions()))
    result = game.engine.result(game.state)
    assert result is not None
    by_round = name == "broom_service"
    counted = [game.engine.score(step.state) for step in game.steps] if by_round else []
    rounds = sorted({number for number, _ in counted if number is not None})
    expected = [[points for at, points in counted if at == number][-1] for number in rounds]
    expected += [result.scores] if result.scores else []
    if not expected:
        assert sheet["scores"] is None
        return
    seats = list(game.setting.seats)
    before = dict.fromkeys(seats, 0)
    assert len(sheet["scores"]["rows"]) == len(expected)
    for row, points in zip(sheet["scores"]["rows"], expected, strict=True):
        assert row["points"] == [str(points[seat]) for seat in seats]
        assert row["gains"] == [f"{points[seat] - before[seat]:+}" for seat in seats]
        before = {seat: points[seat] for seat in seats}


@pytest.mark.parametrize("name", samples())
def test_every_action_is_told_in_the_round_that_the_chart_showed_before_it(name: str) -> None:
    """Also the last one of a round, after which the chart shows the next."""
    game = sample(name)
    rows = score_rows(game)
    rounds = rounds_of(game)
    assert list(rounds) == game.numbers()
    for number, told in rounds.items():
        shown = [row.round for row in rows if row.number < number][-1]
        assert told == shown, f"#{number}"
    if name == "broom_service":
        assert len(set(rounds.values())) > 1
