"""``referee tournament``: every command, its answer as data, its errors, its papers."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Iterator
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from answers.operations import answers
from answers.tournament.standings import OnTie
from cli.command_table import TOURNAMENT
from cli.tournament.broadcast import read_items
from cli.tournament.players import UNPLAYED
from engines.kernel import LANGUAGES
from referee.errors import Misused
from referee.tournament.default_plans import FORMATS
from referee.tournament.events import AskedOf, WallView
from referee.tournament.plan import Swiss, TimeRule
from referee.tournament.values import TieBreakId
from schemas.build import schemas
from tests.cli.test_answers import check
from tests.cli.transcripts import run
from tests.photos import jpeg

TABLE = """
referee tournament list
referee tournament new Cup --of benevolent --rounds 3 --reading hoard_take=all --minutes 60
referee tournament list
referee tournament open @
referee tournament info
referee tournament revise --rounds 4 -m "the hall closes late"
referee tournament players add Ana Bo Cleo Dan --club North --rating 1500
referee tournament players import list.csv
referee tournament players import list.csv
referee tournament players checkin --all
referee tournament players bye Eva 3
referee tournament players list
referee tournament pair --seed 7
referee tournament unpair -m "Eva left for a moment"
referee tournament pair --seed 7 --explain
referee tournament pair --meet Ana Bo
referee tournament swap Ana Bo
referee tournament swap Ana Bo -m asked
referee tournament seat Ana Bo
referee tournament move 1:5
referee tournament print pairings -o pairings.html
referee tournament print slips -o slips.html
referee tournament start
referee tournament round unstart -m "the hall is locked"
referee tournament start
referee tournament clock start
referee tournament clock extend 5 --table 5 -m "long ruling"
referee tournament clock pause
referee tournament clock show
referee tournament clock start
referee tournament clock stop
referee tournament invite Ana
referee tournament report 2 A B --player Dan
referee tournament call 2 --player Dan -m "who begins?"
referee tournament attend 27
referee tournament answer 27 -m "Ana does"
referee tournament table 5
referee tournament table 5
referee tournament disputes
referee tournament reading grey_count=flat -m "as asked"
referee tournament result 5 A B -m slip
referee tournament results list.txt
referee tournament result
referee tournament tables
referee tournament round close
referee tournament round reopen 1 -m misread
referee tournament correct 5 B A -m misread
referee tournament round close
referee tournament players late Flo --new --counts half
referee tournament players add Flora
referee tournament players edit Flora --club South --rating 1200
referee tournament players merge Flo Flora -m "registered twice"
referee tournament players add Nobody
referee tournament players unregister Nobody
referee tournament players drop Dan -m ill
referee tournament players return Dan
referee tournament penalty add Ana 0.5 -m late
referee tournament penalty next Ana --for late
referee tournament zones Jo=1-3 Kim=3-5
referee tournament zones
referee tournament hall 1x3 "Stage: 9-7"
referee tournament hall
referee tournament penalty list
referee tournament penalty cancel 33 -m appeal
referee tournament apart add Ana Bo -m sisters
referee tournament apart list
referee tournament apart cancel 33 -m asked
referee tournament players edit Ana --section U14 --section women
referee tournament players fee Ana
referee tournament prizes "1: 100 €" "1 U14: a game"
referee tournament prizes
referee tournament standings
referee tournament standings --section u14
referee tournament standings --why Ana
referee tournament lot Ana Bo --seed 3 -m tied
referee tournament finals 2 --knockout --dry-run
referee tournament finals 2 --knockout --lot 3 -m "the hall closes"
referee tournament finals --cancel -m "not yet"
referee tournament finals 2 --knockout --lot 3 -m "the hall closes"
referee tournament pair --seed 1
referee tournament start
referee tournament result 1 --absent B -m "did not come"
referee tournament round close
referee tournament bracket
referee tournament history
referee tournament history --at 9
referee tournament check
referee tournament feature 1
referee tournament schedule "2026-11-21T09:30=Round 1"
referee tournament comment "A close game" --as Jo:judge
referee tournament wall standings
referee tournament announce "Lunch until 14:00"
referee tournament broadcast
referee tournament print standings --format pdf -o standings.pdf
referee tournament export json -o cup.json
referee tournament export trf -o cup.trf
referee tournament close
referee tournament head
referee keys new club
referee tournament sign club
referee tournament verify --signed-by club
referee tournament export events --names -o cup.jsonl
referee verify cup.jsonl --signed-by club
referee --store elsewhere.db tournament import cup.jsonl
referee tournament reopen -m appeal
referee tournament deal make piles.toml --name one --of bethel_woods --seed 5 -o one.json
referee tournament new Woods --of bethel_woods --format duplicate --rounds 1 --deal one.json
referee tournament registration open --capacity 4 --until 2999-11-21T09:00 --ask club
referee tournament registration show
referee tournament registration close
referee tournament deal print one.json -o one.html
referee tournament deal reveal one.json
referee tournament picture emblem.jpg
referee tournament picture --erase
referee tournament new Clubs --of benevolent --rounds 2 --match 2 --boards --no-check-in
referee tournament players add Rook Knight
referee tournament team set Rook Ana Bo Cleo --captain Ana --away Cleo
referee tournament team show Rook
referee tournament team line-up Rook Bo Ana --round 2
referee tournament team line-up Rook
referee tournament team list
referee tournament boards
"""
LIST = "name;club;rating\nEva;North;1400\n"
SLIPS = "# round one\n2 A=3 B=3\n"


def said(line: str) -> dict:
    out, code = run(f"{line} --json")
    assert code == 0, (line, out)
    return check(out)["data"]


def every_event_command(folder: Path) -> Iterator[str]:
    """The lines of the table, with the files that they read and the ids of what there is now."""
    (folder / "list.csv").write_text(LIST, "utf-8")
    (folder / "list.txt").write_text(SLIPS, "utf-8")
    (folder / "piles.toml").write_text('draw = ["M1", "S2", "D3"]', "utf-8")
    (folder / "emblem.jpg").write_bytes(jpeg(64, 64))
    for line in TABLE.strip().splitlines():
        if "@" in line:
            only = said("referee tournament list")["tournaments"][0]["tournament"]
            line = line.replace("@", only.removeprefix("tournament-")[:6])
        for of, listed in (("penalty", "penalties"), ("apart", "apart")):
            if line.startswith(f"referee tournament {of} cancel"):
                number = said(f"referee tournament {of} list")[listed][0]["event"]
                line = line.replace("33", str(number))
        yield line


def test_every_command_answers_as_its_schema_says(newcomer: Path) -> None:
    # pictures are not seen in a terminal, and phones register
    seen = {"tournament-faces", "tournament-entry", "tournament-sign-up"}
    for line in every_event_command(newcomer):
        out, code = run(f"{line} --json")
        assert code == 0, (line, out)
        seen.add(check(out)["schema"].removeprefix("referee/").removesuffix("@1"))
    assert {name for name in answers() if name.startswith("tournament-")} - seen == set()


def test_the_table_above_calls_every_command() -> None:
    called = {line.split()[2] for line in TABLE.strip().splitlines()}
    assert set(TOURNAMENT.commands) - called == {"import", "desk"}


def cup(newcomer: Path, players: str = "Ana Bo Cleo Dan", more: str = "") -> None:
    run(f"referee tournament new Cup --of benevolent --no-check-in {more}")
    run(f"referee tournament players add {players}")


@pytest.mark.parametrize(
    ("line", "code", "key"),
    [
        ("referee tournament start", 5, "no_round_yet"),
        ("referee tournament players add Ana", 5, "registered_already"),
        ("referee tournament players drop Zoe", 4, "no_such_player"),
        ("referee tournament players import bad.csv", 5, "no_name_column"),
        ("referee tournament players import huge.csv", 5, "lines_of_a_list"),
        ("referee tournament players import nowhere.csv", 4, "no_such_file"),
        ("referee tournament -t zzz info", 4, "no_such_tournament"),
        ("referee --as Bo:scribe tournament pair", 8, "role_may_not"),
        ("referee tournament new X --of chess", 4, "unknown_game"),
        ("referee tournament new X", 2, "which_game_is_played"),
        (
            "referee tournament new X --of benevolent --format tennis",
            2,
            "no_such_tournament_format",
        ),
        ("referee tournament new X --of benevolent --seats many", 2, "bad_seats"),
        ("referee tournament new X --of benevolent --points x-y-z", 2, "bad_points"),
        ("referee tournament new X --of benevolent --tie-break LADDER", 2, "bad_plan"),
        ("referee tournament new X --of benevolent --reading nonsense=1", 2, "unknown_reading"),
        ("referee tournament history --at 999", 5, "no_such_event"),
        ("referee tournament print flyers", 4, "no_such_paper"),
        ("referee tournament export xls", 4, "no_such_format"),
        ("referee tournament deal reveal bad.csv", 6, "bad_file"),
        ("referee tournament players bye Ana 1 --counts much", 2, "what_counts"),
        ("referee tournament penalty add Ana lots -m x", 2, "bad_points"),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_errors_have_a_code_a_key_and_a_sentence(
    newcomer: Path, line: str, code: int, key: str, lang: str
) -> None:
    (newcomer / "bad.csv").write_text("club\nNorth\n", "utf-8")
    (newcomer / "huge.csv").write_text("name\n" + "Ana\n" * 3000, "utf-8")
    cup(newcomer)
    before = run("referee tournament info --json")[0]
    out, found = run(f"{line} --json --lang {lang}")
    assert (found, check(out)["error"]["code"]) == (code, key), out
    message = check(out)["error"]["message"]
    assert _spaced(message) in _spaced(run(f"{line} --lang {lang}")[0])
    assert run("referee tournament info --json")[0] == before


SYSTEMS = get_args(Swiss.model_fields["system"].annotation)
ON_TIME = get_args(TimeRule.model_fields["on_time"].annotation)
NEW = "tournament new X --of benevolent"
CHOICES = {
    f"{NEW} --format": FORMATS,
    f"{NEW} --system": SYSTEMS,
    f"{NEW} --minutes 30 --on-time": ON_TIME,
    f"{NEW} --tie-break": get_args(TieBreakId),
    "tournament new X --of bethel_woods --format ladder --measure won:": ("more", "fewer"),
    "tournament finals 2 --on-tie": get_args(OnTie),
    "tournament registration open --ask": get_args(AskedOf),
    "tournament players bye Ana 1 --counts": UNPLAYED,
    "tournament players return Ana --counts": UNPLAYED,
    "tournament wall": ("all", *get_args(WallView)[1:]),
    "tournament print pairings --format": ("html", "pdf"),
    "tournament export csv --list": ("standings", "pairings", "players"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("line", CHOICES)
def test_a_word_that_is_no_choice_is_answered_with_the_option_and_all_its_words(
    newcomer: Path, line: str, lang: str
) -> None:
    """As they are to be typed, in no language but the program's."""
    cup(newcomer)
    out, code = run(f"referee {line}{'' if line.endswith(':') else ' '}juge --json --lang {lang}")
    assert code == 2, out
    message = check(out)["error"]["message"]
    option = next((word for word in reversed(line.split()) if word.startswith("--")), "wall")
    assert message.startswith(option)
    assert "juge" in message.lower()
    assert set(CHOICES[line]) <= {word.strip("« »:,.") for word in message.split()}
    assert "format." not in message


