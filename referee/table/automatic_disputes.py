"""Disputes that the referee raises by itself, for a judge to decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from operator import is_
from typing import Any, Literal, NamedTuple

from engines.kernel import Finding, Verdict, evolve
from referee.record.entries import Disputed, judges
from referee.record.game import Game
from referee.record.line import JudgedItem, Stood
from referee.secrecy.query_guard import known_after

_Call = tuple[Literal["stands", "finding"], tuple[int, ...], str | None]


class Judged(NamedTuple):
    """An action and its verdict; ``stands``: it is kept although illegal."""

    number: int
    stands: bool
    verdict: Verdict


def calls_for_a_judge(
    game: Game, actions: Sequence[Judged], *, by_judge: bool
) -> Iterator[Disputed]:
    """The disputes to raise automatically for these verdicts.

    Raised by an illegal action that stands, unless a judge let it, and by a proof that an earlier
    action broke a rule. One cheat is one dispute: an action that proves a breach is disputed for
    the proof alone, and nothing is disputed twice.
    """
    known = {(dispute.cause, dispute.numbers, dispute.clause) for dispute in game.disputes.values()}
    is_proof = any(_breaks(finding) for one in actions for finding in one.verdict.findings)
    proven = list(_disputed_proofs(game)) if is_proof else []
    count = len(game.disputes)
    for number, stands, verdict in actions:
        calls: dict[_Call, None] = {}
        for finding in verdict.findings:
            if _breaks(finding) and not any(_implies(one, finding) for one in proven):
                earlier = (entry for entry in finding.entries if entry != number)
                calls["finding", (*earlier, number), finding.clause] = None
                proven.append(finding)
        if stands and not by_judge and not calls:
            calls["stands", (number,), verdict.clause] = None
        for call in calls:
            if call in known:
                continue
            count += 1
            cause, numbers, clause = call
            yield Disputed(id=f"d{count}", numbers=numbers, clause=clause, cause=cause)


def judged_at(game: Game, stood: Stood) -> list[Judged]:
    """The verdicts that call for a judge when an action is logged."""
    own = _judged(stood.after)
    return [*_kept_quiet(game), own] if stood.after.state.over else [own]


def _judged(step: JudgedItem) -> Judged:
    stands = step.item.stands and bool(step.verdict.breaches)
    return Judged(step.number or 0, stands, step.verdict)


def judged_openly(game: Game, stood: Stood) -> list[Judged]:
    """The same where the device on the table logs it, which would learn a hand by trying.

    For what only a secret proves nobody is called until the game is over, when none is left.
    """
    if stood.after.state.over:
        return judged_at(game, stood)
    return judged_at(game, stood._replace(after=known_after(game, stood, "")))


def _kept_quiet(game: Game) -> Iterator[Judged]:
    """The verdicts that have called for no judge yet, as everybody would have learnt a secret."""
    disputed = {number for dispute in game.disputes.values() for number in dispute.numbers}
    for stood in pairwise(game.steps):
        step = stood[1]
        if not (step.item.stands or step.verdict.findings) or step.number in disputed:
            continue
        if judges(game.entries[step.item.seq].role):
            continue
        if known_after(game, Stood(*stood), "") is not step:
            yield _judged(step)


def _breaks(finding: Finding) -> bool:
    return finding.status == "broken"


def _implies(proof: Finding, other: Finding) -> bool:
    """Whether a known proof makes another redundant: same clause, and no wider set of entries."""
    if proof.clause != other.clause or _counted(proof) != _counted(other):
        return False
    return proof == other or bool(proof.entries and {*proof.entries} <= {*other.entries})


def _counted(proof: Finding) -> tuple[Any, Any]:
    """What an audit counted: another count is another dispute."""
    return proof.facts.get("subject"), proof.facts.get("stated")


def _disputed_proofs(game: Game) -> Iterator[Finding]:
    """The findings in the line that have been disputed already."""
    proofs = {
        dispute.numbers[-1] for dispute in game.disputes.values() if dispute.cause == "finding"
    }
    for step in game.steps:
        if step.item.number in proofs:
            yield from step.verdict.findings


def judged_anew(game: Game, after: Game, *, openly: bool = True) -> Iterator[Judged]:
    """The actions whose verdicts are new after some more entries.

    ``openly``: as far as everybody may know, who sees for what a judge is called.
    """
    same = game.steps.shared(after.steps)
    before, now = game.steps[same:], after.steps[same:]
    unchanged = sum(1 for _ in takewhile(bool, map(is_, reversed(before), reversed(now))))
    before, now = before[: len(before) - unchanged], now[: len(now) - unchanged]
    was = {one.number: one for one in _judged_from(game, same, before, openly=openly)}
    for one in _judged_from(after, same, now, openly=openly):
        known = was.get(one.number)
        findings = one.verdict.findings
        if known is not None:
            findings = tuple(each for each in findings if each not in known.verdict.findings)
        stands = one.stands and not (known is not None and known.stands)
        yield one._replace(stands=stands, verdict=evolve(one.verdict, findings=findings))


def _judged_from(
    game: Game, place: int, steps: Sequence[JudgedItem], *, openly: bool
) -> Iterator[Judged]:
    """Steps of the line from a place on; ``openly``: as far as everybody may know."""
    before = game.steps[max(0, place - 1)]
    for step in steps:
        known = known_after(game, Stood(before, step), "") if openly else step
        yield Judged(step.number or 0, known.item.stands, known.verdict)
        before = step
