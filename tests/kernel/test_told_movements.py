"""Whoever follows the told movements one by one moves what hands moved, in every game."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from engines.kernel import State, evolve, seat_of
from engines.kernel.registry import load_engine
from engines.kernel.rules.holdings import Moved
from referee.game_check.played import follow, pieces
from tests.playing import Game, playable_games, random_game, tables_of

Pieces = Counter[tuple[str, str]]
"""Amounts by holder and thing."""
SETUPS = 4
"""How many of the tables of each game are played."""


class Traced:
    """Remembers from which state each state was made, while a game is played."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Any, Any]] = {}

    def evolve(self, struct: Any, /, **changes: Any) -> Any:
        made = evolve(struct, **changes)
        if isinstance(struct, State):
            self._made[id(made)] = (made, struct)
        return made

    def way(self, before: Any, after: Any) -> list[Any]:
        """The states through which one was made from the other."""
        found = [after]
        while found[-1] is not before and id(found[-1]) in self._made:
            found.append(self._made[id(found[-1])][1])
        return found[::-1]


class Told(NamedTuple):
    """One action: its line, the movements told, and the pieces on the table along the way."""

    line: str
    moved: tuple[Moved, ...]
    tables: list[Pieces]


@pytest.fixture(scope="module", params=playable_games())
def told(request: pytest.FixtureRequest) -> list[Told]:
    """Every action of random games of one game."""
    engine = load_engine(request.param)
    with pytest.MonkeyPatch.context() as patch:
        traced = Traced()
        for name, module in list(sys.modules.items()):
            if name.startswith("engines.") and getattr(module, "evolve", None) is evolve:
                patch.setattr(module, "evolve", traced.evolve)
        setups = list(tables_of(request.param).SETUPS)[:SETUPS]
        games = [random_game(engine, setup, seed) for seed, setup in enumerate(setups)]
    return [each for game in games for each in told_in(game, traced)]


def told_in(game: Game, traced: Traced) -> Iterator[Told]:
    engine, setting = game.engine, game.setting
    for before, after in pairwise(game.judgements):
        moves = engine.moves(before.state, after.state, setting, after.action, after.stages)
        way = [before.state, *traced.way(before.state, after.state)]
        tables = [pieces(engine, state, setting) for state in way]
        yield Told(engine.text(after.action), moves.moved, tables)


def arrivals(tables: list[Pieces]) -> Pieces:
    """What came to each place along the way.

    A reducer may lift a piece in one state and lay it down in the next: what comes back to the
    place it was lifted from has not moved.
    """
    came: Pieces = Counter()
    lifted: Pieces = Counter()
    for one, other in pairwise(tables):
        gains, losses = other - one, one - other
        for thing in {thing for _, thing in (*gains, *losses)}:
            more = sum(count for (_, what), count in gains.items() if what == thing)
            more -= sum(count for (_, what), count in losses.items() if what == thing)
            for place in [each for each in gains if each[1] == thing]:
                back = min(max(more, 0), gains[place], lifted[place])
                lifted[place] -= back
                more -= back
                came[place] += gains[place] - back
            if more < 0:
                for place in [each for each in losses if each[1] == thing]:
                    lifted[place] += losses[place]
    return came


def test_told_movements_lead_from_one_table_to_the_next_and_take_only_what_is_there(
    told: list[Told],
) -> None:
    for line, moved, tables in told:
        table = tables[0].copy()
        assert follow(table, moved) == [], line
        assert +table == tables[-1], line


def test_what_came_to_a_place_on_the_way_is_told_though_it_left_again(told: list[Told]) -> None:
    """Movements that cancel each other out were made all the same: none is told as a net sum."""
    for line, moved, tables in told:
        arrived: Pieces = Counter()
        for _, target, thing, amount in moved:
            if target is not None:
                arrived[seat_of(target) or target, thing] += amount
        untold = arrivals(tables) - arrived
        assert not untold, (line, untold)


def test_the_arrivals_of_a_way_are_counted_gross_and_without_what_was_only_lifted() -> None:
    pile, hand = ("pile", "leaf"), ("A", "leaf")
    there_and_back = [Counter({pile: 1}), Counter({hand: 1}), Counter({pile: 1})]
    assert arrivals(there_and_back) == {hand: 1, pile: 1}
    only_lifted: list[Pieces] = [Counter({pile: 1}), Counter(), Counter({pile: 1})]
    assert not +arrivals(only_lifted)


@pytest.mark.parametrize("game", playable_games())
def test_no_stage_is_kept_that_tells_nothing(game: str) -> None:
    """A game in memory keeps the stages of all its actions."""
    played = random_game(load_engine(game), next(iter(tables_of(game).SETUPS)), 0)
    for before, after in pairwise(played.judgements):
        stages = [lying(stage) for stage in after.stages]
        for one, other in pairwise([lying(before.state), *stages]):
            assert one != other, after.action
        assert stages[-1:] != [lying(after.state)], after.action


def lying(state: State) -> dict[str, Any]:
    """What lies on the table."""
    return {
        name: getattr(state, name)
        for name in state.__struct_fields__
        if name not in State.__struct_fields__
    }