@pytest.mark.parametrize(
    ("more", "option"),
    [("--format round-robin --system dutch", "--system"), ("--format pods --twice", "--twice"),
     ("--counted 2", "--counted"), ("--mixed", "--mixed"), ("--seats 9-1", "--seats"),
     ("--format pods --accelerated", "--accelerated"), ("--on-time judge", "--on-time"),
     ("--format duplicate", "--deal"), ("--house-rule tennis", "--house-rule")],
)  # fmt: skip
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_option_that_does_not_fit_is_named_as_it_is_typed(
    newcomer: Path, more: str, option: str, lang: str
) -> None:
    out, code = run(f"referee {NEW} {more} --json --lang {lang}")
    assert (code, check(out)["error"]["message"].startswith(option)) == (2, True), out


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_refusals_name_people_and_not_pseudonyms(newcomer: Path) -> None:
    cup(newcomer)
    out, _ = run("referee tournament players add Ana")
    assert "Ana is already registered" in out


@pytest.mark.parametrize("places", ["A A", "C", "A=A", "A B C"])
def test_a_result_must_place_the_seats_there_are(newcomer: Path, places: str) -> None:
    """Nor is a letter alone taken for somebody whose name begins with it."""
    cup(newcomer)
    run("referee tournament pair")
    run("referee tournament start")
    (table,) = re.findall("table 1 .*", run("referee tournament tables")[0])
    assert "Cleo" in table
    out, code = run(f"referee tournament result 1 {places} -m slip")
    assert code == 2, out
    assert ("“C” does not sit at this table" in _spaced(out)) is ("C" in places), out
    run("referee tournament table 1")
    assert run("referee tournament result 1 A")[1] == 2, "why is the record not asked?"


