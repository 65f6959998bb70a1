"""What an author types: the check of a game, and a new game to start from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.transcripts import run


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
