"""Hostile names and notes stay text everywhere, or are refused."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.main import main
from cli.replay_screen import Review
from cli.session import Session
from cli.shell import Shell
from referee.table.author import SCRIBE, By
from referee.table.notes import Annotation, annotate

HARMLESS_BUT_NASTY = [
    "<script>alert(1)</script>",
    "[bold]markup[/bold] [/b] [BEN-MOVE-3]",
    '"; DROP TABLE notes; --',
    "' OR 1=1 --",
    "{state} {0} %s %(x)s ${HOME} `id`",
    "=cmd|' /C calc'!A0",
    "&lt;img src=x onerror=alert(1)&gt;",
    "𝕬 ﷽ ❤️‍🔥 ñ",
]
REFUSED = [
    "\x1b[31mred\x1b[0m",
    "bell\x07",
    "new\nline",
    "override \u202eevil",
    "isolate \u2066evil",
    "c1 \x9b31m",
    "half \ud800",
    "x" * 2001,
]


@pytest.mark.parametrize("text", HARMLESS_BUT_NASTY)
def test_nasty_notes_are_shown_as_they_are(scribe: Shell, text: str) -> None:
    scribe.handle("step c1")
    annotate(scribe.caller.bench, scribe.game_id, 3, Annotation(text), by=By(SCRIBE))
    review = Review(scribe.caller, scribe.voice, scribe.game)
    review.goto(3)
    assert any(text in line for line in review.about())
    game = scribe.game
    picture = game.engine.picture(game.state, game.setting, "en", None)
    root = ElementTree.fromstring(picture.svg(text, text))
    assert "".join(root.itertext()).count(text) == 2
    assert not [tag for tag in root.iter() if tag.tag.endswith("script")]


@pytest.mark.parametrize("text", REFUSED)
def test_control_characters_and_endless_notes_are_refused(scribe: Shell, text: str) -> None:
    scribe.handle("step c1")
    before = scribe.game.head
    with pytest.raises(ValueError):
        annotate(scribe.caller.bench, scribe.game_id, 3, Annotation(text), by=By(SCRIBE))
    assert scribe.game.head == before


@pytest.mark.parametrize("name", [*REFUSED[:-1], "x" * 41, "   "])
def test_hostile_names_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code = main(["new", "benevolent", "A=blue", "B=red", "first", "A", "-p", f"A={name}"])
    assert code in (0, 2, 5)
    shown = capsys.readouterr()
    if code == 0:
        assert name == "new\nline"
    assert "\x1b" not in shown.out + shown.err
    assert "\u202e" not in shown.out + shown.err


@pytest.mark.parametrize("name", [n for n in HARMLESS_BUT_NASTY if len(n) <= 40])
def test_nasty_names_are_shown_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["new", "benevolent", "A=blue", "B=red", "first", "A", "-p", f"A={name}"]) == 0
    assert main(["info"]) == 0
    assert name in capsys.readouterr().out


def test_hostile_lines_change_nothing(scribe: Shell) -> None:
    for line in [*REFUSED, *HARMLESS_BUT_NASTY, "step " * 300, "A " * 500, ";" * 5000]:
        scribe.handle(line)
    assert scribe.game.last_number == 2
    assert (
        Session(store_url=scribe.here.store_url).caller.bench.game(scribe.game_id).last_number == 2
    )


@pytest.mark.parametrize(
    "changes", [["players=1", "players.A=2"], ["players.A.x=1", "players.A.x.y.z=2"], ["=1"]]
)
def test_changes_that_fit_into_no_table_are_refused(
    scribe: Shell, changes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = scribe.game.head
    here = ["--store", scribe.here.store_url, "-g", scribe.game_id, "--json"]
    assert main([*here, "adjust", "-m", "odd", *changes]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bad_position"
    assert scribe.game.head == before
