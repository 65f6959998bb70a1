"""Every CSV of the product has one guard: nothing that people have written becomes a formula."""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from answers.context import Caller, open_store_context
from answers.season import exports, lifecycle
from answers.tournament import results, rounds, teams
from answers.tournament.players import players_csv
from answers.tournament.result_slips import Slip
from answers.tournament.standings import standings_csv
from engines.kernel import evolve
from referee.season.events import EventAdded, Listed, PlayersListed, SeasonRules
from referee.table.author import SCRIBE, By
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import log
from referee.tournament.interchange import json_csv
from referee.tournament.plan import Match
from referee.tournament.ranking.standings import standings
from referee.untrusted.safe_csv import decoded, in_cell, out_of_cell, read_rows, safe_csv
from tests.exports.tables import quiet_bench
from tests.tournament.asking import Stand, swiss

FIRST = "=+-@\t\r\n＝＋－＠"
HOSTILE = [f"{sign}HYPERLINK(\"x\",'y'),1" for sign in FIRST]
PRODUCT = ("answers", "cli", "engines", "referee", "replays", "schemas", "service")


def cells(text: str) -> Iterator[str]:
    for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")):
        yield from row


def assert_guarded(text: str, *written: str) -> None:
    there = [*cells(text)]
    for cell in there:
        assert not cell.startswith(tuple(FIRST)) or float(cell) <= 0, cell
    for name in written:
        assert any(f"'{name}" in cell for cell in there), f"{name!r} is not there"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
@given(rest=st.text(st.sampled_from("aé;\r\nŒ1ü ")))
def test_a_file_is_read_as_its_program_wrote_it(encoding: str, rest: str) -> None:
    text = f"Prénom;{rest}"
    assert decoded(text.encode(encoding)) == text


@given(rows=st.lists(st.lists(st.text() | st.sampled_from(HOSTILE), min_size=1), min_size=1))
def test_what_is_written_is_read_back_and_is_no_formula(rows: list[list[str]]) -> None:
    text = safe_csv(rows)
    assert [*csv.reader(io.StringIO(text, newline=""))] == [[*map(in_cell, row)] for row in rows]
    assert_guarded(text)
    for cell in (cell for row in rows for cell in row):
        if not cell.startswith("'"):
            assert out_of_cell(in_cell(cell)) == cell
    assert [*cells(safe_csv(rows, raw=True))] == [cell for row in rows for cell in row]
    assert len([*read_rows(text, ",")]) == len(rows)


def test_nothing_else_writes_csv() -> None:
    root = Path(referee.__file__).parent.parent
    writers = {
        path.relative_to(root).as_posix()
        for room in PRODUCT
        for path in (root / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and "csv" in {getattr(node, "module", None), *(alias.name for alias in node.names)}
    }
    assert writers == {"referee/untrusted/safe_csv.py"}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_lists_of_a_tournament_are_guarded(hostile: str) -> None:
    """Also with letters that no name can have: a file from elsewhere may."""
    stand = Stand(swiss(match=Match(games=2, boards=True)), "Rook", "Knight")
    stand.ask(teams.set_team, "Rook", ["Ana", "Bo"])
    stand.ask(teams.set_team, "Knight", ["Eva", "Fay"])
    stand.ask(rounds.pair)
    stand.ask(rounds.start)
    stand.ask(results.enter_result, 1, Slip(games="A="), "on paper")
    now = stand.now
    people = {
        player: evolve(each, club=hostile, sections=(hostile,))
        for player, each in now.players.items()
    }
    now = evolve(now, players=people)
    names = dict.fromkeys([*now.players, *now.team_of], hostile)
    people_at_boards = [
        row.model_copy(update={"name": hostile, "team_name": hostile})
        for row in stand.ask(teams.boards).data.people
    ]
    assert people_at_boards
    lists: dict[str, Callable[[], str]] = {
        "players": lambda: players_csv(now, names, {}),
        "pairings": lambda: json_csv.pairings_csv(now, 1, names),
        "standings": lambda: standings_csv(now, standings(now), names),
        "boards": lambda: teams.BOARDS.as_csv(people_at_boards),
    }
    for write in lists.values():
        assert_guarded(write(), hostile)


def test_the_lists_of_a_season_are_guarded() -> None:
    hostile = [each for each in HOSTILE if each[0] not in "\t\r\n"]
    stand = Stand(swiss())
    stand.add(*(f"{each[0]}{letter}1" for each, letter in zip(hostile, "ABCDEFGH", strict=True)))
    stand.play()
    caller = stand.caller
    season = lifecycle.create(caller, "Year", SeasonRules()).data.season
    office, people = caller.store_context.seasons, stand.now.players
    listed = tuple(
        Listed(player=player, club=club) for player, club in zip(people, hostile, strict=True)
    )
    office.tell(season, EventAdded(tournament=stand.id), PlayersListed(players=listed))
    for format in ("csv", "ratings", "players"):
        assert_guarded(exports.exported(caller, season, format).content.decode(), "=A1", "＝E1")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_record_of_a_game_is_guarded(hostile: str) -> None:
    from replays.exports.render_options import RenderOptions
    from replays.exports.text_formats import csv as written

    bench = quiet_bench()
    game = open_game(bench, "benevolent", "table A=blue B=red first A").game
    log(bench, game.id, "forest S1A S2A")
    remark = hostile.strip("\t\r\n")
    game = annotate(bench, game.id, 1, Annotation(remark), by=By(SCRIBE)).game
    options = RenderOptions(names={"anonymous": hostile})
    assert_guarded(written(game, options).decode(), hostile)


def test_the_data_of_a_box_are_guarded_and_read_back_as_they_are() -> None:
    from answers.rulebooks import box_csv

    caller = Caller(open_store_context("memory:"))
    table = box_csv.box_csv(caller, "benevolent").content
    assert_guarded(table.decode())
    assert box_csv.take_csv(caller, "benevolent", table).data.paths == []
