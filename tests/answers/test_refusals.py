"""What a refusal tells: the reading that decided, and what it proves of earlier actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers.context import Caller, StoreContext
from answers.explanation import why_lines
from answers.i18n import Voice
from answers.problems import problem_of
from answers.tournament.apart import keep_apart
from answers.tournament.lifecycle import create
from answers.tournament.players import PlayerRow, register
from answers.verdict_text import refusal, verdict_lines
from engines.kernel import Finding, Judgement, Moves, Point, Verdict, evolve
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.messages.errors import MessageError
from referee.cases.case_file import read_cases
from referee.record.game import Game
from referee.record.positions import PositionFile, judge_from_position
from referee.table.author import Author
from referee.table.openings import open_game
from referee.table.play import Heard
from referee.tournament.default_plans import usual_plan
from tests.record.conftest import make_bench

CASES = Path(__file__).parents[1] / "cases" / "bethel_woods" / "abilities.toml"
PROOF = Finding("broken", "PEB-TAKE-2", (1, 2), {"pebbles": 2})


@pytest.fixture
def table() -> Game:
    return open_game(make_bench(), "pebbles", "table A B first A").game


@pytest.mark.parametrize(
    ("names", "reason", "told"),
    [
        (13, "so", ("players: at most 12 are allowed, there are 13", "joueurs\u202f: 12 au plus")),
        (1, "so", ("players: at least 2", "joueurs\u202f: il en faut au moins 2")),
        (2, "", ("reason: “” – ", "reason\u202f: «\u202f\u202f» – ")),
    ],
)
def test_what_no_request_could_say_is_told_in_words_to_a_program_that_says_it(
    names: int, reason: str, told: tuple[str, str], store_context: StoreContext
) -> None:
    organiser = Caller(store_context, Author(role="organiser"))
    cup = create(organiser, "Cup", usual_plan("benevolent", "swiss", 3)).data.tournament
    everybody = [f"P{number:02}" for number in range(13)]
    register(organiser, cup, [PlayerRow(name=name) for name in everybody])
    with pytest.raises(MessageError) as refused:
        keep_apart(organiser, cup, everybody[:names], reason)
    for lang, expected in zip(LANGUAGES, told, strict=True):
        problem = problem_of(refused.value, Voice(lang))
        assert (problem.kind, problem.key) == ("unreadable", "bad_value")
        assert problem.message.startswith(expected)


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