@pytest.mark.parametrize(
    ("told", "places"),
    [
        ("Ana Bo", (1, 2)),
        ("bo ana", (2, 1)),
        ("Ana=bo", (1, 1)),
        ("--absent Ana", (2, 1)),
        ("Bo --score ana=3 --score Bo=9", (2, 1)),
    ],
)
def test_a_result_may_name_the_players(newcomer: Path, told: str, places: tuple[int, int]) -> None:
    cup(newcomer, "Ana Bo")
    run("referee tournament pair")
    run("referee tournament start")
    assert run(f"referee tournament result 1 {told} -m slip")[1] == 0
    (table,) = said("referee tournament tables")["tables"]
    found = {
        seat["name"]: place
        for seat, place in zip(table["seats"], table["outcome"]["places"], strict=True)
    }
    assert (found["Ana"], found["Bo"]) == places
    if "score" in told:
        scores = dict(zip("AB", table["outcome"]["scores"], strict=True))
        letters = {seat["name"]: "AB"[at] for at, seat in enumerate(table["seats"])}
        assert (scores[letters["Ana"]], scores[letters["Bo"]]) == (3, 9)


@pytest.mark.parametrize("word", ["Zoe", "Cleo"])
def test_who_sits_elsewhere_has_no_place_at_this_table(newcomer: Path, word: str) -> None:
    cup(newcomer)
    run("referee tournament pair")
    run("referee tournament start")
    table = next(
        table["table"]
        for table in said("referee tournament tables")["tables"]
        if word not in [seat["name"] for seat in table["seats"]]
    )
    out, code = run(f"referee tournament result {table} {word} -m slip")
    assert (code, f"“{word}” does not sit at this table" in out) == (2, True)


