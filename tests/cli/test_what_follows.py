"""What is told after something that stands, a correction, or where nothing legal is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import verdict_text
from answers.i18n import Voice
from answers.verdict_text import to_act
from engines.kernel import Duty
from referee.table.openings import open_game
from tests.cli.transcripts import run
from tests.record.conftest import make_bench

PYRAMID = (
    "pyramid swap_again gift_clover bargain lone_step"
    " / sale gift_feather cheap_crystal / hoard convert_1"
)
GROVE = "groves bear owl fox; elite EB2 EO6 EF6; venerables V6 V3 V9"


def referee(line: str, code: int = 0) -> str:
    out, found = run(f"referee {line}")
    assert found == code, out
    return out


@pytest.fixture
def forest(newcomer: Path) -> None:
    referee("new benevolent A=blue B=red first A -p A=Ana -p B=Bo")
    referee(f'log "forest S1A S2A" "{PYRAMID}"')


@pytest.fixture
def grove(newcomer: Path) -> None:
    referee("new bloody_grove A=black B=green first A")
    referee(f'log "{GROVE}" "A draw 4; B draw 4; A look t11; B look t8"')


@pytest.mark.usefixtures("forest")
def test_what_stands_and_changes_nothing_says_so_and_how_to_set_it_right() -> None:
    out = referee("log --stands B end")
    assert "nothing on the table has changed by it" in out
    assert "referee adjust" in out
    assert "nothing on the table has changed" not in referee("log --stands B step c1")


def test_a_player_without_a_legal_move_is_told_so_and_what_can_be_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = open_game(make_bench(), "pebbles", "table A B first A").game
    assert "no legal move" not in to_act(Voice("en"), game)
    monkeypatch.setattr(type(game.engine), "due", lambda *_: [(Duty("take", "A"), ())])
    monkeypatch.setattr(verdict_text, "_TRIED", {})
    assert "no legal move: log what was played" in to_act(Voice("en"), game)
    assert "aucun coup légal" in to_act(Voice("fr"), game)


@pytest.mark.usefixtures("grove")
def test_the_only_legal_amount_may_be_left_out() -> None:
    for turn in ("A invoke b1", "B invoke b1", "B invoke b2", "A invoke b2", "A invoke b3"):
        referee(f"log {turn}")
    referee("log B invoke b3")
    assert "A stow 1" in referee("log A stow")


@pytest.mark.usefixtures("forest")
def test_a_count_may_name_the_player() -> None:
    assert "A leaves 1" in referee("log audit Ana leaves 1")


@pytest.mark.usefixtures("grove")
def test_a_correction_tells_which_later_action_now_goes_elsewhere() -> None:
    for turn in ("A invoke b1", "B invoke b1", "B invoke b2", "A invoke b2"):
        referee(f"log {turn}")
    referee("log A invoke b3")
    out = referee("correct 13 --drop")
    assert "#14 A invoke b3: A → A's Grove 2: b3" in out
