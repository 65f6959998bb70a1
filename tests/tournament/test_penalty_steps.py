"""What the guide proposes when a player repeats an infringement, against a naive book of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from answers.context import Caller
from answers.tournament import judging, rounds
from referee.table.author import Author
from tests.tournament.asking import Stand, swiss

NAMES = ("Ana", "Bo", "Cleo", "Dan")
WORDS = ("late", "slow play", "phone")
GUIDES: dict[str, list[dict[str, Any]]] = {
    "usual": [],
    "points": [
        {"name": "warning"},
        {"name": "half a point", "halves": 1},
        {"name": "a point", "halves": 2},
        {"name": "removal"},
    ],
    "one": [{"name": "yellow card"}],
}
USUAL = ["warning", "serious warning", "loss of the game", "exclusion"]


def hall(guide: str) -> Stand:
    stand = Stand(swiss(3, penalties=GUIDES[guide]), *NAMES)
    stand.pair()
    stand.ask(rounds.start)
    return stand


def asked(stand: Stand, name: str, infringement: str, clause: str | None = None) -> Any:
    return stand.ask(judging.next_penalty, name, infringement=infringement, clause=clause).data


@pytest.mark.parametrize("guide", GUIDES)
def test_the_proposal_is_that_of_a_naive_book(guide: str) -> None:
    """The book: every penalty that was given, with its step, and a cross once it is cancelled."""
    random = Random(guide)
    stand = hall(guide)
    levels = [each["name"] for each in GUIDES[guide]] or USUAL
    costs = [each.get("halves", 0) for each in GUIDES[guide]] or [0] * len(USUAL)
    book: list[dict[str, Any]] = []
    for _ in range(40):
        name, words = random.choice(NAMES), random.choice(WORDS)
        clause = random.choice([None, "BEN-A-1", "BEN-A-2"])
        found = asked(stand, name, words.upper(), clause)
        same = []
        for line in book:
            alike = line["words"] == words or (clause and line["clause"] == clause)
            if line["name"] == name and alike and not line["crossed"]:
                same.append(line)
        severest = -1
        for line in same:
            severest = max(severest, line["step"])
        expected = severest + 1 if severest + 1 < len(levels) else len(levels) - 1
        assert found.proposed.level == levels[expected]
        assert found.proposed.halves == costs[expected]
        assert found.further == (severest + 1 < len(levels))
        assert [each.event for each in found.before] == [line["event"] for line in same]
        assert len(found.before) + len(found.others) == sum(line["name"] == name for line in book)

        last = stand.now.last
        open_ones = [line for line in book if not line["crossed"]]
        if open_ones and random.random() < 0.2:
            line = random.choice(open_ones)
            stand.ask(judging.cancel_penalty, line["event"], "mistaken")
            line["crossed"] = True
            continue
        told = {"infringement": words, "reason": "seen by Jo"}
        if random.random() < 0.5:
            told = {"infringement": "", "reason": words}
        step = random.randrange(len(levels))
        if random.random() < 0.6:
            given = stand.ask(
                judging.penalise, name, None, clause=clause, level=levels[step], **told
            )
            assert stand.now.penalties[-1].halves == costs[step]
        else:
            halves = random.choice([0, 1, 2, 5])
            given = stand.ask(judging.penalise, name, halves, clause=clause, **told)
            step = len(levels) - 1
            for at in range(len(levels) - 1, -1, -1):
                if costs[at] >= halves:
                    step = at
        assert stand.now.last == last + 1, "one penalty is one event: nothing is automatic"
        assert bool(given.warnings) == bool(same)
        line = {"name": name, "words": words, "clause": clause, "step": step}
        book.append({**line, "event": last + 1, "crossed": False})


def test_it_is_told_how_often_in_which_rounds_and_what() -> None:
    stand = hall("points")
    stand.ask(judging.penalise, "Ana", None, "late", level="Warning")
    told = stand.ask(judging.penalise, "Ana", None, "bus", infringement="Late", level="warning")
    assert "in round 1: warning" in stand.told(told)
    assert "half a point (−0.5)" in stand.told(told)
    found = asked(stand, "Ana", "late")
    assert (len(found.before), found.rounds, found.proposed.halves) == (2, [1], 1)
    assert "barème propose" in stand.told(
        stand.ask(judging.next_penalty, "Ana", infringement="late"), "fr"
    )


def test_a_level_of_the_usual_guide_is_known_in_both_languages() -> None:
    stand = hall("usual")
    for level in ("avertissement grave", "Serious warning", "serious"):
        stand.ask(judging.penalise, "Bo", None, "late", level=level)
    assert {each.level for each in stand.now.penalties} == {"serious"}
    assert asked(stand, "Bo", "late").proposed.level == "loss of the game"


def test_without_points_and_level_the_proposal_is_told_and_nothing_recorded() -> None:
    stand = hall("points")
    stand.ask(judging.penalise, "Ana", None, "late", level="warning")
    assert stand.refusal(judging.penalise, "Ana", None, "late").key == "penalty_of_what"
    refused = stand.refusal(judging.penalise, "Ana", None, "late", level="a drink")
    assert refused.key == "no_such_level"


def test_a_history_is_for_judges_and_its_own_player() -> None:
    stand = hall("usual")
    for name in ("Ana", "Bo"):
        stand.ask(judging.penalise, name, 1, "late")

    def seen(author: Author) -> list[str]:
        caller = Caller(stand.caller.store_context, author)
        found = judging.penalties(caller, stand.id).data.penalties
        return [caller.name(each.player) for each in found]

    assert seen(Author("pjo", "judge")) == seen(Author("porg", "organiser")) == ["Ana", "Bo"]
    assert seen(Author(stand.id_of("Ana"), "player")) == ["Ana"]
    assert seen(Author(stand.id_of("Cleo"), "player")) == []
    assert seen(Author("anonymous", "spectator")) == []


def test_a_penalty_without_the_new_words_is_stored_as_before() -> None:
    stand = hall("usual")
    stand.ask(judging.penalise, "Ana", 1, "late")
    data = stand.hosted.told[-1].event.model_dump(mode="json")
    assert data.keys() == {"player", "halves", "reason", "clause"}