def test_a_tied_table_of_four(newcomer: Path) -> None:
    run("referee tournament new Brooms --of broom_service --format pods --seats 3-5 --no-check-in")
    run("referee tournament players add Ana Bo Cleo Dan")
    run("referee tournament pair --seed 1")
    run("referee tournament start")
    run("referee tournament result 1 C A=B --anyway -m slip")
    table = said("referee tournament tables")["tables"][0]
    assert table["outcome"]["places"] == [2, 2, 1, 4]
    rows = said("referee tournament standings")["rows"]
    assert [row["values"][0] for row in rows] == [[4, 1], [3, 2], [3, 2], [0, 1]]


def test_an_opening_for_others_than_those_who_sit_there_is_refused(newcomer: Path) -> None:
    run("referee tournament new Brooms --of broom_service --format pods --no-check-in")
    run("referee tournament players add Ana Bo Cleo Dan")
    run("referee tournament pair")
    run("referee tournament start")
    out, code = run("referee tournament table 1 --players 3")
    assert (code, "the opening has 3" in out) == (5, True)
    assert said("referee tournament table 1")["new"]


# tables are games


def test_a_table_becomes_the_current_game_and_its_result_is_taken(newcomer: Path) -> None:
    run("referee tournament new Cup --of pebbles --no-check-in")
    run("referee tournament players add Ana Bo")
    run("referee tournament pair --seed 1")
    run("referee tournament start")
    opened = said("referee tournament table 1 A B first A")
    assert said("referee info")["game"] == opened["game"]
    while True:
        options = said("referee options")["options"]
        if not options:
            break
        run(f"referee log {options[0]['notation']}")
    run("referee finish")
    told = said("referee tournament round close")
    assert [event["kind"] for event in told["events"]] == ["round_closed"]
    entered = said("referee tournament tables")["tables"][0]
    assert entered["outcome"]["places"] in ([1, 2], [2, 1])
    out, code = run("referee tournament check")
    assert (code, out.startswith("✔")) == (0, True), out


