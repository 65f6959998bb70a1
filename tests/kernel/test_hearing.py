"""Hearings: strict, as it happened, under house rules; effects, claims, findings."""

from __future__ import annotations

import pytest

from engines.kernel.rules.hearing import (
    Finding,
    Hearing,
    LegalityDecided,
    LegalityProbe,
    Point,
    Refused,
    Verdict,
)


def hearing(**changes: object) -> Hearing[None]:
    return Hearing(None, {"a_reading": "plain"}, **changes)


def test_a_strict_hearing_ends_at_the_first_breach() -> None:
    rule = hearing()
    assert rule("X-1", True)
    with pytest.raises(Refused):
        rule("X-2", False, hex="b2")
    verdict = rule.verdict()
    assert (verdict.outcome, verdict.clause) == ("illegal", "X-2")
    assert verdict.breaches == (Point("X-2", {"hex": "b2"}),)
    assert [(c.clause, c.held) for c in verdict.consulted] == [("X-1", True), ("X-2", False)]


def test_as_it_happened_all_breaches_are_collected_in_order() -> None:
    rule = hearing(lenient=True)
    assert not rule("X-2", False)
    assert rule("X-3", True)
    assert not rule("X-1", [])
    assert [point.clause for point in rule.verdict().breaches] == ["X-2", "X-1"]
    assert rule.verdict().outcome == "illegal"


def test_structure_ends_even_a_lenient_hearing() -> None:
    rule = hearing(lenient=True, structure={"X-9"})
    rule("X-1", False)
    with pytest.raises(Refused):
        rule("X-9", False)
    assert [point.clause for point in rule.verdict().breaches] == ["X-1", "X-9"]


def test_a_clause_set_aside_is_asked_but_never_broken() -> None:
    rule = hearing(aside={"X-1"})
    assert rule("X-1", False) is False
    verdict = rule.verdict()
    assert verdict.outcome == "legal"
    assert [(c.clause, c.held) for c in verdict.consulted] == [("X-1", False)]


@pytest.mark.parametrize("lenient", [False, True])
def test_a_doubt_is_told_beside_the_verdict_and_refuses_nothing(lenient: bool) -> None:
    rule = hearing(lenient=lenient, aside={"X-3"}, structure={"X-2"})
    assert rule.doubt("X-1", True)
    assert not rule.doubt("X-2", False, steps=3)
    assert not rule.doubt("X-3", False)
    verdict = rule.verdict()
    assert (verdict.outcome, verdict.breaches) == ("legal", ())
    assert verdict.doubted == (Point("X-2", {"steps": 3}),)
    assert [(c.clause, c.held) for c in verdict.consulted] == [("X-1", True)]


@pytest.mark.parametrize(("applies", "aside"), [(True, set()), (False, set()), (True, {"X-1"})])
def test_an_effect_happens_if_it_applies_and_is_not_set_aside(
    applies: bool, aside: set[str]
) -> None:
    rule = hearing(aside=aside)
    happens = applies and not aside
    assert rule.effect("X-1", applies, gain=2) is happens
    assert rule.verdict().effects == ((Point("X-1", {"gain": 2}),) if happens else ())
    assert rule.verdict().outcome == "legal"


def test_a_claim_leaves_the_verdict_undecided() -> None:
    rule = hearing()
    rule.claim("X-5", colour="red")
    assert (rule.verdict().outcome, rule.verdict().clause) == ("undecided", "X-5")


def test_a_breach_outweighs_a_claim() -> None:
    rule = hearing(lenient=True)
    rule.claim("X-5")
    rule("X-1", False)
    assert (rule.verdict().outcome, rule.verdict().clause) == ("illegal", "X-1")


def test_findings_stand_beside_a_refusal() -> None:
    rule = hearing()
    rule.proves("X-5", 3, 4, card="red")
    rule.clears("X-6", 2)
    with pytest.raises(Refused):
        rule("X-1", False)
    assert rule.verdict().findings == (
        Finding("broken", "X-5", (3, 4), {"card": "red"}),
        Finding("cleared", "X-6", (2,), {}),
    )


def test_a_clause_set_aside_is_never_proven_broken() -> None:
    rule = hearing(aside={"X-5"})
    rule.proves("X-5", 3)
    rule.clears("X-5", 3)
    assert [finding.status for finding in rule.verdict().findings] == ["cleared"]


def test_readings_that_were_asked_are_named_once() -> None:
    rule = hearing()
    assert rule.reading("a_reading") == rule.reading("a_reading") == "plain"
    assert rule.verdict().readings == ("a_reading",)


def test_facts_may_have_any_name() -> None:
    rule = hearing(lenient=True)
    rule("X-1", False, self=1, clause=2, holds=3)
    assert rule.verdict().breaches[0].facts == {"self": 1, "clause": 2, "holds": 3}


def test_a_trial_ends_at_a_breach_and_keeps_nothing() -> None:
    trial: LegalityProbe[None] = LegalityProbe(None, {"a_reading": "plain"}, aside={"X-2"})
    assert trial("X-1", [1]) is True
    assert trial("X-2", []) is False
    assert trial.effect("X-3", 1) is True
    assert trial.effect("X-2", 1) is False
    assert trial.reading("a_reading") == "plain"
    trial.claim("X-4")
    trial.proves("X-5", 3)
    trial.clears("X-6", 2)
    trial.warn("odd")
    with pytest.raises(Refused):
        trial("X-7", None)
    assert trial.verdict() == Verdict("legal")


def test_a_trial_is_over_where_nothing_more_is_refused_and_a_hearing_goes_on() -> None:
    rule = hearing()
    rule.heard_out()
    assert rule.effect("X-1", True)
    assert [point.clause for point in rule.verdict().effects] == ["X-1"]
    with pytest.raises(LegalityDecided):
        LegalityProbe(None, {}).heard_out()
