"""Who asks decides what is seen, and in which language it is told; nothing is process-wide."""

from __future__ import annotations

import ast
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from sys import getrecursionlimit

import pytest

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.play.actions import log
from answers.play.views import state
from referee.errors import NotAllowed
from referee.table.author import Author
from tests.proofs.twins import benevolent

ROOT = Path(__file__).parents[2]
WHOLE = {
    "answers/admin/access.py",
    "answers/context.py",
    "answers/privileged.py",
    "answers/review/import_export.py",
}
"""Where whole games are read, to be judged from or to be redacted; of a game that a device joins
the number of its last move alone, for a note."""
WAYS = {("bench", "game"), ("caller", "whole"), ("self", "whole")}
BEHIND_THE_DOOR = {
    "service/dispatch.py",
    "service/conditional.py",
    "service/auth.py",
    "service/event_hub.py",
    "service/webhook_events.py",
}
"""Of the doors, those parts that ask how long a record is, or redact what they tell."""


def test_two_languages_are_spoken_at_once(scribe: Caller, game: str) -> None:
    voices = {"en": "✘ illegal", "fr": "✘ illégal"}

    def told(lang: str) -> str:
        caller = replace(scribe, voice=Voice("fr" if lang == "fr" else "en"))
        return log(caller, game, ["A step a3"]).lines(caller.voice)[0]

    with ThreadPoolExecutor(4) as pool:
        for lang, line in zip(["en", "fr"] * 10, pool.map(told, ["en", "fr"] * 10), strict=True):
            assert line.startswith(voices[lang])


def test_a_program_that_learns_its_words_again_and_again_speaks_on() -> None:
    """A shell that is open all evening, in whatever order its commands are called."""
    voice = Voice()
    for _ in range(getrecursionlimit()):
        for package in ("cli", "answers.tournament", "answers.season"):
            voice = voice.knowing(package).falling_back_to("service")
    assert voice.say("dispute.opened", id="d1", number=1)
    assert not voice.words.entry("no_such_message")


def test_one_answer_can_be_told_in_every_language(scribe: Caller, game: str) -> None:
    answered = log(scribe, game, ["A step a3"])
    assert answered.lines(Voice("en")) != answered.lines(Voice("fr"))


def test_a_seat_is_shown_what_it_may_know_and_refused_the_whole() -> None:
    bench, game = benevolent("7")
    store_context = StoreContext(bench.store, bench)
    ana, bo = (Caller(store_context, Author(f"p{seat}", f"seat:{seat.upper()}")) for seat in "ab")
    own, others = (state(caller, game).plain()["state"]["players"]["A"] for caller in (ana, bo))
    assert own["leaves"] != others["leaves"]
    assert Caller(store_context).everything(game, "toml") is bench.game(game)
    with pytest.raises(NotAllowed):
        bo.everything(game, "toml")
    with pytest.raises(NotAllowed):
        bo.game(game, "seat:A")


def test_whole_games_are_read_in_few_places() -> None:
    """A view that is forgotten would show a hand: there is one way to a game, and it redacts."""
    found = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "answers").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute | ast.Name)
        and (ast.unparse(node.value).rpartition(".")[2], node.attr) in WAYS
    }
    assert found == WHOLE


def test_no_door_reads_a_game_itself() -> None:
    found = {
        str(file.relative_to(ROOT))
        for door in ("cli", "service")
        for file in (ROOT / door).rglob("*.py")
        if re.search(r"bench\.game\(|\.whole\(", file.read_text("utf-8"))
    }
    assert found == BEHIND_THE_DOOR
