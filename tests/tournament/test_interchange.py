"""What leaves the program can be read by others, and what comes in can do no harm."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from answers.tournament.players import players_csv
from answers.tournament.standings import standings_csv
from referee.archive.record_files import read_record, record_lines
from referee.store.sidecars.people import PersonDetails, listed_name
from referee.tournament.errors import WORDS, NotPossible
from referee.tournament.events import ByeRequested, Late, Registered, RoundClosed
from referee.tournament.fold import fold
from referee.tournament.interchange.json_csv import (
    pairings_csv,
    read_players,
    tournament_schema,
    tournament_sheet,
)
from referee.tournament.interchange.podlog import pods_log, read_pods_log
from referee.tournament.interchange.trf import trf
from referee.tournament.plan import SeatRange
from referee.tournament.proof import examine_tournament
from referee.tournament.ranking.standings import standings
from tests.tournament.generator import KINDS, generate, player_id
from tests.tournament.hosting import Hall, duels, tables_of_four
from tests.tournament.test_desk import desk_over

# JSON


@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_fits_its_schema(kind: str) -> None:
    validator = Draft202012Validator(tournament_schema())
    now = fold(generate(5, kind))  # type: ignore[arg-type]
    sheet = json.loads(tournament_sheet(now, {"pa": "Ada"}).model_dump_json())
    assert [error.message for error in validator.iter_errors(sheet)] == []
    assert sheet["players"][0]["name"] == "Ada"
    assert len(sheet["standings"]) == len(standings(now).rows)
    assert list(validator.iter_errors({**sheet, "format": "other"}))


@pytest.mark.parametrize("kind", KINDS)
def test_a_tournament_written_and_read_is_proven_and_the_same(kind: str) -> None:
    here, elsewhere = desk_over("memory:"), desk_over("memory:")
    events = generate(8, kind)  # type: ignore[arg-type]
    hosted = here.adopt(events)
    record_file = read_record(record_lines(here.bench.store, hosted.id))
    elsewhere.bench.store.adopt_all([examine_tournament(elsewhere, record_file).new])
    assert elsewhere.load(hosted.id).events == events
    assert elsewhere.load(hosted.id).head == hosted.head


# Spreadsheets


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1+1", "'+1+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ('say "hi", Ada', 'say "hi", Ada'),
        ("Zoë", "Zoë"),
        ("-5", "-5"),
    ],
)
def test_no_cell_is_taken_for_a_formula(name: str, cell: str) -> None:
    hall = Hall(duels(), 2)
    text = players_csv(hall.now, {"pa": name}, {})
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[1][1] == cell
    assert text.startswith('"number","name"')
    raw = list(
        csv.reader(io.StringIO(players_csv(hall.now, {"pa": name}, {}, raw=True), newline=""))
    )
    assert raw[1][1] == name


def test_pairings_and_standings_as_spreadsheets() -> None:
    hall = Hall(duels(tie_breaks=("PTS", "BH")), 5)
    hall.play()
    pairings = list(csv.reader(io.StringIO(pairings_csv(hall.now, 1, {"pa": "Ada"}))))
    assert pairings[0] == ["round", "table", "A", "B"]
    assert pairings[-1] == ["1", "bye", "pe"]
    ranking = list(
        csv.reader(io.StringIO(standings_csv(hall.now, standings(hall.now), {"pa": "Ada"})))
    )
    assert ranking[0] == ["rank", "name", "PTS", "BH"]
    assert len(ranking) == 6


@pytest.mark.parametrize(
    "text",
    [
        "name,club,rating,seed\nAda,Oak,1900,1\nBo,,,\n\n",
        "\ufeffNom;Club;Cote;Tête de série\nAda;Oak;1900;1\nBo;;;\n",
        "seed\tname\tother\trating\tclub\n1\tAda\tx\t1900\tOak\n\tBo\n",
    ],
)
def test_a_list_of_players_is_read(text: str) -> None:
    (ada, bo), unread = read_players(text)
    assert unread == (["other"] if "other" in text else [])
    assert (ada.name, ada.club, ada.rating, ada.seed) == ("Ada", "Oak", 1900, 1)
    assert (bo.name, bo.club, bo.rating, bo.seed) == ("Bo", "", 0, None)


@pytest.mark.parametrize(
    ("text", "last", "listed"),
    [
        ("First name,Last name\nAda,King\n", "King", "King, Ada"),
        ("Nom;Prénom\nvan den Berg;Jean Luc\n", "van den Berg", "van den Berg, Jean Luc"),
        ("name\nJean Luc van den Berg\n", "", "Jean Luc van den Berg"),
        ("name;club\nKing, Ada;Oak\n", "", "King, Ada"),
    ],
)
def test_which_name_is_the_last_is_read_and_never_guessed(
    text: str, last: str, listed: str
) -> None:
    (row,), _ = read_players(text)
    assert (row.last_name, listed_name(row.name, row.last_name)) == (last, listed)


def test_columns_of_federations_are_read_unless_they_mean_something_else() -> None:
    text = "name;title;federation;licence\nAda;wgm;fra;123456\nBo;;;\n"
    (ada, bo), unread = read_players(text)
    assert (ada.details, bo.details, unread) == (
        {"title": "wgm", "federation": "fra", "licence": "123456"}, {}, [],
    )  # fmt: skip
    (row,), unread = read_players("name;title;federation\nAda;Professor;France\n")
    assert (row.details, unread) == ({}, ["title", "federation"])


def test_a_protected_name_is_read_back() -> None:
    hall = Hall(duels(), 1)
    assert read_players(players_csv(hall.now, {"pa": "=Ada"}, {})).entries[0].name == "=Ada"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "lines_of_a_list"),
        ("name\n" + "x\n" * 2001, "lines_of_a_list"),
        ("club,rating\nOak,3\n", "no_name_column"),
        ("name\n" + "x" * 41, "bad_cell"),
        ("name,rating\nAda,best\n", "bad_cell"),
        ("name\nA\x1b[31mda\n", "bad_cell"),
        ("name\nA\u202eda\n", "bad_cell"),
    ],
)
def test_a_bad_list_of_players_is_refused(text: str, key: str) -> None:
    with pytest.raises(NotPossible) as refused:
        read_players(text)
    assert refused.value.key == key
    said = WORDS.say(f"error.{key}", "fr", **refused.value.facts)
    assert "\x1b" not in said
    assert "\u202e" not in said


# TRF


def test_a_report_has_its_columns_where_the_format_wants_them() -> None:
    hall = Hall(duels(rounds=3, tie_breaks=("PTS",)), 4)
    hall.tell(ByeRequested(player="pd", round=2))
    hall.start()
    for table in hall.now.round(1).draw.tables:
        hall.result(1, table.number, 1, 2, absent=("B",) if table.number == 1 else ())
    hall.tell(RoundClosed(round=1))
    hall.play()
    hall.tell(Registered(player="plate"), Late(player="plate"))
    report = trf(hall.now, {"pa": "Ada\nLovelace"}, start="2026/05/01").splitlines()
    assert report[:2] == ["012 Spring Cup", "042 2026/05/01"]
    ada = next(line for line in report if line[14:26] == "Ada Lovelace")
    assert ada[:8] == "001    1"
    assert ada[48:52] == "2000"
    first = hall.now.round(1).draw.table_of["pa"]
    played = ada[89:99]
    assert played[7] == ("w" if first.seats[0] == "pa" else "b")
    assert played[9] in "10+-"
    late = next(line for line in report if line.startswith("001    5"))
    assert late[89:109] == "  0000 - Z  0000 - Z"
    half = next(line for line in report if line[14:16] == "pd")
    assert half[99:109] == "  0000 - H"


def test_a_report_has_names_titles_federations_and_numbers_and_is_read_back() -> None:
    hall = Hall(duels(), 2)
    details = {
        "pa": PersonDetails(
            last_name="Lovelace", title="WGM", federation="ENG", licence="12345678901"
        )
    }
    report = trf(hall.now, {"pa": "Ada Lovelace", "pb": "Bo"}, details=details)
    ada, bo = (line for line in report.splitlines() if line.startswith("001"))
    assert (ada[10:13], ada[14:47].rstrip()) == ("WGM", "Lovelace, Ada")
    assert (ada[48:52], ada[53:56], ada[57:68]) == ("2000", "ENG", "12345678901")
    assert ada[80:84] == bo[80:84]
    read = {row.name: row.details for row in read_players(report).entries}
    assert read == {"Ada Lovelace": dict(details["pa"]), "Bo": {}}


def test_a_report_is_for_duels() -> None:
    with pytest.raises(NotPossible, match="only_duels"):
        trf(Hall(tables_of_four(), 4).now, {})


# The pod log of other tools


def test_a_pod_log_comes_back_as_it_left() -> None:
    four = SeatRange(least=4, most=4, preferred=4)
    hall = Hall(tables_of_four(rounds=3, seats=four), 11)
    hall.play()
    hall.play()
    hall.pair()
    names = {player: f"Name of {player}" for player in hall.now.players}
    log = json.loads(json.dumps(pods_log(hall.now, "spring", names)))
    ids = {name: player for player, name in names.items()}
    back = read_pods_log(log, name="Spring Cup", game="broom_service", new_id=ids.__getitem__)
    again = fold(back.events)
    assert list(back.names.values()) == list(names.values())
    for round, other in zip(hall.now.rounds, again.rounds, strict=True):
        assert round.draw == other.draw
        for table in round.draw.tables:
            one, two = round.result(table.number), other.result(table.number)
            assert (one and one.outcome) == (two and two.outcome)
    assert len({pod["uid"] for told in log["rounds"] for pod in told["pods"]}) == 6


def foreign_log(**changes: Any) -> dict[str, Any]:
    """A log as another program writes it: winners only, fractions in its settings."""
    uids = [f"aaaaaaaa-0000-0000-0000-00000000000{n}" for n in range(4)]
    log: dict[str, Any] = {
        "format_version": "1.0",
        "uid": "11111111-1111-1111-1111-111111111111",
        "config": {
            "pod_sizes": [4, 3], "win_points": 5, "bye_points": 4, "draw_points": 1,
            "n_rounds": 2, "global_wr_seats": [0.25, 0.19],
        },
        "players": [{"uid": uid, "name": uid[-1], "decklist": None} for uid in uids],
        "rounds": [
            {"seq": 0, "stage": 0, "logic": "PairingRandom", "dropped": [], "byes": [],
             "pods": [{"table": 1, "cap": 4, "result": uids[:2], "players": uids}]},
            {"seq": 1, "stage": 4, "pods": []},
        ],
    }  # fmt: skip
    return {**log, **changes}


def letter(name: str) -> str:
    return player_id(int(name))


def test_a_foreign_pod_log_is_read() -> None:
    back = read_pods_log(foreign_log(), name="Cup", game="broom_service", new_id=letter)
    rows = standings(fold(back.events)).rows
    assert [row.values[0] for row in rows] == [1, 1, 0, 0]
    assert back.skipped == [2]


@pytest.mark.parametrize(
    "changes",
    [
        {"players": []},
        {"config": {}},
        {"rounds": [{"seq": 0, "pods": [{"table": 1, "result": [], "players": []}]}]},
        {"rounds": "none"},
    ],
)
def test_a_bad_pod_log_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(NotPossible, match="bad_log"):
        read_pods_log(foreign_log(**changes), name="Cup", game="broom_service", new_id=letter)


def test_points_can_be_computed_from_a_sheet_alone() -> None:
    """Half-byes, full byes and absences are in it, as are penalties."""
    for seed in range(12):
        now = fold(generate(seed, "swiss"))
        if now.finals is not None or not now.rounds:
            continue
        sheet = json.loads(tournament_sheet(now, {}).model_dump_json())
        scoring = sheet["plan"]["scoring"]
        told = {row["player"]: Fraction(*row["values"][0]) for row in sheet["standings"]}
        for player in sheet["players"]:
            if player["id"] in told:
                assert told[player["id"]] == _points_of(sheet, scoring, player), seed


def _points_of(sheet: Any, scoring: Any, player: Any) -> Fraction:
    worth = {"full_bye": scoring["bye"], "half_bye": scoring["half_bye"], "zero_bye": 0}
    halves = 0
    for round in sheet["rounds"]:
        table = next((t for t in round["tables"] if player["id"] in t["seats"]), None)
        if player["id"] in round["byes"]:
            halves += scoring["bye"]
        elif table is None:
            halves += worth[player["away"].get(str(round["number"]), "zero_bye")]
        elif table["outcome"] is not None:
            halves += _halves(scoring, table, table["seats"].index(player["id"]))
    given = (p for p in sheet["penalties"] if p["player"] == player["id"])
    return Fraction(halves - sum(p["halves"] for p in given if p["cancelled"] is None), 2)


def _halves(scoring: Any, table: Any, seat: int) -> int:
    outcome = table["outcome"]
    if "AB"[seat] in outcome["absent"]:
        return 0
    if outcome["absent"]:
        return int(scoring["win"])
    first, second = outcome["places"]
    return int(
        scoring["draw" if first == second else "win" if outcome["places"][seat] == 1 else "loss"]
    )
