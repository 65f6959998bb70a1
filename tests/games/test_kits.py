"""Boxes as somebody might declare them: refused with a reason, or played with to the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engines.kernel import Engine, KitSheet, ParseError
from engines.kernel.registry import load_engine
from tests.playing import bent, pick, playable_games, tables_of

BOXES = 40
ACTIONS = 25
ODD: tuple[Any, ...] = (0, -1, 1, 99, "", [], {}, None, True, "x")


def parts(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Everything in a box that has a path."""
    if path:
        yield path, value
    inside = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        inside = [(str(n), one) for n, one in enumerate(value) if isinstance(one, dict | list)]
    for key, one in inside:
        if path or key not in ("kit", "game", "version"):
            yield from parts(one, f"{path}.{key}" if path else key)


def otherwise(value: Any, pool: list[Any], chance: random.Random) -> Any:
    """Bent, shortened, like something else in the box, or odd."""
    way = chance.random()
    if way < 0.35:
        return bent(value, chance)
    if way < 0.55:
        return chance.choice(ODD)
    if isinstance(value, list) and value and way < 0.8:
        gone = chance.randrange(len(value))
        return [*value[:gone], *value[gone + 1 :]]
    if isinstance(value, dict) and value and way < 0.8:
        gone = chance.choice(sorted(value, key=str))
        return {key: one for key, one in value.items() if key != gone}
    return chance.choice([one for one in pool if type(one) is type(value)])


def declared(engine: Engine[Any, Any], chance: random.Random) -> KitSheet:
    """One to three data of a box stated otherwise; raises if nobody would take it."""
    sheet = engine.kit_sheet(None)
    known = list(parts(sheet.data()))
    for _ in range(chance.randint(1, 3)):
        path, value = chance.choice(known)
        sheet = sheet.declare(path, otherwise(value, [one for _, one in known], chance), "seen")
    engine.read_whole_kit(sheet)
    return sheet


def play(engine: Engine[Any, Any], sheet: KitSheet, chance: random.Random) -> None:
    """A table set up, as it happened where it is refused, and played for a while."""
    setups = tables_of(engine.id).SETUPS
    lines = setups[chance.choice(sorted(setups))](chance)
    first, *others = (text for line in lines for text in engine.notation.split(line))
    opening: Any = engine.read(first)
    setting = engine.setting(opening, sheet)
    opened = engine.open(setting, opening, lenient=True)
    if not opened.accepted:
        return
    state = opened.state
    for number, text in enumerate(others, start=1):
        state = engine.judge(setting, state, engine.read(text), number, lenient=True).state
    for number in range(ACTIONS):
        options = engine.options(setting, state)
        if not options:
            break
        state = engine.judge(setting, state, pick(options, chance), 100 + number).state
    for lang in ("en", "fr"):
        engine.describe(state, setting, lang)
        engine.picture(state, setting, lang, None)


@pytest.mark.parametrize("game", playable_games())
def test_any_box_is_refused_with_a_reason_or_can_be_played_with(game: str) -> None:
    engine, chance = load_engine(game), random.Random(f"boxes of {game}")
    for _ in range(BOXES):
        try:
            sheet = declared(engine, chance)
            play(engine, sheet, chance)
        except ParseError:
            continue
        except Exception as fault:
            changed = [d for d in sheet.datums() if d.provenance == "declared"]
            raise AssertionError(f"{game}: {changed}") from fault


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("secrets.conversions", {}, "missing"),
        ("secrets.conversions.convert_1", {"give": ["clover"], "get": "clover"}, "no_conversion"),
        ("secrets.conversions.convert_1", {"give": [], "get": "clover"}, "no_conversion"),
        ("secrets.tiles", [{"id": "T1", "ephemeral": "sale", "permanent": "hoard"}], "faces"),
    ],
)
def test_secrets_that_cannot_be_played_with_are_no_box(path: str, value: Any, told: str) -> None:
    engine = load_engine("benevolent")
    sheet = engine.kit_sheet(None).declare(path, value, "seen")
    with pytest.raises(ParseError, match=told):
        engine.read_whole_kit(sheet)
    engine.read_kit(sheet)


def test_one_tile_that_was_seen_is_known_and_the_others_are_not() -> None:
    engine = load_engine("benevolent")
    assumed = engine.read_kit(engine.kit_sheet(None))
    assert assumed.known_backs == frozenset()
    sheet = engine.kit_sheet(None).declare("secrets.tiles.0.permanent", "sleep_again", "seen")
    assert engine.read_kit(sheet).known_backs == {"sale", "sleep_again"}
    opening: Any = engine.read("table A=blue B=red first A")
    faces = "sale sleep_again bargain lone_step / convert_2 gift_feather cheap_crystal"
    laid = engine.read(f"pyramid {faces} / hoard convert_1")
    for box, outcome in ((sheet, "illegal"), (engine.kit_sheet(None), "legal")):
        setting = engine.setting(opening, box)
        heard = engine.judge(setting, engine.open(setting, opening).state, laid, 1)
        assert heard.verdict.outcome == outcome
        told = [remark.key for remark in heard.verdict.warnings]
        assert told == ([] if outcome == "illegal" else ["of_one_tile"])
