"""Games that reached a position: found by what everybody sees, and only where one may look."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import cycle
from typing import Any

import pytest

from answers.context import Caller, StoreContext
from answers.review.reached import reached
from engines.kernel import Engine, Setting
from engines.kernel.registry import load_engine
from referee.archive.reached import position_key
from referee.archive.stats import open_stats
from referee.judging.rulings import fix_reading
from referee.record.game import Game
from referee.secrecy.redaction import PUBLIC, seen
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import undo
from referee.table.lifecycle import close, reopen
from referee.table.openings import open_game
from referee.table.play import log
from replays.gallery import sample, samples
from tests.exports.tables import quiet_bench
from tests.playing import open_game as open_random
from tests.playing import tables_of
from tests.proofs.twins import TWINS, Make

GAMES = [name for name in samples() if name != "pebbles"]


def played(bench: Bench, name: str, upto: int | None = None) -> Game:
    """The sample, or its first actions."""
    steps = sample(name).steps
    game = open_game(bench, name, steps[0].action, seats={}).game  # type: ignore[arg-type]
    for step in steps[1:][:upto]:
        assert step.action is not None
        log(bench, game.id, step.action)
    return bench.game(game.id)


def caller(bench: Bench, role: str = "judge", **more: Any) -> Caller:
    return Caller(StoreContext(bench.store, bench), Author("px", role), **more)


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_game_is_found_at_every_moment_that_it_shares(name: str) -> None:
    bench = quiet_bench()
    archived = close(bench, played(bench, name).id, by=By(SCRIBE)).game
    here = played(bench, name, 20)
    roles = cycle(("judge", "seat:A", "spectator"))
    for step, role in zip([*here.steps][::3], roles, strict=False):
        asking = caller(bench, role)
        told = reached(asking, here.id, at=step.number).data
        (found,) = told.games
        assert (found.game, found.number) == (archived.id, step.number)
        assert [one.line for one in told.following] == [found.following]
        assert bool(found.told) == bool(found.following)
    assert reached(asking, archived.id).data.total == 0


@pytest.mark.parametrize("at", [0, 3])
def test_a_reading_that_is_fixed_is_no_position_of_its_own(at: int) -> None:
    """However often it is; what was played next is told all the same."""
    bench = quiet_bench()
    here, other = played(bench, "benevolent", 20), played(bench, "benevolent", at)
    for value in ("flat", "each", "flat"):
        fix_reading(bench, other.id, "grey_count", value, by=By(JUDGE))
    following = here.steps[at + 1].action
    assert following is not None
    log(bench, other.id, following)
    close(bench, other.id, reason="late", by=By(SCRIBE))
    (found,) = reached(caller(bench), here.id, at=at).data.games
    assert (found.game, found.number) == (other.id, at)
    assert found.following == here.engine.text(following)


def test_a_game_in_play_tells_nothing_and_one_that_changes_is_found_anew() -> None:
    bench = quiet_bench()
    here, other = played(bench, "benevolent", 20), played(bench, "benevolent", 24)
    asking = caller(bench)
    assert reached(asking, here.id, at=10).data.total == 0
    close(bench, other.id, reason="supper", by=By(SCRIBE))
    assert reached(asking, here.id, at=10).data.total == 1
    assert reached(asking, here.id, at=20).data.total == 1
    reopen(bench, other.id, reason="on", by=By(JUDGE))
    assert reached(asking, here.id, at=10).data.total == 0
    undo(bench, other.id, to=15, by=By(SCRIBE))
    close(bench, other.id, reason="late", by=By(SCRIBE))
    assert reached(asking, here.id, at=10).data.total == 1
    assert reached(asking, here.id, at=20).data.total == 0


def test_nobody_finds_a_game_that_is_not_theirs_to_see() -> None:
    bench = quiet_bench()
    here, other = played(bench, "benevolent", 12), played(bench, "benevolent", 24)
    close(bench, other.id, reason="supper", by=By(SCRIBE))
    for role in ("judge", "seat:A", "spectator"):
        there = caller(bench, role, reaches=lambda game, _: game == here.id)
        assert reached(there, here.id).data.total == 0
        assert reached(caller(bench, role), here.id).data.total == 1


def test_the_index_is_forgotten_and_made_anew_at_will() -> None:
    bench = quiet_bench()
    here, other = played(bench, "benevolent", 12), played(bench, "benevolent", 24)
    close(bench, other.id, reason="supper", by=By(SCRIBE))
    before = reached(caller(bench), here.id).data
    open_stats(bench.store).rebuild()
    assert reached(caller(bench), here.id).data == before
    assert before.total == 1


# what makes two tables the same


def walks(engine: Engine[Any, Any], seed: int) -> list[Any]:
    """Steps of a few short random games from one set-up."""
    rng = random.Random(f"{engine.id} {seed}")
    tables = tables_of(engine.id)
    lines = next(iter(tables.SETUPS.values()))(random.Random(seed))
    found = []
    for _ in range(12):
        game = open_random(engine, lines)
        state = game.state
        for _ in range(6):
            options = engine.options(game.setting, state)
            if not options:
                break
            judged = engine.judge(game.setting, state, rng.choice(options), 1)
            if not judged.accepted:
                break
            state = judged.state
            found.append((game.setting, state))
    return found


def key(engine: Engine[Any, Any], setting: Setting[Any], state: Any) -> str:
    return repr(engine.compared(setting, state))


@pytest.mark.parametrize("name", GAMES)
def test_tables_that_compare_as_the_same_allow_the_same(name: str) -> None:
    engine = load_engine(name)
    same: dict[str, set[frozenset[str]]] = defaultdict(set)
    for seed in range(2):
        for setting, state in walks(engine, seed):
            legal = frozenset(engine.text(one) for one in engine.options(setting, state))
            same[f"{seed} {key(engine, setting, state)}"].add(legal)
    assert same
    assert all(len(allowed) == 1 for allowed in same.values())


def test_pieces_that_came_in_another_order_lie_the_same() -> None:
    """Two steps of each player, either one first."""
    bench = quiet_bench()
    first = sample("benevolent")
    lines = [first.engine.text(step.action) for step in first.steps if step.action is not None]
    laid = {}
    for order in ((0, 1), (1, 0)):
        game = open_game(bench, "benevolent", lines[0]).game
        for line in lines[1:3]:
            log(bench, game.id, line)
        spaces = ("c1", "b1")
        for turn in order:
            for seat in ("A", "B"):
                log(bench, game.id, f"{seat} step {spaces[turn]}", stands=True)
                log(bench, game.id, f"{seat} gather", stands=True)
        laid[order] = seen(bench.game(game.id), PUBLIC)
    one, other = laid.values()
    assert one.state.players["A"].forest != other.state.players["A"].forest
    assert position_key(one, one.steps[-1]) == position_key(other, other.steps[-1])


@pytest.mark.usefixtures("strangers_games")
@pytest.mark.parametrize(("make", "one", "other"), TWINS.values(), ids=TWINS)
def test_what_is_hidden_is_no_part_of_the_comparison(make: Make, one: str, other: str) -> None:
    """Two tables that differ in a secret alone are the same to everybody, moment by moment."""
    keys = []
    for secret in (one, other):
        bench, game = make(secret)
        public = seen(bench.game(game), PUBLIC)
        keys.append([position_key(public, step) for step in public.steps])
    assert keys[0] == keys[1]
