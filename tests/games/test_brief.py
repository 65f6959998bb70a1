"""Lines cut short, over recorded random games: legal, canonical, and never one of two."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from engines.kernel import Action, ParseError
from engines.kernel.dialogue import interpreter
from engines.kernel.dialogue.interpreter import LineInterpreter
from engines.kernel.notation.abbreviations import beginnings, letters_and_numbers, only
from engines.kernel.registry import load_engine
from tests.playing import playable_games
from tools.measure.bench.bench_keys import Said, in_order, is_laid, played_game, turns

GAMES = playable_games()


def cut(line: str, rng: random.Random) -> str:
    """Of some of its words the beginning, with or without spaces."""
    parts = [part for word in line.split() for part in letters_and_numbers(word)]
    kept = [part if part[0].isdigit() else part[: rng.randint(0, 3)] for part in parts]
    return rng.choice(("", " ")).join(part for part in kept if part and rng.random() < 0.8)


def moments(game: str) -> list[tuple[LineInterpreter, Said]]:
    """Some moments of a recorded game, set-up and end among them."""
    played = played_game(game, 1)[1:]
    engine = load_engine(game)
    some = [*played[:6], *played[6 :: max(1, len(played) // 25)], played[-1]]
    return [(LineInterpreter(engine, said.setting, said.before), said) for said in some]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_meant_by_a_few_letters_is_one_legal_line(game: str) -> None:
    engine, rng = load_engine(game), random.Random(game)
    for saying, said in moments(game):
        legal = {engine.text(action) for action in engine.options(said.setting, said.before)}
        for line in rng.sample(sorted(legal), min(len(legal), 8)):
            for text in saying.meant(brief := cut(line, rng)):
                assert saying.after([text]) is not None, (brief, text)
                heard = engine.judge(said.setting, said.before, engine.read(text))
                assert heard.accepted


@pytest.mark.parametrize("game", GAMES)
def test_the_order_of_the_options_does_not_decide_what_is_meant(game: str) -> None:
    rng = random.Random(game)
    for saying, _ in moments(game):
        lines = list(saying._lines)
        for line in rng.sample(lines, min(len(lines), 8)):
            brief = cut(" ".join(line), rng)
            known = only(beginnings(brief, lines))
            assert only(beginnings(brief, rng.sample(lines, len(lines)))) == known


@pytest.mark.parametrize("game", GAMES)
def test_a_line_twice_as_long_is_looked_through_twice_as_long(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody keeps a table waiting with a line of five hundred words that mean nothing."""
    looked_up: list[str] = []
    real = interpreter.normalize
    monkeypatch.setattr(interpreter, "normalize", lambda word: looked_up.append(word) or real(word))
    saying, _ = moments(game)[-2]

    def letters(words: int) -> int:
        looked_up.clear()
        saying.said(["A " * words])
        return sum(map(len, looked_up))

    assert letters(400) <= 3 * letters(200)


@pytest.mark.parametrize("game", GAMES)
def test_a_line_in_full_means_itself(game: str) -> None:
    engine = load_engine(game)
    for saying, said in moments(game):
        if said.action.enumerable:
            (text,) = saying.meant(engine.text(said.action))
            assert engine.judge(said.setting, said.before, engine.read(text)).action == said.action


@pytest.mark.parametrize("game", GAMES)
def test_tab_keeps_what_was_typed_and_goes_on_from_it(game: str) -> None:
    engine, rng = load_engine(game), random.Random(game)
    for saying, _ in moments(game):
        for line in saying._lines[:5]:
            brief = cut(" ".join(line), rng)
            after = saying.completed(brief)
            assert saying.completed(after) == after or after == brief
            for text in saying.meant(brief):
                assert [text] == [after.strip()] or is_laid(type(engine.read(text)))


def texts(engine: Any, actions: list[Action]) -> list[str]:
    return [engine.text(action) for action in actions]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_set_up_is_laid_out_without_its_places(game: str) -> None:
    engine = load_engine(game)
    for seed in (0, 1):
        setup = in_order(engine, next(turns(played_game(game, seed))))
        first = {type(said.action): said for said in reversed(setup[1:])}
        for kind, said in first.items():
            if not kind.in_order:
                continue
            run = [each.action for each in setup if type(each.action) is kind]
            names = [engine.text(action).split()[2:] for action in run]
            line = " ".join([kind.verb_of(), *(word for words in names for word in words)])
            found = LineInterpreter(engine, said.setting, said.before).said([line])
            assert found == [texts(engine, run)]
            apart = [" ".join([kind.verb_of(), *words]) for words in names]
            found = LineInterpreter(engine, said.setting, said.before).said(apart)
            assert [text for (text,) in found] == texts(engine, run)


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_line_may_be_cut_short_as_well(game: str) -> None:
    """It is judged under its clause: that it was short is no reason to misread it."""
    engine, some = load_engine(game), moments(game)
    lines = {engine.text(said.action.model_copy(update={"by": None})) for _, said in some}
    judged = 0
    for saying, said in some:
        for line in sorted(lines):
            verb, *rest = line.split()
            short = " ".join([verb[:-1], *rest])
            (meant,) = saying.in_full([short])
            if len(verb) < 3 or meant == short or saying.meant(short):
                continue
            assert engine.read(meant) == engine.read(line)
            with suppress(ParseError):  # it may not say who
                judged += not engine.judge(said.setting, said.before, engine.read(meant)).accepted
    assert judged


@pytest.mark.parametrize("game", GAMES)
def test_a_verb_of_one_letter_is_the_only_one_that_makes_sense(game: str) -> None:
    """Due or not: if the rest of the line fits one verb only, that one is judged."""
    engine, some = load_engine(game), moments(game)
    expanded = 0
    for _, said in some:
        verb, *rest = engine.text(said.action.model_copy(update={"by": None})).split()
        for other, _ in some[:10]:
            short = " ".join([verb[:1], *rest])
            if other.meant(short) or other.reads(short):
                continue
            (meant,) = other.in_full([short])
            expanded += meant != short
            assert meant == short or meant.split()[0].startswith(verb[:1])
            assert meant.split()[1:] == rest
    assert expanded
