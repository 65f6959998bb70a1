"""Where French is asked for, no line comes in the words in which it is recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.play.info import info
from answers.play.moves import moves, why
from answers.play.options import choices, options
from answers.review.entries import entry_rows
from answers.review.notes import note_lines
from answers.review.replay import replay
from cli.replay_screen import Review
from engines.kernel.engine.engine import Engine
from referee.record.game import Game
from referee.record.history import history
from replays.exports.html import page
from replays.exports.pdf import sheet_data
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story
from replays.exports.text_formats import md
from replays.text_record import text_record
from tests.exports.tables import eventful, quiet_bench
from tests.playing import playable_games

GAMES = [name for name in playable_games() if name != "pebbles"]
FRENCH = RenderOptions(lang="fr")


def shown(caller: Caller, game: Game) -> Iterator[tuple[str, str]]:
    """Whatever a reader of French is shown of a game, by the door it comes through."""
    voice = caller.voice
    for answered in (info, options, choices, moves, replay):
        yield answered.__name__, "\n".join(answered(caller, game.id).lines(voice))
    yield "why", "\n".join(why(caller, game.id, "3").lines(voice))
    yield "entries", "\n".join(row.told for row in entry_rows(game, game.entries, voice))
    noted = (note_lines(voice, caller, game, note) for note in game.notes.values())
    yield "notes", "\n".join(line for lines in noted for line in lines)
    review = Review(caller, voice, game)
    around = [text for _, text in review.moves(len(review.stepper.moments))]
    while review.stepper.move(1):
        around.append(review.about()[0])
    yield "replay screen", "\n".join(around)
    yield "text", text_record(game, {}, "fr")
    yield "md", md(game, FRENCH).decode().replace("\\", "")
    yield "pdf", json.dumps(sheet_data(Story(game, FRENCH)), ensure_ascii=False)
    yield "html", page(game, b"", FRENCH).decode()


@pytest.mark.parametrize("name", GAMES)
def test_every_door_tells_lines_in_french(name: str) -> None:
    bench = quiet_bench()
    game = eventful(bench, name, limit=12)
    caller = Caller(StoreContext(bench.store, bench), voice=Voice("fr"))
    recorded = {line.text for line in history(game)}
    foreign = {line for line in recorded if game.engine.text.told_in(line, "fr") != line}
    assert foreign
    as_recorded = re.compile(rf"(?<![\w=-])({'|'.join(map(re.escape, foreign))})(?![\w@=-])")
    found = {door: set(as_recorded.findall(text)) for door, text in shown(caller, game)}
    assert {door: lines for door, lines in found.items() if lines} == {}


def left_in_english(engine: Engine[Any, Any], line: str) -> list[str]:
    """Words of a line that are the record's, and have a name of their own in French."""
    words = engine.words
    split = re.split(r"[\s=@/]+", line)
    parts = [part for part in split if len(part) > 2 and not engine.text.notation.knows(part)]
    named = {part: words.entry(f"term.{part}") or words.entry(f"colour.{part}") for part in parts}
    return [part for part, name in named.items() if name and name["fr"] != part]


@pytest.mark.parametrize("name", GAMES)
def test_no_word_of_a_line_is_left_as_it_is_recorded(name: str) -> None:
    """The opening too, in every number of players, and what an audit counts."""
    bench = quiet_bench()
    game = eventful(bench, name, limit=40)
    engine = game.engine
    openings = {engine.opening.usual(players) for players in engine.seats}
    lines = {line.text for line in history(game)} | openings
    if name == "benevolent":
        lines.add("audit back swap_again=gift_clover")
    french = [engine.text.told_in(line, "fr") for line in lines]
    assert [line for line in french if left_in_english(engine, line)] == []
    for line in (
        line for line in lines if engine.text.notation.reads(line) and "audit" not in line
    ):
        assert engine.text.read(engine.text.told_in(line, "fr")) == engine.text.read(line)


def test_the_words_that_may_come_next_follow_the_language_of_the_line() -> None:
    bench = quiet_bench()
    game = eventful(bench, "benevolent", limit=6)
    french = Caller(StoreContext(bench.store, bench), voice=Voice("fr"))
    told = choices(french, game.id).lines(french.voice)
    words = [row["word"] for row in choices(french, game.id).plain()["choices"]]
    assert [game.engine.text.verb_in(word, "fr") for word in words] == told != words
    begun = [choices(french, game.id, word) for word in told]
    assert any(each.plain()["choices"] for each in begun)
    for each in begun:
        assert each.lines(french.voice) == [row["word"] for row in each.plain()["choices"]]
