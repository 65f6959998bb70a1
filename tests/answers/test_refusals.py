"""What a refusal tells: the reading that decided, and what it proves of earlier actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers.explanation import why_lines
from answers.i18n import Voice
from answers.verdict_text import refusal, verdict_lines
from engines.kernel import Finding, Judgement, Moves, Point, Verdict, evolve
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.cases.case_file import read_cases
from referee.record.game import Game
from referee.record.positions import PositionFile, judge_from_position
from referee.table.openings import open_game
from referee.table.play import Heard
from tests.record.conftest import make_bench

CASES = Path(__file__).parents[1] / "cases" / "bethel_woods" / "abilities.toml"
PROOF = Finding("broken", "PEB-TAKE-2", (1, 2), {"pebbles": 2})


@pytest.fixture
def table() -> Game:
    return open_game(make_bench(), "pebbles", "table A B first A").game


def refused(table: Game) -> Judgement[object]:
    breach = Point("PEB-TAKE-1", {"pebbles": 7})
    verdict = Verdict("illegal", breaches=(breach,), findings=(PROOF, PROOF))
    return Judgement(table.engine.read("A take 7"), verdict, table.state, False)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_names_the_actions_it_is_a_proof_against_once(
    table: Game, lang: Language
) -> None:
    judged, voice = refused(table), Voice(lang)
    heard = Heard(table, action=judged.action, verdict=judged.verdict, accepted=False)
    for told in (
        list(refusal(voice, table, heard, [])),
        list(why_lines(voice, table.engine, table.setting, judged, Moves())),
        list(verdict_lines(voice, table.engine, judged, Moves(), {})),
    ):
        assert sum("#1, #2" in line for line in told) == 1


def in_mid_sowing(reading: str) -> list[str]:
    """Harris, used between two drops, under a reading."""
    file = read_cases(CASES.read_text("utf-8"), CASES.name)
    case = next(one for one in file.case if "ability_timing" in one.readings)
    given = file.start_of(case)
    table, *setup = given.log.split(";")
    position = PositionFile(
        game="bethel_woods",
        table=f"{table} readings ability_timing={reading}",
        setup=tuple(setup),
        position=given.position,
    )
    lines = ["take 3 cw", "drop M", "harris E 1 to 2 pay E3"]
    heard = judge_from_position(position, lines)
    last, readings = heard.judged[-1], heard.setting.readings
    return list(verdict_lines(Voice(), heard.engine, last, Moves(), readings))


def test_a_refusal_quotes_the_clause_as_it_is_read_and_names_the_reading() -> None:
    told = " ".join(in_mid_sowing("outside_sowing"))
    assert "never during it" in told
    assert "during or after" not in told
    assert "reading: When in the turn may an ability be used? Before or after the sowing." in told
    assert "ABIL-4" not in " ".join(in_mid_sowing("any"))


def test_a_clause_in_other_words_names_the_reading_though_nobody_asked_for_it() -> None:
    opening = "table A B first A readings harris_counts_as_last=yes"
    table = open_game(make_bench(), "bethel_woods", opening).game
    engine, readings, clause = table.engine, table.setting.readings, "BTW-UNC-11"
    held = Verdict("legal", asked=((clause, True, {}, False),))
    judged = Judgement(engine.read("A end"), held, table.state, True)
    voice = Voice(program="referee")  # where a reading is typed it is named as well
    broken = evolve(judged, verdict=Verdict("illegal", breaches=(Point(clause, {}),)))
    for told in (
        why_lines(voice, engine, table.setting, judged, Moves()),
        verdict_lines(voice, engine, broken, Moves(), readings),
    ):
        assert any(line.endswith("(harris_counts_as_last=yes)") for line in told)
