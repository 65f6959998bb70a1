"""Could somebody have held this then? What is laid was in the hand before, for every viewer."""

from __future__ import annotations

from contextlib import suppress

import pytest

from answers.context import Caller, StoreContext
from answers.play.could_hold import CouldHoldAnswer, could_hold
from referee.errors import NotFound
from referee.table.author import SCRIBE, Author, By
from referee.table.lifecycle import close
from referee.table.openings import open_game
from referee.table.play import log
from replays.gallery import sample
from tests.exports.tables import quiet_bench
from tests.playing import playable_games
from tests.review.test_statistics import finished

FROM_HAND = {"broom_service": "", "bloody_grove": "invoke"}
"""The verb with which a card leaves a hand; a role of Broom Service is its own verb."""


@pytest.mark.parametrize("name", FROM_HAND)
@pytest.mark.parametrize("role", ["judge", "seat:A", "seat:B", "spectator"])
def test_what_leaves_a_hand_could_have_been_in_it_and_is_not_any_more(name: str, role: str) -> None:
    bench = quiet_bench()
    game = finished(bench, name, {})
    caller = Caller(StoreContext(bench.store, bench), Author("px", role))
    asked = 0
    for before, step in zip(game.steps, game.steps[1:], strict=False):
        if step.action is None or step.action.by is None:
            continue
        words = game.engine.text(step.action).split()[1:]
        things = [one for one in game.engine.holdings.in_hands(step.setting) if one in words]
        if len(things) != 1 or FROM_HAND[name] not in ("", words[0]):
            continue
        if words[0] not in (*things, "invoke"):
            continue
        (thing,) = things
        was, now = (
            could_hold(caller, game.id, step.action.by, thing, at=one.number).data
            for one in (before, step)
        )
        assert was.could in ("possibly", "certainly"), (step.number, words)
        assert now.could == "no"
        assert now.since == step.number
        asked += 1
    assert asked >= 5


@pytest.mark.parametrize("name", sorted({*playable_games()} - {"pebbles"}))
def test_nothing_is_answered_with_hindsight(name: str) -> None:
    """Asked at the end about a moment, the answer is the one that was given at that moment."""
    bench = quiet_bench()
    steps = sample(name).steps
    game = open_game(bench, name, steps[0].action, seats={}).game  # type: ignore[arg-type]
    then: dict[tuple[str, int, str, str], CouldHoldAnswer] = {}
    things = {
        one.thing: one.holder
        for step in steps
        for one in sample(name).engine.holdings.held(step.state, step.setting)
    }
    hidden = sample(name).engine.holdings.in_hands(steps[-1].setting)
    asked = [*dict.fromkeys([*[*hidden][:4], *[*things][:4]])]
    callers = {
        role: Caller(StoreContext(bench.store, bench), Author("px", role))
        for role in ("judge", "seat:A", "spectator")
    }
    for count, step in enumerate(steps[1:], start=1):
        assert step.action is not None
        log(bench, game.id, step.action)
        if count % 17:
            continue
        for role, caller in callers.items():
            for thing in asked:
                with suppress(NotFound):
                    told = could_hold(caller, game.id, "B", thing).data
                    then[role, told.at, told.thing, "B"] = told
    close(bench, game.id, by=By(SCRIBE))
    assert then
    for (role, at, thing, seat), told in then.items():
        assert could_hold(callers[role], game.id, seat, thing, at=at).data == told


@pytest.mark.parametrize("name", sorted({*playable_games()} - {"pebbles"}))
def test_every_thing_of_every_game_can_be_asked_about_in_either_language(name: str) -> None:
    bench = quiet_bench()
    game = finished(bench, name, {})
    caller = Caller(StoreContext(bench.store, bench))
    last = game.steps[-1]
    held = {one.thing: one for one in game.engine.holdings.held(last.state, last.setting)}
    for thing, one in [*held.items()][:12]:
        if one.holder not in game.setting.seats:
            continue
        told = could_hold(caller, game.id, one.holder, thing).data
        assert told.could == ("certainly" if one.amount else "no")
    with pytest.raises(NotFound, match="no_such_thing"):
        could_hold(caller, game.id, "A", "a thing that is nowhere")
    with pytest.raises(NotFound, match="no_such_seat"):
        could_hold(caller, game.id, "H", next(iter(held), "x"))
