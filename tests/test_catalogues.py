"""What can be checked of every sentence without reading it: typography, plurals, stray words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.kernel.messages.package_data import read_words
from tests.doors import OF_COMMANDS
from tests.speaking import placeholders

PACKAGES = (
    "answers",
    "answers.tournament",
    "referee",
    "referee.season",
    "referee.tournament",
    "service",
)
STRAIGHT = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_{«“])")
COUNTED = re.compile(r"\{count\} [^\W\d_]{3,}s\b")
LABELS = ("table", "seat", "spoken", "hall", "hall_spoken", "judge", "study", "situation", "wall")
"""Groups of the service that are mostly buttons, fields and headings."""
INSIDE = {
    "seat.is_sealed", "spoken.opening", "spoken.outcome_legal", "spoken.outcome_illegal",
    "spoken.outcome_undecided", "spoken.outcome_pending", "spoken.clock_seat",
    "spoken.clock_round", "spoken.clock_all", "spoken.here", "hall.clock_paused",
    "hall.clock_stopped", "hall.clock_starts", "hall.plays", "hall.table_of", "hall.rank",
    "hall.against", "hall.top_table", "hall.warning", "hall.penalty_cancelled", "hall.for_the_wall",
    "hall_spoken.half_bye", "hall_spoken.zero_bye", "hall_spoken.full_bye",
    "hall_spoken.all_tables", "hall_spoken.by_hand", "judge.pending", "judge.not_possible",
    "study.end", "situation.setup", "situation.moment", "situation.from_game", "hall.to_come",
    "hall.begins", "judge.unchanged", "judge.waiting", "judge.stands_in", "judge.choose_above",
    "judge.type_below", "judge.for_whom",
}  # fmt: skip
"""Words that stand inside a line: states, values of a list."""


def texts(package: str) -> dict[tuple[str, str], str]:
    words = read_words(package)
    return {(key, name): text for key in words for name, text in (words.entry(key) or {}).items()}


@pytest.mark.parametrize("package", [*PACKAGES, "cli", "cli.tournament"])
def test_both_languages_have_every_sentence_with_the_same_facts(package: str) -> None:
    words = read_words(package)
    told = {key: words.entry(key) or {} for key in words}
    assert [key for key, entry in told.items() if not (entry.get("en") and entry.get("fr"))] == []
    assert [
        key for key, entry in told.items() if placeholders(entry["en"]) != placeholders(entry["fr"])
    ] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_apostrophes_are_those_of_print(package: str) -> None:
    assert [key for key, text in texts(package).items() if STRAIGHT.search(text)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_counted_word_knows_the_singular(package: str) -> None:
    words = read_words(package)
    counted = {key for (key, _), text in texts(package).items() if COUNTED.search(text)}
    alone = {key for key in counted if not {"en_one", "fr_one"} & {*(words.entry(key) or {})}}
    # French and English may each do without one ("cas", a sum in brackets), not both
    assert {key for key in alone if "{count:" not in str(words.entry(key))} == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_sentence_names_a_command(package: str) -> None:
    assert [key for key, text in texts(package).items() if OF_COMMANDS.search(text)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_problem_ends_in_a_blank(package: str) -> None:
    """Nor in a fact that may be empty, after one."""
    told = {key: text for key, text in texts(package).items() if key[0].startswith("error.")}
    assert [key for key, text in told.items() if text != text.strip()] == []
    assert [key for key, text in told.items() if text.endswith(" {reason}")] == []


def test_labels_begin_with_a_capital() -> None:
    found = [
        key
        for (key, name), text in texts("service").items()
        if key.partition(".")[0] in LABELS
        and key not in INSIDE
        and text[0].islower()
        and not key.startswith("hall.about_")
    ]
    assert found == []


def test_the_word_that_means_cancel_in_french_carries_nothing_out_in_a_dialog() -> None:
    """Alone, « Annuler » is only the name of undo, and no dialog has such a button."""
    entries = read_words("service")
    alone = [key for key in entries if (entries.entry(key) or {}).get("fr") == "Annuler"]
    assert {(entries.entry(key) or {})["en"] for key in alone} == {"Undo"}
    static = Path(__file__).parents[1] / "service" / "static"
    scripts = [file.read_text("utf-8") for file in static.glob("*.js")]
    assert not [text for text in scripts if 'does(say("undo")' in text]
