"""What holds for every game, tried on random games of every table it can be played at.

``REFEREE_PLAYOUTS`` is the number of games per table (1 if it is not set).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest
from msgspec import Struct

from engines.kernel import (
    Action,
    Opening,
    ParseError,
    evolve,
)
from engines.kernel.registry import engine_ids, load_engine
from referee.game_check.defects import Defect
from referee.game_check.played import (
    STRAYS_PER_LOOK,
    check_conservation,
    check_faces,
    check_notation,
    check_options,
    check_options_are_complete,
    check_position,
    check_read_back,
    check_result,
    check_verdict,
    is_listable,
)
from referee.game_check.random_games import story
from tests.deep import few_or_many
from tests.fingerprint import END
from tests.playing import (
    Game,
    Strays,
    bent,
    hastened,
    is_installed,
    open_game,
    play_on,
    playable_games,
    random_game,
    replayed,
    tables_of,
    with_house_rules,
)
from tests.tutorial import ROOT
from tests.waiting import PATIENCE

PLAYOUTS = int(os.environ.get("REFEREE_PLAYOUTS", "1"))
CLOSE_LOOKS = few_or_many(4, 12)
FACES = few_or_many(0, 3)
"""How many states of a game are looked at closely, and how many are drawn, which is slow, between
the first and the last."""
WILD_ACTIONS = few_or_many(12, 60)


def setups_of(game: str) -> list[str]:
    try:
        return list(tables_of(game).SETUPS)
    except Exception:
        return ["cannot be set up"]


def at_table(game: str, setup: str, *seed: int) -> object:
    """The tests of a table run in one process, which plays its games once."""
    group = pytest.mark.xdist_group(f"{game}, {setup}")
    return pytest.param(
        game, setup, *seed, marks=group, id=", ".join(map(str, (game, setup, *seed)))
    )


def every_table() -> list[object]:
    return [at_table(game, setup) for game in playable_games() for setup in setups_of(game)]


def every_game() -> list[object]:
    return [
        at_table(game, setup, seed)
        for game in playable_games()
        for setup in setups_of(game)
        for seed in range(PLAYOUTS)
    ]


@cache
def played(game: str, setup: str, seed: int) -> Game:
    return random_game(load_engine(game), setup, seed)


@cache
def strays_of(game: str, setup: str) -> Strays:
    engine = load_engine(game)
    seen: list[Action] = []
    for playout in (played(game, setup, seed) for seed in range(PLAYOUTS)):
        seen += playout.actions
        if engine.position_of is not None:
            seen += [engine.position_of(j.state, playout.setting) for j in playout.judgements[::9]]
    return Strays(engine, seen)


def looks(game: Game, rng: random.Random, count: int) -> list[Game]:
    """The game as it stood at some moments, the first and the last among them."""
    last = len(game.judgements) - 1
    between = rng.sample(range(1, last), min(count, last - 1)) if last > 1 else []
    return [
        Game(game.engine, game.opening, game.setting, game.judgements[: index + 1])
        for index in sorted({0, last, *between})
    ]


# a whole game


@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_a_random_game(game: str, setup: str, seed: int) -> None:
    playout = played(game, setup, seed)
    engine = playout.engine
    for judgement in playout.judgements:
        line = engine.text(judgement.action)
        none(check_verdict(engine, judgement.verdict, line))
        none(check_conservation(playout, judgement))
        none(check_notation(engine, judgement.action))
        json.dumps(engine.plain(judgement.state), allow_nan=False)
        check_records(judgement.state)
    if playout.state.over:
        none(check_result(playout))


@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_replay_gives_the_same_states(game: str, setup: str, seed: int) -> None:
    playout = played(game, setup, seed)
    engine = playout.engine
    stored = [engine.text.load(action.model_dump(mode="json")) for action in playout.actions]
    again = list(replayed(engine, playout.setting, playout.opening, stored))
    assert [judgement.verdict for judgement in again] == [j.verdict for j in playout.judgements]
    assert [judgement.state for judgement in again] == [j.state for j in playout.judgements]


@pytest.mark.parametrize("game", playable_games())
def test_some_random_game_comes_to_its_end(game: str) -> None:
    games = [played(game, setup, 0) for setup in setups_of(game)[:4]]
    if hasattr(tables_of(game), "hasten"):
        games = [hastened(playout, random.Random(game)) for playout in games]
    ended = [playout for playout in games if playout.state.over]
    assert ended
    for playout in ended:
        none(check_result(playout))
        for judgement in playout.judgements:
            none(check_conservation(playout, judgement))


@pytest.mark.deep
def test_every_process_judges_alike() -> None:
    """Whatever the order in which this process happens to go through sets."""
    prints = [
        subprocess.run(
            [sys.executable, "-m", "tests.fingerprint", *playable_games()],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout.split(END)
        for seed in ("1", "6")
    ]
    for game, one, other in zip([*playable_games(), "the end"], *prints, strict=True):
        assert one == other, game


@pytest.mark.parametrize("count", CLOSE_LOOKS)
@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_close_looks(game: str, setup: str, seed: int, count: int) -> None:
    playout = played(game, setup, seed)
    rng = random.Random(seed)
    for before in looks(playout, rng, count):
        shown = playout.engine.plain(before.state)
        options = playout.engine.options(playout.setting, before.state)
        none(check_options(before, options))
        check_typed(before, options, rng)
        none(check_options_are_complete(before, options, strays_of(game, setup), rng))
        check_prompt(before, options)
        check_silence(before, strays_of(game, setup), rng)
        if before.state.over:
            assert options == []
        else:
            none(check_position(before, options))
        assert playout.engine.plain(before.state) == shown, "a pure function changed the state"


@pytest.mark.parametrize("count", FACES)
@pytest.mark.parametrize(("game", "setup", "seed"), every_game())
def test_faces(game: str, setup: str, seed: int, count: int) -> None:
    """Of a game that was played by the rules, and of what is left when nobody kept them."""
    rng = random.Random(seed)
    for moment in looks(played(game, setup, seed), rng, count):
        none(check_faces(moment, rng))
        walk_wildly(moment, strays_of(game, setup), rng, 60)
        none(check_faces(moment, rng))


@pytest.mark.parametrize("actions", WILD_ACTIONS)
@pytest.mark.parametrize(("game", "setup"), every_table())
def test_rules_set_aside_never_crash_a_table(game: str, setup: str, actions: int) -> None:
    """Each clause as a house rule, pairs of them, and none: wrong actions strictly and as
    they happened. The tables of a game share its clauses among them."""
    playout = played(game, setup, 0)
    rng = random.Random(f"{game} {setup}")
    loose = [c.id for c in playout.engine.clauses.values() if c.kind in ("rule", "effect")]
    tables = list(tables_of(game).SETUPS)
    share = loose[tables.index(setup) :: max(1, 2 * len(tables) // max(2, PLAYOUTS))]
    aside = [frozenset[str]()] * 5 + [frozenset({clause}) for clause in share]
    aside += [frozenset(rng.sample(loose, min(2, len(loose)))) for _ in share]
    for house_rules in aside:
        begin = rng.randrange(len(playout.judgements))
        walk = with_house_rules(playout, house_rules)
        del walk.judgements[begin + 1 :]
        walk_wildly(walk, strays_of(game, setup), rng, actions)


@pytest.mark.parametrize(("game", "setup"), every_table())
def test_house_rules_can_be_played_out(game: str, setup: str) -> None:
    """A few whole games with a clause or two set aside once the table is set up."""
    engine = load_engine(game)
    rng = random.Random(f"{game} {setup} house rules")
    loose = [c.id for c in engine.clauses.values() if c.kind in ("rule", "effect")]
    for _ in range(PLAYOUTS):
        house_rules = frozenset(rng.sample(loose, min(len(loose), rng.choice((1, 2)))))
        table = open_game(engine, tables_of(game).SETUPS[setup](rng))
        playout = with_house_rules(table, house_rules)
        try:
            for _ in play_on(playout, rng, tables_of(game).LINES_LIMIT):
                none(check_conservation(playout, playout.judgements[-1]))
        except Exception as error:
            raise AssertionError(f"with {sorted(house_rules)} set aside") from error


@pytest.mark.parametrize(("game", "setup"), every_table())
def test_wrong_openings_never_crash(game: str, setup: str) -> None:
    engine = load_engine(game)
    rng = random.Random(f"{game} {setup} openings")
    for _ in range(40 * PLAYOUTS):
        opening = played(game, setup, 0).opening.model_dump(mode="json")
        name = rng.choice([key for key in opening if key not in ("verb", "by")])
        try:
            wrong = engine.text.load({**opening, name: bent(opening[name], rng)})
            assert isinstance(wrong, Opening)
            setting = engine.setting(wrong)
            judgement = engine.open(setting, wrong, lenient=rng.random() < 0.5)
        except ParseError:
            continue
        none(check_verdict(engine, judgement.verdict, engine.text(wrong)))
        if judgement.accepted:
            none(check_conservation(Game(engine, wrong, setting), judgement))


def walk_wildly(walk: Game, strays: Strays, rng: random.Random, actions: int) -> None:
    for _ in range(actions):
        action = strays.draw(rng)
        none(check_read_back(walk.engine, action))
        lenient = rng.random() < 0.7
        try:
            judgement = walk.hear(action, lenient=lenient)
        except ParseError:
            continue
        except Exception as error:
            raise AssertionError(
                f"{walk.engine.text(action)!r} ({lenient=}) with "
                f"{sorted(walk.setting.house_rules)} set aside, after {story(walk)}"
            ) from error
        none(check_verdict(walk.engine, judgement.verdict, walk.engine.text(action)))
        none(check_conservation(walk, judgement))
    json.dumps(walk.engine.plain(walk.state))


# what is checked beyond what any author is told


def none(found: Iterable[Defect]) -> None:
    assert [*found] == []


def check_records(value: Any) -> None:
    """Nothing is cached in a state: it is a value, and ``evolve`` would lose it."""
    if isinstance(value, Struct):
        assert not hasattr(value, "__dict__"), f"{type(value).__name__} has room for a cache"
        for name in value.__struct_fields__:
            check_records(getattr(value, name))
    elif isinstance(value, Mapping):
        for part in value.values():
            check_records(part)
    elif isinstance(value, tuple):
        for part in value:
            check_records(part)


def check_typed(game: Game, options: list[Action], rng: random.Random) -> None:
    """What can be played can be typed word by word."""
    engine = game.engine
    if options:
        words = engine.text(rng.choice(options)).split()
        if len(game.state.agenda.seats) <= 1 and len(words[0]) == 1:
            words = words[1:]
        for count in range(len(words)):
            choices = engine.options.choices(game.setting, game.state, " ".join(words[:count]))
            found = {choice.word: choice.complete for choice in choices}
            assert words[count] in found, (words, choices)
            assert found[words[count]] or count < len(words) - 1


def check_prompt(game: Game, options: list[Action]) -> None:
    """What the table is told that may come next are the verbs of the options, and no others."""
    engine, state = game.engine, game.state
    unlisted = {
        (seat, kind.verb_of()) for seat, kind in engine.options.unlisted(game.setting, state)
    }
    possible = {(action.by, action.verb) for action in options}
    told = set()
    for duty, verbs in engine.options.due(game.setting, state):
        assert verbs, f"{duty} is told, and nothing can be done"
        told |= {(duty.seat, verb) for verb in verbs}
    assert told - unlisted <= possible | {(None, verb) for _, verb in possible}
    assert {verb for _, verb in possible | unlisted} == {verb for _, verb in told}


def check_silence(game: Game, strays: Strays, rng: random.Random) -> None:
    """What ends in silence what stands before it is accepted, and all of it is listed."""
    engine, setting, state = game.engine, game.setting, game.state
    listed = engine.options.after_silence(setting, state)
    for action in listed[:: max(1, len(listed) // 5)]:
        assert engine.judge(setting, state, action).accepted, engine.text(action)
    later = engine.judge.unsaid(setting, state)
    for _ in range(STRAYS_PER_LOOK if later else 0):
        try:
            heard = engine.judge(setting, state, strays.draw(rng))
        except ParseError:
            continue
        if not heard.accepted or is_listable(game, heard.action):
            continue
        moments = [evolve(game, judgements=[evolve(heard, state=each)]) for each in later]
        if any(is_listable(moment, heard.action) for moment in moments):
            same = [action for action in listed if action.verb == heard.action.verb]
            assert heard.action in same or any(
                engine.judge(setting, state, action).state == heard.state for action in same
            ), f"{engine.text(heard.action)!r} is accepted and not listed after {story(game)}"


# what is written about a game


def test_every_game_has_its_tables() -> None:
    assert playable_games() == [game for game in engine_ids() if is_installed(game)]


@pytest.mark.parametrize("game", playable_games())
def test_a_duty_that_is_told_way_by_way_has_words_for_every_way(game: str) -> None:
    engine = load_engine(game)
    ways = {key for key in engine.words if key.startswith("way.")}
    kinds = {key.split(".")[1] for key in ways}
    wanted = {
        f"way.{kind}.{action.verb_of()}" for kind in kinds for action in engine.rules.duties[kind]
    }
    assert ways == wanted
