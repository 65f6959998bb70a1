"""The judge's commands where seats may not see everything, and what-if over a store."""

from __future__ import annotations

import json
from collections.abc import Collection
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.cli.conftest import newcomer as newcomer
from tests.cli.transcripts import run

SETUP = (
    'log "forest S1A S2A" "pyramid swap_again gift_clover bargain lone_step'
    ' / sale gift_feather cheap_crystal / hoard convert_1" "A step c1; pick"'
)


def referee(line: str, code: int = 0) -> str:
    out, found = run(f"referee {line}")
    assert found == code, out
    return out


def answer(line: str) -> Any:
    return json.loads(referee(f"--json {line}"))["data"]


def test_what_a_judge_sees_is_not_for_seats_that_may_not_see_it(newcomer: Path) -> None:
    """Leaves are concealed at this table."""
    referee("new benevolent A=blue B=red first A --reading open_holdings=no")
    referee(SETUP)
    referee('log "B step c1; pick"')
    referee("log --stands A step a3")
    shown = answer("dispute show d1 --as Jo:judge")
    assert (shown["actions"][0]["number"], shown["before"]["players"]["A"]["leaves"]) == (7, 1)
    referee("ruling issue d1 --remedy stands -m 'too late' --as Jo:judge")
    referee("dispute show d1 --as seat:B", code=8)
    referee("ruling save-case r1 -o r1.toml --as seat:B", code=8)
    referee("what-if --house-rule BEN-MOVE-11 --as seat:B", code=8)
    assert answer("ruling show r1 --as seat:B")["line"] == ""
    assert answer("ruling show r1")["line"] == "A step a3"


def test_what_if_asks_all_games_of_one_kind(newcomer: Path) -> None:
    for after in ("check", "log"):
        referee("new benevolent A=blue B=red first A")
        referee(SETUP)
        referee(f"{after} B step c1")
    referee("new broom_service A=red B=blue first A side front")
    found = answer("what-if --of benevolent --reading turn_end=explicit")
    assert (len(found["games"]), found["differ"]) == (2, 1)
    (difference,) = [row["differences"][0] for row in found["games"] if row["differences"]]
    assert (difference["number"], difference["after"]) == (5, "refused")
    assert len(answer("what-if --all")["games"]) == 1
    referee("what-if --of nonsense", code=4)
    referee("what-if --reading nonsense=1 --of benevolent", code=2)


def test_what_if_takes_a_preset(newcomer: Path) -> None:
    referee("new benevolent A=blue B=red first A")
    referee(SETUP)
    referee("log B step c1")
    (newcomer / "club.toml").write_text(
        'game = "benevolent"\nname = "club"\n[readings]\nturn_end = "explicit"\n', "utf-8"
    )
    found = answer("what-if --preset club.toml")
    assert [d["number"] for d in found["games"][0]["differences"]] == [5]


CONDITIONS = (
    ("reading", "leaf_supply=unlimited"),
    ("reading", "hoard_take=all"),
    ("house-rule", "BEN-ACT-2"),
    ("house-rule", "BEN-TABLE-2"),
)
SPLITS = [some for count in (0, 1, 3, 4) for some in combinations(CONDITIONS, count)]


def conditions(folder: Path, in_file: Collection[tuple[str, str]]) -> str:
    """The options of a command: some conditions stand in the club's file, the others beside it."""
    readings = [text.split("=") for kind, text in in_file if kind == "reading"]
    rules = [text for kind, text in in_file if kind == "house-rule"]
    lines = ['game = "benevolent"', 'name = "club"', f"house_rules = {rules}", "[readings]"]
    lines += [f'{name} = "{value}"' for name, value in readings]
    (folder / "club.toml").write_text("\n".join(lines), "utf-8")
    beside = [f"--{kind} {text}" for kind, text in CONDITIONS if (kind, text) not in in_file]
    return " ".join(["--preset club.toml", *beside])


