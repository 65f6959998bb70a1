"""After whatever has happened at a table, play can go on; and what is cited says something."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from engines.kernel import Action, Judgement, ParseError, evolve
from engines.kernel.dialogue.clause_text import because, sentence_for
from engines.kernel.messages.catalogue import blanks
from engines.kernel.registry import load_engine
from referee.game_check.played import check_options, check_options_are_complete, check_position
from tests.games.test_playouts import none
from tests.playing import Game, Strays, open_game, pick, playable_games, random_game, tables_of

ACTIONS = 60
"""How many actions a wild game has."""
LOOKED_AT = 6
"""Every how many of them the table is declared anew."""


def wild_game(game: str, seed: int) -> Iterator[tuple[Game, Judgement[Any]]]:
    """A game in which every third action is a stray that stands, with what was said of each."""
    engine, tables = load_engine(game), tables_of(game)
    rng = random.Random(f"stands {game} {seed}")
    setups = list(tables.SETUPS)
    setup = setups[seed % len(setups)]
    strays = Strays(engine, random_game(engine, setup, seed).actions)
    played = open_game(engine, tables.SETUPS[setup](rng))
    while not played.state.over and len(played.judgements) < ACTIONS:
        options = engine.options(played.setting, played.state)
        if rng.random() < 0.3:
            action = strays.draw(rng)
            if type(action) is engine.position:
                continue
            try:
                yield played, played.hear(action, lenient=True)
            except ParseError:
                continue
        elif options:
            yield played, played.hear(pick(options, rng))
        else:
            return


def slips(played: Game, past: list[Action], rng: random.Random) -> Iterator[Action]:
    """What tables do wrong most: the last deeds once more, another's, or what is due later."""
    recent = [action for action in past[-4:] if type(action) is not played.engine.position]
    seats = played.setting.seats
    later = [*engine_options(played)]
    for action in rng.sample(recent + later, min(6, len(recent + later))):
        yield action
        yield action.model_copy(update={"by": rng.choice(seats)})


def engine_options(played: Game) -> list[Action]:
    engine, states = played.engine, [judgement.state for judgement in played.judgements]
    return [action for state in states[-6::3] for action in engine.options(played.setting, state)]


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.deep) for n in range(1, 40))]
)
@pytest.mark.parametrize("game", playable_games())
def test_play_goes_on_after_at_most_three_slips_that_stand(game: str, seed: int) -> None:
    """The same deed twice, in the wrong turn, by the wrong player: something legal is left.

    The table is held to its own laws, and to its own words: what was reached can be declared.
    """
    engine, tables = load_engine(game), tables_of(game)
    rng = random.Random(f"slips {game} {seed}")
    setup = list(tables.SETUPS)[seed % len(tables.SETUPS)]
    whole = random_game(engine, setup, seed)
    for _ in range(SLIPS):
        at = rng.randrange(2, len(whole.judgements))
        played = Game(engine, whole.opening, whole.setting, whole.judgements[:at])
        for _ in range(rng.randrange(1, 4)):
            if played.state.over:
                break
            for action in slips(played, played.actions, rng):
                with suppress(ParseError):
                    if played.hear(action, lenient=True).verdict.outcome == "illegal":
                        break
            check_goes_on(played)
        if not played.state.over:
            none(check_position(played, engine.options(played.setting, played.state)))
        for _ in range(4):  # what follows must not end either
            options = engine.options(played.setting, played.state)
            if played.state.over or not options:
                break
            played.hear(pick(options, rng))
            check_goes_on(played)


SLIPS = 12
"""How many places of a game are tried."""


def check_goes_on(played: Game) -> None:
    engine, state = played.engine, played.state
    assert dict(engine.balance(state, played.setting)) == dict(state.offsets), lines(played)[-9:]
    goes_on = engine.options(played.setting, state) or engine.options.unlisted(
        played.setting, state
    )
    assert state.over or goes_on, lines(played)[-9:]


def lines(game: Game) -> list[str]:
    return [game.engine.text(action) for action in game.actions]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", playable_games())
def test_play_goes_on_after_whatever_stands(game: str, seed: int) -> None:
    for played, _ in wild_game(game, seed):
        engine, state = played.engine, played.state
        goes_on = engine.options(played.setting, state) or engine.options.unlisted(
            played.setting, state
        )
        assert state.over or goes_on, lines(played)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(n, marks=pytest.mark.deep) for n in range(2, 40))]
)
@pytest.mark.parametrize("game", playable_games())
def test_what_stands_is_offered_and_declared_like_anything_else(game: str, seed: int) -> None:
    """What is offered is legal, and the reverse; declared as it is, the table is the same."""
    engine, rng = load_engine(game), random.Random(f"looks {game} {seed}")
    for number, (played, _) in enumerate(wild_game(game, seed)):
        if number % LOOKED_AT == 0 and not played.state.over:
            strays = Strays(engine, [*played.actions, *engine_options(played)])
            options = engine.options(played.setting, played.state)
            none(check_options(played, options))
            none(check_options_are_complete(played, options, strays, rng))
            none(check_position(played, options))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", playable_games())
def test_the_reason_of_a_refusal_never_says_none(game: str, seed: int) -> None:
    """A sentence whose facts are empty gives no reason: another one must be there for it."""
    for played, heard in wild_game(game, seed):
        engine = played.engine
        for point in heard.verdict.breaches:
            sentences = engine.clauses[point.clause].because
            if not sentences:
                continue
            chosen = sentence_for(sentences, point.facts)
            assert chosen is not None, (point, lines(played))
            unquoted = blanks(re.sub("“.*?”", "", chosen.en))  # a word as it was typed
            empty = {name for name in unquoted if point.facts[name] in EMPTY}
            assert not empty, (point, because(engine, point, "en"))


EMPTY: tuple[Any, ...] = (None, "", "none", (), [], {})


APART = [
    "table A=blue B=red first A",
    "forest S1A S2A",
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    " / hoard convert_1",
    "A step c1; A pick; B step c1; B pick",
]


@pytest.mark.parametrize(
    ("version", "clauses"),
    [
        ("", ["BEN-MOVE-3"]),
        ("1.3", ["BEN-MOVE-3"]),
        ("1.2", ["BEN-MOVE-3", "BEN-MOVE-11"]),
    ],
)
def test_one_deed_is_one_breach_unless_an_earlier_engine_began_the_record(
    version: str, clauses: list[str]
) -> None:
    played = open_game(load_engine("benevolent"), APART)
    played.setting = evolve(played.setting, engine=version)
    heard = played.hear(played.engine.read("A step a3"), lenient=True)
    assert [point.clause for point in heard.verdict.breaches] == clauses


@pytest.mark.parametrize("game", playable_games())
def test_the_engine_that_began_a_record_changes_no_outcome_and_no_position(game: str) -> None:
    """Only how many breaches are held against one deed; the first of them is always the same."""
    for played, heard in wild_game(game, 1):
        if heard.verdict.outcome != "illegal":
            continue
        before = played.judgements[-2].state if heard.accepted else played.state
        setting, number = evolve(played.setting, engine="1.2"), len(played.judgements) - 1
        then = played.engine.judge(setting, before, heard.action, number, lenient=True)
        assert then.state == heard.state
        assert then.verdict.clause == heard.verdict.clause
        assert all(point in then.verdict.breaches for point in heard.verdict.breaches)
