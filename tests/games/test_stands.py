"""What stands leads to the table as it is: random illegal and out-of-turn actions of every game.

``REFEREE_PLAYOUTS`` tries more of them.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from engines.kernel import Action, Duty, Engine, Judgement, ParseError
from engines.kernel.registry import load_engine
from tests.playing import Game, Strays, playable_games, random_game, tables_of

TRIES = 40 * int(os.environ.get("REFEREE_PLAYOUTS", "2"))
PLACES = 6


def tables() -> list[tuple[str, str]]:
    return [
        (game, setup) for game in playable_games() for setup in list(tables_of(game).SETUPS)[:3]
    ]


def owed(engine: Engine[Any, Any], state: Any) -> set[Duty]:
    """What seats must decide now: compulsory, and more than an end."""
    unsaid = engine.rules.unsaid
    ends = engine.rules.kinds[unsaid.end] if unsaid is not None else ()
    return {
        duty
        for duty in state.agenda.duties
        if duty.seat is not None and not duty.optional and duty.kind not in ends
    }


def everything_owed(state: Any) -> set[tuple[str, str | None]]:
    """Every duty of the agenda, now or later."""
    groups = [item for item in state.agenda if not hasattr(item, "name")]
    return {(duty.kind, duty.seat) for group in groups for duty in group}


def stray_heard(game: Game, action: Action) -> Judgement[Any] | None:
    """An action that is refused, as it happened all the same; none if it cannot stand."""
    try:
        if game.engine.judge(game.setting, game.state, action, 9_999).accepted:
            return None
        heard = game.engine.judge(game.setting, game.state, action, 9_999, lenient=True)
    except ParseError:
        return None
    return heard if heard.accepted else None


def goes_on(engine: Engine[Any, Any], game: Game, state: Any) -> bool:
    """Whether somebody has a legal line, or something must be told that cannot be listed."""
    return bool(
        engine.options(game.setting, state) or engine.options.templates(game.setting, state)
    )


def leading_back(now: Any, then: Any) -> Any:
    """The changes from one position to another: what is not there any more is taken out."""
    if not isinstance(now, dict) or not isinstance(then, dict):
        return then
    gone = dict.fromkeys(now.keys() - then.keys())
    return {**gone, **{key: leading_back(now.get(key), value) for key, value in then.items()}}


def brought_back(engine: Engine[Any, Any], game: Game, state: Any) -> bool:
    """Whether one adjustment makes it the table that was before."""
    assert engine.position_of is not None
    now, then = (
        engine.position_of(each, game.setting).model_dump(mode="json", exclude={"verb", "by"})
        for each in (state, game.state)
    )
    back = engine.positions.adjust(game.setting, state, leading_back(now, then))
    return set(engine.options(game.setting, back)) == set(engine.options(game.setting, game.state))


@pytest.mark.parametrize(("name", "setup"), tables())
def test_what_stands_leaves_everybody_their_own(name: str, setup: str) -> None:
    engine = load_engine(name)
    played = random_game(engine, setup, 0)
    strays = Strays(engine, [a for a in played.actions if type(a) is not engine.position])
    rng = random.Random(f"{name} {setup} stands")
    stood = 0
    for _ in range(PLACES):
        at = rng.randrange(1, len(played.judgements))
        game = Game(engine, played.opening, played.setting, played.judgements[:at])
        if game.state.over:
            continue
        for _ in range(TRIES // PLACES):
            action = strays.draw(rng)
            heard = stray_heard(game, action)
            if heard is not None:
                check(engine, game, heard)
                stood += 1
    assert stood


def check(engine: Engine[Any, Any], game: Game, heard: Judgement[Any]) -> None:
    state = heard.state
    told = f"{engine.text(heard.action)} after " + "; ".join(map(engine.text, game.actions[-12:]))
    assert dict(engine.balance(state, game.setting)) == dict(state.offsets), told
    if state.over:
        return
    assert goes_on(engine, game, state), told
    goes_over = getattr(tables_of(engine.id), "GOES_OVER", {})
    for duty in owed(engine, game.state):
        if duty.seat == heard.action.by or heard.action.observes:
            continue
        if heard.action.verb in goes_over:
            later = duty.kind in goes_over[heard.action.verb]
            assert later or heard.verdict.warnings, f"{duty} is forgone, unsaid: {told}"
            continue
        kept = (duty.kind, duty.seat) in everything_owed(state)
        unsaid = engine.rules.unsaid
        if unsaid is not None and type(heard.action) is unsaid.end:
            assert kept, f"an end has ended {duty}: {told}"
        others = {seat for kind, seat in everything_owed(state) if kind == duty.kind}
        assert kept or heard.action.by not in others, f"{duty} has changed seats: {told}"
    if engine.position is not None:
        assert brought_back(engine, game, state), told
