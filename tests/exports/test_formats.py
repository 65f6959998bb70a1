"""Every other format: readable, true to the record, harmless in the programs that open it."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import sys
from io import BytesIO, StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answers.problems import kind_of
from engines.kernel.messages.catalogue import Language
from engines.kernel.picture.svg import Picture, Svg, text
from referee.errors import Conflicting, Misused, NotFound
from referee.record.game import Game, rearranged
from referee.secrecy.redaction import seen
from referee.table.author import SCRIBE, By
from referee.table.bench import Bench
from referee.table.corrections import undo
from referee.table.lifecycle import hold
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import log
from referee.untrusted.safe_csv import in_cell
from replays.exports.archive import TABLES
from replays.exports.fonts import are_shipped, font_file
from replays.exports.rasterizer import rendered
from replays.exports.render_options import RenderOptions
from replays.exports.text_formats import CSV_COLUMNS, in_markdown
from replays.formats import FORMATS, export_bytes
from tests.deep import first
from tests.exports.tables import HOSTILE, eventful, quiet_bench, recorded
from tests.playing import playable_games

Image = pytest.importorskip("PIL.Image", reason="no pillow: pip install .[pictures]")
ImageFont = pytest.importorskip("PIL.ImageFont", reason="no pillow: pip install .[pictures]")
GAMES = [name for name in playable_games() if name != "pebbles"]
NAMES = {"pana": "Zoé"}
Table = tuple[Bench, Game]
SLOW_OR_ODD = ("bgstats", "sqlite", "webp", "gif")


@pytest.fixture(scope="module", params=GAMES)
def table(request: pytest.FixtureRequest) -> Table:
    bench = quiet_bench()
    return bench, eventful(bench, request.param, limit=12)


def made(table: Table, format: str, **options: object) -> bytes:
    return export_bytes(*table, format, RenderOptions(names=NAMES, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in SLOW_OR_ODD])
def test_the_same_record_gives_the_same_bytes(table: Table, format: str) -> None:
    width = 200
    assert made(table, format, width=width) == made(table, format, width=width)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_picture_is_well_formed_and_has_a_name(table: Table, lang: Language) -> None:
    root = ElementTree.fromstring(made(table, "svg", lang=lang))
    kin = "{http://www.w3.org/2000/svg}"
    title, description = root.find(f"{kin}title"), root.find(f"{kin}desc")
    assert title is not None
    assert title.text
    assert description is not None
    assert description.text
    assert root.get("role") == "img"


def test_marks_and_arrows_are_drawn_where_the_note_is(table: Table) -> None:
    game = table[1]
    marked = next(note for note in game.notes.values() if note.marks)
    plain = next(note for note in game.notes.values() if not note.marks)
    assert b"#b00020" in made(table, "svg", at=marked.number)
    assert b"#b00020" not in made(table, "svg", at=plain.number)


def test_a_raster_picture_has_the_asked_width(table: Table) -> None:
    assert Image.open(BytesIO(made(table, "png", width=360))).width == 360
    with pytest.raises(NotFound):
        made(table, "png", at=9999)


def test_letters_are_really_drawn() -> None:
    """A renderer without the font leaves all text out and says nothing."""

    def dark(label: str, **style: object) -> int:
        words = text(100, 60, label, 40, fill="#000000", **style)
        svg = Picture(200, 100, Svg(words)).svg("t", "d")
        grey = Image.open(BytesIO(rendered(svg, 200))).convert("L")
        return sum(grey.histogram()[:100])

    assert dark("") == 0
    assert dark("Œuf à l’été") > 500
    assert dark("MM", font_weight="bold") > 1.1 * dark("MM")
    assert dark("a\u202fb") == dark("a\u00a0b")


@pytest.mark.parametrize("format", first(1, ["webp", "gif"]))
def test_a_moving_picture_has_a_frame_for_every_step(table: Table, format: str) -> None:
    game = table[1]
    moving = Image.open(BytesIO(made(table, format, width=160)))
    seen = sum(1 for _ in _frames(moving))
    states = {step.number for step in game.steps}
    assert moving.is_animated
    assert len(states) // 2 < seen <= len(game.steps)


def _frames(moving: object) -> object:
    from PIL import ImageSequence

    return ImageSequence.Iterator(moving)  # type: ignore[arg-type]


def test_a_score_sheet_is_a_pdf(table: Table) -> None:
    sheet = made(table, "pdf")
    assert sheet.startswith(b"%PDF-")
    assert sheet != made(table, "pdf", lang="fr")


def test_markdown_runs_nothing(table: Table) -> None:
    page = made(table, "md").decode()
    assert "onerror" in page
    assert re.search(r"(?<!\\)<(?!br>)", page) is None
    game = table[1]
    assert sum(line.startswith("| ") for line in page.splitlines()) >= len(game.numbers())


def test_markdown_keeps_the_spaces_of_french_typography() -> None:
    assert in_markdown("«\u202foui\u202f»\u202f:\n  non ") == "«\u202foui\u202f»\u202f: non"


def test_a_spreadsheet_runs_nothing(table: Table) -> None:
    rows = list(csv.reader(StringIO(made(table, "csv").decode("utf-8-sig"))))
    assert rows[0][0] == "number"
    assert [row[0] for row in rows[1:4]] == ["0", "1", "2"]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for row in rows for cell in row)
    assert {"counts", "corrected"} <= {row[6] for row in rows}


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])
def test_formulas_become_words(cell: str) -> None:
    assert in_cell(cell) == "'" + cell


def test_raw_cells_on_request() -> None:
    bench = quiet_bench()
    game = open_game(bench, "benevolent", "table A=blue B=red first A").game
    log(bench, game.id, "forest S1A S2A")
    game = annotate(bench, game.id, 1, Annotation("=1+1"), by=By(SCRIBE)).game
    assert b'"\'=1+1"' in made((bench, game), "csv")
    assert b'"=1+1"' in made((bench, game), "csv", raw_csv=True)


def test_a_play_says_who_began() -> None:
    from replays.gallery import sample

    game = sample("broom_service")
    play = json.loads(made((quiet_bench(), game), "bgstats"))
    scores = play["plays"][0]["playerScores"]
    assert game.opened.opening["first"] == "A"
    assert [score["startPlayer"] for score in scores] == [True, False]
    assert [score["score"] for score in scores] == ["76", "77"]
    assert play["games"][0]["bggId"] == 172308
    assert play["plays"][0]["board"] == "A=red B=blue first A side front"
    assert play["plays"][0]["durationMin"] >= 0


def test_a_finished_play_for_bg_stats() -> None:
    bench = quiet_bench()
    game = recorded(bench, "benevolent", limit=1000)
    play = json.loads(made((bench, game), "bgstats"))
    scores = play["plays"][0]["playerScores"]
    assert play["players"][0]["name"] == "Zoé"
    assert sorted(score["rank"] for score in scores)[0] == 1
    assert any(score["winner"] for score in scores)
    assert "bggId" not in play["games"][0], "what nobody knows is not said"
    unfinished = recorded(bench, "benevolent", limit=10)
    with pytest.raises(Conflicting):
        made((bench, unfinished), "bgstats")


def test_a_playthrough_shows_only_what_differs(table: Table) -> None:
    game = table[1]
    told = made(table, "playthrough").decode()
    assert told.count("\nverdict ") == len(game.steps)
    assert told.count("\nchoices ") == len(game.steps)
    assert game.id not in told
    shorter = quiet_bench()
    again = recorded(shorter, game.engine.id, limit=5)
    longer = recorded(shorter, game.engine.id, limit=6)
    before = made((shorter, again), "playthrough").decode()
    assert made((shorter, longer), "playthrough").decode().startswith(before)


def test_the_archive_answers_questions(table: Table, tmp_path: Path) -> None:
    bench, game = table
    recorded(bench, "benevolent", limit=5)
    file = tmp_path / "archive.db"
    file.write_bytes(made(table, "sqlite"))
    database = sqlite3.connect(file)

    def asked(question: str, *values: object) -> list[tuple[object, ...]]:
        return database.execute(question, values).fetchall()

    assert asked("select count(*) from games") == [(len(bench.store.streams("game-")),)]
    assert asked("select count(*) from entries where game_id = ?", game.id) == [
        (len(game.entries),)
    ]
    assert asked("select head from games where id = ?", game.id) == [(game.head,)]
    assert asked("select name from seats where game_id = ? and seat = 'A'", game.id) == [("Zoé",)]
    found = asked(
        "select n.id from notes n join notes_fts f on f.rowid = n.rowid"
        " where n.game_id = ? and notes_fts match 'look'",
        game.id,
    )
    assert len(found) == 1
    tables = {name for (name,) in asked("select name from sqlite_master where type = 'table'")}
    assert set(TABLES) <= tables
    database.close()


def test_the_guide_describes_every_table_and_column() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "export.md").read_text("utf-8")
    for format in FORMATS:
        assert f"`{format}`" in guide
    for table, (columns, _) in TABLES.items():
        for name in (table, *columns):
            assert f"`{name}`" in guide, f"{table}.{name}"


@pytest.mark.parametrize("guide", ["docs/export.md", "docs/fr/export.md"])
def test_the_guide_lists_the_columns_of_the_spreadsheet_in_their_order(guide: str) -> None:
    text = (Path(__file__).parents[2] / guide).read_text("utf-8")
    table = text.partition("<!-- csv columns -->\n\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z]+)` \| .+ \|$", table, re.MULTILINE) == list(CSV_COLUMNS)


def test_a_row_that_is_no_action_says_what_was_recorded_by_whom_and_when() -> None:
    bench = quiet_bench()
    game = open_game(bench, "benevolent", "table A=blue B=red first A").game
    game = hold(bench, game.id, reason="lunch").game
    opening, held = csv.DictReader(StringIO(made((bench, game), "csv").decode("utf-8-sig")))
    assert (opening["number"], opening["verdict"], opening["kind"]) == ("0", "legal", "action")
    filled = {name: cell for name, cell in held.items() if cell}
    assert filled.keys() == {"action", "at", "by", "kind"}
    assert filled["kind"] == "held"
    assert "lunch" in filled["action"]
    assert filled["at"] == game.entries[-1].at


@pytest.mark.parametrize(
    ("format", "module", "extra"),
    [("png", "resvg_py", "pictures"), ("gif", "PIL.Image", "pictures"), ("pdf", "typst", "pdf")],
)
def test_a_missing_extra_is_named(
    format: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = quiet_bench()
    game = open_game(bench, "benevolent", "table A=blue B=red first A").game
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Misused) as missing:
        made((bench, game), format)
    assert missing.value.facts == {"extra": extra}
    assert kind_of(missing.value) == "misused"


def test_nothing_hostile_is_markup(table: Table) -> None:
    for format in ("html", "svg"):
        assert HOSTILE.encode() not in made(table, format)


@pytest.mark.parametrize("view", ["judge", "public"])
@pytest.mark.parametrize("name", playable_games())
def test_a_past_correction_says_what_was_moved_on_the_table(name: str, view: str) -> None:
    """The difference that was told then, as far as the reader may know it."""
    bench = quiet_bench()
    before = recorded(bench, name, limit=50)
    after = undo(bench, before.id, 3).game
    log(bench, before.id, before.steps[-3].action)
    told = rearranged(seen(before, view), seen(after, view)).told(before.engine.words, "fr")
    options = RenderOptions(lang="fr", view=view)
    text = export_bytes(bench, bench.game(before.id), "csv", options).decode()
    actions = [row["action"] for row in csv.DictReader(StringIO(text))]
    (undone,) = [action for action in actions if "Annulé par" in action]
    expected = f"sur la table\u202f: {' · '.join(told)}" if told else ""
    assert undone.endswith(expected)
    assert ("sur la table" in undone) is bool(told)


@given(letter=st.characters(min_codepoint=0x100, categories=["L", "N", "P", "S"]))
@example("ő")
@example("ộ")
@example("ש")
@example("☐")
def test_what_our_fonts_are_said_to_have_they_have(letter: str) -> None:
    """The same square stands for all that our font does not have."""
    font = ImageFont.truetype(font_file("Regular"), 40)
    had = bytes(font.getmask(letter)) not in (b"", bytes(font.getmask("\ue000")))
    assert had or not are_shipped(letter)


@pytest.mark.parametrize("name", ["Łukasz", "Žofie", "Şükrü", "Ștefan", "Ősz", "Þór", "Jānis"])
def test_a_name_is_drawn_and_printed_with_our_own_fonts(name: str) -> None:
    svg = Picture(300, 60, Svg(text(150, 40, name, 40))).svg("t", "d")
    assert are_shipped(svg)
    squares = "".join(letter if letter.isascii() else "\ue000" for letter in name)
    assert rendered(svg, 300) != rendered(svg.replace(name, squares), 300)
