"""Calls for a judge: the disputes that nobody has to raise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from engines.kernel import Finding, Verdict
from referee.record.entries import Disputed
from referee.record.game import Game


class Judged(NamedTuple):
    """An action and what the referee says of it; ``stands``: it happened although illegal."""

    number: int
    stands: bool
    verdict: Verdict


def calls_for_a_judge(
    game: Game, actions: Sequence[Judged], *, by_judge: bool
) -> Iterator[Disputed]:
    """An action that stands, unless a judge lets it; a proof that an earlier one broke a rule.

    What has been disputed is not disputed again: neither the same action nor the same proof.
    """
    known = {(dispute.cause, dispute.numbers, dispute.clause) for dispute in game.disputes.values()}
    proven = list(_disputed_proofs(game)) if any(one.verdict.findings for one in actions) else []
    count = len(game.disputes)
    for number, stands, verdict in actions:
        calls: list[tuple[Literal["stands", "finding"], tuple[int, ...], str | None]] = []
        if stands and not by_judge:
            calls.append(("stands", (number,), verdict.clause))
        for finding in verdict.findings:
            if finding.status == "broken" and finding not in proven:
                calls.append(("finding", (*finding.entries, number), finding.clause))
        for call in calls:
            if call in known:
                continue
            count += 1
            cause, numbers, clause = call
            yield Disputed(id=f"d{count}", numbers=numbers, clause=clause, cause=cause)


def _disputed_proofs(game: Game) -> Iterator[Finding]:
    """The findings for which a judge has been called, as far as they count."""
    proofs = {
        dispute.numbers[-1] for dispute in game.disputes.values() if dispute.cause == "finding"
    }
    for step in game.steps:
        if step.number in proofs:
            yield from step.verdict.findings


def judged_anew(game: Game, after: Game) -> Iterator[Judged]:
    """What is new in the verdicts of the game as it is after some more entries."""
    was = {step.number: step.verdict.findings for step in game.steps}
    stood = {step.number for step in game.steps if step.item.stands}
    for step in after.steps:
        known = was.get(step.number, ())
        findings = tuple(finding for finding in step.verdict.findings if finding not in known)
        stands = step.item.stands and step.number not in stood
        yield Judged(step.number or 0, stands, step.verdict._replace(findings=findings))
