from pathlib import Path

from dunes import ENGINE

from referee.cases.case_file import read_cases
from referee.game_check.checker import assert_sound

CASES = Path(__file__).with_name("cases.toml")


def test_the_game_is_sound_and_its_cases_come_out_as_written() -> None:
    assert_sound(ENGINE, cases=[read_cases(CASES.read_text("utf-8"))])
