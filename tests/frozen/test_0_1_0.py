"""What version 0.1.0 wrote is read, proven and understood as it was then."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.kernel.registry import load_engine
from referee.record.fold import fold
from referee.store import open_store
from referee.store.sqlite.files import sqlite_url
from tests.cli.transcripts import run
from tests.frozen.telling import told

FROZEN = Path(__file__).parent / "0.1.0"
STORES = ("club", "evening", "tournaments")
TOURNAMENTS: dict[str, str] = json.loads((FROZEN / "tournaments/ids.json").read_text("utf-8"))


def said(name: str) -> Any:
    """What 0.1.0 said."""
    return json.loads((FROZEN / "said" / name).read_text("utf-8"))


def files(pattern: str) -> list[str]:
    """Frozen files by their path, for the names of tests."""
    return sorted(str(file.relative_to(FROZEN)) for file in FROZEN.glob(pattern))


def holds(then: Any, now: Any) -> bool:
    """Whether everything said then is still said; more may be said now."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(
            name in now and holds(value, now[name]) for name, value in then.items()
        )
    if isinstance(then, list):
        return (
            isinstance(now, list)
            and len(then) == len(now)
            and all(holds(one, other) for one, other in zip(then, now, strict=True))
        )
    return bool(then == now)


@pytest.fixture
def copy(newcomer: Path) -> Path:
    """The frozen data where it may be written to."""
    return Path(shutil.copytree(FROZEN, newcomer / "frozen"))


def answer(line: str, *, exit: int = 0) -> Any:
    out, code = run(f"referee {line} --json")
    assert code == exit, out
    return json.loads(out)["data"]


def games_of(copy: Path, name: str) -> Iterator[tuple[str, Any]]:
    store = open_store(sqlite_url(copy / f"{name}.db"))
    try:
        for stream in store.streams("game-"):
            yield stream, fold(stream, store.read(stream))
    finally:
        store.close()


# stores


@pytest.mark.parametrize("name", STORES)
def test_every_game_of_a_store_has_the_same_states_verdicts_and_results(
    name: str, copy: Path
) -> None:
    then = said(f"{name}.json")
    now = {stream: told(game) for stream, game in games_of(copy, name)}
    assert list(now) == list(then)
    for stream, game in then.items():
        told_now = as_told_since(now[stream])
        told_now["readings"] = without_later_readings(told_now, set(game["readings"]))
        for step, before in zip(told_now["steps"], game["steps"], strict=True):
            step["changed"] = without_later_fields(step["changed"], before["changed"])
        assert told_now == as_told_since(game), stream


