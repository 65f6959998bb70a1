"""The score sheet: what players sign stands on its first page, beside the result."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest

from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.table.author import Author, By
from referee.table.confirmations import confirm
from replays.exports.pdf import sheet_data
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story
from replays.gallery import sample, samples
from tests.exports.tables import quiet_bench, recorded

typst = pytest.importorskip("typst", reason="no typst: pip install .[pdf]")


def signed_on(sheet: dict[str, Any]) -> int:
    found = typst.query(
        resources.files("replays.exports").joinpath("score.typ").read_bytes(),
        "<signed-on>",
        field="value",
        one=True,
        font_paths=[str(resources.files("replays").joinpath("fonts"))],
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(sheet)},
    )
    return int(json.loads(found))


@pytest.mark.parametrize("name", samples())
def test_it_is_signed_on_the_first_page_however_long_the_game(name: str) -> None:
    game = sample(name)
    names = dict.fromkeys(game.seats.values(), "Marie-Françoise Vandenbroucke de la Tour")
    sheet: dict[str, Any] = sheet_data(Story(game, RenderOptions(lang="fr", names=names)))
    assert signed_on(sheet) == 1
    sheet["summary"]["parts"] = [{"heading": "Rulings", "lines": ["a long one"] * 200}]
    assert signed_on(sheet) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", samples())
def test_it_says_who_won_and_by_which_clause(name: str, lang: Language) -> None:
    game = sample(name)
    result = game.engine.result(game.state)
    assert result is not None
    decided = Story(game, RenderOptions(lang=lang)).decided()
    assert decided is not None
    assert result.clause in decided
    assert "{" not in decided


def test_points_are_told_by_round_and_end_with_the_result() -> None:
    game = sample("broom_service")
    rows = Story(game, RenderOptions()).scores()
    result = game.engine.result(game.state)
    assert result is not None
    assert [name for name, _ in rows] == [*(f"Round {n}" for n in range(1, 8)), "Final score"]
    assert rows[-1][1] == result.scores
    assert rows[-2][1] == result.scores


def test_names_and_confirmations_stand_beside_the_line_to_sign() -> None:
    bench = quiet_bench()
    game = recorded(bench, "benevolent", limit=9)
    confirm(bench, game.id, by=By(Author("pana", "seat:A")))
    game = bench.game(game.id)
    signers: Any = sheet_data(Story(game, RenderOptions(names={"pana": "Ana"})))["signers"]
    assert signers[0]["who"] == "A Ana"
    assert signers[0]["agreed"].endswith(f"entry {game.confirmed['A'].seq}")
    assert signers[1] == {"who": "B", "agreed": ""}