def duplicate(newcomer: Path) -> None:
    """A running event of Bethel Woods whose draws are dealt beforehand."""
    (newcomer / "piles.toml").write_text('draw = ["M1", "S2", "D3"]', "utf-8")
    made = "deal make piles.toml --name one --of bethel_woods --seed 5 -o one.json"
    run(f"referee tournament {made}")
    woods = "--of bethel_woods --format duplicate --rounds 1 --deal one.json --no-check-in"
    run(f"referee tournament new Woods {woods}")
    run("referee tournament players add Owls")
    run("referee tournament pair")
    run("referee tournament start")


def test_a_draw_that_is_not_the_deals_is_said_when_it_is_logged(newcomer: Path) -> None:
    duplicate(newcomer)
    run("referee tournament deal reveal one.json")
    run("referee tournament table 1 --players 2")
    run('referee log "A char harris" "B char linny"')
    first, second, _ = json.loads((newcomer / "one.json").read_text("utf-8"))["piles"]["draw"]
    assert check(run(f"referee log draw {first} --json")[0])["warnings"] == []
    out, code = run("referee log draw E6 --json")
    assert code == 0
    (warning,) = check(out)["warnings"]
    assert "E6" in warning
    assert second in warning
    assert "d1" in warning
    (concern,) = said("referee tournament disputes")["concerns"]
    assert concern["deviation"]["expected"] == second
    assert concern["dispute"]["cause"] == "deal"
    assert second in run("referee tournament disputes")[0]
    assert second not in run("referee dispute list")[0]
    assert run("referee tournament check")[1] == 6
    run('referee ruling issue d1 --remedy stands -m "the bag was torn" --as Jo:judge')
    assert run("referee tournament check")[1] == 0
    assert said("referee tournament disputes")["concerns"] == []


def test_a_deal_opened_after_the_round_says_who_departed(newcomer: Path) -> None:
    duplicate(newcomer)
    run("referee tournament table 1 --players 2")
    run('referee log "A char harris" "B char linny" "draw E6"')
    out, code = run("referee tournament deal reveal one.json")
    assert (code, "One draw departs from the deal" in out) == (0, True), out
    assert "raised by a draw that departs from the deal" in run("referee dispute list")[0]


def test_the_scribes_shell_calls_for_a_judge_too(newcomer: Path) -> None:
    duplicate(newcomer)
    run("referee tournament table 1 --players 2")
    run("referee tournament deal reveal one.json")
    (newcomer / "lines.txt").write_text("A char harris\nB char linny\ndraw E6\n", "utf-8")
    out, _ = run("referee play < lines.txt")
    assert "dispute d1" in out, out


# what organisers stumble over


def test_an_organiser_is_told_what_is_missing(newcomer: Path) -> None:
    run("referee tournament new Cup --of benevolent")
    run("referee tournament players add Ana Bo")
    assert "2 players are not checked in" in run("referee tournament pair")[0]
    assert "no round is paired yet" in run("referee tournament tables")[0]
    run("referee tournament players checkin --all")
    out, code = run("referee tournament players checkin --all")
    assert (code, "everyone is checked in: 2 players" in out) == (0, True)


def test_a_swap_says_that_it_was_made_and_is_no_fault(newcomer: Path) -> None:
    cup(newcomer)
    run("referee tournament pair --seed 7")
    one, two = said("referee tournament tables")["tables"]
    names = f"{one['seats'][0]['name']} {two['seats'][1]['name']}"
    assert "Swapped (entry" not in run(f"referee tournament swap {names}")[0]
    assert "Swapped (entry" in run(f"referee tournament swap {names} -m cousins")[0]
    run("referee tournament start")
    out, code = run("referee tournament check")
    assert code == 0, out
    assert all(problem["remark"] for problem in said("referee tournament check")["problems"])


def test_moved_tables_are_listed_in_order(newcomer: Path) -> None:
    cup(newcomer)
    run("referee tournament pair")
    moved = said("referee tournament move 1:7")["tables"]
    assert [table["table"] for table in moved] == [2, 7]


