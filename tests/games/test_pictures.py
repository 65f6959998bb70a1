"""What pictures of a whole table tell: who sits where, what changed hands, who has won."""

from __future__ import annotations

import random
import re
from html import escape
from typing import Any

import pytest

from engines.benevolent.kit import Arrow
from engines.benevolent.picture import dream_lanes, ways_back
from engines.bloody_grove.actions import Replace, Take
from engines.bloody_grove.picture import TAKEN, YELLOW
from engines.broom_service.kit import Box
from engines.broom_service.picture import _bridgeheads, _places
from engines.kernel import Engine
from engines.kernel.picture.svg import Picture
from engines.kernel.registry import load_engine
from replays.gallery import sample
from tests.playing import Game, open_game, play_on, playable_games, tables_of

GAMES = [game for game in playable_games() if game != "pebbles"]
SCREEN = (1280, 800)


def moments(game: str, setup: str, every: int) -> list[Game]:
    engine, tables = load_engine(game), tables_of(game)
    rng = random.Random(f"{game} {setup} drawn")
    played = open_game(engine, tables.SETUPS[setup](rng))
    seen = []
    for number, _ in enumerate(play_on(played, rng, 100)):
        if number % every == 0 and len(played.judgements) > 1:
            seen.append(Game(engine, played.opening, played.setting, played.judgements[-2:]))
    return seen


def drawn(game: Game, shape: Any = "tall", **more: Any) -> Picture:
    before, now = game.judgements
    known = {"before": before.state} | more
    return game.engine.picture(now.state, game.setting, "en", now.action, shape=shape, **known)


@pytest.mark.parametrize("game", GAMES)
def test_a_wide_table_fits_a_screen_without_becoming_small(game: str) -> None:
    for setup in list(tables_of(game).SETUPS)[::3]:
        for moment in moments(game, setup, 40):
            picture = drawn(moment, "wide")
            shown = min(SCREEN[0] / picture.width, SCREEN[1] / picture.height)
            assert shown * picture.width > 0.6 * SCREEN[0], "half of the screen stays empty"


@pytest.mark.parametrize("game", GAMES)
def test_both_shapes_draw_the_same(game: str) -> None:
    placed = re.compile(r' transform="translate\([^"]*\)" data-tall')
    for moment in moments(game, next(iter(tables_of(game).SETUPS)), 25):
        tall, wide = drawn(moment), drawn(moment, "wide")
        assert placed.sub("", tall.body) == placed.sub("", wide.body)
        assert tall.anchors.keys() == wide.anchors.keys()


@pytest.mark.parametrize("game", GAMES)
def test_players_are_called_by_their_names(game: str) -> None:
    moment = moments(game, next(iter(tables_of(game).SETUPS)), 30)[-1]
    picture = drawn(moment, names={"A": "Zoé", "B": "<Bo>"})
    assert "Zoé" in picture.body
    assert "&lt;Bo&gt;" in picture.body


@pytest.mark.parametrize("game", GAMES)
def test_what_changed_hands_is_shown_at_giver_and_taker(game: str) -> None:
    told = 0
    for setup in list(tables_of(game).SETUPS)[:2]:
        for moment in moments(game, setup, 3):
            before, now = moment.judgements
            engine: Engine[Any, Any] = moment.engine
            moved = engine.moves(before.state, now.state, moment.setting, now.action)
            body = drawn(moment).body
            for _, said, _ in list(moved.by_seat(engine.words, "en"))[:1]:
                assert f">{escape(said)}</text>" in body
                told += 1
    assert told


def test_whoever_is_robbed_is_marked() -> None:
    """By what has moved: with two players nobody says who is robbed."""
    robbed = 0
    for moment in moments("benevolent", next(iter(tables_of("benevolent").SETUPS)), 1):
        before, now = moment.judgements
        engine: Engine[Any, Any] = moment.engine
        moved = engine.moves(before.state, now.state, moment.setting, now.action)
        told, silent = drawn(moment), drawn(moment, before=None)
        for seat in set(moved.losers(now.action.by)):
            assert told.body.count("stroke-dasharray") > silent.body.count("stroke-dasharray")
            assert told.anchors[seat]
            robbed += 1
    assert robbed


def test_a_card_that_left_the_game_is_shown_once_more_and_one_that_waits_is_shown() -> None:
    ghosts = waiting = 0
    for moment in moments("bloody_grove", "two seats", 1):
        match moment.judgements[-1].action:
            case Replace():
                told, silent = drawn(moment), drawn(moment, before=None)
                assert told.body.count('opacity="0.4"') == 1
                assert told.body.count(YELLOW) > silent.body.count(YELLOW), "what came is marked"
                ghosts += 1
            case Take() if moment.judgements[-1].state.flow.step == "replace":
                assert TAKEN in drawn(moment).anchors
                waiting += 1
    assert ghosts
    assert waiting


@pytest.mark.parametrize("game", ["benevolent", "bloody_grove", "broom_service", "roundforest"])
def test_the_winner_is_marked_at_the_end_and_nobody_before(game: str) -> None:
    record = sample(game)
    for step, marked in ((record.steps[-2], 0), (record.steps[-1], 1)):
        picture = record.engine.picture(step.state, step.setting, "en", step.action)
        assert picture.body.count(">winner</text>") == marked


def test_a_final_score_is_told_part_by_part() -> None:
    record = sample("broom_service")
    step = record.steps[-1]
    body = record.engine.picture(step.state, step.setting, "en", step.action).body
    assert ">in play +51, lightning +23, sets +2</text>" in body


def test_no_gift_of_a_dream_arrow_lies_on_another_arrow() -> None:
    arrows = [
        Arrow(space=space, target=target, gift="amber")
        for space in range(2, 5)
        for target in range(1, space)
    ]
    lanes = dream_lanes(arrows)
    spaces = {space: (96.0 + 176 * (space - 1), 300.0) for space in range(1, 5)}
    lines, gifts = [], []
    for svg in ways_back(lanes, spaces):
        if found := re.match(r'<path d="M([\d.]+),[\d.]+V([\d.]+)\S* -8,-8H([\d.]+)', svg):
            lines.append((float(found[1]), float(found[2]) - 8, float(found[3]) - 8))
        elif found := re.match(r'<g transform="translate\(([\d.]+) ([\d.]+)\)', svg):
            gifts.append((float(found[1]), float(found[2])))
    assert len(lines) == len(gifts) == len(arrows)
    for own, (x, y) in enumerate(gifts):
        for other, (start, top, end) in enumerate(lines):
            if other != own and top < y:
                assert min(abs(x - start), abs(x - end)) > 15, "an upright line runs through it"
            if other != own and end < x < start:
                assert abs(y - top) > 15, "a level line runs through it"


def test_no_tower_hides_a_bridge_over_a_corner() -> None:
    kit: Box = sample("broom_service").setting.kit
    for side in (kit.front, kit.back):
        places = _places(side)
        for (x, y), _ in _bridgeheads(side, places):
            towers = {name: places[name] for name in side.towers}
            near = [n for n, (a, b) in towers.items() if (a - x) ** 2 + (b - y) ** 2 < 30**2]
            assert not near
