"""Lines as somebody might type them: the notation of every game in both languages, bent.

``corpus/lines/GAME--WHAT.json`` holds lines that are heard in every part of a game, or of any.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Action, Opening, ParseError
from engines.kernel.registry import load_engine
from replays.gallery import sample, samples
from tests.fuzz.club import NEW
from tests.fuzz.mangling import ODD_WORDS, mangled, mangled_word
from tests.fuzz.program import CORPUS, ILLEGAL, SEED, Program, bounded, rounds

pytestmark = pytest.mark.xdist_group("fuzzed lines")
MOMENTS = 12
BETWEEN = (" ", " ", " ", "", "  ", "\t", "\u00a0", ";", "; ")


@cache
def played(game: str) -> list[Action]:
    return [step.action for step in sample(game).steps if step.action is not None]


@cache
def vocabulary(game: str) -> list[str]:
    """Words of whole lines, and of the forms as they are explained in both languages."""
    engine = load_engine(game)
    words = {word for action in played(game) for word in engine.text(action).split()}
    for kind in {type(action) for action in played(game)}:
        for usage in engine.notation.usages(kind):
            for lang in ("en", "fr"):
                words.update(usage.said(engine.words, lang).split())
    return sorted(words)


def lines(game: str, chance: random.Random) -> Iterator[str]:
    """Lines without end that somebody could have meant, or nobody."""
    engine, words = load_engine(game), vocabulary(game)
    while True:
        action = chance.choice(played(game))
        kind = chance.random()
        if kind < 0.1:
            yield json.dumps(mangled(action.model_dump(mode="json"), chance))
        elif kind < 0.2:
            yield _joined([chance.choice(words) for _ in range(chance.randint(1, 12))], chance)
        elif kind < 0.22:
            yield _joined(engine.text(action).split() * chance.randint(10, 300), chance)
        else:
            yield _bent(engine.text(action).split(), words, chance)


def _bent(line: list[str], words: list[str], chance: random.Random) -> str:
    for _ in range(chance.randint(0, 3)):
        at = chance.randrange(len(line) + 1)
        other = chance.choice((chance.choice(words), chance.choice(ODD_WORDS)))
        change = chance.random()
        if change < 0.3 and at < len(line):
            line[at] = mangled_word(line[at], chance)
        elif change < 0.6:
            line[at : at + 1] = [other]
        elif change < 0.8:
            line.insert(at, other)
        else:
            del line[at : at + 1]
    return _joined(line, chance)


def _joined(words: list[str], chance: random.Random) -> str:
    usual = chance.random() < 0.8
    return "".join(word + (" " if usual else chance.choice(BETWEEN)) for word in words)


def hear(game: str, moment: int, line: str) -> None:
    """Read, judged both ways, explained in both languages, written and read again."""
    engine, step = load_engine(game), sample(game).steps[moment]
    for action in understood(game, line):
        assert engine.read(engine.text(action)) == action, "it is written as something else"
        if isinstance(action, Opening):
            judge_opening(game, action)
            continue
        for lenient in (False, True):
            try:
                judged: Any = engine.judge(step.setting, step.state, action, 1, lenient=lenient)
            except ParseError:
                continue
            explain(game, judged, step.setting)


def understood(game: str, line: str) -> Iterator[Action]:
    engine = load_engine(game)
    try:
        texts = engine.notation.split(line)
    except ParseError:
        return
    for text in texts:
        try:
            yield engine.read(text)
        except ParseError:
            continue


def judge_opening(game: str, opening: Opening) -> None:
    engine = load_engine(game)
    try:
        setting = engine.setting(opening)
        judged = engine.open(setting, opening, lenient=True)
    except ParseError:
        return
    if judged.accepted:
        explain(game, judged, setting)


def explain(game: str, judged: Any, setting: Any) -> None:
    engine = load_engine(game)
    for lang in ("en", "fr"):
        engine.describe(judged.state, setting, lang)
    engine.options(setting, judged.state)


@pytest.mark.parametrize("game", samples())
def test_lines_are_understood_or_refused_with_a_reason(game: str) -> None:
    chance = random.Random(f"{SEED} {game}")
    moments = len(sample(game).steps)
    for _, line in zip(rounds(100), lines(game, chance), strict=False):
        moment = chance.randrange(moments)
        try:
            with bounded(line[:200]):
                hear(game, moment, line)
        except Exception as fault:
            raise AssertionError(f"{game}, after step {moment}: {line!r}") from fault


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_typed_lines_are_logged_or_refused_with_a_reason(program: Program, lang: str) -> None:
    chance = random.Random(f"{SEED} {lang}")
    program.must(*NEW)
    door = (("log",), ("log", "--stands"), ("check",), ("why",), ("correct", "1"), ("log", "-"))
    for _, line in zip(rounds(15), lines("benevolent", chance), strict=False):
        words, json_too = chance.choice(door), chance.choice(((), ("--json",)))
        command = ["--lang", lang, *json_too, *words]
        if words[-1] == "-":
            program.try_out(command, line.encode(errors="surrogatepass"), several=True)
        else:
            program.try_out([*command, "--", line], several=";" in line)


def test_refused_lines_change_nothing(program: Program) -> None:
    program.must(*NEW)
    before = program.entries()
    for line in ODD_WORDS:
        assert program.try_out(["log", "--", line]).code != 0, line
    assert program.try_out(["log", "A", "step", "c1"]).code == ILLEGAL
    assert program.entries() == before


@pytest.mark.parametrize("path", sorted((CORPUS / "lines").iterdir()), ids=lambda path: path.stem)
def test_known_lines_do_no_harm(path: Path) -> None:
    game = path.stem.split("--")[0]
    for name in samples() if game == "any" else [game]:
        steps = len(sample(name).steps)
        for line in json.loads(path.read_text("utf-8")):
            for moment in range(0, steps, max(1, steps // MOMENTS)):
                with bounded(line[:200]):
                    hear(name, moment, line)
