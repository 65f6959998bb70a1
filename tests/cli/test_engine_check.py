"""What an author types: the check of a game, and a new game to start from."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game_check.template import new_game
from tests.cli.transcripts import run
from tests.tutorial import installed


def test_the_command_names_what_is_wrong_and_fails(newcomer: Path) -> None:
    out, code = run("referee engine check pebbles --games 1")
    assert code == 0, out
    assert "0 things are wrong" in out
    out, code = run("referee --lang fr engine check pebbles --games 1")
    assert "0 erreur" in out
    cases = newcomer / "cases.toml"
    cases.write_text(
        'game = "pebbles"\n[[case]]\nname = "wrong on purpose"\nlog = "table A B first A"\n'
        'lines = "A take 2 -> illegal PEB-TAKE-1"\n',
        "utf-8",
    )
    out, code = run("referee engine check pebbles --games 1 --cases cases.toml")
    assert code == 6
    assert "“wrong on purpose”" in out


def test_a_fault_of_the_rules_is_called_the_game_s_with_its_line(newcomer: Path) -> None:
    files = new_game("faulty")
    code = files["faulty/__init__.py"].replace(
        "    got = ", "    wrong = 1 // (action.count - 2)\n    got = ", 1
    )
    line = 1 + code.splitlines().index("    wrong = 1 // (action.count - 2)")
    with installed("faulty", newcomer / "plugin", {**files, "faulty/__init__.py": code}):
        checked = "referee engine check faulty --quick"
        out, code = run(f"{checked} --cases plugin/tests/cases.toml")
        assert (code, out.count(f"faulty/__init__.py:{line}: an error in the game’s own")) == (6, 1)
        assert "(at “table A B first A”)" in run(checked)[0]
        table = "referee new faulty table A B first A"
        assert run(table)[1] == 0
        (newcomer / "evening.txt").write_text("A take 2\nA take 1\n", "utf-8")
        named = (
            f"the game faulty, not in the referee: ZeroDivisionError at faulty/__init__.py:{line}"
        )
        for command in ("referee log A take 2", "referee play < evening.txt"):
            out, _ = run(command)
            assert named in out
            assert "please report" not in out
        assert '"left": 9' in run("referee state --json")[0], "the shell goes on behind the fault"


def test_an_author_hands_in_tables_and_the_lines_that_no_option_lists(newcomer: Path) -> None:
    handed = newcomer / "tables.py"
    checked = "referee engine check late --quick --setups tables.py"
    with installed("late", newcomer / "plugin", new_game("late")):
        for line, expected in (("B take 1", 0), ("B take 99", 6)):
            handed.write_text(
                f'setups = {{"two": ["table A B first A", "A take 2", "{line}"]}}\n', "utf-8"
            )
            out, code_of = run(checked)
            assert (code_of, "B take 99" in out) == (expected, expected == 6), out
        handed.write_text("def supply(engine, setting, state, rng): ...\n", "utf-8")
        assert run(checked)[1] == 0, "options list everything: it is not asked"
        for text, told in (("1 / 0\n", "tables.py, line 1"), ("x = 1\n", "neither")):
            handed.write_text(text, "utf-8")
            out, code_of = run(checked)
            assert (code_of, told in out) == (2, True), out


def test_a_picture_is_written_without_a_server_and_without_a_record(newcomer: Path) -> None:
    out, code = run("referee engine draw pebbles 'table A B first B' 'take 2' -o heap.svg")
    assert code == 0, out
    drawn = (newcomer / "heap.svg").read_text("utf-8")
    assert drawn.startswith("<svg")
    assert run("referee engine draw pebbles -o heap.svg")[1] == 5, "nothing is overwritten"
    assert run("referee engine draw pebbles -o heap.svg --force")[1] == 0
    assert (newcomer / "heap.svg").read_text("utf-8") != drawn
    assert run("referee engine draw pebbles 'take 9' -o refused.svg")[1] == 3
    assert run("referee engine draw pebbles -o heap.exe")[1] == 4
    assert {each.name for each in newcomer.iterdir() if each.suffix} == {"heap.svg"}


@pytest.mark.parametrize("name", ["Quarto", "1st", "class", "a b", "../out", "x" * 40, ""])
def test_a_name_that_no_package_can_have_is_refused(newcomer: Path, name: str) -> None:
    out, code = run(f'referee engine new "{name}"')
    assert code != 0, out
    assert list(newcomer.iterdir()) == [] or not (newcomer / name).is_dir()


def test_a_folder_that_exists_is_left_alone(newcomer: Path) -> None:
    (newcomer / "quarto").mkdir()
    out, code = run("referee engine new quarto")
    assert code == 5
    assert "already exists" in out
    assert not list((newcomer / "quarto").iterdir())
    out, code = run("referee engine new benevolent")
    assert code == 5
    assert "already installed" in out
