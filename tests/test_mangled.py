"""Files from outside, mangled: each is taken or refused with a reason, never a fault of ours."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Any

import pytest

from engines.kernel import Flaw, KitSheet, ParseError
from engines.kernel.registry import engine_ids, load_engine
from referee.archive.precedents import check_book, read_book, take_over
from referee.archive.record_files import read_record, take_in
from referee.cases.case_file import CaseError, read_cases
from referee.cases.runner import run_case
from referee.errors import RefereeError
from referee.proof.keys import read_keys
from referee.proof.round_seals import check_seal, read_seal
from referee.record.positions import judge_from_position, position_file, read_position
from referee.store import StoreError, open_store
from referee.table.author import SCRIBE
from referee.table.presets import check_preset
from referee.untrusted.safe_toml import write_toml
from replays.gallery import sample, samples
from replays.text_record import read_text
from tests.fuzz.mangling import forged, mangled

REFUSED = (RefereeError, ParseError, Flaw, CaseError, StoreError)
HEX = "0" * 64


@cache
def entries(game: str) -> list[dict[str, Any]]:
    text = resources.files("replays").joinpath(f"samples/{game}.txt").read_bytes()
    return [json.loads(row.body) for row in read_text(text).rows[:12]]


def import_record(data: dict[str, Any]) -> None:
    take_in(open_store("memory:"), read_record(forged(data.get("entries"))))


def open_box(data: dict[str, Any]) -> None:
    engine = load_engine(str(data.get("game", "")))
    engine.check_kit(KitSheet(data))
    opening: Any = engine.read(engine.opening.usual(engine.seats[0]))
    engine.open(engine.setting(opening, KitSheet(data)), opening, lenient=True)


def take_over_book(data: dict[str, Any]) -> None:
    store = open_store("memory:")
    take_over(store, check_book(data), author=SCRIBE)
    read_book(store)


def run_cases(data: dict[str, Any]) -> None:
    try:
        text = write_toml(data)
    except TypeError:
        return  # TOML has no way to write nothing
    file = read_cases(text)
    for case in file.case:
        run_case(load_engine(file.game), file, case)


Door = tuple[Callable[[dict[str, Any]], object], dict[str, Any]]
RULING = {
    "reference": "game-a/r1",
    "game": "benevolent",
    "date": "2026-01-01",
    "clauses": ["BEN-MOVE-3"],
    "facts": {"to": "b2"},
    "remedy": "stands",
    "reason": "nobody minds",
    "readings": {"buy_exhausted": "no"},
    "precedents": ["game-b/r2"],
}
CASE = {
    "name": "a case",
    "given": "start",
    "lines": "take 4 -> illegal PEB-TAKE-1\n= heap 12\n? A take 1",
    "shows": ["PEB-TAKE-1"],
    "readings": {"last_pebble": "loses"},
}
GIVEN = {"log": "table A B first A", "position": {"heap": 9, "next": "B"}, "kit": {"heap": 13}}
GAME = {"game": "game-a", "entries": 1, "head": HEX}
SEAL = {"title": "round 1", "at": "2026-01-01", "games": [GAME], "root": HEX}


def doors() -> Iterator[tuple[str, Door]]:
    """What takes something in from outside, with something that it takes."""
    for game in samples():
        played = sample(game)
        kit = json.loads(json.dumps(played.engine.kit_sheet(None).content))
        readings = {name: reading.default for name, reading in played.engine.readings.items()}
        preset = {"game": game, "name": "club", "readings": readings, "house_rules": []}
        yield f"{game} record", (import_record, {"entries": entries(game)})
        yield f"{game} kit", (open_box, kit)
        yield f"{game} preset", (lambda data: check_preset(data, "preset.toml"), preset)
        if played.engine.position_of is not None:
            middle = played.steps[len(played.steps) // 2].number
            position = {"setup": [], "house_rules": [], "kit": {}, **position_file(played, middle)}
            yield (
                f"{game} position",
                (lambda data: judge_from_position(read_position(data), []), position),
            )
    yield "book", (take_over_book, {"source": "club", "ruling": [RULING]})
    yield "cases", (run_cases, {"game": "pebbles", "given": {"start": GIVEN}, "case": [CASE]})
    yield "seal", (lambda data: check_seal(open_store("memory:"), read_seal(data), {}), SEAL)
    trusted = {"key": HEX, "name": "ana", "revoked": "2026-01-01T00:00:00Z", "reason": "lost"}
    yield "keys", (lambda data: read_keys(data, "keys.toml"), {"keys": [trusted]})


DOORS = dict(doors())


def test_there_is_a_door_for_every_game() -> None:
    assert {name.split()[0] for name in DOORS if " " in name} == set(engine_ids()) - {"pebbles"}


@pytest.mark.parametrize("door", DOORS)
def test_what_is_whole_is_taken(door: str) -> None:
    take, whole = DOORS[door]
    take(copy.deepcopy(whole))


@pytest.mark.parametrize("door", DOORS)
def test_what_is_mangled_is_taken_or_refused(door: str) -> None:
    (take, whole), chance = DOORS[door], random.Random(door)
    for _ in range(60):
        data = mangled(whole, chance)
        try:
            take(copy.deepcopy(data))
        except REFUSED:
            continue
        except Exception as fault:
            raise AssertionError(f"{door}: {json.dumps(data)[:2000]}") from fault
