"""The parts of an engine, found by the names of a package's files."""

from __future__ import annotations

from typing import Any

from engines.kernel import Engine, Faces, Secrecy, assemble
from engines.kernel.picture.svg import Picture
from engines.kernel.registry import load_engine
from tests.playing import random_game, tables_of


def assembled(game: str, **given: Any) -> Engine[Any, Any]:
    facts: dict[str, Any] = {"version": "1", "edition": "first", "seats": (2, 4)}
    return assemble(f"engines.{game}", **facts, **given)


def test_actions_are_what_has_a_verb_in_the_order_it_is_written() -> None:
    verbs = [kind.verb_of() for kind in assembled("benevolent").actions]
    assert verbs[:6] == ["forest", "pyramid", "position", "step", "gather", "buy"]
    assert verbs[-2:] == ["end", "audit"]


def test_what_is_given_is_not_looked_for() -> None:
    def hide(state: Any, viewer: str, setting: Any) -> Any:
        return state

    faces: Faces[Any, Any] = Faces(
        lambda state, setting, speech: [speech.term("feather")],
        lambda state, setting, speech, last: Picture(1, 1, ""),
    )
    engine = assembled("benevolent", id="walk", faces=faces, secrecy=Secrecy(hide), guide=None)
    played = random_game(load_engine("benevolent"), next(iter(tables_of("benevolent").SETUPS)), 1)
    assert engine.id == "walk"
    assert engine.hide is hide
    assert engine.private_facts == frozenset()
    told = engine.describe(played.judgements[0].state, played.setting, "fr")
    assert told == [engine.words.term("feather", "fr")]
    assert engine.guide.codes(played.setting.kit) == ()


def test_a_game_need_not_have_every_file() -> None:
    engine, whole = assembled("roundforest"), assembled("bloody_grove")
    state: Any = object()
    assert engine.hide(state, "A", state) is state
    assert engine.card_key is None
    assert whole.card_key is not None
    assert set(whole.sealed) == {"hand", "look"}
