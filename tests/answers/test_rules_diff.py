"""Two versions of a rulebook's clauses: what was added, removed and changed, in both languages."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from answers.rulebooks.rules import rules
from answers.rulebooks.rules_diff import rules_diff
from engines.kernel.registry import engine_ids
from referee.errors import Unfit


def toml_of(game: str) -> str:
    return resources.files(f"engines.{game}").joinpath("clauses.toml").read_text("utf-8")


OURS = sorted({*engine_ids()} & {"benevolent", "bethel_woods", "bloody_grove", "broom_service"})


@pytest.mark.parametrize("game", OURS)
def test_a_rulebook_does_not_differ_from_itself_in_either_form(game: str) -> None:
    answer = json.dumps({"data": rules(game).plain()})
    for same in (toml_of(game), answer, json.dumps(rules(game).plain())):
        told = rules_diff(game, same).data
        assert (told.added, told.removed, told.changed) == ([], [], [])
        assert told.same == len(rules(game).data.clauses)


def test_added_removed_moved_and_changed_sentences_are_told() -> None:
    data = rules("benevolent").plain()
    first, second, third, *rest = data["clauses"]
    first = {**first, "en": first["en"] + " And so on."}
    second = {**second, "section": "Elsewhere"}
    gone = {**third, "id": "BEN-KIT-99"}
    told = rules_diff("benevolent", json.dumps({"clauses": [first, second, gone, *rest]})).data
    assert [one.id for one in told.added] == [third["id"]]
    assert [one.id for one in told.removed] == ["BEN-KIT-99"]
    changed = {one.id: one for one in told.changed}
    assert {*changed} == {first["id"], second["id"]}
    (in_english,) = changed[first["id"]].changes
    assert (in_english.lang, in_english.gone, in_english.new) == ("en", ["And so on."], [])
    assert changed[second["id"]].moved_from == "Elsewhere"
    assert {each.lang for each in told.added[0].changes} == {"en", "fr"}
    back = rules_diff("benevolent", json.dumps(data), new=json.dumps({"clauses": [first]})).data
    assert len(back.removed) == len(data["clauses"]) - 1


NONSENSE = (
    "",
    "nonsense",
    "{",
    "[]",
    '{"clauses": 3}',
    '{"clauses": [{}]}',
    "[a]\nb = 1",
    "[" * 99,
)


@pytest.mark.parametrize("text", NONSENSE)
def test_what_is_no_file_of_clauses_is_refused(text: str) -> None:
    with pytest.raises(Unfit):
        rules_diff("benevolent", text)