def test_a_slip_for_a_table_whose_record_is_open_is_noticed(newcomer: Path) -> None:
    cup(newcomer)
    run("referee tournament pair")
    run("referee tournament start")
    run("referee tournament table 1")
    assert "is still being played" in run("referee tournament result 1 A -m slip")[0]
    assert "is still being played" not in run("referee tournament result 2 A -m slip")[0]


def test_closing_early_is_noticed(newcomer: Path) -> None:
    cup(newcomer, more="--rounds 2")
    assert "0 of 2 planned rounds" in run("referee tournament close")[0]


def test_numbers_are_written_as_the_language_does(newcomer: Path) -> None:
    cup(newcomer)
    out, _ = run("referee tournament penalty add Ana ½ -m retard --lang fr")
    assert "Ana perd 0,5" in out
    assert "-0,5" in run("referee tournament standings --lang fr")[0]
    assert "-0.5" in run("referee tournament standings")[0]
    assert '"-0.5"' in run("referee tournament export csv --lang fr")[0]


# lists from spreadsheets


def test_a_hostile_list_stays_text(newcomer: Path) -> None:
    hostile = ["=1+1", "@SUM(A1)", "<script>alert(1)</script>", "O'Neil", "Zoë, the 2nd"]
    rows = io.StringIO()
    csv.writer(rows).writerows([["name"], *([name] for name in hostile)])
    (newcomer / "list.csv").write_text(rows.getvalue(), "utf-8")
    cup(newcomer, "Ana")
    run("referee tournament players import list.csv")
    names = [row["name"] for row in said("referee tournament players list")["players"]]
    assert names == ["Ana", *hostile]
    exported = list(csv.reader(io.StringIO(run("referee tournament export csv --list players")[0])))
    assert [row[1] for row in exported[1:]] == ["Ana", "'=1+1", "'@SUM(A1)", *hostile[2:]]
    run("referee tournament pair")
    page = run("referee tournament print pairings")[0]
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\u202eb", "x" * 41, "\u200b"])
def test_names_that_would_fool_a_reader_are_refused(newcomer: Path, name: str) -> None:
    (newcomer / "list.csv").write_text(f'name\nBo\n"{name}"\n', "utf-8")
    cup(newcomer, "Ana")
    assert run("referee tournament players import list.csv")[1] != 0
    assert len(said("referee tournament players list")["players"]) == 1


def test_namesakes_are_two_people(newcomer: Path) -> None:
    (newcomer / "list.csv").write_text("name\nAna\nAna\n", "utf-8")
    run("referee tournament new Cup --of benevolent")
    for _ in range(2):
        run("referee tournament players import list.csv")
    assert len(said("referee tournament players list")["players"]) == 2
    out, code = run("referee tournament players checkin Ana")
    assert (code, "which Ana?" in out) == (4, True)
    assert run("referee tournament players checkin 2")[1] == 0


# papers and files


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_slips_carry_a_code_and_need_no_network(newcomer: Path, lang: str) -> None:
    cup(newcomer)
    run("referee tournament pair")
    page = run(f"referee tournament print slips --lang {lang}")[0]
    tags = _Tags()
    tags.feed(page)
    assert tags.seen.count("svg") == 2
    assert "script" not in tags.seen
    assert f'<html lang="{lang}">' in page
    assert not re.search(r"(src|href)=|@import|url\(", page)
    assert re.search(r"tournament-\w+/r1/t2", page)
    addressed = run("referee tournament print slips --url http://desk.local")[0]
    assert re.search(r"http://desk\.local/tournament-\w+/r1/t2", addressed)


@pytest.mark.parametrize("what", ["pairings", "names", "slips", "standings", "crosstable"])
def test_papers_as_pdf_are_the_same_every_time(newcomer: Path, what: str) -> None:
    cup(newcomer, "Ana Bo Cléo Dan #not-markup")
    run("referee tournament pair")
    for file in ("one.pdf", "two.pdf"):
        run(f"referee tournament print {what} --format pdf -o {file}")
    one, two = (newcomer / file for file in ("one.pdf", "two.pdf"))
    assert one.read_bytes().startswith(b"%PDF")
    assert one.read_bytes() == two.read_bytes()