def without_later_fields(changed: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """What of a position changed; a field that came later is empty."""
    return {path: value for path, value in changed.items() if path in known or value}


def without_later_readings(told_now: Any, known: set[str]) -> dict[str, str]:
    """The readings of a game that were known then; those that came later say what was before."""
    later = load_engine(told_now["game"]).readings
    readings: dict[str, str] = told_now["readings"]
    for name in readings.keys() - known:
        assert readings[name] == later[name].under("1.0"), name
    return {name: value for name, value in readings.items() if name in known}


def as_told_since(data: Any) -> Any:
    """Since engines 1.1: what an audit has derived is a text; what has no limit says "any".
    Since 1.2 a result says whether it is a ranking."""
    if isinstance(data, dict):
        told = {name: as_told_since(value) for name, value in data.items() if name != "ranked"}
        if "derived" in told:
            return {**told, "derived": str(told["derived"])}
        return {**told, "times": "any"} if told.get("times", 1) is None else told
    return [as_told_since(item) for item in data] if isinstance(data, list) else data


def test_every_kind_of_entry_is_among_them() -> None:
    from referee.record.entries import KINDS

    found = {kind for game in said("club.json").values() for kind in game["entries"]}
    assert found <= set(KINDS)
    assert len(found) == 22


@pytest.mark.parametrize("name", STORES)
def test_every_record_of_a_store_is_proven(name: str, copy: Path) -> None:
    """Of games and of tournaments."""
    records = answer(f"--store {copy}/{name}.db verify --all")["records"]
    assert [(one["ok"], one["problems"]) for one in records] == [(True, [])] * len(records)
    heads = {stream: game["head"] for stream, game in said(f"{name}.json").items()}
    proven = {one["game"]: one["head"] for one in records}
    events = set(TOURNAMENTS.values()) if name == "tournaments" else set()
    assert set(proven) - set(heads) == events
    assert {stream: proven[stream] for stream in heads} == heads


def test_entries_that_are_in_the_wal_alone_are_read(copy: Path) -> None:
    ((_, whole),) = games_of(copy, "evening")
    shutil.rmtree(copy)
    shutil.copytree(FROZEN, copy)
    for end in ("wal", "shm"):
        (copy / f"evening.db-{end}").unlink()
    ((_, cut_off),) = games_of(copy, "evening")
    assert (len(whole.entries), len(cut_off.entries)) == (52, 43)


def test_lists_of_games_people_and_rulings_are_the_same(copy: Path) -> None:
    at = f"--store {copy}/club.db"
    then = said("games.json")["games"]
    for game in then:
        del game["current"], game["actions"]
    assert holds(then, answer(f"{at} games")["games"])
    assert holds(said("people.json"), answer(f"{at} people list"))
    assert holds(said("rulings.json"), answer(f"{at} ruling list"))


def test_what_was_said_and_no_longer_counts_is_told_as_it_was(copy: Path) -> None:
    """What counts is in the order of then; of the rest, 0.1.0 put some too late in the line."""
    for game, then in said("history.json").items():
        now = answer(f"--store {copy}/club.db -g {game} moves --all")["moves"]
        for only in (by_seq, counting):
            assert holds(only(then), only(now))


def by_seq(moves: list[Any]) -> list[Any]:
    return sorted(moves, key=lambda move: move["seq"])


def counting(moves: list[Any]) -> list[Any]:
    return [move for move in moves if move["status"] == "counts"]


@pytest.mark.parametrize("name", STORES)
def test_a_store_that_nobody_has_written_to_since_is_copied_rehearsed_and_restored(
    name: str, copy: Path
) -> None:
    file = copy / f"{name}.db"
    answer(f"--store {sqlite_url(file)} backup {copy / 'copies'} --every 0 --times 1")
    answer(f"--store {sqlite_url(file)} backup {copy / 'one.db'}")
    again = sqlite_url(copy / "again.db")
    answer(f"--store {again} restore {copy / 'one.db'}")
    assert (
        answer(f"--store {again} games")["games"]
        == (answer(f"--store {sqlite_url(file)} games")["games"])
    )


def test_a_store_is_written_on(copy: Path) -> None:
    at = f"--store {copy}/evening.db"
    ((game, before),) = games_of(copy, "evening")
    answer(f"{at} -g {game} undo")
    assert answer(f"{at} -g {game} info")["entries"] == len(before.entries) + 1
    assert answer(f"{at} verify --all")["records"][0]["ok"]


def test_a_sealed_value_is_opened_with_the_secret_kept_then(copy: Path) -> None:
    (secret,) = (copy / "secrets").iterdir()
    kept = copy.parent / "data" / "referee" / "secrets"
    kept.mkdir(parents=True)
    shutil.copy(secret, kept)
    at = f"--store {copy}/club.db -g {secret.stem}"
    opened = answer(f"{at} --as Bo:seat:B secret open s2")
    assert holds({"id": "s2", "value": ["b3", "f1", "b1", "b2"]}, opened), opened
    assert answer(f"{at} verify")["records"][0]["ok"]


# records that travel


@pytest.mark.parametrize("file", files("records/*") + files("signed/game.*"))
def test_a_record_is_taken_in_as_it_was(file: str, copy: Path) -> None:
    (proven,) = answer(f"verify {copy / file}")["records"]
    assert proven["ok"]
    assert proven["head"] == said("club.json")[proven["game"]]["head"]
    (taken,) = answer(f"--store elsewhere.db import {copy / file}")["games"]
    assert taken["game"] == proven["game"]
    assert answer("--store elsewhere.db verify")["records"][0]["head"] == proven["head"]


def test_signatures_are_good_revoked_or_wrong_as_they_were(copy: Path) -> None:
    answer(f"keys import {copy}/signed/keys.toml")
    head = (copy / "signed/head.txt").read_text("utf-8").strip()
    line = f"verify {copy}/signed/game.jsonl --head {head} --signed-by jo --signed-by club"
    assert holds(said("signed.json"), answer(line, exit=6))
    cut = (copy / "signed/game.jsonl").read_bytes().splitlines(keepends=True)[:11]
    (copy / "until-the-thief.jsonl").write_bytes(b"".join(cut))
    assert answer(f"verify {copy}/until-the-thief.jsonl --signed-by jo --signed-by club")


def test_seals_of_rounds_are_whole(copy: Path) -> None:
    answer(f"keys import {copy}/signed/keys.toml")
    for name, then in said("seals.json").items():
        found = answer(f"--store {copy}/club.db seal check {copy}/seals/{name}")
        assert holds(then, found)


# boxes, tables, cases, rulings


@pytest.mark.parametrize("file", files("kits/*"))
def test_a_kit_fits_and_is_played_with(file: str, copy: Path) -> None:
    game = answer(f"kit check {copy / file}")["game"]
    table = {"benevolent": "A=blue B=red first A", "bethel_woods": "A B first A"}
    answer(f"new {game} {table.get(game, 'A B first A')} --kit {copy / file}")
    assert answer("kit show")["totals"]["declared"] >= 1


def test_a_preset_opens_a_table_as_it_did(copy: Path) -> None:
    answer(f"new benevolent A=blue B=red first A --preset {copy}/presets/club.toml")
    assert answer("info")["house_rules"] == ["BEN-MOVE-11"]
    assert answer("info")["readings"]["hoard_take"] == "all"


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("benevolent", "A swap clover"),
        ("bethel_woods", "A take 1 cw"),
        ("bloody_grove", "B draw 4"),
        ("broom_service", "event black_market"),
        ("roundforest", "A move b2 compass"),
    ],
)
def test_a_declared_position_is_played_from(game: str, line: str, copy: Path) -> None:
    assert answer(f'check --position {copy}/positions/{game}.toml "{line}"')


