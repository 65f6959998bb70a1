"""Claims: what a seat says is open until a later action settles it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.judge.rulings import penalise, penalties
from answers.play.could_hold import could_hold
from engines.kernel import LANGUAGES, Finding
from engines.kernel.messages.catalogue import Language
from engines.kernel.registry import load_engine
from referee.record import claims as claiming
from referee.record.claims import Claim, claims
from referee.table.author import Author
from referee.table.bench import Bench
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench
from tests.test_cases import actions_of

FIRST_ROUND = "\n".join(actions_of("broom_service", "a first round of three players"))


def table_after(lines: str) -> tuple[Bench, str]:
    bench = make_bench()
    opening, *rest = lines.strip().splitlines()
    table = open_game(bench, "broom_service", opening).game.id
    for line in rest:
        if not line.startswith("="):
            for text in bench.game(table).engine.notation.split(line):
                assert log(bench, table, text).accepted, text
    return bench, table


def statuses(bench: Bench, table: str) -> set[str]:
    return {claim.status for claim in claims(bench.game(table)).values()}


def test_honest_passes_are_open_and_then_cleared() -> None:
    until_first_pass, _, _ = FIRST_ROUND.partition("A gather p p w")
    assert statuses(*table_after(until_first_pass)) == {"open"}
    assert statuses(*table_after(FIRST_ROUND)) == {"cleared"}


def test_a_false_pass_is_broken_by_the_card_that_proves_it() -> None:
    lines, _, _ = FIRST_ROUND.partition("B pw coward")
    bench, table = table_after(lines)
    passed = next(iter(claims(bench.game(table))))[0]
    for text in ("B pw coward", "B move 2 P3", "C next", "A next", "B vd brave", "C vd brave"):
        assert log(bench, table, text).accepted, text
    for text in ("A next", "C deliver o t21 2", "C lay fg"):
        assert log(bench, table, text).accepted, text
    claim = claims(bench.game(table))[passed, "BRM-FOL-2"]
    assert claim.status == "broken"
    assert bench.game(table).open_disputes()[-1].numbers[0] == passed


@pytest.mark.parametrize(
    "game", ["benevolent", "bethel_woods", "bloody_grove", "broom_service", "roundforest"]
)
def test_what_settles_a_claim_is_a_clause_of_the_same_rulebook(game: str) -> None:
    clauses = load_engine(game).clauses
    named = {other for clause in clauses.values() for other in clause.settled_by}
    assert named <= set(clauses)
    assert named or game not in ("bloody_grove", "broom_service")


def test_only_a_finding_that_a_clause_names_settles_its_claims() -> None:
    """By what the rulebook's data says, not by how the ids are spelt."""
    clauses = load_engine("broom_service").clauses
    settled = {}
    for clause in (key for key in clauses if key.startswith("BRM-FOL-")):
        found = {4: {"BRM-FOL-2": Claim(4, "BRM-FOL-2")}}
        claiming._settle(found, clauses, Finding("cleared", clause, (4,), {}), by=9)
        settled[clause] = found[4]["BRM-FOL-2"].status == "cleared"
    assert {clause for clause, done in settled.items() if done} == {
        "BRM-FOL-2", "BRM-FOL-5", "BRM-FOL-9", "BRM-FOL-10",
    }  # fmt: skip


FINDINGS = st.lists(
    st.builds(
        Finding,
        st.sampled_from(["cleared", "broken"]),
        st.sampled_from(["BRM-FOL-2", "BRM-FOL-5", "BRM-FOL-3"]),
        st.sampled_from([(4,), (5,), (4, 5)]),
        st.just({}),
    ),
    max_size=6,
)
"""The last of the clauses settles none of these claims."""


@given(FINDINGS)
def test_what_was_proven_false_stays_false_whatever_is_found_later(findings: list[Finding]) -> None:
    clauses = load_engine("broom_service").clauses
    found = {number: {"BRM-FOL-2": Claim(number, "BRM-FOL-2")} for number in (4, 5)}
    for at, finding in enumerate(findings, start=10):
        claiming._settle(found, clauses, finding, by=at)
    for number, made in found.items():
        told = [
            (at, finding.status)
            for at, finding in enumerate(findings, start=10)
            if number in finding.entries
            and finding.clause != "BRM-FOL-3"
            and (finding.status == "cleared" or finding.entries == (number,))
        ]
        broken = [at for at, status in told if status == "broken"]
        expected = ("broken", broken[0]) if broken else ("cleared", told[-1][0]) if told else None
        claim = made["BRM-FOL-2"]
        assert (claim.status, claim.by) == (expected or ("open", None))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_card_has_proven_is_told_of_the_time_before_it_and_of_the_time_after(
    lang: Language,
) -> None:
    lines, _, _ = FIRST_ROUND.partition("B pw coward")
    bench, table = table_after(lines)
    passed = next(iter(claims(bench.game(table))))[0]
    caller = Caller(StoreContext(bench.store, bench), Author("px", "seat:B"))
    assert could_hold(caller, table, "C", "fg").data.honestly
    for text in ("B pw coward", "B move 2 P3", "C next", "A next", "B vd brave", "C vd brave"):
        log(bench, table, text)
    for text in ("A next", "C deliver o t21 2", "C lay fg", "C hg coward"):
        log(bench, table, text)
    shown = next(step.number for step in bench.game(table).steps if step.verdict.findings)
    assert shown is not None
    game = bench.game(table)
    lines_said = {game.engine.text(s.action): s.number for s in game.steps if s.action is not None}
    taken = lines_said["C hand 4"]
    assert taken is not None
    assert could_hold(caller, table, "C", "fg", at=taken - 1).data.could == "no"
    for at in (taken, passed - 1, passed, shown - 1):
        told = could_hold(caller, table, "C", "fg", at=at)
        assert (told.data.could, told.data.proven) == ("certainly", shown)
        assert f"#{shown}" in "\n".join(told.lines(Voice(lang)))
    for at in (shown, shown + 1):
        after = could_hold(caller, table, "C", "fg", at=at)
        assert (after.data.could, after.data.since, after.data.honestly) == ("no", shown, False)
        assert f"#{passed}" not in "\n".join(after.lines(Voice(lang)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_usual_penalty_is_said_to_everybody_in_their_language(lang: Language) -> None:
    bench = make_bench()
    judge = Caller(StoreContext(bench.store, bench), Author("jo", "judge"))
    table = open_game(bench, "pebbles", "table A B first A").game.id
    word = Voice(lang).say("penalty_level.warning")
    for level in ("warning", "avertissement"):
        assert word in penalise(judge, table, "B", level, "slow").lines(Voice(lang))[0]
    listed = "\n".join(penalties(judge, table).lines(Voice(lang)))
    assert listed.count(word) == 2