def test_what_stands_in_a_preset_and_what_is_said_beside_it_hold_together(newcomer: Path) -> None:
    referee("new benevolent A=blue B=red first A")
    referee(SETUP)
    referee('log "B step c1; pick"')
    referee("log --stands A step a3")
    referee("log --stands A learn 2a")
    game = answer("info")["game"]
    told = []
    for in_file in SPLITS:
        options = conditions(newcomer, in_file)
        (row,) = answer(f"what-if --game {game} {options}")["games"]
        (found,) = row["differences"]
        opened = answer(f"new benevolent A=blue B=red first A {options}")["game"]
        info = answer(f"info --game {opened}")
        readings = [info["readings"][name] for name in ("leaf_supply", "hoard_take")]
        told.append((found["number"], found["after"], *readings, *sorted(info["house_rules"])))
    expected = (8, "legal", "unlimited", "all", "BEN-ACT-2", "BEN-TABLE-2")
    assert told == [expected] * len(SPLITS)


def test_what_is_said_beside_a_preset_goes_before_it(newcomer: Path) -> None:
    conditions(newcomer, CONDITIONS)
    line = "--preset club.toml --reading hoard_take=one"
    opened = answer(f"new benevolent A=blue B=red first A {line}")["game"]
    readings = answer(f"info --game {opened}")["readings"]
    assert (readings["leaf_supply"], readings["hoard_take"]) == ("unlimited", "one")


def test_a_correction_by_ruling_that_is_illegal_there_is_a_refusal(newcomer: Path) -> None:
    referee("new benevolent A=blue B=red first A")
    referee(SETUP)
    referee("dispute open 3 --by B")
    ruling = "ruling issue d1 --correct 'A step z9' -m meant --as Jo:judge"
    assert "BEN-MOVE-16" in referee(ruling, code=3)
    told = json.loads(referee(f"--json {ruling}", code=3))
    assert (told["ok"], told["schema"]) == (False, "referee/ruling-issue@1")
    assert (told["data"]["clause"], told["data"]["notation"]) == ("BEN-MOVE-16", "A step z9")


def test_a_penalty_says_what_it_needs_and_ends_with_its_ruling(newcomer: Path) -> None:
    referee("new benevolent A=blue B=red first A")
    referee(SETUP)
    referee("dispute open 3 --by B")
    ruling = "ruling issue d1 --remedy penalty -m late --as Jo:judge"
    assert "--seat" in referee(ruling, code=2)
    referee(f"{ruling} --seat A --level warning")
    appeal = "ruling issue d1 --overturns r1 --remedy stands -m fair --as Kim:organiser"
    for told in (referee(f"{appeal} --dry-run"), referee(appeal)):
        assert "penalty x1 is cancelled: A, warning" in told
    assert "cancelled" in referee("penalty list")
    again = "ruling issue d1 --overturns r2 --remedy stands -m fair --as Kim:organiser"
    assert "x1" not in referee(again)


def test_info_names_what_keeps_the_table_waiting(newcomer: Path) -> None:
    referee("new benevolent A=blue B=red first A")
    referee(SETUP)
    referee("correct 3 A step c2")
    assert "to decide  #4" in referee("info")
    kept = referee("correct 4 --keep")
    assert "kept as played: #4, illegal (BEN-ACT-2)" in kept
    assert "pending" not in referee("info")
    referee("hold -m lunch")
    assert "paused    lunch" in referee("info")
    referee("resume")
    referee("dispute open 3 --by B --hold")
    assert "paused    until dispute d2 is settled" in referee("info")


def test_a_dispute_names_the_actions_that_are_gone(newcomer: Path) -> None:
    referee("new benevolent A=blue B=red first A")
    referee(SETUP)
    referee("dispute open 4 -m hm")
    assert " #4 " in referee("dispute list")
    referee("undo")
    assert "(#4 undone)" in referee("dispute list")
    assert "(#4 annulée)" in referee("dispute list --lang fr")