@pytest.mark.parametrize("file", files("cases/*"))
def test_a_saved_ruling_is_still_kept(file: str, copy: Path) -> None:
    ran = answer(f"cases run {copy / file}")
    assert [case["problems"] for case in ran["cases"]] == [[]]


@pytest.mark.parametrize("file", files("rulings/*"))
def test_a_book_of_rulings_is_taken_over(file: str, copy: Path) -> None:
    answer(f"ruling import {copy / file}")
    then = [one["reference"] for one in said("rulings.json")["rulings"]]
    now = [one["reference"] for one in answer("ruling list")["rulings"]]
    assert sorted(now) == sorted(then)


# tournaments


@pytest.mark.parametrize("slug", TOURNAMENTS)
def test_a_tournament_has_the_same_standings_and_pairings(slug: str, copy: Path) -> None:
    at = f"--store {copy}/tournaments.db tournament -t {TOURNAMENTS[slug]}"
    assert holds(said("tournaments-standings.json")[slug], answer(f"{at} standings"))
    checked = answer(f"{at} check")
    known = [p for p in checked["problems"] if not p["remark"] or p["key"] == "changed_by_hand"]
    assert holds(said("tournaments-checked.json")[slug], {**checked, "problems": known})


@pytest.mark.parametrize("slug", TOURNAMENTS)
def test_a_tournament_is_written_out_as_it_was(slug: str, copy: Path) -> None:
    at = f"referee --store {copy}/tournaments.db tournament -t {TOURNAMENTS[slug]} export"
    for kind, end in (("json", "json"), ("events", "events.jsonl"), ("pods", "pods.json")):
        out, code = run(f"{at} {kind} -o -")
        then = (FROZEN / f"tournaments/{slug}.{end}").read_text("utf-8")
        assert code == 0
        assert holds(_lines(then, end), _lines(out, end)), (kind, slug)
    trf = FROZEN / f"tournaments/{slug}.trf"
    if trf.exists():
        assert _players(run(f"{at} trf -o -")[0]) == _players(trf.read_text("utf-8"))


def _players(report: str) -> list[str]:
    """A report's players; its head says more than it did."""
    return [line for line in report.splitlines() if line.startswith("001")]


def _lines(text: str, end: str) -> Any:
    return [json.loads(line) for line in text.splitlines()] if "jsonl" in end else json.loads(text)


@pytest.mark.parametrize("slug", ["pods", "league"])
def test_a_pod_log_is_taken_in_as_a_tournament(slug: str, copy: Path) -> None:
    answer(f"tournament import {copy}/tournaments/{slug}.pods.json --of broom_service")
    then = json.loads((FROZEN / f"tournaments/{slug}.json").read_text("utf-8"))
    assert _placed(json.loads(run("referee tournament export json -o -")[0])) == _placed(then)


def _placed(sheet: Any) -> list[list[dict[str, int]]]:
    """Who took which place, table by table, round by round; the log knows no finals."""
    name = {player["id"]: player["name"] for player in sheet["players"]}
    return [
        [
            {name[p]: place for p, place in zip(t["seats"], t["outcome"]["places"], strict=True)}
            for t in round["tables"]
        ]
        for round in sheet["rounds"]
        if round["stage"] == "main"
    ]


def test_a_seed_makes_the_same_deal(copy: Path) -> None:
    more = "--name one --of bethel_woods --seed 4711 -o again.json"
    answer(f"tournament deal make {copy}/deals/piles.toml {more}")
    assert (copy.parent / "again.json").read_bytes() == (copy / "deals/one.deal.json").read_bytes()