def test_the_sheet_fits_its_published_schema(newcomer: Path) -> None:
    cup(newcomer)
    run("referee tournament pair")
    sheet = json.loads(run("referee tournament export json")[0])
    Draft202012Validator(schemas()["tournament"]).validate(sheet)
    Draft202012Validator(schemas()["tournament-plan"]).validate(sheet["plan"])
    assert [player["name"] for player in sheet["players"]] == ["Ana", "Bo", "Cleo", "Dan"]


def test_a_pod_log_goes_out_and_comes_back(newcomer: Path) -> None:
    run("referee tournament new Brooms --of broom_service --format pods --seats 3-5 --no-check-in")
    run("referee tournament players add Ana Bo Cleo Dan")
    run("referee tournament pair --seed 1")
    run("referee tournament start")
    run("referee tournament result 1 C A B D --anyway -m slip")
    run("referee tournament round close")
    run("referee tournament export pods -o log.json")
    run("referee tournament import log.json --of broom_service --name Again")
    assert said("referee tournament info")["name"] == "Again"
    assert said("referee tournament tables 1")["tables"][0]["outcome"]["places"] == [2, 3, 1, 4]


def test_a_plan_can_be_a_file(newcomer: Path) -> None:
    (newcomer / "plan.toml").write_text(
        'games = ["benevolent"]\nrounds = 2\ntie_breaks = ["PTS"]\n'
        'format = { kind = "round_robin" }\nseats = { least = 2, most = 2, preferred = 2 }\n'
        'scoring = { kind = "duel", win = 6, draw = 2 }\n',
        "utf-8",
    )
    assert run("referee tournament new Club --plan plan.toml")[1] == 0
    assert said("referee tournament info")["plan"]["scoring"]["win"] == 6
    (newcomer / "plan.toml").write_text('games = ["benevolent"]\nrounds = 200\n', "utf-8")
    assert run("referee tournament new Club --plan plan.toml")[1] == 6


def test_once_a_round_is_paired_only_the_number_of_rounds_can_change(newcomer: Path) -> None:
    cup(newcomer)
    run("referee tournament pair")
    assert run("referee tournament revise --rounds 5 -m longer")[1] == 0
    assert said("referee tournament info")["plan"]["rounds"] == 5
    (newcomer / "plan.toml").write_text(
        'games = ["benevolent"]\nrounds = 5\ntie_breaks = ["PTS"]\nformat = { kind = "swiss" }\n'
        'seats = { least = 2, most = 2, preferred = 2 }\nscoring = { kind = "duel" }\n',
        "utf-8",
    )
    out, code = run("referee tournament revise --plan plan.toml -m easier")
    assert (code, "only the number of rounds" in out) == (5, True)


# words


MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)).map(
    lambda each: each.replace(second=0, microsecond=0)
)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/Lima"])
@given(st.lists(st.tuples(MOMENTS, st.sampled_from(["Round 1", "Lunch = break"])), min_size=1))
def test_a_schedule_is_read_as_the_desk_writes_it(
    zone: str, told: list[tuple[datetime, str]]
) -> None:
    """Each day is named once; with ``=`` the same on the clock of the world."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TZ", zone)
        time.tzset()
        lines, iso, day = [], [], ""
        for at, text in told:
            date, hour = f"{at:%Y-%m-%d}", f"{at:%H:%M}".removeprefix("0")
            lines.append(f"{hour} {text}" if date == day else f"{date} {hour} {text}")
            iso.append(f"{at.replace(tzinfo=ZoneInfo(zone)).isoformat()}={text}")
            day = date
        read = read_items(lines)
        assert [each.text for each in read] == [text for _, text in told]
        assert read == read_items(iso)
        utc = [f"{at.isoformat()}={text}" for at, text in told]
        short = [utc[0], *(f"{at:%H:%M}={told[0][1]}" for at, _ in told[1:])]
        days = {each.at[:10] for each in read_items(short)}
        assert days == {told[0][0].date().isoformat()}
    time.tzset()


@pytest.mark.parametrize(
    "item", ["Round 2", "25:00 Round 2", "2026-13-40 10:00 Round 2", "10:00", "2026-11-21T09:30="]
)
def test_a_line_that_is_no_item_of_a_schedule_is_refused(item: str) -> None:
    with pytest.raises(Misused, match="bad_schedule"):
        read_items(["2026-11-21 09:30 Round 1", item])
