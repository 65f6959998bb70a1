"""The scribe's text: it reads back to the very same record, and a false line is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.archive.record_files import take_in
from referee.errors import Unfit
from referee.proof.verify import verify
from referee.record.entries import Adjusted
from referee.record.fold import fold
from referee.record.game import Game
from referee.store import open_store
from referee.table.author import SCRIBE, By
from referee.table.openings import open_game
from referee.table.play import log
from replays.exports.render_options import RenderOptions
from replays.formats import export_bytes, read_record_file
from replays.text_record import read_text, text_record
from tests.deep import few_or_many
from tests.exports.tables import eventful, quiet_bench, recorded
from tests.playing import playable_games, tables_of
from tests.record.test_versions import forged

GAMES = [name for name in playable_games() if name != "pebbles"]
SETUPS = [(name, setup) for name in GAMES for setup in tables_of(name).SETUPS]


@pytest.mark.parametrize("limit", few_or_many(30, 150))
@pytest.mark.parametrize(("name", "setup"), SETUPS)
def test_a_game_reads_back_byte_for_byte(name: str, setup: str, limit: int) -> None:
    bench = quiet_bench()
    game = recorded(bench, name, setup, limit=limit)
    text = text_record(game, {"pana": "Ana"})
    assert "%=" not in text
    found = read_text(text.encode())
    assert found.rows == list(bench.store.read(game.id))
    assert found.names == {"pana": "Ana"}


@pytest.mark.parametrize("name", GAMES)
def test_everything_a_record_can_hold_reads_back(name: str, tmp_path: Path) -> None:
    bench = quiet_bench()
    game = eventful(bench, name)
    text = text_record(game, {})
    french = text_record(game, {}, "fr")
    assert "%=" not in text + french
    assert french != text
    assert read_text(french.encode()).rows == list(bench.store.read(game.id))
    assert {"noted", "corrected", "taken_back", "restored", "adjusted", "kit_declared"} <= {
        entry.data.KIND for entry in game.entries
    }
    file = tmp_path / "game.txt"
    file.write_text(text, "utf-8")
    store = open_store("memory:")
    report, new = take_in(store, read_record_file(file))
    assert report.head == game.head
    assert new == len(game.entries)


@pytest.mark.parametrize("name", GAMES)
def test_without_envelopes_it_is_a_new_record_of_the_same_game(name: str) -> None:
    bench = quiet_bench()
    game = eventful(bench, name)
    text = text_record(game, {}).partition("[Entries]")[0]
    found = read_text(text.encode())
    assert found.stream != game.id
    store = open_store("memory:")
    take_in(store, found)
    assert told(fold(found.stream, store.read(found.stream))) == told(game)


@pytest.mark.parametrize("name", GAMES)
def test_an_adjustment_of_nothing_in_an_earlier_record_still_reads_back(name: str) -> None:
    """Nobody can make one any more, but earlier versions took it: there it is a difference."""
    bench = quiet_bench()
    game = recorded(bench, name, limit=6)
    nothing = Adjusted(number=game.last_number + 1, changes={}, reason="counted")
    game = bench.tell(game, [nothing], By(SCRIBE)).game
    rows = list(bench.store.read(game.id))
    report = verify(game.id, rows)
    assert [(each.check, each.seq) for each in report.problems] == [("law", len(rows) - 1)]
    assert report.problems[0].facts["problem"].key == "flaw.says_nothing"
    rows = forged(rows, 0, "data.engine_version", "1.2")
    earlier = verify(game.id, rows)
    assert (earlier.problems, earlier.differences) == ([], report.problems)
    game = fold(game.id, rows)
    text = text_record(game, {})
    assert read_text(text.encode()).rows == rows
    found = read_text(text.partition("[Entries]")[0].encode())
    store = open_store("memory:")
    take_in(store, found)
    assert told(fold(found.stream, store.read(found.stream))) == told(game)


def test_a_colour_typed_in_french_reads_back_as_an_earlier_engine_kept_it() -> None:
    bench = quiet_bench()
    rows = list(bench.store.read(recorded(bench, "broom_service", limit=6).id))
    rows = forged(rows, 0, "data.engine_version", "1.3")
    rows = forged(rows, 0, "data.opening.players", {"A": "rouge", "B": "bleu"})
    text = text_record(fold(rows[0].stream, rows), {}, "fr")
    assert "0. table A=rouge B=bleu premier" in text
    assert read_text(text.encode()).rows == rows


def told(game: Game) -> list[object]:
    line = [(s.number, s.action, s.item.stands, s.verdict.outcome, s.state) for s in game.steps]
    return [game.opened, line, game.notes, game.disputes, game.sheet, game.setting.readings]


def test_a_position_is_a_line_like_any_other() -> None:
    bench = quiet_bench()
    played = recorded(bench, "benevolent", limit=20)
    engine = played.engine
    assert engine.position_of is not None
    opened = open_game(bench, "benevolent", "table A=blue B=red first A").game
    position = engine.position_of(played.state, played.setting)
    heard = log(bench, opened.id, position, stands=True)
    assert heard.accepted
    text = text_record(heard.game, {})
    assert "1. position {" in text or "1! " in text
    assert read_text(text.encode()).rows == list(bench.store.read(opened.id))


def test_a_scribe_may_write_a_game_by_hand() -> None:
    lines = (
        '[Game "benevolent"]',
        "table A=blue B=red first A",
        "forest S1A S2A",
        "# the sun comes out",
        "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
        " / hoard convert_1",
        "A step c1",
        '%noted 3 good "a fine beginning"',
    )
    store = open_store("memory:")
    report, new = take_in(store, read_text("\n".join(lines).encode()))
    assert (report.ok, new) == (True, 5)


@pytest.mark.parametrize(
    ("old", "new", "line_of"),
    [
        ("3. B step", "3. B fly", "3. B"),
        ("3. B step c2", "3. B step zz", "3. B"),
        ("4. B gather", "5. B gather", "4. B"),
        ("4. B gather", "4! B gather", "4. B"),
        ("4. B gather", "4. [BEN-MOVE-3] B gather", "4. B"),
        ("1. forest", "%nonsense {}", "1. forest"),
        ("1. forest", '%held {"reason": 1} ', "1. forest"),
        ("1. forest", '%held {"reason": NaN} ', "1. forest"),
        pytest.param("1. forest", "%held " + "[" * 500, "1. forest", id="deep"),
        ("1. forest", '%noted 1 " \\', "1. forest"),
        ("1. forest", '%noted 99 "?" ', "1. forest"),
        ("0. table", "0. position", "0. table"),
        ('[Game "benevolent"]', '[Game "chess"]', "0. table"),
        ("[Format 1]", "[Format {]", "[Format"),
        ("0 2026-01-01T12:00:00.000Z", "0 2025-01-01T12:00:00.000Z", "[Format"),
        ("0 2026-01-01T12:00:00.000Z", "7 2026-01-01T12:00:00.000Z", "0 2026"),
        ('[Record "game-', '[Record "club-', "[Format"),
    ],
)
def test_the_first_bad_line_is_named(old: str, new: str, line_of: str) -> None:
    bench = quiet_bench()
    text = text_record(recorded(bench, "benevolent", limit=40), {})
    assert old in text
    line = text[: text.index(line_of)].count("\n") + 1
    with pytest.raises(Unfit) as refused:
        read_text(text.replace(old, new, 1).encode())
    assert (refused.value.key, refused.value.facts["line"]) == ("bad_line", line)


@pytest.mark.parametrize("content", [b"[", b"[Game", b"# ", b"\xff\xfe[", b'[Game "benevolent"]\n'])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(Unfit):
        read_text(content)


def test_the_record_and_the_page_come_back_too(tmp_path: Path) -> None:
    bench = quiet_bench()
    game = recorded(bench, "benevolent", limit=10)
    for format in ("record", "text", "html"):
        file = tmp_path / f"game.{format}"
        file.write_bytes(export_bytes(bench, game, format, RenderOptions(names={"pana": "Ana"})))
        found = read_record_file(file)
        assert found.rows == list(bench.store.read(game.id))
        assert found.names == {"pana": "Ana"}


def test_only_the_record_of_a_page_is_read(tmp_path: Path) -> None:
    bench = quiet_bench()
    game = recorded(bench, "benevolent", limit=5)
    page = export_bytes(bench, game, "html", RenderOptions())
    start = page.index(b'id="record">') + len(b'id="record">')
    end = page.index(b"</script>", start)
    for hostile in (
        b"<!doctype html><p>nothing here",
        page[:start] + b"AAAA" + page[end:],
        page[:start] + b"!!!" + page[end:],
        page[:start] + page[start : end - 400] + page[end:],
        page + page,
    ):
        file = tmp_path / "hostile.html"
        file.write_bytes(hostile)
        with pytest.raises(Unfit):
            read_record_file(file)
    file.write_bytes(page[:start].replace(b"<main>", b"<main onload=alert(1)>") + page[start:])
    assert read_record_file(file).rows == list(bench.store.read(game.id))
