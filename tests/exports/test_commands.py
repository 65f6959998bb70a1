"""Export and import at the command line."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

import pytest

from referee.untrusted.optional_packages import how_to_add
from replays.formats import FORMATS
from tests.cli.transcripts import run

LINES = (
    '"forest S1A S2A" "pyramid swap_again gift_clover bargain lone_step / sale gift_feather '
    'cheap_crystal / hoard convert_1" "A step c1; pick" "B step c1; pick"'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STORE", "GAME", "LANG", "AS"):
        monkeypatch.delenv(f"REFEREE_{name}", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    assert run('referee -q new benevolent A=blue B=red first A -p A=Zoé --title "Soirée"')[1] == 0
    assert run(f"referee -q log {LINES}")[1] == 0
    return tmp_path


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "bgstats"])
def test_every_format_is_written_and_not_overwritten(folder: Path, format: str) -> None:
    out, code = run(f"referee export {format} -o out.{format} --width 120 --json")
    assert code == 0, out
    made = (folder / f"out.{format}").read_bytes()
    assert json.loads(out)["data"]["bytes"] == len(made) > 100
    assert run(f"referee export {format} -o out.{format}")[1] == 5
    assert run(f"referee export {format} -o out.{format} --width 120 --force")[1] == 0


@pytest.mark.parametrize("before", [None, b"as it was"])
@pytest.mark.parametrize("format", ["html", "webp", "gif", "sqlite"])
def test_a_cancelled_export_leaves_no_half_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, format: str, before: bytes | None
) -> None:
    def cancelled(done: int, total: int) -> None:
        raise KeyboardInterrupt

    def half_written(draft: Path, *_: object) -> None:
        draft.write_bytes(b"half")
        raise KeyboardInterrupt

    if before is not None:
        (folder / "out").write_bytes(before)
    monkeypatch.setattr("cli.commands.import_export.progress_of", lambda: cancelled)
    monkeypatch.setattr("answers.review.import_export.export_into", half_written)
    there = set(folder.iterdir())
    assert run(f"referee export {format} -o out --width 120 --force")[1] == 130
    assert set(folder.iterdir()) == there
    assert before is None or (folder / "out").read_bytes() == before


@pytest.mark.parametrize("format", ["record", "text", "html"])
def test_names_travel_only_when_asked(folder: Path, format: str) -> None:
    assert run(f"referee export {format} -o with.x --names")[1] == 0
    assert run(f"referee export {format} -o without.x")[1] == 0
    for file, name in (("with.x", "Zoé"), ("without.x", None)):
        assert run(f"referee verify {file}")[1] == 0
        out, code = run(f"referee --store {file}.db import {file}")
        assert code == 0, out
        told = json.loads(run(f"referee --store {file}.db info --json")[0])["data"]
        assert ("Zoé" in json.dumps(told, ensure_ascii=False)) == (name is not None)
        assert run(f"referee --store {file}.db verify")[1] == 0


def test_a_bad_line_stores_nothing(folder: Path) -> None:
    run("referee export text -o game.txt")
    text = (folder / "game.txt").read_text("utf-8")
    (folder / "bad.txt").write_text(text.replace("A step c1", "A step c9"), "utf-8")
    line = text[: text.index("A step c1")].count("\n") + 1
    out, code = run("referee --store new.db import bad.txt")
    assert (code, f"line {line}:" in out) == (6, True), out
    run("referee --store new.db store init")
    assert json.loads(run("referee --store new.db games --json")[0])["data"]["games"] == []


def test_a_missing_extra_tells_the_line_that_installs_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    out, code = run("referee export pdf -o sheet.pdf")
    assert code == 2
    assert out.rstrip().endswith(how_to_add("pdf"))
    assert not (folder / "sheet.pdf").exists()


def test_an_archive_has_every_game_and_every_name(folder: Path) -> None:
    assert run("referee -q new benevolent A=blue B=red first B -p A=Bo")[1] == 0
    assert run("referee export sqlite -o all.db --names")[1] == 0
    with sqlite3.connect(folder / "all.db") as database:
        names = database.execute("select name from seats where name is not null").fetchall()
    database.close()
    assert sorted(names) == [("Bo",), ("Zoé",)]


def test_a_page_for_a_seat_carries_no_record(folder: Path) -> None:
    assert run("referee export html -o seat.html --view public")[1] == 0
    assert run("referee --store new.db import seat.html")[1] == 6
