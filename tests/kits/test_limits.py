"""Every number and list of a box has limits: a new box must keep them, a record is read."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from engines.kernel import KitSheet, ParseError
from engines.kernel.engine import positions
from engines.kernel.messages.errors import MessageError
from engines.kernel.picture import svg
from engines.kernel.registry import engine_ids, load_engine
from referee.game_check import random_games
from referee.record.entries import Noted
from referee.record.fold import fold
from referee.record.game import Game
from referee.record.positions import (
    PositionFile,
    judge_from_position,
    position_file,
    read_position,
)
from referee.store import open_store
from referee.table.adjustments import adjust, declare_kit
from referee.table.bench import Bench
from referee.table.notes import spaces_at
from referee.table.openings import open_game
from referee.table.play import log
from tests.fuzz.limits import Limits, Path, unlimited, with_value
from tests.fuzz.program import counted
from tests.playing import random_game, tables_of

GAMES = [game for game in engine_ids() if game != "pebbles"]
HUGE = 1_000_000_000


@pytest.mark.parametrize("game", GAMES)
def test_every_number_and_list_of_a_box_has_limits(game: str) -> None:
    schema = load_engine(game).kit_model.model_json_schema()
    assert list(unlimited(schema, schema["$defs"], {"integer", "array"})) == []


def numbers(data: Any, path: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from numbers(value, f"{path}.{name}" if path else name)
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from numbers(value, f"{path}.{place}")
    elif type(data) is int:
        yield path


def stated(content: Any, path: str, value: Any) -> Any:
    """The data with another value at a path."""
    name, _, rest = path.partition(".")
    if isinstance(content, list):
        place = int(name)
        changed = stated(content[place], rest, value) if rest else value
        return [*content[:place], changed, *content[place + 1 :]]
    return {**content, name: stated(content[name], rest, value) if rest else value}


@pytest.mark.parametrize("value", [HUGE, -HUGE, 10**400, True, "1", 1.5])
@pytest.mark.parametrize("game", GAMES)
def test_a_number_beyond_its_limits_is_refused_in_words(game: str, value: Any) -> None:
    """Of numbers that are alike in a list, the first and the last."""
    engine = load_engine(game)
    for kit in engine.kits.values():
        alike: dict[str, list[str]] = {}
        for path in numbers(kit.data()):
            alike.setdefault(re.sub(r"\.\d+", "", path), []).append(path)
        for path in {end for paths in alike.values() for end in (paths[0], paths[-1])}:
            with pytest.raises(ParseError) as refused:
                engine.read_whole_kit(KitSheet(stated(kit.data(), path, value)))
            assert refused.value.key == "bad_kit"
            for lang in ("en", "fr"):
                assert refused.value.phrase.said(engine.words, lang)


def test_a_box_has_only_so_many_data() -> None:
    engine = load_engine("broom_service")
    kit = engine.kit_sheet(None).data()
    assert engine.read_whole_kit(KitSheet(kit))
    for change in ({"kit": "x" * 6000}, {"front": kit["front"] | {"borders": ["a-b"] * 6000}}):
        with pytest.raises(ParseError):
            engine.read_whole_kit(KitSheet(kit | change))


TABLE = "table A=blue B=red first A"
PATH = "steps_per_colour.count"


def benevolent(path: str, value: Any) -> KitSheet:
    content = load_engine("benevolent").kit_sheet(None).content
    return KitSheet({**stated(content, path, value), "kit": "ours"})


@pytest.mark.parametrize("value", [HUGE, -1, True])
def test_no_door_takes_such_a_box(value: int) -> None:
    bench = Bench(open_store("memory:"))
    game = open_game(bench, "benevolent", TABLE).game  # type: ignore[union-attr]
    with pytest.raises(ParseError, match="bad_kit"):
        declare_kit(bench, game.id, PATH, value, "the box")
    with pytest.raises(ParseError, match="bad_kit"):
        open_game(bench, "benevolent", TABLE, kit=benevolent(PATH, value))
    file = PositionFile(game="benevolent", table=TABLE, kit={PATH: value})
    with pytest.raises(ParseError, match="bad_kit"):
        judge_from_position(file, ())


def recorded(path: str, value: Any) -> tuple[Bench, Game]:
    """A table whose record says such a number, as an earlier version let it."""
    bench = Bench(open_store("memory:"))
    engine = load_engine("benevolent")
    strict, engine.read_new_kit = engine.read_new_kit, engine.read_kit  # type: ignore[method-assign]
    try:
        game = open_game(bench, "benevolent", TABLE, kit=benevolent(path, value), stands=True).game  # type: ignore[union-attr]
    finally:
        engine.read_new_kit = strict  # type: ignore[method-assign]
    return bench, game


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_recorded_number_is_read_is_not_drawn_and_can_be_declared_anew(lang: Any) -> None:
    bench, game = recorded(PATH, HUGE)
    step = game.steps[-1]
    assert step.state.players["A"].card == HUGE - 1
    picture = game.engine.picture(step.state, step.setting, lang, step.action)
    assert ("cannot be drawn" if lang == "en" else "Impossible à dessiner") in picture.body
    assert not picture.anchors
    mended = declare_kit(bench, game.id, PATH, 5, "counted again").game
    step = mended.steps[-1]
    assert step.state.players["A"].card == 4
    assert "A" in mended.engine.picture(step.state, step.setting, lang, step.action).anchors


def test_what_is_drawn_is_counted() -> None:
    with pytest.raises(ParseError, match="cannot_be_drawn"), svg.bounded():
        svg.joined(svg.el("g") for _ in range(HUGE))
    svg.joined(svg.el("g") for _ in range(2 * svg.MOST_DRAWN))


def test_a_component_that_cannot_be_drawn_says_so() -> None:
    engine = load_engine("benevolent")
    grey = stated(engine.kit_sheet(None).content, "segments.0.sides.A.0.grey", HUGE)
    opening: Any = engine.read(TABLE)
    word = engine.kit_sheet(None).data()["segments"][0]["id"] + "A"
    assert "cannot be drawn" in engine.thing(word, engine.setting(opening, KitSheet(grey)), "en")


def test_marks_are_checked_at_a_table_that_cannot_be_drawn() -> None:
    _, game = recorded(PATH, HUGE)
    note = Noted(id="n1", number=0, on=None, marks=("A",))
    assert {"A", "B", "dream_1", "1a", "amber", "reserve"} <= spaces_at(game, note)


SETUPS = [(game, setup) for game in GAMES for setup in list(tables_of(game).SETUPS)[:3]]


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_spaces_are_those_of_the_drawing(game: str, setup: str) -> None:
    engine = load_engine(game)
    played = random_game(engine, setup, 3)
    for judged in played.judgements[::7]:
        drawn = engine.picture(judged.state, played.setting, "en", judged.action)
        assert engine.spaces(judged.state, played.setting, judged.action) == set(drawn.anchors)


def test_choices_are_offered_where_leaves_are_concealed() -> None:
    engine = load_engine("benevolent")
    rng = random.Random(1)
    first, *lines = tables_of("benevolent").SETUPS[SETUPS[0][1]](rng)
    game = start([f"{first} readings open_holdings=no", *lines])
    for _ in range(6):
        for viewer in ("A", "B", "spectator"):
            seen = engine.hide(game.state, viewer, game.setting)
            for prefix in ("", "A ", "B "):
                engine.options.choices(game.setting, seen, prefix)
            engine.describe(seen, game.setting, "en")
            engine.spaces(seen, game.setting, None)
        game.hear(rng.choice(engine.options(game.setting, game.state)))


def start(lines: list[str]) -> Any:
    return random_games.open_game(load_engine("benevolent"), lines)


@pytest.mark.parametrize("leaves", [[], [1], [1, 2, 3]])
def test_a_list_is_as_long_as_the_game_needs(leaves: list[int]) -> None:
    path = "start_leaves.by_turn_order"
    with pytest.raises(ParseError, match="bad_kit"):
        load_engine("benevolent").read_whole_kit(benevolent(path, leaves))
    if len(leaves) < 2:
        with pytest.raises(ParseError, match="bad_kit"):
            recorded(path, leaves)
    with pytest.raises(ParseError, match="bad_kit"):
        recorded("gifts", [])


def use(game: str, kit: KitSheet, lines: list[str]) -> None:
    """Open a table with a box, lay it out as it is, and ask everything of it."""
    engine = load_engine(game)
    opening: Any = engine.read(lines[0])
    setting = engine.setting(opening, kit)
    engine.check_kit(kit)
    judged = engine.open(setting, opening, lenient=True)
    if not judged.accepted:
        return
    for text in (text for line in lines[1:] for text in engine.notation.split(line)):
        judged = engine.judge(setting, judged.state, engine.read(text), 1, lenient=True)
    engine.options(setting, judged.state)
    engine.options.choices(setting, judged.state, "")
    engine.describe(judged.state, setting, "fr")
    engine.picture(judged.state, setting, "fr", None)
    engine.spaces(judged.state, setting, None)
    engine.positions.data_of(setting, judged.state)


@pytest.mark.parametrize("game", GAMES)
def test_any_box_is_answered_or_refused_in_words(game: str) -> None:
    rng = random.Random(1)
    lines = list(next(iter(tables_of(game).SETUPS.values()))(rng))
    kit = load_engine(game).kit_sheet(None).data()
    cases = [*Limits(load_engine(game).kit_model.model_json_schema(), [kit]).cases(kit)]
    always: list[tuple[Path, Any]] = []
    always += [(("segment_shape", "cells"), [])] if game == "benevolent" else []
    always += [(("tokens", 0, "count"), 99)] if game == "bloody_grove" else []
    for path, value in [*always, *rng.sample(cases, 30)]:
        with suppress(MessageError):
            counted(lambda: use(game, KitSheet(with_value(kit, path, value)), lines))  # noqa: B023


BEYOND = [{"turn": 10_000}, {"turn": -HUGE}, {"used": ["feather"] * 1001}]


@pytest.mark.parametrize("change", BEYOND, ids=str)
def test_no_door_takes_a_position_beyond_all_tables(change: dict[str, Any]) -> None:
    bench = Bench(open_store("memory:"))
    game = begun(bench)
    with pytest.raises(ParseError, match="bad_position"):
        adjust(bench, game.id, change, "counted", stands=True)
    file = position_file(game)
    file["position"] |= change
    with pytest.raises(ParseError, match="bad_position"):
        judge_from_position(read_position(file), ())
    with pytest.raises(ParseError, match=r"bad_(position|value)"):
        game.engine.read(f"position {json.dumps(file['position'])}")


def begun(bench: Bench) -> Game:
    """A table of Benevolent at the first decision."""
    opening, *lines = tables_of("benevolent").SETUPS[SETUPS[0][1]](random.Random(1))
    game = open_game(bench, "benevolent", opening).game  # type: ignore[union-attr]
    for line in lines:
        game = log(bench, game.id, line).game
    return game


def test_a_recorded_position_beyond_all_tables_is_read_and_can_be_adjusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(open_store("memory:"))
    game = begun(bench)
    with monkeypatch.context() as earlier:
        earlier.setattr(positions, "refuse_beyond_limits", lambda changes: None)
        adjust(bench, game.id, {"turn": HUGE}, "counted", stands=True)
    found = fold(game.id, bench.store.read(game.id))
    step = found.steps[-1]
    assert found.engine.picture(step.state, step.setting, "en", None).anchors
    mended = adjust(bench, game.id, {"turn": 3}, "counted again", stands=True).game
    last = mended.steps[-1]
    assert mended.engine.positions.data_of(last.setting, last.state)["turn"] == 3
