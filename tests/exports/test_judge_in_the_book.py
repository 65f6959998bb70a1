"""What a judge decided stands in every export that people read, in its place and in a summary."""

from __future__ import annotations

import csv
import gzip
import json
import re
from base64 import b64decode
from io import StringIO

import pytest

from answers.context import Caller, StoreContext
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, cancel_penalty, issue, penalise
from referee.record.entries import KINDS, Adjusted, Logged, Noted, Opened, Remedy, Unnoted
from referee.record.game import Game
from referee.record.history import history
from referee.table.author import JUDGE, By
from referee.table.bench import Bench
from referee.table.lifecycle import hold, resume
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story, words
from replays.formats import export_bytes
from tests.exports.tables import quiet_bench, recorded
from tests.opening import new_table

IN_THE_LINE = (Opened, Logged, Adjusted, Noted, Unnoted)
"""What every export tells as a move or as a note."""


@pytest.fixture(scope="module")
def table() -> tuple[Bench, Game]:
    """A game with a dispute about #5, a ruling, an appeal, two penalties and a pause."""
    bench = quiet_bench()
    game = recorded(bench, "benevolent", limit=9)
    dispute(bench, game.id, 5, seat="A", text="the toll was not paid")
    issue(bench, game.id, Decision("it was paid", dispute="d1"), by=By(JUDGE))
    appeal = Decision("it was not", dispute="d1", overturns="r1", remedy="stands")
    issue(bench, game.id, appeal, by=By(JUDGE))
    penalise(bench, game.id, "A", "warning", "slow", by=By(JUDGE))
    penalise(bench, game.id, "B", "loss of 3 points", "", by=By(JUDGE))
    cancel_penalty(bench, game.id, "x2", "wrong seat", by=By(JUDGE))
    hold(bench, game.id, reason="lunch")
    return bench, resume(bench, game.id).game


TOLD = ("the toll was not paid", "it was paid", "it was not", "warning", "wrong seat", "lunch")


def page_data(page: bytes) -> str:
    packed = re.findall(rb'id="story">([^<]*)<', page)[0]
    return gzip.decompress(b64decode(packed)).decode()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", ["md", "csv", "html", "playthrough"])
def test_all_that_was_decided_is_told(
    table: tuple[Bench, Game], format: str, lang: Language
) -> None:
    made = export_bytes(*table, format, RenderOptions(lang=lang))
    text = page_data(made) if format == "html" else made.decode()
    for reason in TOLD:
        assert reason in text


def test_it_stands_behind_the_action_it_followed(table: tuple[Bench, Game]) -> None:
    rows = list(csv.DictReader(StringIO(export_bytes(*table, "csv", RenderOptions()).decode()[1:])))
    kinds = [row["kind"] for row in rows]
    assert kinds[:10] == ["action"] * 10
    told = ["disputed", "ruled", "ruled", "penalised", "penalised", "penalty_cancelled"]
    assert kinds[10:] == [*told, "held", "resumed"]


def test_a_picture_says_what_its_action_was_disputed_for(table: tuple[Bench, Game]) -> None:
    assert "the toll was not paid" in export_bytes(*table, "svg", RenderOptions(at=5)).decode()
    assert "the toll was not paid" not in export_bytes(*table, "svg", RenderOptions(at=4)).decode()


def test_the_summary_says_what_became_of_everything(table: tuple[Bench, Game]) -> None:
    summary = dict(Story(table[1], RenderOptions()).summary())
    assert [line.rpartition("(")[2] for line in summary["Disputes"]] == ["decided by r2)"]
    assert summary["Rulings"][0].endswith("(overturned by r2)")
    assert "overturns r1" in summary["Rulings"][1]
    assert summary["Penalties"][1].endswith("(cancelled)")


def test_a_play_carries_the_judges_decisions() -> None:
    bench = quiet_bench()
    game = recorded(bench, "benevolent", limit=1000)
    penalise(bench, game.id, "A", "warning", "slow", by=By(JUDGE))
    play = json.loads(export_bytes(bench, bench.game(game.id), "bgstats", RenderOptions()))
    assert "warning" in play["plays"][0]["comments"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_entry_is_told_somewhere(lang: Language) -> None:
    """A kind that is added later must say how it is told."""
    for name, kind in KINDS.items():
        keys = [key for key in words() if key.startswith(f"happened.{name}")]
        assert keys or issubclass(kind, IN_THE_LINE), name


def test_a_settled_claim_is_no_longer_undecided() -> None:
    game = recorded(quiet_bench(), "broom_service", limit=400)
    lines = [line for line in history(game) if line.outcome == "undecided"]
    settled = [line for line in lines if line.settled is not None]
    assert settled
    story = Story(game, RenderOptions())
    for line in settled:
        assert line.settled_by is not None
        assert story.verdict(line) != story.say("outcome.undecided")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_ruling_says_what_it_has_put_there_itself(lang: Language) -> None:
    """Several that correct, and one in between that corrects nothing."""
    bench = quiet_bench()
    game = new_table(Caller(StoreContext(bench.store, bench)), "pebbles", "A B first A", TAKEN)
    for number, line in ((5, "take 3"), (4, ""), (2, "take 3")):
        remedy: Remedy = "corrected" if line else "none"
        decision = Decision("so", remedy, numbers=(number,), lines=(line,) if line else ())
        issue(bench, game, decision, by=By(JUDGE))
    made = export_bytes(bench, bench.game(game), "csv", RenderOptions(lang=lang)).decode()
    said = [row["action"] for row in csv.DictReader(StringIO(made[1:])) if row["kind"] == "ruled"]
    found = {text[:2]: re.findall(r"\b[123]\b", text)[-2:] for text in said}
    assert (found["r1"], found["r3"]) == (["3", "1"], ["3", "2"])
    assert Story(bench.game(game), RenderOptions(lang=lang)).say("remedy.none") in " ".join(said)


TAKEN = ["take 1", "take 2", "take 1", "take 2", "take 1"]
