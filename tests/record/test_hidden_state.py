"""A rule that fails on what is left of a hidden table: undecided to the viewer, and in the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Engine, ParseError, Setting
from engines.kernel.engine.judge import UNKNOWABLE
from engines.kernel.registry import load_engine
from referee.game_check.template import new_game
from referee.record.hidden_state import judge_hidden, options_hidden
from tests.tutorial import installed

GAME = "failing_hands"
CODE = f"{GAME}/__init__.py"
MISTAKES = {
    "face=SECRET)": "face=7)",
    "sum(one.face ==": "sum((one.face and one.face.upper()) ==",
}
"""The starter's ``hide`` leaves a number, and a rule expects a word."""
Table = tuple[Engine[Any, Any], Setting[Any], Any]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game, its setting, and the table as B sees it once A has been dealt a card."""
    files = new_game(GAME, hidden=True)
    for right, wrong in MISTAKES.items():
        assert right in files[CODE]
        files[CODE] = files[CODE].replace(right, wrong, 1)
    with installed(GAME, tmp_path, files):
        engine = load_engine(GAME)
        opening = engine.read("table A B")
        assert isinstance(opening, engine.opening)
        setting = engine.setting(opening)
        dealt = engine.judge(
            setting, engine.open(setting, opening).state, engine.read("A dealt fox")
        )
        yield engine, setting, engine.hide(dealt.state, "B", setting)


def failed(caplog: pytest.LogCaptureFixture) -> list[tuple[str, object]]:
    """The errors in the log, each with the kind of failure behind it."""
    records = [record for record in caplog.records if record.levelno == logging.ERROR]
    return [(record.getMessage(), record.exc_info and record.exc_info[0]) for record in records]


def test_a_verdict_is_undecided_and_the_failure_is_logged(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    engine, setting, state = table
    judged = judge_hidden(engine, setting, state, engine.read("B dealt fox"))
    assert judged.verdict is UNKNOWABLE
    assert judged.state is state
    assert failed(caplog) == [(f"{GAME}: judging 'dealt' fails on a hidden table", AttributeError)]


@pytest.mark.parametrize("in_silence", [False, True])
def test_no_options_are_listed_and_the_failure_is_logged(
    in_silence: bool, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    engine, setting, state = table
    assert options_hidden(engine, setting, state, in_silence=in_silence) == []
    told = [(f"{GAME}: listing the options fails on a hidden table", AttributeError)]
    assert failed(caplog) == ([] if in_silence else told)  # nothing ends unsaid in this game


def test_a_message_is_no_failure(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    engine, setting, state = table
    with pytest.raises(ParseError):
        judge_hidden(engine, setting, state, engine.read("H dealt fox"))
    assert failed(caplog) == []
