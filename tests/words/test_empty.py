"""Where a list is empty its sentence still reads well: “none” stands where a list could."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest

from engines.kernel import Verdict
from engines.kernel.dialogue.clause_text import sentence_for
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.registry import load_engine
from engines.kernel.rules.clauses import Text
from referee.cases.runner import CaseTable, run_at
from referee.record.fold import fold
from replays.text_record import read_text
from tests.cli.test_french import GAMES, SAMPLES
from tests.test_cases import every_game, files_of, read

_LISTED = re.compile(r"(?:[:(]|^)\s*$")
"""What may stand before a list that can be empty: a colon, a bracket, or nothing at all."""
_BARE = re.compile(r"(?<![:(])\s(?:none|aucune?)(?=[,.;)])")


def empty(value: Any) -> bool:
    return value is None or (isinstance(value, (list, tuple, dict, set, frozenset)) and not value)


def odd_blanks(sentence: Text, facts: Mapping[str, Any]) -> Iterator[str]:
    """The blanks of a sentence where “none” would be said in the middle of a clause."""
    for lang in LANGUAGES:
        text = sentence.say(lang)
        for found in re.finditer(r"\{([a-z_]+)\}", text):
            if empty(facts[found[1]]) and not _LISTED.search(text[: found.start()]):
                yield text


class SpokenTable(CaseTable):
    """A game played by a case; the sentences about its verdicts are read."""

    odd: ClassVar[set[str]]

    def hear(self, text: str, *, lenient: bool) -> Verdict:
        verdict = super().hear(text, lenient=lenient)
        clauses = self.engine.clauses
        told = [
            (clauses[point.clause].because, point.facts)
            for points in (verdict.breaches, verdict.claims, verdict.findings)
            for point in points
        ]
        told += [(clauses[point.clause].told, point.facts) for point in verdict.effects]
        for sentences, facts in told:
            if (sentence := sentence_for(sentences or (), facts)) is not None:
                self.odd.update(odd_blanks(sentence, facts))
        for key, facts in verdict.warnings:
            entry = self.engine.words.entry(f"warning.{key}") or {}
            self.odd.update(odd_blanks(Text(en=entry["en"], fr=entry["fr"]), facts))
        return verdict


@pytest.mark.parametrize("game", every_game())
def test_no_sentence_of_a_verdict_says_none_in_its_middle(game: str) -> None:
    class Heard(SpokenTable):
        odd: ClassVar[set[str]] = set()

    engine = load_engine(game)
    for path in files_of(game):
        file = read(path)
        for case in file.case:
            run_at(Heard, engine, case, file.start_of(case))
    assert sorted(Heard.odd) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_table_in_words_says_none_in_the_middle(game: str, lang: Language) -> None:
    engine = load_engine(game)
    sample = read_text(SAMPLES.joinpath(f"{game}.txt").read_bytes())
    for step in fold(sample.stream, sample.rows).steps:
        for line in engine.describe(step.state, step.setting, lang):
            assert not _BARE.search(line), line


def test_an_empty_list_in_the_middle_would_be_noticed() -> None:
    assert _BARE.search("spy none; unknown")
    assert not _BARE.search("spy: none; unknown")
    sentence = Text(en="not at {places}", fr="pas en {places}")
    assert [*odd_blanks(sentence, {"places": ()})] == ["not at {places}", "pas en {places}"]
    assert [*odd_blanks(Text(en="at: {places}", fr="en : {places}"), {"places": ()})] == []
    assert [*odd_blanks(sentence, {"places": ("a1",)})] == []
