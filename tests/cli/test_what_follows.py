"""What is told after something that stands, a correction, or where nothing legal is left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from answers import verdict_text
from answers.i18n import Voice
from answers.verdict_text import to_act
from engines.kernel import Duty
from engines.kernel.messages.catalogue import LANGUAGES
from referee.lru_cache import LruCache
from referee.table.openings import open_game
from tests.cli.transcripts import run
from tests.games.test_roundforest import SETUP
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
    assert "nothing on the table has changed" in out
    assert out.count("referee adjust") == 1
    assert "nothing on the table has changed" not in referee("log --stands B step c1")


def test_a_player_without_a_legal_move_is_told_so_and_what_can_be_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = open_game(make_bench(), "pebbles", "table A B first A").game
    assert "no legal move" not in to_act(Voice("en"), game)
    monkeypatch.setattr(type(game.engine.options), "due", lambda *_: [(Duty("take", "A"), ())])
    monkeypatch.setattr(verdict_text, "_TRIED", LruCache(1))
    assert "no legal move: record what was played" in to_act(Voice("en"), game)
    assert "aucune action légale" in to_act(Voice("fr"), game)


@pytest.mark.usefixtures("forest")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_wants_to_finish_is_told_what_to_type_about_each_thing_that_is_open(lang: str) -> None:
    """One ruling settles the illegal move and both players' calls about it."""
    referee("log --stands B step c1")
    for seat in "AB":
        referee(f"dispute open 3 -m so --as {seat}:seat:{seat}")
    referee("secret seal B hand step")
    ways = (("ruling issue d1", " --as Jo:judge"), ("secret open s1", ""))
    for command, by in ways:
        told = referee(f"--lang {lang} finish -m late", code=5)
        (hinted,) = re.findall(rf"referee ({command}[^,;]*)", told)
        typed = hinted.strip().replace("WHY", "so").replace("POURQUOI", "so")
        referee(typed + by)
    assert "d2" not in referee("dispute list --open")
    referee("finish -m late")


@pytest.mark.usefixtures("grove")
def test_the_only_legal_amount_may_be_left_out() -> None:
    for turn in ("A invoke b1", "B invoke b1", "B invoke b2", "A invoke b2", "A invoke b3"):
        referee(f"log {turn}")
    referee("log B invoke b3")
    assert "A stow 1" in referee("log A stow")


@pytest.mark.usefixtures("forest")
def test_a_count_may_name_the_player() -> None:
    assert "A leaves 1" in referee("log audit Ana leaves 1")


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("broom_service", {"Bo points 16": "B vp 16", "Ana baguettes 2": "A w 2"}),
        ("roundforest", {"Bo cuivre 2": "B copper 2", "Ana sac à dos aucun": "A pack none"}),
    ],
)
def test_a_count_names_player_and_thing_in_either_language(
    game: str, counts: dict[str, str], newcomer: Path
) -> None:
    table = {
        "broom_service": "A=red B=blue first A side front",
        "roundforest": "A=red@a1 B=blue@e5 first A",
    }
    referee(f"new {game} {table[game]} -p A=Ana -p B=Bo")
    for said, line in counts.items():
        assert f"audit {line}" in referee(f"log constat {said}")


def test_an_impossible_draw_names_the_entry_that_brought_it_elsewhere(newcomer: Path) -> None:
    opening, *laid = SETUP
    referee(f"new roundforest {opening.removeprefix('table ')}")
    referee("log " + " ".join(f'"{line}"' for line in laid))
    drawn = referee('log "A move b1; draw jug; A keep" "B move e4"')
    out = referee("log draw jug", code=3)
    (entry,) = re.findall(r"(#\d+) draw jug", drawn)
    assert f"according to the record, it is here: A ({entry})" in out


@pytest.mark.usefixtures("forest")
@pytest.mark.parametrize(
    ("name", "begins"), [("x.svg", "<svg"), ("x.toml", "game ="), ("x.txt", "")]
)
def test_a_state_is_written_to_the_file_that_was_named(
    name: str, begins: str, newcomer: Path
) -> None:
    told = referee("state")
    assert told not in referee(f"state -o {name}")
    written = (newcomer / name).read_text("utf-8")
    assert begins in written[:400]
    assert name != "x.txt" or written.strip() in told


@pytest.mark.usefixtures("forest")
def test_a_path_of_the_box_is_shown_without_naming_the_game() -> None:
    assert referee("kit show secrets.tiles") == referee("kit show --search secrets.tiles")
    assert "secrets.tiles.T1.permanent" in referee("kit show secrets.tiles.T1")
    assert "no game" in referee("kit show secrets", code=4)


@pytest.mark.usefixtures("grove")
def test_a_correction_tells_which_later_action_now_goes_elsewhere() -> None:
    for turn in ("A invoke b1", "B invoke b1", "B invoke b2", "A invoke b2"):
        referee(f"log {turn}")
    referee("log A invoke b3")
    out = referee("correct 13 --drop")
    moved = out.partition("on the table now\n")[2].splitlines()
    assert moved[:2] == ["    A’s Grove 2 → A: b2", "    A’s Grove 3 → A’s Grove 2: b3"]
    assert "A → A’s Grove 2: b3" not in out  # it lies on the table already
